package lens

import (
	"sort"

	"nod/digest/visible"
	"nod/themes"
	"nod/tui/cardview"
	"nod/tui/frame"
)

// sheet is what a lens shows, as rows that are drawn when they are asked for,
// so that a long one costs what is on the screen.
type sheet interface {
	heads(p pen, look frame.Look) []frame.Line
	foot(p pen) frame.Line
	rows(w int) int
	// text draws what stands on row i and says how many cells stand before it
	// on a pane of w cells.
	text(i int, p pen, w int) (t visible.Text, head int)
	// dress gives the cells before t and the roles in it.
	dress(i int, p pen, w int, t visible.Text) dressed
}

// dressed is a row of a sheet beside its text.
type dressed struct {
	head  frame.Line
	role  themes.Role
	marks []mark // in order, apart
}

// mark is a part of a text, in bytes, that is drawn otherwise.
type mark struct {
	from, to int
	role     themes.Role
	under    bool
}

const (
	leastWidth = 20 // narrower is laid out as if it were this wide, and cut
	leastText  = 8  // cells for text, whatever stands before it
)

// layout is a sheet wrapped for one width and one pen.
type layout struct {
	sheet  sheet
	pen    pen
	w      int
	first  []int32  // the first screen row of every row, and one more
	starts []uint32 // where the text of each screen row begins
	bytes  int      // of all text
	kept   [2]kept  // the last long rows that were drawn, the newest first
}

// kept is a row that was drawn, of whose text there is more than one screen
// shows.
type kept struct {
	row   int
	text  visible.Text
	dress dressed
}

func newLayout(s sheet, p pen, w int) *layout {
	l := &layout{sheet: s, pen: p, w: max(w, leastWidth), kept: [2]kept{{row: -1}, {row: -1}}}
	n := s.rows(l.w)
	l.first = make([]int32, n+1)
	l.starts = make([]uint32, 0, n)
	for i := range n {
		l.first[i] = int32(len(l.starts))
		t, head := s.text(i, p, l.w)
		text, cells := t.String(), l.cells(head)
		l.bytes += len(text)
		for from := 0; ; {
			l.starts = append(l.starts, uint32(from))
			from += cardview.Break(text[from:], cells)
			if from >= len(text) {
				break
			}
		}
	}
	l.first[n] = int32(len(l.starts))
	return l
}

// cells is the room for text beside head cells. A space may hang in the last
// one.
func (l *layout) cells(head int) int { return max(l.w-head-1, leastText) }

// rows is how many screen rows there are.
func (l *layout) rows() int { return len(l.starts) }

// rowAt is the sheet's row that stands on a screen row.
func (l *layout) rowAt(at int) int {
	return sort.Search(len(l.first)-1, func(i int) bool { return int(l.first[i+1]) > at })
}

// window draws n screen rows from top on.
func (l *layout) window(top, n int) []frame.Line {
	end := min(top+n, l.rows())
	var out []frame.Line
	for at := top; at < end; {
		i := l.rowAt(at)
		t, d := l.draw(i)
		for ; at < end && at < int(l.first[i+1]); at++ {
			out = append(out, l.line(i, at, t, d))
		}
	}
	return out
}

// longRow is the length in bytes from which a drawn row is kept for the next
// frame: one row may fill many screens, and where one ends the next begins.
const longRow = 4 << 10

// draw draws row i.
func (l *layout) draw(i int) (visible.Text, dressed) {
	if l.kept[1].row == i {
		l.kept[0], l.kept[1] = l.kept[1], l.kept[0]
	}
	if l.kept[0].row == i {
		return l.kept[0].text, l.kept[0].dress
	}
	t, _ := l.sheet.text(i, l.pen, l.w)
	d := l.sheet.dress(i, l.pen, l.w, t)
	if t.Len() >= longRow {
		l.kept[1], l.kept[0] = l.kept[0], kept{i, t, d}
	}
	return t, d
}

// line is one screen row of row i.
func (l *layout) line(i, at int, t visible.Text, d dressed) frame.Line {
	from, to := int(l.starts[at]), t.Len()
	if at+1 < int(l.first[i+1]) {
		to = int(l.starts[at+1])
	}
	out := make(frame.Line, 0, len(d.head)+3)
	if at == int(l.first[i]) {
		out = append(out, d.head...)
	} else {
		n := d.head.Width()
		out = append(out, frame.Gap(n-2), frame.S(themes.Faint, l.pen.glyphs.Wrap), frame.Gap(min(n-1, 1)))
		if n < 2 {
			out = frame.Line{frame.S(themes.Faint, l.pen.glyphs.Wrap)}
		}
	}
	return appendMarked(out, t, from, to, d)
}

// appendMarked appends the bytes from up to to of t in their roles.
func appendMarked(out frame.Line, t visible.Text, from, to int, d dressed) frame.Line {
	k := sort.Search(len(d.marks), func(k int) bool { return d.marks[k].to > from })
	for ; from < to; k++ {
		if k == len(d.marks) || d.marks[k].from >= to {
			return append(out, frame.T(d.role, t.Slice(from, to)))
		}
		m := d.marks[k]
		if m.from > from {
			out = append(out, frame.T(d.role, t.Slice(from, m.from)))
			from = m.from
		}
		end := min(m.to, to)
		if end > from {
			out = append(out, frame.Span{Text: t.Slice(from, end), Role: m.role, Under: m.under})
			from = end
		}
	}
	return out
}
