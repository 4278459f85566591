//go:build unix

package run_test

import (
	"slices"
	"strings"
	"syscall"
	"testing"

	"nod/ambiguity"
	"nod/client/clienttest"
	"nod/queue"
)

// An agent that tries twelve times, in twelve sessions, reaches the provider
// once, and the desk counts.
func TestTwelveRetries(t *testing.T) {
	r := newRefunding(t, false)
	r.set(func() { r.drop = "after" })
	e, _, _ := r.first(t, r.URL)
	for range 12 {
		r.refused(t, queue.CodeAmbiguousEffect, "unknown")
	}
	r.posted(t, 1, 1)
	if d := r.Desk(t, e.ID); d.Effect.Repeats != 12 || len(d.Repeats) != 12 {
		t.Errorf("%d repeats of %d sessions are kept", d.Effect.Repeats, len(d.Repeats))
	}
}

// Time that ran out while a person was asked left nothing behind; time that ran
// out while the command ran leaves an unknown outcome.
func TestTimeOnAskingAndTimeOnRunning(t *testing.T) {
	d := newDesk(t)
	d.flags = []string{"--effect-key", "call_1"}
	asking := d.start(t, "", "sh", "-c", "echo rang >>phone; exec sleep 60")
	asking.begin(t)
	row := d.Pending(t, 1)[0]
	_ = asking.cmd.Process.Signal(syscall.SIGTERM)
	if code := asking.wait(t); code != 3 || d.Ask(t, row.ID).Row.State != queue.StateWithdrawn || len(d.Effects(t, false)) != 0 {
		t.Errorf("exit %d, %+v", code, d.Effects(t, false))
	}
	running := d.start(t, "", "sh", "-c", "echo rang >>phone; exec sleep 60")
	running.begin(t)
	d.Allow(t, "")
	clienttest.Until(t, "the ring", func() bool { return d.exists("phone") })
	_ = running.cmd.Process.Signal(syscall.SIGTERM)
	running.wait(t)
	e := d.Effects(t, true)
	if len(e) != 1 || e[0].Standing != ambiguity.StandsUnknown {
		t.Fatalf("the desk: %+v", e)
	}
	if f := d.Desk(t, e[0].ID).Facts[1]; f.Exit != queue.ExitTimeout || f.Says != "" {
		t.Errorf("reported %+v", f)
	}
}

// Two payments that are meant have two keys: both run, and the second one's
// card says that it looks like the first.
func TestTwoPaymentsThatAreMeant(t *testing.T) {
	d := newDesk(t)
	for i, key := range []string{"pay_1", "pay_2"} {
		d.flags = []string{"--effect-key", key}
		h := d.start(t, newID(), "sh", "-c", "echo paid >>paid")
		h.begin(t)
		card := d.Ask(t, d.Allow(t, "").ID).Card
		if code := h.wait(t); code != 0 {
			t.Fatalf("%s: exit %d: %s", key, code, h.err.String())
		}
		if alike := strings.Contains(card, "looks like an effect whose outcome is unknown"); alike != (i == 1) {
			t.Errorf("%s: the card says that it looks like another: %v\n%s", key, alike, card)
		}
	}
	if d.read(t, "paid") != "paid\npaid\n" {
		t.Errorf("paid %q", d.read(t, "paid"))
	}
}

// A command that Nod could not start is proved not executed: of a copy that
// waited and one that was sent anew, one runs.
func TestACopyThatWaitedAndOneSentAnew(t *testing.T) {
	d := newDesk(t)
	d.file(t, "garbage", "\x7fELF nonsense")
	d.flags = []string{"--effect-key", "msg_1"}
	send := func() *held {
		h := d.start(t, newID(), "sh", "-c", "echo sent >>sent")
		h.begin(t)
		return h
	}
	waited := send()
	d.Pending(t, 1)
	broken := d.start(t, newID(), "./garbage")
	broken.begin(t)
	rows := d.Pending(t, 2)
	i := slices.IndexFunc(rows, func(r queue.Row) bool { return strings.Contains(r.Gist, "garbage") })
	d.Decide(t, rows[i], queue.Decide{Verdict: queue.VerdictAllow})
	if code := broken.wait(t); code != 2 || !strings.Contains(broken.err.String(), "did not run") {
		t.Fatalf("exit %d: %s", code, broken.err.String())
	}
	e := d.Effects(t, false)[0]
	if e.Standing != ambiguity.StandsFree || e.Open || d.Desk(t, e.ID).Facts[1].Source != ambiguity.ByGate {
		t.Fatalf("the effect %+v", e)
	}
	anew := send()
	for _, row := range d.Pending(t, 2) {
		d.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow})
	}
	codes := []int{waited.wait(t), anew.wait(t)}
	slices.Sort(codes)
	if !slices.Equal(codes, []int{0, 2}) || d.read(t, "sent") != "sent\n" {
		t.Errorf("exits %v, sent %q", codes, d.read(t, "sent"))
	}
}

// Each attempt has its own evidence: that the first one did not happen says
// nothing of the second.
func TestEvidenceIsOfOneAttempt(t *testing.T) {
	r := newRefunding(t, false)
	r.set(func() { r.drop = "before" })
	e, _, _ := r.first(t, r.URL)
	clienttest.Until(t, "the settle time's end", func() bool { d := r.Desk(t, e.ID); return d.Now >= d.SettledAt })
	r.Reconcile(t, e.ID, queue.Reconcile{Outcome: queue.AttemptNotExecuted, Reason: "none there", Evidence: "case 1"})
	r.set(func() { r.drop = "after" })
	e, _, _ = r.first(t, r.URL)
	d := r.Desk(t, e.ID)
	if len(d.Attempts) != 2 || d.Attempts[0].State != queue.AttemptNotExecuted || d.Attempts[1].State != queue.AttemptUnknown || !e.Open {
		t.Errorf("attempts %+v", d.Attempts)
	}
	for _, f := range d.Facts {
		if f.Attempt == d.Attempts[1].ID && f.Says != "" {
			t.Errorf("of the second attempt: %+v", f)
		}
	}
	r.refused(t, queue.CodeAmbiguousEffect, "unknown")
	r.posted(t, 2, 1)
}

// A report that comes after the lease, when a second attempt has begun, is
// evidence on the first and changes nothing.
func TestALateReport(t *testing.T) {
	d := newDesk(t)
	d.flags = []string{"--effect-key", "pay_1"}
	first := d.start(t, newID(), "sh", "-c", "until test -e done; do sleep 0.05; done")
	first.begin(t)
	d.Allow(t, "")
	clienttest.Until(t, "the begin", func() bool { return len(d.Effects(t, false)) == 1 })
	d.Hold(t, first.cmd.Process)
	d.file(t, "done", "")
	id := d.Effects(t, false)[0].ID
	clienttest.Until(t, "the lease's and settle time's end", func() bool {
		v := d.Desk(t, id)
		return v.Effect.Standing == ambiguity.StandsUnknown && v.Now >= v.SettledAt
	})
	d.Reconcile(t, id, queue.Reconcile{Outcome: queue.AttemptNotExecuted, Reason: "looked", Evidence: "case 1"})
	second := d.start(t, newID(), "sh", "-c", "until test -e go; do sleep 0.05; done")
	second.begin(t)
	d.Allow(t, "")
	clienttest.Until(t, "the second begin", func() bool { return len(d.Desk(t, id).Attempts) == 2 })
	_ = first.cmd.Process.Signal(syscall.SIGCONT)
	first.wait(t)
	v := d.Desk(t, id)
	late := slices.IndexFunc(v.Facts, func(f queue.FactView) bool { return f.Late })
	if late < 0 || v.Facts[late].Attempt != v.Attempts[0].ID {
		t.Errorf("facts %+v", v.Facts)
	}
	if v.Attempts[0].State != queue.AttemptNotExecuted || v.Attempts[1].State != queue.AttemptExecuting || v.Effect.Standing != ambiguity.StandsExecuting {
		t.Errorf("attempts %+v", v.Attempts)
	}
	d.file(t, "go", "")
	second.wait(t)
}

// Of two commands that were left dangling only the one whose effect is kept
// blocks its repeat.
func TestOnlyWhatIsKeptBlocks(t *testing.T) {
	d := newDesk(t)
	leave := func(flags ...string) {
		d.flags = flags
		h := d.start(t, newID(), "sh", "-c", "exit 1")
		h.begin(t)
		d.Allow(t, "")
		h.wait(t)
	}
	leave("--effect-key", "pay_1")
	leave()
	if e := d.Effects(t, true); len(e) != 1 {
		t.Errorf("the desk: %+v", e)
	}
	leave() // it is asked and runs again
	d.flags = []string{"--effect-key", "pay_1"}
	h := d.start(t, newID(), "sh", "-c", "exit 1")
	h.begin(t)
	if code := h.wait(t); code != 2 || !strings.Contains(h.err.String(), "unknown") {
		t.Errorf("exit %d: %s", code, h.err.String())
	}
}
