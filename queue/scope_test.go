package queue_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nod/digest"
	"nod/policy"
	"nod/policy/transaction"
	"nod/queue"
)

// owing has a component that is gone and owes what these calls declared, in
// their order.
func owing(t *testing.T, declarations ...string) (*world, queue.ScopeStands) {
	t.Helper()
	w := newWorld(t)
	w.runs()
	w.attach(`"mode":"active"`)
	w.component("shop")
	for i, d := range declarations {
		s := w.allowed(governed(fmt.Sprint("make ", i), d, "shop"))
		b := w.ok(w.agent, begin(s), 2).(queue.Begun)
		if e := w.last(2)[0]; e["act"] != "cleanup_owed" || e["cleanup"] != float64(i+1) || e["attempt"] != b.Attempt {
			t.Errorf("owed as %v", e)
		}
		w.ok(w.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitSuccess, Outcome: queue.AttemptCommitted}, 1)
	}
	return w, w.ok(w.agent, queue.DisposeScope{Component: "shop"}, 1).(queue.ScopeStands)
}

// policy is the one that holds.
func (w *world) policy() string {
	w.t.Helper()
	return must[queue.Policies](w.t)(queue.Get[queue.Policies](w.t.Context(), w.operator, queue.QPolicies{})).Policies[0].ID
}

func (w *world) scope() queue.ScopeView {
	w.t.Helper()
	all := must[queue.Cleanups](w.t)(queue.Get[queue.Cleanups](w.t.Context(), w.operator, queue.QCleanups{Limit: 9}))
	return all.Scopes[0]
}

func (w *world) next() queue.CleanupDue {
	w.t.Helper()
	return must[queue.CleanupDue](w.t)(queue.As[queue.CleanupDue](w.t.Context(), w.agent, queue.NextCleanup{Component: "shop"}))
}

// A disposer is given once, marked before it is given, the newest first.
func TestADisposerIsTakenOnce(t *testing.T) {
	alone(t)
	w, stands := owing(t, declReversible, strings.Replace(declReversible, "7", "8", 1))
	if stands.State != policy.Unloading || stands.Owed != 2 || stands.Over {
		t.Errorf("disposed: %+v", stands)
	}
	w.ok(w.operator, queue.Freeze{}, 1)
	w.refused(w.agent, queue.NextCleanup{Component: "shop"}, queue.CodeFrozen, 0)
	w.ok(w.operator, queue.Unfreeze{}, 1)
	due := w.ok(w.agent, queue.NextCleanup{Component: "shop"}, 1).(queue.CleanupDue)
	if due.Cleanup != 2 || string(due.Arguments) != `{"id":8}` || due.Tool != "sub.cancel" || due.Compensates {
		t.Errorf("first: %+v", due)
	}
	if got := w.scope().Cleanups[1].State; got != policy.Invoked {
		t.Errorf("given while it is %s", got)
	}
	if again := w.ok(w.agent, queue.NextCleanup{Component: "shop"}, 0).(queue.CleanupDue); again.Cleanup != 0 {
		t.Errorf("given again: %+v", again)
	}
	w.refused(w.agent, queue.EndCleanup{Component: "shop", Cleanup: 1, How: policy.Done}, policy.CodeOutOfTurn, 0)
	w.refused(w.agent, queue.EndCleanup{Component: "shop", Cleanup: 2, How: "well"}, queue.CodeBadInput, 0)
	w.ok(w.agent, queue.EndCleanup{Component: "shop", Cleanup: 2, How: policy.Done}, 1)
	w.refused(w.agent, queue.EndCleanup{Component: "shop", Cleanup: 2, How: policy.Broken}, policy.CodeOutOfTurn, 0)
	if due := w.next(); due.Cleanup != 1 {
		t.Errorf("second: %+v", due)
	}
	w.ok(w.agent, queue.EndCleanup{Component: "shop", Cleanup: 1, How: policy.Done}, 1)
	if s := w.scope(); s.State != policy.Inactive || s.Blocked || s.Due {
		t.Errorf("ended %+v", s)
	}
	w.ok(w.agent, queue.DisposeScope{Component: "shop"}, 0)
	w.component("shop")
	w.refused(w.agent, queue.ActivateScope{Session: "s1", Component: "shop"}, policy.CodeScopeState, 0)
	w.refused(w.agent, queue.ActivateScope{Session: "s1", Component: "a\nb"}, policy.CodeComponentID, 0)
	w.refused(w.agent, queue.DisposeScope{Component: "none"}, queue.CodeUnknownID, 0)
	w.refused(w.operator, queue.ActivateScope{Session: "s1", Component: "x"}, queue.CodeNotAllowed, 0)
}

// owedCall is the submit of what is next.
func owedCall(d queue.CleanupDue) queue.Submit {
	return queue.Submit{Kind: "call", Session: "s1", Owed: &queue.OwedCall{Scope: d.Scope, Cleanup: d.Cleanup},
		Call: &queue.Call{Tool: d.Tool, Operation: d.Operation, Arguments: d.Arguments, Cwd: "/home/mia/shop"}}
}

// allAllowed is a rule that allows everything.
type allAllowed struct{}

func (allAllowed) Judge(*digest.Action) queue.Ruling {
	return queue.Ruling{Verdict: queue.RuleAllow, Rule: "all"}
}

// A compensation runs through a call that a person allows, whatever a rule says;
// the attempt ends it, and what nobody can prove is uncertain.
func TestACompensationIsAnApprovedCall(t *testing.T) {
	alone(t)
	for _, c := range []struct {
		name   string
		report *queue.Report // nil: nobody reports
		want   policy.CleanupState
	}{
		{"it went well", &queue.Report{Exit: queue.ExitSuccess}, policy.Done},
		{"it failed", &queue.Report{Exit: queue.ExitFailure}, policy.Broken},
		{"it never started", &queue.Report{Exit: queue.ExitBlocked}, policy.Broken},
		{"it took too long", &queue.Report{Exit: queue.ExitTimeout}, policy.Uncertain},
		{"another call ran", &queue.Report{Exit: queue.ExitSuccess, Observed: []byte("other")}, policy.Uncertain},
		{"its lease is over", nil, policy.Uncertain},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, _ := owing(t, declCompensatable)
			w.configure(func(s *queue.Settings) { s.Rules = allAllowed{} })
			w.runs()
			due := w.ok(w.agent, queue.NextCleanup{Component: "shop"}, 0).(queue.CleanupDue)
			if !due.Compensates || due.IdempotencyKey != "SECRET-key" || w.scope().Cleanups[0].State != policy.Owed {
				t.Fatalf("due: %+v", due)
			}
			other := owedCall(due)
			other.Call.Arguments = []byte(`{"id":43}`)
			w.refused(w.agent, other, queue.CodeWrongDigest, 0)
			none := owedCall(due)
			none.Owed.Cleanup = 2
			w.refused(w.agent, none, policy.CodeOutOfTurn, 0)
			w.refused(w.agent, queue.EndCleanup{Component: "shop", Cleanup: 1, How: policy.Done}, queue.CodeBadInput, 0)
			elses := w.q.Port(agentConn("somebody"))
			w.refused(elses, owedCall(due), queue.CodeUnknownID, 0)

			s := w.submit(owedCall(due))
			if s.State != queue.StatePending || !strings.Contains(w.see(s.Ask).Card, "cleanup 1") {
				t.Fatalf("submitted %+v", s)
			}
			two := w.allowed(owedCall(due))
			w.decide(s.Ask, queue.VerdictAllow)
			b := w.ok(w.agent, begin(s), 2).(queue.Begun)
			if got := w.scope().Cleanups[0].State; got != policy.Invoked {
				t.Errorf("begun while it is %s", got)
			}
			w.refused(w.agent, begin(two), policy.CodeOutOfTurn, 0)
			if c.report == nil {
				w.pass(queue.DefaultSettings().LeaseMS)
				w.ok(w.operator, queue.AttachPolicy{Agent: "x", Document: []byte(`{"type":"nod.policy/v1","mode":"active"}`)}, 5) // the other answer was not collected, too
			} else {
				r := *c.report
				r.Attempt, r.Token = b.Attempt, b.Token
				if r.Observed != nil {
					r.Observed = []byte(strings.Replace(string(s.Action), "42", "43", 1))
				}
				if _, err := w.agent.Do(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
			v := w.scope()
			if v.Cleanups[0].State != c.want || v.Blocked != (c.want != policy.Done) {
				t.Errorf("it is %+v, want %s", v, c.want)
			}
			if c.want == policy.Done {
				w.component("shop")
				return
			}
			w.refused(w.agent, queue.ActivateScope{Session: "s1", Component: "shop"}, policy.CodeUnacknowledged, 0)
			w.refused(w.agent, queue.AckCleanup{Scope: v.ID, Cleanup: 1}, queue.CodeNotAllowed, 0)
			w.refused(w.operator, queue.AckCleanup{Scope: v.ID, Cleanup: 2}, queue.CodeNothingOpen, 0)
			open := must[queue.Notices](t)(queue.Get[queue.Notices](t.Context(), w.operator, queue.QNotices{Open: true, Limit: 9})).Notices
			i := slices.IndexFunc(open, func(n queue.NoticeView) bool { return n.Code == queue.NoticeCleanup })
			if i < 0 || !strings.Contains(open[i].Sentence, "shop") {
				t.Fatalf("nobody is told: %+v", open)
			}
			if c.report == nil { // to read it is to acknowledge the cleanup, and the other way round
				w.ok(w.operator, queue.AckNotice{Notice: open[i].ID}, 2)
			} else {
				w.ok(w.operator, queue.AckCleanup{Scope: v.ID, Cleanup: 1}, 2)
				w.refused(w.operator, queue.AckNotice{Notice: open[i].ID}, queue.CodeDecided, 0)
			}
			w.refused(w.operator, queue.AckCleanup{Scope: v.ID, Cleanup: 1}, queue.CodeNothingOpen, 0)
			if v := w.scope(); v.State != policy.Failed || v.Blocked {
				t.Errorf("acknowledged: %+v", v)
			}
			w.component("shop")
		})
	}
}

// A session's end is the end of its components: what was invoked is uncertain,
// what is owed stays owed, for whoever comes or for a person who gives it up.
func TestASessionsEndRecoversItsComponents(t *testing.T) {
	alone(t)
	w, _ := owing(t, declCompensatable, declReversible)
	w.next()
	w.ok(w.agent, queue.EndSession{Session: "s1"}, 4) // the scope, two notices
	v := w.scope()
	if v.Cleanups[1].State != policy.Uncertain || v.Cleanups[0].State != policy.Owed || !v.Due || !v.Blocked {
		t.Errorf("after the end: %+v", v)
	}
	w.refused(w.operator, queue.AckCleanup{Scope: v.ID, Cleanup: 1}, queue.CodeNothingOpen, 0)
	w.ok(w.operator, queue.AckCleanup{Scope: v.ID, Cleanup: 1, GiveUp: true}, 2)
	w.ok(w.operator, queue.AckCleanup{Scope: v.ID, Cleanup: 2}, 2)
	if open := must[queue.Status](t)(queue.Get[queue.Status](t.Context(), w.operator, queue.QStatus{})).Counters.Notices; open != 0 {
		t.Errorf("%d notices are open", open)
	}
	if v = w.scope(); v.State != policy.Failed || v.Blocked || v.Due {
		t.Errorf("given up: %+v", v)
	}
	w.component("shop")

	// One that lives when its session ends is gone as well.
	w.ok(w.agent, queue.ActivateScope{Session: "s2", Component: "desk"}, 1)
	s := governed("make x", declReversible, "desk")
	s.Session = "s2"
	b := w.allowed(s)
	w.ok(w.agent, begin(b), 2)
	w.ok(w.agent, queue.EndSession{Session: "s2"}, 3)
	if v = w.scope(); v.State != policy.Unloading || !v.Due {
		t.Errorf("a component outlives its session: %+v", v)
	}
}

// A host that says that nobody will run a compensation ends it, and never well.
func TestAHostGivesUp(t *testing.T) {
	alone(t)
	w, _ := owing(t, declCompensatable)
	w.refused(w.agent, queue.EndCleanup{Component: "shop", Cleanup: 1, How: policy.Uncertain}, queue.CodeBadInput, 0)
	w.ok(w.agent, queue.EndCleanup{Component: "shop", Cleanup: 1, How: policy.Broken}, 2)
	if v := w.scope(); v.State != policy.Failed || !v.Blocked {
		t.Errorf("given up: %+v", v)
	}
}

// A component owes as much as one may; more is refused before it runs.
func TestAScopeIsBounded(t *testing.T) {
	alone(t)
	w := newWorld(t)
	w.attach(`"mode":"active"`)
	w.component("shop")
	large := strings.Replace(declReversible, `{"id":7}`, `"`+strings.Repeat("x", 15_000)+`"`, 1)
	for i := range 80 {
		_, err := w.agent.Do(t.Context(), func() queue.Act { s := governed(fmt.Sprint("make ", i), large, "shop"); return s }())
		if err != nil {
			if i < 60 || w.code(w.agent, governed("again", large, "shop")) != queue.CodeQuota {
				t.Errorf("call %d: %v", i, err)
			}
			return
		}
		all := must[queue.Inbox](t)(queue.Get[queue.Inbox](t.Context(), w.operator, queue.QInbox{Limit: 1}))
		w.decide(all.Rows[0].ID, queue.VerdictDeny)
		again := governed(fmt.Sprint("make it ", i), large, "shop")
		if w.code(w.agent, again) == queue.CodeQuota {
			return
		}
		s := w.submit(func() queue.Submit { again.Call.Cwd = "/"; return again }())
		w.decide(s.Ask, queue.VerdictAllow)
		w.ok(w.agent, begin(s), 2)
	}
	t.Error("a component owes without an end")
}

// An agent has so many components and transactions, and no more.
func TestComponentsAndTransactionsAreBounded(t *testing.T) {
	alone(t)
	w := newWorld(t)
	scope := func(i int) queue.Act { return queue.ActivateScope{Session: "s1", Component: fmt.Sprint("c", i)} }
	tx := func(i int) queue.Act {
		return queue.SubmitTransaction{Session: "s1", Request: fmt.Appendf(nil,
			`{"transactionId":"tx-%d","operation":"activate","targetMode":"shadow","candidateArtifactId":"new"}`, i)}
	}
	for i := range 200 {
		w.ok(w.agent, scope(i), 1)
		w.ok(w.agent, tx(i), 1)
	}
	w.refused(w.agent, scope(200), queue.CodeQuota, 0)
	w.ok(w.agent, tx(200), 1)
	w.refused(w.agent, tx(201), queue.CodeQuota, 0)
	other := w.q.Port(agentConn("somebody"))
	w.ok(other, scope(0), 1)
	w.ok(other, tx(0), 1)
}

// A transaction is bound to its request, and its events are one a change.
func TestATransactionIsKept(t *testing.T) {
	alone(t)
	w := newWorld(t)
	request := func(more string) queue.SubmitTransaction {
		return queue.SubmitTransaction{Session: "s1", Serves: "old",
			Request: []byte(`{"transactionId":" tx-1 ","operation":"activate","targetMode":"active","candidateArtifactId":"new"` + more + `}`)}
	}
	w.refused(w.agent, request(`,"untrustedComponent":true`), policy.CodeSandboxRequired, 0)
	w.refused(w.agent, request(`,"untrustedComponent":true,"sandbox":{"boundary":"in_process","available":true}`), policy.CodeSandboxRequired, 0)
	w.refused(w.agent, request(`,"untrustedComponent":true,"sandbox":{"boundary":"process"}`), policy.CodeSandboxUnavailable, 0)
	w.refused(w.agent, request(`,"more":1`), transaction.CodeRequest, 0)
	first := w.ok(w.agent, request(""), 1).(queue.Transacted)
	if first.Answer != transaction.Begun {
		t.Errorf("first: %s", first.Answer)
	}
	if again := w.ok(w.agent, request(""), 0).(queue.Transacted); again.Answer != transaction.Unfinished || again.ID != first.ID {
		t.Errorf("again: %+v", again)
	}
	w.refused(w.agent, request(`,"untrustedComponent":false`), queue.CodeKeyReused, 0)
	step := queue.StepTransaction{Transaction: "tx-1", Step: transaction.Step{Sequence: 1, Stage: transaction.Applying, Outcome: transaction.EntryStarted}}
	gap := step
	gap.Step.Sequence = 2
	w.refused(w.agent, gap, transaction.CodeSequence, 0)
	w.ok(w.agent, step, 1)
	w.ok(w.agent, step, 0)
	w.refused(w.agent, queue.StepTransaction{Transaction: "tx-2", Step: step.Step}, queue.CodeUnknownID, 0)
	w.refused(w.q.Port(agentConn("somebody")), step, queue.CodeUnknownID, 0)
	w.ok(w.agent, queue.RecoverTransaction{Transaction: "tx-1"}, 1)
	gone := w.ok(w.agent, queue.RestoredTransaction{Transaction: "tx-1", Seen: &transaction.Observed{Active: "old", Uncleaned: []string{"new"}}}, 3).(queue.Transacted)
	if len(gone.Blocked) != 1 || !strings.Contains(string(gone.Record), `"outcome":"diverged"`) {
		t.Errorf("restored: %+v", gone)
	}
	// The artifact is not made to serve until a person has looked.
	other := queue.SubmitTransaction{Session: "s1", Serves: "old",
		Request: []byte(`{"transactionId":"tx-2","operation":"activate","targetMode":"shadow","candidateArtifactId":"new"}`)}
	w.refused(w.agent, other, transaction.CodeUnacknowledged, 0)
	open := must[queue.Transactions](t)(queue.Get[queue.Transactions](t.Context(), w.operator, queue.QTransactions{Open: true, Limit: 9}))
	if len(open.Transactions) != 1 || open.Transactions[0].Outcome != transaction.Diverged {
		t.Errorf("open: %+v", open)
	}
	w.refused(w.agent, queue.AckTransaction{Transaction: gone.ID, Artifact: "new"}, queue.CodeNotAllowed, 0)
	w.refused(w.operator, queue.AckTransaction{Transaction: gone.ID, Artifact: "old"}, queue.CodeNothingOpen, 0)
	w.ok(w.operator, queue.AckTransaction{Transaction: gone.ID, Artifact: "new"}, 2)
	w.ok(w.agent, other, 1)
	w.ok(w.agent, queue.RecoverTransaction{Transaction: "tx-1"}, 1)
	done := w.ok(w.agent, queue.RestoredTransaction{Transaction: "tx-1", Seen: &transaction.Observed{Active: "old"}}, 2).(queue.Transacted)
	if !strings.Contains(string(done.Record), `"outcome":"recovered"`) {
		t.Errorf("recovered: %s", done.Record)
	}
	if again := w.ok(w.agent, request(""), 0).(queue.Transacted); again.Answer != transaction.Replay {
		t.Errorf("at last: %s", again.Answer)
	}
}

// A component belongs to a session that is known, also where nothing else of it
// is: the session's end is the component's.
func TestAComponentsSessionIsKnown(t *testing.T) {
	w := newWorld(t)
	state := func(want policy.State) {
		t.Helper()
		if got := w.scope().State; got != want {
			t.Errorf("the component is %s, want %s", got, want)
		}
	}
	w.component("shop")
	w.ok(w.agent, queue.EndSession{Session: "s1"}, 2)
	state(policy.Inactive)
	w.component("desk") // the session begins anew with it
	w.ok(w.agent, queue.EndSession{Session: "s1"}, 2)
	state(policy.Inactive)
	w.component("till")
	w.pass(queue.DefaultSettings().SessionMS + 1)
	w.ok(w.agent, queue.ActivateScope{Session: "s1", Component: "till"}, 3) // the clock ended it and what it had
	state(policy.Loading)
	for _, session := range []string{"", " \t", "\xff", strings.Repeat("x", 5000)} {
		if got := w.code(w.agent, queue.ActivateScope{Session: session, Component: "x"}); got == "" {
			t.Errorf("a component of session %.9q", session)
		}
		if got := w.code(w.agent, queue.SubmitTransaction{Session: session, Request: []byte(
			`{"transactionId":"tx-1","operation":"activate","targetMode":"shadow","candidateArtifactId":"new"}`)}); got == "" {
			t.Errorf("a transaction of session %.9q", session)
		}
	}
}

// A compensation that cannot be taken back itself passes the irreversible gate:
// what was declared with the first effect committed no boundary.
func TestAnIrreversibleCompensationIsCommitted(t *testing.T) {
	w, _ := owing(t, declCompensatable)
	s := owedCall(w.next())
	s.Call.Effect = &queue.Effect{Class: "irreversible", CommitBoundary: "SECRET-boundary"}
	w.ok(w.operator, queue.DetachPolicy{Policy: w.policy()}, 1)
	before := w.allowed(s)
	w.attach(`"mode":"candidate"`)
	w.refused(w.agent, begin(before), policy.CodeMetadataRequired, 1)
	w.refused(w.agent, s, policy.CodeMetadataRequired, 1)
	s.Declaration, s.Transaction, s.Operation = []byte(declIrreversible), "tx-1", "activate"
	w.refused(w.agent, s, policy.CodeCommitRequired, 1)
	commit := w.submit(queue.Submit{Kind: "commit", Session: "s1", Call: &queue.Call{Tool: "release", Operation: "activate",
		Arguments: []byte(`{"transaction":"tx-1"}`), Effect: &queue.Effect{CommitBoundary: "SECRET-boundary"}}})
	w.decide(commit.Ask, queue.VerdictAllow)
	got := w.allowed(s)
	if card := w.see(got.Ask).Card; !strings.Contains(card, "cleanup 1") || !strings.Contains(card, "spends that commit") {
		t.Errorf("its card:\n%s", card)
	}
	w.ok(w.agent, begin(got), 3) // the commit is spent, the cleanup invoked
	if c := w.scope().Cleanups[0].State; c != policy.Invoked || w.state(commit.Ask) != queue.StateSpent {
		t.Errorf("the cleanup is %s, the commit %s", c, w.state(commit.Ask))
	}

	// One that is none needs no commit, whatever the mode.
	w, _ = owing(t, declCompensatable)
	w.attach(`"mode":"candidate"`)
	w.ok(w.agent, begin(w.allowed(owedCall(w.next()))), 2)
}

// What a host names is kept in a record that is written anew at each step.
func TestNamesOfArtifactsAreBounded(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("n", 5000)
	request := func(candidate string) []byte {
		return []byte(`{"transactionId":"tx-1","operation":"activate","targetMode":"active","candidateArtifactId":"` + candidate + `"}`)
	}
	w.refused(w.agent, queue.SubmitTransaction{Session: "s1", Request: request(long)}, digest.CodeTooLarge, 0)
	w.refused(w.agent, queue.SubmitTransaction{Session: "s1", Request: request("new"), Serves: "\xff"}, digest.CodeBadUTF8, 0)
	w.ok(w.agent, queue.SubmitTransaction{Session: "s1", Request: request("new"), Serves: "old"}, 1)
	w.ok(w.agent, queue.RecoverTransaction{Transaction: "tx-1"}, 1)
	seen := &transaction.Observed{Active: long}
	w.refused(w.agent, queue.RestoredTransaction{Transaction: "tx-1", Seen: seen}, digest.CodeTooLarge, 0)
	w.refused(w.agent, queue.StepTransaction{Transaction: "tx-1", Step: transaction.Step{Sequence: 2, Stage: transaction.Failed,
		Outcome: transaction.EntryFailed, FailureCode: transaction.RestoreFailed, Observed: seen}}, digest.CodeTooLarge, 0)
}

// A record that does not read refuses the acts on its component, and undoes
// nothing else: a session's end, the clock, a report.
func TestAScopeThatDoesNotReadStopsNobodyElse(t *testing.T) {
	spoil := func(w *world) {
		t.Helper()
		id := w.scope().ID
		err := w.store.Do(t.Context(), func(tx queue.Tx) error {
			row, err := tx.Scope(id)
			if err != nil {
				return err
			}
			row.Document = `{"component":"shop","state":"inactive","type":"nod.scope/v1","unwinding":true}`
			return tx.PutScope(row)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	told := func(w *world) {
		t.Helper()
		open := must[queue.Notices](t)(queue.Get[queue.Notices](t.Context(), w.operator, queue.QNotices{Open: true, Limit: 9})).Notices
		i := slices.IndexFunc(open, func(n queue.NoticeView) bool { return strings.Contains(n.Sentence, "shop does not read") })
		if i < 0 {
			t.Fatalf("nobody is told: %+v", open)
		}
		w.ok(w.operator, queue.AckNotice{Notice: open[i].ID}, 1)
	}

	w := newWorld(t)
	w.component("shop")
	waiting := w.submit(call("make"))
	spoil(w)
	w.ok(w.agent, queue.EndSession{Session: "s1"}, 3) // withdrawn, a notice, the end
	if got := w.state(waiting.Ask); got != queue.StateWithdrawn {
		t.Errorf("its ask is %s", got)
	}
	w.refused(w.agent, queue.DisposeScope{Component: "shop"}, policy.CodeBadScope, 0)
	w.refused(w.agent, queue.ActivateScope{Session: "s1", Component: "shop"}, policy.CodeBadScope, 0)
	told(w)

	for _, reported := range []bool{true, false} {
		w, _ := owing(t, declCompensatable)
		b := w.ok(w.agent, begin(w.allowed(owedCall(w.next()))), 2).(queue.Begun)
		spoil(w)
		if reported {
			w.ok(w.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitSuccess}, 2)
		} else {
			w.pass(queue.DefaultSettings().LeaseMS)
			w.ok(w.operator, queue.Freeze{}, 3)
		}
		told(w)
	}
}

// A submit that ends a session which was silent for too long is judged on what
// that leaves: its component is gone, and owes nothing more.
func TestASubmitAfterSilenceFindsItsComponentGone(t *testing.T) {
	w := newWorld(t, func(s *queue.Settings) { s.Rules = allAllowed{} })
	w.attach(`"mode":"active"`)
	w.component("shop")
	s := governed("make 1", declReversible, "shop")
	s.Begin, s.Executor = true, "test"
	w.ok(w.agent, s, 3)
	w.pass(queue.DefaultSettings().SessionMS + 1)
	s.Call.Arguments = []byte(`{"command":"make 2"}`)
	w.refused(w.agent, s, policy.CodeScopeRequired, 5) // the first one's lease, the component, what it owes, the session; the refusal
	if v := w.scope(); v.State != policy.Unloading || len(v.Cleanups) != 1 || v.Cleanups[0].State != policy.Owed {
		t.Errorf("after the silence: %+v", v)
	}
}
