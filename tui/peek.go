package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/desk"
	"nod/tui/frame"
)

// peek is the summary of the selected effect beside the list. It counts as
// nothing: nobody has opened it.
type peek struct {
	want queue.EffectView // that is on its way, or there
	view queue.Desk
	fail string
}

type peekRead struct {
	id   string
	view queue.Desk
	err  error
}

// readPeek reads the effect under the hand for the pane beside the list; false
// where none is under it.
func (m *Model) readPeek() (tea.Cmd, bool) {
	e, ok := m.peeks()
	if !ok || !m.split() {
		m.peek = peek{}
		return nil, ok
	}
	w := &m.peek.want
	if w.ID == e.ID && w.MovedAt == e.MovedAt && w.Repeats == e.Repeats {
		return nil, true
	}
	if w.ID != e.ID {
		m.peek = peek{}
	}
	m.peek.want = e
	port := m.port
	return m.command(func(ctx context.Context) tea.Msg {
		view, err := queue.Get[queue.Desk](ctx, port, queue.QEffect{ID: e.ID})
		return peekRead{e.ID, view, err}
	}), true
}

func (m *Model) onPeek(r peekRead) {
	if r.id != m.peek.want.ID {
		return
	}
	m.peek.view, m.peek.fail = r.view, ""
	if r.err != nil {
		m.peek.fail, _ = said(r.err)
	}
}

func (m *Model) drawPeek(w, h int) []frame.Line {
	head := "summary of the selected row: it does not count as reading"
	var rows []frame.Line
	switch {
	case m.peek.fail != "":
		rows = []frame.Line{{frame.Gap(1), frame.T(themes.Warn, visible.Row(m.peek.fail))}}
	case m.peek.view.Effect.ID != "":
		rows = desk.Rows(m.look, desk.In{Desk: &m.peek.view, Self: m.opts.Name}, w)
	}
	return desk.Window(m.look, head, rows, nil, 0, w, h)
}
