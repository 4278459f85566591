package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"nod/digest/visible"
	"nod/themes"
	"nod/tui/desk"
	"nod/tui/frame"
	"nod/tui/gate"
	"nod/tui/history"
	"nod/tui/keys"
	"nod/tui/lens"
	"nod/tui/say"
)

// The least size at which anything can be decided, and the width from which a
// second pane stands beside the list (SCREENS, grammar).
const (
	leastW, leastH = 60, 16
	splitW         = 110
	airyH          = 20 // rows from which heads and the second row of a detail are drawn
)

// View is what Bubble Tea draws.
func (m *Model) View() tea.View {
	s := m.Screen()
	v := tea.NewView(s.Styled(m.paint))
	v.AltScreen = true
	v.ReportFocus = true
	v.WindowTitle = m.alert.title
	v.KeyboardEnhancements.ReportEventTypes = true // a held key says so, where a terminal can
	if s.Cursor != (frame.Point{}) {
		v.Cursor = tea.NewCursor(s.Cursor.X, s.Cursor.Y)
		v.Cursor.Blink = false
	}
	return v
}

// Screen is the whole frame at the present size.
func (m *Model) Screen() frame.Screen {
	w, h := m.look.W, m.look.H
	switch {
	case w <= 0 || h <= 0:
		return frame.New(0, 0, nil)
	case !m.bigEnough():
		return frame.New(w, h, []frame.Line{m.tooSmall()})
	}
	rows := make([]frame.Line, 0, h)
	rows = append(rows, m.title(w))
	var cursor frame.Point
	switch m.place {
	case keys.Detail, keys.Replay, keys.Batch, keys.Desk:
		rows, cursor = m.drawDetail(rows)
	case keys.Help:
		rows = append(rows, m.help.Render(m.keys, m.why, w, m.body())...)
	case keys.Sessions, keys.Stats:
		rows, cursor = m.drawView(rows)
	default:
		rows, cursor = m.drawList(rows)
	}
	if l, ok := m.over.(bodied); ok {
		rows, cursor = m.drawLayer(rows[:1], l)
	}
	rows, cursor = m.drawFoot(rows, cursor)
	if m.look.Glyphs.ASCII {
		for i := range rows {
			rows[i] = rows[i].ASCII()
		}
	}
	s := frame.New(w, h, rows)
	s.Cursor = cursor
	return s
}

func (m *Model) tooSmall() frame.Line {
	return frame.Line{frame.S(themes.Warn, " nod needs 60x16, this is "+itoa(m.look.W)+"x"+itoa(m.look.H)+"; "+
		say.Number(m.list.Counters().Pending)+" wait; "+m.keys.Shown(keys.Inbox, keys.Quit)+" quits.")}
}

// noteRows is how many rows the message takes above the keys.
func (m *Model) noteRows() int {
	switch {
	case m.over != nil:
		rows, _ := m.over.foot(m, m.look.W)
		return len(rows) - 1
	case m.cardPlace():
		return 0 // the gate speaks there
	}
	return len(m.note.rows(m.look.Glyphs, m.look.W))
}

// body is how many rows there are between title and message.
func (m *Model) body() int { return max(m.look.H-2-m.noteRows(), 1) }

func (m *Model) cardPlace() bool { return m.place&keys.Cards != 0 }

// cardVisible reports whether rows of the open card are on the screen.
func (m *Model) cardVisible() bool {
	return m.bigEnough() && m.cardPlace() && m.open != nil && !m.covered() && !m.lensCovers()
}

// gated reports whether keys go to the gate first: its card is on the screen.
func (m *Model) gated() bool { return m.cardVisible() && m.place != keys.Replay }

// split reports whether a second pane stands right of the list.
func (m *Model) split() bool { return m.look.W >= splitW }

// paneWidth is the width of the pane that shows a list or a lens: beside the
// card, or all of the screen.
func (m *Model) paneWidth() int {
	switch {
	case m.split() && m.lensOpen():
		return m.look.W/2 - 1 // a lens needs the room that a list does not
	case m.split():
		return m.look.W * 7 / 15
	}
	return m.look.W
}

func (m *Model) paneLook() frame.Look {
	look := m.look
	look.Split = m.split()
	return look
}

// listRows is how many rows of the list are on the screen.
func (m *Model) listRows() int {
	h := m.body()
	if m.place == keys.History {
		if m.look.H >= airyH {
			h-- // the chain's row
		}
		h, _ = m.historyRows(h)
		return m.hist.Body(m.look, h)
	}
	return m.list.Body(m.look, h)
}

// layout places the open card.
type layout struct {
	split        bool
	cardW, cardH int
	second       bool
	foot         int
}

func (m *Model) layout() layout {
	l := layout{split: m.split(), cardW: m.look.W, second: m.look.H >= airyH}
	if l.split {
		l.cardW = m.look.W - m.paneWidth() - 1
	}
	l.foot = m.open.FootRows(m.look, m.look.W)
	if m.over != nil && !m.covered() {
		l.foot = max(l.foot, m.noteRows()) // what a layer takes of the card is not on the screen
	}
	used := 1 + 1 + l.foot + 1 // title, state, foot, keys
	if l.second {
		used++
	}
	l.cardH = max(m.look.H-used, 1)
	return l
}

func (m *Model) drawList(rows []frame.Line) ([]frame.Line, frame.Point) {
	look, w, h := m.paneLook(), m.paneWidth(), m.body()
	if m.place == keys.Inbox && m.list.Empty(m.look) {
		w = m.look.W
		return append(rows, m.nothingYet(w, h)...), frame.Point{X: 1, Y: m.look.H - 1}
	}
	var list []frame.Line
	var at int
	top := 1
	if m.place == keys.History && m.look.H >= airyH {
		rows = append(rows, m.chainLine(m.look.W))
		top, h = top+1, h-1
	}
	head := "preview of the selected row: it does not count as reading"
	switch m.place {
	case keys.History:
		list, at = m.drawHistory(look, w, h)
	case keys.Effects:
		list, at = m.effects.Render(look, w, h)
	default:
		list, at = m.list.Render(look, w, h)
	}
	cursor := frame.Point{}
	if at >= 0 {
		cursor = frame.Point{X: 0, Y: top + at}
	}
	if m.split() {
		var right []frame.Line
		if m.place == keys.History {
			right = m.replayed(m.look.W-w-1, h)
		} else if _, ok := m.peeks(); ok || m.place == keys.Effects {
			right = m.drawPeek(m.look.W-w-1, h)
		} else if n, ok := m.list.Notice(m.list.Selected().Notice); ok {
			right = noticePane(m.look, &n, m.look.W-w-1)
		} else if d, ok := m.list.Delivery(m.list.Selected().Delivery); ok {
			right = deliveryPane(m.look, &d, m.look.W-w-1)
		} else {
			right = m.preview.render(head, m.look, m.look.W-w-1, h)
		}
		list = frame.Beside(list, right, w, h, frame.S(themes.Border, m.look.Glyphs.Divider))
	}
	for len(list) < h {
		list = append(list, nil)
	}
	return append(rows, list...), cursor
}

func (m *Model) drawDetail(rows []frame.Line) ([]frame.Line, frame.Point) {
	w := m.look.W
	if m.open == nil {
		return append(rows, frame.Line{frame.S(themes.Muted, " opening…")}), frame.Point{}
	}
	l := m.layout()
	rows = append(rows, m.open.State(m.look, w))
	if l.second {
		rows = append(rows, m.lensRow(w))
	}
	var card []frame.Line
	if m.lensCovers() {
		card = m.drawLens(l.cardH)
	} else {
		card = m.open.CardRows(l.cardW)
	}
	if l.split {
		card = frame.Beside(m.besideCard(l.cardH), card, m.paneWidth(), l.cardH, frame.S(themes.Border, m.look.Glyphs.Divider))
	}
	for len(card) < l.cardH {
		card = append(card, nil)
	}
	rows = append(rows, card...)
	foot, cursor := m.open.Foot(m.look, w)
	if m.lensCovers() && (!m.open.HasGate() || m.open.Mode() != gate.ModeOver) {
		covered := m.coveredSays()
		text := covered.rows(m.look.Glyphs, w)
		foot = append(make([]frame.Line, max(len(foot)-len(text), 0)), text...)
	}
	if cursor != (frame.Point{}) {
		cursor.Y += len(rows)
	} else {
		cursor = frame.Point{X: 0, Y: len(rows) + len(foot) - 1}
	}
	return append(rows, foot...), cursor
}

// besideCard is the pane left of an open card: a lens, else the list it came
// from, muted.
func (m *Model) besideCard(h int) []frame.Line {
	if m.lensOpen() {
		return m.drawLens(h)
	}
	var list []frame.Line
	if m.under(keys.History) {
		list, _ = m.hist.Render(m.paneLook(), m.paneWidth(), h)
	} else {
		list, _ = m.list.Render(m.paneLook(), m.paneWidth(), h)
	}
	for i := range list {
		list[i] = list[i].Mute()
	}
	return list
}

// coveredSays is why no key answers while a lens is in the card's place; on the
// desk the first key of an answer writes it, so there it is said only once one
// is written.
func (m *Model) coveredSays() note {
	if m.open.Desk() != nil && !m.open.Written() {
		l := m.open.Line()
		if l.Head.Len() == 0 {
			l.Message = m.deskHint()
		}
		return note{head: strings.TrimSuffix(l.Head.String(), ":"), role: l.Role, text: trimmed(l.Rest)}
	}
	what := "card"
	if m.open.Desk() != nil {
		what = "page"
	}
	return note{head: "Covered", role: themes.Warn, text: visible.Drawn("the lens is in the " + what + "'s place, so no key answers" + m.hint(m.place, keys.NextLens, "goes on") + ".")}
}

// trimmed is a sentence without the blank that parts it from its head.
func trimmed(t visible.Text) visible.Text {
	if strings.HasPrefix(t.String(), " ") {
		return t.Slice(1, t.Len())
	}
	return t
}

// drawLens draws the current lens, which says itself that it is not approved.
func (m *Model) drawLens(h int) []frame.Line {
	if m.place == keys.Desk {
		return m.drawTab(h)
	}
	l := m.lens.made[m.lens.current]
	if l == nil {
		return []frame.Line{{frame.S(themes.Muted, " "+m.lens.current.String()+" "+m.look.Glyphs.Dot+" being made")}}
	}
	return l.Render(m.paneLook(), m.paneWidth(), h)
}

// lensRow is the row under the state of an open ask: its lenses while one is
// there to choose, else what was written for the answer.
func (m *Model) lensRow(w int) frame.Line {
	if d := m.open.Desk(); d != nil {
		return desk.Strip(m.paneLook(), d, m.tab(), w)
	}
	if len(m.lens.kinds) == 0 || m.place != keys.Detail || m.open.Written() && !m.lensOpen() {
		return m.open.Second(m.look, w)
	}
	return lens.Strip(m.paneLook(), m.lens.kinds, m.lens.current, m.lens.escapes, w)
}

// drawLayer draws a layer in the body's place.
func (m *Model) drawLayer(rows []frame.Line, l bodied) ([]frame.Line, frame.Point) {
	body, at := l.body(m, m.look.W, m.body())
	if at != (frame.Point{}) {
		at.Y++
	}
	return append(rows, body...), at
}

// drawView draws the sessions or the statistics.
func (m *Model) drawView(rows []frame.Line) ([]frame.Line, frame.Point) {
	var body []frame.Line
	var at int
	if m.place == keys.Sessions {
		body, at = m.sessions.Render(m.look, m.look.W, m.body())
	} else {
		body, at = m.stats.Render(m.look, m.look.W, m.body())
	}
	if at < 0 {
		return append(rows, body...), frame.Point{}
	}
	return append(rows, body...), frame.Point{X: 0, Y: 1 + at}
}

// drawFoot puts the message and the keys, or the prompt, in the last rows.
func (m *Model) drawFoot(rows []frame.Line, cursor frame.Point) ([]frame.Line, frame.Point) {
	w, h := m.look.W, m.look.H
	fill := func(n int) {
		for len(rows) < n {
			rows = append(rows, nil)
		}
		rows = rows[:n]
	}
	if m.over != nil {
		foot, at := m.over.foot(m, w)
		fill(h - len(foot))
		if at != (frame.Point{}) {
			cursor = frame.Point{X: at.X, Y: h - len(foot) + at.Y}
		}
		return append(rows, foot...), cursor
	}
	if m.note.head != "" && m.cardPlace() {
		// In a detail the gate speaks; what is not about the gate stands in
		// its last row until the next key.
		text := m.note.rows(m.look.Glyphs, w)
		fill(h - 1 - len(text))
		rows = append(rows, text...)
		return append(rows, m.footer(w)), cursor
	}
	if !m.cardPlace() {
		text := m.note.rows(m.look.Glyphs, w)
		if m.place == keys.Help && m.note.head == "" {
			text = []frame.Line{m.helpMore(w)}
		}
		fill(h - 1 - len(text))
		rows = append(rows, text...)
	}
	fill(h - 1)
	return append(rows, m.footer(w)), cursor
}

// helpMore says that the help goes on, on the message's row while there is none.
func (m *Model) helpMore(w int) frame.Line {
	part := m.help.More(m.keys, m.why, w, m.body())
	if part == "" {
		return nil
	}
	return frame.Line{frame.Gap(1), frame.S(themes.Muted, part+"; "+m.keys.Shown(keys.Help, keys.Down)+" and "+m.keys.Shown(keys.Help, keys.PageDown)+" go on")}
}

// Rows of a history: from which height on the events of the selected row stand
// below the list, and which part of it they take.
const (
	eventsNeed = 15
	eventsPart = 3
)

// historyRows shares the rows of the history's pane between list and events.
func (m *Model) historyRows(h int) (list, events int) {
	if h < eventsNeed {
		return h, 0
	}
	events = h / eventsPart
	return h - events - 1, events
}

// drawHistory draws the list of what was answered, and the events of the
// selected row below it where there is room.
func (m *Model) drawHistory(look frame.Look, w, h int) ([]frame.Line, int) {
	n, events := m.historyRows(h)
	rows, at := m.hist.Render(look, w, n)
	if events == 0 {
		return rows, at
	}
	for len(rows) < n+1 {
		rows = append(rows, nil)
	}
	return append(rows[:n+1], m.past.events.Render(look, w, events)...), at
}

// replayed is the pane right of the history: the card of the selected row.
func (m *Model) replayed(w, h int) []frame.Line {
	view, ok := m.preview.shown()
	if !ok {
		return m.preview.render("", m.look, w, h)
	}
	head := history.Replay(m.look, view, w)
	return append(head, m.preview.render("", m.look, w, h+1-len(head))[1:]...)
}
