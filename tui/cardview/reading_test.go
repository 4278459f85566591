package cardview_test

import (
	"strings"
	"testing"

	"nod/digest/card"
	"nod/tui/cardview"
)

func strip(r *cardview.Reading, l *cardview.Layout, top, height int) string {
	var b strings.Builder
	for _, s := range r.Strip(l, top, height) {
		b.WriteString(s.Text.String())
	}
	return b.String()
}

func numbered(t testing.TB, lines int) []card.Line {
	return card.Lines(render(t, map[string]any{"c": strings.TrimSuffix(strings.Repeat("line\n", lines), "\n")}))
}

func TestReadOnlyWhenConfirmed(t *testing.T) {
	l := cardview.New(numbered(t, 30), 80, cardview.Options{})
	r := cardview.NewReading(l)
	all := l.Lines()
	r.Painted(1, l, 0, 10)
	if r.Seen() != 0 || r.Unread() != all {
		t.Fatal("a painted frame counts before it is confirmed")
	}
	if n := r.Confirm(2); n != 0 || r.Seen() != 0 {
		t.Fatal("a frame nobody painted counts")
	}
	if n := r.Confirm(1); n != 10 || r.Seen() != 10 || r.Unread() != all-10 {
		t.Fatalf("%d newly read, %d seen", n, r.Seen())
	}
	if n := r.Confirm(1); n != 0 {
		t.Error("a frame counts twice")
	}
	r.Painted(3, l, 10, 10)
	r.Painted(4, l, 20, 10)
	r.Confirm(4)
	if r.Read(15) || !r.Read(25) {
		t.Error("a frame that was overtaken counts, or the newest does not")
	}
	if r.Confirm(3) != 0 || r.Read(15) {
		t.Error("an older frame is confirmed after a newer one")
	}
	if n, ok := r.NextUnread(0); !ok || n != 10 {
		t.Errorf("next unread is %d", n)
	}
	if n, ok := r.NextUnread(20); !ok || n != 30 {
		t.Errorf("next unread from 20 is %d", n)
	}
	if n, ok := r.NextUnread(all); !ok || n != 10 {
		t.Errorf("next unread from the end is %d", n)
	}
	r.Painted(5, l, 10, 10)
	r.Drop()
	if r.Confirm(5) != 0 {
		t.Error("a dropped frame counts")
	}
	r.Painted(6, l, 0, l.Rows())
	r.Confirm(6)
	if _, ok := r.NextUnread(0); ok || r.Unread() != 0 || r.Seen() != all {
		t.Errorf("%d unread after all was shown", r.Unread())
	}
	r.Reset()
	if r.Unread() != all || r.Read(0) {
		t.Error("what was reset is still read")
	}
}

// TestHalfALine: a line whose last row is below the edge does not count, and
// one taller than the window is read over several frames.
func TestHalfALine(t *testing.T) {
	lines := card.Lines(render(t, map[string]any{"c": strings.Repeat("x", 1000)}))
	l := cardview.New(lines, 60, cardview.Options{})
	r := cardview.NewReading(l)
	at := 0
	for at < l.Lines() && l.LastRow(at)-l.FirstRow(at) < 10 {
		at++
	}
	first, last := l.FirstRow(at), l.LastRow(at)
	frame := uint64(0)
	show := func(top, height int) {
		frame++
		r.Painted(frame, l, top, height)
		r.Confirm(frame)
	}
	if show(first, last-first); r.Read(at) {
		t.Error("read without its last row")
	}
	if show(last, 5); !r.Read(at) {
		t.Error("not read although every row of it was shown")
	}
	r.Reset()
	for row := first; row <= last; row++ {
		if row != first+3 {
			show(row, 1)
		}
	}
	if r.Read(at) {
		t.Error("read without its fourth row")
	}
	// A resize keeps what was shown: the missing part is found by bytes.
	narrow := cardview.New(lines, 33, cardview.Options{})
	frame++
	from := narrow.RowOf(l.PlaceOf(first + 3))
	to := narrow.RowOf(l.PlaceOf(first + 4))
	r.Painted(frame, narrow, from, to-from+1)
	r.Confirm(frame)
	if !r.Read(at) {
		t.Error("not read although the rest was shown at another width")
	}
}

// TestCorpusLong pages through what long-arguments.jsonl describes, on the
// tiniest screen and another: nothing counts before its end was shown, and
// paging shows all.
func TestCorpusLong(t *testing.T) {
	if n := len(corpus(t, "long-arguments.jsonl")); n != 18 {
		t.Fatalf("%d rows", n)
	}
	texts := long()
	texts["narrow-20col"] = "git push --force origin main"
	texts["1m"] = strings.Repeat("a", 1<<20)
	for name, s := range texts {
		lines := card.Lines(render(t, map[string]any{"command": s}))
		for _, size := range []struct{ width, height int }{{20, 3}, {60, 11}, {118, 30}} {
			l := cardview.New(lines, size.width, cardview.Options{})
			r := cardview.NewReading(l)
			frame := uint64(0)
			for top := 0; top < l.Rows(); top += size.height {
				if r.Unread() == 0 {
					t.Fatalf("%s, %+v: all counts as read at row %d of %d", name, size, top, l.Rows())
				}
				frame++
				r.Painted(frame, l, top, size.height)
				r.Confirm(frame)
			}
			if r.Unread() != 0 {
				t.Errorf("%s, %+v: %d lines unread after paging through", name, size, r.Unread())
			}
		}
	}
}

// TestTwinsAreNotMixed: what was shown of a line in ASCII says nothing about
// its rows in the other drawing.
func TestTwinsAreNotMixed(t *testing.T) {
	lines := card.Lines(render(t, map[string]any{"c": strings.Repeat("é", 200)}))
	twin := cardview.New(lines, 60, cardview.Options{ASCII: true})
	l := cardview.New(lines, 60, cardview.Options{})
	r := cardview.NewReading(twin)
	at := 0
	for at < l.Lines() && l.LastRow(at)-l.FirstRow(at) < 4 {
		at++
	}
	r.Painted(1, twin, twin.FirstRow(at), 15)
	r.Confirm(1)
	r.Painted(2, l, l.LastRow(at), 1)
	r.Confirm(2)
	if r.Read(at) {
		t.Error("read although its middle was shown in neither drawing")
	}
}

func TestResizeKeepsWhatWasRead(t *testing.T) {
	lines := numbered(t, 50)
	l := cardview.New(lines, 100, cardview.Options{})
	r := cardview.NewReading(l)
	r.Painted(1, l, 0, 20)
	r.Confirm(1)
	seen := r.Seen()
	small := cardview.New(lines, 40, cardview.Options{})
	r.Drop()
	if r.Seen() != seen || !r.Read(0) || r.Read(seen) {
		t.Error("a resize changes what was read")
	}
	other := cardview.New(numbered(t, 3), 40, cardview.Options{})
	r.Painted(2, other, 0, 99)
	if r.Confirm(2) != 0 {
		t.Error("another card counts")
	}
	r.Painted(3, small, 0, small.Rows())
	if r.Confirm(3); r.Unread() != 0 {
		t.Errorf("%d unread at the new width", r.Unread())
	}
}

func TestSkip(t *testing.T) {
	l := cardview.New(numbered(t, 30), 80, cardview.Options{})
	r := cardview.NewReading(l)
	r.Painted(1, l, 0, 10)
	r.Confirm(1)
	left := l.Lines() - 10
	for _, n := range []int{0, -1, left - 1, left + 1, l.Lines()} {
		if r.Skip(n) || r.Skipped() != 0 {
			t.Errorf("%d lines can be skipped where %d are left", n, left)
		}
	}
	if !r.Skip(left) || r.Unread() != 0 || r.Skipped() != left || r.Seen() != 10 {
		t.Errorf("skipped %d, unread %d, seen %d", r.Skipped(), r.Unread(), r.Seen())
	}
	if !strings.Contains(strip(r, l, 0, 10), "░") || r.Read(20) {
		t.Error("what was skipped looks like read")
	}
	r.Painted(2, l, 10, 5)
	if r.Confirm(2); r.Skipped() != left-5 || r.Unread() != 0 || r.Seen() != 15 {
		t.Errorf("after reading on: skipped %d, unread %d, seen %d", r.Skipped(), r.Unread(), r.Seen())
	}
}

func TestStripNeverFlatters(t *testing.T) {
	for _, n := range []int{1, 2, 11, 12, 13, 100, 1000} {
		lines := numbered(t, n)
		for _, ascii := range []bool{false, true} {
			l := cardview.New(lines, 80, cardview.Options{ASCII: ascii})
			unread, now, before := "░", "━", "─"
			if ascii {
				unread, now, before = ".", "=", "-"
			}
			for _, missing := range []int{0, l.Lines() / 2, l.Lines() - 1} {
				r := cardview.NewReading(l)
				r.Painted(1, l, 0, missing)
				r.Confirm(1)
				r.Painted(2, l, missing+1, l.Rows())
				r.Confirm(2)
				s := strip(r, l, 0, l.Rows())
				if r.Unread() != 1 || !strings.Contains(s, unread) || len([]rune(s)) != cardview.StripCells {
					t.Errorf("%d lines, line %d unread: %s", l.Lines(), missing, s)
				}
				r.Painted(3, l, 0, l.Rows())
				r.Confirm(3)
				if s := strip(r, l, 0, l.Rows()); s != strings.Repeat(now, cardview.StripCells) {
					t.Errorf("%d lines, all read and on the screen: %s", l.Lines(), s)
				}
				if l.Lines() > 24 {
					s := strip(r, l, 0, l.Rows()/2)
					if !strings.HasPrefix(s, now+now+now) || !strings.HasSuffix(s, before+before+before) || strings.Contains(s, unread) {
						t.Errorf("%d lines, half on the screen: %s", l.Lines(), s)
					}
				}
			}
		}
	}
}

// TestStripOfTheScreens holds the strips of SCREENS §3, 4, 5 and 13.
func TestStripOfTheScreens(t *testing.T) {
	for _, c := range []struct {
		all, read, first, last int // lines, counted from 1
		want                   string
	}{
		{35, 29, 14, 29, "────━━━━━━░░"},
		{40, 29, 15, 29, "────━━━━░░░░"},
		{35, 35, 20, 35, "──────━━━━━━"},
		{32, 32, 14, 28, "─────━━━━━━─"},
		{32, 32, 14, 21, "─────━━━────"},
	} {
		base := len(numbered(t, 1))
		lines := numbered(t, c.all-base+1)
		l := cardview.New(lines, 120, cardview.Options{})
		if l.Lines() != c.all {
			t.Fatalf("%d lines, want %d", l.Lines(), c.all)
		}
		r := cardview.NewReading(l)
		r.Painted(1, l, 0, l.LastRow(c.read-1)+1)
		r.Confirm(1)
		top := l.FirstRow(c.first - 1)
		if got := strip(r, l, top, l.LastRow(c.last-1)+1-top); got != c.want {
			t.Errorf("lines %d-%d of %d: %s, want %s", c.first, c.last, c.all, got, c.want)
		}
	}
}

func TestGutter(t *testing.T) {
	l := cardview.New(numbered(t, 5), 80, cardview.Options{})
	r := cardview.NewReading(l)
	last := l.Lines() - 1 // it is wrapped
	rows := l.Window(l.FirstRow(last), 2)
	if a, b := r.Gutter(l, rows[0], last), r.Gutter(l, rows[1], last); a.Text.String() != "▸" || b.Text.String() != "░" {
		t.Errorf("a wrapped line is asked for with %q and %q", a.Text, b.Text)
	}
	r.Painted(1, l, 0, 2)
	r.Confirm(1)
	rows = l.Window(0, l.Rows())
	for i, want := range []string{" ", "▸", "░"} {
		if got := r.Gutter(l, rows[i], 1).Text.String(); got != want {
			t.Errorf("the gutter of row %d is %q, want %q", i, got, want)
		}
	}
}

// Going on to what was not shown ends, also inside a line that is many screens
// long, and however few rows there are.
func TestTheNextUnreadPlaceLeadsToTheEnd(t *testing.T) {
	lines := card.Lines(render(t, map[string]any{"c": strings.Repeat("0123456789 ", 2000)}))
	for _, height := range []int{1, 3, 11} {
		for _, ascii := range []bool{false, true} {
			l := cardview.New(lines, 80, cardview.Options{ASCII: ascii})
			r := cardview.NewReading(l)
			id := uint64(0)
			for steps := 0; ; steps++ {
				n, ok := r.NextUnread(0)
				if !ok {
					break
				}
				if steps > l.Rows() {
					t.Fatalf("height %d: still at line %d after %d steps", height, n, steps)
				}
				id++
				r.Painted(id, l, l.Clamp(l.RowOf(r.Gap(n)), height), height)
				r.Confirm(id)
			}
			if r.Unread() != 0 {
				t.Errorf("%d lines are unread", r.Unread())
			}
		}
	}
}
