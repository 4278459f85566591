package keys

import (
	"fmt"
	"strings"
)

// Map is the table, indexed for one dispatch a key.
type Map struct {
	all []Binding
	at  map[Place]map[string]int
}

// New indexes a table that Check accepts.
func New(table []Binding) (*Map, error) {
	if err := Check(table); err != nil {
		return nil, err
	}
	m := &Map{all: table, at: make(map[Place]map[string]int)}
	for i, b := range table {
		for _, p := range places() {
			if b.In&p == 0 {
				continue
			}
			if m.at[p] == nil {
				m.at[p] = make(map[string]int)
			}
			for _, k := range b.Keys {
				m.at[p][k] = i
			}
		}
	}
	return m, nil
}

// Find gives what key means in a place.
func (m *Map) Find(in Place, key string) (Binding, bool) {
	i, ok := m.at[in][key]
	if !ok {
		return Binding{}, false
	}
	return m.all[i], true
}

// Shown is the key of an intent in a place as the screen writes it, for the
// sentences that name one; "" where it has none.
func (m *Map) Shown(in Place, intent Intent) string {
	return Show(m.Key(in, intent))
}

// Key is the first key of an intent in a place, as tea.Key.String writes it; ""
// where it has none.
func (m *Map) Key(in Place, intent Intent) string {
	for _, b := range m.all {
		if b.In&in != 0 && b.Intent == intent {
			return b.Keys[0]
		}
	}
	return ""
}

// In gives the bindings of a place in the table's order.
func (m *Map) In(in Place) []Binding {
	var out []Binding
	for _, b := range m.all {
		if b.In&in != 0 {
			out = append(out, b)
		}
	}
	return out
}

// Check refuses a table in which a key means two things in one place, or in
// which a key that is pressed without thought decides.
func Check(table []Binding) error {
	seen := make(map[Place]map[string]string)
	for _, b := range table {
		if len(b.Keys) == 0 || b.Shown == "" || b.Verb == "" || b.Does == "" || b.Intent == None {
			return fmt.Errorf("binding %q is not whole", b.Verb)
		}
		for _, k := range b.Keys {
			if b.Intent.Decides() && !mayDecide(k) {
				return fmt.Errorf("key %q may not be bound to %q: it never decides", k, b.Verb)
			}
			for _, p := range places() {
				if b.In&p == 0 {
					continue
				}
				if seen[p] == nil {
					seen[p] = make(map[string]string)
				}
				if other, ok := seen[p][k]; ok {
					return fmt.Errorf("key %q is both %q and %q in one place", k, other, b.Verb)
				}
				seen[p][k] = b.Verb
			}
		}
	}
	return nil
}

// mayDecide reports whether a key is a plain printable ASCII character and
// not one of the keys that move, open or close. A chord never decides either:
// terminals write some of them like other keys (Ctrl+M is Enter).
func mayDecide(key string) bool {
	return len(key) == 1 && key[0] > ' ' && key[0] < 0x7F && !strings.Contains("jkhlJKgGq/:?", key)
}

func places() []Place {
	return []Place{Inbox, Detail, History, Help, Replay, Confirm, Line, Sessions, Stats, Batch, Editor, Form, Choose, Effects, Desk}
}

// Label is the verb, with "…" when something more is asked before it counts.
func (b Binding) Label() string {
	if b.More {
		return b.Verb + "…"
	}
	return b.Verb
}

// Key is the first of the binding's keys, as the screen writes it.
func (b Binding) Key() string { return strings.Fields(b.Shown)[0] }
