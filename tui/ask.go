package tui

import (
	tea "charm.land/bubbletea/v2"

	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/keys"
)

// ask opens the question before an act that needs no card.
func (m *Model) ask(i keys.Intent) tea.Cmd {
	switch i {
	case keys.Revoke:
		id := m.revocable().ID
		m.confirm("Revoke", "this allow is taken back; the call never runs.", func(m *Model) tea.Cmd {
			return m.act(queue.Revoke{Ask: id})
		})
	case keys.Freeze:
		m.askFreeze("")
	case keys.FreezeSession:
		s, _ := m.sessions.Selected()
		m.askFreeze(s.ID)
	case keys.Acknowledge:
		return m.askAcknowledge()
	}
	return nil
}

func (m *Model) askFreeze(session string) {
	what := "nothing"
	if session != "" {
		what = "nothing of this session"
	}
	if since := m.frozenAt(session); since != 0 {
		m.confirm("Unfreeze", "new approvals may begin; older ones may not.", func(m *Model) tea.Cmd {
			if m.frozenAt(session) != since {
				m.note.warn("Changed", "it is not the freeze of before any more, so nothing was done.")
				return nil
			}
			return m.act(queue.Unfreeze{Session: session})
		})
		return
	}
	m.confirm("Freeze", what+" begins; older allows are never spent.", func(m *Model) tea.Cmd {
		return m.act(queue.Freeze{Session: session})
	})
}

func (m *Model) askAcknowledge() tea.Cmd {
	if ask := m.list.Selected().Delivery; ask != "" {
		return m.act(queue.AckDelivery{Ask: ask})
	}
	id := m.list.Selected().Notice
	if n, ok := m.list.Notice(id); ok && !m.wholeNotice(n) && m.noticed != id {
		m.noticed = id
		m.note = note{head: "Read first", role: themes.Warn, text: visible.Row(n.Sentence)}
		return nil
	}
	if n, _ := m.list.Notice(id); n.Code == queue.NoticeClockJump && m.status.Held {
		m.confirm("Clock", "it jumped; "+m.keys.Shown(keys.Confirm, keys.Yes)+": it is right, what was due falls due.", func(m *Model) tea.Cmd {
			return tea.Sequence(m.act(queue.ConfirmClock{}), m.act(queue.AckNotice{Notice: id}))
		})
		return nil
	}
	return m.act(queue.AckNotice{Notice: id})
}

// noticeCells is how much of a row stands before a notice's sentence.
const noticeCells = 26

// wholeNotice reports whether the list, or the pane beside it, shows all of a
// notice's sentence: nobody acknowledges what was not on the screen.
// The row of one that has a headline is that.
func (m *Model) wholeNotice(n queue.NoticeView) bool {
	return m.split() || n.Says == nil && frame.Width(visible.Row(n.Sentence)) <= m.look.W-noticeCells
}
