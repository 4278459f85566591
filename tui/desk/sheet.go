package desk

import (
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
	at := head.Width()
	room := max(s.w-at-1, leastText)
	for {
		n := frame.Break(t, room)
		if n == 0 && t.Len() > 0 { // nothing of it has room: the pane is too narrow
			n = t.Len()
		}
		s.add(append(head, frame.T(role, t.Slice(0, n))))
		if n == t.Len() {
			return
		}
		t = t.Slice(n, t.Len())
		head = frame.Line{frame.Gap(at)}
	}
}

// leastText is how many cells a text gets, whatever stands before it.
const leastText = 8

// said is somebody's text, drawn and in quotes.
func (s *sheet) said(text string) visible.Text {
	return visible.Concat(visible.Own(`"`), inbox.Field(s.look, text), visible.Own(`"`))
}

// name is somebody's name.
func (s *sheet) name(text string) visible.Text { return inbox.Field(s.look, text) }

func (s *sheet) clock(ms int64) string { return say.ClockSec(ms, s.look.Now, s.look.Loc) }

// Window is the part of rows from top on in h rows, under a head that says what
// it is and where it stands; it gives the top that was possible.
func Window(look frame.Look, what string, rows []frame.Line, top, w, h int) ([]frame.Line, int) {
	body := max(h-1, 0)
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
	return out, top
}
