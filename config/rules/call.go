package rules

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"

	"nod/digest"
)

// call is what a predicate sees: the action, named as in nod.action/v1 where
// it has a name there. A text that is not stated is "", a list or map empty.
type call struct {
	Tool        string            `expr:"tool"`
	Operation   string            `expr:"operation"`
	Args        any               `expr:"args"` // JSON: numbers are float64
	Cwd         string            `expr:"cwd"`
	Vars        map[string]string `expr:"vars"`
	Environment string            `expr:"environment"`
	Machine     string            `expr:"machine"`
	Agent       string            `expr:"agent"`
	User        string            `expr:"user"`
	Host        string            `expr:"host"`
	Effect      effect            `expr:"effect"`
	Operands    []operand         `expr:"operands"`
	Fuel        *fuel             `expr:"$fuel"` // no predicate can name it
}

type effect struct {
	Key    []any  `expr:"key"`
	Class  string `expr:"class"`
	Access string `expr:"access"`
}

type operand struct {
	Name   string `expr:"name"`
	Digest string `expr:"digest"`
}

// newCall reads a into what predicates see. a has passed digest.Canonical, so
// its JSON is strict and every number in it is exact as a double.
func newCall(a *digest.Action) (*call, error) {
	c := &call{
		Tool: a.Tool, Operation: a.Operation, Cwd: a.Environment.Cwd,
		Environment: a.Environment.Name, Machine: a.Environment.Machine,
		Agent: a.Principal.Agent, User: a.Principal.User, Host: a.Principal.Host,
		Fuel: new(fuel),
	}
	size := len(a.Tool) + len(a.Operation) + len(a.Arguments) + len(c.Cwd) + len(c.Environment) +
		len(c.Machine) + len(c.Agent) + len(c.User) + len(c.Host)
	if err := json.Unmarshal(a.Arguments, &c.Args); err != nil {
		return nil, fmt.Errorf("read the arguments: %w", err)
	}
	if len(a.Environment.Vars) > 0 {
		c.Vars = make(map[string]string, len(a.Environment.Vars))
		for _, v := range a.Environment.Vars {
			c.Vars[v.Name] = v.Value
			size += len(v.Name) + len(v.Value)
		}
	}
	if e := a.Effect; e != nil {
		c.Effect.Class, c.Effect.Access = e.Class, e.Access
		if len(e.Key) > 0 {
			if err := json.Unmarshal(e.Key, &c.Effect.Key); err != nil {
				return nil, fmt.Errorf("read the effect key: %w", err)
			}
			size += len(e.Key)
		}
	}
	for _, o := range a.Operands {
		c.Operands = append(c.Operands, operand{o.Name, string(o.Digest)})
		size += len(o.Name) + len(o.Digest)
	}
	c.Fuel.size = int64(size)
	return c, nil
}

// fuel bounds what one evaluation may cost. Each turn of a list operation pays
// turnCost; where its body looks at the call again and not only at the
// element, it pays for the size of the call too. So time and memory stay
// within a constant times the budget, whatever a caller sends.
type fuel struct {
	size int64 // bytes of the call
	left int64
}

const (
	budget   = 64 << 20
	turnCost = 128
)

var errBudget = errors.New("the call is too large for this predicate")

func (f *fuel) spend(whole bool) error {
	f.left -= turnCost
	if whole {
		f.left -= f.size
	}
	if f.left < 0 {
		return errBudget
	}
	return nil
}

// keys gives a map's names in order, so that no ruling hangs on Go's random
// order of maps.
func keys(params ...any) (any, error) {
	if len(params) != 1 {
		return nil, errors.New("keys takes one object")
	}
	names, _, err := sorted(params[0])
	return names, err
}

// values gives a map's values in the order of keys.
func values(params ...any) (any, error) {
	if len(params) != 1 {
		return nil, errors.New("values takes one object")
	}
	_, values, err := sorted(params[0])
	return values, err
}

func sorted(of any) (names, values []any, err error) {
	m := reflect.ValueOf(of)
	if m.Kind() != reflect.Map || m.Type().Key().Kind() != reflect.String {
		return nil, nil, errors.New("keys and values take an object")
	}
	order := make([]string, 0, m.Len())
	for _, k := range m.MapKeys() {
		order = append(order, k.String())
	}
	slices.Sort(order)
	for _, k := range order {
		names = append(names, k)
		values = append(values, m.MapIndex(reflect.ValueOf(k)).Interface())
	}
	return names, values, nil
}
