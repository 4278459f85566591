package frame

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"nod/digest/visible"
	"nod/themes"
)

var samples = []string{
	"", "a", "Bash  go test ./...", strings.Repeat("x", 300), "日本語のテキスト日本語", "क्षि हिन्दी", "👩‍👩‍👧 flag 🇩🇪",
	"é" + strings.Repeat("\u0301", 9), "\x1b[2Jgone\u202E\u200B", "a\nb\tc", strings.Repeat("界", 100),
}

func TestFitIsExact(t *testing.T) {
	for _, s := range samples {
		for w := range 130 {
			line := Line{S(themes.Muted, "  "), T(themes.Text, visible.Row(s)), S(themes.OK, " end")}.Fit(w)
			if got := ansi.StringWidth(line.Plain()); got != w {
				t.Fatalf("%q at %d: %d cells", s, w, got)
			}
		}
	}
}

// A skin tone joins what stands before it, also when that is another span's.
func TestFitCountsWhatJoinsAcrossSpans(t *testing.T) {
	line := Line{T(themes.Text, visible.Drawn("🧑")), T(themes.Warn, visible.Drawn("⟨U+1F9D1⟩")), T(themes.Text, visible.Drawn("🏽"))}
	for w := range 30 {
		if got := ansi.StringWidth(line.Fit(w).Plain()); got != w {
			t.Errorf("at %d: %d cells", w, got)
		}
	}
}

func TestCutSaysHowManyCellsItHides(t *testing.T) {
	got := Cut(visible.Row(strings.Repeat("a", 30)), 10, 0, "…").String()
	if got != "aaaaaa…+24" {
		t.Errorf("%q", got)
	}
	if got := Cut(visible.Row("abc"), 10, 7, "…").String(); got != "abc…+7" {
		t.Errorf("what was left out before: %q", got)
	}
	if got := Cut(visible.Row("abc"), 3, 0, "…").String(); got != "abc" {
		t.Errorf("what fits is not cut: %q", got)
	}
	for _, s := range samples {
		for w := range 60 {
			if got := Width(Cut(visible.Row(s), w, 0, "…")); got > w {
				t.Fatalf("%q cut to %d takes %d", s, w, got)
			}
		}
	}
}

func TestEndsKeepsTheRight(t *testing.T) {
	left, right := Line{S(themes.Text, " nod  inbox and much more text")}, Line{S(themes.Danger, "FROZEN 14:02  local 14:32")}
	for w := 30; w < 80; w++ {
		got := Ends(left, right, w).Plain()
		if ansi.StringWidth(got) != w || !strings.HasSuffix(got, "FROZEN 14:02  local 14:32 ") {
			t.Fatalf("%d: %q", w, got)
		}
	}
}

func TestOurOwnWordsCannotCarryASequence(t *testing.T) {
	if got := S(themes.Text, "a\x1b[31mb\u202E").Text.String(); strings.ContainsAny(got, "\x1b\u202E") {
		t.Errorf("%q", got)
	}
}

type tags struct{}

func (tags) Paint(r themes.Role, sel bool, s string) string {
	if sel {
		return "<*" + r.String() + ">" + s
	}
	return "<" + r.String() + ">" + s
}

func (t tags) Underlined(r themes.Role, sel bool, s string) string { return "_" + t.Paint(r, sel, s) }

func TestNeighboursOfOneStyleShareASequence(t *testing.T) {
	s := New(8, 1, []Line{{S(themes.OK, "a"), S(themes.OK, "b"), Span{Text: visible.Own("c"), Role: themes.OK, Sel: true}}})
	if got := s.Styled(tags{}); got != "<ok>ab<*ok>c<*text>     " {
		t.Errorf("%q", got)
	}
	s = New(3, 1, []Line{{S(themes.OK, "a"), Span{Text: visible.Own("b"), Role: themes.OK, Under: true}, S(themes.OK, "c")}})
	if got := s.Styled(tags{}); got != "<ok>a_<ok>b<ok>c" {
		t.Errorf("%q", got)
	}
}

func TestTheSelectedRowStaysWhereItStands(t *testing.T) {
	var s Scroll
	s.Move(0, 0, 5, 100, 10) // on row 5
	if top := s.Top(5, 0, 100, 10); top != 0 {
		t.Errorf("top %d", top)
	}
	if top := s.Top(25, 0, 120, 10); 25-top != 5 { // 20 items came in above
		t.Errorf("the row moved to %d", 25-top)
	}
	s.Move(25, 0, 60, 120, 10)
	if top := s.Top(60, 0, 120, 10); 60-top != 9 {
		t.Errorf("a far jump puts it on row %d", 60-top)
	}
	s.Move(60, 0, 0, 120, 10)
	if top := s.Top(0, 0, 120, 10); top != 0 {
		t.Errorf("top %d", top)
	}
	s.Move(0, 0, 119, 120, 10)
	s.Move(119, 0, 3, 120, 10)
	if top := s.Top(3, 2, 120, 10); top != 1 {
		t.Errorf("the heading is gone: top %d", top)
	}
}

// TestAHeldRowStaysWhateverComesAndGoes: items that come or go above and below
// move it only when the operator moves next.
func TestAHeldRowStaysWhateverComesAndGoes(t *testing.T) {
	row := func(s *Scroll, at, lead, n, h int) int { return s.Pad(at, h) + at - s.Top(at, lead, n, h) }
	var s Scroll
	s.Hold() // nobody knows yet where it is
	if got := row(&s, 7, 1, 8, 5); got != 4 {
		t.Errorf("before any move it is on row %d", got)
	}
	s.Move(0, 0, 7, 10, 5)
	s.Move(7, 0, 6, 10, 5)
	for _, c := range [][3]int{{6, 0, 10}, {6, 0, 7}, {2, 0, 3}, {0, 0, 1}, {60, 3, 90}, {3, 3, 4}} {
		s.Hold()
		if got := row(&s, c[0], c[1], c[2], 5); got != 3 {
			t.Errorf("item %d of %d is on row %d", c[0], c[2], got)
		}
	}
	s.Move(0, 0, 1, 9, 5) // from row 3, with three blank rows above
	if got := row(&s, 1, 0, 9, 5); got != 1 {
		t.Errorf("after the move blank rows are left: row %d", got)
	}
	s.Hold()
	s.Free()
	if got := row(&s, 8, 0, 9, 5); got != 4 {
		t.Errorf("freed it is on row %d", got)
	}
	s.Bottom()
	if got := row(&s, 8, 0, 90, 5); got != 4 {
		t.Errorf("at the bottom it is on row %d", got)
	}
}

func TestEveryGlyphIsOneCellAndItsTwinIsASCII(t *testing.T) {
	u, a := Unicode(), ASCII()
	for _, g := range []string{u.Mark, u.Unknown, u.Mandated, u.Commit, u.Call, u.Alone, u.Question, u.Divider, u.Good, u.Bad, u.Over, u.OnWay, u.Notice, u.Frozen, u.None, u.Cut, u.Times, u.Unread, u.Now, u.Seen, u.Asked, u.Wrap, u.Dot, u.Feed} {
		if ansi.StringWidth(g) != 1 || visible.Drawn(g).String() != g {
			t.Errorf("%q", g)
		}
	}
	for _, g := range []string{a.Mark, a.Unknown, a.Mandated, a.Commit, a.Call, a.Alone, a.Question, a.Divider, a.Good, a.Bad, a.Over, a.OnWay, a.Notice, a.Frozen, a.None, a.Cut, a.Times, a.Unread, a.Now, a.Seen, a.Asked, a.Wrap, a.Dot, a.Feed} {
		if visible.ASCII(g) != g && g != `\n` {
			t.Errorf("%q", g)
		}
	}
}
