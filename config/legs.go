package config

import (
	"errors"
	"strconv"

	"nod/boundary"
	"nod/config/rules"
	"nod/descriptor"
	"nod/digest"
	"nod/policy"
	"nod/queue"
)

// perCall holds the compiled legs_expr of tools, by their names.
type perCall map[string]*rules.Value

var _ queue.PerCall = perCall(nil)

// errNoExpr is told of a tool without an expression; its calls have every leg.
var errNoExpr = errors.New("no expression says the legs of this tool's calls")

// Legs implements queue.PerCall.
func (p perCall) Legs(a *digest.Action) (any, error) {
	e := p[a.Tool]
	if e == nil {
		return nil, errNoExpr
	}
	return e.Of(a)
}

// crossings holds the legs of each tool against the words of a boundary, and
// compiles its expression. The error is a *descriptor.Error.
func crossings(tools []descriptor.Tool) (perCall, error) {
	out := perCall{}
	for i := range tools {
		t := &tools[i]
		fault := func(member, sentence, hint string) *descriptor.Error {
			return &descriptor.Error{Steps: []string{strconv.Itoa(i), member}, Sentence: sentence, Hint: hint}
		}
		if _, err := (boundary.Row{Source: boundary.SourceBuiltin, Declaration: t.Legs.JSON(), Flow: t.BoundaryFlow, Access: t.Access}).Crossing(); err != nil {
			return nil, fault("legs", `"legs" is neither per_call nor a list of legs`, "write per_call, or a list of env, outside_read, outside_write")
		}
		if t.Declaration != "" {
			if err := declared(t, fault); err != nil {
				return nil, err
			}
		}
		if t.LegsExpr == "" {
			continue
		}
		e, err := rules.CompileValue(t.LegsExpr)
		if err != nil {
			return nil, fault("legs_expr", err.Error(), "docs/configuration.md lists what an expression may use")
		}
		out[t.Name] = e
	}
	return out, nil
}

// declared holds what a descriptor declares of its tool's effect: misspelled, it
// would refuse every call of it.
func declared(t *descriptor.Tool, fault func(member, sentence, hint string) *descriptor.Error) error {
	d, err := policy.ReadDeclaration([]byte(t.Declaration))
	if err != nil {
		hint := "docs/spec/policy.md §2 says what each class needs"
		if e, ok := errors.AsType[*digest.Error](err); ok {
			hint = e.Sentence + "; " + hint
		}
		return fault("declaration", `"declaration" declares no effect class with its metadata`, hint)
	}
	if class, _ := descriptor.Stricter(t.Class, "", d.Class, ""); class != d.Class {
		return fault("declaration", `"declaration" is of a looser class than "class"`, "declare the class that the tool has")
	}
	return nil
}
