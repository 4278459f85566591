package queue_test

import (
	"slices"
	"testing"

	"nod/queue"
)

func (w *world) stats(spanMS, cells int64) queue.Stats {
	w.t.Helper()
	return must[queue.Stats](w.t)(queue.Get[queue.Stats](w.t.Context(), w.operator, queue.QStats{SpanMS: spanMS, Cells: cells}))
}

func TestStatsOfAnEmptyStore(t *testing.T) {
	w := newWorld(t)
	s := w.stats(24*60*minute, 24)
	if len(s.Cells) != 24 || s.CellMS != 60*minute || s.From != w.wall-24*60*minute || s.Now != w.wall ||
		s.Outcomes != (queue.Outcomes{}) || len(s.Tools) != 0 || s.HalfMS+s.MostMS+s.Waiting+s.OldestMS != 0 || s.Unread {
		t.Errorf("%+v", s)
	}
}

// TestStatsFromTheStore walks an hour and reads what became of its asks.
func TestStatsFromTheStore(t *testing.T) {
	w := newWorld(t, func(s *queue.Settings) { s.AnswerWithinMS = 90 * minute })
	old := w.submit(call("before the span")) // answered in it
	long := w.submit(call("long before"))    // expires in it
	w.pass(61 * minute)
	from := w.wall
	w.decide(old.Ask, queue.VerdictAllow) // at the first moment of the span: 61 minutes
	denied := w.submit(call("rm"))
	w.submit(queue.Submit{Kind: "question", Session: "s1", Question: &queue.Question{Text: "which?", Schema: []byte(`{"type":"string"}`)}})
	w.pass(10 * minute)
	w.decide(denied.Ask, queue.VerdictDeny) // 10 minutes
	w.pass(25 * minute)
	revoked := w.allowed(call("ls")) // at once
	w.ok(w.operator, queue.Revoke{Ask: revoked.Ask}, 1)
	spent := w.allowed(call("date"))
	w.ok(w.agent, begin(spent), 1)
	w.pass(25*minute - 1)
	if w.wall != from+60*minute-1 || w.state(long.Ask) != queue.StateExpired {
		t.Fatal("the test's times are wrong")
	}
	s := w.stats(60*minute, 3)
	want := queue.Outcomes{AllowedByPerson: 1, Denied: 1, Withdrawn: 1, Pending: 1}
	if s.Outcomes != want {
		t.Errorf("outcomes %+v", s.Outcomes)
	}
	cells := []queue.StatCell{{Asks: 2, Answers: 2, HalfMS: 10 * minute}, {Asks: 2, Answers: 2, HalfMS: 0}, {}}
	if s.From != from-1 || !slices.Equal(s.Cells, cells) {
		t.Errorf("cells from %d: %+v", s.From-from, s.Cells)
	}
	if s.HalfMS != 0 || s.MostMS != 61*minute || s.Waiting != 1 || s.OldestMS != 60*minute-1 || s.Unread {
		t.Errorf("half in %d, most in %d, %d wait, the oldest %d", s.HalfMS, s.MostMS, s.Waiting, s.OldestMS)
	}
	tools := []queue.ToolStat{{Tool: "Bash", Asks: 3, Denied: 1, HalfMS: 0}, {Tool: "", Asks: 1}}
	if !slices.Equal(s.Tools, tools) {
		t.Errorf("tools %+v", s.Tools)
	}
	// The clock is put back: time does not go on, and nothing is in the future.
	w.wall -= 30 * minute
	if back := w.stats(60*minute, 3); back.Now < s.Now-1 || back.Outcomes.Denied != 1 || back.Cells[2].Asks != 0 {
		t.Errorf("%+v", back)
	}
}

func TestSessionsSayWhatWaits(t *testing.T) {
	w := newWorld(t)
	one, two := w.submit(call("one")), w.submit(call("two"))
	other := call("three")
	other.Session = "s2"
	w.submit(other)
	w.decide(two.Ask, queue.VerdictDeny)
	session := w.see(one.Ask).Row.Session
	w.ok(w.operator, queue.Freeze{Session: session}, 1)
	got := must[queue.Sessions](t)(queue.Get[queue.Sessions](t.Context(), w.operator, queue.QSessions{Limit: 9}))
	if len(got.Sessions) != 2 {
		t.Fatalf("%+v", got)
	}
	for _, s := range got.Sessions {
		if s.Waits != 1 || s.Frozen != (s.ID == session) {
			t.Errorf("%+v", s)
		}
	}
	w.ok(w.operator, queue.Freeze{}, 1)
	w.ok(w.operator, queue.Unfreeze{Session: session}, 1)
	got = must[queue.Sessions](t)(queue.Get[queue.Sessions](t.Context(), w.operator, queue.QSessions{Limit: 9}))
	if got.Sessions[0].Frozen || got.Sessions[1].Frozen {
		t.Errorf("a freeze of everything is no session's: %+v", got)
	}
	w.pass(24*60*minute + 1000)
	got = must[queue.Sessions](t)(queue.Get[queue.Sessions](t.Context(), w.operator, queue.QSessions{Limit: 9}))
	if got.Sessions[0].Waits+got.Sessions[1].Waits != 0 {
		t.Errorf("expired, and waits: %+v", got)
	}
}
