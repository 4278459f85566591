package inbox

import (
	"strings"

	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// Widths at which something is dropped (SCREENS, grammar).
const (
	wideEnough = 72 // below it the time left goes
	agentNeeds = 40 // cells of "what" below which the agent goes
	soon       = 15 * say.Minute
	headsNeed  = 20 // rows
)

// Render gives h rows of the list in w cells, and the row on which the
// selected item stands (-1 for none).
func (l *List) Render(look frame.Look, w, h int) (rows []frame.Line, cursor int) {
	cursor = -1
	if look.H >= headsNeed && h > 0 {
		rows = append(rows, heads(look, w))
		h--
	}
	items := l.items(look)
	at := l.index(items)
	top := l.scroll.Top(at, lead(items, at), len(items), h)
	for i := top; i < len(items) && i < top+h; i++ {
		selected := items[i].key() != "" && items[i].key() == l.sel
		if selected {
			cursor = len(rows)
		}
		rows = append(rows, draw(look, items[i], w, selected))
	}
	if !l.loaded {
		rows = append(rows, frame.Line{frame.S(themes.Muted, "   reading…")})
	}
	return rows, cursor
}

// Body is how many rows of the list fit when Render is given h.
func Body(look frame.Look, h int) int {
	if look.H >= headsNeed {
		h--
	}
	return max(h, 1)
}

func heads(look frame.Look, w int) frame.Line {
	text := "   state         age  left  what"
	if w < wideEnough && !look.Split {
		text = "   state         age  what"
	}
	return frame.Line{frame.S(themes.Faint, text)}
}

func draw(look frame.Look, it item, w int, selected bool) frame.Line {
	var line frame.Line
	switch it.kind {
	case heading:
		return frame.Line{frame.S(themes.Muted, "   "+it.group)}
	case blank:
		return nil
	case notice:
		line = drawNotice(look, it.notice, w)
	case pending:
		line = drawPending(look, it.row, w)
	case lately:
		line = drawLately(look, it.row, w)
	}
	mark := frame.S(themes.Text, " ")
	if selected {
		mark = frame.S(themes.Accent, look.Glyphs.Mark)
	}
	line = append(frame.Line{mark}, line...).Fit(w)
	if selected {
		return line.Selected()
	}
	return line
}

// columns are the fixed cells left of "what".
func columns(look frame.Look, shape, state string, role themes.Role, age, left frame.Span, w int) frame.Line {
	line := frame.Line{frame.S(role, shape), frame.Gap(1), frame.Col(role, state, 12), age}
	if w >= wideEnough || look.Split {
		line = append(line, frame.Gap(1), left)
	}
	return append(line, frame.Gap(2))
}

func drawPending(look frame.Look, r *queue.Row, w int) frame.Line {
	state := r.StateAt(look.Now)
	shape, word, role := pendingState(look, r, state)
	age := frame.Right(themes.Muted, say.Age(look.Now-r.CreatedAt), 4)
	left := frame.Gap(5)
	if state == queue.StatePending {
		rest := r.AnswerBy - look.Now
		leftRole := themes.Muted
		if rest < soon {
			leftRole = themes.Warn
			if w < wideEnough && !look.Split {
				age = frame.Right(themes.Warn, "-"+say.Age(rest), 4)
			}
		}
		left = frame.Right(leftRole, say.Age(rest), 5)
	}
	line := columns(look, shape, word, role, age, left, w)
	return append(line, what(look, r, w-1-line.Width(), themes.Text)...)
}

func pendingState(look frame.Look, r *queue.Row, state queue.State) (shape, word string, role themes.Role) {
	g := look.Glyphs
	if state != queue.StatePending {
		return ended(g, state)
	}
	switch {
	case r.Kind == "commit":
		return g.Commit, "commit", themes.Danger
	case r.Irreversible:
		return g.Commit, "irreversible", themes.Danger
	case r.Mandated:
		return g.Mandated, "mandated", themes.Warn
	case r.Kind == "question":
		return g.Question, "question", themes.Text
	case !r.Waits(look.Now):
		return g.Alone, "call", themes.Text
	}
	return g.Call, "call", themes.Text
}

// ended is how a state other than pending looks.
func ended(g frame.Glyphs, state queue.State) (shape, word string, role themes.Role) {
	switch state {
	case queue.StateAllowed, queue.StateSpent:
		return g.Good, string(state), themes.OK
	case queue.StateAnswered:
		return g.Good, string(state), themes.OK
	case queue.StateDenied:
		return g.Bad, string(state), themes.Text
	}
	return g.Over, string(state), themes.Text
}

func drawNotice(look frame.Look, n *queue.NoticeView, w int) frame.Line {
	line := columns(look, look.Glyphs.Notice, "notice", themes.Warn,
		frame.Right(themes.Muted, say.Age(look.Now-n.At), 4), frame.Gap(5), w)
	room := w - 1 - line.Width() - 1
	return append(line, frame.T(themes.Text, frame.Cut(Field(look, n.Sentence), room, 0, look.Glyphs.Cut)))
}

func drawLately(look frame.Look, r *queue.Row, w int) frame.Line {
	shape, word, role := Outcome(look.Glyphs, r, look.Now)
	line := columns(look, shape, word, role, frame.Right(themes.Muted, say.Age(look.Now-r.MovedAt), 4), frame.Gap(5), w)
	return append(line, what(look, r, w-1-line.Width(), themes.Muted)...)
}

// What draws tool, target and agent of an ask in at most w cells, the last
// kept free.
func What(look frame.Look, r *queue.Row, w int, role themes.Role) frame.Line {
	return what(look, r, w, role)
}

func what(look frame.Look, r *queue.Row, w int, role themes.Role) frame.Line {
	room := max(w-1, 0)
	text := visible.Text{}
	if r.Tool != "" {
		text = visible.Concat(Field(look, r.Tool), visible.Own("  "))
	}
	text = visible.Concat(text, Field(look, r.Gist))
	by := frame.Span{}
	if room >= agentNeeds && r.Agent != "" {
		by = frame.T(themes.Muted, visible.Concat(visible.Own("  by "), Field(look, r.Agent)))
		if frame.Width(text)+frame.Width(by.Text) > room || r.GistMore > 0 {
			by = frame.Span{}
		}
	}
	return frame.Line{frame.T(role, frame.Cut(text, room, r.GistMore, look.Glyphs.Cut)), by}
}

// Field draws an untrusted string on one row. Left of a divider every
// character of it that is not ASCII is escaped, so that no quarrel about
// widths can move what stands right of it; a line break is our own mark.
func Field(look frame.Look, s string) visible.Text {
	if !look.Split && !look.Glyphs.ASCII {
		return visible.Row(s)
	}
	parts := strings.Split(s, "\n")
	out := make([]visible.Text, 0, 2*len(parts))
	for i, p := range parts {
		if i > 0 {
			out = append(out, visible.Drawn(look.Glyphs.Feed))
		}
		out = append(out, visible.Of(visible.Strict, p))
	}
	return visible.Concat(out...)
}
