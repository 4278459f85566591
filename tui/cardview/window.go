package cardview

import (
	"strings"

	"nod/digest/card"
	"nod/digest/visible"
)

// Span is a part of a row that is drawn in one role.
type Span struct {
	Text visible.Text
	Role Role
}

// Row is one row of the screen, without the gutter, which Reading gives.
type Row struct {
	Line        int  // the line of the card
	First, Last bool // whether it is the line's first and last row
	Spans       []Span
}

// String returns the row without roles.
func (r Row) String() string {
	var b strings.Builder
	for _, s := range r.Spans {
		b.WriteString(s.Text.String())
	}
	return b.String()
}

// Window returns the rows from top on, at most height of them. It costs what
// it returns, however long the card is.
func (l *Layout) Window(top, height int) []Row {
	top = max(top, 0)
	end := min(top+max(height, 0), len(l.rows))
	if top >= end {
		return nil
	}
	out := make([]Row, 0, end-top)
	for row, n := top, l.LineAt(top); row < end; row++ {
		for row >= l.endRow(n) {
			n++
		}
		out = append(out, Row{
			Line: n, First: row == l.FirstRow(n), Last: row == l.endRow(n)-1,
			Spans: l.spans(n, row),
		})
	}
	return out
}

// blanks are the cells that pad is cut from.
var blanks = visible.Own("                                                                ")

// pad returns n blank cells.
func pad(n int) visible.Text {
	if n <= blanks.Len() {
		return blanks.Slice(0, max(n, 0))
	}
	return visible.Concat(blanks, pad(n-blanks.Len()))
}

// spans draws one row.
func (l *Layout) spans(n, row int) []Span {
	ln, from := &l.lines[n], &l.card[n]
	kind, at, end := l.part(n, row)
	indent := l.opts.Indent
	switch {
	case kind == rowBlank:
		return nil
	case kind == rowLabel && at == 0:
		return []Span{{pad(indent), RolePad}, {l.label(n).Slice(at, end), RoleLabel}}
	case kind == rowLabel:
		return []Span{
			{pad(indent), RolePad}, {l.glyphs.wrap, RoleWrap}, {pad(labelIndent - 1), RolePad},
			{l.label(n).Slice(at, end), RoleLabel},
		}
	case from.Value < 0:
		return l.texts([]Span{{pad(indent), RolePad}}, n, at, end)
	}
	out := make([]Span, 0, 8)
	switch {
	case at > 0:
		out = append(out, Span{pad(indent + l.field - 1), RolePad}, Span{l.glyphs.wrap, RoleWrap})
	case from.Continued:
		out = append(out, Span{pad(indent + l.field - 1), RolePad}, Span{l.glyphs.more, RoleLabel})
	case ln.labels > 0:
		out = append(out, Span{pad(indent + l.field), RolePad})
	default:
		label := l.label(n)
		out = append(out, Span{pad(indent + l.field - label.Len()), RolePad}, Span{label, RoleLabel})
	}
	out = append(out, Span{pad(1), RolePad}, Span{l.glyphs.bar, RoleBar}, Span{pad(1), RolePad})
	return l.texts(out, n, at, end)
}

// texts appends the spans of a line's text from at to end.
func (l *Layout) texts(out []Span, n, at, end int) []Span {
	from, text := &l.card[n], l.text(n)
	plain := roleOf(from)
	add := func(a, b int, r Role) {
		if a < b {
			out = append(out, Span{text.Slice(a, b), r})
		}
	}
	first, last := from.Quotes()
	if first && at == 0 && end > 0 {
		add(0, 1, RoleQuote)
		at = 1
	}
	quote := last && end == text.Len() && end > at
	if quote {
		end--
	}
	if from.Form == card.FormString {
		// Rows part a run of backslashes only between pairs, so that a row
		// alone says what is an escape.
		for _, s := range l.tokens(text.Slice(at, end).String()) {
			add(at+s.Start, at+s.End, roleOfKind(s.Kind, plain))
		}
	} else {
		add(at, end, plain)
	}
	if quote {
		add(end, end+1, RoleQuote)
	}
	return out
}

// tokens splits a part of a drawing.
func (l *Layout) tokens(s string) []visible.Span {
	if l.opts.ASCII {
		return twinSpans(s)
	}
	return visible.Spans(s)
}

// roleOf returns the role of a line's text where it is nothing special.
func roleOf(ln *card.Line) Role {
	switch {
	case ln.Group == card.GroupNotStated:
		return RoleAbsent
	case ln.Form == card.FormOwn, ln.Form == card.FormHead:
		return RoleOwn
	case ln.Group == card.GroupWords:
		return RoleAgent
	default:
		return RoleText
	}
}

func roleOfKind(k visible.Kind, plain Role) Role {
	switch k {
	case visible.KindMark:
		return RoleMark
	case visible.KindEscape:
		return RoleEscape
	case visible.KindCount:
		return RoleCount
	case visible.KindPoint:
		return RolePoint
	default:
		return plain
	}
}
