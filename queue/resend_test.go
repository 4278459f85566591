package queue_test

import (
	"fmt"
	"testing"

	"nod/notice"
	"nod/queue"
)

func TestWordsAreSentAgain(t *testing.T) {
	alone(t)
	w := posted(t)
	s := w.answered(waits("ls"), queue.VerdictDeny, "use the other host")
	w.refused(w.operator, queue.Resend{Ask: s.Ask}, queue.CodeTooSoon, 0)
	w.end()
	w.wants(w.feedback(1, "leg_end", ""))
	r := w.ok(w.operator, queue.Resend{Ask: s.Ask}, 1).(queue.Resending)
	if !r.Ended {
		t.Error("it does not say that the session is over")
	}
	w.refused(w.operator, queue.Resend{Ask: s.Ask}, queue.CodeDecided, 0)
	w.counts(1, 1)

	other := waits("other session")
	other.Session = "s2"
	if got := w.answered(other, queue.VerdictDeny, ""); len(w.submit(withID(other, "x")).Resent) != 0 || len(w.wait(got).Resent) != 0 {
		t.Error("another session got the words")
	}
	next := w.submit(waits("next"))
	if len(next.Resent) != 0 || len(w.wait(next).Resent) != 0 {
		t.Error("they came before an answer")
	}
	w.decide(next.Ask, queue.VerdictAllow)
	st := w.wait(next)
	if len(st.Resent) != 1 || st.Resent[0].Words != "use the other host" || st.Resent[0].Ask != s.Ask {
		t.Fatalf("%+v", st.Resent)
	}
	w.ok(w.agent, handed(next), 1)
	w.counts(1, 1) // a receipt of the answer is none of the words
	via := queue.Receipt{Ask: s.Ask, Token: next.Token, Via: next.Ask, Got: queue.StageHandedOver}
	w.ok(w.agent, via, 1)
	w.ok(w.agent, via, 0)
	w.counts(0, 0)
	if len(w.wait(next).Resent) != 0 {
		t.Error("they are sent twice")
	}
	w.refused(w.operator, queue.Resend{Ask: s.Ask}, queue.CodeTooLate, 0)
	w.end()
	if got := w.told(); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// Words that are sent again in vain are told of again, in their new run.
func TestWordsSentAgainInVain(t *testing.T) {
	alone(t)
	w := posted(t)
	s := w.answered(waits("ls"), queue.VerdictDeny, "one")
	w.end()
	w.ok(w.operator, queue.Resend{Ask: s.Ask}, 1)
	w.pass(1000)
	w.submit(waits("next"))
	w.end()
	got := w.told()
	if len(got) != 2 || got[0] == got[1] {
		t.Errorf("%q", got)
	}
	w.counts(0, 0)
	w.ok(w.operator, queue.DropWords{Ask: s.Ask, Reason: "told_elsewhere"}, 1)
	w.refused(w.operator, queue.DropWords{Ask: s.Ask, Reason: "told_elsewhere"}, queue.CodeDecided, 0)
	w.refused(w.operator, queue.Resend{Ask: s.Ask}, queue.CodeDecided, 0)
	w.refused(w.operator, queue.DropWords{Ask: s.Ask, Reason: "because"}, queue.CodeBadInput, 0)
}

// Words that are told of, sent again and in vain once more are told of each time:
// no leg and no session fails to end for them.
func TestWordsSentAgainInOneRun(t *testing.T) {
	w := posted(t)
	s := w.answered(waits("ls"), queue.VerdictDeny, "one")
	for i := range 4 {
		if i > 0 {
			w.ok(w.operator, queue.Resend{Ask: s.Ask}, 1)
		}
		w.ok(w.agent, queue.EndLeg{Session: "s1", Run: "r", Cause: notice.LegEnd}, 1)
		if got := w.told(); len(got) != i+1 {
			t.Errorf("leg %d: %q", i, got)
		}
	}
	w.end()
	w.counts(0, 0)
}

// All words that a notice told of are settled, however many, also when the notice
// was read before, and when another console was first with one of them.
func TestAllWordsOfANoticeAreSettled(t *testing.T) {
	alone(t)
	w := posted(t)
	var asks []string
	for i := range 502 {
		asks = append(asks, w.answered(waits(fmt.Sprint("ls ", i)), queue.VerdictDeny, "one").Ask)
	}
	w.end()
	n := must[queue.Notices](t)(queue.Get[queue.Notices](t.Context(), w.operator, queue.QNotices{Open: true, Limit: 9})).Notices[0].ID
	w.ok(w.operator, queue.AckNotice{Notice: n}, 1)
	settle := func(act func(ask string) queue.Act) []string {
		t.Helper()
		got, _, err := queue.SettleTold(t.Context(), w.operator, n, act)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	drop := func(ask string) queue.Act { return queue.DropWords{Ask: ask, Reason: "not_needed"} }
	got := settle(func(ask string) queue.Act {
		if ask == asks[1] { // the other console is quicker
			w.ok(w.operator, drop(ask), 1)
		}
		return drop(ask)
	})
	if len(got) != 501 {
		t.Errorf("%d of 502 were settled, and one by somebody else", len(got))
	}
	if got := settle(drop); len(got) != 0 {
		t.Errorf("%d were settled twice", len(got))
	}
}
