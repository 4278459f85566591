package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/tui/keys"
	"nod/tui/sessions"
)

// sessionsRead and statsRead are answers for the two views.
type sessionsRead struct {
	gen    uint64
	how    how
	page   queue.Sessions
	status queue.Status
	err    error
}

type statsRead struct {
	gen  uint64
	q    queue.QStats
	page queue.Stats
	err  error
}

func (m *Model) readSessions(how how) tea.Cmd {
	m.reads.view++
	gen, port := m.reads.view, m.port
	return m.command(func(ctx context.Context) tea.Msg {
		r := sessionsRead{gen: gen, how: how}
		if r.page, r.err = queue.Get[queue.Sessions](ctx, port, sessions.Query()); r.err == nil {
			r.status, r.err = queue.Get[queue.Status](ctx, port, queue.QStatus{})
		}
		return r
	})
}

func (m *Model) onSessions(r sessionsRead) tea.Cmd {
	if r.gen != m.reads.view {
		return nil
	}
	if r.err != nil {
		m.note.fault("Not read", r.err)
		return nil
	}
	m.status = r.status
	m.sync(r.status.Now)
	m.sessions.Freezes(r.status.Freezes)
	if r.how == refresh && m.sessions.Loaded() {
		m.sessions.Refresh(r.page)
	} else {
		m.sessions.Show(r.page)
	}
	return m.readRecords()
}

// recordsRead is what was written down of one session's tree.
type recordsRead struct {
	gen     uint64
	session string
	page    queue.Records
	err     error
}

// readRecords reads the records of the selected session, where there may be any.
func (m *Model) readRecords() tea.Cmd {
	id, armed := m.sessions.Armed()
	if !armed {
		return nil
	}
	m.reads.records++
	gen, port := m.reads.records, m.port
	return m.command(func(ctx context.Context) tea.Msg {
		page, err := queue.Get[queue.Records](ctx, port, queue.QRecords{Session: id, Limit: sessions.RecordPage})
		return recordsRead{gen, id, page, err}
	})
}

func (m *Model) onRecords(r recordsRead) {
	if r.gen != m.reads.records {
		return
	}
	if r.err != nil {
		m.note.fault("Not read", r.err)
		return
	}
	m.sessions.Records(r.session, r.page)
}

func (m *Model) readStats() tea.Cmd {
	m.reads.view++
	m.statsAt = m.ms()
	gen, port, q := m.reads.view, m.port, m.stats.Query()
	return m.command(func(ctx context.Context) tea.Msg {
		r := statsRead{gen: gen, q: q}
		r.page, r.err = queue.Get[queue.Stats](ctx, port, q)
		return r
	})
}

func (m *Model) onStats(r statsRead) {
	if r.gen != m.reads.view {
		return
	}
	if r.err != nil {
		m.note.fault("Not read", r.err)
		return
	}
	m.sync(r.page.Now)
	m.stats.Show(r.q, r.page)
	m.stats.Counters(m.list.Counters())
	n, half := m.pace.Standing(m.look.Now)
	m.stats.SetPace(int64(n), half, m.pace.Limits().SlowBelowMS)
}

// statsEvery is how far apart the statistics are read while things change: they
// look at every ask of their span.
const statsEvery = 10 * time.Second

// readView reads the small view in sight again.
func (m *Model) readView() tea.Cmd {
	switch m.place {
	case keys.Effects:
		return m.readEffects(refresh)
	case keys.Sessions:
		return m.readSessions(refresh)
	case keys.Stats:
		if m.ms()-m.statsAt >= statsEvery.Milliseconds() {
			return m.readStats()
		}
	}
	return nil
}
