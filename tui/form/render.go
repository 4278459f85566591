package form

import (
	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
)

// Cells of the columns of a field's first row: mark, shape, state, kind; the
// label, which is the agent's, comes last.
const (
	stateCells = 12
	kindCells  = 14
	indent     = 3
)

// Rows of the agent's words that are shown; they are whole on the card.
const (
	questionRows = 3
	aboutRows    = 3
	titleCells   = 120 // of an option's title
)

// Hint is a key and what it does in the field in use.
type Hint struct{ Key, Verb string }

// Keys are the hints for the keys row, in order of use.
func (f *Form) Keys() []Hint {
	e := f.entries[f.at]
	next := Hint{"Enter", "next field"}
	if f.at == len(f.entries)-1 {
		next.Verb = "back to the ask"
	}
	hints := []Hint{next}
	if len(f.entries) > 1 {
		hints = append(hints, Hint{"Tab", "field"})
	}
	switch {
	case e.kind == kindSome:
		hints = append(hints, Hint{"arrows", "move"}, Hint{"Space", "mark"}, Hint{"Ctrl+U", "take back"}, Hint{"Ctrl+N", "none"})
	case e.options != nil:
		hints = append(hints, Hint{"arrows", "choose"}, Hint{"Ctrl+U", "take back"})
	case e.kind == kindText:
		hints = append(hints, Hint{"Ctrl+U", "empties"}, Hint{"Ctrl+J", "new line"}, Hint{"Ctrl+N", "an empty text"})
	default:
		hints = append(hints, Hint{"Ctrl+U", "empties"})
	}
	return append(hints, Hint{"Esc", "back, kept"})
}

// page is the rows of the form while they are laid out.
type page struct {
	look        frame.Look
	w           int
	rows        []frame.Line
	from, to    int // rows of the field in use
	first, last int // rows of the place in it where the cursor stands
	cursor      frame.Point
}

// Render gives at most h rows of w cells and the cell of the cursor. The field
// in use is open, the others are their label and their value.
func (f *Form) Render(look frame.Look, w, h int) ([]frame.Line, frame.Point) {
	if w < 1 || h < 1 {
		return nil, frame.Point{}
	}
	p := &page{look: look, w: w}
	for _, t := range p.wrap(f.question, w-indent-1, questionRows) {
		p.add(frame.Gap(indent), frame.T(themes.Text, t))
	}
	p.add()
	group := -1
	for i, e := range f.entries {
		if e.group != group && e.group >= 0 {
			p.group(f.groups[e.group])
		}
		group = e.group
		if i == f.at {
			p.from = len(p.rows)
		}
		p.head(f.state(i), e)
		if i == f.at {
			p.open(e)
			p.to = len(p.rows)
		} else if e.given() {
			p.closed(e)
		}
	}
	top := p.top(h)
	p.cursor.Y -= top
	return p.rows[top:min(top+h, len(p.rows))], p.cursor
}

// top is the first row to show: as few are passed as the field in use allows.
func (p *page) top(h int) int {
	switch {
	case p.to <= h:
		return 0
	case p.to-p.from <= h:
		return p.to - h
	}
	middle := (p.first + p.last + 1 - h) / 2
	return min(max(min(middle, p.to-h), p.from, p.last+1-h), p.first)
}

func (p *page) add(spans ...frame.Span) {
	p.rows = append(p.rows, frame.Line(spans).Fit(p.w))
}

// text draws what an agent wrote on one row.
func (p *page) text(s string) visible.Text {
	if p.look.Glyphs.ASCII {
		return visible.Of(visible.Strict, s)
	}
	return visible.Row(s)
}

func (p *page) cut(t visible.Text, w int) visible.Text {
	return frame.Cut(t, max(w, 0), 0, p.look.Glyphs.Cut)
}

// wrap lays text out in rows of w cells, the last of most rows cut; most 0 is
// as many as it takes.
func (p *page) wrap(s string, w, most int) []visible.Text {
	if s == "" {
		return nil
	}
	return p.wrapText(p.text(s), w, most)
}

func (p *page) wrapText(t visible.Text, w, most int) []visible.Text {
	var out []visible.Text
	for t.Len() > 0 {
		n := frame.Break(t, w)
		if n == 0 || most > 0 && len(out) == most-1 {
			return append(out, p.cut(t, w))
		}
		out = append(out, t.Slice(0, n))
		t = t.Slice(n, t.Len())
	}
	return out
}

func (p *page) group(g head) {
	p.add()
	needs := "group, may be left out"
	if g.required {
		needs = "group"
	}
	line := frame.Line{frame.Gap(indent), frame.S(themes.Muted, needs+"  "), frame.T(themes.Muted, p.text(quote(g.name)))}
	if g.title != "" {
		line = append(line, frame.Gap(2), frame.T(themes.Muted, p.text(g.title)))
	}
	p.cutRow(line)
	for _, t := range p.wrap(g.about, p.w-indent-1, aboutRows) {
		p.add(frame.Gap(indent), frame.T(themes.Muted, t))
	}
}

// cutRow adds a row whose last span is cut to fit, the cut saying how much.
func (p *page) cutRow(line frame.Line) {
	for i := range line {
		before := line[:i].Width()
		if i > 0 || line.Width() > p.w {
			line[i].Text = p.cut(line[i].Text, p.w-1-before)
		}
	}
	p.add(line...)
}
