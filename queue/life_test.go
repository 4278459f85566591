package queue_test

import (
	"fmt"
	"strings"
	"testing"

	"nod/digest"
	"nod/queue"
)

const (
	minute = 60_000
	hour   = 60 * minute
)

func TestAnAskThatIsAllowedRunsOnce(t *testing.T) {
	w := newWorld(t)
	s := w.submit(call("ls"))
	if s.State != queue.StatePending || s.Token == "" || !s.ActionDigest.Valid() {
		t.Fatalf("submitted: %+v", s)
	}
	w.refused(w.agent, begin(s), queue.CodeNotAllowedYet, 0)
	d := w.decide(s.Ask, queue.VerdictAllow)
	if d.State != queue.StateAllowed || d.Decision.Who != "mia" || d.Decision.By != queue.ByPerson {
		t.Fatalf("decided: %+v", d)
	}
	b := w.ok(w.agent, begin(s), 1).(queue.Begun)
	if b.Attempt == "" || b.Token == "" || b.Number != 1 {
		t.Fatalf("begun: %+v", b)
	}
	r := w.refused(w.agent, begin(s), queue.CodeSpent, 0)
	if r.Who != "mia" {
		t.Errorf("the loser is not told who: %+v", r)
	}
	w.ok(w.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitSuccess}, 1)
	v := w.see(s.Ask)
	if v.Row.State != queue.StateSpent || len(v.Attempts) != 1 || v.Attempts[0].State != queue.AttemptUnknown || v.Attempts[0].Exit != queue.ExitSuccess {
		t.Fatalf("in the end: %+v", v)
	}
	w.refused(w.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitFailure}, queue.CodeReported, 0)
}

func TestTheLifeOfAnAskIsTheTable(t *testing.T) {
	alone(t)
	finals := map[queue.State]func(w *world) queue.Submitted{
		queue.StateDenied: func(w *world) queue.Submitted {
			s := w.submit(call("ls"))
			w.decide(s.Ask, queue.VerdictDeny)
			return s
		},
		queue.StateExpired: func(w *world) queue.Submitted {
			s := w.submit(call("ls"))
			w.pass(24 * hour)
			return s
		},
		queue.StateWithdrawn: func(w *world) queue.Submitted {
			s := w.submit(call("ls"))
			w.ok(w.agent, queue.Withdraw{Ask: s.Ask, Token: s.Token}, 1)
			return s
		},
		queue.StateRevoked: func(w *world) queue.Submitted {
			s := w.allowed(call("ls"))
			w.ok(w.operator, queue.Revoke{Ask: s.Ask}, 1)
			return s
		},
		queue.StateLapsed: func(w *world) queue.Submitted {
			s := w.allowed(call("ls"))
			w.pass(10 * minute)
			return s
		},
		queue.StateSpent: func(w *world) queue.Submitted {
			s := w.allowed(call("ls"))
			w.ok(w.agent, begin(s), 1)
			return s
		},
	}
	codes := map[queue.State]string{
		queue.StateDenied: queue.CodeDecided, queue.StateExpired: queue.CodeTooLate, queue.StateWithdrawn: queue.CodeTooLate,
		queue.StateRevoked: queue.CodeDecided, queue.StateLapsed: queue.CodeTooLate, queue.StateSpent: queue.CodeSpent,
	}
	for state, reach := range finals {
		t.Run(string(state)+" is final", func(t *testing.T) {
			w := newWorld(t)
			s := reach(w)
			if got := w.state(s.Ask); got != state {
				t.Fatalf("read before settle: %s, want %s", got, state)
			}
			due := int64(0)
			if state == queue.StateExpired || state == queue.StateLapsed {
				due = 1 // settle's change stays, whatever the act is told
			}
			if state == queue.StateLapsed {
				due = 2 // nobody collected it
			}
			w.refused(w.operator, w.decision(s.Ask, queue.VerdictAllow), codes[state], due)
			w.refused(w.operator, w.decision(s.Ask, queue.VerdictDeny), codes[state], 0)
			w.refused(w.agent, begin(s), codes[state], 0)
			w.refused(w.agent, queue.Withdraw{Ask: s.Ask, Token: s.Token}, codes[state], 0)
			w.refused(w.operator, queue.Revoke{Ask: s.Ask}, codes[state], 0)
			if got := w.state(s.Ask); got != state {
				t.Fatalf("after all acts: %s, want %s", got, state)
			}
		})
	}
}

func TestDeadlinesHoldToTheMillisecond(t *testing.T) {
	w := newWorld(t)
	s := w.submit(call("ls"))
	d := w.decision(s.Ask, queue.VerdictAllow)
	w.pass(s.AnswerBy - 1 - w.wall)
	w.ok(w.operator, d, 1)
	w.pass(10*minute - 1)
	w.ok(w.agent, begin(s), 2) // nobody waited for it meanwhile

	late := w.submit(call("pwd"))
	d = w.decision(late.Ask, queue.VerdictAllow)
	w.pass(late.AnswerBy - w.wall)
	w.refused(w.operator, d, queue.CodeTooLate, 2) // the first one's lease is over too
	if got := w.state(late.Ask); got != queue.StateExpired {
		t.Fatalf("at its deadline: %s", got)
	}
}

func TestAHeldApprovalWaitsAndCanBeTakenBack(t *testing.T) {
	w := newWorld(t)
	s := w.submit(call("ls"))
	d := w.decision(s.Ask, queue.VerdictAllow)
	d.HoldMS = 30_000
	w.ok(w.operator, d, 1)
	w.refused(w.agent, begin(s), queue.CodeHeld, 0)
	w.pass(29_999)
	w.refused(w.agent, begin(s), queue.CodeHeld, 0)
	w.pass(1)
	w.ok(w.agent, begin(s), 2) // nobody waited for it meanwhile

	s = w.submit(call("pwd"))
	d = w.decision(s.Ask, queue.VerdictAllow)
	d.HoldMS = 30_000
	w.ok(w.operator, d, 1)
	w.ok(w.operator, queue.Revoke{Ask: s.Ask}, 1)
	w.pass(30_000)
	w.refused(w.agent, begin(s), queue.CodeDecided, 0)
}

func TestADecisionIsBoundToWhatWasShown(t *testing.T) {
	w := newWorld(t)
	s := w.submit(call("ls"))
	other := w.submit(call("rm -rf ~"))
	good := w.decision(s.Ask, queue.VerdictAllow)
	for i := len("sha256:"); i < len(good.ShownDigest); i++ {
		for _, member := range []string{"shown", "action"} {
			bad := good
			p := &bad.ShownDigest
			if member == "action" {
				p = &bad.ActionDigest
			}
			b := []byte(*p)
			b[i] = "0123456789abcdef0"[strings.IndexByte("0123456789abcdef", b[i])+1]
			*p = digest.Digest(b)
			w.refused(w.operator, bad, queue.CodeWrongDigest, 0)
		}
	}
	swapped := w.decision(other.Ask, queue.VerdictAllow)
	swapped.Ask = s.Ask
	w.refused(w.operator, swapped, queue.CodeWrongDigest, 0)
	w.refused(w.operator, queue.Decide{Ask: s.Ask, Verdict: queue.VerdictAllow}, queue.CodeWrongDigest, 0)
	w.ok(w.operator, good, 1)
}

func TestEveryByteOfTheActionIsCheckedAtBegin(t *testing.T) {
	w := newWorld(t)
	sub := call("make deploy")
	sub.Call.Operands = []queue.Operand{{Name: "/usr/bin/make", Digest: digest.Of([]byte("make"))}}
	sub.Call.Vars = map[string]string{"LANG": "C"}
	s := w.allowed(sub)
	for i := range s.Action {
		for _, flip := range []byte{0x01, 0x20, 0x80} {
			bad := append([]byte(nil), s.Action...)
			bad[i] ^= flip
			b := begin(s)
			b.Action = bad
			if _, err := w.agent.Do(t.Context(), b); err == nil {
				t.Fatalf("byte %d changed by %#x and it began: %q", i, flip, bad)
			}
		}
	}
	cut := begin(s)
	cut.Action = s.Action[:len(s.Action)-1]
	if _, err := w.agent.Do(t.Context(), cut); err == nil {
		t.Fatal("a cut action began")
	}
	w.ok(w.agent, begin(s), 1) // a mismatch leaves the ask usable for the right action
}

func TestAChangedOperandIsNamed(t *testing.T) {
	w := newWorld(t)
	sub := call("make deploy")
	sub.Call.Operands = []queue.Operand{{Name: "make", Digest: digest.Of([]byte("make"))}, {Name: "Makefile", Digest: digest.Of([]byte("all:"))}}
	s := w.allowed(sub)
	b := begin(s)
	b.Action = []byte(strings.Replace(string(s.Action), string(digest.Of([]byte("all:"))), string(digest.Of([]byte("evil:"))), 1))
	r := w.refused(w.agent, b, queue.CodeOperandsChanged, 0)
	if !strings.Contains(r.Sentence, "Makefile") || strings.Contains(r.Sentence, `"make"`) {
		t.Errorf("sentence: %s", r.Sentence)
	}
}

func TestOnlyTheWaiterBegins(t *testing.T) {
	w := newWorld(t)
	s := w.allowed(call("ls"))
	for _, token := range []string{"", "token-0", s.Token + "x"} {
		b := begin(s)
		b.Token = token
		w.refused(w.agent, b, queue.CodeNotYours, 0)
	}
	w.refused(w.operator, begin(s), queue.CodeNotAllowed, 0)
	w.refused(w.agent, queue.Begin{Ask: "019ad5e2-0000-7000-8000-000000000000", Token: s.Token, Action: s.Action, Executor: "x"}, queue.CodeUnknownID, 0)
	w.ok(w.agent, begin(s), 1)
}

func TestRolesAreTheConnections(t *testing.T) {
	w := newWorld(t)
	s := w.submit(call("ls"))
	w.refused(w.agent, w.decision(s.Ask, queue.VerdictAllow), queue.CodeNotAllowed, 0)
	w.refused(w.agent, queue.Freeze{}, queue.CodeNotAllowed, 0)
	w.refused(w.agent, queue.GrantDigest{Ask: s.Ask, ShownDigest: s.ShownDigest, Times: 1, ForMS: 1000}, queue.CodeNotAllowed, 0)
	w.refused(w.operator, call("ls"), queue.CodeNotAllowed, 0)
	if _, err := w.agent.Read(t.Context(), queue.QAsk{ID: s.Ask}); err == nil {
		t.Error("an agent read an ask")
	}
}

func TestListsAndCountersAgreeWithWhatIsDue(t *testing.T) {
	w := newWorld(t)
	s := w.submit(call("ls"))
	lapsing := w.allowed(call("pwd"))
	w.pass(24 * hour)
	page := must[queue.Inbox](t)(queue.Get[queue.Inbox](t.Context(), w.operator, queue.QInbox{Limit: 10}))
	if len(page.Rows) != 0 || page.Counters.Pending != 0 || page.Counters.Allowed != 0 || page.Counters.Expired != 1 {
		t.Errorf("inbox: %+v", page)
	}
	h := must[queue.History](t)(queue.Get[queue.History](t.Context(), w.operator, queue.QHistory{Limit: 10}))
	if len(h.Rows) != 2 || h.Rows[0].ID != lapsing.Ask || h.Rows[0].State != queue.StateLapsed || h.Rows[1].ID != s.Ask || h.Rows[1].State != queue.StateExpired {
		t.Errorf("history: %+v", h.Rows)
	}
}

// However wide a family is, its end covers the children of its children.
func TestAnEndCoversAWideFamily(t *testing.T) {
	alone(t)
	w := newWorld(t)
	w.submit(call("ls"))
	var asks []string
	for i := range 70 {
		kid := fmt.Sprintf("kid-%d", i)
		for session, parent := range map[string]string{kid: "s1", "of-" + kid: kid} {
			c := call("ls " + session)
			c.Session, c.Parent = session, parent
			asks = append(asks, w.submit(c).Ask)
		}
	}
	if _, err := w.agent.Do(t.Context(), queue.EndSession{Session: "s1"}); err != nil {
		t.Fatal(err)
	}
	for _, id := range asks {
		if s := w.state(id); s != queue.StateWithdrawn {
			t.Fatalf("an ask of the family is %s", s)
		}
	}
}
