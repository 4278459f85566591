package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/tui/alert"
)

// attention is what the terminal is told beside the screen.
type attention struct {
	state alert.State
	title string
	away  bool
}

// focus takes a report of the terminal about its window.
func (m *Model) focus(front bool) tea.Cmd {
	m.alert.state = m.alert.state.Focus(front)
	return m.call()
}

// call tells the terminal what waits. Its words are fixed.
func (m *Model) call() tea.Cmd {
	if !m.list.Loaded() {
		return nil
	}
	c, away := m.list.Counters(), m.away()
	state, out := m.alert.state.Step(m.look.Now, alert.Facts{
		Pending: c.Pending, Mandated: c.Mandated, Unknown: c.Unknown, Notices: c.Notices, Away: away,
	})
	m.alert.state, m.alert.title = state, out.Title
	if away != m.alert.away {
		m.alert.away = away
		if m.opts.Attended != nil {
			m.opts.Attended(!away)
		}
	}
	if out.Raw == "" {
		return nil
	}
	return tea.Raw(out.Raw)
}

// away reports whether asks wait and nobody has looked for long.
func (m *Model) away() bool {
	return alert.Unattended(m.ms(), m.keyAt, m.alert.state.InFront(), m.list.Counters().Pending)
}

// paceRead is what this operator answered lately.
type paceRead struct {
	rows []queue.Row
	err  error
}

// readPace reads the newest answers, so that leaving and coming back does not
// forget how fast they were given.
func (m *Model) readPace() tea.Cmd {
	port, q := m.port, m.pace.Query(m.look.Now)
	return m.command(func(ctx context.Context) tea.Msg {
		page, err := queue.Get[queue.History](ctx, port, q)
		return paceRead{page.Rows, err}
	})
}

func (m *Model) onPace(r paceRead) {
	if r.err == nil {
		m.pace.Seed(r.rows, m.opts.Name, "console", "plain")
	}
}
