package policy

import "nod/digest"

// TypePolicy names the document of a policy's facts.
const TypePolicy = "nod.policy/v1"

// Facts are what an operator states of a policy. The zero value of each is what
// is not stated, and allows nothing.
type Facts struct {
	Mode              Mode    `json:"mode"`
	Untrusted         bool    `json:"untrustedComponent,omitzero"`
	Sandbox           Sandbox `json:"sandbox,omitzero"`
	AllowIrreversible bool    `json:"allowIrreversible,omitzero"`
	Committed         bool    `json:"committed,omitzero"`
	CommitBoundary    string  `json:"commitBoundaryId,omitzero"` // read without the blanks at its ends
}

// Sandbox is what the operator says of the component's isolation. Nod gates
// calls and contains nothing: it takes the operator's word for it.
type Sandbox struct {
	Boundary  Boundary `json:"boundary"`
	Available bool     `json:"available,omitzero"`
}

// Policy is facts that were judged. The zero Policy authorises nothing.
type Policy struct{ facts Facts }

// New judges the facts and builds the policy. An untrusted component without an
// external sandbox that is available gets none. An error is a *digest.Error.
func New(f Facts) (Policy, error) {
	switch {
	case !f.Mode.Known():
		return Policy{}, refuse(digest.CodeBadValue, "/mode", "the mode is none of active, candidate, shadow, canary")
	case f.Untrusted && !f.Sandbox.Boundary.external():
		return Policy{}, refuse(CodeSandboxRequired, "/sandbox", "an untrusted component has no external sandbox")
	case f.Untrusted && !f.Sandbox.Available:
		return Policy{}, refuse(CodeSandboxUnavailable, "/sandbox/available", "the external sandbox of an untrusted component is not available")
	case f.Sandbox != Sandbox{} && !f.Sandbox.Boundary.Known():
		return Policy{}, refuse(digest.CodeBadValue, "/sandbox/boundary", "the boundary is none of in_process, process, interpreter, microvm")
	}
	f.CommitBoundary = trim(f.CommitBoundary)
	return Policy{f}, nil
}

// document is a policy as it is written: its facts, and the word for what it is.
type document struct {
	Type string `json:"type"`
	Facts
}

// ReadPolicy reads a nod.policy/v1 document and builds its policy. A fact is
// stated as what it is: "true", 1 and null are refused.
func ReadPolicy(raw []byte) (Policy, error) {
	doc, err := digest.Canonical(raw, digest.Limits{})
	if err != nil {
		return Policy{}, err
	}
	if kind, _ := doc.Member("type"); string(kind) != `"`+TypePolicy+`"` {
		return Policy{}, refuse(digest.CodeUnknownType, "/type", "this is no policy of this version")
	}
	var f Facts
	for name, v := range doc.Members() {
		at := "/" + digest.EscapePointer(name)
		switch name {
		case "type":
		case "mode":
			err = readText(&f.Mode, at, v)
		case "untrustedComponent":
			err = readFlag(&f.Untrusted, at, v)
		case "sandbox":
			err = f.Sandbox.read(at, v)
		case "allowIrreversible":
			err = readFlag(&f.AllowIrreversible, at, v)
		case "committed":
			err = readFlag(&f.Committed, at, v)
		case "commitBoundaryId":
			err = readText(&f.CommitBoundary, at, v)
		default:
			err = refuse(digest.CodeUnknownMember, at, "a policy has no such fact")
		}
		if err != nil {
			return Policy{}, err
		}
	}
	return New(f)
}

func (s *Sandbox) read(at string, v digest.JSON) (err error) {
	if !v.IsObject() {
		return refuse(digest.CodeWrongType, at, "a sandbox is an object")
	}
	for name, m := range v.Members() {
		inside := at + "/" + digest.EscapePointer(name)
		switch name {
		case "boundary":
			err = readText(&s.Boundary, inside, m)
		case "available":
			err = readFlag(&s.Available, inside, m)
		default:
			err = refuse(digest.CodeUnknownMember, inside, "a sandbox has no such fact")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func readText[S ~string](into *S, at string, v digest.JSON) error {
	s, ok := v.Text()
	if !ok {
		return refuse(digest.CodeWrongType, at, "this fact is a text")
	}
	*into = S(s)
	return nil
}

func readFlag(into *bool, at string, v digest.JSON) error {
	if string(v) != "true" && string(v) != "false" {
		return refuse(digest.CodeWrongType, at, "this fact is true or false")
	}
	*into = string(v) == "true"
	return nil
}

// Canonical is the policy's document: one for one policy.
func (p Policy) Canonical() (digest.JSON, error) { return digest.Write(document{TypePolicy, p.facts}) }

// Facts are what the policy was built from. Changing them changes no policy.
func (p Policy) Facts() Facts { return p.facts }

// Commit is what a commit ask that an operator approved names.
type Commit struct {
	Transaction, Operation, Boundary string
}

// Under is the policy for one operation of one transaction: where the commit
// names both exactly, irreversible effects are allowed and committed up to its
// boundary; anywhere else the policy is what it was. The mode stays: a commit
// makes nothing active.
func (p Policy) Under(c Commit, transaction, operation string) Policy {
	if c.Transaction != transaction || c.Operation != operation || blank(transaction) || blank(operation) {
		return p
	}
	p.facts.AllowIrreversible, p.facts.Committed, p.facts.CommitBoundary = true, true, trim(c.Boundary)
	return p
}
