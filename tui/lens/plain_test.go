package lens_test

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"nod/digest"
	"nod/digest/visible"
	"nod/themes"
	"nod/tui/lens"
)

func TestJSONIsIndented(t *testing.T) {
	a := ask(t, "t", map[string]any{
		"a": []any{1, "x", nil, []int{}, map[string]any{}}, "s": "set -eu\ncd /srv\r\nrm \u200B\t\"q\" \\n", "z b": map[string]any{"k": true},
	})
	l := lens.New(lens.JSON, in(t, a))
	same(t, whole(l, look(false), 80), `
 json · not part of what you approve · the arguments
 {
   "a": [
     1,
     "x",
     null,
     [],
     {}
   ],
   "s": "set -eu⏎
     · cd /srv␍⏎
     · rm \u{200B}⇥   "q" \n",
   "z\u{20}b": {
     "k": true
   }
 }
 15 rows`)
	same(t, whole(l, ascii(look(true)), 80), `
 json | not part of what you approve | the arguments
 {
   "a": [
     1,
     "x",
     null,
     [],
     {}
   ],
   "s": "set -eu\n
     . cd /srv\r\n
     . rm \u{200B}\t   "q" \\n",
   "z\u{20}b": {
     "k": true
   }
 }
 15 rows`)
}

// TestAStringIsNoMember: the lines of a string cannot be taken for members, on
// the screen or in the lines of a console without one.
func TestAStringIsNoMember(t *testing.T) {
	honest := in(t, ask(t, "t", map[string]any{"a": "x", "b": map[string]any{"k": "y"}}))
	forged := in(t, ask(t, "t", map[string]any{"a": "x\",\n\"b\": {\n  \"k\": \"y\"\n}"}))
	members := map[string]bool{}
	for _, row := range lens.New(lens.JSON, honest).Plain(look(false)) {
		members[strings.TrimSuffix(strings.TrimSpace(row.String()), ",")] = true
	}
	for _, rows := range [][]string{strings.Split(whole(lens.New(lens.JSON, forged), look(false), 80), "\n"), texts(lens.New(lens.JSON, forged).Plain(look(false)))} {
		for _, row := range rows {
			if row = strings.TrimSpace(strings.TrimRight(row, "⏎,")); members[row] && strings.ContainsAny(row, `b"k`) && strings.Contains(row, ":") && !strings.HasPrefix(row, `"a"`) {
				t.Errorf("a line of a string reads as the member %s", row)
			}
		}
	}
}

func texts(rows []visible.Text) (out []string) {
	for _, r := range rows {
		out = append(out, r.String())
	}
	return out
}

func TestEditedArguments(t *testing.T) {
	i := in(t, ask(t, "Bash", bash{"rm -rf build"}, func(a *digest.Ask) {
		a.DerivedFrom = &digest.Derived{Ask: "01936f2a-7c1e-7000-8000-000000000002", By: "mia"}
	}))
	i.Original = ask(t, "Bash", bash{"rm -rf build .cache"})
	l := lens.New(lens.Edited, i)
	same(t, whole(l, look(false), 80), `
 word diff · not part of what you approve
 against the ask that was edited, by mia
   1   1    {
   2     -    "command": "rm -rf build .cache"
       2 +    "command": "rm -rf build"
   3   3    }
 1 of 3 lines changed, 0 added, 0 removed · all arguments`)
	var under []string
	for _, row := range l.Render(look(false), 80, 20) {
		for _, s := range row {
			if s.Under {
				under = append(under, s.Role.String()+s.Text.String())
			}
		}
	}
	if got := strings.Join(under, "|"); got != "danger .cache" {
		t.Errorf("underlined: %q", got)
	}
}

func TestPlainBracketsTheWords(t *testing.T) {
	i := in(t, ask(t, "Write", write{"/f", "a b\nkept\nnew line here\n"}, bound("a c d\nkept\n")))
	i.File = file("a c d\nkept\n")
	var got []string
	for _, s := range lens.New(lens.Diff, i).Plain(look(true)) {
		got = append(got, s.String())
	}
	same(t, strings.Join(got, "\n"), `word diff · not part of what you approve
against the file on disk at 14:30:12, operand digest equal
1 before: a [-c d-]
1 after: a {+b+}
2: kept
3 added: new line here
1 of 2 lines changed, 1 added, 0 removed · whole file`)
	got = got[:0]
	for _, s := range lens.New(lens.Shell, in(t, ask(t, "Bash", bash{"a && rm b"}))).Plain(look(false)) {
		got = append(got, s.String())
	}
	same(t, strings.Join(got, "\n"), `shell · not part of what you approve · a command a row
a
&& rm b
! deletes files
2 commands of /command · not everything is named`)
}

// TestRawIsTheBytes: the hex digits are the ask's bytes, at every width.
func TestRawIsTheBytes(t *testing.T) {
	i := in(t, ask(t, "Bash", bash{"ls \u0430\n"}))
	for w := 20; w < 100; w++ {
		l := lens.New(lens.Raw, i)
		var got []byte
		rows := l.Render(look(true), w, 1<<20)
		for n, row := range rows[1 : len(rows)-1] {
			s := row.Plain()[9:]
			per := 2
			for per < 16 && 9+8*per+2 <= w {
				per *= 2
			}
			b, err := hex.DecodeString(strings.ReplaceAll(s[:3*per], " ", ""))
			if err != nil {
				t.Fatalf("%d: %q: %v", w, s, err)
			}
			if n == 0 && strings.TrimSpace(row.Plain()[:7]) != "000000" {
				t.Fatalf("offset %q", row.Plain())
			}
			got = append(got, b...)
		}
		if !bytes.Equal(got, i.Raw) {
			t.Fatalf("at %d the bytes are others", w)
		}
	}
}

func TestStrip(t *testing.T) {
	kinds := []lens.Kind{lens.Diff, lens.JSON, lens.Precedent, lens.Escapes, lens.Raw}
	for _, c := range []struct {
		split   bool
		current lens.Kind
		n, w    int
		want    string
	}{
		{true, lens.Diff, 0, 120, " [diff]  json  precedent  escapes 0  raw                                       only the card, on the right, is approved"},
		{false, lens.Card, 1, 80, " [card]  diff  json  precedent  escapes 1  raw        only the card is approved"},
		{false, lens.Raw, 1, 60, " card  diff  json  precedent  escapes 1  [raw]"},
		{false, lens.Raw, 1, 40, " card  diff  json  precedent  [raw]  …+1"},
		{false, lens.Raw, 1, 20, " card  [raw]  …+4"},
	} {
		got := lens.Strip(look(c.split), kinds, c.current, c.n, c.w)
		if s := strings.TrimRight(got.Plain(), " "); s != c.want || got.Width() != c.w {
			t.Errorf("%d:\n%q\n%q", c.w, s, c.want)
		}
		for _, s := range got {
			if strings.HasPrefix(s.Text.String(), "[") != (s.Role == themes.Accent) {
				t.Errorf("%q is %s", s.Text, s.Role)
			}
		}
	}
}

func TestWhichLensesThereAre(t *testing.T) {
	for _, c := range []struct {
		ask  *digest.Ask
		want string
	}{
		{ask(t, "Bash", bash{"ls"}), "shell json precedent escapes raw"},
		{ask(t, "Write", write{"/f", "x"}), "diff json precedent escapes raw"},
		{ask(t, "t", 1), "json precedent escapes raw"},
	} {
		var got []string
		for _, k := range lens.Kinds(lens.In{Ask: c.ask}) {
			got = append(got, k.String())
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q, want %q", s, c.want)
		}
	}
}

// TestEveryLensSaysWhatItIs: the first row names the lens and that it is not
// part of what is approved, also in one row of 60 cells.
func TestEveryLensSaysWhatItIs(t *testing.T) {
	i := in(t, ask(t, "Write", map[string]string{"file_path": "/f", "content": "x", "command": "ls"}))
	i.Original = i.Ask
	for _, k := range lens.Kinds(i) {
		for _, h := range []int{1, 2, 30} {
			first := plain(lens.New(k, i).Render(look(true), 60, h)[:1])
			word := k.String()
			if k == lens.Edited {
				word = "diff"
			}
			if !strings.Contains(first, word) || !strings.Contains(first, "not part of what you approve") {
				t.Errorf("%s: %q", k, first)
			}
		}
	}
}

// TestALensOfNothing: whatever is missing, a lens says so and stands.
func TestALensOfNothing(t *testing.T) {
	bare := &digest.Ask{Kind: digest.KindQuestion, Question: &digest.Question{Text: "x"}}
	for _, i := range []lens.In{{}, {Ask: bare}, {Ask: &digest.Ask{Action: &digest.Action{}}}, {Ask: bare, Original: bare, File: &lens.File{}, Before: []lens.Case{{}}}} {
		for k := lens.Diff; k <= lens.Raw; k++ {
			l := lens.New(k, i)
			holds(t, l.Render(look(false), 80, 20), look(false), 80, 20)
			l.Scroll(look(false), 5, 80, 20)
			l.Jump(look(false), false, 80, 20)
			l.Plain(look(false))
		}
	}
}

// TestScrolling: a window moves by rows, stops at both ends, says where it is,
// and stays with its line when the width changes.
func TestScrolling(t *testing.T) {
	var text strings.Builder
	for n := range 300 {
		text.WriteString(strings.Repeat("word ", n%30) + "\n")
	}
	l := diffOf(t, "Write", write{"/f", text.String()}, file(""))
	lk := look(true)
	line := func(w int) string { return strings.Fields(l.Render(lk, w, 20)[2].Plain())[0] }
	if got := screen(l, lk, 59, 20); !strings.Contains(got, "1-17 of ") {
		t.Error(got)
	}
	l.Scroll(lk, 1<<40, 59, 20)
	if rows := l.Render(lk, 59, 20); !strings.HasPrefix(strings.TrimSpace(rows[18].Plain()), "↳") && !strings.HasPrefix(strings.TrimSpace(rows[18].Plain()), "300") {
		t.Errorf("not at the end: %q", rows[18].Plain())
	}
	l.Scroll(lk, math.MaxInt, 59, 20)
	if at := line(59); at == "1" {
		t.Error("the largest step went to the top")
	}
	l.Scroll(lk, math.MinInt, 59, 20)
	if got := line(59); got != "1" {
		t.Errorf("not at the top: %q", got)
	}
	l.Scroll(lk, 100, 59, 20)
	for line(59) == "↳" {
		l.Scroll(lk, 1, 59, 20)
	}
	at := line(59)
	for w := 40; w < 110; w += 7 {
		if got := line(w); got != at {
			t.Errorf("at %d cells the first line is %s, it was %s", w, got, at)
		}
	}
	if n := l.Page(lk, 59, 20); n != 16 {
		t.Errorf("a page is %d rows", n)
	}
}

// TestJumping goes from one run of changes to the next, and back.
func TestJumping(t *testing.T) {
	var old, new strings.Builder
	for n := range 300 {
		line := strings.Repeat("x", n) + "\n"
		old.WriteString(line)
		if n == 100 || n == 101 || n == 200 {
			line = "new " + line
		}
		new.WriteString(line)
	}
	l := diffOf(t, "Write", write{"/f", new.String()}, file(old.String()))
	lk := look(true)
	at := func() string { return strings.Fields(l.Render(lk, 59, 20)[2].Plain())[0] }
	for _, c := range []struct {
		back, ok bool
		want     string
	}{{false, true, "101"}, {false, true, "201"}, {false, false, "201"}, {true, true, "101"}, {true, false, "101"}} {
		if ok := l.Jump(lk, c.back, 59, 20); ok != c.ok || at() != c.want {
			t.Fatalf("back %v: %v, on line %s, want line %s", c.back, ok, at(), c.want)
		}
	}
	if lens.New(lens.Raw, in(t, ask(t, "t", 1))).Jump(lk, false, 59, 20) {
		t.Error("raw has nothing to jump to")
	}
}

// TestWrappedRowsHoldTheLine: taking gutter and ↳ away gives the drawn line
// back, at every width.
func TestWrappedRowsHoldTheLine(t *testing.T) {
	text := "a long line with a \u200B and 界界界 and \\u{41} and " + strings.Repeat("x", 80) + " " + strings.Repeat("e\u0301", 40)
	l := diffOf(t, "Write", write{"/f", text + "\n"}, file(""))
	for w := 20; w < 130; w++ {
		var b strings.Builder
		rows := l.Render(look(false), w, 1<<10)
		for _, row := range rows[2 : len(rows)-1] {
			head := 12
			if w < 36 {
				head = 4
			}
			s := []rune(row.Plain())
			b.WriteString(string(s[head:]))
		}
		if got := undraw(t, b.String(), false); got != text {
			t.Fatalf("at %d: %q", w, got)
		}
	}
}
