//go:build unix

package run_test

import (
	"strings"
	"testing"

	"nod/client/clienttest"
	"nod/queue"
)

func (d *desk) deliveries(t *testing.T) []queue.DeliveryView {
	t.Helper()
	got, err := queue.Get[queue.Deliveries](t.Context(), d.Operator, queue.QDeliveries{Limit: 99})
	if err != nil {
		t.Fatal(err)
	}
	return got.Deliveries
}

// What `nod run` wrote is receipted: the words of an allow before the command
// starts, those of a denial with the reason.
func TestRunReceiptsWhatItWrote(t *testing.T) {
	d := newDesk(t)
	h := d.start(t, newID(), "sh", "-c", "echo ran > marker")
	h.begin(t)
	d.Allow(t, "gently \x1b[2J")
	if code := h.wait(t); code != 0 || !strings.Contains(h.err.String(), `said: "gently \u{1B}[2J"`) {
		t.Errorf("exit %d: %q", code, h.err.String())
	}
	h = d.start(t, newID(), "sh", "-c", "echo no")
	h.begin(t)
	d.Deny(t, "not this one")
	if code := h.wait(t); code != 1 || !strings.Contains(h.err.String(), `"not this one"`) {
		t.Errorf("exit %d: %q", code, h.err.String())
	}
	for _, got := range d.deliveries(t) {
		if got.Stage != queue.StageHandedOver || got.Words != queue.WordsCarried || got.Item != "" {
			t.Errorf("%+v", got)
		}
	}
	if n := d.Notices(t); len(n) != 0 {
		t.Errorf("%+v", n)
	}
}

// One that was killed between the decision and the hand-over says nothing: the
// answer is in the inbox, and the silence of its session tells of the words.
func TestRunKilledBeforeTheHandOver(t *testing.T) {
	d := newDesk(t)
	h := d.start(t, "94085b22", "sh", "-c", "echo ran > marker")
	h.begin(t)
	row := d.Pending(t, 1)[0]
	d.Hold(t, h.cmd.Process)
	d.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow, Words: "gently"})
	_ = h.cmd.Process.Kill()
	h.wait(t)
	if d.exists("marker") {
		t.Fatal("it ran")
	}
	clienttest.Until(t, "the answer that nobody collected", func() bool {
		got := d.deliveries(t)
		return len(got) == 1 && got[0].Item == queue.ItemUncollected && got[0].Words == queue.WordsOwed && got[0].Stage == queue.StageDecided
	})
	for range 2 { // its session is over, and is said to be twice
		if _, err := d.Requester.Do(t.Context(), queue.EndSession{Session: "94085b22", Why: "host_gone"}); err != nil {
			t.Fatal(err)
		}
	}
	n := d.Notices(t)
	if len(n) != 1 || n[0].Ask != row.ID || !strings.Contains(string(n[0].Detail), `"cause":"crashed","count":1,"kind":"approval_feedback"`) {
		t.Errorf("%+v", n)
	}
}
