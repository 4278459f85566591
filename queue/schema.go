package queue

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/google/jsonschema-go/jsonschema"

	"nod/digest"
)

// maxSchema bounds the places of a schema, every reference counted as often as
// it is followed: an agent writes the schema, and the operator's process holds
// the answer against it.
const maxSchema = 2000

// compileSchema reads a question's JSON schema (draft 2020-12 or draft-07). It
// may refer to places of its own ("#/…"), not to itself, to nothing outside and
// not dynamically, so that holding an answer against it always ends.
func compileSchema(schema digest.JSON) (*jsonschema.Resolved, error) {
	var doc any
	if err := json.Unmarshal(schema, &doc); err != nil {
		return nil, err
	}
	switch doc.(type) {
	case bool, map[string]any:
	default:
		return nil, badSchema("the question's schema is neither an object nor true or false")
	}
	m := measure{root: doc, sizes: map[string]int{}}
	if _, err := m.size(doc); err != nil {
		return nil, err
	}
	s := new(jsonschema.Schema)
	if err := json.Unmarshal(schema, s); err != nil {
		return nil, badSchema("the question's schema is not a JSON schema")
	}
	r, err := s.Resolve(nil)
	if err != nil {
		return nil, badSchema("the question's schema is not a JSON schema")
	}
	return r, nil
}

func badSchema(sentence string) *Refusal {
	return refuse(CodeBadInput, "%s", sentence).hint("send a small JSON schema that refers only to its own definitions")
}

// measure counts the places of a schema with its references followed.
type measure struct {
	root  any
	sizes map[string]int // of references: -1 while being followed
}

func (m *measure) size(v any) (n int, err error) {
	n = 1
	add := func(v any) error {
		k, err := m.size(v)
		if n += k; err == nil && n > maxSchema {
			err = badSchema("the question's schema is too large")
		}
		return err
	}
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			switch name {
			case "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$id", "$anchor":
				return n, badSchema("the question's schema refers dynamically or by names")
			case "$ref":
				err = m.follow(member, &n)
			default:
				err = add(member)
			}
			if err != nil {
				return n, err
			}
		}
	case []any:
		for _, e := range v {
			if err := add(e); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// follow adds what a reference leads to.
func (m *measure) follow(ref any, n *int) error {
	name, ok := ref.(string)
	if !ok || !strings.HasPrefix(name, "#/") {
		return badSchema("the question's schema refers to itself or to something outside")
	}
	size, known := m.sizes[name]
	if !known {
		at, ok := lookUp(m.root, strings.Split(name[2:], "/"))
		if !ok {
			return badSchema("the question's schema refers to a place that it does not have")
		}
		m.sizes[name] = -1
		var err error
		if size, err = m.size(at); err != nil {
			return err
		}
		m.sizes[name] = size
	}
	if size < 0 {
		return badSchema("the question's schema refers to itself")
	}
	if *n += size; *n > maxSchema {
		return badSchema("the question's schema is too large")
	}
	return nil
}

// lookUp follows the steps of a reference through objects.
func lookUp(v any, steps []string) (any, bool) {
	for _, s := range steps {
		o, ok := v.(map[string]any)
		if !ok || strings.ContainsAny(s, "~%") {
			return nil, false
		}
		if v, ok = o[s]; !ok {
			return nil, false
		}
	}
	return v, true
}
