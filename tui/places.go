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
	case keys.Effects:
		e, _ := m.effects.Selected()
		return m.openEffect(e.ID)
	case keys.Desk:
		return m.openWaiting()
	}
	sel := m.list.Selected()
	if sel.Effect != "" {
		return m.openEffect(sel.Effect)
	}
	if sel.Delivery != "" {
		return m.openAsk(sel.Delivery)
	}
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
		m.opening, m.keepNote, m.missed, m.returns = "", false, true, false
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
	m.left = m.openID()
	m.open = detail.New(view, m.gateKeys, m.look.Loc, m.ms())
	if !m.focused {
		m.open.Handle(gate.Blur{}, m.ms())
	}
	to := keys.Replay
	if view.Row.State == queue.StatePending {
		to = keys.Detail
	}
	beside := m.cardPlace()
	m.come(to, view.Row.ID)
	if beside {
		m.list.Select(view.Row.ID, m.paneLook(), m.listRows())
	}
	m.bringDraft()
	m.slowDown()
	return m.lookThrough()
}

// step is a place on the way back, with the ask or effect that was open there.
type step struct {
	place keys.Place
	id    string
}

// enter goes to a place and remembers the way back.
func (m *Model) enter(p keys.Place) {
	m.back = append(m.back, step{place: m.place})
	m.place = p
}

// come goes to where an ask or an effect opens. From one of its own kind it
// takes that one's place; between an ask and its effect the way back leads to
// the other, and never round in a circle.
func (m *Model) come(to keys.Place, id string) {
	from := m.place
	if m.returns {
		m.returns, m.place = false, to
		return
	}
	for i, s := range m.back {
		if s.id == id && id != "" {
			m.back, m.place = m.back[:i], to
			return
		}
	}
	switch {
	case from&keys.Cards == 0:
		m.enter(to)
	case (from == keys.Desk) != (to == keys.Desk):
		m.back, m.place = append(m.back, step{from, m.left}), to
	default:
		m.place = to
	}
}

func (m *Model) under(p keys.Place) bool {
	for _, b := range m.back {
		if b.place == p {
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
		to := m.back[n-1]
		m.place, m.back = to.place, m.back[:n-1]
		if to.id != "" {
			m.place = from // until it is read
			return m.comeBack(to)
		}
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
	m.open, m.lens, m.tabs = nil, lenses{}, tabs{}
}

// arrived reads what the place needs, when an ask was left.
func (m *Model) arrived() tea.Cmd {
	next, how := "", refresh
	if m.open != nil && !m.cardPlace() {
		if d := m.open.Desk(); d != nil {
			if !d.Effect.Open {
				how, next = show, m.list.BesideEffect(d.Effect.ID)
			}
		} else if m.open.Row().State != queue.StatePending || m.open.Mode() == gate.ModeSent || m.open.Cards() > 1 {
			how = show
			next = m.list.Beside(m.open.ID())
		}
		m.leave()
	}
	m.opening = ""
	m.preview.clear()
	m.peek = peek{}
	switch m.place {
	case keys.Effects:
		return m.readEffects(show)
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
