package lens

import (
	"strings"

	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// plainWidth is a width at which no sheet shortens anything.
const plainWidth = 200

// Plain gives the lens for a console without a screen: what it is first, then a
// line a row, unaligned and unwrapped. Changed words stand in {+ +} and [- -],
// and the line says which side it is of.
func (l *Lens) Plain(look frame.Look) []visible.Text {
	look.Split = false
	p := penOf(look)
	var out []visible.Text
	for _, row := range l.sheet.heads(p, look) {
		out = append(out, joined(row))
	}
	for i := range l.sheet.rows(plainWidth) {
		out = append(out, l.plainRow(i, p))
	}
	if foot := l.sheet.foot(p); foot != nil {
		out = append(out, joined(foot))
	}
	return out
}

func (l *Lens) plainRow(i int, p pen) visible.Text {
	t, _ := l.sheet.text(i, p, plainWidth)
	d := l.sheet.dress(i, p, plainWidth, t)
	if s, ok := l.sheet.(*diffSheet); ok {
		return visible.Concat(visible.Drawn(s.side(i)), bracketed(t, d))
	}
	head := strings.Join(strings.Fields(joined(d.head).String()), " ")
	if head != "" {
		head += " "
	}
	return visible.Concat(visible.Drawn(head), t)
}

// side names the line that a row shows, and of which side it is.
func (s *diffSheet) side(i int) string {
	r := s.list[i]
	switch {
	case r.note >= 0 || r.open:
		return ""
	case r.old >= 0 && r.new >= 0:
		return say.Number(int64(r.new)+1) + ": "
	case r.old >= 0 && r.partner == none:
		return say.Number(int64(r.old)+1) + " removed: "
	case r.old >= 0:
		return say.Number(int64(r.old)+1) + " before: "
	case r.partner == none:
		return say.Number(int64(r.new)+1) + " added: "
	}
	return say.Number(int64(r.new)+1) + " after: "
}

// bracketed puts the changed words of a line in brackets.
func bracketed(t visible.Text, d dressed) visible.Text {
	var out []visible.Text
	at := 0
	for _, m := range d.marks {
		if !m.under {
			continue
		}
		begin, end := visible.Own("{+"), visible.Own("+}")
		if m.role == themes.Danger {
			begin, end = visible.Own("[-"), visible.Own("-]")
		}
		out = append(out, t.Slice(at, m.from), begin, t.Slice(m.from, m.to), end)
		at = m.to
	}
	return visible.Concat(append(out, t.Slice(at, t.Len()))...)
}

// joined is a row's text.
func joined(row frame.Line) visible.Text {
	texts := make([]visible.Text, len(row))
	for i, s := range row {
		texts[i] = s.Text
	}
	return visible.Concat(texts...)
}
