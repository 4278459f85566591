package form

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"nod/digest"
)

// Bounds of what a form shows. A schema beyond them is answered as JSON.
const (
	maxFields = 64
	maxRefs   = 4 // references followed one after another
)

// node is a schema that is an object, by its members.
type node map[string]jsontext.Value

// read makes the fields of a schema; false when it has anything that a form
// cannot show or that cannot be answered.
func (f *Form) read(schema jsontext.Value) bool {
	doc, err := digest.Canonical(schema, digest.Limits{})
	if err != nil {
		return false
	}
	root, ok := object(jsontext.Value(doc))
	if !ok || !knownDraft(root) {
		return false
	}
	if f.whole, ok = compile(jsontext.Value(doc)); !ok {
		return false
	}
	top, ok := follow(root, root)
	if !ok {
		return false
	}
	if top.word("type") == "object" {
		f.object = true
		return f.members(root, top, -1) && len(f.entries) > 0
	}
	e, ok := leaf(root, top)
	if !ok {
		return false
	}
	e.group, e.required = -1, true
	f.entries = []*entry{e}
	return true
}

// members reads the properties of an object, in the order of its canonical
// bytes; group is the one that they belong to, -1 for the answer itself.
func (f *Form) members(root, n node, group int) bool {
	if !n.only("type", "properties", "required", "additionalProperties", "minProperties", "maxProperties", "$schema", "$defs", "definitions") {
		return false
	}
	if more, set := n["additionalProperties"]; set && more.Kind() != 't' && more.Kind() != 'f' {
		return false
	}
	properties, ok := object(n["properties"])
	required, good := n.words("required")
	if !ok || !good {
		return false
	}
	for _, name := range required {
		if _, has := properties[name]; !has {
			return false
		}
	}
	for _, name := range sorted(properties) {
		sub, ok := object(properties[name])
		if !ok {
			return false
		}
		if !slices.Contains(required, name) {
			sub = sub.withoutNull()
		}
		if sub, ok = follow(root, sub); !ok {
			return false
		}
		if sub.word("type") == "object" && group < 0 {
			f.groups = append(f.groups, head{name: name, title: sub.word("title"), about: sub.word("description"), required: slices.Contains(required, name)})
			before := len(f.entries)
			if !f.members(root, sub, len(f.groups)-1) || len(f.entries) == before {
				return false
			}
			continue
		}
		e, ok := leaf(root, sub)
		if !ok {
			return false
		}
		e.name, e.group, e.required = name, group, slices.Contains(required, name)
		if f.entries = append(f.entries, e); len(f.entries) > maxFields {
			return false
		}
	}
	return true
}

// follow replaces a schema that only refers to a definition of the root by
// that definition, under the title and description of its own.
func follow(root, n node) (node, bool) {
	for range maxRefs {
		ref, refers := n["$ref"]
		if !refers {
			return n, true
		}
		if !n.only("$ref", "$schema", "$defs", "definitions") {
			return nil, false
		}
		defs, name, _ := strings.Cut(strings.TrimPrefix(text(ref), "#/"), "/")
		if defs != "$defs" && defs != "definitions" || strings.ContainsAny(name, "~%/") {
			return nil, false
		}
		all, ok := object(root[defs])
		if !ok {
			return nil, false
		}
		target, ok := object(all[name])
		if !ok {
			return nil, false
		}
		out := node{}
		for k, v := range target {
			out[k] = v
		}
		for _, k := range []string{"title", "description", "default"} {
			if v, own := n[k]; own {
				out[k] = v
			}
		}
		n = out
	}
	return nil, false
}

// withoutNull gives a schema that may also be null without that, for a member
// that can be left out instead: the form has no null.
func (n node) withoutNull() node {
	if types, ok := n.words("type"); ok && len(types) == 2 && slices.Contains(types, "null") {
		one := types[0]
		if one == "null" {
			one = types[1]
		}
		out := n.without("type")
		out["type"] = jsontext.Value(quote(one))
		return out
	}
	either, ok := list(n["anyOf"])
	if !ok || len(either) != 2 || !n.only("anyOf") {
		return n
	}
	for i, v := range either {
		null, _ := object(v)
		other, ok := object(either[1-i])
		if null.word("type") != "null" || len(null) != 1 || !ok {
			continue
		}
		out := other.without()
		for k, v := range n.without("anyOf") {
			out[k] = v
		}
		return out
	}
	return n
}

// only reports whether n has no member but notes and the named ones.
func (n node) only(names ...string) bool {
	for name := range n {
		switch name {
		case "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment":
			continue
		}
		if !slices.Contains(names, name) {
			return false
		}
	}
	return true
}

// word is the member's string, "" when it has none.
func (n node) word(name string) string { return text(n[name]) }

// words is the member's list of strings; false when it is something else.
func (n node) words(name string) (list []string, ok bool) {
	v, set := n[name]
	if !set {
		return nil, true
	}
	return list, json.Unmarshal(v, &list) == nil
}

// knownDraft reports whether the validator knows the schema's version.
func knownDraft(n node) bool {
	v, set := n["$schema"]
	if !set {
		return true
	}
	switch text(v) {
	case "https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-07/schema":
		return true
	}
	return false
}

func text(v jsontext.Value) string {
	var s string
	if v.Kind() != '"' || json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}

func object(v jsontext.Value) (n node, ok bool) {
	if v.Kind() != '{' {
		return nil, false
	}
	return n, json.Unmarshal(v, &n) == nil
}

func list(v jsontext.Value) (l []jsontext.Value, ok bool) {
	if v.Kind() != '[' {
		return nil, false
	}
	return l, json.Unmarshal(v, &l) == nil
}

func sorted(n node) []string {
	names := make([]string, 0, len(n))
	for name := range n {
		names = append(names, name)
	}
	slices.SortFunc(names, digest.Compare)
	return names
}

// compile makes the validator of a schema, as the queue does.
func compile(schema jsontext.Value) (*jsonschema.Resolved, bool) {
	s := new(jsonschema.Schema)
	if json.Unmarshal(schema, s) != nil {
		return nil, false
	}
	r, err := s.Resolve(nil)
	return r, err == nil
}

// compileNode is compile for a schema whose references were followed.
func compileNode(n node) (*jsonschema.Resolved, bool) {
	raw, err := n.marshal()
	if err != nil {
		return nil, false
	}
	return compile(raw)
}

func (n node) marshal() (jsontext.Value, error) {
	return json.Marshal(map[string]jsontext.Value(n), json.Deterministic(true))
}

// meets asks the validator.
func meets(r *jsonschema.Resolved, value jsontext.Value) bool {
	var v any
	return json.Unmarshal(value, &v) == nil && r.Validate(v) == nil
}
