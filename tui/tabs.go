package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"nod/digest/card"
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/cardview"
	"nod/tui/desk"
	"nod/tui/detail"
	"nod/tui/frame"
	"nod/tui/gate"
	"nod/tui/keys"
	"nod/tui/lens"
)

// tabs are what stands beside the page of the open effect, or in its place:
// labelled, and never a part of what an answer is bound to.
type tabs struct {
	current desk.Tab
	top     map[desk.Tab]int
	sel     int // of who waits
	diff    *lens.Lens
	of      [2]string // the two sides of diff
	card    approved
}

// approved is the card of the attempt that the answers are about.
type approved struct {
	want string // the ask that is on its way, or there
	view queue.AskView
	fail string
	lay  *cardview.Layout
	opts cardview.Options
}

type cardRead struct {
	ask  string
	view queue.AskView
	err  error
}

// tab is the current one. Beside the page it is never the page.
func (m *Model) tab() desk.Tab {
	if m.split() && m.tabs.current == desk.Page {
		return desk.Summary
	}
	return m.tabs.current
}

func (m *Model) whyNotTab(i keys.Intent) string {
	switch {
	case m.open == nil || m.open.Desk() == nil:
		return "no effect is open"
	case (i == keys.LensUp || i == keys.LensDown) && !m.lensOpen():
		return "no lens is open" + m.hint(keys.Desk, keys.NextLens, "opens one")
	}
	return ""
}

func (m *Model) tabKey(i keys.Intent) tea.Cmd {
	switch i {
	case keys.LensUp:
		m.scrollTab(keys.Up)
		return nil
	case keys.LensDown:
		m.scrollTab(keys.Down)
		return nil
	}
	all := desk.Tabs(m.open.Desk(), m.split())
	m.toTab(turn(all, m.tab(), i))
	return m.readTab()
}

// turn is the next of all after the current one, or the one before; round and
// round.
func turn[T comparable](all []T, current T, i keys.Intent) T {
	n := 1
	if i == keys.PrevLens {
		n = len(all) - 1
	}
	return all[(max(slices.Index(all, current), 0)+n)%len(all)]
}

// toTab shows a tab. What stands in the page's place hides it: no frame of it
// counts, and rest starts anew when it comes back.
func (m *Model) toTab(t desk.Tab) {
	covered := m.lensCovers()
	m.tabs.current = t
	if covered != m.lensCovers() {
		m.open.Forget()
		m.gate(gate.Resize{})
	}
}

// readTab reads or makes what the current tab needs.
func (m *Model) readTab() tea.Cmd {
	v := m.open.Desk()
	if sides := [2]string{v.Allowed, v.Content}; m.tab() == desk.Diff && (m.tabs.diff == nil || m.tabs.of != sides) {
		m.tabs.diff, m.tabs.of = lens.Observed(v.Allowed, v.Content), sides // bounded to 256 KiB a side
	}
	a := m.open.Attempt()
	if m.tab() != desk.Card || a == nil || m.tabs.card.want == a.Ask {
		return nil
	}
	m.tabs.card = approved{want: a.Ask}
	port, ask := m.port, a.Ask
	return m.command(func(ctx context.Context) tea.Msg {
		view, err := queue.Get[queue.AskView](ctx, port, queue.QAsk{ID: ask})
		return cardRead{ask, view, err}
	})
}

func (m *Model) onCard(r cardRead) {
	c := &m.tabs.card
	if r.ask != c.want {
		return
	}
	c.view, c.lay = r.view, nil
	if r.err != nil {
		c.fail, _ = said(r.err)
	}
}

// waiting is the selected ask of those that wait for the open effect.
func (m *Model) waiting() (queue.Row, bool) {
	if m.open == nil || m.open.Desk() == nil || m.tab() != desk.Waits {
		return queue.Row{}, false
	}
	rows := m.open.Desk().Waiting
	if len(rows) == 0 {
		return queue.Row{}, false
	}
	return rows[min(m.tabs.sel, len(rows)-1)], true
}

func (m *Model) scrollTab(i keys.Intent) {
	h := m.layout().cardH
	page := max(h-2, 1)
	n := map[keys.Intent]int{keys.Up: -1, keys.Down: 1, keys.PageUp: -page, keys.PageDown: page, keys.Top: -far, keys.End: far}[i]
	t := m.tab()
	switch waits := len(m.open.Desk().Waiting); {
	case t == desk.Diff && m.tabs.diff != nil:
		m.tabs.diff.Scroll(m.paneLook(), n, m.paneWidth(), h)
		return
	case t == desk.Waits && waits > 0:
		m.tabs.sel = max(min(min(m.tabs.sel, waits-1)+n, waits-1), 0)
		return
	}
	if m.tabs.top == nil {
		m.tabs.top = map[desk.Tab]int{}
	}
	m.tabs.top[t] = max(min(m.tabs.top[t]+n, m.tabBelow(h)), 0)
}

// tabBelow is the last top at which the current tab fills h rows.
func (m *Model) tabBelow(h int) int {
	if m.tab() == desk.Card {
		if m.layCard() {
			return m.tabs.card.lay.Rows() - h + 1
		}
		return 0
	}
	rows, foot, _ := m.tabLines()
	body, below := desk.Body(foot, h)
	return len(rows) + len(foot) - below - body
}

// tabLines are the rows of the current tab, those that stay below them, and the
// one that has to be on the screen; -1 for none.
func (m *Model) tabLines() (rows, foot []frame.Line, at int) {
	in := desk.In{Desk: m.open.Desk(), Self: m.opts.Name, Choices: m.choices()}
	if a := m.open.Attempt(); a != nil {
		in.Attempt = a.ID
	}
	look, w := m.paneLook(), m.paneWidth()
	switch m.tab() {
	case desk.Attempts:
		return desk.AttemptRows(look, in, w), nil, -1
	case desk.Waits:
		rows, at = desk.WaitRows(look, in, min(m.tabs.sel, max(len(in.Desk.Waiting)-1, 0)), w)
		return rows, nil, at
	}
	return desk.Rows(look, in, w), desk.Answers(look, in, w), -1
}

func (m *Model) drawTab(h int) []frame.Line {
	look, w, t := m.paneLook(), m.paneWidth(), m.tab()
	switch t {
	case desk.Diff:
		if m.tabs.diff == nil {
			return nil
		}
		return m.tabs.diff.Render(look, w, h)
	case desk.Card:
		return m.drawApproved(w, h)
	}
	rows, foot, at := m.tabLines()
	top := m.tabs.top[t]
	if at >= 0 && at >= h-1 {
		top = at - h + 2
	}
	return desk.Window(look, t.About(), rows, foot, top, w, h)
}

// layCard lays the card as approved out for the pane; false while there is none.
func (m *Model) layCard() bool {
	c := &m.tabs.card
	if c.view.Card == "" {
		return false
	}
	opts := detail.Options(m.paneLook(), m.split())
	opts.ASCII = opts.ASCII || m.split() // left of a divider nothing beyond ASCII may stand
	if c.lay == nil || c.lay.Width() != m.paneWidth() || c.opts != opts {
		c.lay, c.opts = cardview.New(card.Lines([]byte(c.view.Card)), m.paneWidth(), opts), opts
	}
	return true
}

func (m *Model) drawApproved(w, h int) []frame.Line {
	c := &m.tabs.card
	var rows []frame.Line
	top := 0
	if m.layCard() {
		top = max(min(m.tabs.top[desk.Card], c.lay.Rows()-h+1), 0)
		rows = make([]frame.Line, c.lay.Rows())
		for i, row := range c.lay.Window(top, h-1) {
			rows[top+i] = cardLine(row)
		}
	} else {
		text := frame.S(themes.Muted, "reading…")
		switch {
		case m.open.Attempt() == nil:
			text = frame.S(themes.Muted, "nothing of it began, so no card of it was approved")
		case c.fail != "":
			text = frame.T(themes.Warn, visible.Row(c.fail))
		case c.view.Row.ID != "":
			text = frame.S(themes.Muted, "the card was pruned; its digest stands on the page")
		}
		rows = []frame.Line{{frame.Gap(3), text}}
	}
	return desk.Window(m.paneLook(), desk.Card.About(), rows, nil, top, w, h)
}
