package plain

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/digest/visible"
)

// answer asks a question's fields one after another, or takes the whole answer
// as JSON. Whether it meets the schema is the queue's word. No field has a
// value that the operator did not type.
func (s *session) answer(ctx context.Context, value string) error {
	p := s.open
	switch {
	case p.row().Kind != digest.KindQuestion:
		return s.say("No question: a call is approved or denied; say \"approve\" or \"deny\".")
	case !p.pending():
		return s.tell(p.over)
	}
	if ok, err := s.armed(ctx); err != nil || !ok {
		return err
	}
	if value == "" {
		var ok bool
		var err error
		if value, ok, err = s.fields(ctx); err != nil || !ok {
			return err
		}
	}
	if !jsontext.Value(value).IsValid() {
		return s.say("No JSON: text wants quotes, as \"answer \\\"eu\\\"\"; nothing was decided.")
	}
	return s.answerJSON(ctx, value)
}

// schema is what of a question's schema is asked for by name.
type schema struct {
	Type       jsontext.Value            `json:"type"`
	Title      string                    `json:"title"`
	About      string                    `json:"description"`
	Enum       []jsontext.Value          `json:"enum"`
	Properties map[string]jsontext.Value `json:"properties"`
	Required   []string                  `json:"required"`
}

func readSchema(raw jsontext.Value) schema {
	var out schema
	if json.Unmarshal(raw, &out) != nil {
		return schema{} // asked for as JSON
	}
	return out
}

// is reports whether the schema is of one type.
func (c *schema) is(kind string) bool {
	var name string
	return json.Unmarshal(c.Type, &name) == nil && name == kind
}

// fields asks for the answer as its schema has it.
func (s *session) fields(ctx context.Context) (value string, ok bool, err error) {
	raw, found := digest.Lookup(digest.JSON(s.open.view.Ask), "/question/schema")
	if !found {
		return "", false, s.say("No schema: its contents were pruned, so it cannot be answered.")
	}
	whole := readSchema(jsontext.Value(raw))
	if !whole.is("object") || len(whole.Properties) == 0 {
		return s.field(ctx, visible.Own("The answer"), &whole, true)
	}
	names := make([]string, 0, len(whole.Properties))
	for name := range whole.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	members := map[string]jsontext.Value{}
	for _, name := range names {
		sub := readSchema(whole.Properties[name])
		required := slices.Contains(whole.Required, name)
		v, ok, err := s.field(ctx, visible.Concat(visible.Own("Field "), s.name(name)), &sub, required)
		if err != nil || !ok {
			return "", false, err
		}
		if v != "" {
			members[name] = jsontext.Value(v)
		}
	}
	b, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return "", false, s.say("No JSON: a field is none, so nothing was decided; say \"answer\" again.")
	}
	return string(b), true, nil
}

// field asks for one value; "" is one that was left out.
func (s *session) field(ctx context.Context, name visible.Text, c *schema, required bool) (value string, ok bool, err error) {
	want := "JSON"
	switch {
	case len(c.Enum) > 0:
		want = "one of the numbers"
	case c.is("string"):
		want = "text"
	case c.is("integer"):
		want = "a whole number"
	case c.is("number"):
		want = "a number"
	case c.is("boolean"):
		want = "yes or no"
	}
	if !required {
		want += ", or Enter to leave it out"
	}
	for i, v := range c.Enum {
		if err := s.write(visible.Concat(visible.Drawn(itoa(i+1)+". "), s.draw(string(v)))); err != nil {
			return "", false, err
		}
	}
	text := visible.Concat(name, visible.Drawn(", "+want+"."))
	if about := strings.TrimSpace(c.Title + " " + c.About); about != "" {
		text = visible.Concat(text, visible.Own(" The agent says: "), s.draw(about))
	}
	if err := s.tell(text); err != nil {
		return "", false, err
	}
	l, err := s.prompt(ctx, "answer> ")
	if err != nil {
		return "", false, err
	}
	value, ok = valueOf(c, l.text)
	switch {
	case !ok:
		return "", false, s.say("Not " + want + ": nothing was decided; say \"answer\" again.")
	case value == "" && required:
		return "", false, s.say("Missing: it has to be answered; nothing was decided, say \"answer\" again.")
	}
	return value, true, nil
}

// valueOf is the JSON of what was typed for a field.
func valueOf(c *schema, text string) (value string, ok bool) {
	switch {
	case text == "":
		return "", true
	case len(c.Enum) > 0:
		for i, v := range c.Enum {
			if text == itoa(i+1) {
				return string(v), true
			}
		}
		return "", false
	case c.is("string"):
		b, err := json.Marshal(text)
		return string(b), err == nil
	case c.is("boolean"):
		switch strings.ToLower(text) {
		case "yes", "true":
			return "true", true
		case "no", "false":
			return "false", true
		}
		return "", false
	case c.is("integer"), c.is("number"):
		v := jsontext.Value(text)
		return text, v.IsValid() && v.Kind() == '0'
	}
	return text, jsontext.Value(text).IsValid()
}
