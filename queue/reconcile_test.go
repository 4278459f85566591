package queue_test

import (
	"strings"
	"testing"

	"nod/ambiguity"
	"nod/descriptor"
	"nod/queue"
)

// TestAnAnswerIsBound plays everything that an answer must not be.
func TestAnAnswerIsBound(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	_, b := w.lost()
	w.refused(w.operator, w.answer(queue.AttemptNotExecuted), queue.CodeTooSoon, 0)
	w.pass(20 * minute)
	for name, c := range map[string]struct {
		spoil func(*queue.Reconcile)
		code  string
	}{
		"no reason":                {func(r *queue.Reconcile) { r.Reason = " \n" }, queue.CodeBadInput},
		"no evidence":              {func(r *queue.Reconcile) { r.Evidence = "" }, queue.CodeBadInput},
		"blank evidence":           {func(r *queue.Reconcile) { r.Outcome, r.Evidence = "committed", "\t" }, queue.CodeBadInput},
		"still unknown, no why":    {func(r *queue.Reconcile) { r.Outcome, r.Reason = "unknown", "" }, queue.CodeBadInput},
		"another word":             {func(r *queue.Reconcile) { r.Outcome = "executing" }, queue.CodeBadInput},
		"no word":                  {func(r *queue.Reconcile) { r.Outcome = "" }, queue.CodeBadInput},
		"another page":             {func(r *queue.Reconcile) { r.Page = w.see(w.desk().Attempts[0].Ask).Row.ShownDigest }, queue.CodeStalePage},
		"no page":                  {func(r *queue.Reconcile) { r.Page = "" }, queue.CodeStalePage},
		"nothing typed":            {func(r *queue.Reconcile) { r.Confirm = "" }, queue.CodeWrongConfirm},
		"another value typed":      {func(r *queue.Reconcile) { r.Confirm = "pay_8843" }, queue.CodeWrongConfirm},
		"no such attempt":          {func(r *queue.Reconcile) { r.Attempt = r.Attempt[:35] + "f" }, queue.CodeUnknownID},
		"the token as attempt":     {func(r *queue.Reconcile) { r.Attempt = b.Token }, queue.CodeUnknownID},
		"a reason that is no text": {func(r *queue.Reconcile) { r.Reason = "\xff" }, "bad_utf8"},
		"a long reason":            {func(r *queue.Reconcile) { r.Reason = strings.Repeat("x", 5000) }, "too_large"},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			r := w.answer(queue.AttemptNotExecuted)
			c.spoil(&r)
			w.refused(w.operator, r, c.code, 0)
		})
	}
	w.t = t
	w.refused(w.agent, w.answer(queue.AttemptNotExecuted), queue.CodeNotAllowed, 0)
	w.refused(w.agent, queue.Observe{Attempt: b.Attempt, Observer: "refunds", Outcome: "committed"}, queue.CodeNotAllowed, 0)
	script := w.q.Port(queue.Conn{Role: queue.RoleOperator, Way: queue.WayScript})
	w.refused(script, w.answer(queue.AttemptNotExecuted), queue.CodeNeedsPerson, 0)
	if d := w.desk(); d.Effect.Standing != ambiguity.StandsUnknown || len(d.Facts) != 2 {
		t.Errorf("refused answers left %+v", d.Facts)
	}
}

// TestEvidenceThatComesInRefusesTheAnswer: an answer is to the page that was
// read; the second of two operators is told who was first.
func TestEvidenceThatComesInRefusesTheAnswer(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	w.lost()
	w.pass(20 * minute)
	mine, ben := w.answer(queue.AttemptNotExecuted), w.answer(queue.AttemptCommitted)
	w.observe(queue.Observe{Outcome: "unknown", Why: "timeout", Seen: "GET gave nothing in 10 s"})
	w.refused(w.operator, mine, queue.CodeStalePage, 0)
	ben.Page = w.desk().Digest
	w.reconcile(ben)
	mine.Page = w.desk().Digest
	no := w.refused(w.operator, mine, queue.CodeReconciled, 0)
	if no.Who != "mia" || no.At != w.wall {
		t.Errorf("it does not say who was first: %+v", no)
	}
}

func TestAnswersAndCorrections(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	w.lost()
	w.pass(20 * minute)
	j := w.reconcile(w.answer(queue.AttemptUnknown))
	if j.State != queue.AttemptUnknown || !j.Open || j.Repeats != queue.CodeAmbiguousEffect {
		t.Errorf("still unknown: %+v", j)
	}
	w.pass(1)
	j = w.reconcile(w.answer(queue.AttemptCommitted))
	if j.State != queue.AttemptCommitted || j.Open || counters(w).Unknown != 0 {
		t.Errorf("committed: %+v", j)
	}
	w.refused(w.operator, w.answer(queue.AttemptNotExecuted), queue.CodeReconciled, 0)
	w.pass(1)
	fix := w.answer(queue.AttemptNotExecuted)
	fix.Correct = true
	if j = w.reconcile(fix); j.From != queue.AttemptCommitted || j.Repeats != "" {
		t.Errorf("corrected: %+v", j)
	}
	w.pass(1)
	second := w.begin(w.allowed(refundCall("c2"))) // after the correction it is free
	if second.Number != 2 {
		t.Fatalf("attempt %d", second.Number)
	}
	// The first one happened after all: it may have happened twice.
	d := w.desk()
	wrong := queue.Reconcile{Attempt: d.Attempts[0].ID, Outcome: "committed", Correct: true, Page: d.Digest, Reason: "it is in the ledger", Evidence: "ledger line 7"}
	j = w.reconcile(wrong)
	if j.Standing != ambiguity.StandsExecuting || j.Mark != ambiguity.PossibleDouble || !j.Open || counters(w).Unknown != 1 {
		t.Errorf("a possible double: %+v", j)
	}
	w.report(second, func(r *queue.Report) { r.Exit = queue.ExitTimeout })
	if d = w.desk(); !d.Effect.Double || d.Effect.Mark != ambiguity.NotConfirmed || !d.Effect.Open {
		t.Errorf("the desk: %+v", d.Effect)
	}
	w.reconcile(w.answer(queue.AttemptCommitted))
	if d = w.desk(); !d.Effect.Open || d.Effect.Mark != ambiguity.PossibleDouble || d.Effect.Standing != ambiguity.StandsCommitted {
		t.Errorf("the desk: %+v", d.Effect)
	}
	w.ok(w.operator, queue.AckEffect{Effect: d.Effect.ID, Page: d.Digest, Reason: "refunded twice, one taken back"}, 1)
	if d = w.desk(); d.Effect.Open || d.Effect.Double || counters(w).Unknown != 0 {
		t.Errorf("acknowledged: %+v", d.Effect)
	}
}

func TestALaterObservationContradictsAPerson(t *testing.T) {
	alone(t)
	for _, c := range []struct {
		answer, seen queue.AttemptState
		state        queue.AttemptState
		mark         ambiguity.Mark
	}{
		{"not_executed", "committed", "unknown", ambiguity.Conflict},
		{"committed", "not_executed", "unknown", ambiguity.Conflict},
		{"committed", "committed", "committed", ""},
		{"not_executed", "not_executed", "not_executed", ""},
		{"unknown", "committed", "committed", ""},
		{"committed", "unknown", "committed", ""},
	} {
		w := newWorld(t, refunds(t))
		w.lost()
		w.pass(20 * minute)
		w.reconcile(w.answer(c.answer))
		if j := w.observe(queue.Observe{Outcome: c.seen, Durable: true}); j.State != c.state || j.Mark != c.mark {
			t.Errorf("%s, then seen %s: %+v", c.answer, c.seen, j)
		}
		if c.mark != "" {
			w.pass(1)
			if j := w.reconcile(w.answer(queue.AttemptCommitted)); j.State != queue.AttemptCommitted || j.Open {
				t.Errorf("a person ends the conflict: %+v", j)
			}
		}
	}
}

// TestALateReportChangesNothing: it is kept as evidence, and on what was settled
// it opens a notice.
func TestALateReportChangesNothing(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t, unwatched))
	_, b := w.lost()
	w.pass(20 * minute)
	w.reconcile(w.answer(queue.AttemptNotExecuted))
	notices := counters(w).Notices
	r := w.report(b, func(r *queue.Report) { r.Exit, r.Outcome, r.Durable, r.Ref = "success", "committed", true, "re_1" })
	if !r.Late || r.State != queue.AttemptNotExecuted || counters(w).Notices != notices+1 {
		t.Errorf("late: %+v, %d notices", r, counters(w).Notices)
	}
	w.refused(w.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitTimeout}, queue.CodeReported, 0) // the same again
	w.refused(w.agent, queue.Report{Attempt: b.Attempt, Token: "token-0", Exit: "success"}, queue.CodeNotYours, 0)
	w.refused(w.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Outcome: "done"}, queue.CodeBadInput, 0)
	w.refused(w.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Outcome: "committed", Durable: true}, queue.CodeBadInput, 0) // durable by what?
	w.refused(w.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Outcome: "committed", ActionDigest: w.desk().Digest}, queue.CodeWrongDigest, 0)
}

// TestTwoOutcomesOfOneAttempt: the first stands.
func TestTwoOutcomesOfOneAttempt(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t, unwatched))
	b := w.begin(w.allowed(refundCall("c1")))
	w.report(b, func(r *queue.Report) { r.Outcome, r.Durable, r.Ref = "committed", true, "re_1" })
	r := w.report(b, func(r *queue.Report) { r.Outcome = "not_executed" })
	if r.State != queue.AttemptCommitted || !r.Late || counters(w).Notices != 1 {
		t.Errorf("%+v, %d notices", r, counters(w).Notices)
	}
}

func TestADistinctEffect(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	waiting := w.allowed(refundCall("early"))
	w.lost()
	d := w.desk()
	w.refused(w.operator, queue.OpenEffect{Effect: d.Effect.ID, Page: d.Digest, Reason: "a second item"}, queue.CodeNothingOpen, 0) // I5
	w.observe(queue.Observe{Outcome: "committed", Durable: true, Ref: "re_1"})
	d = w.desk()
	w.refused(w.operator, queue.OpenEffect{Effect: d.Effect.ID, Page: d.Digest, Reason: " "}, queue.CodeBadInput, 0)
	w.refused(w.agent, queue.OpenEffect{Effect: d.Effect.ID, Page: d.Digest, Reason: "x"}, queue.CodeNotAllowed, 0)
	w.pass(1)
	opened := w.ok(w.operator, queue.OpenEffect{Effect: d.Effect.ID, Page: d.Digest, Reason: "the second item was broken too"}, 1).(queue.Opened)
	if opened.Ordinal != 2 {
		t.Errorf("%+v", opened)
	}
	older := must[queue.Desk](t)(queue.Get[queue.Desk](t.Context(), w.operator, queue.QEffect{ID: d.Effect.ID}))
	if a := older.Answers[len(older.Answers)-1]; a.Act != "open" || a.Open || a.Why != "another effect of its key counts: number 2" {
		t.Errorf("one more is offered beside an older one: %+v", a)
	}
	w.refused(w.operator, queue.OpenEffect{Effect: d.Effect.ID, Page: d.Digest, Reason: "x"}, queue.CodeStalePage, 0) // the newest is open
	w.refused(w.agent, begin(waiting), queue.CodeStaleDecision, 1)                                                    // decided before
	w.pass(1)
	s := w.submit(refundCall("c2"))
	view := w.see(s.Ask)
	if !strings.Contains(view.Card, "distinct_effect") || !strings.Contains(view.Card, "effect number 2") || !strings.Contains(view.Card, "the second item was broken too") {
		t.Errorf("the card is silent:\n%s", view.Card)
	}
	w.decide(s.Ask, queue.VerdictAllow)
	w.pass(1)
	if b := w.begin(s); b.Number != 1 {
		t.Errorf("attempt %d of the second effect", b.Number)
	}
	w.refused(w.agent, refundCall("c3"), queue.CodeInProgress, refuseEvent)
	if now := w.desk(); now.Effect.Links != d.Effect.ID || now.Effect.Ordinal != 2 {
		t.Errorf("it is not linked: %+v", now.Effect)
	}
}

// TestADistinctEffectWantsAPersonWhoSawIt: neither a rule nor an ask whose card
// was made before opens it.
func TestADistinctEffectWantsAPersonWhoSawIt(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t, func(t *descriptor.Tool) { t.Class = "reversible" }))
	old := w.submit(refundCall("old")) // its card says nothing of a second effect
	w.lost()
	w.observe(queue.Observe{Outcome: "committed", Durable: true})
	d := w.desk()
	w.pass(1)
	w.ok(w.operator, queue.OpenEffect{Effect: d.Effect.ID, Page: d.Digest, Reason: "again"}, 1)
	w.pass(1)
	w.decide(old.Ask, queue.VerdictAllow)
	w.pass(1)
	w.refused(w.agent, begin(old), queue.CodeStaleDecision, 1)
	w.configure(refunds(t, func(t *descriptor.Tool) { t.Class = "reversible" }), func(s *queue.Settings) { s.Rules = allowAll{} })
	if s := w.submit(refundCall("by rule")); s.State != queue.StatePending {
		t.Errorf("a rule opened it: %s", s.State)
	}
}

// TestAnUnknownFirstEffectBlocksTheSecond: a distinct effect is opened beside one
// that happened; when that comes into doubt, none of the key begins (I5), and
// what was decided on the second one before is stale.
func TestAnUnknownFirstEffectBlocksTheSecond(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	w.lost()
	w.observe(queue.Observe{Outcome: "committed", Durable: true})
	first := w.desk()
	w.pass(1)
	w.ok(w.operator, queue.OpenEffect{Effect: first.Effect.ID, Page: first.Digest, Reason: "again"}, 1)
	w.pass(20 * minute)
	s := w.allowed(refundCall("c2"))
	w.pass(1)
	at := first.Attempts[0].ID
	w.observe(queue.Observe{Attempt: at, Outcome: "not_executed"})
	w.refused(w.agent, begin(s), queue.CodeAmbiguousEffect, refuseEvent)
	w.refused(w.agent, refundCall("c3"), queue.CodeAmbiguousEffect, refuseEvent)
	w.pass(1)
	d := must[queue.Desk](t)(queue.Get[queue.Desk](t.Context(), w.operator, queue.QEffect{ID: first.Effect.ID}))
	w.reconcile(queue.Reconcile{Attempt: at, Outcome: "committed", Page: d.Digest, Reason: "it is in the ledger", Evidence: "line 7"})
	w.refused(w.agent, begin(s), queue.CodeStaleDecision, 1)
	w.pass(1)
	w.begin(w.allowed(refundCall("c4")))
}

// TestAStaleAskIsNotAdopted: the next identical call asks anew instead of taking
// over an approval that cannot begin.
func TestAStaleAskIsNotAdopted(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t, func(t *descriptor.Tool) { t.Effect.Settle = "" }), func(s *queue.Settings) { s.LeaseMS = minute })
	call := refundCall("")
	old := w.allowed(call)
	w.lost()
	w.pass(2 * minute) // nobody waits any more
	w.reconcile(w.answer(queue.AttemptNotExecuted))
	w.pass(1)
	if s := w.submit(call); s.Adopted || s.Ask == old.Ask || s.State != queue.StatePending {
		t.Errorf("the stale ask was taken over: %+v", s)
	}
}

// TestAnotherCallProvesNothing: what a host says of a call that it ran in the
// place of the approved one is not said of this effect.
func TestAnotherCallProvesNothing(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t, func(t *descriptor.Tool) { t.Observer, t.Effect.SuccessClaims = nil, "committed" }))
	s := w.allowed(refundCall("c1"))
	other := strings.Replace(string(s.Action), "4800", "9999", 1)
	r := w.report(w.begin(s), func(r *queue.Report) { r.Exit, r.Observed = queue.ExitSuccess, []byte(other) })
	if !r.Mismatch || r.State != queue.AttemptUnknown {
		t.Errorf("%+v", r)
	}
}

// TestAnEditMeetsTheEffect: the arguments that an operator writes are judged like
// those that an agent sends, and the refusal is no repeat of the agent's.
func TestAnEditMeetsTheEffect(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	other := refundCall("c1")
	other.Edits, other.Call.Arguments = true, []byte(`{"payment_id":"pay_1","amount":4800}`)
	s := w.submit(other)
	w.lost()
	v := w.see(s.Ask)
	edit := queue.Edit{Ask: s.Ask, ActionDigest: v.Row.ActionDigest, ShownDigest: v.Row.ShownDigest, Arguments: []byte(`{"payment_id":"pay_8842","amount":1}`)}
	w.refused(w.operator, edit, queue.CodeAmbiguousEffect, 0)
	if d := w.desk(); d.Effect.Repeats != 0 {
		t.Errorf("%+v", d.Effect)
	}
	edit.Arguments = []byte(`{"payment_id":"pay_2","amount":4800}`)
	w.ok(w.operator, edit, 2)
}

func TestTheDeskSaysWhatMayBeAnswered(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	b := w.begin(w.allowed(refundCall("c1")))
	open := func() map[string]bool {
		got := map[string]bool{}
		for _, a := range w.desk().Answers {
			if a.Unlocks == "" || !a.Open && a.Why == "" {
				t.Errorf("%+v says nothing", a)
			}
			got[a.Act] = a.Open
		}
		return got
	}
	expect := func(when string, want ...string) {
		t.Helper()
		got := open()
		for act, is := range got {
			wanted := false
			for _, o := range want {
				wanted = wanted || o == act
			}
			if is != wanted {
				t.Errorf("%s: %s may be answered: %v", when, act, is)
			}
		}
	}
	expect("executing")
	w.report(b, func(r *queue.Report) { r.Exit = queue.ExitTimeout })
	expect("unknown, too soon", "committed", "unknown")
	w.pass(20 * minute)
	expect("unknown", "committed", "unknown", "not_executed")
	w.observe(queue.Observe{Outcome: "committed", Durable: true, Divergent: true})
	expect("divergent", "unknown", "not_executed", "acknowledge", "open")
	d := w.desk()
	if d.Provider == nil || d.Provider.KeyLifetime != "24h" || len(d.Observers) != 1 || d.Confirm != "pay_8842" || len(d.Arguments) == 0 {
		t.Errorf("the desk: %+v", d)
	}
}
