package form

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"nod/digest/visible"
	"nod/tui/field"
	"nod/tui/frame"
)

// kind says how a field is answered.
type kind uint8

const (
	kindText   kind = iota + 1
	kindNumber      // with or without a fraction
	kindWhole       // an integer
	kindYesNo
	kindOne  // one of its options
	kindSome // any of its options
)

// word is the kind on the screen.
func (k kind) word() string {
	switch k {
	case kindText:
		return "text"
	case kindNumber:
		return "number"
	case kindWhole:
		return "whole number"
	case kindYesNo:
		return "yes or no"
	case kindOne:
		return "one of"
	default:
		return "some of"
	}
}

// Bounds of options.
const (
	maxOptions = 256 // of one field
	maxOption  = 400 // cells of one: it has to fit a small screen whole
)

// option is one value to choose.
type option struct {
	value jsontext.Value // canonical
	title string         // the agent's, "" for none
	own   visible.Text   // ours, for yes and no
}

// head is what a group of fields stands under.
type head struct {
	name, title, about string
	required           bool
}

// entry is one field: what is asked, and what was typed or chosen.
type entry struct {
	kind     kind
	name     string // of the member; "" for an answer that is no object
	group    int    // index of its group, -1 for none
	required bool
	schema   node
	check    *jsonschema.Resolved
	options  []option

	line   field.Field
	empty  bool   // an empty text was stated
	at     int    // the option under the mark
	marked []bool // by option
	stated bool   // something was chosen, if only that nothing is marked
	long   bool   // the last paste did not fit

	value   jsontext.Value // what was stated; nil for nothing, or for no good value
	problem visible.Text   // why it is no good value
}

// leaf reads a schema that is answered by one field.
func leaf(root, n node) (*entry, bool) {
	if !n.only("type", "enum", "const", "oneOf", "anyOf", "minLength", "maxLength", "pattern", "format", "minimum", "maximum",
		"exclusiveMinimum", "exclusiveMaximum", "multipleOf", "items", "minItems", "maxItems", "uniqueItems", "$schema", "$defs", "definitions") {
		return nil, false
	}
	e := &entry{schema: n}
	options, has, ok := optionsOf(n)
	if !ok {
		return nil, false
	}
	switch n.word("type") {
	case "array":
		e.kind = kindSome
		if has {
			return nil, false
		}
		items, ok := object(n["items"])
		if !ok {
			return nil, false
		}
		if items, ok = follow(root, items); !ok {
			return nil, false
		}
		check, ok := compileNode(items.without("$defs", "definitions"))
		if !ok || !items.only("type", "enum", "const", "oneOf", "anyOf") {
			return nil, false
		}
		if options, has, ok = optionsOf(items); !has || !ok {
			return nil, false
		}
		options = accepted(options, check)
		e.schema = n.with("items", items)
	case "string":
		e.kind = kindText
	case "number":
		e.kind = kindNumber
	case "integer":
		e.kind = kindWhole
	case "boolean":
		e.kind = kindYesNo
		if !has {
			has = true
			options = []option{{value: jsontext.Value("true"), own: visible.Own("yes")}, {value: jsontext.Value("false"), own: visible.Own("no")}}
		}
	default:
		if !has {
			return nil, false
		}
	}
	if has && e.kind != kindSome && e.kind != kindYesNo {
		e.kind = kindOne
	}
	if _, items := n["items"]; items && e.kind != kindSome {
		return nil, false
	}
	if e.check, ok = compileNode(e.schema.without("$schema", "$defs", "definitions")); !ok {
		return nil, false
	}
	if has {
		if e.kind != kindSome {
			options = accepted(options, e.check)
		}
		if len(options) == 0 || len(options) > maxOptions || !readable(options) {
			return nil, false
		}
		e.options, e.marked = options, make([]bool, len(options))
	}
	return e, e.answerable()
}

// answerable reports whether enough can be marked.
func (e *entry) answerable() bool {
	return e.kind != kindSome || number(e.schema["minItems"]) <= float64(len(e.options))
}

// optionsOf gives the values that a schema lists; has is false when it lists
// none, ok when it is none that a form can show.
func optionsOf(n node) (options []option, has, ok bool) {
	for _, name := range []string{"oneOf", "anyOf"} {
		v, set := n[name]
		if !set {
			continue
		}
		each, good := list(v)
		if !good || has {
			return nil, false, false
		}
		has = true
		for _, v := range each {
			o, good := object(v)
			if !good || !o.only("const", "type") || o["const"] == nil {
				return nil, false, false
			}
			options = append(options, option{value: o["const"], title: o.word("title")})
		}
	}
	if has {
		return options, true, len(options) > 0
	}
	if v, set := n["const"]; set {
		return []option{{value: v}}, true, true
	}
	v, set := n["enum"]
	if !set {
		return nil, false, true
	}
	each, good := list(v)
	for _, v := range each {
		options = append(options, option{value: v})
	}
	return options, true, good && len(each) > 0
}

// accepted keeps the options that the schema takes, each value once.
func accepted(options []option, check *jsonschema.Resolved) []option {
	var out []option
	if len(options) > 4*maxOptions {
		return nil
	}
next:
	for _, o := range options {
		for _, have := range out {
			if bytes.Equal(have.value, o.value) {
				continue next
			}
		}
		if meets(check, o.value) {
			out = append(out, o)
		}
	}
	return out
}

// readable reports whether each option can be shown whole.
func readable(options []option) bool {
	for _, o := range options {
		if len(o.value) > maxOption || frame.Width(visible.Of(visible.Strict, string(o.value))) > maxOption {
			return false
		}
	}
	return true
}

func (n node) with(name string, sub node) node {
	out := n.without(name)
	raw, err := sub.without("$defs", "definitions").marshal()
	if err != nil {
		return out
	}
	out[name] = raw
	return out
}

func (n node) without(names ...string) node {
	out := node{}
	for k, v := range n {
		out[k] = v
	}
	for _, name := range names {
		delete(out, name)
	}
	return out
}
