package queue_test

import (
	"strings"
	"testing"

	"nod/queue"
)

func withID(s queue.Submit, id string) queue.Submit { s.CallID = id; return s }

func TestARepeatOfASubmitFindsItsAsk(t *testing.T) {
	w := newWorld(t)
	first := w.submit(withID(call("ls"), "c1"))
	again := w.ok(w.agent, withID(call("ls"), "c1"), 0).(queue.Submitted)
	if again.Ask != first.Ask || !again.Repeat || again.Token == first.Token {
		t.Fatalf("a repeat: %+v", again)
	}
	w.refused(w.agent, queue.Wait{Ask: first.Ask, Token: first.Token}, queue.CodeNotYours, 0)
	w.refused(w.agent, withID(call("rm"), "c1"), queue.CodeKeyReused, 0)

	w.decide(first.Ask, queue.VerdictDeny)
	denied := w.ok(w.agent, withID(call("ls"), "c1"), 0).(queue.Submitted)
	if denied.State != queue.StateDenied || denied.Decision == nil {
		t.Fatalf("a repeat after a denial: %+v", denied)
	}
	other := withID(call("rm"), "c1")
	other.Session = "s2"
	if s := w.submit(other); s.Repeat {
		t.Error("another session's call id is another key")
	}
}

func TestARepeatAfterAnEndWithoutAnswerReplaces(t *testing.T) {
	w := newWorld(t)
	first := w.submit(withID(call("ls"), "c1"))
	w.ok(w.agent, queue.Withdraw{Ask: first.Ask, Token: first.Token}, 1)
	next := w.submit(withID(call("ls"), "c1"))
	if next.Repeat || next.Ask == first.Ask {
		t.Fatalf("submitted: %+v", next)
	}
	if v := w.see(next.Ask); v.Row.Replaces != first.Ask || !strings.Contains(v.Card, first.Ask) {
		t.Errorf("it does not say what it replaces: %+v", v.Row)
	}
}

func TestALostWaitersAskIsAdopted(t *testing.T) {
	w := newWorld(t)
	first := w.submit(withID(call("ls"), "c1"))
	two := w.submit(withID(call("ls"), "c2"))
	if two.Ask == first.Ask {
		t.Fatal("two live waiters with one digest are two asks")
	}
	w.decide(two.Ask, queue.VerdictDeny)
	w.pass(29_999)
	w.ok(w.agent, queue.Wait{Ask: first.Ask, Token: first.Token}, 0) // still there
	w.pass(30_000)
	if v := w.see(first.Ask); v.Row.Waits(v.Now) {
		t.Error("nobody waits, and it says that somebody does")
	}
	w.decide(first.Ask, queue.VerdictAllow)
	got := w.ok(w.agent, withID(call("ls"), "c3"), 1).(queue.Submitted)
	if !got.Adopted || got.Ask != first.Ask || got.State != queue.StateAllowed {
		t.Fatalf("adopted: %+v", got)
	}
	w.refused(w.agent, begin(first), queue.CodeNotYours, 0)
	w.ok(w.agent, begin(got), 1)
	if next := w.submit(withID(call("ls"), "c4")); next.Adopted || next.State != queue.StatePending {
		t.Errorf("a spent ask was adopted: %+v", next)
	}
}

func TestNobodyElseAdopts(t *testing.T) {
	w := newWorld(t)
	first := w.submit(call("ls"))
	w.decide(first.Ask, queue.VerdictAllow)
	w.pass(31_000)
	for name, s := range map[string]queue.Submit{
		"another session": func() queue.Submit { s := call("ls"); s.Session = "s2"; return s }(),
		"other arguments": call("ls -l"),
		"other cwd":       func() queue.Submit { s := call("ls"); s.Call.Cwd = "/"; return s }(),
	} {
		if got := w.submit(s); got.Adopted || got.State != queue.StatePending {
			t.Errorf("%s: %+v", name, got)
		}
	}
	stranger := w.q.Port(agentConn("another"))
	got := must[queue.Submitted](t)(queue.As[queue.Submitted](t.Context(), stranger, call("ls")))
	if got.Adopted || got.State != queue.StatePending {
		t.Errorf("another principal: %+v", got)
	}
	w.refused(stranger, queue.Adopt{Ask: first.Ask, Session: "s1", ActionDigest: first.ActionDigest}, queue.CodeNotYours, 0)
	a := w.ok(w.agent, queue.Adopt{Ask: first.Ask, Session: "s1", ActionDigest: first.ActionDigest}, 1).(queue.Submitted)
	w.ok(w.agent, begin(a), 1)
}

func TestASessionsEndTakesItsAsksAndChildrenWithIt(t *testing.T) {
	w := newWorld(t)
	pending := w.submit(call("ls"))
	allowed := w.allowed(call("pwd"))
	child := call("make")
	child.Session, child.Parent = "s1/agent-7", "s1"
	kid := w.submit(child)
	running := w.allowed(call("sleep 100"))
	b := begin(running)
	b.HostRuns = true
	w.ok(w.agent, b, 1)
	other := call("ls")
	other.Session = "s2"
	bystander := w.submit(other)

	if v := w.see(kid.Ask); len(v.Row.Session) == 0 || !strings.Contains(v.Card, w.see(pending.Ask).Row.Session) {
		t.Errorf("the child's card does not name its parent:\n%s", v.Card)
	}
	w.refused(w.q.Port(agentConn("another")), queue.EndSession{Session: "s1"}, queue.CodeUnknownID, 0)
	r := w.ok(w.agent, queue.EndSession{Session: "s1", Why: "host"}, 3+1+2).(queue.Ended)
	if r.Withdrawn != 3 {
		t.Errorf("withdrawn of the session and its child: %d", r.Withdrawn)
	}
	for _, id := range []string{pending.Ask, allowed.Ask, kid.Ask} {
		if got := w.state(id); got != queue.StateWithdrawn {
			t.Errorf("%s: %s", id, got)
		}
	}
	if v := w.see(running.Ask); v.Attempts[0].State != queue.AttemptUnknown {
		t.Errorf("what a host ran reads %s", v.Attempts[0].State)
	}
	if got := w.state(bystander.Ask); got != queue.StatePending {
		t.Errorf("another session's ask: %s", got)
	}
}

func TestASilentSessionEndsAfterADay(t *testing.T) {
	w := newWorld(t, func(s *queue.Settings) { s.AnswerWithinMS = 100 * hour })
	old := w.submit(call("ls"))
	w.pass(24*hour + minute)
	w.submit(call("pwd"))
	if got := w.state(old.Ask); got != queue.StateWithdrawn {
		t.Errorf("an ask of the day before: %s", got)
	}
}

func TestAnAgentHasAQuota(t *testing.T) {
	w := newWorld(t, func(s *queue.Settings) { s.MaxPending = 3 })
	var last queue.Submitted
	for _, c := range []string{"a", "b", "c"} {
		last = w.submit(call(c))
	}
	w.refused(w.agent, call("d"), queue.CodeQuota, 0)
	must[queue.Submitted](t)(queue.As[queue.Submitted](t.Context(), w.q.Port(agentConn("another")), call("d")))
	w.decide(last.Ask, queue.VerdictDeny)
	w.submit(call("d"))
}

func TestARepeatOfADeniedCallSaysSo(t *testing.T) {
	w := newWorld(t)
	s := w.submit(call("ls"))
	w.decide(s.Ask, queue.VerdictDeny)
	v := w.see(w.submit(call("ls")).Ask)
	if !strings.Contains(v.Card, "A person denied the same call in this session before.") {
		t.Errorf("the card is silent:\n%s", v.Card)
	}
}

func TestWordsReachTheWaiter(t *testing.T) {
	w := newWorld(t)
	s := w.submit(call("ls"))
	d := w.decision(s.Ask, queue.VerdictDeny)
	d.Words = "wrong directory \x1b[2J"
	w.ok(w.operator, d, 1)
	st := w.ok(w.agent, queue.Wait{Ask: s.Ask, Token: s.Token}, 0).(queue.Standing)
	if st.Decision == nil || st.Decision.Words != d.Words || st.Decision.Who != "mia" {
		t.Errorf("standing: %+v", st)
	}
	long := w.submit(call("pwd"))
	d = w.decision(long.Ask, queue.VerdictDeny)
	d.Words = strings.Repeat("x", queue.MaxWords+1)
	w.refused(w.operator, d, "too_large", 0)
}

func TestAWaiterThatSaysGoodbyeIsAdoptedAtOnce(t *testing.T) {
	w := newWorld(t)
	first := w.submit(withID(call("ls"), "c1"))
	w.refused(w.agent, queue.Wait{Ask: first.Ask, Token: "x", Release: true}, queue.CodeNotYours, 0)
	w.ok(w.agent, queue.Wait{Ask: first.Ask, Token: first.Token, Release: true}, 0)
	got := w.ok(w.agent, withID(call("ls"), "c2"), 1).(queue.Submitted)
	if !got.Adopted || got.Ask != first.Ask {
		t.Fatalf("submitted: %+v", got)
	}
}

func TestACallThatNobodyWasAskedAboutIsANotice(t *testing.T) {
	w := newWorld(t)
	w.ok(w.agent, queue.Unasked{Session: "s1", Tool: "Bash\x1b[2J"}, 1)
	w.ok(w.agent, queue.Unasked{Session: "s1", Tool: "Bash"}, 0) // one a session is enough
	w.ok(w.agent, queue.Unasked{Session: "s2", Tool: "Bash"}, 1)
	w.refused(w.agent, queue.Unasked{Session: " "}, queue.CodeBadInput, 0)
	n := must[queue.Notices](t)(queue.Get[queue.Notices](t.Context(), w.operator, queue.QNotices{Open: true}))
	if len(n.Notices) != 2 || strings.Contains(n.Notices[1].Sentence, "\x1b") || !strings.Contains(n.Notices[1].Sentence, `\u{1B}`) {
		t.Errorf("notices: %+v", n.Notices)
	}
	w.ok(w.operator, queue.AckNotice{Notice: n.Notices[1].ID}, 1)
	w.ok(w.agent, queue.Unasked{Session: "s1", Tool: "Bash"}, 1) // read, and it happened again
}

func TestOnlyADeskItemCountsAsUnknown(t *testing.T) {
	w := newWorld(t)
	plain := w.allowed(call("ls"))
	b := w.ok(w.agent, begin(plain), 1).(queue.Begun)
	w.ok(w.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitSuccess}, 1)
	unknown := func() int64 {
		return must[queue.Status](t)(queue.Get[queue.Status](t.Context(), w.operator, queue.QStatus{})).Counters.Unknown
	}
	if n := unknown(); n != 0 {
		t.Errorf("a call without a declared effect counts as unknown: %d", n)
	}
	s := call("refund")
	s.Call.Effect = &queue.Effect{Class: "compensatable"}
	a := w.allowed(s)
	w.ok(w.agent, begin(a), 1)
	w.pass(5 * minute)
	w.submit(call("tick"))
	if n := unknown(); n != 1 {
		t.Errorf("a lost compensatable attempt counts %d", n)
	}
}

func TestARepeatOnlyRaises(t *testing.T) {
	alone(t)
	for name, stricter := range map[string]func(*queue.Submit){
		"mandated":      func(s *queue.Submit) { s.Raise = []string{queue.ReasonCrossBoundary} },
		"irreversible":  func(s *queue.Submit) { s.Raise = []string{queue.ReasonIrreversible} },
		"real approval": func(s *queue.Submit) { s.Raise = []string{queue.ReasonRealApproval} },
		"sooner":        func(s *queue.Submit) { s.AnswerInMS = minute },
		"shorter":       func(s *queue.Submit) { s.UseInMS = 1000 },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := withID(call("ls"), "c1")
			stricter(&s)
			first := w.allowed(withID(call("ls"), "c1"))
			w.refused(w.agent, s, queue.CodeKeyReused, 0)
			w.pass(31_000)
			s.CallID = "c2"
			got := w.submit(s)
			if got.Adopted || got.Ask == first.Ask || got.State != queue.StatePending {
				t.Fatalf("a stricter call took over a laxer ask: %+v", got)
			}
			w.pass(31_000)
			s.CallID = "c3"
			if got := w.submit(s); !got.Adopted {
				t.Errorf("an equally strict call does not adopt: %+v", got)
			}
		})
	}
}

func TestWhatARuleAllowedIsJudgedAnewAndWhatItDeniesNowIsDenied(t *testing.T) {
	w := newWorld(t, withRules(ruled{"ls": {Verdict: queue.RuleAllow, Rule: "yes"}}))
	first := w.submit(call("ls"))
	w.pass(31_000)
	w.configure() // no rules any more
	if got := w.submit(call("ls")); got.Adopted || got.State != queue.StatePending {
		t.Fatalf("a rule's old allow was adopted: %+v", got)
	}
	w.pass(31_000)
	w.configure(withRules(ruled{"ls": {Verdict: queue.RuleDeny, Rule: "no"}}))
	if got := w.submit(call("ls")); got.State != queue.StateDenied {
		t.Errorf("deny does not beat adoption: %+v", got)
	}
	_ = first
}

func TestSessionsDoNotDescendFromThemselves(t *testing.T) {
	w := newWorld(t)
	from := func(session, parent string) queue.Submit {
		s := call("ls " + session + parent)
		s.Session, s.Parent = session, parent
		return s
	}
	w.submit(from("a", ""))
	w.submit(from("b", "a"))
	w.submit(from("c", "b"))
	w.refused(w.agent, from("a", "c"), queue.CodeBadInput, 0)
	w.submit(from("a", "a")) // named as its own parent: none
	w.submit(from("a", ""))
	w.submit(from("d", "e"))
	w.refused(w.agent, from("e", "d"), queue.CodeBadInput, 0)
	w.refused(w.agent, queue.EndSession{Session: "a", Why: "evil \x1b[2J"}, queue.CodeBadInput, 0)
	w.ok(w.agent, queue.EndSession{Session: "a"}, 3+5) // three sessions, five asks
}
