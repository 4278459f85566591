package history

import (
	"time"

	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/inbox"
	"nod/tui/say"
)

// Render gives h rows of the list in w cells, and the row on which the
// selected ask stands (-1 for none).
func (l *List) Render(look frame.Look, w, h int) (rows []frame.Line, cursor int) {
	cursor = -1
	if h <= 0 {
		return nil, cursor
	}
	if h > Body(look, h) {
		rows = append(rows, heads(w))
		h--
	}
	if l.Filtered() && h > 1 {
		rows = append(rows, inbox.FilterRow(look, l.filterName, "Esc", w).Fit(w))
		h--
	}
	if said := l.nothing(); said != "" {
		return append(rows, frame.Line{frame.S(themes.Muted, said)}.Fit(w)), cursor
	}
	at := l.index()
	top := l.scroll.Top(at, 0, len(l.rows), h)
	for i := top; i < len(l.rows) && i < top+h; i++ {
		line := draw(look, &l.rows[i], w, i == at)
		if i == at {
			cursor = len(rows)
			line = line.Selected()
		}
		rows = append(rows, line)
	}
	return rows, cursor
}

// Body is how many rows of the list fit when Render is given h: what Move
// wants to know.
func (l *List) Body(look frame.Look, h int) int {
	if l.Filtered() {
		h--
	}
	return Body(look, h)
}

// Body is how many rows of an unfiltered list fit when Render is given h.
func Body(look frame.Look, h int) int {
	if look.H >= 20 {
		h--
	}
	return max(h, 1)
}

func draw(look frame.Look, r *queue.Row, w int, selected bool) frame.Line {
	shape, word, role := inbox.Outcome(look.Glyphs, r, look.Now)
	answer, then := Answer(look.Glyphs, r, look.Now), word
	switch r.StateAt(look.Now) {
	case queue.StateDenied, queue.StateAnswered:
		if r.DecidedBy == queue.ByRule || r.DecidedBy == queue.ByGrant {
			break // the answer's column names the rule, so this one says what it was
		}
		if r.EditedTo != "" {
			break // denied, since another ask stands in its place
		}
		then, role = look.Glyphs.None, themes.Faint
	case queue.StateAllowed:
		then, role = "not begun", themes.Text
	}
	mark := frame.S(themes.Text, " ")
	if selected {
		mark = frame.S(themes.Accent, look.Glyphs.Mark)
	}
	shapeRole := role
	if then == look.Glyphs.None {
		shapeRole = themes.Text
	}
	line := frame.Line{
		mark, frame.S(shapeRole, shape), frame.Gap(1),
		frame.Col(themes.Muted, at(look, r.MovedAt), 7),
		frame.Col(themes.Text, answer, 9), frame.Col(role, then, 12),
	}
	line = append(line, inbox.What(look, r, w-line.Width(), themes.Text)...)
	return line.Fit(w)
}

// at is the time of day, or the day when that was another.
func at(look frame.Look, ms int64) string {
	t, n := time.UnixMilli(ms).In(look.Loc), time.UnixMilli(look.Now).In(look.Loc)
	if t.YearDay() == n.YearDay() && t.Year() == n.Year() {
		return say.Clock(ms, look.Now, look.Loc)
	}
	return t.Format("01-02")
}

// Answer is who answered, in one word: the verdict when a person did.
func Answer(g frame.Glyphs, r *queue.Row, now int64) string {
	switch r.StateAt(now) {
	case queue.StateExpired:
		return "nobody"
	case queue.StateWithdrawn:
		if r.Verdict == "" {
			return g.None
		}
	}
	switch r.DecidedBy {
	case queue.ByRule:
		return "by rule"
	case queue.ByGrant:
		return "by grant"
	}
	switch r.Verdict {
	case queue.VerdictAllow:
		return "allowed"
	case queue.VerdictDeny:
		return "denied"
	case queue.VerdictAnswer:
		return "answered"
	}
	return g.None
}

// heads names the columns, and where there is room the order: an answer's time
// says nothing of when it was asked for.
func heads(w int) frame.Line {
	left := frame.Line{frame.S(themes.Faint, "   at     answer   then        what")}
	right := frame.Line{frame.S(themes.Faint, "newest ask first")}
	if left.Width()+right.Width()+3 > w {
		return left.Fit(w)
	}
	return frame.Ends(left, right, w)
}
