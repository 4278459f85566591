package queue_test

import (
	"strings"
	"testing"

	"nod/digest"
	"nod/queue"
)

// ruled answers by the command's first word.
type ruled map[string]queue.Ruling

func (r ruled) Judge(a *digest.Action) queue.Ruling {
	for word, ruling := range r {
		if strings.Contains(string(a.Arguments), word) {
			return ruling
		}
	}
	return queue.Ruling{}
}

func withRules(r ruled) func(*queue.Settings) {
	return func(s *queue.Settings) { s.Rules = r }
}

var someRules = ruled{
	"deny-me":  {Verdict: queue.RuleDeny, Rule: "no", Why: "never that"},
	"allow-me": {Verdict: queue.RuleAllow, Rule: "yes"},
	"ask-me":   {Verdict: queue.RuleAsk, Rule: "hm", AnswerWithinMS: minute},
	"err-me":   {Verdict: queue.RuleAllow, Rule: "bad", Erred: true},
}

func TestARuleAnswersAndIsNamedAsARule(t *testing.T) {
	w := newWorld(t, withRules(someRules))
	d := w.submit(call("deny-me"))
	if d.State != queue.StateDenied || d.Decision.By != queue.ByRule || d.Decision.Who != "no" || d.Decision.Words != "never that" {
		t.Errorf("denied by rule: %+v", d.Decision)
	}
	a := w.submit(call("allow-me"))
	if a.State != queue.StateAllowed || a.Decision.By != queue.ByRule {
		t.Errorf("allowed by rule: %+v", a)
	}
	w.ok(w.agent, begin(a), 1)
	if got := w.submit(call("err-me")); got.State != queue.StatePending {
		t.Errorf("an erring rule gave %s", got.State)
	}
	k := w.submit(call("ask-me"))
	if k.State != queue.StatePending || k.AnswerBy > w.wall+minute {
		t.Errorf("asked by rule: %+v", k)
	}
	if v := w.see(k.Ask); !strings.Contains(v.Card, `Rule "hm" asks a person`) {
		t.Errorf("the card does not name the rule:\n%s", v.Card)
	}
}

func TestARuleNeverAllowsWhatOnlyAPersonMay(t *testing.T) {
	alone(t)
	for name, change := range map[string]func(*queue.Submit){
		"mandated":              func(s *queue.Submit) { s.Raise = []string{queue.ReasonCrossBoundary} },
		"raised irreversible":   func(s *queue.Submit) { s.Raise = []string{queue.ReasonIrreversible} },
		"real approval":         func(s *queue.Submit) { s.Raise = []string{queue.ReasonRealApproval} },
		"declared irreversible": func(s *queue.Submit) { s.Call.Effect = &queue.Effect{Class: "irreversible"} },
		"commit": func(s *queue.Submit) {
			s.Kind, s.Call.Operation, s.Call.Effect = "commit", "publish", &queue.Effect{Class: "irreversible", CommitBoundary: "publish"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, withRules(someRules))
			s := call("allow-me")
			change(&s)
			got := w.submit(s)
			if got.State != queue.StatePending {
				t.Fatalf("a rule's allow made it %s", got.State)
			}
			if v := w.see(got.Ask); v.Confirm != "" {
				bad := w.decision(got.Ask, queue.VerdictAllow)
				bad.Confirm = v.Confirm + " "
				w.refused(w.operator, bad, queue.CodeWrongConfirm, 0)
				bad.Confirm = ""
				w.refused(w.operator, bad, queue.CodeWrongConfirm, 0)
			} else if name != "real approval" {
				t.Error("nothing is to be typed")
			}
			if name != "real approval" {
				script := w.q.Port(queue.Conn{Principal: digest.Principal{Agent: "operator", User: "mia"}, Role: queue.RoleOperator, Way: queue.WayScript})
				w.refused(script, w.decision(got.Ask, queue.VerdictAllow), queue.CodeNeedsPerson, 0)
			}
			w.refused(w.operator, queue.GrantDigest{Ask: got.Ask, ShownDigest: got.ShownDigest, Times: 1, ForMS: minute}, queue.CodeNeedsPerson, 0)
			w.decide(got.Ask, queue.VerdictAllow)
			w.ok(w.agent, begin(got), 1)
		})
	}
}

func TestDenyBeatsEverything(t *testing.T) {
	w := newWorld(t)
	first := w.submit(call("deny-me"))
	w.ok(w.operator, queue.GrantDigest{Ask: first.Ask, ShownDigest: first.ShownDigest, Times: 3, ForMS: minute}, 1)
	w.decide(first.Ask, queue.VerdictAllow)
	w.configure(withRules(someRules)) // the same store under rules that deny now
	w.refused(w.agent, begin(first), queue.CodeDeniedByRule, 0)
	mandated := call("deny-me")
	mandated.Raise = []string{queue.ReasonCrossBoundary}
	if got := w.submit(mandated); got.State != queue.StateDenied {
		t.Errorf("a grant or a mandate turned deny into %s", got.State)
	}
}

func TestAGrantAllowsTheExactCallSoOften(t *testing.T) {
	w := newWorld(t)
	first := w.submit(call("go test ./..."))
	w.ok(w.operator, queue.GrantDigest{Ask: first.Ask, ShownDigest: first.ShownDigest, Times: 2, ForMS: minute}, 1)
	w.decide(first.Ask, queue.VerdictAllow)
	w.ok(w.agent, begin(first), 1)

	for range 2 {
		s := w.submit(call("go test ./..."))
		if s.State != queue.StateAllowed || s.Decision.By != queue.ByGrant {
			t.Fatalf("granted: %+v", s)
		}
		w.ok(w.agent, begin(s), 1)
	}
	if s := w.submit(call("go test ./...")); s.State != queue.StatePending {
		t.Errorf("a third time: %s", s.State)
	}
	if s := w.submit(call("go test ./... -run X")); s.State != queue.StatePending {
		t.Errorf("other arguments: %s", s.State)
	}
}

func TestAGrantIsOfOneSessionAndEnds(t *testing.T) {
	w := newWorld(t)
	first := w.submit(call("ls"))
	w.ok(w.operator, queue.GrantDigest{Ask: first.Ask, ShownDigest: first.ShownDigest, Times: 5, ForMS: minute}, 1)
	w.decide(first.Ask, queue.VerdictDeny)
	other := call("ls")
	other.Session = "s2"
	if s := w.submit(other); s.State != queue.StatePending {
		t.Errorf("another session: %s", s.State)
	}
	held := w.submit(call("ls"))
	if held.State != queue.StateAllowed {
		t.Fatalf("granted: %s", held.State)
	}
	w.pass(minute)
	w.refused(w.agent, begin(held), queue.CodeGrantUsed, 1)
	if got := w.state(held.Ask); got != queue.StateRevoked {
		t.Errorf("after the grant's end: %s", got)
	}
	if s := w.submit(call("ls")); s.State != queue.StatePending {
		t.Errorf("after its time: %s", s.State)
	}
}

func TestSubmitBeginsInOneTransactionWhenARuleAllows(t *testing.T) {
	w := newWorld(t, withRules(someRules))
	s := call("allow-me")
	s.Begin, s.Executor = true, "test"
	got := w.ok(w.agent, s, 2).(queue.Submitted)
	if got.Begun == nil || got.State != queue.StateSpent {
		t.Fatalf("submitted: %+v", got)
	}
	s = call("something else")
	s.Begin, s.Executor = true, "test"
	if got := w.ok(w.agent, s, 1).(queue.Submitted); got.Begun != nil {
		t.Fatalf("began without an answer: %+v", got)
	}
}

func TestNothingBeginsUnderAFreeze(t *testing.T) {
	for _, scope := range []string{"everything", "session"} {
		t.Run(scope, func(t *testing.T) {
			w := newWorld(t, withRules(someRules))
			old := w.allowed(call("ls"))
			session := ""
			if scope == "session" {
				session = w.see(old.Ask).Row.Session
			}
			w.pass(1)
			w.ok(w.operator, queue.Freeze{Session: session}, 1)
			w.refused(w.operator, queue.Freeze{Session: session}, queue.CodeFrozen, 0)
			w.pass(1)
			if got := w.state(old.Ask); got != queue.StateRevoked {
				t.Errorf("an allow older than the freeze reads %s", got)
			}
			if s := w.submit(call("allow-me")); s.State != queue.StatePending {
				t.Errorf("a rule allowed under a freeze: %s", s.State)
			}
			young := w.allowed(call("pwd"))
			w.refused(w.agent, begin(young), queue.CodeFrozen, 0)
			w.ok(w.operator, queue.Unfreeze{Session: session}, 1)
			w.refused(w.operator, queue.Unfreeze{Session: session}, queue.CodeNothingFrozen, 0)
			w.refused(w.agent, begin(old), queue.CodeDecided, 1)
			w.ok(w.agent, begin(young), 1)
		})
	}
}

func TestAFreezeOfOneSessionLeavesOthers(t *testing.T) {
	w := newWorld(t)
	s := w.allowed(call("ls"))
	other := call("ls")
	other.Session = "s2"
	o := w.submit(other)
	w.ok(w.operator, queue.Freeze{Session: w.see(o.Ask).Row.Session}, 1)
	w.ok(w.agent, begin(s), 1)
	w.refused(w.operator, queue.Freeze{Session: "s-0000000000000000"}, queue.CodeUnknownID, 0)
}

func TestAnyGrantOfTheCallIsAsGood(t *testing.T) {
	w := newWorld(t)
	first := w.submit(call("ls"))
	w.ok(w.operator, queue.GrantDigest{Ask: first.Ask, ShownDigest: first.ShownDigest, Times: 1, ForMS: minute}, 1)
	w.ok(w.operator, queue.GrantDigest{Ask: first.Ask, ShownDigest: first.ShownDigest, Times: 1, ForMS: 2 * minute}, 1)
	w.refused(w.operator, queue.GrantDigest{Ask: first.Ask, ShownDigest: first.ActionDigest, Times: 1, ForMS: minute}, queue.CodeWrongDigest, 0)
	w.decide(first.Ask, queue.VerdictDeny)
	a, b := w.submit(call("ls")), w.submit(call("ls"))
	if a.State != queue.StateAllowed || b.State != queue.StateAllowed {
		t.Fatalf("granted: %s, %s", a.State, b.State)
	}
	w.ok(w.agent, begin(a), 1)
	w.ok(w.agent, begin(b), 1)
}
