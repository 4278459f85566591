package queue

import (
	"nod/ambiguity"
	"nod/descriptor"
	"nod/digest"
)

// described is what the operator's descriptor says of one action.
type described struct {
	ask     *digest.Descriptor // for the ask; nil: the tool has none
	noValue bool               // the value that it wants typed cannot be
}

// describe writes class and access of the tool's descriptor into the action,
// where they are stricter than what the caller states, and reads its values.
// It is for whatever makes an ask: a submit, and an edit with its new
// arguments. The action is digested after it. Where the descriptor names
// effects, its key beats the caller's; a call that it cannot name is refused.
func (q *Queue) describe(a *digest.Action) (described, error) {
	d := q.settings.Descriptors.Tool(a.Tool)
	if d == nil {
		return described{}, nil
	}
	if class, access := d.Effect(); class != "" || access != "" {
		e := digest.Effect{}
		if a.Effect != nil {
			e = *a.Effect
		}
		e.Class, e.Access = descriptor.Stricter(class, access, e.Class, e.Access)
		a.Effect = &e
	}
	if family, parts := d.Template(); family != "" {
		t := ambiguity.Template{Family: family}
		for _, p := range parts {
			t.Parts = append(t.Parts, ambiguity.Part{At: p.At, Whole: p.Type == descriptor.PartWhole})
		}
		key, err := t.Key(a.Environment.Name, a.Arguments)
		if err != nil {
			return described{}, err
		}
		e := digest.Effect{}
		if a.Effect != nil {
			e = *a.Effect
		}
		e.Key = key
		a.Effect = &e
	}
	said := described{ask: &digest.Descriptor{Digest: d.Digest(), Readings: d.Read(a.Arguments)}}
	if d.ConfirmAt() != "" {
		_, typed := d.Confirm(a.Arguments)
		said.noValue = !typed
	}
	return said, nil
}

// is reports whether the ask in row was described as s is.
func (s *described) is(tx ReadTx, row *Row) bool {
	was, err := descriptorOf(tx, row)
	if err != nil {
		return false // judged anew
	}
	if s.ask == nil {
		return was == ""
	}
	return was == s.ask.Digest
}

// descriptorOf reads the digest of an ask's descriptor, "" for none. The whole
// ask is held against its digest, but not parsed.
func descriptorOf(tx ReadTx, row *Row) (digest.Digest, error) {
	body, err := filedBody(tx, row)
	if err != nil {
		return "", err
	}
	v, there := digest.Lookup(body, "/descriptor/digest")
	if !there {
		return "", nil
	}
	text, _ := v.Text() // checked as the ask's
	return digest.Digest(text), nil
}

// inForce is the digest of the descriptor that this process has for a tool.
func (q *Queue) inForce(tool string) digest.Digest {
	if d := q.settings.Descriptors.Tool(tool); d != nil {
		return d.Digest()
	}
	return ""
}

// checkDescriptor: what the operator said of the tool when it was asked must
// be what is said now; one that came or went is a change too.
func checkDescriptor(q *Queue, tx Tx, _ moment, r *running) (*Refusal, error) {
	was, err := descriptorOf(tx, r.row)
	if err != nil {
		return nil, err
	}
	if was == q.inForce(r.action.Tool) {
		return nil, nil
	}
	return refuse(CodeDescriptorChanged, "the operator's descriptor of this tool changed since it was asked").
		hint("ask again, so that it is read by the one now in force"), nil
}

// confirmation is what an allow must type besides the code, and where it
// stands.
type confirmation struct {
	value string // "" for nothing
	at    string // pointer into the arguments; "" for tool and boundary
}

// changed reports whether this process's descriptor of an ask's tool is another
// one than the ask's.
func (q *Queue) changed(ask *digest.Ask) bool {
	if ask.Action == nil {
		return false
	}
	var was digest.Digest
	if ask.Descriptor != nil {
		was = ask.Descriptor.Digest
	}
	return was != q.inForce(ask.Action.Tool)
}

// confirm gives what an allow of this ask must type: the boundary id of a
// commit, else the value that the descriptor names, else the tool's name, where
// the ask is mandated or irreversible (DESIGN §9). The descriptor's pointer is
// not in the ask; its digest is. Under another descriptor nothing is right, and
// no allow is taken.
func (q *Queue) confirm(row *Row, ask *digest.Ask) confirmation {
	switch {
	case ask == nil || ask.Action == nil || !row.Mandated && !row.Irreversible || q.changed(ask):
		return confirmation{}
	case row.Kind == digest.KindCommit:
		return confirmation{value: ask.Action.Effect.CommitBoundary}
	}
	if d := q.settings.Descriptors.Tool(ask.Action.Tool); d != nil {
		if value, ok := d.Confirm(ask.Action.Arguments); ok {
			return confirmation{value: value, at: d.ConfirmAt()}
		}
	}
	return confirmation{value: ask.Action.Tool}
}
