package policy

import (
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// Declaration is what a tool or command says of its effect: exactly one class,
// and that class's metadata.
type Declaration struct {
	Class          string        // reversible compensatable irreversible
	Disposer       *Undo         // reversible
	Compensation   *Compensation // compensatable
	CommitBoundary string        // irreversible; kept as it was declared, with the blanks at its ends
}

// Undo is a call that takes an effect back. Nod owes it; a host's own function
// would be gone after a crash.
type Undo struct {
	Tool      string         `json:"tool"`
	Operation string         `json:"operation,omitzero"`
	Arguments jsontext.Value `json:"arguments"` // any JSON value
}

// Compensation is an undoing that has to be repeatable by others: what it is
// keyed by, what has to look the same afterwards, and that it is written down
// before it is invoked.
type Compensation struct {
	Compensate            Undo
	IdempotencyKey        string
	Equivalence           string // observationalEquivalence
	JournaledBeforeInvoke bool
}

// ReadDeclaration reads a declaration strictly:
//
//	{"effectClass":"reversible","disposer":{"tool":…,"operation"?:…,"arguments":…}}
//	{"effectClass":"compensatable","compensation":{"compensate":{…},"idempotencyKey":…,"observationalEquivalence":…,"journaledBeforeInvoke":true}}
//	{"effectClass":"irreversible","commitBoundary":…}
//
// nil, null and what is no JSON are no declaration. A *digest.Error names the
// member, never its value.
func ReadDeclaration(raw []byte) (*Declaration, error) {
	doc, err := digest.Canonical(raw, digest.Limits{})
	if err != nil || !doc.IsObject() {
		return nil, refuse(CodeMetadataRequired, "", "the call declares no effect")
	}
	d := &Declaration{}
	class, _ := doc.Member("effectClass")
	d.Class, _ = class.Text()
	own, _ := doc.Member(member(d.Class))
	switch d.Class {
	case digest.ClassReversible:
		d.Disposer = readUndo(own)
	case digest.ClassCompensatable:
		d.Compensation = readCompensation(own)
	case digest.ClassIrreversible:
		d.CommitBoundary, _ = own.Text()
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	for name := range doc.Members() {
		if name != "effectClass" && name != member(d.Class) {
			return nil, refuse(CodeMetadataRequired, "/"+digest.EscapePointer(name), "the declaration states more than its class has")
		}
	}
	return d, nil
}

// ClassOf is the class that a declaration states, for the audit, whether or not
// its metadata would pass; "undeclared" where it states none.
func ClassOf(raw []byte) string {
	doc, err := digest.Canonical(raw, digest.Limits{})
	if err != nil {
		return ClassUndeclared
	}
	v, _ := doc.Member("effectClass")
	if class, _ := v.Text(); member(class) != "" {
		return class
	}
	return ClassUndeclared
}

// member is the one member of a declaration that a class has; "" for a word that
// is no class.
func member(class string) string {
	switch class {
	case digest.ClassReversible:
		return "disposer"
	case digest.ClassCompensatable:
		return "compensation"
	case digest.ClassIrreversible:
		return "commitBoundary"
	}
	return ""
}

// check judges the shape: what the class needs is there, and nothing of another
// class.
func (d *Declaration) check() error {
	switch {
	case d == nil:
		return refuse(CodeMetadataRequired, "", "the call declares no effect")
	case member(d.Class) == "":
		return refuse(CodeMetadataRequired, "/effectClass", "the class is none of reversible, compensatable, irreversible")
	case d.Class == digest.ClassReversible && !d.Disposer.sound():
		return refuse(CodeDisposerRequired, "/disposer", "a reversible effect has no disposer")
	case d.Class == digest.ClassCompensatable && !d.Compensation.sound():
		return refuse(CodeCompensationRequired, "/compensation", "a compensatable effect lacks what its compensation needs")
	case d.Class == digest.ClassIrreversible && blank(d.CommitBoundary):
		return refuse(CodeMetadataRequired, "/commitBoundary", "an irreversible effect has no commit boundary")
	case d.Class != digest.ClassReversible && d.Disposer != nil,
		d.Class != digest.ClassCompensatable && d.Compensation != nil,
		d.Class != digest.ClassIrreversible && d.CommitBoundary != "":
		return refuse(CodeMetadataRequired, "", "the declaration states more than its class has")
	}
	return nil
}

func (u *Undo) sound() bool {
	if u == nil || blank(u.Tool) {
		return false
	}
	_, err := digest.Canonical(u.Arguments, digest.Limits{})
	return err == nil
}

func (c *Compensation) sound() bool {
	return c != nil && c.Compensate.sound() && !blank(c.IdempotencyKey) && !blank(c.Equivalence) && c.JournaledBeforeInvoke
}

// readUndo gives nil for what is no call.
func readUndo(v digest.JSON) *Undo {
	if !v.IsObject() {
		return nil
	}
	u := &Undo{}
	for name, m := range v.Members() {
		ok := true
		switch name {
		case "tool":
			u.Tool, ok = m.Text()
		case "operation":
			u.Operation, ok = m.Text()
			ok = ok && u.Operation != ""
		case "arguments":
			u.Arguments = jsontext.Value(m)
		default:
			ok = false
		}
		if !ok {
			return nil
		}
	}
	if !u.sound() {
		return nil
	}
	return u
}

// readCompensation gives nil for what is none; journaledBeforeInvoke is true and
// nothing that only means it.
func readCompensation(v digest.JSON) *Compensation {
	if !v.IsObject() {
		return nil
	}
	c := &Compensation{}
	for name, m := range v.Members() {
		ok := true
		switch name {
		case "compensate":
			u := readUndo(m)
			if ok = u != nil; ok {
				c.Compensate = *u
			}
		case "idempotencyKey":
			c.IdempotencyKey, ok = m.Text()
		case "observationalEquivalence":
			c.Equivalence, ok = m.Text()
		case "journaledBeforeInvoke":
			c.JournaledBeforeInvoke = string(m) == "true"
		default:
			ok = false
		}
		if !ok {
			return nil
		}
	}
	return c
}
