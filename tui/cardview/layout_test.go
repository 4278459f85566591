package cardview_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/displaywidth"
	"github.com/mattn/go-runewidth"

	"nod/digest/card"
	"nod/tui/cardview"
)

// fieldOf is the label field that a pane of this width has.
func fieldOf(width int, o cardview.Options) (indent, field int) {
	if o.Labels == 0 {
		o.Labels = cardview.LabelCells
	}
	if width < 44 || width < 2*o.Labels {
		return 0, 1
	}
	return o.Indent, o.Labels
}

func TestTakingTheLayoutAwayGivesTheCard(t *testing.T) {
	for name, c := range hostile(t) {
		lines := card.Lines(c)
		for width := 20; width <= 200; width++ {
			o := cardview.Options{Indent: width % 2, Groups: width%3 == 0}
			if width%5 == 0 {
				o.Labels = 24
			}
			for _, o.ASCII = range []bool{false, true} {
				l := cardview.New(lines, width, o)
				r := cardview.NewReading(l)
				if width%2 == 0 {
					r.Painted(1, l, 0, l.Rows())
					r.Confirm(1)
				}
				rows := screen(l, r)
				indent, field := fieldOf(width, o)
				got, err := undo(rows, indent, field, o.ASCII)
				if err != nil || got != string(c) {
					i := 0
					for i < len(got) && i < len(c) && got[i] == c[i] {
						i++
					}
					t.Fatalf("%s, %d cells, %+v: %v\ndiffers at %d\n got %.120q\nwant %.120q", name, width, o, err, i, got[i:], c[i:])
				}
				if width%9 == 2 || width < 24 {
					checkRows(t, fmt.Sprintf("%s, %d cells, %+v", name, width, o), rows, width, o.ASCII)
				}
			}
		}
	}
}

// checkRows holds what every row has to keep: no terminal thinks it wider than
// the pane, and nothing in it but drawn characters.
func checkRows(t *testing.T, what string, rows []string, width int, ascii bool) {
	t.Helper()
	for _, row := range rows {
		if w := max(ansi.StringWidth(row), displaywidth.String(row), runewidth.StringWidth(row)); w > width {
			t.Fatalf("%s: a row of %d cells: %q", what, w, row)
		}
		for _, r := range row {
			if r < ' ' || r >= 0x7f && r < 0xa0 || ascii && r > '~' && r != ' ' {
				t.Fatalf("%s: a row holds %U: %q", what, r, row)
			}
		}
	}
}

// TestNoCard lays out bytes that are no card: nothing of them may reach the
// terminal undrawn, and nothing may panic.
func TestNoCard(t *testing.T) {
	texts := []string{"", "\n", "\n\n", "│", " │ ", "a\n· │ b", "nod card v1\n · │ x\n │ \nlabel │", "\xff\xfe\n\xc3 │ \x80"}
	for _, r := range corpus(t, "terminal-escapes.jsonl") {
		texts = append(texts, r.Input, "nod card v1\n"+r.Input+" │ "+r.Input)
	}
	for _, s := range texts {
		for _, width := range []int{-1, 0, 20, 21, 60, 80} {
			for _, ascii := range []bool{false, true} {
				l := cardview.New(card.Lines([]byte(s)), width, cardview.Options{ASCII: ascii, Indent: 1})
				checkRows(t, fmt.Sprintf("%q", s), screen(l, cardview.NewReading(l)), max(width, 20), ascii)
			}
		}
	}
}

func TestLooksLikeTheScreens(t *testing.T) {
	c := render(t, map[string]any{"z": "git fetch origin && git switch -c hotfix/cart-total origin/main\nls\u200b"})
	l := cardview.New(card.Lines(c), 80, cardview.Options{Indent: 1})
	at := l.FirstRow(l.FindText(card.Lines(c)[l.LineAt(0)+1].Text))
	want := []string{
		`           kind │ call`,
		`           tool │ "Bash"`,
		`    environment │ "local"`,
		`            cwd │ "/home/mia/shop"`,
		`        reasons │ · default`,
		`            why │ · list of 1`,
		`          why/0 │ "no rule matches this call"`,
		`    arguments/z │ "git fetch origin && git switch -c hotfix/cart-total `,
		`              ↳ │ origin/main⏎`,
		`              · │ ls\u{200B}"`,
	}
	r := cardview.NewReading(l)
	rows := screen(l, r)[at : at+len(want)]
	for i := range want {
		if got := strings.TrimPrefix(rows[i], "░"); " "+got != want[i] {
			t.Errorf("row %d is %q\nwant %q", i, " "+got, want[i])
		}
	}
	l = cardview.New(card.Lines(c), 80, cardview.Options{Indent: 1, ASCII: true})
	if got := screen(l, r)[at+len(want)-1]; got != `.             . | ls\u{200B}"` {
		t.Errorf("the twin is %q", got)
	}
}

func TestWindow(t *testing.T) {
	for name, c := range hostile(t) {
		l := cardview.New(card.Lines(c), 61, cardview.Options{Groups: true})
		all := l.Window(0, l.Rows())
		if len(all) != l.Rows() {
			t.Fatalf("%s: %d rows of %d", name, len(all), l.Rows())
		}
		for top := 0; top < l.Rows(); top += 17 {
			for i, row := range l.Window(top, 23) {
				if want := all[top+i]; row.String() != want.String() || row.Line != want.Line || row.First != want.First || row.Last != want.Last {
					t.Fatalf("%s: row %d differs in a window from %d", name, top+i, top)
				}
				if l.LineAt(top+i) != row.Line || row.First != (l.FirstRow(row.Line) == top+i) || row.Last != (l.LastRow(row.Line) == top+i) {
					t.Fatalf("%s: row %d is not where it says", name, top+i)
				}
			}
			if p := l.PlaceOf(top); l.RowOf(p) != top && !strings.Contains(all[top].String(), " ") && all[top].String() != "" {
				t.Fatalf("%s: the place of row %d is on row %d", name, top, l.RowOf(p))
			}
		}
		for _, w := range []struct{ top, height int }{{-3, 5}, {l.Rows(), 9}, {l.Rows() - 1, 9}, {0, 0}, {0, -1}} {
			l.Window(w.top, w.height) // nothing outside is asked for
		}
		if l.Clamp(l.Rows()+5, 10) != l.Rows()-10 || l.Clamp(-1, 10) != 0 {
			t.Errorf("%s: clamp", name)
		}
	}
}

func TestPlaceHoldsAtEveryWidth(t *testing.T) {
	lines := card.Lines(hostile(t)["long"])
	wide := cardview.New(lines, 120, cardview.Options{})
	for _, width := range []int{20, 60, 80, 200} {
		l := cardview.New(lines, width, cardview.Options{})
		for row := 0; row < wide.Rows(); row += 7 {
			p := wide.PlaceOf(row)
			at := l.RowOf(p)
			if l.LineAt(at) != p.Line || l.PlaceOf(at).Offset > p.Offset {
				t.Fatalf("%d cells: row %d goes to row %d, %+v to %+v", width, row, at, p, l.PlaceOf(at))
			}
			if at+1 < l.Rows() && l.LineAt(at+1) == p.Line && l.PlaceOf(at+1).Offset <= p.Offset {
				t.Fatalf("%d cells: row %d goes to row %d, which is too early", width, row, at)
			}
		}
	}
}
