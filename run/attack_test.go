//go:build unix

package run_test

import (
	"syscall"
	"testing"
	"time"

	"nod/queue"
)

// TestTakenBackBeforeBegin: what an operator does between the approval and the
// begin counts, also when the run was stopped in between and has seen nothing.
func TestTakenBackBeforeBegin(t *testing.T) {
	for name, c := range map[string]struct {
		acts func(queue.Row) []queue.Act
		exit int
	}{
		"revoked":           {func(r queue.Row) []queue.Act { return []queue.Act{queue.Revoke{Ask: r.ID}} }, 1},
		"frozen":            {func(queue.Row) []queue.Act { return []queue.Act{queue.Freeze{}} }, 1},
		"frozen and lifted": {func(queue.Row) []queue.Act { return []queue.Act{queue.Freeze{}, queue.Unfreeze{}} }, 1},
		"nothing":           {func(queue.Row) []queue.Act { return nil }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			h := d.start(t, "", "touch", "marker")
			h.begin(t)
			d.Pending(t, 1)
			time.Sleep(100 * time.Millisecond) // stopped while it writes, it would hold the store's lock
			signal(t, h, syscall.SIGSTOP)
			row := d.Allow(t, "")
			for _, act := range c.acts(row) {
				if _, err := d.Operator.Do(t.Context(), act); err != nil {
					t.Fatal(err)
				}
			}
			signal(t, h, syscall.SIGCONT)
			if exit := h.wait(t); exit != c.exit || d.exists("marker") != (c.exit == 0) {
				t.Errorf("exit %d, ran %t; want %d\n%s", exit, d.exists("marker"), c.exit, h.err.String())
			}
		})
	}
}

func signal(t *testing.T, h *held, s syscall.Signal) {
	t.Helper()
	if err := h.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond) // a stop takes effect on its own
}

// TestOneApprovalOneRun: of two equal commands of one session that wait at
// once, one approval runs one.
func TestOneApprovalOneRun(t *testing.T) {
	d := newDesk(t)
	a, b := d.start(t, "one", "sh", "-c", "echo x >> marks"), d.start(t, "one", "sh", "-c", "echo x >> marks")
	a.begin(t)
	b.begin(t)
	rows := d.Pending(t, 2)
	d.Decide(t, rows[0], queue.Decide{Verdict: queue.VerdictAllow})
	d.Decide(t, rows[1], queue.Decide{Verdict: queue.VerdictDeny})
	if got := a.wait(t) + b.wait(t); got != 1 {
		t.Errorf("exits add up to %d, want one 0 and one 1", got)
	}
	if marks := d.read(t, "marks"); marks != "x\n" {
		t.Errorf("it ran %d times, want once", len(marks)/2)
	}
}

// TestNotText: a command that no card can hold is refused, never repaired.
func TestNotText(t *testing.T) {
	for name, argv := range map[string][]string{
		"bytes":     {"touch", "marker\xff"},
		"surrogate": {"touch", "marker\xed\xa0\x80"},
		"program":   {"touch\xff"},
	} {
		d := newDesk(t)
		h := d.start(t, "", argv...)
		h.begin(t)
		if exit := h.wait(t); exit != 2 || h.err.Len() == 0 {
			t.Errorf("%s: exit %d, stderr %q; want a refusal", name, exit, h.err.String())
		}
		if d.exists(argv[len(argv)-1]) {
			t.Errorf("%s: it ran", name)
		}
	}
}
