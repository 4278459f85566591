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
	if h <= 0 {
		return nil, cursor
	}
	if look.H >= headsNeed && h > 1 {
		rows = append(rows, l.heads(look, w))
		h--
	}
	if l.Filtered() && h > 1 {
		rows = append(rows, FilterRow(look, l.filterName, l.all(), w))
		h--
	}
	items := l.items(look)
	at := l.index(items)
	top := l.scroll.Top(at, lead(items, at), len(items), h)
	for range l.scroll.Pad(at, h) {
		rows = append(rows, nil)
		h--
	}
	for i := top; i < len(items) && i < top+h; i++ {
		selected := items[i].key() != "" && items[i].key() == l.sel
		if selected {
			cursor = len(rows)
		}
		rows = append(rows, l.draw(look, items[i], w, selected))
	}
	if say := l.nothing(); say != "" && len(l.rows) == 0 && len(items) < h {
		rows = append(rows, frame.Line{frame.S(themes.Muted, say)})
	}
	for i := range rows {
		rows[i] = rows[i].Fit(w)
	}
	return rows, cursor
}

// Body is how many rows of an unfiltered list fit when Render is given h.
func Body(look frame.Look, h int) int {
	if look.H >= headsNeed {
		h--
	}
	return max(h, 1)
}

// Body is how many rows of the list fit when Render is given h: what Move,
// Select and Acknowledged want to know.
func (l *List) Body(look frame.Look, h int) int {
	if l.Filtered() {
		h--
	}
	return Body(look, h)
}

func (l *List) heads(look frame.Look, w int) frame.Line {
	text := "   state         age  left  what"
	if brief(look, w) {
		text = "   state         age  what"
	}
	line := frame.Line{frame.S(themes.Faint, text)}
	if n := len(l.marks); n > 0 {
		count := itoa(n) + " marked"
		if pad := w - 1 - line.Width() - len(count); pad > 0 {
			line = append(line, frame.Gap(pad), frame.S(themes.Text, count))
		}
	}
	return line
}

// brief reports that there is one column of time only.
func brief(look frame.Look, w int) bool { return w < wideEnough && !look.Split }

func (l *List) draw(look frame.Look, it item, w int, selected bool) frame.Line {
	var line frame.Line
	switch it.kind {
	case heading, remark:
		return frame.Line{frame.S(themes.Muted, "   "+it.group)}
	case blank:
		return nil
	case notice:
		line = drawNotice(look, it.notice, w)
	case pending:
		line = l.drawPending(look, &it, w)
	case lately:
		line = drawLately(look, it.row, w)
	case effect:
		line = drawEffect(look, it.effect, w)
	case delivery:
		line = drawDelivery(look, it.way, w)
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
	wide := frame.Width(age.Text) // a word of five cells takes the gap before it
	line := frame.Line{frame.S(role, shape), frame.Gap(1), frame.Col(role, state, stateCells+5-wide), age}
	if !brief(look, w) {
		line = append(line, frame.Gap(1), left)
	}
	return append(line, frame.Gap(2))
}

func (l *List) drawPending(look frame.Look, it *item, w int) frame.Line {
	r := it.row
	state := r.StateAt(look.Now)
	shape, word, role := pendingState(look, r, state)
	word = times(look.Glyphs, word, it.n, it.more)
	if it.marked > 0 && state == queue.StatePending {
		word = markedSay(look.Glyphs, it.marked, it.n, it.more)
	}
	age := frame.Right(themes.Muted, say.Age(look.Now-r.CreatedAt), 4)
	left, leftRole, short := l.left(look, it, state)
	if brief(look, w) && short != "" && (len(short) <= 4 || frame.Width(visible.Drawn(word)) < stateCells) {
		age = frame.Right(leftRole, short, 4)
	}
	line := columns(look, shape, word, role, age, frame.Right(leftRole, left, 5), w)
	return append(line, l.pendingWhat(look, it, w-1-line.Width())...)
}

// left is the time to answer, or the word in its way; short is what of it
// takes the age's place where there is one column of time.
func (l *List) left(look frame.Look, it *item, state queue.State) (left string, role themes.Role, short string) {
	r := it.row
	word := ""
	switch {
	case state == queue.StateAllowed && r.NotBefore > look.Now:
		word = "held"
	case state != queue.StatePending:
		return "", themes.Muted, ""
	case r.ClaimedBy != "" && r.ClaimedUntil > look.Now && r.ClaimedBy == l.self:
		word = "mine"
	case r.ClaimedBy != "" && r.ClaimedUntil > look.Now:
		word = "taken"
	case r.SnoozedUntil > look.Now: // a filter shows it all the same
		word = "later"
	case l.clockHeld:
		word = "held"
	}
	if word != "" {
		return word, themes.Text, word
	}
	rest := it.by - look.Now
	if rest < soon {
		return say.Age(rest), themes.Warn, "-" + say.Age(rest)
	}
	return say.Age(rest), themes.Muted, ""
}

func (l *List) pendingWhat(look frame.Look, it *item, w int) frame.Line {
	if it.member {
		return append(frame.Line{frame.Gap(2)}, what(look, it.row, w-2, themes.Text)...)
	}
	if !it.several {
		return what(look, it.row, w, themes.Text)
	}
	r := *it.row
	r.Agent = ""
	line := what(look, &r, w, themes.Text)
	if by := "  by several agents"; line.Width()+len(by) < w && w > agentNeeds {
		line = append(line, frame.S(themes.Muted, by))
	}
	return line
}

// markedSay is the state's word of a marked row: only calls can be marked.
func markedSay(g frame.Glyphs, marked, n int, more bool) string {
	if marked < n {
		if s := "marked " + itoa(marked) + "/" + itoa(n); len(s) <= stateCells {
			return s
		}
		return "mark " + itoa(marked) + "/" + itoa(n)
	}
	return times(g, "marked", n, more)
}

func pendingState(look frame.Look, r *queue.Row, state queue.State) (shape, word string, role themes.Role) {
	g := look.Glyphs
	if state != queue.StatePending {
		return ended(g, r, state)
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
	}
	shape, word = g.Call, "call"
	if !r.Waits(look.Now) {
		shape = g.Alone
	}
	if r.DerivedFrom != "" {
		word = "edited call"
	}
	return shape, word, themes.Text
}

// ended is how a state other than pending looks.
func ended(g frame.Glyphs, r *queue.Row, state queue.State) (shape, word string, role themes.Role) {
	if state == queue.StateDenied && r.EditedTo != "" {
		return g.Bad, "edited", themes.Text // another ask stands in its place
	}
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
	text := Field(look, n.Sentence)
	if n.Says != nil {
		text = visible.Drawn(n.Says.Headline) // the sentence is beside the list, or opens
	}
	return append(line, frame.T(themes.Text, frame.Cut(text, room, 0, look.Glyphs.Cut)))
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
		return joined(visible.Row(s))
	}
	parts := strings.Split(s, "\n")
	out := make([]visible.Text, 0, 2*len(parts))
	for i, p := range parts {
		if i > 0 {
			out = append(out, visible.Drawn(look.Glyphs.Feed))
		}
		out = append(out, visible.Of(visible.Strict, p))
	}
	return joined(visible.Concat(out...))
}

// joined writes every blank after another one as its escape: two blanks part
// our own columns, so a tool called "Bash  ls  by mia" must not draw three.
func joined(t visible.Text) visible.Text {
	const two = "  "
	var out []visible.Text
	for {
		i := strings.Index(t.String(), two)
		if i < 0 {
			return visible.Concat(append(out, t)...)
		}
		out = append(out, t.Slice(0, i+1))
		end := i + 1
		for end < t.Len() && t.String()[end] == ' ' {
			out = append(out, visible.Own(`\u{20}`))
			end++
		}
		t = t.Slice(end, t.Len())
	}
}
