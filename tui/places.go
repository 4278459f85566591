package tui

import (
	tea "charm.land/bubbletea/v2"

	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/detail"
	"nod/tui/gate"
	"nod/tui/keys"
)

// openSelected opens what is under the hand.
func (m *Model) openSelected() tea.Cmd {
	switch m.place {
	case keys.History:
		row, _ := m.hist.Selected()
		return m.openAsk(row.ID)
	case keys.Sessions:
		return m.asksOfSession()
	case keys.Stats:
		return m.asksOfRow()
	}
	sel := m.list.Selected()
	if sel.Notice != 0 {
		n, _ := m.list.Notice(sel.Notice)
		if n.Ask == "" {
			m.note = note{head: "Notice", role: themes.Warn, text: visible.Row(n.Sentence)}
			return nil
		}
		return m.openAsk(n.Ask)
	}
	return m.openAsk(sel.Ask)
}

// openingBatch is what is opening while the marked asks are read.
const openingBatch = "batch"

// stay gives up what is being opened: the operator goes on with what is on the
// screen, and nothing that was asked for before comes into its place.
func (m *Model) stay() {
	if m.opening != "" {
		m.opening, m.keepNote, m.missed = "", false, true
	}
}

// catchUp reads the open ask, which was not followed while another one was
// opening.
func (m *Model) catchUp() tea.Cmd {
	if !m.missed || m.opening != "" {
		return nil
	}
	m.missed = false
	return m.readOpen()
}

// engaged reports whether the operator is in the middle of an answer or of
// something that stands before the card, so that nothing may open now.
func (m *Model) engaged() bool {
	if m.over != nil || m.place == keys.Help {
		return true
	}
	if m.open == nil || !m.open.HasGate() {
		return false
	}
	mode := m.open.Mode()
	return mode != gate.ModeRest && mode != gate.ModeOver
}

// openAsk reads an ask to open it. Until it is there the place does not change.
func (m *Model) openAsk(id string) tea.Cmd {
	m.opening = id
	return m.readAsk(id)
}

// opened shows the ask that was asked for.
func (m *Model) opened(view queue.AskView) tea.Cmd {
	m.opening, m.missed = "", false
	m.keepDraft()
	m.open = detail.New(view, m.gateKeys, m.look.Loc, m.ms())
	if !m.focused {
		m.open.Handle(gate.Blur{}, m.ms())
	}
	to := keys.Replay
	if view.Row.State == queue.StatePending {
		to = keys.Detail
	}
	if m.cardPlace() {
		m.place = to
		m.list.Select(view.Row.ID, m.paneLook(), m.listRows())
	} else {
		m.enter(to)
	}
	m.bringDraft()
	m.slowDown()
	return m.lookThrough()
}

// enter goes to a place and remembers the way back.
func (m *Model) enter(p keys.Place) {
	m.back = append(m.back, m.place)
	m.place = p
}

func (m *Model) under(p keys.Place) bool {
	for _, b := range m.back {
		if b == p {
			return true
		}
	}
	return false
}

// goBack leaves a place for the one before it; in the inbox it drops what
// narrows the list.
func (m *Model) goBack() tea.Cmd {
	if m.place == keys.Inbox {
		return m.widen()
	}
	from := m.place
	if from == keys.History && m.hist.Filtered() {
		m.searched = ""
		return m.narrowHistory(queue.Filter{}, visible.Text{})
	}
	m.place = keys.Inbox
	if n := len(m.back); n > 0 {
		m.place, m.back = m.back[n-1], m.back[:n-1]
	}
	if from == keys.Help {
		return nil
	}
	return m.arrived()
}

// goTo goes to one of the views, by whichever way.
func (m *Model) goTo(p keys.Place) tea.Cmd {
	m.place, m.back = p, nil
	return m.arrived()
}

// leave lets the open ask go; what was written for it is kept.
func (m *Model) leave() {
	m.keepDraft()
	m.open, m.lens = nil, lenses{}
}

// arrived reads what the place needs, when an ask was left.
func (m *Model) arrived() tea.Cmd {
	next, how := "", refresh
	if m.open != nil && !m.cardPlace() {
		if m.open.Row().State != queue.StatePending || m.open.Mode() == gate.ModeSent || m.open.Cards() > 1 {
			how = show
			next = m.list.Beside(m.open.ID())
		}
		m.leave()
	}
	m.opening = ""
	m.preview.clear()
	switch m.place {
	case keys.History:
		return m.readHistory(show)
	case keys.Inbox:
		return m.readInbox(how, next)
	case keys.Sessions:
		return m.readSessions(show)
	case keys.Stats:
		return m.readStats()
	}
	return nil
}
