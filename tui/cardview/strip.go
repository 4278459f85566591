package cardview

// StripCells is the length of the strip in the position row.
const StripCells = 12

// Strip returns the strip over the whole card: ░ for a cell with a line that
// was not displayed, else ━ where a line of it is in the window now, else ─.
// A skipped line was not displayed, so the strip never flatters.
func (r *Reading) Strip(l *Layout, top, height int) []Span {
	shown, last, whole := l.Whole(top, height)
	cells := make([]Span, StripCells)
	for i := range cells {
		from := i * r.lines / StripCells
		to := max((i+1)*r.lines/StripCells, from+1)
		switch {
		case !r.allRead(from, min(to, r.lines)):
			cells[i] = Span{l.glyphs.unread, RoleUnread}
		case whole && shown < to && last >= from:
			cells[i] = Span{l.glyphs.now, RoleNow}
		default:
			cells[i] = Span{l.glyphs.before, RoleBefore}
		}
	}
	return cells
}

// Gutter returns the cell that stands before a row: asked marks the line whose
// value an approval has to type (-1 for none), ░ a line that does not count as
// read.
func (r *Reading) Gutter(l *Layout, row Row, asked int) Span {
	switch {
	case row.Line == asked && row.First:
		return Span{l.glyphs.asked, RoleAsked}
	case !r.Read(row.Line):
		return Span{l.glyphs.unread, RoleUnread}
	default:
		return Span{pad(1), RolePad}
	}
}
