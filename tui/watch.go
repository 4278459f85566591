package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"nod/tui/keys"
)

// settleFor is how long changes are gathered before the screen reads again.
const settleFor = 80 * time.Millisecond

// watching says that the queue tells about changes.
type watching struct {
	events <-chan int64
	err    error
}

// changed says that something changed, stillness that it is time to read.
type changed struct{ ok bool }

type stillness struct{}

// live folds changes: however many come, one reading runs at a time and one
// follows it.
type live struct {
	events  <-chan int64
	next    func(<-chan int64) tea.Cmd // waits for the next change
	waiting bool                       // for stillness
	running int                        // readings on their way
	dirty   bool                       // something changed since the running reading began
}

func (m *Model) watch() tea.Cmd {
	ctx, port := m.ctx, m.port
	return func() tea.Msg {
		events, err := port.Watch(ctx)
		return watching{events: events, err: err}
	}
}

func nextChange(events <-chan int64) tea.Cmd {
	return func() tea.Msg {
		_, ok := <-events
		return changed{ok: ok}
	}
}

func (m *Model) onChanged(c changed) tea.Cmd {
	if !c.ok {
		if m.ctx.Err() == nil {
			m.note.warn("Blind", "the queue tells no more of changes; leave with "+m.keys.Shown(keys.Inbox, keys.Quit)+" and start again.")
		}
		return nil
	}
	again := m.live.next(m.live.events)
	if m.live.running > 0 {
		m.live.dirty = true
		return again
	}
	if m.live.waiting {
		return again
	}
	m.live.waiting = true
	return tea.Batch(again, m.opts.Tick(settleFor, func(time.Time) tea.Msg { return stillness{} }))
}

// onStillness reads again what is on the screen.
func (m *Model) onStillness() tea.Cmd {
	m.live.waiting, m.live.dirty = false, false
	var cmds []tea.Cmd
	cmds = append(cmds, m.readInbox(refresh, ""))
	m.live.running = 1
	if m.place == keys.History || m.under(keys.History) {
		cmds = append(cmds, m.readHistory(refresh))
	}
	if m.open != nil {
		cmds = append(cmds, m.readOpen())
	}
	cmds = append(cmds, m.readView())
	return tea.Batch(cmds...)
}

// readDone says that the reading of the inbox ended.
func (m *Model) readDone() tea.Cmd {
	m.live.running = 0
	if !m.live.dirty || m.live.waiting {
		return nil
	}
	m.live.waiting = true
	return m.opts.Tick(settleFor, func(time.Time) tea.Msg { return stillness{} })
}
