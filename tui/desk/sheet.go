package desk

import (
	"unicode/utf8"

	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/inbox"
	"nod/tui/say"
)

// labelCells is the column of the labels.
const labelCells = 11

// sheet collects rows for a pane of w cells.
type sheet struct {
	look frame.Look
	w    int
	rows []frame.Line
}

func (s *sheet) add(l frame.Line) { s.rows = append(s.rows, l) }

func (s *sheet) blank() { s.add(nil) }

func (s *sheet) heading(text string) { s.add(frame.Line{frame.S(themes.Muted, "   "+text)}) }

// fact is a label and a text beside it, wrapped under itself.
func (s *sheet) fact(label string, role themes.Role, t visible.Text) {
	s.hang(frame.Line{frame.Gap(3), frame.Col(themes.Muted, label, labelCells)}, role, t)
}

// hang sets a text after head, and goes on below its beginning.
func (s *sheet) hang(head frame.Line, role themes.Role, t visible.Text) {
	s.flow(head, head.Width(), role, t)
}

// flow sets a text after head and goes on below it at indent.
func (s *sheet) flow(head frame.Line, indent int, role themes.Role, t visible.Text) {
	for {
		n := frame.Break(t, max(s.w-head.Width()-1, leastText))
		if n == 0 && t.Len() > 0 {
			n = t.Len()
		}
		s.add(append(head, frame.T(role, t.Slice(0, n))))
		if n == t.Len() {
			return
		}
		t, head = t.Slice(n, t.Len()), frame.Line{frame.Gap(indent)}
	}
}

// leastText is how many cells a text gets, whatever stands before it.
const leastText = 8

// Cells of a text and of a name in a summary; the page has all of them. Nobody
// can push what others say out of sight by the length of what he says.
const (
	saidCells = 480
	nameCells = 80
)

// said is somebody's text, drawn and in quotes.
func (s *sheet) said(text string) visible.Text {
	return visible.Concat(visible.Own(`"`), s.cut(text, saidCells), visible.Own(`"`))
}

// name is somebody's name.
func (s *sheet) name(text string) visible.Text { return s.cut(text, nameCells) }

// cut draws at most so many cells of a text, and says how many it hides; of a
// long one the bytes.
func (s *sheet) cut(text string, cells int) visible.Text {
	hidden := 0
	if most := 4 * cells; len(text) > most {
		for !utf8.RuneStart(text[most]) {
			most--
		}
		hidden, text = len(text)-most, text[:most]
	}
	return frame.Cut(inbox.Field(s.look, text), cells, int64(hidden), s.look.Glyphs.Cut)
}

func (s *sheet) clock(ms int64) string { return say.ClockSec(ms, s.look.Now, s.look.Loc) }

// leastBody is how many rows of a summary stand above the answers before those
// are set apart, so that they are on the screen however much was said.
const leastBody = 16

// Body is how many of h rows the rows of a window scroll in, when foot stands
// below them; 0 for the foot where it has no room.
func Body(foot []frame.Line, h int) (body, below int) {
	body = max(h-1, 0)
	if n := len(foot); n > 0 && body-n >= leastBody {
		return body - n, n
	}
	return body, 0
}

// Window is the part of rows from top on in h rows, under a head that says what
// it is and where it stands. The foot stands below them, or after the last one
// where it has no room.
func Window(look frame.Look, what string, rows, foot []frame.Line, top, w, h int) []frame.Line {
	body, below := Body(foot, h)
	if below == 0 {
		rows = append(rows[:len(rows):len(rows)], foot...)
	}
	top = max(min(top, len(rows)-body), 0)
	head := frame.Line{frame.Gap(1), frame.S(themes.Faint, what)}
	if len(rows) > body {
		at := say.Number(int64(top+1)) + "-" + say.Number(int64(min(top+body, len(rows)))) + " of " + say.Number(int64(len(rows)))
		if head.Width()+2+len(at) < w {
			head = frame.Ends(head, frame.Line{frame.S(themes.Muted, at)}, w)
		}
	}
	out := []frame.Line{head.Fit(w)}
	for i := top; i < len(rows) && i < top+body; i++ {
		out = append(out, rows[i].Fit(w))
	}
	if below == 0 {
		return out
	}
	if len(rows) > body {
		for len(out) < 1+body {
			out = append(out, frame.Line(nil).Fit(w))
		}
	}
	for _, l := range foot {
		out = append(out, l.Fit(w))
	}
	return out
}
