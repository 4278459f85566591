package stats

import (
	"strconv"

	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/inbox"
	"nod/tui/say"
)

// What drops first on small screens.
const (
	airy   = 20 // rows from which groups are parted by a blank row
	narrow = 72 // cells below which labels lose their margin
)

// Render gives at most h rows of w cells, and the row of the selected tool (-1
// for none). The numbers of the span stay, the tables scroll below them.
func (p *Page) Render(look frame.Look, w, h int) (rows []frame.Line, cursor int) {
	cursor = -1
	if h <= 0 {
		return nil, cursor
	}
	rows = p.above(look, w)
	if p.loaded {
		lines := p.tables(look, w)
		room := max(h-len(rows), 0)
		sel := at(lines, p.key())
		top := p.scroll.Top(sel, lead(lines, sel), len(lines), room)
		for i := top; i < len(lines) && i < top+room; i++ {
			if i == sel {
				cursor = len(rows)
			}
			rows = append(rows, lines[i].line)
		}
	}
	if len(rows) > h {
		rows = rows[:h]
	}
	for i := range rows {
		rows[i] = rows[i].Fit(w)
	}
	return rows, cursor
}

// above is what does not scroll.
func (p *Page) above(look frame.Look, w int) []frame.Line {
	rows := []frame.Line{p.heads(look, w)}
	if !p.loaded {
		return append(rows, frame.Line{frame.S(themes.Muted, "   reading…")})
	}
	if p.stats.Unread {
		rows = append(rows, pick(w, themes.Warn,
			"   At least: the span holds more than was looked at, so each number is a least.",
			"   At least: not all was looked at; each number is a least."))
	}
	asks, answers, half := make([]int64, 0, len(p.stats.Cells)), make([]int64, 0, len(p.stats.Cells)), make([]int64, 0, len(p.stats.Cells))
	for _, c := range p.stats.Cells {
		asks, answers, half = append(asks, c.Asks), append(answers, c.Answers), append(half, c.HalfMS)
	}
	rows = append(rows,
		p.row(look, w, "Asks", asks, p.counted(look, asks)),
		p.row(look, w, "Answers", answers, p.counted(look, answers)),
		p.row(look, w, "Time to answer", half, p.times(answers)))
	if look.H >= airy {
		rows = append(rows, nil)
	}
	rows = append(rows, p.waiting(look, w), p.paceLine(w))
	if look.H >= airy {
		rows = append(rows, nil)
	}
	return rows
}

// heads is the row of the spans and what a cell is.
func (p *Page) heads(look frame.Look, w int) frame.Line {
	line := frame.Line{frame.Gap(1)}
	for s := range spans {
		if Span(s) == p.span {
			line = append(line, frame.S(themes.Accent, "["+spans[s].word+"]"), frame.Gap(2))
		} else {
			line = append(line, frame.S(themes.Muted, spans[s].word), frame.Gap(2))
		}
	}
	s := spans[p.span]
	now := look.Now
	if p.loaded {
		now = p.stats.Now
	}
	to := s.length + " to " + say.Clock(now, look.Now, look.Loc)
	room := w - line.Width() - 2
	said := longest(room, to+", a cell "+s.cell+", the right-most is now", to+", a cell "+s.cell, to)
	return append(line, frame.Gap(1), frame.S(themes.Muted, said))
}

// longest is the first of the wordings that fits, else the last.
func longest(room int, wordings ...string) string {
	for _, s := range wordings {
		if frame.S(themes.Text, s).Text.Len() <= room {
			return s
		}
	}
	return wordings[len(wordings)-1]
}

func pick(w int, role themes.Role, wordings ...string) frame.Line {
	return frame.Line{frame.S(role, longest(w-1, wordings...))}
}

// row is a label, its sparkline and the longest of its sentences that fits.
func (p *Page) row(look frame.Look, w int, label string, values []int64, said []string) frame.Line {
	line := frame.Line{frame.Gap(3), frame.Col(themes.Muted, label, 16)}
	if w < narrow {
		line = frame.Line{frame.Gap(1), frame.Col(themes.Muted, label, 15)}
	}
	line = append(line, spark(look.Glyphs, values)...)
	line = append(line, frame.Gap(2))
	return append(line, frame.S(themes.Text, longest(w-1-line.Width(), said...)))
}

// counted says a row's sum and its highest cell, each time shorter.
func (p *Page) counted(look frame.Look, values []int64) []string {
	var sum, most int64
	when := 0
	for i, v := range values {
		sum += v
		if v > most {
			most, when = v, i
		}
	}
	least, n := "", say.Number(sum)
	if p.stats.Unread {
		least = "at least "
	}
	if sum == 0 {
		return []string{least + "0 in all", "0"}
	}
	from := say.Clock(p.stats.From+int64(when)*p.stats.CellMS, look.Now, look.Loc)
	return []string{
		least + n + " in all, most " + say.Number(most) + " from " + from,
		least + n + " in all", least + n, say.Column(sum),
	}
}

// times says how long answers took.
func (p *Page) times(answers []int64) []string {
	any := int64(0)
	for _, n := range answers {
		any += n
	}
	if any == 0 {
		return []string{"no person answered", "no answers"}
	}
	half := within(p.stats.HalfMS)
	return []string{
		"half within " + half + ", 95 % within " + within(p.stats.MostMS),
		"half within " + half, "half " + half, half,
	}
}

// waiting is what is open now.
func (p *Page) waiting(look frame.Look, w int) frame.Line {
	margin := 3
	if w < narrow {
		margin = 1
	}
	line := frame.Line{frame.Gap(margin)}
	dot := " " + look.Glyphs.Dot + " "
	add := func(role themes.Role, s string) {
		part := frame.Line{frame.S(role, s)}
		if len(line) > 1 {
			part = append(frame.Line{frame.S(themes.Muted, dot)}, part...)
		}
		if line.Width()+part.Width() < w {
			line = append(line, part...)
		}
	}
	wait := "Waiting " + say.Number(p.stats.Waiting)
	if p.stats.Waiting > 0 {
		wait += ", oldest " + say.Span(p.stats.OldestMS)
	}
	add(themes.Text, wait)
	role := themes.Text
	if p.counters.Unknown > 0 {
		role = themes.Unknown
	}
	add(role, "unknown outcomes "+say.Number(p.counters.Unknown))
	add(themes.Text, "expired unanswered "+say.Number(p.stats.Outcomes.Expired))
	return line
}

// paceLine is how fast this operator answers; it warns below the limit.
func (p *Page) paceLine(w int) frame.Line {
	margin := "   "
	if w < narrow {
		margin = " "
	}
	minutes := strconv.FormatInt(PaceMS/say.Minute, 10) + " min"
	if p.pace.n == 0 {
		return frame.Line{frame.S(themes.Text, margin+"Your pace: no answer in "+minutes)}
	}
	role := themes.Text
	if p.pace.half < p.pace.limit {
		role = themes.Warn
	}
	said := margin + "Your pace: " + say.Count(p.pace.n, "answer", "answers") + " in " + minutes + ", half within " + within(p.pace.half)
	limit := within(p.pace.limit)
	return pick(w, role, said+" (below "+limit+" the whole card is asked for again)", said+" (limit "+limit+")", said)
}

// line is a row of the tables; the key names it when it can be selected.
type line struct {
	line frame.Line
	key  string
}

// at is the line of a key, the first one that can be selected when it is not
// there.
func at(lines []line, key string) int {
	first := 0
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i].key == key {
			return i
		}
		if lines[i].key != "" {
			first = i
		}
	}
	return first
}

// lead counts the heads directly above a line.
func lead(lines []line, at int) int {
	n := 0
	for at-n-1 >= 0 && lines[at-n-1].key == "" {
		n++
	}
	return n
}

// tables are both tables in their order.
func (p *Page) tables(look frame.Look, w int) []line {
	first, second := p.verdicts(look, w), p.tools(look, w)
	if p.order == ByTool {
		first, second = second, first
	}
	return append(append(first, line{}), second...)
}

func (p *Page) verdicts(look frame.Look, w int) []line {
	o := p.stats.Outcomes
	rows := []struct {
		label string
		n     int64
	}{
		{"allowed by a person", o.AllowedByPerson}, {"allowed by a rule", o.AllowedByRule}, {"denied", o.Denied},
		{"withdrawn or lapsed", o.Withdrawn}, {"nobody answered", o.Expired}, {"waiting", o.Pending},
	}
	parts := make([]int64, len(rows))
	var total int64
	for i, r := range rows {
		parts[i] = r.n
		total += r.n
	}
	out := []line{{line: frame.Line{frame.S(themes.Muted, "   what became of them"), frame.S(themes.Faint, "   asks  share")}}}
	for i, share := range shares(parts) {
		key := verdictKey + strconv.Itoa(i)
		l := frame.Line{
			p.mark(look, key), frame.Gap(2), frame.Col(themes.Text, rows[i].label, 19), frame.Right(themes.Text, say.Column(rows[i].n), 7),
			frame.Right(themes.Muted, percent(look.Glyphs, share, rows[i].n, total), 7), frame.Gap(2),
		}
		l = append(l, frame.S(themes.Text, bar(look.Glyphs, rows[i].n, total, w-1-l.Width())))
		out = append(out, line{line: p.lit(l.Fit(w), key), key: key})
	}
	return out
}

func (p *Page) tools(look frame.Look, w int) []line {
	out := []line{{line: frame.Line{frame.S(themes.Faint, "   asks  denied  half within   tool")}}}
	if len(p.stats.Tools) == 0 {
		return append(out, line{line: frame.Line{frame.S(themes.Muted, "   No tool was asked for.")}})
	}
	for i := range p.stats.Tools {
		t := &p.stats.Tools[i]
		key := toolKey(t)
		out = append(out, line{line: p.lit(p.drawTool(look, t, w).Fit(w), key), key: key})
	}
	return out
}

// mark is the first cell of a row.
func (p *Page) mark(look frame.Look, key string) frame.Span {
	if key == p.key() {
		return frame.S(themes.Accent, look.Glyphs.Mark)
	}
	return frame.Gap(1)
}

func (p *Page) lit(l frame.Line, key string) frame.Line {
	if key == p.key() {
		return l.Selected()
	}
	return l
}

func (p *Page) drawTool(look frame.Look, t *queue.ToolStat, w int) frame.Line {
	half := look.Glyphs.None
	if t.HalfMS > 0 {
		half = within(t.HalfMS)
	}
	denied := shares([]int64{t.Denied, max(t.Asks-t.Denied, 0)})[0]
	l := frame.Line{
		p.mark(look, toolKey(t)), frame.Right(themes.Text, say.Column(t.Asks), 6),
		frame.Right(themes.Muted, percent(look.Glyphs, denied, t.Denied, t.Asks), 8),
		frame.Right(themes.Text, half, 13), frame.Gap(3),
	}
	room := max(w-1-l.Width(), 0)
	if t.Tool == "" {
		return append(l, frame.S(themes.Muted, longest(room, "questions", "")))
	}
	return append(l, frame.T(themes.Text, frame.Cut(inbox.Field(look, t.Tool), room, 0, look.Glyphs.Cut)))
}
