package tui

import (
	tea "charm.land/bubbletea/v2"

	"nod/tui/keys"
)

func (m *Model) move(i keys.Intent) tea.Cmd {
	switch m.place {
	case keys.Detail, keys.Replay, keys.Batch, keys.Desk:
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
	case keys.Effects:
		return m.moveEffects(i)
	case keys.Sessions:
		m.sessions.Move(m.stepOf(i), m.look, m.body())
		if i == keys.Top {
			return m.readSessions(show)
		}
		return m.readRecords()
	case keys.Stats:
		m.stats.Move(m.stepOf(i), m.look, m.look.W, m.body())
		return nil
	}
	switch i {
	case keys.Top:
		return m.readInbox(showTop, "")
	case keys.End:
		return m.readInbox(showEnd, "")
	}
	m.list.Move(m.step(i), m.paneLook(), m.listRows())
	return tea.Batch(m.readFurther(), m.readPreview())
}

func (m *Model) moveHistory(i keys.Intent) tea.Cmd {
	if i == keys.Top {
		return m.readHistory(showTop)
	}
	m.hist.Move(m.stepOf(i), m.listRows())
	return tea.Batch(m.readFurther(), m.readPreview(), m.readEvents())
}

// far is more rows than any list holds at once.
const far = 1 << 30

// stepOf is step, with the ends of what is held; further pages follow.
func (m *Model) stepOf(i keys.Intent) int {
	switch i {
	case keys.Top:
		return -far
	case keys.End:
		return far
	}
	return m.step(i)
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
	if m.lensCovers() {
		m.scrollLens(i)
		return
	}
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

// read goes on in the reading: to what was not shown, or to another ask.
func (m *Model) read(i keys.Intent) tea.Cmd {
	if i == keys.NextUnseen {
		m.open.ToUnseen(m.ms())
		return nil
	}
	if m.place == keys.Batch {
		n := 1
		if i == keys.PrevAsk {
			n = -1
		}
		if !m.open.Go(n, m.ms()) {
			m.note.tell("No further", "this is the batch's last card in that direction.")
		}
		return nil
	}
	id, _ := m.neighbour(i)
	if m.place == keys.Desk {
		return m.openEffect(id)
	}
	return m.openAsk(id)
}
