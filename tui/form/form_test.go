package form

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/go-json-experiment/json/jsontext"

	"nod/tui/frame"
)

const deploy = `{
  "type": "object",
  "title": "Deploy",
  "required": ["region", "replicas", "note"],
  "properties": {
    "region": {"title": "Region", "description": "Where the new release runs first; the others follow after an hour without errors.", "oneOf": [
      {"const": "eu", "title": "Europe"}, {"const": "us", "title": "United States"}, {"const": "ap\u202e", "title": "Asia \u001b[31mPacific"}]},
    "replicas": {"type": "integer", "minimum": 1, "maximum": 10, "default": 3},
    "checks": {"type": "array", "items": {"enum": ["smoke", "load", 7, "7"]}, "minItems": 1, "maxItems": 2, "uniqueItems": true},
    "dry": {"type": "boolean", "description": "Only say what would be done"},
    "note": {"type": "string", "minLength": 3, "maxLength": 40, "pattern": "^[a-z ]+$", "format": "words"},
    "window": {"type": "object", "title": "When", "description": "Leave it out for now", "required": ["from"], "properties": {
      "from": {"type": "string"}, "hours": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5}}}
  }
}`

func made(t testing.TB, schema string) *Form {
	t.Helper()
	f, ok := New("Which region may it use, and how?", jsontext.Value(schema))
	if !ok {
		t.Fatalf("no form of %s", schema)
	}
	return f
}

// press takes keys: a name in angle brackets, else the letters as typed.
func press(f *Form, keys string) (last Event) {
	for keys != "" {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(keys, "<"), ">"); ok && keys[0] == '<' {
			text := ""
			if name == "space" {
				text = " "
			}
			last, keys = f.Key(name, text), rest
			continue
		}
		r := []rune(keys)[0]
		name := string(r)
		if r == ' ' {
			name = "space"
		}
		last, keys = f.Key(name, string(r)), keys[len(string(r)):]
	}
	return last
}

func look(ascii bool) frame.Look {
	if ascii {
		return frame.Look{Glyphs: frame.ASCII()}
	}
	return frame.Look{Glyphs: frame.Unicode()}
}

func plain(rows []frame.Line, ascii bool) string {
	var b strings.Builder
	for _, l := range rows {
		if ascii {
			l = l.ASCII()
		}
		b.WriteString(l.Plain() + "\n")
	}
	return b.String()
}

func TestScreens(t *testing.T) {
	states := map[string]string{
		"opened":  "",
		"options": "<tab><tab><tab><down><down>",
		"filled":  "<down><down><tab><down><tab>ok to go<tab><down><down><tab>12<tab>",
		"wrong":   "<tab><tab>No<tab><tab>1.5<tab><tab>0.3<tab>",
	}
	for name, keys := range states {
		for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}} {
			for _, ascii := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s-%dx%d-ascii-%v", name, size[0], size[1], ascii), func(t *testing.T) {
					f := made(t, deploy)
					press(f, keys)
					rows, _ := f.Render(look(ascii), size[0], size[1]-3)
					golden.RequireEqual(t, plain(rows, ascii))
				})
			}
		}
	}
}

func TestValues(t *testing.T) {
	tests := []struct{ name, schema, keys, want, problem string }{
		{"text", `{"type":"string"}`, "a b", `"a b"`, ""},
		{"nothing typed", `{"type":"string"}`, "", "", "Not yet: an answer is needed"},
		{"an empty text is stated", `{"type":"string"}`, "<ctrl+n>", `""`, ""},
		{"and taken back", `{"type":"string"}`, "<ctrl+n><ctrl+n>", "", "Not yet: an answer is needed"},
		{"typing after it", `{"type":"string"}`, "<ctrl+n>x<backspace>", "", "Not yet: an answer is needed"},
		{"a line feed", `{"type":"string"}`, "a<ctrl+j>b", `"a\nb"`, ""},
		{"too short", `{"type":"string","minLength":3}`, "é界", "", "Too short: 2 characters of at least 3"},
		{"too long", `{"type":"string","maxLength":1}`, "é界", "", "Too long: 2 characters of at most 1"},
		{"pattern", `{"type":"string","pattern":"^a"}`, "b", "", "Not its form: the text does not match the pattern"},
		{"digits are kept", `{"type":"number"}`, "1.50", `1.50`, ""},
		{"no number", `{"type":"number"}`, "1,5", "", "No number: write digits, such as 12, -3 or 0.5"},
		{"leading zero", `{"type":"number"}`, "012", "", "No number: write digits, such as 12, -3 or 0.5"},
		{"not exact", `{"type":"number"}`, "9007199254740993", "", "Not exact: a reader would change this number; write fewer digits"},
		{"beyond a double", `{"type":"number"}`, "1e400", "", "Not exact: a reader would change this number; write fewer digits"},
		{"not whole", `{"type":"integer"}`, "1.5", "", "Not whole: write a number without a fraction"},
		{"whole as written", `{"type":"integer"}`, "1e2", `1e2`, ""},
		{"too small", `{"type":"integer","minimum":-3}`, "-4", "", "Too small: it must be at least -3"},
		{"too large", `{"type":"number","exclusiveMaximum":2}`, "2", "", "Too large: it must be less than 2"},
		{"no multiple", `{"type":"number","multipleOf":0.5}`, "0.3", "", "No multiple: it must be a multiple of 0.5"},
		{"yes", `{"type":"boolean"}`, "<down>", `true`, ""},
		{"no", `{"type":"boolean"}`, "<down><down><down>", `false`, ""},
		{"taken back", `{"type":"boolean"}`, "<down><ctrl+u>", "", "Not yet: an answer is needed"},
		{"one of", `{"enum":["a",1,null,{"x":[1]}]}`, "<end>", `{"x":[1]}`, ""},
		{"the type leaves options out", `{"type":"string","enum":["a",1,"b"]}`, "<down><down>", `"b"`, ""},
		{"const", `{"const":"go"}`, "<space>", `"go"`, ""},
		{"some of", `{"type":"array","items":{"enum":["a","b","c"]}}`, "<down><down><space><up><up><space>", `["a","c"]`, ""},
		{"none of them is stated", `{"type":"array","items":{"enum":["a"]}}`, "<ctrl+n>", `[]`, ""},
		{"none of them", `{"type":"array","items":{"enum":["a"]}}`, "", "", "Not yet: an answer is needed"},
		{"too few", `{"type":"array","items":{"enum":["a","b"]},"minItems":2}`, "<space>", "", "Too few: 1 marked of at least 2"},
		{"too many", `{"type":"array","items":{"enum":["a","b"]},"maxItems":1}`, "<space><down><space>", "", "Too many: 2 marked of at most 1"},
		{"a reference", `{"$ref":"#/$defs/r","$defs":{"r":{"enum":["a","b"]}}}`, "<down>", `"a"`, ""},
		{"items by reference", `{"type":"array","items":{"$ref":"#/$defs/r"},"$defs":{"r":{"enum":["a","b"]}}}`, "<space>", `["a"]`, ""},
		{"members in canonical order", `{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"boolean"}}}`, "<down><tab>x", `{"a":true,"b":"x"}`, ""},
		{"optional ones are left out", `{"type":"object","properties":{"a":{"type":"string"}}}`, "", `{}`, ""},
		{"required", `{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}`, "", "", `Not yet: an answer is needed in "a"`},
		{"an optional group is left out", `{"type":"object","properties":{"g":{"type":"object","required":["x"],"properties":{"x":{"type":"string"},"y":{"type":"string"}}}}}`, "", `{}`, ""},
		{"until it is begun", `{"type":"object","properties":{"g":{"type":"object","required":["x"],"properties":{"x":{"type":"string"},"y":{"type":"string"}}}}}`, "<tab>1", "", `Not yet: an answer is needed in "x"`},
		{"a group", `{"type":"object","properties":{"g":{"type":"object","required":["x"],"properties":{"x":{"type":"string"},"y":{"type":"string"}}}}}`, "1", `{"g":{"x":"1"}}`, ""},
		{"a needed group", `{"type":"object","required":["g"],"properties":{"g":{"type":"object","properties":{"x":{"type":"string"}}}}}`, "", `{"g":{}}`, ""},
		{"an optional one that may be null", `{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{"type":"integer","minimum":2}],"title":"A"}}}`, "1", "", `Too small: it must be at least 2 in "a"`},
		{"by its types", `{"type":"object","properties":{"a":{"type":["string","null"],"minLength":2}}}`, "xy", `{"a":"xy"}`, ""},
		{"as a whole", `{"type":"object","minProperties":2,"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, "x", "", "Refused: as a whole the answer does not meet the question's schema."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := made(t, tt.schema)
			press(f, tt.keys)
			v, problem, ok := f.Value()
			if string(v) != tt.want || problem.String() != tt.problem || ok != (tt.problem == "") {
				t.Errorf("%s, %q, %v", v, problem, ok)
			}
		})
	}
}

// TestNothingIsFilledIn: no default and no only option is taken over, and no
// key but one that chooses chooses.
func TestNothingIsFilledIn(t *testing.T) {
	for _, schema := range []string{`{"type":"string","default":"rm -rf /"}`, `{"const":true,"default":true}`, `{"type":"boolean","default":true}`, `{"enum":["a"],"default":"a"}`} {
		f := made(t, schema)
		press(f, "<enter><tab><shift+tab><esc>")
		f.Paste("")
		if _, _, ok := f.Value(); ok || f.Touched() {
			t.Errorf("%s answers itself", schema)
		}
	}
	f := made(t, `{"type":"boolean"}`)
	f.Paste("true\n ")
	press(f, "yn<enter>")
	if f.Touched() {
		t.Error("a paste or a letter chose")
	}
}

func TestEvents(t *testing.T) {
	f := made(t, deploy)
	if ev := press(f, "<enter>"); ev != None {
		t.Error("Enter left the form before its last field")
	}
	if i, n := f.At(); i != 2 || n != 7 {
		t.Errorf("field %d of %d", i, n)
	}
	if ev := press(f, "<shift+tab><shift+tab><enter>"); ev != Done {
		t.Error("Enter on the last field does not go back to the ask")
	}
	if ev := press(f, "<ctrl+s>"); ev != Done {
		t.Error("Ctrl+S does not go back to the ask")
	}
	f.Paste("kept")
	if ev := press(f, "<esc>"); ev != Cancel || !f.Touched() {
		t.Error("Esc lost what was typed")
	}
}

// TestWhatAFormCannotShow goes to JSON.
func TestWhatAFormCannotShow(t *testing.T) {
	for _, schema := range []string{
		`true`, `{}`, `{"type":"null"}`, `{"type":["string","null"]}`, `{"type":"object"}`, `{"type":"object","properties":{}}`,
		`{"type":"string","not":{"const":"a"}}`, `{"type":"string","allOf":[]}`, `{"type":"string","if":true}`, `{"Type":"string"}`,
		`{"type":"string","contentEncoding":"base64"}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":["string","null"]}}}`, `{"type":"object","properties":{"a":{"type":["string","number"]}}}`,
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{"type":"null"}]}}}`,
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{"type":"string"}],"minLength":3}}}`,
		`{"type":"array"}`, `{"type":"array","items":{"type":"string"}}`, `{"type":"array","items":{"enum":["a"]},"minItems":2}`,
		`{"type":"array","items":{"enum":["a"]},"contains":{"const":"a"}}`, `{"type":"array","items":[{"enum":["a"]}]}`,
		`{"enum":[]}`, `{"type":"string","enum":[1,2]}`, `{"oneOf":[{"const":1},{"const":1}]}`, `{"enum":["` + strings.Repeat("x", 500) + `"]}`,
		`{"enum":["` + strings.Repeat(`\u0007`, 80) + `"]}`,
		`{"$ref":"#/$defs/a"}`, `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}}`, `{"$ref":"#"}`, `{"$ref":"http://x/"}`,
		`{"$ref":"#/$defs/a","minLength":3,"$defs":{"a":{"type":"string"}}}`,
		`{"$schema":"http://json-schema.org/draft-04/schema#","type":"string"}`, `{"type":"string","pattern":"("}`, `{"type":"string","minLength":"x"}`,
		`{"type":"object","required":["b"],"properties":{"a":{"type":"string"}}}`,
		`{"type":"object","additionalProperties":{"type":"string"},"properties":{"a":{"type":"string"}}}`,
		`{"type":"object","patternProperties":{"a":{"type":"string"}},"properties":{"a":{"type":"string"}}}`,
		`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"string"}}}}}}}`,
		`{"type":"object","properties":{"a":{"type":"object","properties":{}}}}`,
		`{"type":"string","type":"number"}`, `{"type":"string"} x`, ``,
		`{"enum":[0` + numbers(maxOptions) + `]}`, `{"type":"object","properties":{"a":{"type":"string"}` + members(maxFields) + `}}`,
	} {
		if _, ok := New("?", jsontext.Value(schema)); ok {
			t.Errorf("a form of %.90s", schema)
		}
	}
}

func TestALongPasteSaysSo(t *testing.T) {
	f := made(t, `{"type":"string"}`)
	f.Paste(strings.Repeat("x", 17<<10))
	rows, _ := f.Render(look(false), 80, 20)
	if text := plain(rows, false); !strings.Contains(text, "Too long: 16 KiB fit here") {
		t.Error(text)
	}
	press(f, "<left>")
	if rows, _ = f.Render(look(false), 80, 20); strings.Contains(plain(rows, false), "Too long") {
		t.Error("it stays")
	}
	f = made(t, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"},"d":{"type":"string"},"e":{"type":"string"}}}`)
	for range 5 {
		f.Paste(strings.Repeat("x", 15<<10))
		press(f, "<tab>")
	}
	if _, problem, ok := f.Value(); ok || problem.String() != "Too long: the answer is larger than 64 KiB; shorten a text." {
		t.Errorf("%q", problem)
	}
}

// TestNoTwoTextsLookAlike: what an agent writes is drawn, so that nothing can
// be written that looks like something else's drawing, and a cut says so.
func TestNoTwoTextsLookAlike(t *testing.T) {
	shown := map[string]string{}
	for _, title := range []string{"a\u202eb", `a\u{202E}b`, "a\nb", "a⏎b", "a" + strings.Repeat(" ", 37) + "b", "a⟨37×space⟩b"} {
		for _, at := range []string{`{"type":"string","title":` + quote(title) + `}`, `{"type":"string","description":` + quote(title) + `}`, `{"enum":[1],"oneOf":[{"const":1,"title":` + quote(title) + `}]}`} {
			f := made(t, at)
			rows, _ := f.Render(look(false), 80, 20)
			text := plain(rows, false)
			if other, have := shown[text]; have {
				t.Errorf("%q looks like %q", title, other)
			}
			shown[text] = title
		}
	}
	f := made(t, `{"type":"object","properties":{"a":{"type":"string","title":"`+strings.Repeat("x", 200)+`"}}}`)
	rows, _ := f.Render(look(false), 80, 20)
	if text := plain(rows, false); !strings.Contains(text, "x…+1") {
		t.Error(text)
	}
}

func TestAnOptionStandsOnce(t *testing.T) {
	if f := made(t, `{"enum":["a",1,1.0,"a"]}`); len(f.entries[0].options) != 2 {
		t.Errorf("%d options", len(f.entries[0].options))
	}
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ",%d", i+1)
	}
	return b.String()
}

func members(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"m%d":{"type":"string"}`, i)
	}
	return b.String()
}

func TestTheMostThatFits(t *testing.T) {
	f := made(t, `{"enum":[0`+numbers(maxOptions-1)+`]}`)
	for range maxOptions {
		press(f, "<down>")
	}
	if v, _, ok := f.Value(); !ok || string(v) != "255" {
		t.Errorf("%s", v)
	}
	check(t, f, 60, 13, false)
	made(t, `{"type":"object","properties":{"a":{"type":"string"}`+members(maxFields-1)+`}}`)
}
