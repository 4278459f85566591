package editor

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"nod/digest"
	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/frame/frametest"
)

// press takes keys: a name in angle brackets, else the letters as typed.
func press(e *Editor, keys string) {
	for keys != "" {
		if name, rest, ok := strings.Cut(keys[1:], ">"); ok && keys[0] == '<' {
			e.Key(name, "")
			keys = rest
			continue
		}
		r := []rune(keys)[0]
		e.Key(string(r), string(r))
		keys = keys[len(string(r)):]
	}
}

func look(ascii bool) frame.Look {
	if ascii {
		return frame.Look{Glyphs: frame.ASCII()}
	}
	return frame.Look{Glyphs: frame.Unicode()}
}

const call = `{"command":"set -eu\ncd /srv/shop\n\trm -rf ./build\u200b # ` + "\u202e" + `naïve 日本語","timeout":120000,"env":{},"list":[1,[],{"a":null}],"empty":""}`

func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}} {
		for _, ascii := range []bool{false, true} {
			t.Run(fmt.Sprintf("%dx%d-ascii-%v", size[0], size[1], ascii), func(t *testing.T) {
				e := New(JSON(jsontext.Value(call)), ascii)
				e.Size(size[0], size[1]-4)
				press(e, "<down><end><left> # x")
				rows, cursor := e.Render(look(ascii), size[0], size[1]-4)
				var b strings.Builder
				for _, l := range rows {
					if ascii {
						l = l.ASCII()
					}
					b.WriteString(l.Plain() + "\n")
				}
				fmt.Fprintf(&b, "cursor %d,%d\n", cursor.X, cursor.Y)
				golden.RequireEqual(t, b.String())
			})
		}
	}
}

func TestJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"b":1,"a":"x\ty"}`:          "{\n  \"a\": \"x\\ty\",\n  \"b\": 1\n}",
		`[]`:                          "[]",
		`{}`:                          "{}",
		`[[1,{}],[]]`:                 "[\n  [\n    1,\n    {}\n  ],\n  []\n]",
		`"\u202e\ud83d\ude00e\u0301"`: `"\u202e😀e\u0301"`,
		`1e2`:                         "100",
		`{"a":1,"a":2}`:               `{"a":1,"a":2}`,
		"not\x1b":                     `not\u001b`,
	} {
		if got := JSON(jsontext.Value(in)); got != want {
			t.Errorf("%s gives %q, not %q", in, got, want)
		}
	}
	deep := strings.Repeat("[", 60) + "1" + strings.Repeat("]", 60)
	for _, l := range strings.Split(JSON(jsontext.Value(deep)), "\n") {
		if got := visible.Row(l).String(); got != l {
			t.Errorf("%q is drawn %q", l, got)
		}
	}
}

// holds checks what the editor promises of a value: the same value comes back,
// and each line of its text is drawn as it is.
func holds(t interface{ Fatalf(string, ...any) }, v []byte) {
	doc, err := digest.Canonical(v, digest.NoLimits())
	if err != nil {
		t.Fatalf("%v", err)
	}
	text := JSON(v)
	for _, l := range strings.Split(text, "\n") {
		if drawn := visible.Row(l).String(); drawn != l {
			t.Fatalf("%q is drawn %q", l, drawn)
		}
	}
	for _, ascii := range []bool{false, true} {
		e := New(text, ascii)
		if e.Changed() || !ascii && e.Text() != text {
			t.Fatalf("%q became %q", text, e.Text())
		}
		back, problem, _, _ := e.Check()
		if problem.Len() > 0 || !bytes.Equal(back, doc) {
			t.Fatalf("%s became %s (%s)", doc, back, problem)
		}
	}
}

func anyJSON(depth int) *rapid.Generator[any] {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{`\u{41}`, `\\u{1B}`, "e\u0301", strings.Repeat(" ", 40), "\x00\x7f", "\U0010FFFF", "⏎", "🇩🇪👍🏽", "한국 각", "\u1100\u1161"}))
	kinds := []*rapid.Generator[any]{
		text.AsAny(), rapid.Int32().AsAny(), rapid.Bool().AsAny(), rapid.Just(any(nil)),
	}
	if depth > 0 {
		sub := anyJSON(depth - 1)
		kinds = append(kinds, rapid.SliceOfN(sub, 0, 4).AsAny(), rapid.MapOfN(text, sub, 0, 4).AsAny())
	}
	return rapid.OneOf(kinds...)
}

func TestAValueComesBackAndIsSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, err := json.Marshal(anyJSON(3).Draw(t, "v"), jsontext.AllowInvalidUTF8(true))
		if err != nil {
			t.Fatal(err)
		}
		holds(t, v)
	})
}

func TestHostile(t *testing.T) {
	for _, input := range frametest.Hostile(t, "../testdata") {
		if doc, err := json.Marshal(input); err == nil {
			holds(t, doc)
		}
		for _, ascii := range []bool{false, true} {
			e := New(input, ascii)
			e.Paste(input)
			e.Key("x", input)
			for _, w := range []int{20, 60, 80, 131} {
				check(t, e, w, 12, ascii)
			}
		}
	}
}

func check(t interface{ Fatalf(string, ...any) }, e *Editor, w, h int, ascii bool) {
	rows, cursor := e.Render(look(ascii), w, h)
	if len(rows) == 0 || len(rows) > h || cursor.X < 0 || cursor.X >= w || cursor.Y < 0 || cursor.Y >= len(rows) {
		t.Fatalf("%d rows of %d, cursor %v in %d cells", len(rows), h, cursor, w)
	}
	for i, l := range rows {
		text := l.Plain()
		if ascii {
			text = l.ASCII().Plain()
		}
		if ansi.StringWidth(text) != w || visible.Drawn(text).String() != text {
			t.Fatalf("%d cells of %d: %q", ansi.StringWidth(text), w, text)
		}
		if i == cursor.Y { // the cursor stands on its character
			before := ansi.Truncate(l.Plain(), cursor.X, "")
			rest := strings.TrimRight(l.Plain()[len(before):], " ")
			if after := strings.TrimRight(e.lines[e.at.line][e.at.col:], " "); !strings.HasPrefix(after, rest) {
				t.Fatalf("the cursor stands before %q, the text goes on %q", rest, after)
			}
		}
	}
}

// TestEditingIsThatOfAString runs keys against a plain string and a cursor.
func TestEditingIsThatOfAString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.StringOfN(rapid.SampledFrom([]rune("ab {\"\\:,\n\n 界é")), 0, 60, -1).Draw(t, "start")
		e := New(start, false)
		w, h := rapid.IntRange(10, 90).Draw(t, "w"), rapid.IntRange(1, 8).Draw(t, "h")
		e.Size(w, h)
		text, at := []rune(e.Text()), 0
		steps := 0
		for _, k := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "界", "\"", "left", "right", "home", "end", "up", "down", "pgup", "pgdown", "backspace", "delete", "ctrl+u", "ctrl+k", "ctrl+w", "alt+d", "enter", "tab", "\u202e", "paste", "ctrl+left", "alt+f"}), 0, 60).Draw(t, "keys") {
			before := e.Text()
			key := k
			if len([]rune(k)) > 1 {
				key = ""
			}
			if k == "paste" {
				e.Paste("x\ny\t\x1b")
			} else {
				e.Key(k, key)
			}
			line, col := e.Cursor()
			now := offset(e.Text(), line, col)
			splice := func(from, to int, s string) {
				text = append(append(append([]rune{}, text[:from]...), []rune(s)...), text[to:]...)
				at = from + len([]rune(s))
			}
			lineStart := at - len([]rune(string(text[:at])[strings.LastIndexByte(string(text[:at]), '\n')+1:]))
			lineEnd := at
			for lineEnd < len(text) && text[lineEnd] != '\n' {
				lineEnd++
			}
			switch k {
			case "a", "界", "\"":
				splice(at, at, k)
			case "\u202e":
				splice(at, at, `\u202e`)
			case "tab":
				splice(at, at, "  ")
			case "enter":
				in := string(text[lineStart:at])
				splice(at, at, "\n"+in[:len(in)-len(strings.TrimLeft(in, " "))])
			case "backspace":
				splice(max(at-1, 0), at, "")
			case "delete":
				to := min(at+1, len(text))
				splice(at, to, "")
			case "ctrl+u":
				splice(lineStart, at, "")
			case "ctrl+k":
				if lineEnd == at && at < len(text) {
					lineEnd++
				}
				splice(at, lineEnd, "")
			case "left":
				at = max(at-1, 0)
			case "right":
				at = min(at+1, len(text))
			case "home":
				at = lineStart
			case "end":
				at = lineEnd
			case "ctrl+w":
				if now > at {
					t.Fatal("a word back goes on")
				}
				splice(now, at, "")
			case "alt+d":
				splice(at, at+len(text)-len([]rune(e.Text())), "")
			case "paste":
				in := "x\ny  \\u001b"
				if quoted(string(text[lineStart:at])) {
					in = `x\ny\t\u001b`
				}
				splice(at, at, in)
			default: // up, down and words move somewhere and change nothing
				at = now
			}
			if e.Text() != string(text) || now != at {
				t.Fatalf("%q: %q at %d, want %q at %d", k, e.Text(), now, string(text), at)
			}
			if e.size != len(e.Text()) {
				t.Fatalf("%d bytes counted of %d", e.size, len(e.Text()))
			}
			if e.Changed() != (e.Text() != New(start, false).Text()) {
				t.Fatalf("changed: %v", e.Changed())
			}
			if before != e.Text() {
				steps++
			}
			check(t, e, w, h, false)
		}
		end := e.Text()
		for range steps {
			e.Key("ctrl+_", "")
			check(t, e, w, h, false)
		}
		if e.Changed() {
			t.Fatalf("taken back: %q, begun with %q", e.Text(), e.was)
		}
		for range steps {
			e.Key("ctrl+y", "")
		}
		if e.Text() != end {
			t.Fatalf("done again: %q, was %q", e.Text(), end)
		}
	})
}

// quoted is the other way to tell whether a line stops inside a string.
func quoted(l string) bool {
	return strings.Contains(regexp.MustCompile(`"([^"\\]|\\.)*"`).ReplaceAllString(l, ""), `"`)
}

// offset is the character of the text at a line and a column.
func offset(text string, line, col int) int {
	n := 0
	for _, l := range strings.Split(text, "\n")[:line-1] {
		n += len([]rune(l)) + 1
	}
	return n + col - 1
}

func TestUndoTakesATypedWordAtOnce(t *testing.T) {
	e := New("", false)
	press(e, "rm -rf<enter>x<backspace><backspace>")
	for _, want := range []string{"rm -rf\nx", "rm -rf\n", "rm -rf", "rm", ""} {
		press(e, "<ctrl+_>")
		if e.Text() != want {
			t.Errorf("%q, not %q", e.Text(), want)
		}
	}
	if e.Key("esc", "") || e.Key("ctrl+s", "") {
		t.Error("Esc is a key of the editor")
	}
}

func TestPaste(t *testing.T) {
	e := New(`{"a": ""}`, false)
	press(e, "<end><left><left>")
	e.Paste("echo \"hi\"\n\t\\n\u202e")
	if want := `{"a": "echo \"hi\"\n\t\\n\u202e"}`; e.Text() != want {
		t.Errorf("in a string %q", e.Text())
	}
	press(e, "<end><left>")
	e.Paste(",\r\n\t\"b\": 1\u200b")
	if want := "{\"a\": \"echo \\\"hi\\\"\\n\\t\\\\n\\u202e\",\n  \"b\": 1\\u200b}"; e.Text() != want {
		t.Errorf("outside %q", e.Text())
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		text, problem string
		line, col     int
	}{
		{"{\n  \"a\": tru\n}", `Not read: the text is not JSON, line 2, column 11, in "/a"`, 2, 11},
		{"{\n  \"é日\": 1,\n  \"é日\": 2\n}", `Not read: one object has this member name twice, line 3, column 3, in "/é日"`, 3, 3},
		{"[1,\n 9007199254740993]", `Not read: the number cannot be kept exactly as a double, line 2, column 2, in "/1"`, 2, 2},
		{"[1, 1e400]", `Not read: the number cannot be kept exactly as a double, line 1, column 5, in "/1"`, 1, 5},
		{`{"a": "\ud800"}`, `Not read: a string escapes half of a surrogate pair, line 1, column 8, in "/a"`, 1, 8},
		{"{}\n x", `Not read: something follows the document, line 2, column 2`, 2, 2},
		{"", `Not read: the text is not JSON, line 1, column 1`, 1, 1},
		{"{\"a\": 1,\n", `Not read: the text is not JSON, line 2, column 1`, 2, 1},
		{"[\"a\nb\"]", `Not read: the text is not JSON, line 1, column 4, in "/0"`, 1, 4},
		{strings.Repeat("[", 129) + strings.Repeat("]", 129), "", 1, 129},
	} {
		e := New(tt.text, false)
		v, problem, line, col := e.Check()
		if v != nil || line != tt.line || col != tt.col || tt.problem != "" && problem.String() != tt.problem {
			t.Errorf("%.40q: %s at %d:%d", tt.text, problem, line, col)
		}
		e.Goto(line, col)
		if l, c := e.Cursor(); l != line || c != col {
			t.Errorf("%.40q: the cursor goes to %d:%d, not %d:%d", tt.text, l, c, line, col)
		}
	}
	e := New(" {\"b\": 1,\n\"a\": 1.50}", false)
	if v, problem, _, _ := e.Check(); string(v) != `{"a":1.5,"b":1}` || problem.Len() > 0 {
		t.Errorf("%s, %s", v, problem)
	}
	e.Goto(99, 99)
	if l, c := e.Cursor(); l != 2 || c != 11 {
		t.Errorf("beyond the end: %d:%d", l, c)
	}
}

func TestEscapesStandOut(t *testing.T) {
	e := New(`"a\u202e\\u0041\u12\ud83d\ude00 `+strings.Repeat("x", 30)+`"`, false)
	for _, w := range []int{14, 15, 16, 17, 18, 19, 20, 60} {
		rows, _ := e.Render(look(false), w, 20)
		got := ""
		for _, l := range rows {
			for _, s := range l {
				if s.Role == themes.Warn {
					got += s.Text.String()
				}
			}
		}
		if got != `\u202e\ud83d\ude00` {
			t.Errorf("width %d: %q", w, got)
		}
	}
}

// TestNoEscapeIsTorn: a row that is wide enough holds escapes whole.
func TestNoEscapeIsTorn(t *testing.T) {
	for _, text := range []string{`"` + strings.Repeat(`\\\u00e9x`, 40) + `"`, `"` + strings.Repeat(`界\u00e9x`, 40) + `"`} {
		for tw := 8; tw < 40; tw++ {
			starts := rowStarts(text, tw)
			for i, from := range starts {
				end := len(text)
				if i+1 < len(starts) {
					end = starts[i+1]
				}
				l := text[from:end]
				if ansi.StringWidth(l) > tw || strings.Count(l, `u00e9`) != strings.Count(l, `\u00e9`) || strings.HasSuffix(l, `\u`) || i > 0 && from <= starts[i-1] {
					t.Fatalf("%d cells: row %d is %q", tw, i, l)
				}
			}
			if len(starts) > len(text)/(tw-7)+2 {
				t.Fatalf("%d rows of %d cells", len(starts), tw)
			}
		}
	}
}

func TestItIsFull(t *testing.T) {
	e := New(strings.Repeat("x", maxText-1), false)
	press(e, "<ctrl+end>y")
	if e.Full() || e.size != maxText {
		t.Error("one more fits")
	}
	press(e, "z")
	if !e.Full() || e.size != maxText {
		t.Error("one too many went in")
	}
	press(e, "<left>")
	if e.Full() {
		t.Error("it stays full")
	}
	if e = New(strings.Repeat("日", maxText/3+1), false); !e.Full() || e.size > maxText {
		t.Error("a longer text says nothing")
	}
	e = New("", false)
	for range 40 {
		e.Paste(strings.Repeat("y", maxText/2))
		press(e, "<ctrl+u>")
	}
	if e.kept > maxKept || e.kept < maxKept/2 {
		t.Errorf("%d bytes of changes are kept", e.kept)
	}
}
