package cardview

import (
	"sort"

	"nod/digest/card"
	"nod/digest/visible"
)

// LabelCells is the width of the label field (SCREENS §A).
const LabelCells = 13

const (
	leastWidth  = 20 // narrower is laid out as if it were this wide
	narrowWidth = 44 // below it every label has a row of its own
	barCells    = 3  // " │ "
)

// Options say how to lay out.
type Options struct {
	ASCII  bool // draw the --ascii twin
	Indent int  // blank cells between gutter and label: 1 on a whole screen, 0 beside a divider
	Labels int  // cells of the label field; 0 means LabelCells
	Groups bool // a blank row between groups of lines
}

// Layout is a card wrapped for one width. It is immutable.
type Layout struct {
	opts   Options
	width  int
	field  int // cells of the label field
	cells  int // cells of a row of text, without the margin that a space may hang in
	glyphs glyphs
	card   []card.Line
	twins  []twin // in ASCII, what is drawn for each line
	lines  []line
	rows   []uint32 // where each row begins in its label or text
}

// line says where the rows of one line of the card are: a blank one between
// groups, those of a label that stands alone, those of the text.
type line struct {
	row    uint32 // the first
	blank  uint8
	labels uint32
}

// New wraps the lines of a card for a pane of width cells: gutter, indent,
// label field, " │ ", text, and one cell of margin. A width under 20 counts as
// 20. The lines are kept, not copied.
func New(lines []card.Line, width int, opts Options) *Layout {
	if opts.Labels <= 0 {
		opts.Labels = LabelCells
	}
	opts.Indent = max(opts.Indent, 0)
	l := &Layout{opts: opts, width: max(width, leastWidth), glyphs: unicodeGlyphs, card: lines}
	l.field = opts.Labels
	if l.width < narrowWidth || l.width < 2*l.field {
		l.field, l.opts.Indent = 1, 0
	}
	l.cells = l.width - 1 - l.opts.Indent - l.field - barCells - 1
	if opts.ASCII {
		l.glyphs = asciiGlyphs
		l.twins = twinsOf(lines)
	}
	l.wrap()
	return l
}

// Lines returns how many lines the card has.
func (l *Layout) Lines() int { return len(l.lines) }

// Rows returns how many rows the card takes.
func (l *Layout) Rows() int { return len(l.rows) }

// Width returns the cells of a row, gutter and margin included.
func (l *Layout) Width() int { return l.width }

// FirstRow returns the first row of a line, LastRow its last one.
func (l *Layout) FirstRow(n int) int { return int(l.lines[n].row) }

// LastRow returns the last row of a line.
func (l *Layout) LastRow(n int) int { return l.endRow(n) - 1 }

// LineAt returns the line that a row belongs to.
func (l *Layout) LineAt(row int) int {
	return sort.Search(len(l.lines), func(i int) bool { return int(l.lines[i].row) > row }) - 1
}

// FindText returns the first line whose whole text is want, as it stands on
// the card, or -1. It finds the line whose value an approval has to type.
func (l *Layout) FindText(want visible.Text) int {
	for i := range l.card {
		if l.card[i].Text == want {
			return i
		}
	}
	return -1
}

// Clamp returns the nearest top at which a window of height rows is filled.
func (l *Layout) Clamp(top, height int) int {
	return max(0, min(top, len(l.rows)-height))
}

// Whole returns the first and the last line of which all rows stand in the
// window; ok is false when there is none.
func (l *Layout) Whole(top, height int) (first, last int, ok bool) {
	if height <= 0 || top >= len(l.rows) || top < 0 {
		return 0, 0, false
	}
	end := min(top+height, len(l.rows))
	first, last = l.LineAt(top), l.LineAt(end-1)
	if l.FirstRow(first) < top {
		first++
	}
	if l.endRow(last) > end {
		last--
	}
	return first, last, first <= last
}

// Place names a place in the card that holds at every width.
type Place struct {
	Line   int
	Offset int // bytes into label and text
}

// PlaceOf returns the place where a row begins.
func (l *Layout) PlaceOf(row int) Place {
	row = max(0, min(row, len(l.rows)-1))
	n := l.LineAt(row)
	from, _ := l.extent(n, row)
	return Place{n, from}
}

// RowOf returns the row that a place is on.
func (l *Layout) RowOf(p Place) int {
	n := max(0, min(p.Line, len(l.lines)-1))
	first, end := l.FirstRow(n), l.endRow(n)
	i := sort.Search(end-first, func(i int) bool {
		from, _ := l.extent(n, first+i)
		return from > p.Offset
	})
	return first + max(i-1, 0)
}

// endRow returns the row after the last one of a line.
func (l *Layout) endRow(n int) int {
	if n+1 < len(l.lines) {
		return int(l.lines[n+1].row)
	}
	return len(l.rows)
}

// label and text return what is drawn for a line.
func (l *Layout) label(n int) visible.Text {
	if l.twins != nil {
		return l.twins[n].label
	}
	return l.card[n].Label
}

func (l *Layout) text(n int) visible.Text {
	if l.twins != nil {
		return l.twins[n].text
	}
	return l.card[n].Text
}

// rowKind says what a row holds.
type rowKind uint8

const (
	rowBlank rowKind = iota
	rowLabel
	rowText
)

// part returns the bytes of label or text that a row shows.
func (l *Layout) part(n, row int) (kind rowKind, from, to int) {
	ln := &l.lines[n]
	labels := int(ln.row) + int(ln.blank)
	texts := labels + int(ln.labels)
	from = int(l.rows[row])
	switch {
	case row < labels:
		return rowBlank, 0, 0
	case row < texts-1:
		return rowLabel, from, int(l.rows[row+1])
	case row == texts-1:
		return rowLabel, from, l.label(n).Len()
	case row == l.endRow(n)-1:
		return rowText, from, l.text(n).Len()
	default:
		return rowText, from, int(l.rows[row+1])
	}
}

// extent returns what a row shows of its line, in bytes counted over label
// and text together. The last row also shows the line's end, which is one
// more, so that an empty line too has something to show.
func (l *Layout) extent(n, row int) (from, to int) {
	kind, from, to := l.part(n, row)
	if kind == rowText {
		label := l.label(n).Len()
		first := row == int(l.lines[n].row)+int(l.lines[n].blank)
		from, to = label+from, label+to
		if first {
			from = 0 // the label stands on this row
		}
	}
	if row == l.endRow(n)-1 {
		to = l.size(n)
	}
	return from, to
}

// size returns the length of a line in the measure of extent.
func (l *Layout) size(n int) int { return l.label(n).Len() + l.text(n).Len() + 1 }
