package client

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/queue"
)

// Replace puts what will run into the complete action that the queue gave:
// tool, arguments, working directory, variables and operands become call's;
// what the queue knows of the connection and resolved stays.
func Replace(complete jsontext.Value, call *queue.Call) (jsontext.Value, error) {
	a, err := digest.ParseAction(complete, digest.NoLimits())
	if err != nil {
		return nil, fmt.Errorf("read the approved action: %w", err)
	}
	args, err := digest.Canonical(call.Arguments, digest.NoLimits())
	if err != nil {
		return nil, fmt.Errorf("read the arguments that will run: %w", err)
	}
	a.Tool, a.Operation, a.Arguments = call.Tool, call.Operation, args
	a.Lifted = slices.SortedFunc(slices.Values(call.Lifted), digest.Compare)
	a.Environment.Cwd, a.Environment.Vars = call.Cwd, nil
	for _, name := range slices.SortedFunc(maps.Keys(call.Vars), digest.Compare) {
		a.Environment.Vars = append(a.Environment.Vars, digest.Var{Name: name, Value: call.Vars[name]})
	}
	a.Operands = nil
	for _, o := range call.Operands {
		a.Operands = append(a.Operands, digest.Operand{Name: o.Name, Digest: o.Digest})
	}
	slices.SortFunc(a.Operands, func(x, y digest.Operand) int { return digest.Compare(x.Name, y.Name) })
	doc, err := a.Canonical()
	if err != nil {
		return nil, fmt.Errorf("write the action that will run: %w", err)
	}
	return jsontext.Value(doc), nil
}
