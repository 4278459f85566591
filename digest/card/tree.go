package card

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/digest/visible"
)

// node is a JSON value while its lines are read.
type node struct {
	kind  nodeKind
	name  string // as a member of an object
	text  []byte // of a scalar or an empty container: JSON
	items []*node
}

type nodeKind uint8

const (
	nothing nodeKind = iota
	scalar
	array
	object
)

// json files the text of one line at a pointer of a value.
func (r *reader) json(root *node, pointer, text string) bool {
	at := root
	for pointer != "" {
		if pointer[0] != '/' {
			return false
		}
		step, rest := pointer[1:], ""
		if i := strings.IndexByte(step, '/'); i >= 0 {
			step, rest = step[:i], step[i:]
		}
		if at = at.child(unescape(step)); at == nil {
			return false
		}
		pointer = rest
	}
	return at.kind == nothing && r.fill(at, text)
}

// child returns the element or member that is being read, or a new one.
func (n *node) child(name string) *node {
	switch n.kind {
	case scalar:
		return nil
	case nothing:
		n.kind = object
	}
	if k := len(n.items); k > 0 && n.items[k-1].name == name {
		return n.items[k-1]
	}
	c := &node{name: name}
	n.items = append(n.items, c)
	return c
}

// fill sets the value that a line shows.
func (r *reader) fill(n *node, text string) bool {
	switch {
	case strings.HasPrefix(text, listOf):
		n.kind = array
		return true
	case text == "{}", text == "[]", isBare(text):
		n.kind, n.text = scalar, []byte(text)
		return true
	}
	s, ok := r.text(visible.Value, text)
	if !ok {
		return false
	}
	quoted, err := jsontext.AppendQuote(nil, s)
	n.kind, n.text = scalar, quoted
	return err == nil
}

// json returns the canonical bytes of the value.
func (n *node) json() (digest.JSON, bool) {
	out, err := digest.Canonical(n.append(nil, 0), digest.NoLimits())
	return out, err == nil
}

// append writes the value as JSON; one that is too deep is written as nothing,
// which is no JSON.
func (n *node) append(dst []byte, depth int) []byte {
	if depth > maxDepth {
		return nil
	}
	switch n.kind {
	case scalar:
		return append(dst, n.text...)
	case array, object:
		open, shut := byte('['), byte(']')
		if n.kind == object {
			open, shut = '{', '}'
		}
		dst = append(dst, open)
		for i, c := range n.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			if n.kind == object {
				dst, _ = jsontext.AppendQuote(dst, c.name) // undrawn text is valid UTF-8
				dst = append(dst, ':')
			}
			dst = c.append(dst, depth+1)
		}
		return append(dst, shut)
	}
	return dst
}

// item files one line of a list of free strings.
func (r *reader) item(list *[]string, pointer, text string) bool {
	if pointer == "" {
		return true // the length, which follows from the rest
	}
	s, ok := r.text(visible.Value, text)
	*list = append(*list, s)
	return ok
}

// operand files one line of the operands.
func (p *parser) operand(pointer, text string) bool {
	list := &p.action.Operands
	switch {
	case pointer == "":
		return true
	case strings.HasSuffix(pointer, "/name"):
		*list = append(*list, digest.Operand{})
		return p.set(&(*list)[len(*list)-1].Name, visible.Name, text)
	case len(*list) > 0:
		(*list)[len(*list)-1].Digest = digest.Digest(text)
		return true
	}
	return false
}

// unescape undoes digest.EscapePointer; what it does not make is found when the
// card is rendered again.
func unescape(step string) string {
	if !strings.Contains(step, "~") {
		return step
	}
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
}

func sortVars(vars []digest.Var) {
	slices.SortStableFunc(vars, func(a, b digest.Var) int { return digest.Compare(a.Name, b.Name) })
}
