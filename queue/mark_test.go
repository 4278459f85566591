package queue_test

import (
	"testing"

	"nod/digest"
	"nod/queue"
)

func (w *world) inbox(f queue.Filter) queue.Inbox {
	w.t.Helper()
	return must[queue.Inbox](w.t)(queue.Get[queue.Inbox](w.t.Context(), w.operator, queue.QInbox{Limit: 50, Filter: f}))
}

// listed are the ids of a page.
func listed(rows []queue.Row) (ids []string) {
	for i := range rows {
		ids = append(ids, rows[i].ID)
	}
	return ids
}

func TestSnooze(t *testing.T) {
	w := newWorld(t)
	a, b := w.submit(call("one")), w.submit(call("two"))
	w.ok(w.operator, queue.Snooze{Ask: a.Ask, ForMS: 10 * minute}, 0)
	page := w.inbox(queue.Filter{})
	if got := listed(page.Rows); len(got) != 1 || got[0] != b.Ask || page.Snoozed != 1 || page.Wakes != w.wall+10*minute || page.Counters.Pending != 2 {
		t.Fatalf("%v, %d snoozed, first wakes at %d, %d pending", got, page.Snoozed, page.Wakes, page.Counters.Pending)
	}
	for name, f := range map[string]queue.Filter{
		"snoozed": {Snoozed: true}, "words": {Find: "one"}, "session": {Session: page.Rows[0].Session, Find: "one"},
	} {
		rows := w.inbox(f).Rows
		if len(rows) != 1 || rows[0].ID != a.Ask || rows[0].SnoozedUntil != w.wall+10*minute {
			t.Errorf("%s: %+v", name, rows)
		}
	}
	if rows := w.inbox(queue.Filter{Kind: digest.KindCall}).Rows; len(rows) != 1 {
		t.Errorf("by kind: %v", listed(rows))
	}
	if w.see(a.Ask).Row.SnoozedUntil == 0 || w.state(a.Ask) != queue.StatePending {
		t.Error("the ask itself does not say that it is snoozed, or it changed")
	}

	w.pass(10*minute - 1)
	if page = w.inbox(queue.Filter{}); len(page.Rows) != 1 {
		t.Error("awake before its time")
	}
	w.pass(1)
	if page = w.inbox(queue.Filter{}); len(page.Rows) != 2 || page.Snoozed != 0 || page.Wakes != 0 || page.Rows[0].SnoozedUntil != 0 {
		t.Errorf("at its time: %d rows, %d snoozed", len(page.Rows), page.Snoozed)
	}

	w.ok(w.operator, queue.Snooze{Ask: a.Ask, ForMS: 60 * minute}, 0)
	w.ok(w.operator, queue.Snooze{Ask: a.Ask}, 0)
	if page = w.inbox(queue.Filter{}); len(page.Rows) != 2 {
		t.Error("0 does not wake it")
	}
	w.ok(w.operator, queue.Snooze{Ask: a.Ask, ForMS: 60 * minute}, 0)
	w.decide(a.Ask, queue.VerdictDeny)
	if page = w.inbox(queue.Filter{}); page.Snoozed != 0 || len(page.Rows) != 1 {
		t.Errorf("answered: %d snoozed, %d rows", page.Snoozed, len(page.Rows))
	}
}

func TestSnoozeIsBounded(t *testing.T) {
	w := newWorld(t)
	a := w.submit(call("one"))
	by := w.see(a.Ask).Row.AnswerBy
	w.refused(w.operator, queue.Snooze{Ask: a.Ask, ForMS: -1}, queue.CodeBadInput, 0)
	w.refused(w.operator, queue.Snooze{Ask: a.Ask, ForMS: 24*60*minute + 1}, queue.CodeBadInput, 0)
	last := by - 5*minute - w.wall
	if no := w.refused(w.operator, queue.Snooze{Ask: a.Ask, ForMS: last + 1}, queue.CodeSnoozedTooLong, 0); no.At != by-5*minute || no.Hint == "" {
		t.Errorf("%+v", no)
	}
	w.ok(w.operator, queue.Snooze{Ask: a.Ask, ForMS: last}, 0)
	w.refused(w.operator, queue.Snooze{Ask: "nobody", ForMS: 1}, queue.CodeUnknownID, 0)
	w.refused(w.agent, queue.Snooze{Ask: a.Ask}, queue.CodeNotAllowed, 0)
	w.refused(w.agent, queue.Claim{Ask: a.Ask}, queue.CodeNotAllowed, 0)
	w.pass(by - w.wall)
	w.refused(w.operator, queue.Snooze{Ask: a.Ask, ForMS: 1}, queue.CodeTooLate, 1)
	if page := w.inbox(queue.Filter{}); page.Snoozed != 0 {
		t.Errorf("expired and %d snoozed", page.Snoozed)
	}
}

func TestClaim(t *testing.T) {
	w := newWorld(t)
	a := w.submit(call("one"))
	noe := w.q.Port(queue.Conn{Principal: digest.Principal{Agent: "operator", User: "noé"}, Role: queue.RoleOperator, Way: "console"})
	by := func() (string, int64) {
		t.Helper()
		row := w.inbox(queue.Filter{}).Rows[0]
		if seen := w.see(a.Ask).Row; seen.ClaimedBy != row.ClaimedBy || seen.ClaimedUntil != row.ClaimedUntil {
			t.Errorf("list and ask differ: %+v, %+v", row, seen)
		}
		return row.ClaimedBy, row.ClaimedUntil
	}
	w.refused(noe, queue.Claim{Ask: a.Ask, ForMS: 60*minute + 1}, queue.CodeBadInput, 0)
	w.refused(noe, queue.Claim{Ask: a.Ask, ForMS: -1}, queue.CodeBadInput, 0)
	w.ok(noe, queue.Claim{Ask: a.Ask, ForMS: 5 * minute}, 0)
	until := w.wall + 5*minute
	if who, at := by(); who != "noé" || at != until {
		t.Errorf("claimed by %q until %d", who, at)
	}
	for _, act := range []queue.Claim{{Ask: a.Ask, ForMS: minute}, {Ask: a.Ask}} {
		if no := w.refused(w.operator, act, queue.CodeClaimed, 0); no.Who != "noé" || no.At != until || no.Hint == "" {
			t.Errorf("%+v", no)
		}
	}
	w.ok(noe, queue.Claim{Ask: a.Ask, ForMS: 10 * minute}, 0) // again by the same
	w.ok(noe, queue.Claim{Ask: a.Ask}, 0)
	if who, _ := by(); who != "" {
		t.Errorf("let go, and claimed by %q", who)
	}
	w.ok(noe, queue.Claim{Ask: a.Ask, ForMS: 5 * minute}, 0)
	w.ok(w.operator, queue.Claim{Ask: a.Ask, ForMS: minute, Over: true}, 0)
	if who, at := by(); who != "mia" || at != w.wall+minute {
		t.Errorf("taken over, and claimed by %q until %d", who, at)
	}
	w.pass(minute)
	if who, _ := by(); who != "" {
		t.Errorf("over, and claimed by %q", who)
	}
	w.ok(noe, queue.Claim{Ask: a.Ask, ForMS: minute}, 0)
	// It binds nobody, and snoozing leaves it.
	w.ok(w.operator, queue.Snooze{Ask: a.Ask, ForMS: minute}, 0)
	if row := w.see(a.Ask).Row; row.ClaimedBy != "noé" || row.SnoozedUntil == 0 {
		t.Errorf("%+v", row)
	}
	w.decide(a.Ask, queue.VerdictAllow)
	if row := w.see(a.Ask).Row; row.ClaimedBy != "" || row.SnoozedUntil != 0 {
		t.Errorf("answered: %+v", row)
	}
}

// TestAMarkGoesWithAnEdit: the ask in its place is a new one, that nobody put
// away or took.
func TestAMarkGoesWithAnEdit(t *testing.T) {
	w := newWorld(t)
	s := w.submit(editable("one"))
	w.ok(w.operator, queue.Snooze{Ask: s.Ask, ForMS: 60_000}, 0)
	w.ok(w.operator, queue.Claim{Ask: s.Ask, ForMS: 60_000}, 0)
	e := w.edit(s.Ask, `{"command":"two"}`)
	for _, id := range []string{s.Ask, e.Ask} {
		if r := w.see(id).Row; r.SnoozedUntil != 0 || r.ClaimedBy != "" {
			t.Errorf("%s is marked: %+v", id, r)
		}
	}
	in := must[queue.Inbox](t)(queue.Get[queue.Inbox](t.Context(), w.operator, queue.QInbox{}))
	if len(in.Rows) != 1 || in.Rows[0].ID != e.Ask || in.Snoozed != 0 {
		t.Errorf("the inbox is %+v", in)
	}
	w.refused(w.operator, queue.Snooze{Ask: s.Ask, ForMS: 60_000}, queue.CodeDecided, 0)
	w.ok(w.operator, queue.Snooze{Ask: e.Ask, ForMS: 60_000}, 0)
	s2 := must[queue.Ended](t)(queue.As[queue.Ended](t.Context(), w.agent, queue.EndSession{Session: "s1"}))
	if s2.Withdrawn != 1 {
		t.Errorf("ended: %+v", s2)
	}
	in = must[queue.Inbox](t)(queue.Get[queue.Inbox](t.Context(), w.operator, queue.QInbox{}))
	if len(in.Rows) != 0 || in.Snoozed != 0 {
		t.Errorf("after the session: %+v", in)
	}
}
