package queue_test

import (
	"fmt"
	"strings"
	"testing"

	"nod/ambiguity"
	"nod/descriptor"
	"nod/digest"
	"nod/digest/card"
	"nod/queue"
)

// The tests of this file play somebody who wants an effect twice, or wants it
// to look otherwise than it is.

// distinct lets a refund happen under a reference, and opens another one.
func (w *world) distinct(ref string) {
	w.t.Helper()
	w.lost()
	w.observe(queue.Observe{Outcome: "committed", Durable: true, Ref: ref})
	d := w.desk()
	w.pass(1)
	w.ok(w.operator, queue.OpenEffect{Effect: d.Effect.ID, Page: d.Digest, Reason: "the second item too"}, 1)
	w.pass(1)
}

// TestTheFirstRefundProvesNoSecond: a provider that is asked about the payment
// shows the refund that happened before; the second one's call was lost.
func TestTheFirstRefundProvesNoSecond(t *testing.T) {
	alone(t)
	for _, c := range []struct {
		first, seen string
		state       queue.AttemptState
	}{
		{"re_1", "re_1", "unknown"}, // the first one's
		{"re_1", "", "unknown"},     // nobody can tell whose
		{"", "re_1", "unknown"},     // perhaps the first one's
		{"re_1", "re_2", "committed"},
	} {
		w := newWorld(t, refunds(t))
		w.distinct(c.first)
		w.lost()
		if j := w.observe(queue.Observe{Outcome: "committed", Durable: true, Ref: c.seen}); j.State != c.state {
			t.Errorf("first %q, seen %q: %+v", c.first, c.seen, j)
		}
	}
}

// TestAToolsReferenceTellsNoRefundsApart: whoever holds the first attempt's token
// says that it had another reference.
func TestAToolsReferenceTellsNoRefundsApart(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	_, b := w.lost()
	w.reconcile(w.answer(queue.AttemptCommitted))
	w.report(b, func(r *queue.Report) { r.Exit, r.Ref = queue.ExitSuccess, "re_0" })
	d := w.desk()
	w.pass(1)
	w.ok(w.operator, queue.OpenEffect{Effect: d.Effect.ID, Page: d.Digest, Reason: "the second item too"}, 1)
	w.pass(1)
	w.lost()
	if j := w.observe(queue.Observe{Outcome: "committed", Durable: true, Ref: "re_1"}); j.State != queue.AttemptUnknown {
		t.Errorf("%+v", j)
	}
}

// TestAnotherEffectsReferenceProvesNothing: two keys, one refund at the provider.
func TestAnotherEffectsReferenceProvesNothing(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	w.lost()
	w.observe(queue.Observe{Outcome: "committed", Durable: true, Ref: "re_1"})
	other := refundCall("other")
	other.Call.Arguments = []byte(`{"payment_id":"pay_8843","amount":4800}`)
	w.begin(w.allowed(other))
	w.pass(6 * minute)
	if j := w.observe(queue.Observe{Outcome: "committed", Durable: true, Ref: "re_1"}); j.State != queue.AttemptUnknown {
		t.Errorf("%+v", j)
	}
}

// TestALateReportDoesNotShortenTheSettleTime: the session ended early, the call
// ran on.
func TestALateReportDoesNotShortenTheSettleTime(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	s := refundCall("c1")
	s.HostRuns = true
	got := w.allowed(s)
	act := begin(got)
	act.HostRuns = true
	b := must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), w.agent, act))
	w.pass(minute)
	w.ok(w.agent, queue.EndSession{Session: "s1"}, 2)
	settled := w.desk().SettledAt
	w.pass(25 * minute)
	w.report(b, func(r *queue.Report) { r.Exit = queue.ExitFailure })
	if now := w.desk().SettledAt; now != settled {
		t.Errorf("settled from %d, before the report from %d", now, settled)
	}
	w.refused(w.operator, w.answer(queue.AttemptNotExecuted), queue.CodeTooSoon, 0)
}

// TestLateReportsLeaveRoomForObservers: whoever holds the token says as much as it
// likes; what observers see is still kept.
func TestLateReportsLeaveRoomForObservers(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t, func(t *descriptor.Tool) { t.Effect.Settle = "" }))
	_, b := w.lost()
	var err error
	for i := 0; err == nil && i < 2000; i++ {
		_, err = w.agent.Do(t.Context(), queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: "success", Outcome: "committed", Ref: fmt.Sprint("re_", i), CameBack: "x"})
	}
	if no, ok := err.(*queue.Refusal); !ok || no.Code != queue.CodeQuota {
		t.Fatalf("no bound: %v", err)
	}
	w.pass(6 * minute)
	w.observe(queue.Observe{Outcome: "not_executed", Seen: "no refund"})
	if d := w.desk(); len(d.Facts) > 25 || counters(w).Notices > 20 {
		t.Errorf("%d facts, %d notices", len(d.Facts), counters(w).Notices)
	}
}

// TestOnlyNodsExecutorProvesThatItNeverBegan: another requester says "blocked".
func TestOnlyNodsExecutorProvesThatItNeverBegan(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	if r := w.report(w.begin(w.allowed(refundCall("c1"))), func(r *queue.Report) { r.Exit, r.Outcome = "blocked", "not_executed" }); r.State != queue.AttemptUnknown {
		t.Errorf("%+v", r)
	}
}

// TestTheReferenceIsTheOneThatHappened: a repeat is told what can be looked up.
func TestTheReferenceIsTheOneThatHappened(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	b := w.begin(w.allowed(refundCall("c1")))
	w.observe(queue.Observe{Outcome: "committed", Durable: true, Ref: "re_1"}) // while it runs
	w.report(b, func(r *queue.Report) { r.Exit = queue.ExitTimeout })
	if no := w.refused(w.agent, refundCall("c2"), queue.CodeDuplicateEffect, refuseEvent); no.Ref != "re_1" {
		t.Errorf("seen while it ran: %+v", no)
	}

	w = newWorld(t, refunds(t))
	w.lost()
	w.observe(queue.Observe{Outcome: "committed", Ref: "re_1"}) // not durable
	w.reconcile(w.answer(queue.AttemptCommitted))
	if no := w.refused(w.agent, refundCall("c2"), queue.CodeDuplicateEffect, refuseEvent); no.Ref != "re_1" {
		t.Errorf("seen before a person said so: %+v", no)
	}

	w = newWorld(t, refunds(t, unwatched))
	w.report(w.begin(w.allowed(refundCall("c1"))), func(r *queue.Report) { r.Exit, r.Outcome, r.Durable, r.Ref = "success", "committed", true, "re_1" })
	w.pass(20 * minute)
	fix := w.answer(queue.AttemptNotExecuted)
	fix.Correct = true
	w.reconcile(fix)
	w.pass(1)
	w.report(w.begin(w.allowed(refundCall("c2"))), func(r *queue.Report) { r.Exit, r.Outcome, r.Durable, r.Ref = "success", "committed", true, "re_2" })
	if no := w.refused(w.agent, refundCall("c3"), queue.CodeDuplicateEffect, refuseEvent); no.Ref != "re_2" {
		t.Errorf("the first one did not happen: %+v", no)
	}
}

// TestAnOlderGrantAllowsNoRetry: what a person granted before the answer knows
// nothing of it.
func TestAnOlderGrantAllowsNoRetry(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t, func(t *descriptor.Tool) { t.Effect.Settle = "" }))
	s := w.allowed(refundCall("c1"))
	v := w.see(s.Ask)
	w.ok(w.operator, queue.GrantDigest{Ask: s.Ask, ShownDigest: v.Row.ShownDigest, Times: 5, ForMS: 60 * minute}, 1)
	w.report(w.begin(s), func(r *queue.Report) { r.Exit = queue.ExitTimeout })
	w.pass(6 * minute)
	w.reconcile(w.answer(queue.AttemptNotExecuted))
	w.pass(1)
	if got := w.submit(refundCall("c2")); got.State != queue.StatePending {
		t.Errorf("%+v", got)
	}
	w.ok(w.operator, queue.GrantDigest{Ask: s.Ask, ShownDigest: v.Row.ShownDigest, Times: 5, ForMS: 60 * minute}, 1)
	w.pass(1)
	if got := w.submit(refundCall("c3")); got.State != queue.StateAllowed {
		t.Errorf("a younger grant: %+v", got)
	}
}

// TestACorrectionCorrects: the same word again is none, and closes nothing.
func TestACorrectionCorrects(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	w.lost()
	w.observe(queue.Observe{Outcome: "committed", Durable: true, Divergent: true})
	same := w.answer(queue.AttemptCommitted)
	same.Correct = true
	w.refused(w.operator, same, queue.CodeReconciled, 0)
	if d := w.desk(); d.Effect.Mark != ambiguity.Divergent || !d.Effect.Open {
		t.Errorf("%+v", d.Effect)
	}
}

// TestAHostsAttemptIsNotRenewed: its lease is the descriptor's.
func TestAHostsAttemptIsNotRenewed(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	s := refundCall("c1")
	s.HostRuns = true
	act := begin(w.allowed(s))
	act.HostRuns = true
	b := must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), w.agent, act))
	w.pass(minute)
	if r, err := w.agent.Do(t.Context(), queue.Renew{Attempt: b.Attempt, Token: b.Token}); err == nil {
		t.Errorf("%+v", r)
	}
}

// TestThePageOfTheLargestCallIsAnswered: an agent chooses arguments whose card is
// as large as a card may be.
func TestThePageOfTheLargestCallIsAnswered(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t, unwatched))
	fits := func(n int) (queue.Submitted, error) {
		s := refundCall(fmt.Sprint("n", n))
		s.Call.Arguments = fmt.Appendf(nil, `{"payment_id":"pay_8842","%s":[%s0]}`, strings.Repeat("k", 200), strings.Repeat("0,", n))
		return queue.As[queue.Submitted](t.Context(), w.agent, s)
	}
	lo, hi := 1, 500_000
	for lo+1 < hi {
		n := (lo + hi) / 2
		if _, err := fits(n); err == nil {
			lo = n
		} else {
			hi = n
		}
	}
	got, err := fits(lo)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(w.see(got.Ask).Card); n < card.MaxSize-1000 {
		t.Fatalf("a card of %d bytes", n)
	}
	w.decide(got.Ask, queue.VerdictAllow)
	b := w.begin(got)
	w.report(b, func(r *queue.Report) { r.Exit, r.CameBack = "timeout", strings.Repeat("\u202e", 341) })
	w.pass(20 * minute)
	w.reconcile(w.answer(queue.AttemptNotExecuted))
}

// TestOnlyAPersonLetsATiredEffectTryAgain: a rule allows a call that fails again
// and again. Its page and the time of each act do not grow without end.
func TestOnlyAPersonLetsATiredEffectTryAgain(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t, unwatched, func(t *descriptor.Tool) { t.Class = "reversible" }), func(s *queue.Settings) { s.Rules = allowAll{} })
	w.runs()
	blocked := func(b queue.Begun) {
		w.report(b, func(r *queue.Report) { r.Exit = queue.ExitBlocked })
		w.pass(1)
	}
	early := []queue.Submitted{w.submit(refundCall("early1")), w.submit(refundCall("early2"))}
	for i := range 31 {
		s := refundCall(fmt.Sprint("n", i))
		s.Begin, s.Executor = true, "test"
		got := w.submit(s)
		if got.Begun == nil {
			t.Fatalf("try %d: %+v", i+1, got)
		}
		blocked(*got.Begun)
	}
	blocked(w.begin(early[0]))
	w.refused(w.agent, begin(early[1]), queue.CodeUnconfirmed, 1)
	s := w.submit(refundCall("tired"))
	if card := w.see(s.Ask).Card; s.State != queue.StatePending || !strings.Contains(card, "tried so often") {
		t.Errorf("%+v\n%s", s, card)
	}
	w.decide(s.Ask, queue.VerdictAllow)
	if b := w.begin(s); b.Number != 33 {
		t.Errorf("attempt %d", b.Number)
	}
}

// TestARefusedObservationLeavesNoContents: what it says was seen is not kept
// without it (I10).
func TestARefusedObservationLeavesNoContents(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	w.lost()
	seen := queue.Observe{Attempt: w.desk().Attempts[0].ID, Observer: "refunds", Outcome: "unknown", Why: "unavailable"}
	var err error
	for i := 0; err == nil && i < 2000; i++ {
		_, err = w.operator.Do(t.Context(), seen)
	}
	seen.Allowed, seen.Content = "what was allowed", "what was seen"
	w.refused(w.operator, seen, queue.CodeQuota, 0)
	err = w.store.View(t.Context(), func(tx queue.ReadTx) error {
		for _, text := range []string{seen.Allowed, seen.Content} {
			if body, err := tx.Content(digest.Of([]byte(text))); err != nil || body != nil {
				t.Errorf("%q is kept: %v", body, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTheSessionsThatRanIntoAnEffectAreBounded: those that are kept are counted
// on, and invented ones more are not kept.
func TestTheSessionsThatRanIntoAnEffectAreBounded(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	w.lost()
	again := func(session string) {
		t.Helper()
		c := refundCall("c-" + session + fmt.Sprint(w.ids))
		c.Session = session
		w.refused(w.agent, c, queue.CodeAmbiguousEffect, refuseEvent)
	}
	for i := range 260 {
		again(fmt.Sprint("s", i))
	}
	again("s0")
	err := w.store.View(t.Context(), func(tx queue.ReadTx) error {
		kept, err := tx.Repeats(w.desk().Effect.ID, 1000)
		if len(kept) != 256 || kept[0].Count != 2 || kept[255].Count != 1 {
			t.Errorf("%d sessions are kept, the first with %d calls", len(kept), kept[0].Count)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := w.desk().Effect.Repeats; n != 261 {
		t.Errorf("%d refusals are counted", n)
	}
}
