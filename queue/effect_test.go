package queue_test

import (
	"fmt"
	"strings"
	"testing"

	"nod/ambiguity"
	"nod/descriptor"
	"nod/digest"
	"nod/queue"
)

// refunds is the descriptor of a tool whose effect has a name and an observer.
func refunds(t *testing.T, change ...func(*descriptor.Tool)) func(*queue.Settings) {
	t.Helper()
	tool := descriptor.Tool{
		Name: "billing.refund", Class: "compensatable", Access: "write",
		Effect: descriptor.Effect{Family: "refund", Parts: []string{"/payment_id"}, Settle: "10m", Lease: "30m",
			Provider: descriptor.Provider{KeyLifetime: "24h", Changed: "refused", Cached: "its first answer"}},
		Observer: []descriptor.Observer{{Name: "refunds", Kind: "http", URL: "http://127.0.0.1:1/refunds?payment={/payment_id}", Status: 200,
			Candidates: "/data", Same: map[string]string{"/amount": "/amount"}}},
	}
	for _, c := range change {
		c(&tool)
	}
	set, err := descriptor.Compile([]descriptor.Tool{tool})
	if err != nil {
		t.Fatal(err)
	}
	return func(s *queue.Settings) { s.Descriptors = set }
}

func unwatched(t *descriptor.Tool) { t.Observer = nil }

func refundCall(id string) queue.Submit {
	return queue.Submit{Kind: "call", Session: "s1", CallID: id,
		Call: &queue.Call{Tool: "billing.refund", Arguments: []byte(`{"payment_id":"pay_8842","amount":4800}`)}}
}

func (w *world) begin(s queue.Submitted) queue.Begun {
	w.t.Helper()
	return must[queue.Begun](w.t)(queue.As[queue.Begun](w.t.Context(), w.agent, begin(s)))
}

func (w *world) report(b queue.Begun, change func(*queue.Report)) queue.Reported {
	w.t.Helper()
	r := queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitFailure}
	if change != nil {
		change(&r)
	}
	return must[queue.Reported](w.t)(queue.As[queue.Reported](w.t.Context(), w.agent, r))
}

// desk reads the newest effect.
func (w *world) desk() queue.Desk {
	w.t.Helper()
	list := must[queue.Effects](w.t)(queue.Get[queue.Effects](w.t.Context(), w.operator, queue.QEffects{Limit: 1}))
	if len(list.Effects) == 0 {
		w.t.Fatal("there is no effect")
	}
	return must[queue.Desk](w.t)(queue.Get[queue.Desk](w.t.Context(), w.operator, queue.QEffect{ID: list.Effects[0].ID}))
}

// answer is a reconciliation with everything that binds it.
func (w *world) answer(outcome queue.AttemptState) queue.Reconcile {
	w.t.Helper()
	d := w.desk()
	r := queue.Reconcile{Attempt: d.Attempts[len(d.Attempts)-1].ID, Outcome: outcome, Page: d.Digest, Reason: "support says so", Evidence: "case 55120"}
	if outcome == queue.AttemptNotExecuted {
		r.Confirm = d.Confirm
	}
	return r
}

func (w *world) reconcile(r queue.Reconcile) queue.Judged {
	w.t.Helper()
	return must[queue.Judged](w.t)(queue.As[queue.Judged](w.t.Context(), w.operator, r))
}

func (w *world) observe(o queue.Observe) queue.Judged {
	w.t.Helper()
	d := w.desk()
	if o.Attempt == "" {
		o.Attempt = d.Attempts[len(d.Attempts)-1].ID
	}
	o.Observer = "refunds"
	return must[queue.Judged](w.t)(queue.As[queue.Judged](w.t.Context(), w.operator, o))
}

// lost begins a refund and loses its answer.
func (w *world) lost() (queue.Submitted, queue.Begun) {
	w.t.Helper()
	s := w.allowed(refundCall(fmt.Sprintf("lost%d", w.ids)))
	b := w.begin(s)
	w.report(b, func(r *queue.Report) { r.Exit, r.CameBack = queue.ExitTimeout, "request timed out after 30000 ms" })
	return s, b
}

func counters(w *world) queue.Counters {
	w.t.Helper()
	return must[queue.Status](w.t)(queue.Get[queue.Status](w.t.Context(), w.operator, queue.QStatus{})).Counters
}

// refuse is the one event of a call that ran into an effect.
const refuseEvent = 1

func TestAnUnknownOutcomeBlocksItsRepeats(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t, unwatched))
	waiting := w.allowed(refundCall("early")) // allowed before the first began
	first := w.allowed(refundCall("c1"))
	if got := w.see(first.Ask); !strings.Contains(string(got.Ask), `"key":["local","refund","pay_8842"]`) {
		t.Errorf("the ask has another key: %s", got.Ask)
	}
	b := w.begin(first)
	if b.Number != 1 {
		t.Errorf("attempt %d", b.Number)
	}
	no := w.refused(w.agent, refundCall("c2"), queue.CodeInProgress, refuseEvent)
	w.refused(w.agent, begin(waiting), queue.CodeInProgress, refuseEvent)
	if no.Effect == "" || no.Ref != first.Ask || no.Hint == "" {
		t.Errorf("the refusal is %+v", no)
	}
	r := w.report(b, func(r *queue.Report) { r.Exit = queue.ExitTimeout })
	if r.State != queue.AttemptUnknown || r.Late || r.Effect != no.Effect {
		t.Errorf("reported %+v", r)
	}
	w.refused(w.agent, refundCall("c3"), queue.CodeAmbiguousEffect, refuseEvent)
	w.refused(w.agent, begin(waiting), queue.CodeAmbiguousEffect, refuseEvent)
	other := refundCall("c4") // another session and agent, the same effect
	other.Session = "s2"
	w.refused(w.q.Port(agentConn("helper")), other, queue.CodeAmbiguousEffect, refuseEvent)
	d := w.desk()
	if d.Effect.Standing != ambiguity.StandsUnknown || d.Effect.Mark != ambiguity.NotConfirmed || !d.Effect.Open || d.Effect.Repeats != 5 {
		t.Errorf("the desk shows %+v", d.Effect)
	}
	if len(d.Repeats) != 2 || d.Repeats[0].Count != 4 || d.Repeats[1].Agent != "helper" || len(d.Waiting) != 1 || d.Waiting[0].ID != waiting.Ask {
		t.Errorf("who waits: %+v, %+v", d.Repeats, d.Waiting)
	}
	if c := counters(w); c.Unknown != 1 {
		t.Errorf("counters %+v", c)
	}
	if state := w.state(waiting.Ask); state != queue.StateAllowed {
		t.Errorf("the refused begin left the ask %s", state)
	}
}

func TestAnotherKeyOrToolIsFree(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	w.lost()
	other := refundCall("c9")
	other.Call.Arguments = []byte(`{"payment_id":"pay_8843","amount":4800}`)
	w.begin(w.allowed(other))
	for _, id := range []string{`"pay_8842"`, `"refund"`} { // a squatter's own id names its own effect
		squat := call("refund " + id)
		squat.Call.Effect = &queue.Effect{ID: []byte(id)}
		got := w.allowed(squat)
		if e := string(w.see(got.Ask).Ask); !strings.Contains(e, `"key":["local","tool:Bash",`+id+`]`) {
			t.Errorf("the squatter's key: %s", e)
		}
		w.begin(got)
	}
	w.refused(w.agent, refundCall("c10"), queue.CodeAmbiguousEffect, refuseEvent) // still the refund's own
}

// TestASquatterHoldsNoKey: a call of another tool that claims the same id before
// the refund leaves the refund free.
func TestASquatterHoldsNoKey(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	squat := call("squat")
	squat.Call.Effect = &queue.Effect{ID: []byte(`"pay_8842"`), Class: "irreversible"}
	w.begin(w.allowed(squat))
	claimed := refundCall("c1")
	claimed.Call.Effect = &queue.Effect{ID: []byte(`"another"`)} // the template beats the caller
	b := w.begin(w.allowed(claimed))
	if b.Number != 1 {
		t.Errorf("attempt %d", b.Number)
	}
	w.refused(w.agent, refundCall("c2"), queue.CodeInProgress, refuseEvent)
}

func TestACallWithoutItsNameIsRefused(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	for _, args := range []string{`{}`, `{"payment_id":""}`, `{"payment_id":7}`, `{"payment_id":" pay_8842"}`} {
		s := refundCall("c1")
		s.Call.Arguments = []byte(args)
		w.refused(w.agent, s, queue.CodeEffectKey, 0)
	}
}

func TestNotExecutedLetsOneRetryRun(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	early := w.allowed(refundCall("early"))
	w.lost()
	w.pass(16 * minute) // lease of 5 min, and the provider's 10
	late := w.answer(queue.AttemptNotExecuted)
	w.pass(1)
	j := w.reconcile(late)
	if j.State != queue.AttemptNotExecuted || j.Standing != ambiguity.StandsFree || j.Repeats != "" || j.Open {
		t.Errorf("reconciled %+v", j)
	}
	w.refused(w.agent, begin(early), queue.CodeTooLate, 0) // it lapsed: 10 minutes
	old := must[queue.Effects](t)(queue.Get[queue.Effects](t.Context(), w.operator, queue.QEffects{Open: true, Limit: 5}))
	if len(old.Effects) != 0 || counters(w).Unknown != 0 {
		t.Errorf("the desk still shows %+v", old.Effects)
	}
	w.pass(1)
	one, two := w.allowed(refundCall("r1")), w.allowed(refundCall("r2"))
	if card := w.see(one.Ask).Card; !strings.Contains(card, "this would be attempt 2") {
		t.Errorf("the card is silent about the first attempt:\n%s", card)
	}
	if b := w.begin(one); b.Number != 2 {
		t.Errorf("attempt %d", b.Number)
	}
	w.refused(w.agent, begin(two), queue.CodeInProgress, refuseEvent)
}

func TestAnOlderApprovalIsStale(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t, func(t *descriptor.Tool) { t.Effect.Settle = "" }), func(s *queue.Settings) { s.LeaseMS = minute })
	early := w.allowed(refundCall("early"))
	w.lost()
	w.pass(2 * minute)
	w.reconcile(w.answer(queue.AttemptNotExecuted))
	w.refused(w.agent, begin(early), queue.CodeStaleDecision, 1)
	if row := w.see(early.Ask).Row; row.State != queue.StateRevoked || row.RevokeReason != queue.CodeStaleDecision {
		t.Errorf("the stale ask is %s, %s", row.State, row.RevokeReason)
	}
	// In the very moment of the answer nobody can say which came first.
	w.refused(w.agent, begin(w.allowed(refundCall("same moment"))), queue.CodeStaleDecision, 1)
	w.pass(1)
	w.begin(w.allowed(refundCall("younger")))
}

func TestCommittedAnswersWithTheFirstReference(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	w.lost()
	j := w.observe(queue.Observe{Outcome: queue.AttemptCommitted, Durable: true, Ref: "re_19c", Seen: `GET gave "re_19c"`})
	if j.State != queue.AttemptCommitted || j.Standing != ambiguity.StandsCommitted || j.Open {
		t.Errorf("observed %+v", j)
	}
	no := w.refused(w.agent, refundCall("c2"), queue.CodeDuplicateEffect, refuseEvent)
	if no.Ref != "re_19c" {
		t.Errorf("the refusal is %+v", no)
	}
	if o := w.see(w.desk().Attempts[0].Ask).Row.Outcome; o != queue.AttemptCommitted {
		t.Errorf("lists show %s", o)
	}
}

// The reference that was seen is the one that repeats get, whoever settled it;
// one of an attempt that did not happen is none.
func TestWhoseReferenceRepeatsGet(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	first, _ := w.lost()
	if no := w.refused(w.agent, refundCall("c2"), queue.CodeAmbiguousEffect, refuseEvent); no.Ref != first.Ask {
		t.Errorf("nobody gave one: %+v", no)
	}
	w.observe(queue.Observe{Outcome: queue.AttemptCommitted, Ref: "re_19c"})
	w.pass(20 * minute)
	w.reconcile(w.answer(queue.AttemptCommitted))
	if no := w.refused(w.agent, refundCall("c3"), queue.CodeDuplicateEffect, refuseEvent); no.Ref != "re_19c" {
		t.Errorf("a person settled it: %+v", no)
	}
	wrong := w.answer(queue.AttemptNotExecuted)
	wrong.Correct = true
	w.reconcile(wrong)
	w.pass(1)
	w.lost()
	if no := w.refused(w.agent, refundCall("c4"), queue.CodeAmbiguousEffect, refuseEvent); no.Ref == "re_19c" {
		t.Errorf("it is the reference of one that did not happen: %+v", no)
	}
}

func TestObservations(t *testing.T) {
	alone(t)
	for _, c := range []struct {
		name  string
		see   []queue.Observe
		after int64
		state queue.AttemptState
		mark  ambiguity.Mark
		open  bool
	}{
		{"matched", []queue.Observe{{Outcome: "committed", Durable: true}}, 0, "committed", "", false},
		{"matched, not durable", []queue.Observe{{Outcome: "committed"}}, 0, "unknown", ambiguity.NotDurable, true},
		{"other content", []queue.Observe{{Outcome: "committed", Durable: true, Divergent: true, Allowed: "4800", Content: "9999"}}, 0,
			"committed", ambiguity.Divergent, true},
		{"not to be reached", []queue.Observe{{Outcome: "unknown", Why: "unavailable"}}, 0, "unknown", ambiguity.NotConfirmed, true},
		{"empty, too early", []queue.Observe{{Outcome: "not_executed", Durable: true}}, 0, "unknown", ambiguity.NotConfirmed, true},
		{"empty", []queue.Observe{{Outcome: "not_executed", Durable: true}}, 20 * minute, "unknown", ambiguity.NotConfirmed, true},
		{"empty, then matched", []queue.Observe{{Outcome: "not_executed"}, {Outcome: "committed", Durable: true}}, 20 * minute, "unknown", ambiguity.Conflict, true},
		{"empty too early, then matched", []queue.Observe{{Outcome: "not_executed"}, {Outcome: "committed", Durable: true}}, 0, "committed", "", false},
		{"matched, then other content", []queue.Observe{{Outcome: "committed", Durable: true}, {Outcome: "committed", Durable: true, Divergent: true}}, 0,
			"unknown", ambiguity.Conflict, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, refunds(t))
			w.lost()
			w.pass(c.after)
			var j queue.Judged
			for _, o := range c.see {
				j = w.observe(o)
			}
			if j.State != c.state || j.Mark != c.mark || j.Open != c.open {
				t.Errorf("%+v", j)
			}
			if want := map[queue.AttemptState]string{"committed": queue.CodeDuplicateEffect, "unknown": queue.CodeAmbiguousEffect}[c.state]; j.Repeats != want {
				t.Errorf("repeats get %s", j.Repeats)
			}
			if n := counters(w).Unknown; (n == 1) != c.open {
				t.Errorf("%d on the desk", n)
			}
			if c.mark == ambiguity.Divergent {
				d := w.desk()
				if d.Allowed != "4800" || d.Content != "9999" {
					t.Errorf("the difference is %q, %q", d.Allowed, d.Content)
				}
				ack := queue.AckEffect{Effect: d.Effect.ID, Page: d.Digest, Reason: "known"}
				if j := must[queue.Judged](t)(queue.As[queue.Judged](t.Context(), w.operator, ack)); j.Open || j.Standing != ambiguity.StandsCommitted {
					t.Errorf("acknowledged %+v", j)
				}
				w.refused(w.operator, queue.AckEffect{Effect: d.Effect.ID, Page: w.desk().Digest}, queue.CodeNothingOpen, 0)
			}
		})
	}
}

func TestAToolsWordWaitsForItsObserver(t *testing.T) {
	alone(t)
	for _, c := range []struct {
		name   string
		tool   func(*descriptor.Tool)
		report func(*queue.Report)
		state  queue.AttemptState
		mark   ambiguity.Mark
	}{
		{"a success alone", unwatched, func(r *queue.Report) { r.Exit = "success" }, "unknown", ambiguity.NotConfirmed},
		{"a success that claims", func(t *descriptor.Tool) { t.Observer, t.Effect.SuccessClaims = nil, "committed" },
			func(r *queue.Report) { r.Exit = "success" }, "committed", ""},
		{"a failure that would claim", func(t *descriptor.Tool) { t.Observer, t.Effect.SuccessClaims = nil, "committed" },
			func(r *queue.Report) { r.Exit = "failure" }, "unknown", ambiguity.NotConfirmed},
		{"a success that claims, watched", func(t *descriptor.Tool) { t.Effect.SuccessClaims = "committed" },
			func(r *queue.Report) { r.Exit = "success" }, "unknown", ambiguity.NotConfirmed},
		{"committed, durable", unwatched, func(r *queue.Report) { r.Outcome, r.Durable, r.Ref = "committed", true, "re_1" }, "committed", ""},
		{"committed, not durable", unwatched, func(r *queue.Report) { r.Outcome = "committed" }, "unknown", ambiguity.NotDurable},
		{"committed, watched", func(*descriptor.Tool) {}, func(r *queue.Report) { r.Outcome, r.Durable, r.Ref = "committed", true, "re_1" }, "unknown", ambiguity.NotConfirmed},
		{"not executed, said by a host", unwatched, func(r *queue.Report) { r.Outcome = "not_executed" }, "unknown", ambiguity.NotConfirmed},
		{"never started", unwatched, func(r *queue.Report) { r.Exit = "blocked" }, "not_executed", ""},
		{"never started, and committed", unwatched, func(r *queue.Report) { r.Exit, r.Outcome = "blocked", "committed" }, "unknown", ambiguity.NotDurable},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, refunds(t, c.tool))
			w.runs()
			r := w.report(w.begin(w.allowed(refundCall("c1"))), c.report)
			d := w.desk()
			if r.State != c.state || d.Effect.Mark != c.mark || d.Effect.Open != (c.state == "unknown") {
				t.Errorf("%+v, %+v", r, d.Effect)
			}
		})
	}
}

// TestAResultThatSaysItDidNotHappen counts where Nod itself received it, under
// the descriptor that the ask was made under, and nowhere else.
func TestAResultThatSaysItDidNotHappen(t *testing.T) {
	alone(t)
	declined := func(t *descriptor.Tool) {
		t.Effect.NotExecuted = descriptor.Result{At: "/error/code", Is: "card_declined"}
		t.Observer = nil
	}
	for _, c := range []struct {
		name, way, result string
		host              bool
		state             queue.AttemptState
	}{
		{"declined", queue.WayRun, `{"error":{"code":"card_declined"}}`, false, "not_executed"},
		{"another error", queue.WayRun, `{"error":{"code":"timeout"}}`, false, "unknown"},
		{"from a host", "hook", `{"error":{"code":"card_declined"}}`, false, "unknown"},
		{"a host ran it", queue.WayRun, `{"error":{"code":"card_declined"}}`, true, "unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, refunds(t, declined))
			conn := agentConn("shop-fixer")
			conn.Way = c.way
			w.agent = w.q.Port(conn)
			s := w.allowed(refundCall("c1"))
			act := begin(s)
			act.HostRuns = c.host
			b := must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), w.agent, act))
			if r := w.report(b, func(r *queue.Report) { r.Result = []byte(c.result) }); r.State != c.state {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestALeaseThatEndsIsUnknown(t *testing.T) {
	alone(t)
	for _, host := range []bool{false, true} {
		w := newWorld(t, refunds(t))
		s := w.allowed(refundCall("c1"))
		act := begin(s)
		act.HostRuns = host
		b := must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), w.agent, act))
		lease := int64(5 * minute)
		if host {
			lease = 30 * minute // the descriptor's
		}
		if b.Lease != w.wall+lease {
			t.Errorf("the lease runs for %d ms", b.Lease-w.wall)
		}
		w.pass(lease - 1)
		w.refused(w.agent, refundCall("c2"), queue.CodeInProgress, refuseEvent)
		w.pass(1)
		w.refused(w.agent, refundCall("c3"), queue.CodeAmbiguousEffect, 2) // the clock's own, and the refusal
		late := w.report(b, func(r *queue.Report) { r.Outcome, r.Durable, r.Ref = "committed", true, "re_2" })
		if !late.Late || late.State != queue.AttemptUnknown {
			t.Errorf("a late report gave %+v", late)
		}
		if d := w.desk(); d.Effect.Standing != ambiguity.StandsUnknown || d.Facts[len(d.Facts)-1].Ref != "re_2" {
			t.Errorf("the desk: %+v", d)
		}
	}
}

func TestASessionsEndLosesWhatItsHostRan(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t))
	act := begin(w.allowed(refundCall("c1")))
	act.HostRuns = true
	must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), w.agent, act))
	must[queue.Ended](t)(queue.As[queue.Ended](t.Context(), w.agent, queue.EndSession{Session: "s1"}))
	if d := w.desk(); d.Effect.Standing != ambiguity.StandsUnknown || d.Facts[len(d.Facts)-1].Kind != ambiguity.SessionEnd {
		t.Errorf("the desk: %+v", d)
	}
}

func TestARuleDoesNotOpenWhatIsUnknown(t *testing.T) {
	alone(t)
	w := newWorld(t, refunds(t), func(s *queue.Settings) { s.Rules = allowAll{} })
	one := refundCall("c1")
	one.Begin, one.Executor = true, "test"
	first := w.submit(one)
	if first.Begun == nil || first.Begun.Number != 1 {
		t.Fatalf("%+v", first)
	}
	two := refundCall("c2")
	two.Begin, two.Executor = true, "test"
	w.refused(w.agent, two, queue.CodeInProgress, refuseEvent)
	w.report(*first.Begun, nil)
	w.refused(w.agent, two, queue.CodeAmbiguousEffect, refuseEvent)
}

type allowAll struct{}

func (allowAll) Judge(*digest.Action) queue.Ruling {
	return queue.Ruling{Verdict: queue.RuleAllow, Rule: "all"}
}

func TestWhatLooksAlikeIsSaid(t *testing.T) {
	alone(t)
	w := newWorld(t)
	pay := func(id, effect string) queue.Submit {
		s := call("pay")
		s.CallID, s.Call.Effect = id, &queue.Effect{Class: "irreversible"}
		if effect != "" {
			s.Call.Effect.ID = []byte(effect)
		}
		return s
	}
	b := w.begin(w.allowed(pay("c1", `"a"`)))
	for _, c := range [][2]string{{"executing", "that is executing"}, {"unknown", "whose outcome is unknown"}} {
		state, want := c[0], c[1]
		if state == "unknown" {
			w.report(b, nil)
		}
		for i, effect := range []string{`"b"`, ""} {
			card := w.see(w.submit(pay(fmt.Sprintf("%s-%d", state, i), effect)).Ask).Card
			if !strings.Contains(card, want) {
				t.Errorf("%s, %s: the card does not say it:\n%s", state, effect, card)
			}
		}
	}
	other := pay("c9", `"c"`)
	other.Call.Arguments = []byte(`{"command":"something else"}`)
	if card := w.see(w.submit(other).Ask).Card; strings.Contains(card, "looks like") {
		t.Errorf("another call looks alike:\n%s", card)
	}
}
