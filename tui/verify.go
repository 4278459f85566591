package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/tui/frame"
	"nod/tui/history"
	"nod/tui/keys"
)

// past is what stands around the history: the newest verification of the chain
// and the events of the selected row.
type past struct {
	chain  history.Chain
	events history.Events
}

type verified struct {
	chain history.Chain
	err   error
}

// verify checks the whole chain again, off the event loop.
func (m *Model) verify() tea.Cmd {
	if m.past.chain.Running || m.opts.Verify == nil {
		return nil
	}
	m.past.chain.Running = true
	ctx, check := m.ctx, m.opts.Verify
	return func() tea.Msg {
		c, err := check(ctx)
		return verified{c, err}
	}
}

func (m *Model) onVerified(v verified) {
	if v.err != nil {
		m.past.chain.Running, m.past.chain.Failed = false, true
		m.note.fault("Not verified", v.err)
		return
	}
	v.chain.At = m.look.Now
	m.past.chain = v.chain
}

// chainLine is the row that says how the chain stands.
func (m *Model) chainLine(w int) frame.Line {
	c := m.past.chain
	c.Newest, c.Apart = m.status.Event, m.opts.Verify == nil
	return c.Line(m.look, w)
}

// eventsRead is the events of one ask.
type eventsRead struct {
	gen  uint64
	ask  string
	page queue.Events
	err  error
}

// readEvents reads the events of the selected row of the history.
func (m *Model) readEvents() tea.Cmd {
	row, ok := m.hist.Selected()
	if m.place != keys.History || !ok || m.past.events.Of() == row.ID {
		return nil
	}
	m.past.events.Expect(row.ID)
	m.reads.chain++
	gen, port, id := m.reads.chain, m.port, row.ID
	return m.command(func(ctx context.Context) tea.Msg {
		page, err := queue.Get[queue.Events](ctx, port, history.Query(id))
		return eventsRead{gen, id, page, err}
	})
}

func (m *Model) onEvents(r eventsRead) {
	if r.gen != m.reads.chain {
		return
	}
	if r.err != nil {
		m.note.fault("Not read", r.err)
		return
	}
	m.past.events.Show(r.ask, r.page)
}
