package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/tui/inbox"
	"nod/tui/keys"
)

// readWithin bounds one reading.
const readWithin = 10 * time.Second

// inboxRead is the whole inbox as it was read.
type inboxRead struct {
	gen    uint64
	how    how
	next   string // ask to select when the selected one is gone
	page   queue.Inbox
	lists  inbox.Lists
	status queue.Status
	err    error
}

// how a page comes into the list.
type how uint8

const (
	show    how = iota // bring in what is new, keep the selection
	showTop            // and go to the first row
	showEnd            // the last page
	refresh            // change nothing under the hand
)

type inboxMore struct {
	q    queue.QInbox
	up   bool
	page queue.Inbox
	err  error
}

type historyRead struct {
	gen    uint64
	how    how
	page   queue.History
	status queue.Status
	err    error
}

type historyMore struct {
	q    queue.QHistory
	up   bool
	page queue.History
	err  error
}

// askRead is one ask for the detail, the replay or the preview.
type askRead struct {
	gen  uint64
	id   string
	view queue.AskView
	err  error
}

// reads numbers the questions to the queue: an answer to an older question
// than the newest of its kind is dropped.
type reads struct {
	inbox, history, ask, preview uint64
	view, lens, search, chain    uint64
	records                      uint64
	more                         bool // a further page is on its way
}

// lately is how many answered asks the inbox ends with.
const lately = 5

// notices is how many open notices are read.
const notices = 50

func (m *Model) command(f func(ctx context.Context) tea.Msg) tea.Cmd {
	parent := m.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, readWithin)
		defer cancel()
		return f(ctx)
	}
}

// readInbox reads a page and the small lists.
func (m *Model) readInbox(how how, next string) tea.Cmd {
	m.reads.inbox++
	gen, port := m.reads.inbox, m.port
	q := m.list.FromTop()
	switch how {
	case showEnd:
		q = m.list.FromEnd()
	case refresh, show:
		q = m.list.Again()
	}
	return m.command(func(ctx context.Context) tea.Msg {
		r := inboxRead{gen: gen, how: how, next: next}
		if r.page, r.err = queue.Get[queue.Inbox](ctx, port, q); r.err != nil {
			return r
		}
		n, err := queue.Get[queue.Notices](ctx, port, queue.QNotices{Open: true, Limit: notices})
		if err != nil {
			r.err = err
			return r
		}
		h, err := queue.Get[queue.History](ctx, port, queue.QHistory{Limit: lately})
		if err != nil {
			r.err = err
			return r
		}
		e, err := queue.Get[queue.Effects](ctx, port, queue.QEffects{Open: true, Limit: inbox.MostEffects})
		if err != nil {
			r.err = err
			return r
		}
		d, err := queue.Get[queue.Deliveries](ctx, port, queue.QDeliveries{Open: true, Limit: inbox.MostDeliveries})
		if err != nil {
			r.err = err
			return r
		}
		r.lists = inbox.Lists{Effects: e.Effects, Deliveries: d.Deliveries, Notices: n.Notices, Lately: h.Rows}
		r.status, r.err = queue.Get[queue.Status](ctx, port, queue.QStatus{})
		return r
	})
}

func (m *Model) readHistory(how how) tea.Cmd {
	m.reads.history++
	gen, port := m.reads.history, m.port
	q := m.hist.First()
	if how == refresh {
		q = m.hist.Again()
	}
	return m.command(func(ctx context.Context) tea.Msg {
		r := historyRead{gen: gen, how: how}
		if r.page, r.err = queue.Get[queue.History](ctx, port, q); r.err == nil {
			r.status, r.err = queue.Get[queue.Status](ctx, port, queue.QStatus{})
		}
		return r
	})
}

// readFurther reads the page that the selection comes near to, if any.
func (m *Model) readFurther() tea.Cmd {
	if m.reads.more {
		return nil
	}
	port := m.port
	if m.place == keys.Effects {
		return m.readMoreEffects()
	}
	if m.place == keys.History {
		q, up, ok := m.hist.Wants()
		if !ok {
			return nil
		}
		m.reads.more = true
		return m.command(func(ctx context.Context) tea.Msg {
			page, err := queue.Get[queue.History](ctx, port, q)
			return historyMore{q: q, up: up, page: page, err: err}
		})
	}
	q, up, ok := m.list.Wants()
	if !ok {
		return nil
	}
	m.reads.more = true
	return m.command(func(ctx context.Context) tea.Msg {
		page, err := queue.Get[queue.Inbox](ctx, port, q)
		return inboxMore{q: q, up: up, page: page, err: err}
	})
}

// readAsk reads the ask that is open or opening.
func (m *Model) readAsk(id string) tea.Cmd {
	m.reads.ask++
	return m.askCommand(m.reads.ask, id, func(r askRead) tea.Msg { return r })
}

// previewRead is an ask for the preview.
type previewRead struct{ askRead }

// readPreview reads the selected ask for the pane beside the list.
func (m *Model) readPreview() tea.Cmd {
	if cmd, ok := m.readPeek(); ok {
		m.preview.clear()
		return cmd
	}
	row, ok := m.selectedRow()
	if !ok || !m.split() {
		m.preview.clear()
		return nil
	}
	if m.preview.has(&row) {
		return nil
	}
	m.preview.expect(row.ID)
	m.reads.preview++
	return m.askCommand(m.reads.preview, row.ID, func(r askRead) tea.Msg { return previewRead{r} })
}

func (m *Model) askCommand(gen uint64, id string, wrap func(askRead) tea.Msg) tea.Cmd {
	port := m.port
	return m.command(func(ctx context.Context) tea.Msg {
		view, err := queue.Get[queue.AskView](ctx, port, queue.QAsk{ID: id})
		return wrap(askRead{gen: gen, id: id, view: view, err: err})
	})
}
