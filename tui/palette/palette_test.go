package palette

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/frame/frametest"
)

func acts() []Entry {
	out := []Entry{
		{Act: "approve…", Key: "a", Why: "6 lines have not been on the screen", ID: 1},
		{Act: "deny…", Key: "x", ID: 2},
		{Act: "approve a marked batch…", Why: "nothing is marked", ID: 3},
		{Act: "grant this exact digest…", Also: "approve beforehand", ID: 4},
		{Act: "filter: approved today", ID: 5},
		{Act: "filter: snoozed", Key: "f", ID: 6},
	}
	for i := len(out); i < 61; i++ {
		out = append(out, Entry{Act: fmt.Sprintf("open session number %d", i), ID: i + 1})
	}
	return out
}

func look(ascii bool) frame.Look {
	if ascii {
		return frame.Look{Glyphs: frame.ASCII()}
	}
	return frame.Look{Glyphs: frame.Unicode()}
}

func plain(rows []frame.Line) string {
	var b strings.Builder
	for _, l := range rows {
		b.WriteString(l.Plain() + "\n")
	}
	return b.String()
}

func typed(p *Palette, s string) {
	for _, r := range s {
		p.Key(string(r), string(r))
	}
}

// TestTheScreen holds the rows against SCREENS §12, word for word.
func TestTheScreen(t *testing.T) {
	p := New(acts())
	typed(p, "appr")
	rows, cursor := p.Render(look(false), 80, 8)
	want := []string{
		" : appr",
		"   act                        key   why not now",
		"▌  (approve…)                 a     6 lines have not been on the screen",
		"   (approve a marked batch…)  –     nothing is marked",
		"   grant this exact digest…   –",
		"   filter: approved today     –",
		"",
		" 4 of 61 acts",
	}
	for i, l := range rows {
		if got := strings.TrimRight(l.Plain(), " "); i >= len(want) || got != want[i] {
			t.Errorf("row %d: %q", i, got)
		}
	}
	if cursor != (frame.Point{X: 7, Y: 0}) {
		t.Errorf("the cursor stands on %v", cursor)
	}
}

func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}} {
		for _, ascii := range []bool{false, true} {
			t.Run(fmt.Sprintf("%dx%d-ascii-%v", size[0], size[1], ascii), func(t *testing.T) {
				p := New(acts())
				typed(p, "o s 1")
				for range 9 {
					p.Key("down", "")
				}
				rows, _ := p.Render(look(ascii), size[0], size[1]-2)
				if ascii {
					for i := range rows {
						rows[i] = rows[i].ASCII()
					}
				}
				golden.RequireEqual(t, plain(rows))
			})
		}
	}
}

func TestWhatIsFoundFirst(t *testing.T) {
	entries := []Entry{
		{Act: "unfreeze", ID: 1}, // within
		{Act: "for ease", ID: 2}, // letters only
		{Act: "freeze…", ID: 3},  // a word
		{Act: "find rows even earlier", ID: 4},
		{Act: "to the freeze", ID: 5},
		{Act: "deny", ID: 6},
	}
	p := New(entries)
	typed(p, "fre")
	var got []int
	for _, m := range p.found {
		got = append(got, p.entries[m.entry].ID)
	}
	if fmt.Sprint(got) != "[3 5 4 1 2]" {
		t.Errorf("found %v", got)
	}
	p.Key("ctrl+u", "")
	if len(p.found) != 6 || p.found[5].entry != 5 {
		t.Errorf("nothing typed finds %d", len(p.found))
	}
	typed(p, "FREEZE TO") // each word, in any order and case
	if e, _ := p.Selected(); len(p.found) != 1 || e.ID != 5 {
		t.Errorf("found %v", p.found)
	}
	typed(p, "zzz")
	if ev, _ := p.Key("enter", ""); ev != None || len(p.found) != 0 {
		t.Error("nothing was found and something was chosen")
	}
}

// TestItNeverAnswers: choosing gives the entry and no more, and an entry that
// cannot be done is given as such.
func TestItNeverAnswers(t *testing.T) {
	p := New(acts())
	for _, tt := range []struct {
		key  string
		want Event
		id   int
	}{{"enter", NotNow, 1}, {"down", None, 0}, {"enter", Choose, 2}, {"a", None, 0}, {"x", None, 0}, {"space", None, 0}, {"esc", Close, 0}} {
		text := ""
		if len(tt.key) == 1 {
			text = tt.key
		}
		if ev, e := p.Key(tt.key, text); ev != tt.want || e.ID != tt.id {
			t.Errorf("%s: %v, %d", tt.key, ev, e.ID)
		}
	}
	p = New(acts())
	p.Paste("deny\n\r\nx")
	if e, some := p.Selected(); some {
		t.Errorf("a paste selected %v", e)
	}
	if p.Typed() != "deny  x" {
		t.Errorf("%q", p.Typed())
	}
}

func TestALongSearchIsCut(t *testing.T) {
	p := New(acts())
	p.Paste(strings.Repeat("é", maxTyped-1))
	p.Paste("abc")
	p.Key("d", "d")
	if got := []rune(p.Typed()); len(got) != maxTyped || got[maxTyped-1] != 'a' {
		t.Errorf("%d characters", len(got))
	}
}

func TestTheFoundLettersStandOut(t *testing.T) {
	p := New([]Entry{{Act: "deny now", ID: 1}})
	typed(p, "now")
	rows, _ := p.Render(look(false), 80, 6)
	var got string
	for _, s := range rows[2][2:] {
		if s.Role == themes.Accent {
			got += "[" + s.Text.String() + "]"
		}
	}
	if !strings.HasPrefix(got, "[now]") {
		t.Errorf("%q", got)
	}
}

func TestTheSelectionStaysOnItsEntry(t *testing.T) {
	p := New(acts())
	typed(p, "filter")
	p.Key("down", "")
	more := append([]Entry{{Act: "filter: new", ID: 99}}, acts()...)
	p.Update(more)
	if e, _ := p.Selected(); e.ID != 6 {
		t.Errorf("now on %d", e.ID)
	}
}

// TestHostile: whatever is typed, every row is as wide as the screen and holds
// nothing that a terminal obeys.
func TestHostile(t *testing.T) {
	for _, input := range frametest.Hostile(t, "../testdata") {
		p := New(acts())
		p.Paste(input)
		for _, w := range []int{1, 20, 60, 80, 121} {
			check(t, p, w, 9, false)
			check(t, p, w, 9, true)
		}
	}
}

type fataler interface {
	Fatalf(string, ...any)
}

func check(t fataler, p *Palette, w, h int, ascii bool) {
	rows, cursor := p.Render(look(ascii), w, h)
	if len(rows) > h || cursor.X < 0 || cursor.X >= w || cursor.Y < 0 || cursor.Y >= max(len(rows), 1) {
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

func TestNeverMoreThanTheScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := New(acts()[:rapid.IntRange(0, 61).Draw(t, "acts")])
		for _, k := range rapid.SliceOfN(rapid.SampledFrom([]string{"up", "down", "pgup", "pgdown", "a", "o", "s", "e", "space", "backspace", "left", "ctrl+u", "ctrl+j", "é", "界"}), 0, 40).Draw(t, "keys") {
			text := k
			if k == "space" {
				text = " "
			} else if len([]rune(k)) > 1 {
				text = ""
			}
			p.Key(k, text)
			if e, some := p.Selected(); some && e.ID == 0 {
				t.Fatal("an entry without an id")
			}
		}
		check(t, p, rapid.IntRange(1, 130).Draw(t, "w"), rapid.IntRange(1, 50).Draw(t, "h"), rapid.Bool().Draw(t, "ascii"))
	})
}
