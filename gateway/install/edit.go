package install

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// was is what an installation found, so that it can be put back.
type was struct {
	Created  []string           `json:"created,omitempty"`  // pointers to containers that it made
	Replaced map[string]members `json:"replaced,omitempty"` // settings it changed, by pointer
}

// members is a member's earlier text; absent when there was none.
type members struct {
	Value jsontext.Value `json:"value,omitzero"`
}

// add gives the text of the settings with the gate in it.
func (c Claude) add(text []byte) ([]byte, was, error) {
	w := was{Replaced: map[string]members{}}
	root, err := object(text)
	if err != nil {
		return nil, w, err
	}
	for _, s := range c.settings() {
		if text, err = w.set(text, s); err != nil {
			return nil, w, err
		}
	}
	for _, event := range eventsOf(root) {
		if slices.ContainsFunc(c.wants(), func(x want) bool { return x.event == event }) {
			continue
		}
		if text, err = drop(text, event, nil); err != nil { // a hook that an older version put there
			return nil, w, err
		}
	}
	for _, x := range c.wants() {
		if text, err = drop(text, x.event, x.group); err != nil {
			return nil, w, err
		}
		if text, err = w.append(text, x); err != nil {
			return nil, w, err
		}
	}
	if root, err = object(text); err != nil {
		return nil, w, err
	}
	if pointer := oddType(text, root); pointer != "" {
		return nil, w, ignored(pointer)
	}
	return text, w, nil
}

// object parses a text whose root must be an object.
func object(text []byte) (*node, error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	if root.kind != '{' {
		return nil, shape("the settings are not a JSON object")
	}
	return root, nil
}

func shape(sentence string) error {
	return &Error{Code: CodeShape, Sentence: sentence, Hint: "mend the file as the host's manual describes it, and try again"}
}

// ignored refuses settings that the host would leave out, and the gate in them.
func ignored(pointer string) error {
	return &Error{
		Code: CodeIgnored, Sentence: "the host would leave the whole file out, and the gate in it: the member " + pointer + " is not what it reads there",
		Hint: "mend that member as the host's manual describes it, and try again",
	}
}

func eventsOf(root *node) []string {
	var out []string
	if hooks := root.get("hooks"); hooks != nil {
		for _, m := range hooks.members {
			out = append(out, m.name)
		}
	}
	return out
}

// set gives a member its value, or a list its element, and remembers what was
// there.
func (w *was) set(text []byte, s setting) ([]byte, error) {
	if s.among {
		return w.include(text, s)
	}
	text, parent, err := w.container(text, s.path[:len(s.path)-1], '{')
	if err != nil {
		return nil, err
	}
	pointer, name := pointerTo(s.path), s.path[len(s.path)-1]
	old := parent.get(name)
	switch {
	case old == nil:
		w.Replaced[pointer] = members{}
		return insert(text, parent, name, s.value), nil
	case same(old.raw(text), s.value):
		return text, nil
	default:
		w.Replaced[pointer] = members{old.raw(text).Clone()}
		return replaceValue(text, old, s.value), nil
	}
}

func (w *was) include(text []byte, s setting) ([]byte, error) {
	text, list, err := w.container(text, s.path, '[')
	if err != nil || find(text, list, s.value) >= 0 {
		return text, err
	}
	w.Replaced[pointerTo(s.path)] = members{}
	return insert(text, list, "", s.value), nil
}

// find is the index of an element that equals value; -1 without one.
func find(text []byte, list *node, value jsontext.Value) int {
	return slices.IndexFunc(list.elements, func(e *node) bool { return same(e.raw(text), value) })
}

// append adds an event's group unless an equal one is there.
func (w *was) append(text []byte, x want) ([]byte, error) {
	text, list, err := w.container(text, []string{"hooks", x.event}, '[')
	if err != nil {
		return nil, err
	}
	if find(text, list, x.group) >= 0 {
		return text, nil
	}
	return insert(text, list, "", x.group), nil
}

// container finds the container at path, making it and those above it.
func (w *was) container(text []byte, path []string, kind jsontext.Kind) ([]byte, *node, error) {
	for depth := 0; ; depth++ {
		root, err := object(text)
		if err != nil {
			return nil, nil, err
		}
		n := root.at(path[:depth]...)
		k := jsontext.Kind('{')
		if depth == len(path) {
			k = kind
		}
		if n.kind != k {
			return nil, nil, ignored(pointerTo(path[:depth]))
		}
		if depth == len(path) {
			return text, n, nil
		}
		if n.get(path[depth]) != nil {
			continue
		}
		empty := jsontext.Value("{}")
		if depth == len(path)-1 && kind == '[' {
			empty = jsontext.Value("[]")
		}
		text = insert(text, n, path[depth], empty)
		w.Created = append(w.Created, pointerTo(path[:depth+1]))
	}
}

// drop takes our handlers out of an event's groups, with a group that holds
// nothing else, except one group that equals keep.
func drop(text []byte, event string, keep jsontext.Value) ([]byte, error) {
	for {
		root, err := object(text)
		if err != nil {
			return nil, err
		}
		next := dropOne(text, root.at("hooks", event), keep)
		if next == nil {
			return text, nil
		}
		text = next
	}
}

// dropOne takes out the first handler of ours; nil when there is none left.
func dropOne(text []byte, list *node, keep jsontext.Value) []byte {
	if list == nil {
		return nil
	}
	kept := false
	for i, g := range list.elements {
		if keep != nil && !kept && same(g.raw(text), keep) {
			kept = true // one stays, its copies go
			continue
		}
		hooks := g.get("hooks")
		if hooks == nil {
			continue
		}
		for j, h := range hooks.elements {
			if !ours(text, h) {
				continue
			}
			if len(hooks.elements) == 1 {
				return removeElement(text, list, i)
			}
			return removeElement(text, hooks, j)
		}
	}
	return nil
}

// ours reports whether a handler runs nod's hook.
func ours(text []byte, h *node) bool { return isOurs(h.get("command").string(text)) }

// gated reports whether a text has a handler of ours anywhere.
func gated(text []byte) bool {
	root, err := object(text)
	if err != nil {
		return false
	}
	hooks := root.get("hooks")
	return hooks != nil && slices.ContainsFunc(hooks.members, func(m member) bool {
		return dropOne(text, m.value, nil) != nil
	})
}

// remove gives the text of the settings without the gate; what w remembers is
// put back where nobody has changed it since.
func (c Claude) remove(text []byte, w was) ([]byte, error) {
	root, err := object(text)
	if err != nil {
		return nil, err
	}
	for _, event := range eventsOf(root) {
		if text, err = drop(text, event, nil); err != nil {
			return nil, err
		}
	}
	for _, s := range c.settings() {
		if before, known := w.Replaced[pointerTo(s.path)]; known {
			if text, err = unset(text, s, before); err != nil {
				return nil, err
			}
		}
	}
	for _, pointer := range slices.Backward(w.Created) {
		if text, err = prune(text, strings.Split(pointer, "/")[1:]); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// left names the members of a text that are as an installation sets them.
func (c Claude) left(text []byte) ([]string, error) {
	root, err := object(text)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, s := range c.settings() {
		if n := root.at(s.path...); n != nil && (s.among && find(text, n, s.value) >= 0 || !s.among && same(n.raw(text), s.value)) {
			out = append(out, pointerTo(s.path))
		}
	}
	return out, nil
}

// unset puts back what was there before set, unless it was changed since: then
// it is the owner's.
func unset(text []byte, s setting, before members) ([]byte, error) {
	root, err := object(text)
	if err != nil {
		return nil, err
	}
	now := root.at(s.path...)
	switch {
	case now == nil:
		return text, nil
	case s.among:
		if i := find(text, now, s.value); i >= 0 {
			return removeElement(text, now, i), nil
		}
		return text, nil
	case !same(now.raw(text), s.value):
		return text, nil
	case len(before.Value) > 0:
		return replaceValue(text, now, before.Value), nil
	}
	return removeNamed(text, root.at(s.path[:len(s.path)-1]...), s.path[len(s.path)-1]), nil
}

func removeNamed(text []byte, parent *node, name string) []byte {
	return removeMember(text, parent, slices.IndexFunc(parent.members, func(m member) bool { return m.name == name }))
}

// prune removes a container that is empty.
func prune(text []byte, path []string) ([]byte, error) {
	root, err := object(text)
	if err != nil {
		return nil, err
	}
	n, parent := root.at(path...), root.at(path[:len(path)-1]...)
	if n == nil || len(n.members) > 0 || len(n.elements) > 0 || n.kind != '{' && n.kind != '[' {
		return text, nil
	}
	return removeNamed(text, parent, path[len(path)-1]), nil
}

// same compares two values as values.
func same(a, b jsontext.Value) bool {
	x, _, errX := digest.Lift(a, digest.NoLimits())
	y, _, errY := digest.Lift(b, digest.NoLimits())
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// pointerTo names a member; the names used here need no escape.
func pointerTo(path []string) string {
	if len(path) == 0 {
		return ""
	}
	return "/" + strings.Join(path, "/")
}
