package queue_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/queue"
)

// The tests of this file play somebody who means harm: what they try must not
// work, in whatever order.

// told is what the walk reads of an event.
type told struct {
	Act       string `json:"act"`
	Ask       string `json:"ask"`
	From      string `json:"from"`
	To        string `json:"to"`
	By        string `json:"by"`
	Session   string `json:"session"`
	Freeze    string `json:"freeze"`
	Effective int64  `json:"effective_ms"`
	Seq       int64  `json:"seq"`
}

// chain is every event so far.
func (w *world) chain() []told {
	w.t.Helper()
	var out []told
	for {
		page := must[queue.Events](w.t)(queue.Get[queue.Events](w.t.Context(), w.operator, queue.QEvents{After: int64(len(out)), Limit: 500}))
		for _, e := range page.Events {
			var x told
			if err := json.Unmarshal(e.Body, &x); err != nil {
				w.t.Fatal(err)
			}
			out = append(out, x)
		}
		if !page.More {
			return out
		}
	}
}

// audit holds the chain against I1-I3, I7 and I9: it replays each ask's states
// and the freezes.
func (w *world) audit() {
	w.t.Helper()
	state := map[string]string{}
	decided, begun := map[string]int{}, map[string]int{}
	allowedAt, allowedSeq := map[string]int64{}, map[string]int64{}
	frozen := map[string]bool{}
	lastFreeze := map[string]int64{} // scope → event number
	var now int64
	for i, e := range w.chain() {
		if e.Seq != int64(i+1) || e.Effective < now {
			w.t.Fatalf("event %d: number %d, time %d after %d", i+1, e.Seq, e.Effective, now)
		}
		now = e.Effective
		switch e.Act {
		case "freeze":
			frozen[e.Freeze], lastFreeze[e.Freeze] = true, e.Seq
		case "unfreeze":
			frozen[e.Freeze] = false
		}
		if e.Ask == "" || e.To == "" || e.Act == "lease_over" { // the last is an attempt's
			continue
		}
		if e.From != state[e.Ask] {
			w.t.Fatalf("event %d %s: from %q, the ask is %q", e.Seq, e.Act, e.From, state[e.Ask])
		}
		state[e.Ask] = e.To
		if e.Act == "decide" {
			decided[e.Ask]++
		}
		if e.To == "allowed" {
			allowedAt[e.Ask], allowedSeq[e.Ask] = e.Effective, e.Seq
		}
		if e.Act != "begin" {
			continue
		}
		begun[e.Ask]++
		for _, scope := range []string{"all", e.Session} {
			if frozen[scope] || lastFreeze[scope] > allowedSeq[e.Ask] {
				w.t.Errorf("event %d: a begin under a freeze of %s, or of an allow older than one", e.Seq, scope)
			}
		}
		if e.From != "allowed" || e.Effective >= allowedAt[e.Ask]+600_000 {
			w.t.Errorf("event %d: a begin from %q, %d ms after the allow", e.Seq, e.From, e.Effective-allowedAt[e.Ask])
		}
	}
	for ask := range state {
		if decided[ask] > 1 || begun[ask] > 1 {
			w.t.Errorf("%s: %d decisions, %d begins", ask, decided[ask], begun[ask])
		}
		got := string(w.state(ask)) // as computed now: a freeze may cover it and have no event yet
		if got != state[ask] && (got != "revoked" || state[ask] != "allowed") {
			w.t.Errorf("%s is %s, its events say %s", ask, got, state[ask])
		}
	}
}

// TestNoOrderOfActsBreaksAnAsk lets three agents and an operator do anything in
// any order, with each other's tokens, while the clock jumps about.
func TestNoOrderOfActsBreaksAnAsk(t *testing.T) {
	alone(t)
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			w := newWorld(t, func(s *queue.Settings) { s.Rules = readsRule{} })
			agents := []queue.Port{w.agent, w.q.Port(agentConn("other")), w.q.Port(agentConn("third"))}
			got := []queue.Submitted{w.submit(call("first"))}
			var refusals, done int
			for range 220 {
				w.pass(r.Int64N(3) * r.Int64N(40_000))
				if r.IntN(25) == 0 {
					w.wall -= r.Int64N(5 * 3_600_000)
				}
				s := got[r.IntN(len(got))]
				if r.IntN(3) > 0 {
					s = got[len(got)-1]
				}
				other := got[r.IntN(len(got))]
				p, act := walkAct(w, r, agents, s, other)
				res, err := p.Do(t.Context(), act)
				if _, ok := errors.AsType[*queue.Refusal](err); err != nil && !ok {
					t.Fatalf("%#v: %v", act, err)
				}
				if err != nil {
					refusals++
					continue
				}
				done++
				if b, ok := act.(queue.Begin); ok && (b.Executor == "thief" && other.Ask != s.Ask ||
					b.Executor == "swap" && other.ActionDigest != s.ActionDigest) {
					t.Errorf("a begin with another ask's token or action was let through (%s)", b.Executor)
				}
				if x, ok := res.(queue.Submitted); ok && x.Token != "" {
					got = append(got, x)
				}
			}
			if done < 50 || refusals < 50 {
				t.Errorf("the walk did %d acts and was refused %d: too one-sided to show anything", done, refusals)
			}
			w.audit()
		})
	}
}

// readsRule allows what reads and denies what is evil.
type readsRule struct{}

func (readsRule) Judge(a *digest.Action) queue.Ruling {
	switch args := string(a.Arguments); {
	case strings.Contains(args, "evil"):
		return queue.Ruling{Verdict: queue.RuleDeny, Rule: "evil"}
	case strings.Contains(args, "read"):
		return queue.Ruling{Verdict: queue.RuleAllow, Rule: "reads"}
	}
	return queue.Ruling{}
}

// walkAct picks the next act and who tries it.
func walkAct(w *world, r *rand.Rand, agents []queue.Port, s, other queue.Submitted) (queue.Port, queue.Act) {
	agent := agents[min(r.IntN(6), 2)%3]
	sessions := []string{"s1", "s2", `s1","x`}
	session := sessions[r.IntN(len(sessions))]
	scope := []string{"", w.see(s.Ask).Row.Session}[r.IntN(2)]
	switch r.IntN(16) {
	case 0, 1, 2:
		c := call([]string{"ls", "read", "evil", "rm"}[r.IntN(4)])
		c.Session, c.NoAdopt, c.Begin = session, r.IntN(2) == 0, r.IntN(4) == 0
		c.CallID = []string{"", "", "k1", `x","k1`}[r.IntN(4)]
		c.Raise = [][]string{nil, nil, {"cross_boundary"}}[r.IntN(3)]
		return agent, c
	case 3, 4, 5:
		return w.operator, w.decision(s.Ask, []queue.Verdict{"allow", "allow", "deny", "answer"}[r.IntN(4)])
	case 6, 7, 8:
		return agent, begin(s)
	case 9:
		return agent, queue.Begin{Ask: s.Ask, Token: other.Token, Action: s.Action, Executor: "thief"}
	case 10:
		return agent, queue.Begin{Ask: s.Ask, Token: s.Token, Action: slices.Concat([]byte(" "), other.Action), Executor: "swap"}
	case 11:
		return []queue.Port{agent, w.operator}[r.IntN(2)], queue.Withdraw{Ask: s.Ask, Token: other.Token}
	case 12:
		return w.operator, []queue.Act{queue.Freeze{Session: scope}, queue.Unfreeze{Session: scope}, queue.Unfreeze{}}[r.IntN(3)]
	case 13:
		return w.operator, []queue.Act{queue.GrantDigest{Ask: s.Ask, ShownDigest: s.ShownDigest, Times: 1 + r.Int64N(2), ForMS: 600_000}, queue.Revoke{Ask: s.Ask}}[r.IntN(2)]
	case 14:
		return agent, []queue.Act{queue.EndSession{Session: session}, queue.Adopt{Ask: s.Ask, Session: session, ActionDigest: s.ActionDigest}}[r.IntN(2)]
	default:
		return agent, queue.Wait{Ask: s.Ask, Token: s.Token, Release: r.IntN(2) == 0}
	}
}

// TestAnotherPrincipalReachesNothing uses an ask's own session name, call id
// and action under another principal.
func TestAnotherPrincipalReachesNothing(t *testing.T) {
	w := newWorld(t)
	c := call("deploy")
	c.CallID = "c1"
	mine := w.allowed(c)
	must[queue.Granted](t)(queue.As[queue.Granted](t.Context(), w.operator, queue.GrantDigest{Ask: mine.Ask, ShownDigest: mine.ShownDigest, Times: 5, ForMS: 600_000}))
	w.pass(60_000) // nobody waits for it any more

	other := w.q.Port(agentConn("other"))
	theirs := must[queue.Submitted](t)(queue.As[queue.Submitted](t.Context(), other, c))
	if theirs.Ask == mine.Ask || theirs.Repeat || theirs.Adopted || theirs.State != queue.StatePending {
		t.Errorf("another principal got %+v for the same session, call id and call", theirs)
	}
	w.refused(other, begin(theirs), queue.CodeNotAllowedYet, 0)
	stolen := begin(mine)
	stolen.Token = theirs.Token
	w.refused(other, stolen, queue.CodeNotYours, 0)
	w.refused(other, queue.Withdraw{Ask: mine.Ask, Token: theirs.Token}, queue.CodeNotYours, 0)
	w.refused(other, queue.Wait{Ask: mine.Ask, Token: theirs.Token}, queue.CodeNotYours, 0)
	w.refused(other, queue.Adopt{Ask: mine.Ask, Session: c.Session, ActionDigest: mine.ActionDigest}, queue.CodeNotYours, 0)
	if _, err := other.Do(t.Context(), queue.EndSession{Session: c.Session}); err != nil {
		t.Fatal(err)
	}
	if got := w.state(mine.Ask); got != queue.StateAllowed {
		t.Errorf("the other principal's end of its session made mine %s", got)
	}
}

// TestNamesDoNotRunTogether: session and call id are separate parts of a key,
// whatever separators they hold.
func TestNamesDoNotRunTogether(t *testing.T) {
	w := newWorld(t)
	seen := map[string]string{}
	for _, n := range [][2]string{{"a", `b","c`}, {`a","b`, "c"}, {"a,b", "c"}, {"a", "b,c"}, {"a\x00b", "c"}, {"a", "b\x00c"}, {"a ", "c"}, {"a", " c"}} {
		c := call("same")
		c.Session, c.CallID = n[0], n[1]
		s := w.submit(c)
		if was := seen[s.Ask]; was != "" || s.Repeat || s.Adopted {
			t.Errorf("%q found the ask of %s", n, was)
		}
		seen[s.Ask] = fmt.Sprintf("%q", n)
	}
}

// TestAFreezeInTheSameMillisecond covers every allow that could be older.
func TestAFreezeInTheSameMillisecond(t *testing.T) {
	w := newWorld(t)
	s := w.allowed(call("x"))
	for _, act := range []queue.Act{queue.Freeze{}, queue.Unfreeze{}} {
		if _, err := w.operator.Do(t.Context(), act); err != nil {
			t.Fatal(err)
		}
	}
	// The refused begin keeps what settle did: one event, the revocation.
	if got := w.state(s.Ask); got != queue.StateRevoked {
		t.Errorf("an allow of the freeze's own millisecond is %s", got)
	}
	w.refused(w.agent, begin(s), queue.CodeDecided, 1)
}
