package tui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/detail"
	"nod/tui/gate"
	"nod/tui/help"
	"nod/tui/inbox"
	"nod/tui/keys"
)

// why says why a binding cannot be used now; "" when it can.
func (m *Model) why(b keys.Binding) string {
	switch b.Intent {
	case keys.Open:
		if m.place == keys.Inbox && m.list.Selected() == (inbox.Key{}) {
			return "nothing is selected"
		}
		if m.place == keys.History {
			if _, ok := m.hist.Selected(); !ok {
				return "nothing is selected"
			}
		}
	case keys.Approve, keys.Deny:
		return m.whyNotAnswer(b.Intent)
	case keys.Words, keys.SkipUnseen:
		if m.open == nil || !m.open.Pending() {
			return "it is not waiting for an answer"
		}
	case keys.Answer:
		switch {
		case m.open == nil || !m.open.Pending():
			return "it is not waiting for an answer"
		case m.open.Row().Kind != "question":
			return "it is a call, not a question"
		}
	case keys.NextUnseen:
		switch {
		case m.open == nil || !m.open.Pending():
			return "it is not waiting for an answer"
		case m.open.Unread() == 0:
			return "every line was shown"
		}
	case keys.NextAsk, keys.PrevAsk:
		if _, ok := m.neighbour(b.Intent); !ok {
			return "no further ask is waiting there"
		}
	case keys.Revoke:
		row := m.revocable()
		if row == nil {
			return "only an allow that has not begun can be taken back"
		}
	case keys.Acknowledge:
		if m.list.Selected().Notice == 0 {
			return "the selected row is no notice"
		}
	case keys.ShowNotices:
		if m.list.Counters().Notices == 0 {
			return "there is nothing to read"
		}
	}
	return ""
}

// whyNotAnswer is for the keys row and the help; the gate itself answers the
// key with its own sentence.
func (m *Model) whyNotAnswer(i keys.Intent) string {
	switch {
	case m.open == nil || !m.open.Pending():
		return "it is not waiting for an answer"
	case i == keys.Deny && m.open.Armed(), i == keys.Approve && m.open.MayAllow():
		return ""
	case i == keys.Approve && m.open.Unread() > 0:
		return strconv.Itoa(m.open.Unread()) + " lines have not been on the screen"
	case i == keys.Approve && m.open.Armed():
		if m.open.Row().Kind == "question" {
			return "no answer is written"
		}
		return "it cannot be allowed here"
	}
	return "not armed: it takes 400 ms of rest"
}

// revocable is the allow that the revoke key would take back.
func (m *Model) revocable() *queue.Row {
	var row *queue.Row
	switch {
	case m.place == keys.History:
		if r, ok := m.hist.Selected(); ok {
			row = &r
		}
	case m.open != nil:
		row = m.open.Row()
	}
	if row == nil || row.StateAt(m.look.Now) != queue.StateAllowed {
		return nil
	}
	return row
}

// neighbour is the pending ask after or before the open one.
func (m *Model) neighbour(i keys.Intent) (string, bool) {
	if m.open == nil {
		return "", false
	}
	if i == keys.PrevAsk {
		return m.list.Near(m.open.ID(), -1)
	}
	return m.list.Near(m.open.ID(), 1)
}

// do carries out an intent that why does not forbid.
func (m *Model) do(i keys.Intent) tea.Cmd {
	switch i {
	case keys.Open:
		return m.openSelected()
	case keys.Back:
		return m.goBack()
	case keys.Quit:
		return tea.Quit
	case keys.Suspend:
		return tea.Suspend
	case keys.Up, keys.Down, keys.PageUp, keys.PageDown, keys.Top, keys.End:
		return m.move(i)
	case keys.NextUnseen:
		m.open.ToUnread()
	case keys.NextAsk, keys.PrevAsk:
		id, _ := m.neighbour(i)
		m.list.Select(id, m.listLook(), m.listRows())
		return m.openAsk(id)
	case keys.Words:
		m.prompt = &prompt{kind: writeWords, since: m.ms()}
		m.prompt.field.Set(m.open.Words())
	case keys.Answer:
		m.prompt = &prompt{kind: writeAnswer, since: m.ms()}
		m.prompt.field.Set(m.open.Answer())
	case keys.Revoke:
		m.prompt = &prompt{kind: askRevoke, ask: m.revocable().ID, since: m.ms()}
	case keys.Freeze:
		m.prompt = &prompt{kind: askFreeze, since: m.ms()}
		if m.frozen() {
			m.prompt.kind = askUnfreeze
		}
	case keys.Acknowledge:
		id := m.list.Selected().Notice
		if n, _ := m.list.Notice(id); n.Code == queue.NoticeClockJump && m.status.Held {
			m.prompt = &prompt{kind: askClock, about: id, since: m.ms()}
			return nil
		}
		return m.acknowledge(id)
	case keys.ShowNotices:
		if !m.list.SelectNotice(m.listLook(), m.listRows()) {
			return m.readInbox(showEnd, "")
		}
	case keys.ShowInbox:
		return m.goTo(keys.Inbox)
	case keys.ShowHistory:
		return m.goTo(keys.History)
	case keys.ShowHelp:
		if m.place != keys.Help {
			m.help = help.New(m.place)
			m.enter(keys.Help)
		}
	case keys.Theme:
		m.nextTheme()
	}
	return nil
}

func (m *Model) move(i keys.Intent) tea.Cmd {
	switch m.place {
	case keys.Detail, keys.Replay:
		if m.open != nil {
			m.scrollCard(i)
		}
		return nil
	case keys.Help:
		n := map[keys.Intent]int{keys.Up: -1, keys.Down: 1, keys.PageUp: -m.body(), keys.PageDown: m.body()}[i]
		m.help.Scroll(m.keys, m.why, m.look.W, m.body(), n)
		return nil
	case keys.History:
		return m.moveHistory(i)
	}
	switch i {
	case keys.Top:
		return m.readInbox(showTop, "")
	case keys.End:
		return m.readInbox(showEnd, "")
	}
	m.list.Move(m.step(i), m.listLook(), m.listRows())
	return tea.Batch(m.readFurther(), m.readPreview())
}

func (m *Model) moveHistory(i keys.Intent) tea.Cmd {
	if i == keys.Top {
		return m.readHistory(showTop)
	}
	n := m.step(i)
	if i == keys.End {
		n = 1 << 30 // of what is held; further pages follow
	}
	m.hist.Move(n, m.listRows())
	return tea.Batch(m.readFurther(), m.readPreview())
}

// step is how many rows of a list a key moves.
func (m *Model) step(i keys.Intent) int {
	switch i {
	case keys.Up:
		return -1
	case keys.Down:
		return 1
	case keys.PageUp:
		return -max(m.listRows()-1, 1)
	case keys.PageDown:
		return max(m.listRows()-1, 1)
	}
	return 0
}

func (m *Model) scrollCard(i keys.Intent) {
	page := max(m.open.Body()-1, 1) // one row of the page before stays
	switch i {
	case keys.Up:
		m.open.Scroll(-1)
	case keys.Down:
		m.open.Scroll(1)
	case keys.PageUp:
		m.open.Scroll(-page)
	case keys.PageDown:
		m.open.Scroll(page)
	case keys.Top:
		m.open.ToTop()
	case keys.End:
		m.open.ToEnd()
	}
}

// openSelected opens what is under the hand.
func (m *Model) openSelected() tea.Cmd {
	if m.place == keys.History {
		row, _ := m.hist.Selected()
		return m.openAsk(row.ID)
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

// openAsk reads an ask to open it. Until it is there the place does not change.
func (m *Model) openAsk(id string) tea.Cmd {
	m.opening = id
	return m.readAsk(id)
}

// opened shows the ask that was asked for.
func (m *Model) opened(view queue.AskView) tea.Cmd {
	m.opening = ""
	m.open = detail.New(view, m.gateKeys, m.look.Loc, m.ms())
	if !m.focused {
		m.open.Handle(gate.Blur{}, m.ms())
	}
	to := keys.Replay
	if view.Row.State == queue.StatePending {
		to = keys.Detail
	}
	if m.place == keys.Detail || m.place == keys.Replay {
		m.place = to
	} else {
		m.enter(to)
	}
	return nil
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

// goBack leaves a place for the one before it.
func (m *Model) goBack() tea.Cmd {
	from := m.place
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

// arrived reads what the place needs, when an ask was left.
func (m *Model) arrived() tea.Cmd {
	next, how := "", refresh
	if m.open != nil && m.place != keys.Detail && m.place != keys.Replay {
		if m.open.Row().State != queue.StatePending || m.open.Mode() == gate.ModeSent {
			how = show
			next, _ = m.list.Near(m.open.ID(), 1)
		}
		m.open = nil
	}
	m.opening = ""
	switch m.place {
	case keys.History:
		m.preview.clear()
		return m.readHistory(show)
	case keys.Inbox:
		m.preview.clear()
		return m.readInbox(how, next)
	}
	return nil
}
