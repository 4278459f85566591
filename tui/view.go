package tui

import (
	tea "charm.land/bubbletea/v2"

	"nod/themes"
	"nod/tui/frame"
	"nod/tui/keys"
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
	case keys.Detail, keys.Replay:
		rows, cursor = m.drawDetail(rows)
	case keys.Help:
		rows = append(rows, m.help.Render(m.keys, m.why, w, m.body())...)
	default:
		rows, cursor = m.drawList(rows)
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
		say.Number(m.list.Counters().Pending)+" wait; q quits.")}
}

// noteRows is how many rows the message takes above the keys.
func (m *Model) noteRows() int {
	switch {
	case m.prompt != nil:
		return 1
	case m.cardPlace():
		return 0 // the gate speaks there
	}
	return len(m.note.rows(m.look.Glyphs, m.look.W))
}

// body is how many rows there are between title and message.
func (m *Model) body() int { return max(m.look.H-2-m.noteRows(), 1) }

func (m *Model) cardPlace() bool { return m.place == keys.Detail || m.place == keys.Replay }

// cardVisible reports whether rows of the open card are on the screen.
func (m *Model) cardVisible() bool { return m.bigEnough() && m.cardPlace() && m.open != nil }

// split reports whether a second pane stands right of the list.
func (m *Model) split() bool { return m.look.W >= splitW }

// listWidth is the width of the list's pane.
func (m *Model) listWidth() int {
	if m.split() {
		return m.look.W * 7 / 15
	}
	return m.look.W
}

func (m *Model) listLook() frame.Look {
	look := m.look
	look.Split = m.split()
	return look
}

// listRows is how many rows of the list are on the screen.
func (m *Model) listRows() int {
	h := m.body()
	if m.look.H >= airyH {
		h--
	}
	return max(h, 1)
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
		l.cardW = m.look.W - m.listWidth() - 1
	}
	l.foot = m.open.FootRows(m.look, m.look.W)
	used := 1 + 1 + l.foot + 1 // title, state, foot, keys
	if l.second {
		used++
	}
	l.cardH = max(m.look.H-used, 1)
	return l
}

func (m *Model) drawList(rows []frame.Line) ([]frame.Line, frame.Point) {
	look, w, h := m.listLook(), m.listWidth(), m.body()
	if m.place == keys.Inbox && m.list.Empty() {
		return append(rows, nothingYet(h)...), frame.Point{X: 1, Y: m.look.H - 1}
	}
	var list []frame.Line
	var at int
	head := "preview of the selected row: it does not count as reading"
	if m.place == keys.History {
		list, at = m.hist.Render(look, w, h)
		head = "the card as it was shown, read from the store"
	} else {
		list, at = m.list.Render(look, w, h)
	}
	cursor := frame.Point{}
	if at >= 0 {
		cursor = frame.Point{X: 0, Y: 1 + at}
	}
	if m.split() {
		var right []frame.Line
		if n, ok := m.list.Notice(m.list.Selected().Notice); ok && m.place == keys.Inbox {
			right = noticePane(m.look, &n, m.look.W-w-1)
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
		rows = append(rows, m.open.Second(m.look, w))
	}
	card := m.open.CardRows(l.cardW)
	if l.split {
		var list []frame.Line
		if m.under(keys.History) {
			list, _ = m.hist.Render(m.listLook(), m.listWidth(), l.cardH)
		} else {
			list, _ = m.list.Render(m.listLook(), m.listWidth(), l.cardH)
		}
		for i := range list {
			list[i] = list[i].Mute()
		}
		card = frame.Beside(list, card, m.listWidth(), l.cardH, frame.S(themes.Border, m.look.Glyphs.Divider))
	}
	for len(card) < l.cardH {
		card = append(card, nil)
	}
	rows = append(rows, card...)
	foot, cursor := m.open.Foot(m.look, w)
	if cursor != (frame.Point{}) {
		cursor.Y += len(rows)
	} else {
		cursor = frame.Point{X: 0, Y: len(rows) + len(foot) - 1}
	}
	return append(rows, foot...), cursor
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
	if m.prompt != nil {
		two, at := m.prompt.rows(w)
		fill(h - 2)
		return append(rows, two[0], two[1]), frame.Point{X: at.X, Y: h - 2 + at.Y}
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
		fill(h - 1 - len(text))
		rows = append(rows, text...)
	}
	fill(h - 1)
	return append(rows, m.footer(w)), cursor
}

// nothingYet is the inbox before anybody asked.
func nothingYet(h int) []frame.Line {
	t := func(role themes.Role, s string) frame.Line { return frame.Line{frame.Gap(3), frame.S(role, s)} }
	cmd := func(name, does string) frame.Line {
		return frame.Line{frame.Gap(3), frame.Col(themes.Accent, name, 26), frame.S(themes.Muted, does)}
	}
	rows := []frame.Line{
		nil, t(themes.Text, "Nothing waits."), nil,
		t(themes.Muted, "An agent asks; you read the whole call; you answer;"),
		t(themes.Muted, "it runs once, as read."), nil,
		t(themes.Muted, "No agent asks now. Leave with q and run one of these:"), nil,
		cmd("nod demo", "a scripted agent asks you"),
		cmd("nod install claude-code", "shows the change first"),
		cmd("nod run -- npm publish", "holds one command"),
		cmd("nod doctor", "names ways around the gate"), nil,
		t(themes.Warn, "local: this is your own store, so decisions are not"),
		t(themes.Warn, "protected from agents that run as you. See nod doctor."),
	}
	if h < len(rows) { // the blank rows go first
		var kept []frame.Line
		for _, r := range rows {
			if r != nil {
				kept = append(kept, r)
			}
		}
		rows = kept
	}
	for len(rows) < h {
		rows = append(rows, nil)
	}
	return rows[:h]
}
