package form

import (
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
)

// head is the first row of a field: how far it is, how it is answered, and what
// the agent calls it.
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
