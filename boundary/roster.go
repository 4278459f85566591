package boundary

import (
	"slices"

	"nod/digest"
)

// PerCallWord declares that a tool's legs depend on the call.
const PerCallWord = "per_call"

// SourceBuiltin is the source of an operator's own text about a tool.
const SourceBuiltin = "builtin"

// FlowEngine is the boundary flow of a tool that the engine itself walks: it has
// no legs.
const FlowEngine = "engine"

// Row is one tool as the roster has it.
type Row struct {
	Source      string // builtin synthetic mcp a2a use the declaration; others are words of hosts
	Declaration []byte // JSON; nil: none
	Flow        string // the descriptor's boundary_flow: engine, or nothing
	Access      string // read write idempotent; anything else counts as write
}

// Crossing is how a tool's calls cross.
type Crossing struct {
	PerCall bool // an expression over the arguments says it, and PerCall checks that
	Legs    Legs
}

// Crossing gives the legs of a tool's calls. A declaration that is neither
// per_call nor a list of legs refuses the row whatever its source; on an error,
// a *digest.Error, the legs are every leg.
func (r Row) Crossing() (Crossing, error) {
	declared, err := readDeclaration(r.Declaration)
	if err != nil {
		return Crossing{Legs: EveryLeg()}, err
	}
	switch {
	case r.Flow != "" && r.Flow != FlowEngine:
		return Crossing{Legs: EveryLeg()}, fail(CodeBadDeclaration, "/boundary_flow", "the boundary flow is not engine", "leave it out, or write engine")
	case r.Flow != "" && declared != nil:
		return Crossing{Legs: EveryLeg()}, fail(CodeBadDeclaration, "/boundary_flow", "the tool states legs and a boundary flow", "keep one of the two")
	case !slices.Contains([]string{SourceBuiltin, "synthetic", "mcp", "a2a"}, r.Source):
	case r.Flow == FlowEngine:
		return Crossing{}, nil
	case declared != nil:
		return *declared, nil
	}
	return Crossing{Legs: byAccess(r.Access)}, nil
}

// readDeclaration gives nil where none is stated.
func readDeclaration(raw []byte) (*Crossing, error) {
	if raw == nil {
		return nil, nil
	}
	bad := func(pointer string) error {
		return fail(CodeBadDeclaration, "/legs"+pointer, "the declaration is neither per_call nor a list of legs",
			"write per_call, or a list of env, outside_read, outside_write")
	}
	v, err := digest.Canonical(raw, digest.Limits{})
	if err != nil {
		return nil, bad("")
	}
	if word, is := v.Text(); is && word == PerCallWord {
		return &Crossing{PerCall: true}, nil
	}
	if !v.IsArray() {
		return nil, bad("")
	}
	l, err := readLegs(v)
	if e, ok := err.(*digest.Error); ok { //nolint:errorlint // made in this package, never wrapped
		return nil, bad(e.Pointer)
	}
	return &Crossing{Legs: l}, nil
}

func byAccess(access string) Legs {
	if access == digest.AccessRead {
		return Legs{OutsideRead: true}
	}
	return Legs{OutsideWrite: true}
}
