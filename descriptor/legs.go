package descriptor

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// Legs is how a tool's calls cross, as the operator writes it: a word or a list
// of words. Which words there are package boundary says; the zero Legs is not
// stated.
type Legs struct {
	Word string
	List []string // empty and not nil: none
}

// Stated reports whether the descriptor says anything of legs.
func (l *Legs) Stated() bool { return l.Word != "" || l.List != nil }

// JSON is the declaration as a boundary's roster reads it; nil for none.
func (l *Legs) JSON() []byte {
	if !l.Stated() {
		return nil
	}
	raw, err := json.Marshal(l.value())
	if err != nil { // a word that is not UTF-8 is no leg either
		return []byte("0")
	}
	return raw
}

func (l *Legs) value() any {
	if l.Word != "" {
		return l.Word
	}
	return l.List
}

const (
	wordPerCall = "per_call"
	wordEngine  = "engine"
	maxLegs     = 16
	maxLegsExpr = 4 << 10
)

func (t *Tool) crosses() bool {
	return t.Legs.Stated() || t.LegsExpr != "" || t.BoundaryFlow != ""
}

// checkLegs holds that legs, their expression and the flow fit together; the
// words of a list are the boundary's to read.
func (t *Tool) checkLegs(bad faults) *Error {
	switch {
	case t.Legs.Word != "" && t.Legs.Word != wordPerCall:
		return bad("legs", `"legs" is neither per_call nor a list of legs`, "write per_call, or a list of env, outside_read, outside_write")
	case len(t.Legs.List) > maxLegs:
		return bad("legs", `"legs" has more words than there are`, "state each leg once")
	case t.BoundaryFlow != "" && t.BoundaryFlow != wordEngine:
		return bad("boundary_flow", "the boundary flow is not engine", "leave it out, or write engine")
	case t.BoundaryFlow != "" && t.Legs.Stated():
		return bad("boundary_flow", "the tool states legs and a boundary flow", "keep one of the two")
	case (t.Legs.Word == wordPerCall) != (strings.TrimSpace(t.LegsExpr) != ""):
		return bad("legs_expr", `"legs_expr" and legs = "per_call" belong together`, "state both, or a list of legs")
	case len(t.LegsExpr) > maxLegsExpr || !utf8.ValidString(t.LegsExpr):
		return bad("legs_expr", `"legs_expr" has more than `+strconv.Itoa(maxLegsExpr)+" bytes", "shorten it")
	}
	return nil
}

// Crossing gives what a boundary's roster wants of the tool: the declaration of
// its legs, as JSON, nil for none, and the boundary flow.
func (d *Descriptor) Crossing() (declaration []byte, flow string) {
	return d.tool.Legs.JSON(), d.tool.BoundaryFlow
}

// Declaration is what the operator declares of the tool's effect, as JSON; nil for
// none. The effect policy reads it.
func (d *Descriptor) Declaration() []byte {
	if d.tool.Declaration == "" {
		return nil
	}
	return []byte(d.tool.Declaration)
}
