package queue

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/google/jsonschema-go/jsonschema"

	"nod/digest"
)

// Bounds of a question's schema. An agent writes it, and the operator's process
// holds the answer against it.
const (
	maxSchema   = 2000    // places, each reference counted as often as it is followed
	maxPatterns = 4 << 10 // bytes of regular expressions
)

// What a member of a schema holds.
const (
	isData    = iota + 1 // a value, taken as it is
	isSchema             // a schema
	isSchemas            // a list of schemas
	isNamed              // an object of schemas, or of lists of names
	isItems              // a schema or a list of schemas
	isRef                // "#/…"
	isPattern            // a regular expression
)

// keyword gives what a schema's member holds (drafts 2020-12 and 07); 0 for a
// word that is none, or that is refused because it refers by name or
// dynamically.
func keyword(name string) int {
	switch name {
	case "type", "enum", "const", "multipleOf", "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "maxLength",
		"minLength", "maxItems", "minItems", "uniqueItems", "maxContains", "minContains", "maxProperties", "minProperties",
		"required", "dependentRequired", "title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples",
		"format", "$schema", "$comment":
		return isData
	case "not", "if", "then", "else", "additionalItems", "contains", "propertyNames", "additionalProperties",
		"unevaluatedItems", "unevaluatedProperties":
		return isSchema
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return isSchemas
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
		return isNamed
	case "items":
		return isItems
	case "$ref":
		return isRef
	case "pattern":
		return isPattern
	}
	return 0
}

// compileSchema reads a question's JSON schema (draft 2020-12 or draft-07). It
// may refer to places of its own ("#/…"), not to itself, to nothing outside and
// not dynamically, so that holding an answer against it always ends. Every
// member must be known by exactly its name: the validator matches names without
// case, and another case must not mean what the card does not say.
func compileSchema(schema digest.JSON) (*jsonschema.Resolved, error) {
	var doc any
	if err := json.Unmarshal(schema, &doc); err != nil {
		return nil, err
	}
	m := measure{root: doc, sizes: map[string]int{}}
	if _, err := m.schema(doc); err != nil {
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
	root     any
	sizes    map[string]int // of references: -1 while being followed
	patterns int            // bytes
	weight   weight         // of the patterns
}

// schema counts the places of one schema.
func (m *measure) schema(v any) (n int, err error) {
	o, ok := v.(map[string]any)
	if _, yesNo := v.(bool); yesNo {
		return 1, nil
	}
	if !ok {
		return 0, badSchema("a schema is neither an object nor true or false")
	}
	n = 1
	for name, member := range o {
		k, err := m.member(name, member)
		if n += k; err != nil {
			return n, err
		}
		if n > maxSchema {
			return n, badSchema("the question's schema is too large")
		}
	}
	return n, nil
}

func (m *measure) member(name string, v any) (int, error) {
	switch keyword(name) {
	case isData:
		return m.data(v)
	case isSchema:
		return m.schema(v)
	case isSchemas:
		return m.list(v)
	case isItems:
		if _, many := v.([]any); many {
			return m.list(v)
		}
		return m.schema(v)
	case isNamed:
		return m.named(name, v)
	case isRef:
		return m.follow(v)
	case isPattern:
		return 1, m.pattern(v)
	}
	return 0, badSchema("the question's schema has a member that Nod does not know by exactly this name, or that refers by name or dynamically")
}

// data counts the values inside a value, which the validator may compare.
func (m *measure) data(v any) (n int, err error) {
	n = 1
	add := func(v any) error {
		k, err := m.data(v)
		if n += k; err == nil && n > maxSchema {
			err = badSchema("the question's schema is too large")
		}
		return err
	}
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if err := add(e); err != nil {
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

func (m *measure) list(v any) (n int, err error) {
	list, ok := v.([]any)
	if !ok {
		return 0, badSchema("a member of the question's schema is no list of schemas")
	}
	for _, e := range list {
		k, err := m.schema(e)
		if n += k; err != nil {
			return n, err
		}
	}
	return n, nil
}

// named counts an object whose member names are free.
func (m *measure) named(keyword string, v any) (n int, err error) {
	o, ok := v.(map[string]any)
	if !ok {
		return 0, badSchema("a member of the question's schema is no object of schemas")
	}
	for name, e := range o {
		if keyword == "patternProperties" {
			if err := m.pattern(name); err != nil {
				return n, err
			}
		}
		k := 1
		if _, names := e.([]any); !names || keyword != "dependencies" {
			if k, err = m.schema(e); err != nil {
				return n, err
			}
		}
		n += k
	}
	return n, nil
}

func (m *measure) pattern(v any) error {
	text, ok := v.(string)
	if m.patterns += len(text); !ok || m.patterns > maxPatterns {
		return badSchema("the question's schema has no or too long patterns")
	}
	w, err := weigh(text)
	if err != nil {
		return badSchema("the question's schema has a pattern that is no regular expression")
	}
	m.weight.steps, m.weight.runes = m.weight.steps+w.steps, m.weight.runes+w.runes
	if m.weight.steps > maxPatternSteps || m.weight.runes > maxPatternRunes {
		return badSchema("the question's schema has patterns that are too large once their repeats and classes are written out")
	}
	return nil
}

// follow counts what a reference leads to.
func (m *measure) follow(ref any) (int, error) {
	name, ok := ref.(string)
	if !ok || !strings.HasPrefix(name, "#/") {
		return 0, badSchema("the question's schema refers to itself or to something outside")
	}
	size, known := m.sizes[name]
	if !known {
		at, ok := lookUp(m.root, strings.Split(name[2:], "/"))
		if !ok {
			return 0, badSchema("the question's schema refers to a place that it does not have")
		}
		m.sizes[name] = -1
		var err error
		if size, err = m.schema(at); err != nil {
			return size, err
		}
		m.sizes[name] = size
	}
	if size < 0 {
		return 0, badSchema("the question's schema refers to itself")
	}
	return size, nil
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
