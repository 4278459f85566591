package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/say"
)

// Observation is what one observer saw of an effect, and how the effect stands
// with it.
type Observation struct {
	Observer  string
	Outcome   queue.AttemptState
	Durable   bool
	Divergent bool
	Judged    queue.Judged
}

// observeWithin bounds one asking of observers; each is bounded by itself.
const observeWithin = 3 * time.Minute

// observed is what the observers of an effect saw.
type observed struct {
	effect string
	seen   []Observation
	err    error
}

// observe asks the observers of the open effect, off the event loop.
func (m *Model) observe() tea.Cmd {
	ctx, ask, effect := m.ctx, m.opts.Observe, m.open.ID()
	m.asked = effect
	m.note.tell("Asking", say.Count(int64(len(m.open.Desk().Observers)), "observer is", "observers are")+" being asked; you can go on meanwhile.")
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, observeWithin)
		defer cancel()
		seen, err := ask(ctx, effect)
		return observed{effect, seen, err}
	}
}

func (m *Model) onObserved(r observed) tea.Cmd {
	m.asked = ""
	again := tea.Batch(m.readInbox(refresh, ""), m.readView())
	if m.open != nil && m.open.ID() == r.effect {
		again = tea.Batch(again, m.readOpen())
	}
	if m.over != nil { // what is being written goes on; the page says it
		return again
	}
	if r.err != nil {
		m.note.undone("Not observed", r.err)
		return again
	}
	if len(r.seen) == 0 {
		m.note.tell("Observed", "no observer had anything to look for.")
		return again
	}
	text := visible.Text{}
	for i := range r.seen {
		s := &r.seen[i]
		if i > 0 {
			text = visible.Concat(text, visible.Own("; "))
		}
		text = visible.Concat(text, visible.Of(visible.Name, s.Observer), visible.Drawn(" says "+saw(s)))
	}
	m.note = note{head: "Observed", role: themes.Text, text: visible.Concat(text, visible.Own("; it stands on the page."))}
	return again
}

// saw is what an observer saw, in our own words.
func saw(o *Observation) string {
	switch {
	case o.Divergent:
		return "it happened with other content"
	case o.Outcome == queue.AttemptCommitted && o.Durable:
		return "committed, durable"
	case o.Outcome == queue.AttemptCommitted:
		return "committed, not durable"
	case o.Outcome == queue.AttemptNotExecuted:
		return "it is not there"
	}
	return "nothing that counts"
}
