//go:build unix

package run_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"nod/ambiguity"
	"nod/client/clienttest"
	"nod/queue"
)

// kills is how often the test of kills repeats: NOD_FAULT_RUN_KILLS, 1,000 with
// NOD_FAULT_FULL, else few enough for every day.
func kills(t *testing.T) int {
	t.Helper()
	if v := os.Getenv("NOD_FAULT_RUN_KILLS"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			t.Fatalf("NOD_FAULT_RUN_KILLS=%q is not a number of rounds", v)
		}
		return n
	}
	if os.Getenv("NOD_FAULT_FULL") != "" {
		return 1000
	}
	return 20
}

// TestKilledRuns kills `nod run` at random moments. One that died before its
// begin can be started once more; one that died after it is unknown when its
// lease is over, and never free: no second one begins, and the effect is there
// once at most.
func TestKilledRuns(t *testing.T) {
	d := newDesk(t)
	n := kills(t)
	began, ran, again := 0, 0, 0
	for i := range n {
		key := fmt.Sprint("pay_", i)
		d.flags = []string{"--effect-key", key}
		script := "echo ran >>" + key
		h := d.start(t, newID(), "sh", "-c", script)
		h.begin(t)
		row := d.Pending(t, 1)[0]
		if rand.N(4) > 0 {
			d.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow})
			time.Sleep(rand.N(50 * time.Millisecond))
		}
		_ = h.cmd.Process.Kill()
		h.wait(t)
		attempts := d.Ask(t, row.ID).Attempts
		retry := d.start(t, newID(), "sh", "-c", script)
		retry.begin(t)
		if len(attempts) > 0 {
			began++
			if code := retry.wait(t); code != 2 || !strings.Contains(retry.err.String(), "of this effect") {
				t.Fatalf("round %d: after the begin a second one got exit %d: %s", i, code, retry.err.String())
			}
			continue
		}
		again++
		var next queue.Row
		clienttest.Until(t, "the second one's ask", func() bool {
			for _, r := range d.Pending(t, 1) {
				if r.ID != row.ID {
					next = r
				}
			}
			return next.ID != ""
		})
		d.Decide(t, next, queue.Decide{Verdict: queue.VerdictAllow})
		if code := retry.wait(t); code != 0 {
			t.Fatalf("round %d: before the begin a second one got exit %d: %s", i, code, retry.err.String())
		}
		if row = d.Ask(t, row.ID).Row; row.State == queue.StatePending { // out of the next round's way
			d.Decide(t, row, queue.Decide{Verdict: queue.VerdictDeny})
		}
	}
	clienttest.Until(t, "the leases' end", func() bool {
		for _, e := range d.all(t) {
			if e.Standing == ambiguity.StandsExecuting {
				return false
			}
		}
		return true
	})
	all := d.all(t)
	if len(all) != n {
		t.Errorf("%d effects, want one a round", len(all))
	}
	for _, e := range all {
		if e.Standing != ambiguity.StandsUnknown || !e.Open || e.Attempts != 1 {
			t.Errorf("%s: %+v", e.Key, e)
		}
	}
	for i := range n {
		b, err := os.ReadFile(fmt.Sprintf("%s/pay_%d", d.dir, i))
		switch {
		case err == nil && string(b) == "ran\n":
			ran++
		case !os.IsNotExist(err):
			t.Errorf("round %d: it ran %q, %v", i, b, err)
		}
	}
	t.Logf("kill -9 of nod run: %d rounds, %d after the begin (all unknown, none begun again), %d before it (each begun once more); %d effects are there, none twice", n, began, again, ran)
}

func (d *desk) all(t *testing.T) []queue.EffectView {
	t.Helper()
	var all []queue.EffectView
	var before int64
	for {
		e, err := queue.Get[queue.Effects](t.Context(), d.Operator, queue.QEffects{Before: before, Limit: 500})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e.Effects...)
		if !e.More {
			return all
		}
		before = all[len(all)-1].Num
	}
}
