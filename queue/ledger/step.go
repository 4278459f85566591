package ledger

import (
	"fmt"
	"slices"
	"strings"

	"nod/queue"
)

// step applies one event, or says which rule it breaks.
func (l *Ledger) step(e *Event) error {
	was := l.edited
	l.edited = ""
	if e.DerivedFrom != was || was != "" && (e.Act != "submit" || l.Asks[was].EditedTo != e.Ask || l.Asks[was].Session != e.Session) {
		return fmt.Errorf("an edit of %q is followed by this", was)
	}
	switch e.Act {
	case "submit":
		return l.submit(e)
	case "report", "lease_over", "observe", "reconcile", "correct":
		return l.said(e)
	case "open_effect":
		return l.opened(e)
	case "refuse":
		if e.Outcome != "" {
			return deniedByPolicy(e)
		}
		return l.refused(e)
	case "policy_attach", "policy_detach":
		return l.attached(e)
	case "scope_activate", "scope_activated", "scope_dispose", "scope_recover", "cleanup_owed", "cleanup_invoke", "cleanup_end", "cleanup_ack":
		return l.scope(e)
	case "transaction", "transaction_step", "transaction_recover", "transaction_restored", "transaction_ack":
		return l.transaction(e)
	case "grant":
		l.Grants[e.Grant] = &Grant{Action: e.ActionDigest, Session: e.Session, Left: e.Left, Until: e.Until}
		return nil
	case "freeze":
		if l.open(e.Session) >= 0 {
			return fmt.Errorf("frozen twice")
		}
		l.Freezes = append(l.Freezes, Freeze{Seq: e.Seq, Since: e.Effective, Session: e.Session})
		return nil
	case "unfreeze":
		i := l.open(e.Session)
		if i < 0 {
			return fmt.Errorf("lifts a freeze that does not hold")
		}
		l.Freezes[i].Lifted = true
		return nil
	case "tree":
		for _, bit := range strings.Fields(l.Trees[e.Session]) {
			if !slices.Contains(strings.Fields(e.Bits), bit) {
				return fmt.Errorf("the tree of session %s lost the bit %s", e.Session, bit)
			}
		}
		l.Trees[e.Session] = e.Bits
		return nil
	case "screen":
		if e.Session == "" || e.Reason == "" || e.Ask != "" || e.To != string(queue.StateDenied) {
			return fmt.Errorf("screens nothing, or refuses without a reason")
		}
		return nil
	case "register":
		if e.Session == "" || !e.Said.Valid() {
			return fmt.Errorf("registers no session, or with nothing")
		}
		return nil
	case "session_end":
		return l.ends(e.Session)
	case "notice":
		return l.tells(e)
	case "receipt", "uncollected", "uncarried", "returned", "delivery_ack", "resend", "drop_words":
		return l.delivers(e)
	case "notice_ack", "clock_confirm", "ack_effect":
		return nil
	}
	old := l.Asks[e.Ask]
	if old == nil {
		return fmt.Errorf("I7: nothing submitted this ask")
	}
	next := *old
	a := &next
	if e.ActionDigest != a.Action || e.ShownDigest != a.Shown || e.Session != a.Session {
		return fmt.Errorf("its digests or session are not the ask's")
	}
	if e.Act == "adopt" {
		if a.State.Final() {
			return fmt.Errorf("adopts an ask that is %s", a.State)
		}
		return nil
	}
	if queue.State(e.From) != a.State {
		return fmt.Errorf("I7: leaves %s, but the ask is %s", e.From, a.State)
	}
	if err := l.move(e, a); err != nil {
		return err
	}
	l.count(a.State, -1)
	a.State, a.MovedAt = queue.State(e.To), e.Effective
	l.count(a.State, 1)
	l.Asks[e.Ask] = a
	switch {
	case e.Act == "decide" || e.Act == "edit":
		return l.decidesWords(e)
	case e.Act == "withdraw" && e.Reason == "returned":
		l.returns(e.Ask)
	case e.Act == "begin" && e.Delivery != "":
		begun := *l.Deliveries[e.Ask]
		if begun.Item != queue.ItemUncollected {
			return fmt.Errorf("a begin collects what was not in the inbox")
		}
		begun.Item = ""
		l.Deliveries[e.Ask] = &begun
	}
	return nil
}

func (l *Ledger) submit(e *Event) error {
	if l.Asks[e.Ask] != nil {
		return fmt.Errorf("I7: submitted twice")
	}
	a := &Ask{State: queue.State(e.To), Session: e.Session, Action: e.ActionDigest, Shown: e.ShownDigest, FiledSeq: e.Seq, CreatedAt: e.Effective,
		MovedAt: e.Effective, From: e.DerivedFrom, AnswerBy: e.AnswerBy, UseWithin: e.UseWithinMS, Grant: e.Grant}
	switch a.State {
	case queue.StatePending:
	case queue.StateAllowed, queue.StateDenied:
		if a.From != "" && a.State == queue.StateAllowed {
			return fmt.Errorf("an edit was allowed without a person")
		}
		if e.By == queue.ByPerson || e.By == "" {
			return fmt.Errorf("answered at once by %q", e.By)
		}
		if a.State == queue.StateAllowed && l.holds(a.Session) {
			return fmt.Errorf("I9: a %s allowed it under a freeze", e.By)
		}
		a.decided(e)
	default:
		return fmt.Errorf("begins its life %s", e.To)
	}
	l.Asks[e.Ask] = a
	if e.Replaces != "" && l.Asks[e.Replaces] != nil {
		l.returns(e.Replaces)
	}
	l.Counts.Asks++
	l.count(a.State, 1)
	return nil
}

func (a *Ask) decided(e *Event) {
	a.Decisions++
	a.DecidedSeq, a.DecidedAt, a.NotBefore, a.By, a.Decider = e.Seq, e.Effective, e.NotBefore, e.By, e.Actor
	switch queue.State(e.To) {
	case queue.StateAllowed:
		a.Verdict = queue.VerdictAllow
	case queue.StateAnswered:
		a.Verdict = queue.VerdictAnswer
	default:
		a.Verdict = queue.VerdictDeny
	}
}

// move judges a change of an ask's state by the table of DESIGN §4.
func (l *Ledger) move(e *Event, a *Ask) error {
	from, to := a.State, queue.State(e.To)
	want := func(ok bool, rule string) error {
		if !ok {
			return fmt.Errorf("%s (%s to %s, at %d)", rule, from, to, e.Effective)
		}
		return nil
	}
	switch e.Act {
	case "decide":
		a.decided(e)
		if a.Decisions > 1 {
			return fmt.Errorf("I1: decided %d times", a.Decisions)
		}
		return want(from == queue.StatePending && (to == queue.StateAllowed || to == queue.StateDenied || to == queue.StateAnswered) &&
			e.By == queue.ByPerson && e.Effective < a.AnswerBy, "I1: not a person's answer to a pending ask in time")
	case "edit":
		a.decided(e)
		if a.Decisions > 1 {
			return fmt.Errorf("I1: decided %d times", a.Decisions)
		}
		a.EditedTo, l.edited = e.EditedTo, e.Ask
		l.Edits++
		return want(from == queue.StatePending && to == queue.StateDenied && e.By == queue.ByPerson && e.EditedTo != "" &&
			e.Effective < a.AnswerBy, "I1: not a person's edit of a pending ask in time")
	case "expire":
		return want(from == queue.StatePending && to == queue.StateExpired && e.Effective >= a.AnswerBy, "expires too early")
	case "lapse":
		return want(from == queue.StateAllowed && to == queue.StateLapsed && e.Effective >= a.useBy(), "lapses too early")
	case "withdraw":
		return want(!from.Final() && to == queue.StateWithdrawn, "not a withdrawal")
	case "revoke":
		if e.Reason == queue.CodeFrozen && !l.frozenAfter(a.Session, a.DecidedAt) {
			return fmt.Errorf("revoked for a freeze that is not there")
		}
		return want(from == queue.StateAllowed && to == queue.StateRevoked, "not a revocation")
	case "begin":
		return l.begin(e, a)
	case "commit":
		return want(from == queue.StateAllowed && to == queue.StateSpent && a.By == queue.ByPerson && e.Effective < a.useBy() &&
			e.Effective >= a.NotBefore && a.Attempt == "" && !l.holds(a.Session), "I2: not a person's commit, spent once and in time")
	default:
		return fmt.Errorf("no such change")
	}
}

// begin holds I2, I3 and I9.
func (l *Ledger) begin(e *Event, a *Ask) error {
	switch {
	case a.Attempt != "" || l.Runs[e.Attempt] != nil:
		return fmt.Errorf("I3: begins a second time")
	case a.State != queue.StateAllowed || queue.State(e.To) != queue.StateSpent || a.Verdict != queue.VerdictAllow:
		return fmt.Errorf("I2: begins while %s", a.State)
	case e.Effective >= a.useBy() || e.Effective < a.NotBefore:
		return fmt.Errorf("I2: begins at %d, allowed from %d to %d", e.Effective, a.NotBefore, a.useBy())
	case l.holds(a.Session):
		return fmt.Errorf("I9: begins under a freeze")
	}
	for i := range l.Freezes {
		if f := &l.Freezes[i]; f.Seq > a.DecidedSeq && f.covers(a.Session) {
			return fmt.Errorf("I9: its allow is older than freeze %d", f.Seq)
		}
	}
	if a.By == queue.ByGrant {
		g := l.Grants[e.Grant] // another one than that which allowed it is as good
		if g == nil || g.Left < 1 || g.Action != a.Action || g.Session != a.Session || e.Effective >= g.Until {
			return fmt.Errorf("begins on a grant that does not give it: %+v", g)
		}
		used := *g
		used.Left--
		l.Grants[e.Grant], a.Grant = &used, e.Grant
	}
	if err := l.reserve(e, a); err != nil {
		return err
	}
	a.Attempt = e.Attempt
	l.Runs[e.Attempt] = &Run{Ask: e.Ask, Effect: e.Effect, Number: e.Number, State: queue.AttemptExecuting, Lease: e.Lease}
	return nil
}
