package digest

// ParseAsk reads one nod.ask/v1 document and proves that its action digest is
// the one of its action (or of its question and principal). What it accepts,
// Canonical writes back byte for byte. An error is an *Error.
func ParseAsk(raw []byte, lim Limits) (*Ask, error) {
	doc, err := Canonical(raw, lim.or(DefaultAskMaxDepth, DefaultAskMaxBytes))
	if err != nil {
		return nil, err
	}
	a := new(Ask)
	subject, err := a.read(doc)
	if err != nil {
		return nil, err
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	if a.Question != nil {
		subject, _ = questionDoc(a.Question, a.Principal) // its strings are in the ask
	}
	if Of(subject) != a.ActionDigest {
		return nil, fault(CodeDigestMismatch, "action_digest")
	}
	return a, nil
}

// Canonical checks the ask, its action digest included, and returns its
// RFC 8785 bytes.
func (a *Ask) Canonical() (JSON, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	size := 1024 + len(a.AgentWords)
	if a.Action != nil {
		size += len(a.Action.Arguments)
	}
	w := writer{b: make([]byte, 0, size)}
	subject := w.ask(a)
	doc, err := w.done()
	if err != nil {
		return nil, err
	}
	if a.Question != nil {
		subject, _ = questionDoc(a.Question, a.Principal) // its strings are in the ask
	}
	if Of(subject) != a.ActionDigest {
		return nil, fault(CodeDigestMismatch, "action_digest")
	}
	return doc, nil
}

// Digest is Of the ask's canonical bytes. It names the stored document; what an
// approver binds to is the action digest and the shown digest of the card.
func (a *Ask) Digest() (Digest, error) {
	doc, err := a.Canonical()
	if err != nil {
		return "", err
	}
	return Of(doc), nil
}

// SubjectDigest recomputes what action_digest must be: the action's digest, or
// that of the question and its principal.
func (a *Ask) SubjectDigest() (Digest, error) {
	switch {
	case a.Question != nil && a.Principal != nil:
		return QuestionDigest(*a.Question, *a.Principal)
	case a.Question != nil:
		return "", fault(CodeMissingMember, "principal")
	case a.Action != nil:
		return a.Action.Digest()
	}
	return "", fault(CodeMissingMember, "action")
}

// QuestionDigest stands in for the action digest where nothing is called: it is
// the digest of {"type":"nod.question/v1","question":…,"principal":…}.
func QuestionDigest(q Question, p Principal) (Digest, error) {
	if err := q.check(); err != nil {
		return "", within(err, "question")
	}
	if err := p.check(); err != nil {
		return "", within(err, "principal")
	}
	doc, bad := questionDoc(&q, &p)
	if bad {
		return "", fault(CodeBadUTF8)
	}
	return Of(doc), nil
}

// questionDoc writes the nod.question/v1 document of checked parts.
func questionDoc(q *Question, p *Principal) (doc []byte, bad bool) {
	var w writer
	w.open()
	w.member("principal")
	w.principal(p)
	w.member("question")
	w.question(q)
	w.text("type", TypeQuestion)
	w.close()
	return w.b, w.bad
}

// read fills the ask and returns the canonical bytes of its action.
func (a *Ask) read(doc []byte) (action []byte, err error) {
	typed, parents := false, false
	err = eachMember(doc, func(name string, v []byte) error {
		switch name {
		case "action":
			action = v
			a.Action = new(Action)
			return a.Action.read(v)
		case "action_digest":
			return readString(&a.ActionDigest, v)
		case "agent_words":
			return readString(&a.AgentWords, v)
		case "answer_by":
			return readString(&a.AnswerBy, v)
		case "derived_from":
			a.DerivedFrom = new(Derived)
			return a.DerivedFrom.read(v)
		case "descriptor":
			a.Descriptor = new(Descriptor)
			return a.Descriptor.read(v)
		case "id":
			return readString(&a.ID, v)
		case "kind":
			return readKind(&a.Kind, v)
		case "parents":
			parents = true
			return readAnyList(&a.Parents, v, readString)
		case "principal":
			a.Principal = new(Principal)
			return a.Principal.read(v)
		case "question":
			a.Question = new(Question)
			return a.Question.read(v)
		case "reasons":
			return readList(&a.Reasons, v, readString)
		case "replaces":
			return readString(&a.Replaces, v)
		case "session":
			return readString(&a.Session, v)
		case "type":
			typed = true
			return readType(v, TypeAsk)
		case "use_within":
			return readSeconds(&a.UseWithin, v)
		case "why":
			return readList(&a.Why, v, readString)
		}
		return fault(CodeUnknownMember)
	})
	switch {
	case err != nil:
		return nil, err
	case !typed:
		return nil, fault(CodeMissingMember, "type")
	case !parents:
		return nil, fault(CodeMissingMember, "parents")
	}
	return action, nil
}

func (d *Derived) read(v []byte) error {
	return eachMember(v, func(name string, v []byte) error {
		switch name {
		case "ask":
			return readString(&d.Ask, v)
		case "by":
			return readString(&d.By, v)
		}
		return fault(CodeUnknownMember)
	})
}

func (d *Descriptor) read(v []byte) error {
	listed := false
	err := eachMember(v, func(name string, v []byte) error {
		switch name {
		case "digest":
			return readString(&d.Digest, v)
		case "readings":
			listed = true
			return readAnyList(&d.Readings, v, (*Reading).read)
		}
		return fault(CodeUnknownMember)
	})
	if err == nil && !listed {
		err = fault(CodeMissingMember, "readings")
	}
	return err
}

func (r *Reading) read(v []byte) error {
	pointed := false
	err := eachMember(v, func(name string, v []byte) error {
		switch name {
		case "pointer":
			pointed = true
			return readText(&r.Pointer, v)
		case "text":
			return readString(&r.Text, v)
		}
		return fault(CodeUnknownMember)
	})
	if err == nil && !pointed {
		err = fault(CodeMissingMember, "pointer")
	}
	return err
}

func (q *Question) read(v []byte) error {
	return eachMember(v, func(name string, v []byte) error {
		switch name {
		case "schema":
			q.Schema = v
			return nil
		case "text":
			return readString(&q.Text, v)
		}
		return fault(CodeUnknownMember)
	})
}
