package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/gate"
	"nod/tui/keys"
	"nod/tui/say"
)

// actWithin bounds one act. After it nobody here knows whether the act was
// done, and the screen says so.
const actWithin = 15 * time.Second

// acted is what became of an act.
type acted struct {
	act queue.Act
	res queue.Result
	err error
}

func (m *Model) act(a queue.Act) tea.Cmd {
	ctx, port := m.ctx, m.port
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, actWithin)
		defer cancel()
		res, err := port.Do(ctx, a)
		return acted{act: a, res: res, err: err}
	}
}

// decide sends what the gate gave out, bound to both digests of the card that
// was displayed.
func (m *Model) decide(d gate.Decision) tea.Cmd {
	a := queue.Decide{
		Ask: d.Ask, Verdict: queue.Verdict(d.Verdict), ActionDigest: m.open.Row().ActionDigest, ShownDigest: d.Shown,
		Words: d.Words, HoldMS: m.open.Terms().HoldMS, Confirm: d.Confirm, DwellMS: d.DwellMS, LinesSeen: int64(d.LinesSeen), LinesAll: int64(d.LinesAll),
	}
	if d.Answer != "" {
		a.Answer = jsontext.Value(d.Answer)
	}
	return m.act(a)
}

func (m *Model) onActed(a acted) tea.Cmd {
	switch act := a.act.(type) {
	case queue.Decide:
		return tea.Batch(m.onDecided(act, a), m.readOpen(), m.readInbox(refresh, ""))
	case queue.Reconcile, queue.AckEffect, queue.OpenEffect:
		m.onGiven(a)
		return tea.Batch(m.readOpen(), m.readInbox(refresh, ""), m.readView())
	case queue.DecideBatch:
		m.onBatchDecided(a)
		return m.readInbox(refresh, "")
	case queue.Edit:
		return tea.Batch(m.onEdited(a), m.readInbox(refresh, ""))
	case queue.Snooze:
		m.onSetAside(a)
		if m.place == keys.Inbox {
			return m.readInbox(show, m.list.Beside(act.Ask))
		}
		return tea.Batch(m.readOpen(), m.readInbox(refresh, ""))
	case queue.Claim, queue.GrantDigest:
		m.onSetAside(a)
		return tea.Batch(m.readOpen(), m.readInbox(refresh, ""))
	case queue.AckNotice:
		if a.err != nil {
			m.note.undone("Not done", a.err)
			break
		}
		m.list.Acknowledged(act.Notice, m.paneLook(), m.listRows())
		m.note.ok("Acknowledged", "the notice is read; it stays in the events.")
	case queue.AckDelivery, queue.Resend, queue.DropWords:
		m.onDelivery(a)
	case queue.Freeze, queue.Unfreeze, queue.Revoke, queue.ConfirmClock:
		m.onChangedByUs(a)
	}
	return tea.Batch(m.readOpen(), m.readInbox(refresh, ""), m.readHistoryIfShown(), m.readView())
}

func (m *Model) onChangedByUs(a acted) {
	if a.err != nil {
		m.note.undone("Not done", a.err)
		return
	}
	switch r := a.res.(type) {
	case queue.Acked:
		m.note.ok("Clock", "it is taken as right, so what was due falls due; nothing to do.")
	case queue.Frozen:
		at := say.ClockSec(r.At, m.look.Now, m.look.Loc)
		if act, ok := a.act.(queue.Freeze); ok {
			m.note.warn("Frozen", "at "+at+", so nothing begins until it is lifted"+m.liftHint(act.Session)+".")
			return
		}
		m.note.ok("Unfrozen", "at "+at+"; allows from before stay unspendable.")
	case queue.Moved:
		m.note.ok("Revoked", "at "+say.ClockSec(r.At, m.look.Now, m.look.Loc)+", so it never runs; nothing to do.")
	}
}

// liftHint names the key that lifts a freeze of everything or of a session.
func (m *Model) liftHint(session string) string {
	if session != "" {
		return m.hint(keys.Sessions, keys.FreezeSession, "lifts it")
	}
	return m.hint(keys.Inbox, keys.Freeze, "lifts it")
}

// onDecided tells the gate and the operator what became of a decision.
func (m *Model) onDecided(act queue.Decide, a acted) tea.Cmd {
	here := m.open != nil && m.open.ID() == act.Ask
	if a.err == nil {
		r, ok := a.res.(queue.Decided)
		if !ok {
			return nil
		}
		m.kept(r.Decision)
		msg := m.verdictSentence(r.Decision)
		if here {
			m.open.Taken(r, m.ms())
			m.open.Say(msg)
			if r.Decision.Verdict == queue.VerdictAllow {
				return m.granted(m.open.Terms(), act.Ask)
			}
			return nil
		}
		m.note = note{head: "", role: msg.Role, text: visible.Concat(msg.Head, msg.Rest)}
		return nil
	}
	if !here {
		m.note.undone("Not taken", a.err)
		return nil
	}
	var r *queue.Refusal
	if errors.As(a.err, &r) && r.Who != "" {
		m.open.Handle(gate.DecidedElsewhere{
			Who: visible.Of(visible.Name, r.Who), Verb: "answered", At: say.ClockSec(r.At, m.look.Now, m.look.Loc),
		}, m.ms())
		return nil
	}
	m.open.Handle(gate.Failed{Sentence: failure(a.err)}, m.ms())
	return nil
}

// failure is why a decision was not taken, for the gate's row.
func failure(err error) visible.Text {
	if errors.Is(err, context.DeadlineExceeded) {
		return visible.Own("the queue did not answer in 15 s, so nobody here knows; look again.")
	}
	sentence, hint := said(err)
	text := visible.Row(sentence)
	if hint != "" {
		text = visible.Concat(text, visible.Own("; "), visible.Row(hint), visible.Own("."))
	}
	return text
}

func (m *Model) verdictSentence(d queue.Decision) gate.Message {
	at := say.ClockSec(d.At, m.look.Now, m.look.Loc)
	switch d.Verdict {
	case queue.VerdictAllow:
		if d.NotBefore > d.At {
			return gate.Held(say.ClockSec(d.NotBefore, m.look.Now, m.look.Loc), m.keys.Shown(keys.Detail, keys.Revoke))
		}
		return gate.Allowed(at, say.Clock(d.UseBy, m.look.Now, m.look.Loc))
	case queue.VerdictAnswer:
		return gate.Answered(at)
	}
	return gate.Denied(at)
}

// readOpen reads the open ask again.
func (m *Model) readOpen() tea.Cmd {
	if m.open == nil || m.opening != "" {
		return nil
	}
	if m.place == keys.Batch {
		return m.readCards()
	}
	if m.open.Desk() != nil {
		return m.readEffect(m.open.ID())
	}
	return m.readAsk(m.open.ID())
}

func (m *Model) readHistoryIfShown() tea.Cmd {
	if m.place != keys.History && !m.under(keys.History) {
		return nil
	}
	return m.readHistory(refresh)
}
