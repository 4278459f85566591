package frame

import (
	"strings"

	"nod/themes"
)

// Screen is a whole frame: H rows of W cells, and where the real cursor stands.
type Screen struct {
	W, H   int
	Rows   []Line
	Cursor Point
}

// Point is a cell, from 0. The zero Point hides the cursor: it never stands on
// row 0, where a terminal's report of it reads like a function key.
type Point struct{ X, Y int }

// New fits rows into w by h.
func New(w, h int, rows []Line) Screen {
	s := Screen{W: max(w, 0), H: max(h, 0)}
	s.Rows = make([]Line, s.H)
	for i := range s.Rows {
		if i < len(rows) {
			s.Rows[i] = rows[i].Fit(s.W)
		} else {
			s.Rows[i] = Line(nil).Fit(s.W)
		}
	}
	return s
}

// Plain is the screen's text: H lines of W cells.
func (s Screen) Plain() string {
	lines := make([]string, len(s.Rows))
	for i, l := range s.Rows {
		lines[i] = l.Plain()
	}
	return strings.Join(lines, "\n")
}

// Styled is the screen's text with the theme's sequences. Neighbouring spans
// of one style share one sequence.
func (s Screen) Styled(p Painter) string {
	var b, run strings.Builder
	for i, l := range s.Rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		for j, span := range l {
			run.WriteString(span.Text.String())
			if j+1 < len(l) && l[j+1].Role == span.Role && l[j+1].Sel == span.Sel && l[j+1].Under == span.Under {
				continue
			}
			if span.Under {
				b.WriteString(p.Underlined(span.Role, span.Sel, run.String()))
			} else {
				b.WriteString(p.Paint(span.Role, span.Sel, run.String()))
			}
			run.Reset()
		}
	}
	return b.String()
}

// Beside joins two panes of h rows with a divider column between them; left is
// w cells wide.
func Beside(left, right []Line, w, h int, divider Span) []Line {
	rows := make([]Line, h)
	for i := range rows {
		var l, r Line
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		row := append(l.Fit(w), divider)
		rows[i] = append(row, r...)
	}
	return rows
}

// Painter puts a theme's sequences around text. selected is the background of
// the selected row.
type Painter interface {
	Paint(role themes.Role, selected bool, text string) string
	// Underlined is Paint with an underline, in every theme.
	Underlined(role themes.Role, selected bool, text string) string
}
