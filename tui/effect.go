package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/tui/detail"
	"nod/tui/effects"
	"nod/tui/gate"
	"nod/tui/keys"
)

// deskRead is one effect, whole, for the desk.
type deskRead struct {
	gen  uint64
	id   string // as it was asked for
	view queue.Desk
	err  error
}

// effectsRead is the list of effects, effectsMore a further page of it.
type effectsRead struct {
	gen    uint64
	how    how
	pages  effects.Pages
	status queue.Status
	err    error
}

type effectsMore struct {
	q    queue.QEffects
	page queue.Effects
	err  error
}

func (m *Model) readEffects(how how) tea.Cmd {
	m.reads.view++
	gen, port := m.reads.view, m.port
	return m.command(func(ctx context.Context) tea.Msg {
		r := effectsRead{gen: gen, how: how}
		if r.pages.Open, r.err = queue.Get[queue.Effects](ctx, port, effects.QOpen()); r.err != nil {
			return r
		}
		if r.pages.All, r.err = queue.Get[queue.Effects](ctx, port, effects.QAll()); r.err == nil {
			r.status, r.err = queue.Get[queue.Status](ctx, port, queue.QStatus{})
		}
		return r
	})
}

func (m *Model) onEffects(r effectsRead) tea.Cmd {
	if r.gen != m.reads.view {
		return nil
	}
	if r.err != nil {
		m.note.fault("Not read", r.err)
		return nil
	}
	m.status = r.status
	m.sync(r.status.Now)
	switch r.how {
	case refresh:
		m.effects.Refresh(r.pages)
	case showTop:
		m.effects.Top(r.pages)
	default:
		m.effects.Show(r.pages)
	}
	m.effects.Move(0, m.paneLook(), m.listRows()) // the row under the hand is known from here on
	return tea.Batch(m.readMoreEffects(), m.readPreview())
}

func (m *Model) readMoreEffects() tea.Cmd {
	q, ok := m.effects.Wants()
	if !ok || m.reads.more {
		return nil
	}
	m.reads.more = true
	port := m.port
	return m.command(func(ctx context.Context) tea.Msg {
		page, err := queue.Get[queue.Effects](ctx, port, q)
		return effectsMore{q: q, page: page, err: err}
	})
}

func (m *Model) onMoreEffects(r effectsMore) tea.Cmd {
	m.reads.more = false
	if r.err != nil {
		m.note.fault("Not read", r.err)
		return nil
	}
	m.effects.Extend(r.q, r.page)
	return m.readMoreEffects()
}

func (m *Model) moveEffects(i keys.Intent) tea.Cmd {
	if i == keys.Top {
		return m.readEffects(showTop)
	}
	m.effects.Move(m.stepOf(i), m.paneLook(), m.body())
	return tea.Batch(m.readMoreEffects(), m.readPreview())
}

// openEffect reads an effect to open it. Until it is there the place does not
// change.
func (m *Model) openEffect(id string) tea.Cmd {
	m.opening = id
	return m.readEffect(id)
}

// readEffect reads the effect that is open or opening.
func (m *Model) readEffect(id string) tea.Cmd {
	m.reads.ask++
	gen, port := m.reads.ask, m.port
	return m.command(func(ctx context.Context) tea.Msg {
		view, err := queue.Get[queue.Desk](ctx, port, queue.QEffect{ID: id})
		return deskRead{gen: gen, id: id, view: view, err: err}
	})
}

// openEffectOf reads an ask and the effect of its newest attempt.
func (m *Model) openEffectOf(ask string) tea.Cmd {
	m.reads.ask++
	m.opening = ask
	gen, port := m.reads.ask, m.port
	return m.command(func(ctx context.Context) tea.Msg {
		r := deskRead{gen: gen, id: ask}
		v, err := queue.Get[queue.AskView](ctx, port, queue.QAsk{ID: ask})
		if err != nil {
			r.err = err
			return r
		}
		if id := effectOf(&v); id != "" {
			r.view, r.err = queue.Get[queue.Desk](ctx, port, queue.QEffect{ID: id})
			return r
		}
		r.err = &queue.Refusal{Code: queue.CodeUnknownID, Sentence: "no effect is kept of this call", Hint: "its card has no effect key, and its class says that nothing of it has to be settled"}
		return r
	})
}

// effectOf is the effect of an ask's newest attempt; "" for none.
func effectOf(v *queue.AskView) string {
	if n := len(v.Attempts); n > 0 {
		return v.Attempts[n-1].Effect
	}
	return ""
}

// onDesk opens the effect that was asked for, or updates the open one.
func (m *Model) onDesk(r deskRead) tea.Cmd {
	if r.gen != m.reads.ask {
		return nil
	}
	if r.err != nil {
		m.stay()
		m.note.fault("Not read", r.err)
		return nil
	}
	m.sync(r.view.Now)
	m.effects.Put(r.view.Effect)
	m.list.PutEffect(r.view.Effect)
	switch {
	case r.id == m.opening:
		if m.arrives() {
			return m.openedEffect(r.view)
		}
	case m.open != nil && m.open.Desk() != nil && m.open.ID() == r.view.Effect.ID:
		m.open.UpdateDesk(r.view, m.ms())
		return m.readTab()
	}
	return nil
}

// openedEffect shows the effect that was asked for.
func (m *Model) openedEffect(view queue.Desk) tea.Cmd {
	m.opening, m.missed = "", false
	m.keepDraft()
	m.left = m.openID()
	m.open, m.lens, m.tabs = detail.NewDesk(view, m.deskKeys, m.look.Loc, m.ms()), lenses{}, tabs{}
	if !m.focused {
		m.open.Handle(gate.Blur{}, m.ms())
	}
	m.come(keys.Desk, view.Effect.ID)
	if m.under(keys.Effects) {
		m.effects.Select(view.Effect.ID, m.paneLook(), m.body())
	} else if m.under(keys.Inbox) {
		m.list.SelectEffect(view.Effect.ID, m.paneLook(), m.listRows())
	}
	m.bringDraft()
	return m.readTab()
}

// openID is the ask or effect that is open; "" for none, and for a batch.
func (m *Model) openID() string {
	if m.open == nil || m.place == keys.Batch {
		return ""
	}
	return m.open.ID()
}

// comeBack opens again what was open on the way here.
func (m *Model) comeBack(to step) tea.Cmd {
	m.stay()
	m.returns = true
	if to.place == keys.Desk {
		return m.openEffect(to.id)
	}
	return m.openAsk(to.id)
}

// openWaiting opens the selected ask of those that wait for the effect.
func (m *Model) openWaiting() tea.Cmd {
	row, ok := m.waiting()
	if !ok {
		return nil
	}
	return m.openAsk(row.ID)
}

// nextEffect is the open effect after or before the one that is open.
func (m *Model) nextEffect(i keys.Intent) (string, bool) {
	n := 1
	if i == keys.PrevAsk {
		n = -1
	}
	if m.under(keys.Effects) {
		return m.effects.Near(m.open.ID(), n)
	}
	return m.list.NearEffect(m.open.ID(), n)
}

// positionOf is the place of an effect among the open ones of the list that it
// was opened from, and how many those are.
func (m *Model) positionOf(id string) (at int, all int64) {
	all = m.list.Counters().Unknown
	if m.under(keys.Effects) {
		return m.effects.Position(id), all
	}
	return m.list.PositionEffect(id), all
}

// handEffect is the effect that a key is about: the open one, else the one under
// the hand.
func (m *Model) handEffect() (queue.EffectView, bool) {
	switch m.from() {
	case keys.Desk:
		if m.open != nil && m.open.Desk() != nil {
			return m.open.Desk().Effect, true
		}
	case keys.Effects:
		return m.effects.Selected()
	case keys.Inbox:
		return m.list.SelectedEffect()
	}
	return queue.EffectView{}, false
}

// copyEffect sends an effect's key, or its id where it has none, to the terminal.
func (m *Model) copyEffect(i keys.Intent, e *queue.EffectView) tea.Cmd {
	text, what := string(e.Key), "the effect's key went"
	if text == "" {
		text, what = e.ID, "the effect's id went"
	}
	if i == keys.CopyDigest && m.open != nil {
		text, what = string(m.open.Row().ShownDigest), "the whole digest of the page went"
	}
	m.note.tell("Sent", what+" to the terminal, for its clipboard.")
	return tea.SetClipboard(text)
}

// peeks is the effect whose summary stands beside the list.
func (m *Model) peeks() (queue.EffectView, bool) {
	switch m.place {
	case keys.Effects:
		return m.effects.Selected()
	case keys.Inbox:
		return m.list.SelectedEffect()
	}
	return queue.EffectView{}, false
}
