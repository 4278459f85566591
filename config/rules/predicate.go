package rules

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// predicate is a compiled When.
type predicate struct{ program *vm.Program }

// compile reads one predicate. It must give a truth value, name only what a
// call has, and use only what ends, stays small and has one answer.
func compile(source string) (*predicate, error) {
	program, err := program(source, expr.AsBool())
	if err != nil {
		return nil, err
	}
	return &predicate{program}, nil
}

func program(source string, as expr.Option) (*vm.Program, error) {
	g := new(guard)
	program, err := expr.Compile(source,
		expr.Env(call{}),
		as,
		expr.MaxNodes(maxNodes),
		expr.Function("keys", keys, new(func(any) []any)),
		expr.Function("values", values, new(func(any) []any)),
		expr.Function("$spend", spend, new(func(*fuel, bool) bool)),
		expr.Patch(g),
	)
	if g.err != nil {
		return nil, g.err
	}
	if err != nil {
		return nil, brief(err)
	}
	return program, nil
}

// holds evaluates p on c. c.Fuel is filled for each evaluation, so that one
// rule's cost never changes another's answer.
func (p *predicate) holds(machine *vm.VM, c *call) (bool, error) {
	out, err := run(p.program, machine, c)
	if err != nil {
		return false, err
	}
	yes, ok := out.(bool)
	if !ok {
		return false, errors.New("the predicate gave no truth value")
	}
	return yes, nil
}

func run(p *vm.Program, machine *vm.VM, c *call) (any, error) {
	c.Fuel.left = budget
	out, err := machine.Run(p, c)
	switch {
	case errors.Is(err, errBudget):
		return nil, errBudget
	case err != nil:
		return nil, brief(err)
	}
	return out, nil
}

func spend(params ...any) (any, error) {
	f, ok := params[0].(*fuel)
	whole, isBool := params[1].(bool)
	if !ok || !isBool {
		return nil, errBudget
	}
	return true, f.spend(whole)
}

// pure are the built-in functions a predicate may use: each gives one answer
// for one input and no more output than input. Left out are the clock and time
// zones, what builds text or lists out of two inputs (repeat, replace, join,
// concat, reduce), what hangs on the order of a map, what is quadratic (uniq),
// and a second JSON reader.
func pure(name string) bool {
	switch name {
	case "all", "none", "any", "one", "filter", "map", "find", "findIndex", "findLast", "findLastIndex",
		"count", "sum", "len", "type", "abs", "ceil", "floor", "round", "int", "float", "string",
		"trim", "trimPrefix", "trimSuffix", "upper", "lower", "split", "splitAfter",
		"indexOf", "lastIndexOf", "hasPrefix", "hasSuffix", "max", "min",
		"first", "last", "get", "take", "reverse", "sort":
		return true
	}
	return false
}

// guard refuses what is not pure and puts the payment into each predicate of a
// list operation. It meets the children of a node before the node.
type guard struct{ err error }

func (g *guard) Visit(at *ast.Node) {
	switch n := (*at).(type) {
	case *ast.IdentifierNode:
		if strings.HasPrefix(n.Value, "$") {
			g.refuse(n, n.Value+" is not a member of a call")
		}
	case *ast.BuiltinNode:
		g.builtin(n)
	case *ast.VariableDeclaratorNode:
		g.refuse(n, "let cannot be used in a rule")
	case *ast.BinaryNode:
		if n.Operator == "matches" {
			g.pattern(n)
		}
	case *ast.PredicateNode:
		pay := &ast.CallNode{
			Callee:    &ast.IdentifierNode{Value: "$spend"},
			Arguments: []ast.Node{&ast.IdentifierNode{Value: "$fuel"}, &ast.BoolNode{Value: readsCall(n.Node)}},
		}
		pay.SetLocation(n.Location())
		n.Node = &ast.SequenceNode{Nodes: []ast.Node{pay, n.Node}}
	}
}

func (g *guard) builtin(n *ast.BuiltinNode) {
	if !pure(n.Name) {
		g.refuse(n, n.Name+" cannot be used in a rule")
		return
	}
	// Cutting a set of characters costs text times set.
	if n.Name == "trim" && len(n.Arguments) > 1 {
		if _, ok := n.Arguments[1].(*ast.StringNode); !ok {
			g.refuse(n, "trim takes literal characters only")
		}
	}
}

// pattern allows only a literal to be matched: a caller's own pattern could
// cost as much as pattern times text.
func (g *guard) pattern(n *ast.BinaryNode) {
	s, ok := n.Right.(*ast.StringNode)
	if !ok {
		g.refuse(n, "matches takes a literal pattern only")
		return
	}
	if _, err := regexp.Compile(s.Value); err != nil {
		g.refuse(n, "the pattern of matches does not compile")
	}
}

func (g *guard) refuse(n ast.Node, sentence string) {
	if g.err == nil {
		g.err = fmt.Errorf("%s (character %d)", sentence, n.Location().From+1)
	}
}

// readsCall reports whether body looks at the call, not only at its element.
func readsCall(body ast.Node) bool {
	f := new(finder)
	ast.Walk(&body, f)
	return f.found
}

type finder struct{ found bool }

func (f *finder) Visit(at *ast.Node) {
	if n, ok := (*at).(*ast.IdentifierNode); ok && !strings.HasPrefix(n.Value, "$") && n.Value != "keys" && n.Value != "values" {
		f.found = true
	}
}

// brief takes the sentence out of an evaluator's error, without the drawing of
// the source below it.
func brief(err error) error {
	var fe *file.Error
	if errors.As(err, &fe) {
		return fmt.Errorf("%s (character %d)", fe.Message, fe.From+1)
	}
	return err
}
