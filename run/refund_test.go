//go:build unix

package run_test

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"nod/ambiguity"
	"nod/client/clienttest"
	"nod/descriptor"
	"nod/observe"
	"nod/queue"
)

// refunding is a desk whose commands are refunds at a provider.
type refunding struct {
	*desk
	*provider
	said *descriptor.Set
}

func newRefunding(t *testing.T, auto bool) *refunding {
	t.Helper()
	p := newProvider(t)
	d := newDesk(t, p.refundTool(auto))
	set, err := readTools(d.tools)
	if err != nil {
		t.Fatal(err)
	}
	return &refunding{d, p, set}
}

// refund starts `nod run -- refund` in a session of its own.
func (r *refunding) refund(t *testing.T, at string) *held {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := r.start(t, newID(), self, "refund", at, "pay_8842", "4800")
	h.begin(t)
	return h
}

func (r *refunding) allow(t *testing.T, row queue.Row) {
	t.Helper()
	r.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow, Confirm: "pay_8842"})
}

// first lets one refund run to its end and gives its effect.
func (r *refunding) first(t *testing.T, at string) (queue.EffectView, *held, int) {
	t.Helper()
	h := r.refund(t, at)
	r.allow(t, r.Pending(t, 1)[0])
	code := h.wait(t)
	all := r.Effects(t, false)
	if len(all) != 1 {
		t.Fatalf("%d effects: %s", len(all), h.err.String())
	}
	return all[0], h, code
}

func (r *refunding) posted(t *testing.T, posts, refunds int) {
	t.Helper()
	if p, n := r.count(); p != posts || n != refunds {
		t.Errorf("the provider got %d posts and made %d refunds, want %d and %d", p, n, posts, refunds)
	}
}

// refused is a refund that never reaches the provider.
func (r *refunding) refused(t *testing.T, code string, says ...string) {
	t.Helper()
	before, _ := r.count()
	h := r.refund(t, r.URL)
	exit := h.wait(t)
	if now, _ := r.count(); now != before {
		t.Errorf("it reached the provider: %d posts, then %d", before, now)
	}
	if exit != 2 {
		t.Errorf("%s: exit %d", code, exit)
	}
	for _, want := range append(says, "did not run") {
		if !strings.Contains(h.err.String(), want) {
			t.Errorf("%s: it says %q, want %q", code, h.err.String(), want)
		}
	}
}

// The duplicate refund: the provider commits and drops the connection, the
// command fails, and the agent tries again.
func TestTheDuplicateRefund(t *testing.T) {
	r := newRefunding(t, false)
	r.set(func() { r.drop = "after" })
	e, h, code := r.first(t, r.URL)
	if code != 1 || !strings.Contains(h.err.String(), "not known whether the effect of this call happened") {
		t.Errorf("exit %d: %s", code, h.err.String())
	}
	r.posted(t, 1, 1)
	if e.Standing != ambiguity.StandsUnknown || e.Mark != ambiguity.NotConfirmed || !e.Open {
		t.Errorf("the effect: %+v", e)
	}
	r.refused(t, queue.CodeAmbiguousEffect, "The outcome of the first run of this effect is unknown, and a person is looking (reference "+r.Desk(t, e.ID).Attempts[0].Ask+")",
		"do not retry", "new key")
	r.posted(t, 1, 1)

	open := r.Effects(t, true)
	if len(open) != 1 || open[0].ID != e.ID || open[0].Repeats != 1 {
		t.Errorf("on the desk: %+v", open)
	}
	d := r.Desk(t, e.ID)
	if f := d.Facts[1]; f.Exit != queue.ExitFailure || f.Seen != "the refund failed: the connection broke off" || f.Says != "" {
		t.Errorf("what came back: %+v", f)
	}

	seen, err := observe.Effect(t.Context(), r.Requester, r.said, e.ID, []string{"refunds"}, false)
	if err != nil || len(seen) != 1 || seen[0].Judged.State != queue.AttemptCommitted || seen[0].Judged.Open {
		t.Fatalf("the observer: %+v, %v", seen, err)
	}
	r.refused(t, queue.CodeDuplicateEffect, "The first run of this effect happened (reference re_1)", "do not do it again")
	r.posted(t, 1, 1)
	if open := r.Effects(t, true); len(open) != 0 {
		t.Errorf("still on the desk: %+v", open)
	}
}

// The same, with an observer that runs by itself: the refund is found before the
// agent can ask again.
func TestTheObserverRunsByItself(t *testing.T) {
	r := newRefunding(t, true)
	r.set(func() { r.drop = "after" })
	e, h, _ := r.first(t, r.URL)
	if e.Standing != ambiguity.StandsCommitted || e.Ref != "re_1" || e.Open {
		t.Errorf("the effect: %+v", e)
	}
	if text := h.err.String(); !strings.Contains(text, "Observer refunds says committed") || strings.Contains(text, "not known") {
		t.Errorf("it says %q", text)
	}
	r.refused(t, queue.CodeDuplicateEffect, "(reference re_1)")
	r.posted(t, 1, 1)
}

// The provider drops the connection before it commits: that nothing is found is
// evidence, a person closes, one retry runs, and an approval from before the
// answer is worth nothing.
func TestARefundThatDidNotHappen(t *testing.T) {
	r := newRefunding(t, false)
	r.set(func() { r.drop = "before" })
	early := r.refund(t, r.URL) // asked for before anything is known
	approved := r.Pending(t, 1)[0]
	first := r.refund(t, r.URL)
	r.allow(t, r.Pending(t, 2)[1])
	if code := first.wait(t); code != 1 {
		t.Fatalf("exit %d: %s", code, first.err.String())
	}
	r.posted(t, 1, 0)
	e := r.Effects(t, true)[0]
	r.Hold(t, early.cmd.Process) // so that it begins after the answer
	r.allow(t, approved)

	clienttest.Until(t, "the settle time's end", func() bool { d := r.Desk(t, e.ID); return d.Now >= d.SettledAt })
	seen, err := observe.Effect(t.Context(), r.Requester, r.said, e.ID, nil, false)
	if err != nil || seen[0].Observation.Says != "not_executed" || seen[0].Judged.State != queue.AttemptUnknown || !seen[0].Judged.Open {
		t.Fatalf("the observer: %+v, %v", seen, err)
	}
	r.refused(t, queue.CodeAmbiguousEffect, "unknown")
	j := r.Reconcile(t, e.ID, queue.Reconcile{Outcome: queue.AttemptNotExecuted, Reason: "support finds none", Evidence: "case 55120"})
	if j.Standing != ambiguity.StandsFree || j.Repeats != "" {
		t.Errorf("after the answer: %+v", j)
	}
	if err := early.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if code := early.wait(t); code != 2 || !strings.Contains(early.err.String(), "older than the last answer on its effect") {
		t.Errorf("the approval from before: exit %d, %s", code, early.err.String())
	}
	if v := r.Ask(t, approved.ID); v.Row.State != queue.StateRevoked || len(v.Attempts) != 0 {
		t.Errorf("its ask: %s, %+v", v.Row.State, v.Attempts)
	}
	r.posted(t, 1, 0)

	r.set(func() { r.drop = "" })
	retries := []*held{r.refund(t, r.URL), r.refund(t, r.URL)}
	for _, row := range r.Pending(t, 2) {
		r.allow(t, row)
	}
	ran := 0
	for _, h := range retries {
		if code := h.wait(t); code == 0 {
			ran++
		} else if text := h.err.String(); code != 2 || !strings.Contains(text, "first run of this effect") || !strings.Contains(text, "did not run") {
			t.Errorf("the other one: exit %d, %s", code, text)
		}
	}
	if ran != 1 {
		t.Errorf("%d retries ran, want one", ran)
	}
	r.posted(t, 2, 1)
	if d := r.Desk(t, e.ID); len(d.Attempts) != 2 || d.Attempts[1].Number != 2 {
		t.Errorf("attempts: %+v", d.Attempts)
	}
}

// The three cases of an observation.
func TestWhatAnObserverSees(t *testing.T) {
	t.Run("matched", func(t *testing.T) {
		r := newRefunding(t, true)
		e, h, code := r.first(t, r.URL)
		if code != 0 || e.Standing != ambiguity.StandsCommitted || e.Open || e.Ref != "re_1" {
			t.Errorf("exit %d, %+v: %s", code, e, h.err.String())
		}
	})
	// The tool says success, and another amount was paid.
	t.Run("content differs", func(t *testing.T) {
		r := newRefunding(t, true)
		e, h, code := r.first(t, r.swapping(t).URL)
		if code != 0 || e.Standing != ambiguity.StandsCommitted || e.Mark != ambiguity.Divergent || !e.Open {
			t.Errorf("exit %d, %+v", code, e)
		}
		if text := h.err.String(); !strings.Contains(text, "other content than was allowed") {
			t.Errorf("it says %q", text)
		}
		d := r.Desk(t, e.ID)
		if d.Allowed != "/amount: \"4800\"\n" || d.Content != "/amount: \"48000\"\n" {
			t.Errorf("allowed %q, seen %q", d.Allowed, d.Content)
		}
		r.refused(t, queue.CodeDuplicateEffect, "(reference re_1)")
		if len(r.Effects(t, true)) != 1 {
			t.Fatal("it is not on the desk any more, and nobody acknowledged it")
		}
		if _, err := r.Operator.Do(t.Context(), queue.AckEffect{Effect: e.ID, Page: d.Digest, Reason: "seen"}); err != nil {
			t.Fatal(err)
		}
		if len(r.Effects(t, true)) != 0 {
			t.Error("it is still on the desk")
		}
		r.refused(t, queue.CodeDuplicateEffect, "(reference re_1)")
		r.posted(t, 1, 1)
	})
	t.Run("observer unavailable", func(t *testing.T) {
		r := newRefunding(t, true)
		r.set(func() { r.down = true })
		e, h, code := r.first(t, r.URL)
		if code != 0 || e.Standing != ambiguity.StandsUnknown || e.Mark != ambiguity.NotConfirmed || !e.Open {
			t.Errorf("exit %d, %+v", code, e)
		}
		if text := h.err.String(); !strings.Contains(text, "Observer refunds says unknown") || !strings.Contains(text, "not known whether") {
			t.Errorf("it says %q", text)
		}
		r.refused(t, queue.CodeAmbiguousEffect, "unknown")
		r.posted(t, 1, 1)
	})
}
