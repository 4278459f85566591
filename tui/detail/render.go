package detail

import (
	"strings"

	"nod/ambiguity"
	"nod/digest/visible"
	"nod/themes"
	"nod/tui/cardview"
	"nod/tui/frame"
	"nod/tui/gate"
	"nod/tui/say"
)

// CardRows draws the part of the card that Fit placed, gutter first.
func (p *Page) CardRows(w int) []frame.Line {
	if p.view.Card == "" {
		return []frame.Line{
			{frame.S(themes.Muted, "   The card was pruned; its digest is kept:")},
			{frame.Gap(3), frame.T(themes.Text, visible.Row(string(p.view.Row.ShownDigest)))},
		}
	}
	if p.lay == nil {
		return nil
	}
	out := make([]frame.Line, 0, p.shown.height)
	for _, row := range p.lay.Window(p.shown.top, p.shown.height) {
		line := make(frame.Line, 0, len(row.Spans)+1)
		if p.gate != nil {
			line = append(line, span(p.read.Gutter(p.lay, row, p.asked)))
		} else {
			line = append(line, frame.Gap(1))
		}
		for _, s := range row.Spans {
			line = append(line, span(s))
		}
		out = append(out, line)
	}
	return out
}

// narrow is the width below which a sentence may take two rows.
const narrow = 80

func span(s cardview.Span) frame.Span { return frame.T(s.Role.Theme(), s.Text) }

// Position is the row above the gate: which lines are on the screen, a strip
// over the whole card, what is left, and the code while it is asked for.
func (p *Page) Position(look frame.Look, w int) frame.Line {
	if p.lay == nil || p.read == nil {
		return nil
	}
	word := "lines "
	if w < narrow {
		word = ""
	}
	first, last, ok := p.lay.Whole(p.shown.top, p.shown.height)
	at := "in line " + say.Number(int64(p.lay.LineAt(p.shown.top)+1))
	if ok {
		at = word + say.Number(int64(first+1)) + "-" + say.Number(int64(last+1))
	}
	line := frame.Line{frame.Gap(1), frame.S(themes.Text, at+" of "+say.Number(int64(p.lay.Lines()))), frame.Gap(2)}
	code := p.code()
	if code == nil || w >= narrow {
		for _, s := range p.strip(look) {
			line = append(line, s)
		}
		line = append(line, frame.Gap(2))
	}
	switch {
	case p.gate == nil:
		d := p.view.Decision
		if d != nil && d.LinesAll > 0 && d.LinesSeen == d.LinesAll {
			line = append(line, frame.S(themes.Muted, "all were shown"))
		}
	case p.read.Unread() > 0:
		line = append(line, frame.S(themes.Warn, say.Number(int64(p.read.Unread()))+" not shown yet"))
	case p.read.Skipped() > 0:
		line = append(line, frame.S(themes.Warn, say.Number(int64(p.read.Skipped()))+" skipped"))
	default:
		line = append(line, frame.S(themes.Text, "all shown"))
	}
	if code == nil {
		return line
	}
	return frame.Ends(line, code, w)
}

// strip is the account of the whole card; of a past ask only the window's place.
func (p *Page) strip(look frame.Look) []frame.Span {
	if p.gate == nil {
		n, out := cardview.StripCells, []frame.Span(nil)
		for i := range n {
			from, to := i*p.lay.Rows()/n, (i+1)*p.lay.Rows()/n
			if from < p.shown.top+p.shown.height && to > p.shown.top {
				out = append(out, frame.S(themes.Accent, look.Glyphs.Now))
			} else {
				out = append(out, frame.S(themes.Muted, look.Glyphs.Seen))
			}
		}
		return out
	}
	var out []frame.Span
	for _, s := range p.read.Strip(p.lay, p.shown.top, p.shown.height) {
		out = append(out, span(s))
	}
	return out
}

// codeOf is what the code is typed for.
func (p *Page) codeOf() string {
	switch {
	case p.batch != nil:
		return "batch"
	case p.desk != nil:
		return "page"
	}
	return "shown"
}

// code is the shown digest with the characters that decide in brackets.
func (p *Page) code() frame.Line {
	if p.gate == nil || p.out.Mode != gate.ModeValue && p.out.Mode != gate.ModeCode {
		return nil
	}
	hex := p.gate.Shown().Hex()
	return frame.Line{
		frame.S(themes.Muted, p.codeOf()+" sha256:"), frame.S(themes.Accent, "["+p.gate.Code()+"]"),
		frame.S(themes.Text, hex[4:8]+"…"),
	}
}

// Foot draws position and gate in as many rows as FootRows says, and gives
// where the cursor stands in them; at the zero Point it stands nowhere.
func (p *Page) Foot(look frame.Look, w int) ([]frame.Line, frame.Point) {
	if p.gate == nil {
		return []frame.Line{p.Position(look, w)}, frame.Point{}
	}
	l := p.line(w)
	n := p.FootRows(look, w) - 1 - len(p.draftRows(look, w))
	fields, at := fieldRows(l.Fields, w)
	room := n - len(fields)
	inline := len(l.Fields) == 1 && w >= narrow
	if inline {
		room = n
	}
	full := wrap(look, l.Message, w)
	if look.H < small && len(fields) == 0 && len(full) > n {
		return append(p.draftRows(look, w), full[:min(len(full), n+1)]...), frame.Point{} // the sentence needs the position's row
	}
	rows := append([]frame.Line{p.Position(look, w)}, p.draftRows(look, w)...)
	text := full
	if len(text) > room {
		text = text[:room]
		if room > 0 {
			text[room-1] = cutLine(look, l.Message, full, room, w)
		}
	}
	rows = append(rows, text...)
	cursor := frame.Point{}
	switch {
	case len(fields) == 0:
		for len(rows) < n+1+len(p.draftRows(look, w)) {
			rows = append(rows, nil)
		}
	case inline:
		last := len(rows) - 1
		room := max(w-1-2-fields[0].Width(), 0)
		head := rows[last]
		if head.Width() > room {
			head = head.Fit(room)
		}
		cursor = frame.Point{X: head.Width() + 2 + at.X, Y: last}
		rows[last] = append(append(head, frame.Gap(2)), fields[0]...)
	default:
		cursor = frame.Point{X: min(1+at.X, w-1), Y: len(rows) + at.Y}
		for _, f := range fields {
			rows = append(rows, append(frame.Line{frame.Gap(1)}, f...))
		}
	}
	return rows, cursor
}

// small is the height below which position and gate share their rows.
const small = 20

// FootRows is how many rows position and gate take. It does not change with
// the sentence, so that the card stands still while the gate speaks.
func (p *Page) FootRows(look frame.Look, w int) int {
	return p.gateRows(look, w) + len(p.draftRows(look, w))
}

func (p *Page) gateRows(look frame.Look, w int) int {
	fields, _ := fieldRows(p.out.Line.Fields, w)
	switch {
	case p.gate == nil:
		return 1
	case len(fields) == 1 && len(p.out.Line.Fields) == 1 && w >= narrow:
		return 2
	case len(fields) > 0 && w < narrow:
		return 3 + len(fields)
	case len(fields) > 0 && p.desk != nil:
		a, _ := p.AnswerTo(p.desk.draft.Act)
		return 1 + len(wrap(look, Sentence(a), w)) + len(fields)
	case len(fields) > 0:
		return 2 + len(fields)
	case w < narrow && look.H >= small:
		return 3
	}
	return 2
}

// line is what the gate says: after an act what became of it, on a narrow
// screen the standing sentences in short.
func (p *Page) line(w int) gate.Line {
	l := p.out.Line
	if p.said != nil && len(l.Fields) == 0 {
		l.Message = *p.said
		return l
	}
	if p.desk != nil && p.desk.draft.Act == "" && l.Head.Len() == 0 {
		l.Message = p.desk.hint
		return l
	}
	missing := l.Head.String() == "Not armed:" && p.Unread() > 0 && p.AtEnd() && p.keys.Unseen != ""
	if missing {
		l.Message = gate.NotRead(p.Unread(), p.keys.Unseen) // no page follows
	}
	if w >= narrow || p.out.Mode != gate.ModeRest {
		return l
	}
	switch head := l.Head.String(); {
	case head == "Armed:" && p.desk != nil && p.desk.draft.Act == string(ambiguity.NotExecuted):
		l.Rest = visible.Drawn(" " + p.desk.key + " opens the line")
	case head == "Armed:" && p.desk != nil:
		l.Rest = visible.Drawn(" " + p.desk.key + " gives it; rest follows")
	case head == "Armed:" && p.batch != nil: // how many it answers is never left out
	case head == "Armed:" && p.out.MayAllow:
		l.Rest = visible.Drawn(" " + p.keys.Allow + " or " + p.keys.Deny)
	case head == "Armed:":
		l.Rest = visible.Drawn(" " + p.keys.Deny + "; " + p.keys.Allow + " wants an answer first" + comma(p.keys.Write, "writes it"))
	case missing:
		l.Rest = visible.Drawn(" " + p.keys.Unseen + " shows what is left")
	case head == "Not armed:" && p.Unread() > 0 && p.keys.Reading() != "":
		l.Rest = visible.Drawn(" " + p.keys.Reading() + " shows what is left")
	}
	return l
}

// comma goes on in a sentence with what a key does; "" where no key does it.
func comma(key, does string) string {
	if key == "" {
		return ""
	}
	return ", " + key + " " + does
}

// wrap sets a sentence in rows of w cells.
func wrap(look frame.Look, m gate.Message, w int) (rows []frame.Line) {
	row := frame.Line{frame.Gap(1), frame.T(m.Role, m.Head)}
	for rest := m.Rest; ; row = (frame.Line{frame.Gap(1)}) {
		room := max(w-1-row.Width(), 1)
		if frame.Width(rest) <= room {
			return append(rows, append(row, frame.T(themes.Text, rest)))
		}
		n := frame.Break(rest, room)
		if n == 0 {
			return append(rows, row)
		}
		rows = append(rows, append(row, frame.T(themes.Text, rest.Slice(0, n))))
		rest = rest.Slice(n, rest.Len())
	}
}

// cutLine is the last of the rows that a sentence gets, saying what it hides.
func cutLine(look frame.Look, m gate.Message, full []frame.Line, n, w int) frame.Line {
	rest := visible.Text{}
	for _, l := range full[n-1:] {
		for _, s := range l[1:] {
			rest = visible.Concat(rest, s.Text)
		}
	}
	role := themes.Text
	if n == 1 {
		role = m.Role
	}
	return frame.Line{frame.Gap(1), frame.T(role, frame.Cut(rest, w-2, 0, look.Glyphs.Cut))}
}

// fieldRows sets the fields in one row, or each in its own when they have no
// room beside each other, and gives the cell of the cursor in them.
func fieldRows(fields []gate.Field, w int) ([]frame.Line, frame.Point) {
	if len(fields) == 0 {
		return nil, frame.Point{}
	}
	// The room counts what is still to type, so that the rows stand still.
	if line, at := fieldSpans(fields); len(fields) == 1 || line.Width() <= w-2 {
		return []frame.Line{line}, frame.Point{X: at}
	}
	var rows []frame.Line
	var cursor frame.Point
	for i := range fields {
		line, at := fieldSpans(fields[i : i+1])
		if fields[i].Focus {
			cursor = frame.Point{X: at, Y: i}
		}
		rows = append(rows, line)
	}
	return rows, cursor
}

// fieldSpans draws the fields in one row and gives the cell of the cursor.
func fieldSpans(fields []gate.Field) (line frame.Line, cursor int) {
	for i, f := range fields {
		if i > 0 {
			line = append(line, frame.Gap(2))
		}
		if f.Label.Len() > 0 {
			line = append(line, frame.T(themes.Text, f.Label), frame.Gap(2))
		}
		line = append(line, frame.T(themes.Accent, f.Typed))
		if f.Focus {
			cursor = line.Width()
		}
		line = append(line, frame.S(themes.Accent, strings.Repeat("_", min(f.Blanks, 24))))
	}
	return line, cursor
}
