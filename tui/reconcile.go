package tui

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"nod/ambiguity"
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/desk"
	"nod/tui/detail"
	"nod/tui/gate"
	"nod/tui/keys"
	"nod/tui/say"
)

// settling are the answers of the desk in the order of its keys, each with its
// name in the queue.
func settling() []struct {
	intent keys.Intent
	act    string
} {
	return []struct {
		intent keys.Intent
		act    string
	}{
		{keys.Happened, string(ambiguity.Committed)}, {keys.NotHappened, string(ambiguity.NotExecuted)}, {keys.StillUnknown, string(ambiguity.Unknown)},
		{keys.Distinct, queue.AnswerOpen}, {keys.SeenOpen, queue.AnswerAcknowledge},
	}
}

func actOf(i keys.Intent) string {
	for _, s := range settling() {
		if s.intent == i {
			return s.act
		}
	}
	return ""
}

// keyOf is the key that gives an answer.
func (m *Model) keyOf(act string) string {
	for _, s := range settling() {
		if s.act == act {
			return m.keys.Key(keys.Desk, s.intent)
		}
	}
	return ""
}

// reconcile does what the desk's keys ask for. An answer is only written here:
// giving it is the gate's.
func (m *Model) reconcile(i keys.Intent) tea.Cmd {
	switch i {
	case keys.ToEffect:
		return m.toEffect()
	case keys.Observe:
		return m.observe()
	case keys.NextAttempt:
		return m.nextAttempt()
	case keys.DropWritten:
		m.open.SetDraft(detail.Draft{}, "", m.ms())
		m.note.tell("Dropped", "nothing is written for this effect any more.")
	case keys.Rewrite:
		m.openAnswer(m.open.Draft().Act)
	default:
		m.openAnswer(actOf(i))
	}
	return nil
}

func (m *Model) whyNotReconcile(i keys.Intent) string {
	if i == keys.ToEffect {
		return m.whyNoEffect()
	}
	if m.open == nil || m.open.Desk() == nil {
		return "no effect is open"
	}
	v := m.open.Desk()
	switch i {
	case keys.Rewrite, keys.DropWritten:
		if !m.open.Written() {
			return "no answer is written"
		}
	case keys.NextAttempt:
		if len(v.Attempts) < 2 {
			return "there is one attempt only"
		}
	case keys.Observe:
		switch {
		case len(v.Observers) == 0:
			return "no observer is configured for this tool"
		case m.opts.Observe == nil:
			return "this console cannot ask observers" // it may only read
		case len(v.Attempts) == 0:
			return "nothing of it began, so there is nothing to look for"
		case m.asked != "":
			return "observers are being asked already"
		}
	default:
		return m.whyNotSettle(actOf(i))
	}
	return ""
}

func (m *Model) whyNotSettle(act string) string {
	v := m.open.Desk()
	a, ok := m.open.AnswerTo(act)
	switch {
	case v.Page == "":
		return "its page cannot be drawn, so nothing can be bound to it"
	case !ok && len(v.Attempts) == 0:
		return "nothing of it began"
	case !ok:
		return "that is how it stands already"
	case !a.Open && a.At > m.look.Now:
		return a.Why + ", from " + say.ClockSec(a.At, m.look.Now, m.look.Loc) + " on"
	case !a.Open:
		return a.Why
	}
	return ""
}

// whyNoEffect says why there is no way from an ask to its effect.
func (m *Model) whyNoEffect() string {
	const none = "no effect is kept of it"
	if m.from() == keys.History {
		row, ok := m.hist.Selected()
		if !ok || row.State != queue.StateSpent {
			return none
		}
		return ""
	}
	if m.open == nil {
		return none
	}
	if view := m.open.View(); effectOf(&view) == "" {
		return none
	}
	return ""
}

func (m *Model) toEffect() tea.Cmd {
	if m.place == keys.History {
		row, _ := m.hist.Selected()
		return m.openEffectOf(row.ID)
	}
	view := m.open.View()
	return m.openEffect(effectOf(&view))
}

func (m *Model) nextAttempt() tea.Cmd {
	if m.open.Written() {
		m.note.warn("Written", "an answer is written for this attempt; give it, or drop it with "+m.keys.Shown(keys.Desk, keys.DropWritten)+".")
		return nil
	}
	m.open.NextAttempt()
	return m.readTab()
}

// choices are the answers as the summary lists them.
func (m *Model) choices() (out []desk.Choice) {
	for _, s := range settling() {
		a, ok := m.open.AnswerTo(s.act)
		if !ok || (s.act == queue.AnswerAcknowledge || s.act == queue.AnswerOpen) && !a.Open {
			continue
		}
		verb := map[string]string{
			string(ambiguity.Committed): "it happened", string(ambiguity.NotExecuted): "it did not happen", string(ambiguity.Unknown): "still unknown",
			queue.AnswerOpen: "open a distinct effect", queue.AnswerAcknowledge: "acknowledge",
		}[s.act]
		if a.Correct {
			verb = "correct: " + verb
		}
		out = append(out, desk.Choice{Key: m.keys.Shown(keys.Desk, s.intent), Verb: verb + m.look.Glyphs.Cut, Unlocks: a.Unlocks,
			Why: m.whyNotSettle(s.act), Danger: s.act == string(ambiguity.NotExecuted)})
		if s.act == string(ambiguity.Unknown) && len(m.open.Desk().Observers) > 0 {
			out = append(out, desk.Choice{Key: m.keys.Shown(keys.Desk, keys.Observe), Verb: "ask the observers", Why: m.whyNotReconcile(keys.Observe),
				Unlocks: "Adds evidence. Alone it may close to committed, never to not executed."})
		}
	}
	return out
}

// hintDesk says in the gate's row what the desk's keys can do, while no answer is
// written.
func (m *Model) hintDesk() {
	if m.place == keys.Desk && m.open != nil && m.open.Desk() != nil {
		m.open.SetHint(m.deskHint())
	}
}

func (m *Model) deskHint() gate.Message {
	say1 := func(role themes.Role, head, rest string) gate.Message {
		return gate.Message{Role: role, Head: visible.Drawn(head + ":"), Rest: visible.Drawn(" " + rest)}
	}
	v := m.open.Desk()
	key := func(i keys.Intent) string { return m.keys.Shown(keys.Desk, i) }
	no, _ := m.open.AnswerTo(string(ambiguity.NotExecuted))
	ack, _ := m.open.AnswerTo(queue.AnswerAcknowledge)
	switch a := m.open.Attempt(); {
	case v.Page == "":
		return say1(themes.Warn, "No page", "what was sent is pruned, so nothing can be answered here; "+key(keys.Back)+".")
	case a == nil:
		return say1(themes.Text, "Open", "one more may be asked for; nothing of it began yet.")
	case a.State == queue.AttemptExecuting:
		return say1(themes.Text, "Not yet", "it is executing until "+say.ClockSec(a.Lease, m.look.Now, m.look.Loc)+" at most, so nothing is answered.")
	case a.State != queue.AttemptUnknown && ack.Open:
		return say1(themes.Text, "Open", key(keys.SeenOpen)+" says that you read it; the other answers correct what was settled.")
	case a.State != queue.AttemptUnknown:
		return say1(themes.Text, "Settled", "the answers correct it now, and are appended to what stands.")
	case !no.Open && no.At > m.look.Now:
		return say1(themes.Warn, "Not yet", "lease and lag end at "+say.ClockSec(no.At, m.look.Now, m.look.Loc)+", so "+key(keys.NotHappened)+" waits; "+
			key(keys.Happened)+" and "+key(keys.StillUnknown)+" are open now.")
	}
	return say1(themes.Text, "Open", key(keys.Happened)+", "+key(keys.NotHappened)+" or "+key(keys.StillUnknown)+" asks for reason and evidence first; nothing is sent by it.")
}

// givesWith reports whether the key of an answer gives what is written.
func (m *Model) givesWith(i keys.Intent) bool {
	return m.place == keys.Desk && m.open != nil && m.open.Desk() != nil && m.open.Draft().Act == actOf(i) && !m.lensCovers()
}

// write takes an answer that was written, and shows the page that it will be
// bound to.
func (m *Model) write(d detail.Draft) {
	if why := m.whyNotSettle(d.Act); d.Act != "" && why != "" {
		m.note.warn("Not now", why+"; what you wrote stays for another answer.")
		d.Act, d.Attempt = "", ""
	}
	m.open.SetDraft(d, m.keyOf(d.Act), m.ms())
	if !m.split() && d.Act != "" {
		m.toTab(desk.Page)
	}
}

// give sends what the gate gave out, bound to the page that was displayed.
func (m *Model) give(d gate.Decision) tea.Cmd {
	return m.act(m.open.Draft().Give(m.open.Desk(), d.Shown, queue.Reconcile{
		Confirm: d.Confirm, DwellMS: d.DwellMS, LinesSeen: int64(d.LinesSeen), LinesAll: int64(d.LinesAll),
	}))
}

// onGiven tells the gate and the operator what became of an answer.
func (m *Model) onGiven(a acted) {
	here := m.place == keys.Desk && m.open != nil && m.open.Desk() != nil && m.open.Mode() == gate.ModeSent
	if !here {
		if a.err != nil {
			m.note.undone("Not taken", a.err)
		}
		return
	}
	if a.err != nil {
		text := failure(a.err)
		var r *queue.Refusal
		if errors.As(a.err, &r) && r.Code == queue.CodeReconciled && r.Who != "" {
			text = visible.Concat(visible.Of(visible.Name, r.Who), visible.Drawn(" settled it at "+say.ClockSec(r.At, m.look.Now, m.look.Loc)+"; read the page, correct it if that is wrong."))
		}
		m.open.Handle(gate.Failed{Sentence: text}, m.ms())
		m.open.Tell(gate.NotTaken(text), m.look.Now) // it stays while the page is read anew
		return
	}
	m.open.Gone(m.ms())
	m.open.Tell(m.given(a), givenAt(a))
}

// givenAt is when an answer was taken.
func givenAt(a acted) int64 {
	switch r := a.res.(type) {
	case queue.Opened:
		return r.At
	case queue.Judged:
		return r.At
	}
	return 0
}

// given says what an answer did.
func (m *Model) given(a acted) gate.Message {
	told := func(head string, at int64, rest string) gate.Message {
		return gate.Message{Role: themes.OK, Head: visible.Drawn(head + ":"), Rest: visible.Drawn(" at " + say.ClockSec(at, m.look.Now, m.look.Loc) + ", " + rest)}
	}
	switch r := a.res.(type) {
	case queue.Opened:
		return told("Opened", r.At, "so one more may be asked for; its card says why.")
	case queue.Judged:
		if _, ack := a.act.(queue.AckEffect); ack && r.Open {
			return told("Read", r.At, "and it stays on the desk: an outcome is unknown.")
		} else if ack {
			return told("Read", r.At, "so it leaves the desk; what happened stays as it is.")
		}
		switch {
		case r.State == queue.AttemptUnknown && r.Mark == ambiguity.Conflict:
			return gate.Message{Role: themes.Warn, Head: visible.Own("Conflict:"), Rest: visible.Own(" your answer is kept, and what was seen says otherwise; it stays open.")}
		case r.State == queue.AttemptUnknown:
			return told("Kept", r.At, "and it stays unknown: repeats are refused as before.")
		case r.Standing == ambiguity.StandsFree:
			return told("Settled", r.At, "so one new attempt may begin, on a later approval.")
		case r.Open:
			return told("Settled", r.At, "and it stays open; read what the page says now.")
		}
		return told("Settled", r.At, "so repeats are refused "+r.Repeats+".")
	}
	return gate.Message{}
}
