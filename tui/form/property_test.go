package form

import (
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"

	"nod/digest"
	"nod/digest/visible"
	"nod/tui/frame/frametest"
)

// leafSchema draws a schema of one field.
func leafSchema(t *rapid.T) map[string]any {
	s := map[string]any{}
	maybe := func(name string, v any) {
		if rapid.Bool().Draw(t, name) {
			s[name] = v
		}
	}
	values := rapid.SliceOfNDistinct(rapid.SampledFrom([]any{"a", "b", "ab", "7", 7.0, 0.5, -1.0, true, false, nil, []any{"x"}, "\u202e", "e\u0301"}), 1, 6, func(v any) string {
		b, _ := json.Marshal(v)
		return string(b)
	}).Draw(t, "values")
	n := rapid.IntRange(0, 3)
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		s["type"] = "string"
		maybe("minLength", n.Draw(t, "min"))
		maybe("maxLength", n.Draw(t, "max"))
		maybe("pattern", rapid.SampledFrom([]string{"^a", "b$", "^[0-9]*$", "é"}).Draw(t, "p"))
		maybe("format", "email")
	case 1, 2:
		s["type"] = rapid.SampledFrom([]string{"number", "integer"}).Draw(t, "type")
		maybe("minimum", n.Draw(t, "min"))
		maybe("maximum", n.Draw(t, "max")*10)
		maybe("exclusiveMinimum", -n.Draw(t, "xmin"))
		maybe("exclusiveMaximum", n.Draw(t, "xmax")*100)
		maybe("multipleOf", rapid.SampledFrom([]float64{0.1, 0.5, 2, 3}).Draw(t, "m"))
	case 3:
		s["type"] = "boolean"
		maybe("default", true)
	case 4:
		s["enum"] = values
		maybe("type", rapid.SampledFrom([]string{"string", "number", "integer", "boolean"}).Draw(t, "type"))
		maybe("minimum", 1)
	case 5:
		var each []any
		for _, v := range values {
			each = append(each, map[string]any{"const": v, "title": "T"})
		}
		s[rapid.SampledFrom([]string{"oneOf", "anyOf"}).Draw(t, "of")] = each
	case 6:
		s["type"] = "array"
		s["items"] = map[string]any{"enum": values}
		maybe("minItems", n.Draw(t, "min"))
		maybe("maxItems", n.Draw(t, "max"))
		maybe("uniqueItems", true)
	}
	return s
}

func objectSchema(t *rapid.T, depth int) map[string]any {
	properties, required := map[string]any{}, []any{}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "x y", "\u202e", "€"}), 1, 4, rapid.ID[string]).Draw(t, "names") {
		if depth == 0 && rapid.IntRange(0, 3).Draw(t, "group") == 0 {
			properties[name] = objectSchema(t, 1)
		} else {
			properties[name] = leafSchema(t)
		}
		if rapid.Bool().Draw(t, "required") {
			required = append(required, name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties, "required": required}
	if rapid.Bool().Draw(t, "closed") {
		s["additionalProperties"] = false
	}
	if rapid.IntRange(0, 4).Draw(t, "bounded") == 0 {
		s["minProperties"] = rapid.IntRange(0, 2).Draw(t, "minProperties")
		s["maxProperties"] = rapid.IntRange(1, 3).Draw(t, "maxProperties")
	}
	return s
}

// entered is what was entered, put together by another way than the form's;
// good is false when a number is none that JSON and the guard take.
func entered(f *Form) (v any, some, good bool) {
	good = true
	all, groups := map[string]any{}, map[int]map[string]any{}
	for i, g := range f.groups {
		if g.required {
			groups[i] = map[string]any{}
		}
	}
	for _, e := range f.entries {
		var x any
		switch {
		case e.options == nil && e.line.Len() == 0 && !e.empty, e.options != nil && !e.stated:
			continue
		case e.kind == kindText:
			x = e.line.Text()
		case e.options == nil:
			doc, err := digest.Canonical([]byte(e.line.Text()), digest.Limits{})
			if err != nil || json.Unmarshal(doc, &x) != nil || jsontext.Value(doc).Kind() != '0' {
				good = false
				continue
			}
		default:
			list := []any{}
			for i, on := range e.marked {
				var o any
				if err := json.Unmarshal(e.options[i].value, &o); err != nil {
					good = false
				}
				if on {
					list = append(list, o)
				}
			}
			if x = any(list); e.kind != kindSome {
				x = list[0]
			}
		}
		some = true
		if !f.object {
			return x, true, good
		}
		to := all
		if e.group >= 0 {
			if groups[e.group] == nil {
				groups[e.group] = map[string]any{}
			}
			to = groups[e.group]
		}
		to[e.name] = x
	}
	for i, g := range groups {
		all[f.groups[i].name] = g
	}
	return all, some || f.object, good
}

// TestAValueMeetsTheSchema: whatever is entered through keys, the form gives a
// value if and only if what was entered meets the schema as the queue holds it.
func TestAValueMeetsTheSchema(t *testing.T) {
	gave, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		schema := leafSchema(t)
		if rapid.IntRange(0, 3).Draw(t, "object") > 0 {
			schema = objectSchema(t, 0)
		}
		raw, err := json.Marshal(schema, json.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		f, ok := New("?", raw)
		if !ok {
			t.Skip("no form")
		}
		keys := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "1", "0", "5", ".", "-", "é", "up", "down", "space", "tab", "tab", "shift+tab", "ctrl+u", "ctrl+n", "backspace", "ctrl+j", "end", "enter"}), 0, 60).Draw(t, "keys")
		for _, k := range keys {
			text := k
			if k == "space" {
				text = " "
			} else if len([]rune(k)) > 1 {
				text = ""
			}
			f.Key(k, text)
		}
		if rapid.IntRange(0, 9).Draw(t, "paste") == 0 {
			f.Paste(rapid.SampledFrom([]string{"\x1b[2J", "9007199254740993", "1e400", "\xff", "12\n"}).Draw(t, "text"))
		}
		s := new(jsonschema.Schema)
		if err := json.Unmarshal(raw, s); err != nil {
			t.Fatal(err)
		}
		queue, err := s.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		want, some, good := entered(f)
		valid := some && good && queue.Validate(want) == nil
		value, problem, ok := f.Value()
		if ok != valid || ok == (problem.Len() > 0) {
			t.Fatalf("%s\n%v entered, valid %v; form gives %s, %q", raw, want, valid, value, problem)
		}
		if !ok {
			refused++
			return
		}
		gave++
		doc, err := digest.Canonical(value, digest.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var got any
		if err := json.Unmarshal(doc, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s is not %v", value, want)
		}
	})
	if gave == 0 || refused == 0 {
		t.Errorf("%d values, %d refusals: the test shows nothing", gave, refused)
	}
}

func check(t testing.TB, f *Form, w, h int, ascii bool) {
	t.Helper()
	rows, cursor := f.Render(look(ascii), w, h)
	if len(rows) > h || cursor.X < 0 || cursor.X >= w || cursor.Y < 0 || cursor.Y >= len(rows) {
		t.Fatalf("%d rows of %d, cursor %v in %d cells", len(rows), h, cursor, w)
	}
	for _, l := range rows {
		text := l.Plain()
		if ascii {
			text = l.ASCII().Plain()
		}
		if ansi.StringWidth(text) != w || visible.Drawn(text).String() != text {
			t.Fatalf("%d cells of %d: %q", ansi.StringWidth(text), w, text)
		}
	}
}

// TestHostile puts every hostile sample in every place where an agent writes.
func TestHostile(t *testing.T) {
	forms := 0
	for _, input := range frametest.Hostile(t, "../testdata") {
		short := string([]rune(input)[:min(len([]rune(input)), 30)])
		schema, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{
			"a":   map[string]any{"title": input, "description": input, "default": input, "enum": []any{short, "b"}},
			"b":   map[string]any{"title": input, "type": "string", "pattern": "^x", "format": input},
			"c":   map[string]any{"oneOf": []any{map[string]any{"const": 1, "title": input}}},
			input: map[string]any{"type": "object", "title": input, "description": input, "properties": map[string]any{input: map[string]any{"type": "string"}}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		form, ok := New(input, schema)
		if !ok {
			continue
		}
		forms++
		for range 4 {
			form.Paste(input)
			for _, size := range [][2]int{{60, 13}, {80, 21}, {120, 37}, {24, 3}} {
				check(t, form, size[0], size[1], false)
				check(t, form, size[0], size[1], true)
			}
			press(form, "<down><tab>")
		}
	}
	if forms < 100 {
		t.Errorf("only %d forms", forms)
	}
}

// TestEveryOptionIsWhole: no option is cut, at any size, and the one under the
// mark is on the screen.
func TestEveryOptionIsWhole(t *testing.T) {
	long := strings.Repeat("long option ", 30)
	schema, err := json.Marshal(map[string]any{"description": "why", "enum": []any{long + "a", long + "b", "\u202e\u200b", "界界" + long[:200]}})
	if err != nil {
		t.Fatal(err)
	}
	for _, ascii := range []bool{false, true} {
		for _, w := range []int{60, 80, 120} {
			f := made(t, string(schema))
			seen := ""
			for range 4 {
				press(f, "<down>")
				rows, cursor := f.Render(look(ascii), w, 13)
				check(t, f, w, 13, ascii)
				if !strings.Contains(rows[cursor.Y].Plain(), "(*)") {
					t.Errorf("%d: the mark stands on %q", w, rows[cursor.Y].Plain())
				}
				for _, l := range rows[cursor.Y:] {
					if l[0].Sel {
						seen += strings.TrimRight(l.Plain()[len(l[0].Text.String()):], " ")
					}
				}
			}
			squeeze := func(s string) string {
				for _, g := range []string{" ", "(*)", look(ascii).Glyphs.Wrap} {
					s = strings.ReplaceAll(s, g, "")
				}
				return s
			}
			want := ""
			for _, o := range f.entries[0].options {
				if ascii {
					want += visible.ASCII(string(o.value))
				} else {
					want += visible.Row(string(o.value)).String()
				}
			}
			if squeeze(seen) != squeeze(want) {
				t.Errorf("width %d: seen %q\nwant %q", w, squeeze(seen), squeeze(want))
			}
		}
	}
}

// TestNoSchemaBreaksIt: anything may stand in a schema; a form is made or not,
// and one that is made can be drawn and answered by keys alone.
func TestNoSchemaBreaksIt(t *testing.T) {
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		words := rapid.SampledFrom([]any{"string", "number", "object", "array", "boolean", "null", "#/$defs/a", "a", "(", "", nil, true, 0, 1, -1, 0.5, 1e300}).AsAny()
		if depth == 0 {
			return words
		}
		sub := rapid.Deferred(func() *rapid.Generator[any] { return value(depth - 1) })
		keyword := rapid.SampledFrom([]string{"type", "type", "properties", "required", "enum", "const", "oneOf", "anyOf", "items", "title", "$ref", "$defs", "a", "b",
			"minLength", "maxLength", "pattern", "minimum", "multipleOf", "minItems", "minProperties", "additionalProperties", "default", "$schema"})
		return rapid.OneOf(words, rapid.SliceOfN(sub, 0, 3).AsAny(), rapid.MapOfN(keyword, sub, 0, 4).AsAny(), rapid.MapOfN(keyword, sub, 1, 4).AsAny())
	}
	rapid.Check(t, func(rt *rapid.T) {
		raw, err := json.Marshal(value(4).Draw(rt, "schema"), json.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		f, ok := New("?", raw)
		if !ok {
			return
		}
		for range 3 {
			press(f, "1<down><space><ctrl+n><tab>")
			check(t, f, 60, 13, rapid.Bool().Draw(rt, "ascii"))
			if v, problem, ok := f.Value(); ok != (v != nil) || ok != (problem.Len() == 0) {
				t.Fatalf("%s: %s, %q, %v", raw, v, problem, ok)
			}
		}
	})
}
