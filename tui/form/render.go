package form

import (
	"github.com/go-json-experiment/json/jsontext"

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

func (p *page) head(s state, e *entry) {
	g := p.look.Glyphs
	shape, word, role := g.None, "not stated", themes.Faint
	switch s {
	case needed:
		shape, word, role = g.Asked, "needed", themes.Warn
	case wrong:
		shape, word, role = g.Bad, "not valid", themes.Warn
	case good:
		shape, word, role = g.Good, "stated", themes.OK
	}
	line := frame.Line{frame.Gap(1), frame.S(role, shape), frame.Gap(1), frame.Col(role, word, stateCells), frame.Col(themes.Muted, e.kind.word(), kindCells)}
	title := e.schema.word("title")
	switch {
	case e.name != "":
		line = append(line, frame.T(themes.Text, p.text(quote(e.name))))
		if title != "" {
			line = append(line, frame.Gap(2), frame.T(themes.Text, p.text(title)))
		}
	case title != "":
		line = append(line, frame.T(themes.Text, p.text(quote(title))))
	default:
		line = append(line, frame.S(themes.Text, "the answer"))
	}
	p.cutRow(line)
}

// closed is a field that is not in use: what was entered.
func (p *page) closed(e *entry) {
	value, _ := e.written()
	if e.kind != kindText && e.options == nil {
		value = []byte(e.line.Text())
	}
	p.cutRow(frame.Line{frame.Gap(indent), frame.S(themes.Muted, "= "), frame.T(themes.Text, p.text(string(value)))})
	p.problem(e)
}

func (p *page) problem(e *entry) {
	switch {
	case e.long:
		p.add(frame.Gap(indent), frame.S(themes.Warn, p.look.Glyphs.Bad+" Too long: 16 KiB fit here, so the rest was left out."))
	case e.problem.Len() > 0:
		p.add(frame.Gap(indent), frame.S(themes.Warn, p.look.Glyphs.Bad+" "), frame.T(themes.Warn, p.cut(e.problem, p.w-indent-3)))
	}
}

// open is the field in use: what the agent says of it, its rules, and where it
// is entered.
func (p *page) open(e *entry) {
	w := p.w - indent - 1
	for _, t := range p.wrap(e.schema.word("description"), w, aboutRows) {
		p.add(frame.Gap(indent), frame.T(themes.Muted, t))
	}
	for _, t := range p.wrapText(p.rules(e), w, aboutRows) {
		p.add(frame.Gap(indent), frame.T(themes.Faint, t))
	}
	if v := e.schema["default"]; v != nil {
		p.cutRow(frame.Line{frame.Gap(indent), frame.S(themes.Faint, "the agent would take "), frame.T(themes.Faint, p.text(string(v)))})
	}
	mark := frame.S(themes.Accent, p.look.Glyphs.Mark)
	if e.options == nil {
		text, at := e.line.RenderIn(p.look, p.w-indent-1)
		text.Role = themes.Accent
		if e.empty {
			text = frame.S(themes.Accent, `""`)
		}
		p.first, p.last = len(p.rows), len(p.rows)
		p.cursor = frame.Point{X: min(indent+at, p.w-1), Y: len(p.rows)}
		p.add(mark, frame.Gap(indent-1), text)
	}
	for i := range e.options {
		p.option(e, i, mark)
	}
	p.problem(e)
}

// option draws one option whole, in as many rows as it takes.
func (p *page) option(e *entry, i int, mark frame.Span) {
	o := e.options[i]
	t := p.text(string(o.value))
	switch {
	case o.own.Len() > 0:
		t = visible.Concat(o.own, visible.Own("  "), t)
	case o.title != "":
		t = visible.Concat(t, visible.Own("  "), p.cut(p.text(o.title), titleCells))
	}
	box := "( ) "
	switch on := e.marked[i]; {
	case e.kind == kindSome && on:
		box = "[x] "
	case e.kind == kindSome:
		box = "[ ] "
	case on:
		box = "(*) "
	}
	here := i == e.at
	role := themes.Text
	if e.marked[i] {
		role = themes.Accent
	}
	if here {
		p.first = len(p.rows)
		p.cursor = frame.Point{X: min(indent+1, p.w-1), Y: len(p.rows)}
	}
	for n, row := range p.wrapText(t, p.w-indent-len(box)-1, 0) {
		line := frame.Line{frame.Gap(indent), frame.S(role, box), frame.T(role, row)}
		if n > 0 {
			line = frame.Line{frame.Gap(indent + 2), frame.S(themes.Faint, p.look.Glyphs.Wrap), frame.Gap(1), frame.T(role, row)}
		}
		if here {
			if n == 0 {
				line[0] = mark
				line = append(line[:1:1], append(frame.Line{frame.Gap(indent - 1)}, line[1:]...)...)
			}
			line = line.Fit(p.w).Selected()
			p.last = len(p.rows)
		}
		p.add(line...)
	}
}

// rules says in words what the schema asks of the value.
func (p *page) rules(e *entry) visible.Text {
	n := e.schema
	var parts []visible.Text
	say := func(before, name, after string) {
		if v := n[name]; v != nil {
			parts = append(parts, visible.Drawn(before+string(v)+after))
		}
	}
	switch e.kind {
	case kindText:
		say("at least ", "minLength", characters(n["minLength"]))
		say("at most ", "maxLength", characters(n["maxLength"]))
	case kindNumber, kindWhole:
		say("at least ", "minimum", "")
		say("more than ", "exclusiveMinimum", "")
		say("at most ", "maximum", "")
		say("less than ", "exclusiveMaximum", "")
		say("a multiple of ", "multipleOf", "")
	case kindSome:
		say("at least ", "minItems", " marked")
		say("at most ", "maxItems", " marked")
	}
	if e.kind == kindText {
		for _, name := range []string{"format", "pattern"} {
			if s := n.word(name); s != "" {
				parts = append(parts, visible.Concat(visible.Drawn(name+" "), p.text(quote(s))))
			}
		}
	}
	var out visible.Text
	for i, t := range parts {
		if i > 0 {
			out = visible.Concat(out, visible.Own(", "))
		}
		out = visible.Concat(out, t)
	}
	return out
}

func characters(n jsontext.Value) string {
	if string(n) == "1" {
		return " character"
	}
	return " characters"
}
