package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"nod/digest"
	"nod/digest/card"
	"nod/queue"
	"nod/tui/desk"
	"nod/tui/gate"
	"nod/tui/keys"
	"nod/tui/lens"
)

// lenses are what stands beside the open card: labelled, and never a part of
// what is approved or counted as read.
type lenses struct {
	in      lens.In
	kinds   []lens.Kind
	current lens.Kind // lens.Card: none
	made    map[lens.Kind]*lens.Lens
	making  map[lens.Kind]bool // off the event loop, with what made had of it
	escapes int
}

// lensRead is what the lenses of an ask look at; lensMade one of them.
type lensRead struct {
	gen uint64
	lenses
}

type lensMade struct {
	gen  uint64
	kind lens.Kind
	lens *lens.Lens
}

// precedents is how many of your earlier answers the precedent lens looks at.
const precedents = 6

// lookThrough reads what the lenses of the open ask need.
func (m *Model) lookThrough() tea.Cmd {
	m.lens = lenses{}
	m.reads.lens++
	view, gen, port, file, self := m.open.View(), m.reads.lens, m.port, m.opts.File, m.opts.Name
	if len(view.Ask) == 0 {
		return nil
	}
	return m.command(func(ctx context.Context) tea.Msg {
		return lensRead{gen, gather(ctx, port, &view, file, self)}
	})
}

// gather reads the file that the call changes, the ask that it is an edit of
// and what was answered before. What cannot be read the lens says.
func gather(ctx context.Context, port queue.Port, view *queue.AskView, file func(path, cwd string) *lens.File, self string) lenses {
	ask, err := digest.ParseAsk(view.Ask, digest.Limits{})
	if err != nil {
		return lenses{}
	}
	in := lens.In{Ask: ask, Raw: view.Ask, Card: card.Lines([]byte(view.Card))}
	if path, ok := lens.Wants(ask); ok && file != nil {
		in.File = file(path, view.Row.Cwd)
	}
	if view.Row.DerivedFrom != "" {
		if was, err := queue.Get[queue.AskView](ctx, port, queue.QAsk{ID: view.Row.DerivedFrom}); err == nil {
			in.Original, _ = digest.ParseAsk(was.Ask, digest.Limits{}) //nolint:errcheck // pruned: the lens is not offered
		}
	}
	if before, err := queue.Get[queue.Precedents](ctx, port, queue.QPrecedent{Ask: view.Row.ID, Limit: 20}); err == nil {
		for i := range before.Before {
			b := &before.Before[i]
			if b.Row.Decider != self {
				continue // the lens speaks of your own answers
			}
			if len(in.Before) == precedents {
				break
			}
			was, err := digest.ParseAsk(b.Ask, digest.Limits{})
			if err != nil {
				continue // pruned
			}
			in.Before = append(in.Before, lens.Case{Ask: was, Row: b.Row})
		}
	}
	return lenses{in: in, kinds: lens.Kinds(in), escapes: lens.CountEscapes(in.Card), made: map[lens.Kind]*lens.Lens{}, making: map[lens.Kind]bool{}}
}

func (m *Model) whyNotLens(i keys.Intent) string {
	if m.from() == keys.Desk {
		return m.whyNotTab(i)
	}
	switch {
	case m.open == nil || len(m.lens.kinds) == 0:
		return "there is no lens for it"
	case (i == keys.LensUp || i == keys.LensDown) && m.lens.current == lens.Card:
		return "no lens is open" + m.hint(keys.Detail, keys.NextLens, "opens one")
	}
	return ""
}

func (m *Model) lensKey(i keys.Intent) tea.Cmd {
	if m.place == keys.Desk {
		return m.tabKey(i)
	}
	switch i {
	case keys.LensUp:
		m.scrollLens(keys.Up)
		return nil
	case keys.LensDown:
		m.scrollLens(keys.Down)
		return nil
	}
	all := append([]lens.Kind{lens.Card}, m.lens.kinds...)
	covered := m.lensCovers()
	m.lens.current = turn(all, m.lens.current, i)
	m.forgetLenses()
	if covered != m.lensCovers() {
		// What stands in the card's place hides it: no frame of it counts, and
		// rest starts anew when it comes back.
		m.open.Forget()
		m.gate(gate.Resize{})
	}
	return m.makeLens()
}

// makeLens does the work of the current lens off the event loop, and wraps one
// of much text anew for another width. Until then the pane says so.
func (m *Model) makeLens() tea.Cmd {
	k := m.lens.current
	gen, in, look, w := m.reads.lens, m.lens.in, m.paneLook(), m.paneWidth()
	l := m.lens.made[k]
	if k == lens.Card || m.lens.made == nil || m.lens.making[k] || l != nil && l.Ready(look, w) {
		return nil
	}
	delete(m.lens.made, k)
	m.lens.making[k] = true
	return func() tea.Msg {
		if l == nil {
			l = lens.New(k, in)
		}
		l.Lay(look, w)
		return lensMade{gen, k, l}
	}
}

// forgetLenses lets go of the lenses of much text that are not looked at: they
// can be made again.
func (m *Model) forgetLenses() {
	for k, l := range m.lens.made {
		if k != m.lens.current && l.Heavy() {
			delete(m.lens.made, k)
		}
	}
}

func (m *Model) onLens(r lensRead) tea.Cmd {
	if r.gen != m.reads.lens || m.open == nil {
		return nil
	}
	current := m.lens.current
	m.lens = r.lenses
	m.lens.current = current
	return m.makeLens()
}

func (m *Model) onLensMade(r lensMade) tea.Cmd {
	if r.gen != m.reads.lens || m.lens.made == nil {
		return nil
	}
	m.lens.made[r.kind] = r.lens
	delete(m.lens.making, r.kind)
	m.forgetLenses()
	return m.makeLens() // the width may be another one by now
}

// lensOpen reports whether a lens is on the screen, lensCovers whether it is
// in the card's place.
func (m *Model) lensOpen() bool {
	if m.place == keys.Desk {
		return m.tab() != desk.Page
	}
	return m.lens.current != lens.Card && (m.place == keys.Detail || m.place == keys.Replay)
}
func (m *Model) lensCovers() bool { return m.lensOpen() && !m.split() }

func (m *Model) scrollLens(i keys.Intent) {
	if m.place == keys.Desk {
		m.scrollTab(i)
		return
	}
	l := m.lens.made[m.lens.current]
	if l == nil {
		return
	}
	look, w, h := m.paneLook(), m.paneWidth(), m.layout().cardH
	page := l.Page(look, w, h)
	n := map[keys.Intent]int{keys.Up: -1, keys.Down: 1, keys.PageUp: -page, keys.PageDown: page, keys.Top: -far, keys.End: far}[i]
	l.Scroll(look, n, w, h)
}
