package digest

import "strings"

func (a *Ask) check() error {
	if err := a.checkSubject(); err != nil {
		return err
	}
	if err := checkDigest(a.ActionDigest, "action_digest"); err != nil {
		return err
	}
	if a.AnswerBy == "" {
		return fault(CodeMissingMember, "answer_by")
	}
	if !ValidTime(a.AnswerBy) {
		return fault(CodeBadValue, "answer_by")
	}
	if d := a.DerivedFrom; d != nil {
		if err := d.check(); err != nil {
			return within(err, "derived_from")
		}
	}
	if d := a.Descriptor; d != nil {
		if err := d.check(a.Action); err != nil {
			return within(err, "descriptor")
		}
	}
	if err := checkID(a.ID, "id"); err != nil {
		return err
	}
	if err := distinct(a.Parents); err != nil {
		return within(err, "parents")
	}
	if err := a.checkReasons(); err != nil {
		return err
	}
	if a.Replaces != "" && !ValidID(a.Replaces) {
		return fault(CodeBadValue, "replaces")
	}
	if a.Session == "" {
		return fault(CodeMissingMember, "session")
	}
	if a.UseWithin < 1 || a.UseWithin > MaxUseWithin {
		if a.UseWithin == 0 {
			return fault(CodeMissingMember, "use_within")
		}
		return fault(CodeBadValue, "use_within")
	}
	return nil
}

// checkSubject holds what each kind carries: a call or commit its action, a
// question its text, schema and principal, and neither the other's.
func (a *Ask) checkSubject() error {
	switch a.Kind {
	case KindCall, KindCommit:
		switch {
		case a.Action == nil:
			return fault(CodeMissingMember, "action")
		case a.Principal != nil:
			return fault(CodeMisplacedMember, "principal")
		case a.Question != nil:
			return fault(CodeMisplacedMember, "question")
		}
		if err := a.Action.check(); err != nil {
			return within(err, "action")
		}
		if a.Kind == KindCommit {
			return within(a.Action.checkCommit(), "action")
		}
		return nil
	case KindQuestion:
		switch {
		case a.Action != nil:
			return fault(CodeMisplacedMember, "action")
		case a.Principal == nil:
			return fault(CodeMissingMember, "principal")
		case a.Question == nil:
			return fault(CodeMissingMember, "question")
		}
		if err := a.Principal.check(); err != nil {
			return within(err, "principal")
		}
		return within(a.Question.check(), "question")
	case "":
		return fault(CodeMissingMember, "kind")
	}
	return fault(CodeUnknownKind, "kind")
}

// checkCommit: a commit ask's action names operation and boundary (DESIGN §3).
func (a *Action) checkCommit() error {
	if a.Operation == "" {
		return fault(CodeMissingMember, "operation")
	}
	if a.Effect == nil || a.Effect.CommitBoundary == "" {
		return fault(CodeMissingMember, "effect", "commit_boundary")
	}
	return nil
}

func (a *Ask) checkReasons() error {
	if len(a.Reasons) == 0 {
		return fault(CodeMissingMember, "reasons")
	}
	for i, r := range a.Reasons {
		if r == "" || strings.Trim(r, "abcdefghijklmnopqrstuvwxyz_") != "" {
			return within(withinIndex(fault(CodeBadValue), i), "reasons")
		}
		if i > 0 && a.Reasons[i-1] >= r {
			return within(withinIndex(fault(CodeNotSorted), i), "reasons")
		}
	}
	if len(a.Why) == 0 {
		return fault(CodeMissingMember, "why")
	}
	for i, w := range a.Why {
		if w == "" {
			return within(withinIndex(fault(CodeEmptyMember), i), "why")
		}
	}
	return nil
}

// distinct refuses an empty entry, and one that is there already.
func distinct(list []string) error {
	seen := make(map[string]struct{}, len(list))
	for i, s := range list {
		if s == "" {
			return withinIndex(fault(CodeEmptyMember), i)
		}
		if _, twice := seen[s]; twice {
			return withinIndex(fault(CodeBadValue), i)
		}
		seen[s] = struct{}{}
	}
	return nil
}

func (d *Derived) check() error {
	if err := checkID(d.Ask, "ask"); err != nil {
		return err
	}
	if d.By == "" {
		return fault(CodeMissingMember, "by")
	}
	return nil
}

// check also proves that each reading reads a value that is there.
func (d *Descriptor) check(a *Action) error {
	if err := checkDigest(d.Digest, "digest"); err != nil {
		return err
	}
	if len(d.Readings) == 0 {
		return nil
	}
	var args JSON
	if a != nil {
		args = a.Arguments
	}
	pointers := make([]string, len(d.Readings))
	for i, r := range d.Readings {
		pointers[i] = r.Pointer
	}
	for i, v := range lookupAll(args, pointers) {
		if v == nil {
			return within(withinIndex(fault(CodeBadValue, "pointer"), i), "readings")
		}
		if d.Readings[i].Text == "" {
			return within(withinIndex(fault(CodeMissingMember, "text"), i), "readings")
		}
	}
	return nil
}

func (q *Question) check() error {
	if q.Text == "" {
		return fault(CodeMissingMember, "text")
	}
	if len(q.Schema) == 0 {
		return fault(CodeMissingMember, "schema")
	}
	switch q.Schema[0] {
	case '{', 't', 'f':
		return nil
	}
	return fault(CodeWrongType, "schema")
}
