package rules

import (
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"nod/digest"
)

// Value is an expression over a call that gives any value: the language of When
// without its truth value. It is safe for concurrent use.
type Value struct{ program *vm.Program }

// CompileValue reads an expression; it may use what a When may.
func CompileValue(source string) (*Value, error) {
	p, err := program(source, expr.AsAny())
	if err != nil {
		return nil, err
	}
	return &Value{p}, nil
}

// Of evaluates v on a call, which has passed digest's checks.
func (v *Value) Of(a *digest.Action) (any, error) {
	c, err := newCall(a)
	if err != nil {
		return nil, err
	}
	return run(v.program, new(vm.VM), c)
}
