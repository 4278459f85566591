package sqlite

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nod/digest"
	"nod/queue"
)

// full is a row with every field set to a value of its own.
func full(i int) *queue.Row {
	r := pendingRow(i, body(i, 10))
	allowed(r)
	hostile := "a|b\x1f\x00\n\u202e\"'" + strings.Repeat("é", 10)
	r.Kind, r.Agent, r.User, r.Host, r.Tool = digest.KindCommit, hostile+"1", hostile+"2", hostile+"3", hostile+"4"
	r.Gist, r.Cwd, r.Words, r.Answer, r.Rule = hostile+"5", hostile+"6", hostile+"7", `{"a":"|"}`, hostile+"8"
	r.Decider, r.GistMore, r.NotBefore = hostile+"9", 77, 4000
	r.Reasons, r.Mandated, r.Irreversible = []string{"default", "rule"}, true, true
	r.Grant, r.Replaces, r.RevokeReason, r.Mismatch = "g-1", "r-1", "frozen", true
	r.Outcome, r.Exit = queue.AttemptUnknown, queue.ExitTimeout
	r.Edits, r.DerivedFrom, r.EditedTo = true, "d-1", "e-1"
	return r
}

func TestARowComesBackWhole(t *testing.T) {
	s := fresh(t, Options{})
	decided, plain := full(1), pendingRow(2, body(2, 10))
	plain.Reasons, plain.CallKey = nil, ""
	do(t, s, func(tx queue.Tx) error { return errors.Join(tx.InsertAsk(decided, nil), tx.InsertAsk(plain, nil)) })
	v := reflect.ValueOf(*decided)
	for i := range v.NumField() {
		switch name := v.Type().Field(i).Name; {
		case name == "SnoozedUntil" || name == "ClaimedBy" || name == "ClaimedUntil", // marks: not the row's
			name == "EffectKey": // only of a new ask
		case v.Field(i).IsZero():
			t.Errorf("the test leaves %s out", name)
		}
	}
	view(t, s, func(tx queue.ReadTx) error {
		for _, want := range []*queue.Row{decided, plain} {
			got, err := tx.Ask(want.ID)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v, %v", got, want, err)
			}
		}
		return nil
	})
}

func TestABarInAPackedColumnIsRefused(t *testing.T) {
	s := fresh(t, Options{})
	for name, spoil := range map[string]func(*queue.Row){
		"id": func(r *queue.Row) { r.ID += "|" }, "way": func(r *queue.Row) { r.DecidedWay = "a|b" },
		"call key": func(r *queue.Row) { r.CallKey = "|" }, "reason": func(r *queue.Row) { r.Reasons = []string{"a b"} },
	} {
		row := pendingRow(1, nil)
		spoil(row)
		if err := s.Do(context.Background(), func(tx queue.Tx) error { return tx.InsertAsk(row, nil) }); err == nil {
			t.Errorf("%s: kept", name)
		}
	}
	if row := pendingRow(1, nil); s.Do(context.Background(), func(tx queue.Tx) error { return tx.InsertAsk(row, nil) }) != nil {
		t.Error("a good row was refused")
	}
}

func TestWordsOutsideTheStatesAreRefused(t *testing.T) {
	s := fresh(t, Options{})
	for name, spoil := range map[string]func(*queue.Row){
		"state": func(r *queue.Row) { r.State = "maybe" }, "kind": func(r *queue.Row) { r.Kind = "poem" },
		"verdict":    func(r *queue.Row) { r.Verdict = "yes" },
		"decided by": func(r *queue.Row) { r.Verdict, r.DecidedBy = "allow", "cat" },
		"outcome":    func(r *queue.Row) { r.Outcome = "fine" },
		"exit":       func(r *queue.Row) { r.Outcome, r.Exit = "unknown", "ok" },
	} {
		row := pendingRow(1, nil)
		spoil(row)
		if err := s.Do(context.Background(), func(tx queue.Tx) error { return tx.InsertAsk(row, nil) }); err == nil {
			t.Errorf("%s: kept", name)
		}
	}
	attempt := &queue.Attempt{ID: "t", State: "running"}
	err := s.Do(context.Background(), func(tx queue.Tx) error {
		row := pendingRow(1, nil)
		attempt.AskID = row.ID
		return errors.Join(tx.InsertAsk(row, nil), tx.InsertAttempt(attempt))
	})
	if err == nil {
		t.Error("attempt: kept")
	}
}

func TestMoveAskIsConditional(t *testing.T) {
	s := fresh(t, Options{})
	row := pendingRow(1, nil)
	row.AnswerBy = 3000
	do(t, s, func(tx queue.Tx) error { return tx.InsertAsk(row, nil) })
	move := func(from queue.State, now int64, change func(*queue.Row)) (ok bool) {
		r := *row
		allowed(&r)
		change(&r)
		do(t, s, func(tx queue.Tx) (err error) { ok, err = tx.MoveAsk(&r, from, now); return err })
		return ok
	}
	other := digest.Of([]byte("other"))
	as := func(*queue.Row) {}
	for name, ok := range map[string]bool{
		"another state": move(queue.StateAllowed, 2000, as),
		"action digest": move(queue.StatePending, 2000, func(r *queue.Row) { r.ActionDigest = other }),
		"shown digest":  move(queue.StatePending, 2000, func(r *queue.Row) { r.ShownDigest = other }),
		"another id":    move(queue.StatePending, 2000, func(r *queue.Row) { r.ID = "0192f0a0" }),
		"at the limit":  move(queue.StatePending, 3000, as),
		"deny too late": move(queue.StatePending, 3001, func(r *queue.Row) { r.State, r.Verdict = queue.StateDenied, queue.VerdictDeny }),
		"answer late":   move(queue.StatePending, 3001, func(r *queue.Row) { r.State, r.Verdict = queue.StateAnswered, queue.VerdictAnswer }),
	} {
		if ok {
			t.Errorf("%s: moved", name)
		}
	}
	view(t, s, func(tx queue.ReadTx) error {
		got, err := tx.Ask(row.ID)
		if !reflect.DeepEqual(got, row) {
			t.Errorf("changed to %+v", got)
		}
		return err
	})
	if !move(queue.StatePending, 2999, as) {
		t.Error("in time: not moved")
	}
	if move(queue.StatePending, 2999, as) {
		t.Error("moved twice")
	}
	if !move(queue.StateAllowed, 1<<41, func(r *queue.Row) { r.State = queue.StateLapsed }) {
		t.Error("a lapse is late by nature, and was refused")
	}
}

func TestExpiryNeedsNoTimeLeft(t *testing.T) {
	s := fresh(t, Options{})
	row := pendingRow(1, nil)
	row.AnswerBy = 3000
	do(t, s, func(tx queue.Tx) error { return tx.InsertAsk(row, nil) })
	row.State = queue.StateExpired
	do(t, s, func(tx queue.Tx) error {
		ok, err := tx.MoveAsk(row, queue.StatePending, 3000)
		if !ok {
			t.Error("not moved")
		}
		return err
	})
}

func TestCountersFollowTheStates(t *testing.T) {
	s := fresh(t, Options{})
	put := func(i int, change func(*queue.Row)) *queue.Row {
		row := pendingRow(i, nil)
		row.Agent = "a"
		change(row)
		do(t, s, func(tx queue.Tx) error { return tx.InsertAsk(row, nil) })
		return row
	}
	move := func(row *queue.Row, to queue.State) {
		from := row.State
		row.State = to
		do(t, s, func(tx queue.Tx) error {
			ok, err := tx.MoveAsk(row, from, 2000)
			if !ok {
				t.Errorf("%s to %s: not moved", from, to)
			}
			return err
		})
	}
	check := func(want queue.Counters, pendingOf int64) {
		t.Helper()
		read := func(tx queue.ReadTx) error {
			c, err1 := tx.Counters()
			n, err2 := tx.PendingOf("a")
			if c != want || n != pendingOf {
				t.Errorf("counters %+v, agent %d, want %+v, %d", c, n, want, pendingOf)
			}
			return errors.Join(err1, err2)
		}
		view(t, s, read)
		do(t, s, func(tx queue.Tx) error { return read(tx) })
	}
	do(t, s, func(tx queue.Tx) error { // remembered before the first, and true within the act
		before, err1 := tx.PendingOf("b")
		row := pendingRow(9, nil)
		row.Agent, row.State = "b", queue.StatePending
		err2 := tx.InsertAsk(row, nil)
		after, err3 := tx.PendingOf("b")
		if before != 0 || after != 1 {
			t.Errorf("an agent's asks: %d before, %d after", before, after)
		}
		return errors.Join(err1, err2, err3)
	})
	do(t, s, func(tx queue.Tx) error {
		row, err := tx.Ask(pendingRow(9, nil).ID)
		row.State = queue.StateWithdrawn
		_, err2 := tx.MoveAsk(row, queue.StatePending, 2000)
		n, err3 := tx.PendingOf("b")
		if n != 0 {
			t.Errorf("an agent's asks: %d after it was withdrawn", n)
		}
		return errors.Join(err, err2, err3)
	})
	call := put(1, func(r *queue.Row) { r.Mandated = true })
	question := put(2, func(r *queue.Row) { r.Kind = digest.KindQuestion })
	third, fourth := put(3, func(*queue.Row) {}), put(4, func(*queue.Row) {})
	put(5, func(r *queue.Row) { r.State, r.Verdict = queue.StateDenied, queue.VerdictDeny })
	check(queue.Counters{Pending: 4, Mandated: 1, Questions: 1, Asks: 6, Denied: 1}, 4)
	move(call, queue.StateAllowed)
	move(question, queue.StateAnswered)
	check(queue.Counters{Pending: 2, Allowed: 1, Asks: 6, Denied: 1}, 2)
	move(call, queue.StateSpent)
	move(third, queue.StateExpired)
	move(fourth, queue.StateWithdrawn)
	check(queue.Counters{Asks: 6, Denied: 1, Expired: 1, Spent: 1}, 0)
}

func TestLookups(t *testing.T) {
	s := fresh(t, Options{})
	insert := func(i int, change func(*queue.Row)) *queue.Row {
		row := pendingRow(i, nil)
		row.Session, row.ActionDigest = "s-a", digest.Of([]byte("one"))
		change(row)
		do(t, s, func(tx queue.Tx) error { return tx.InsertAsk(row, nil) })
		return row
	}
	first := insert(1, func(r *queue.Row) { r.CallKey = "k" })
	second := insert(2, func(r *queue.Row) { r.CallKey = "k"; r.State = queue.StateExpired })
	insert(3, func(r *queue.Row) { r.Session = "s-b" })
	insert(4, func(r *queue.Row) { r.ActionDigest = digest.Of([]byte("two")); r.CallKey = "" })
	twin := insert(5, func(r *queue.Row) { r.CallKey = "other" })
	// Two keys that share their short number: only the whole key may match.
	must(t, s.w.c, fmt.Sprintf("UPDATE asks SET call_hash = %d WHERE id = '%s'", short("k"), twin.ID))
	must(t, s.w.c, fmt.Sprintf("UPDATE asks SET like_hash = %d WHERE seq = 4", short(string(first.ActionDigest))))
	view(t, s, func(tx queue.ReadTx) error {
		row, err := tx.AskByCallKey("s-a", "k")
		if err != nil || row == nil || row.ID != second.ID {
			t.Errorf("by call key: %+v, %v", row, err)
		}
		for _, none := range []string{"", "absent"} {
			if row, err := tx.AskByCallKey("s-a", none); row != nil || err != nil {
				t.Errorf("call key %q: %+v, %v", none, row, err)
			}
		}
		likes, err := tx.AsksLike("s-a", first.ActionDigest, 2)
		if err != nil || !slices.Equal(seqs(likes), []int64{5, 2}) {
			t.Errorf("likes %v, %v", seqs(likes), err)
		}
		open, err := tx.OpenOfSession("s-a", 10)
		if err != nil || !slices.Equal(seqs(open), []int64{1, 4, 5}) {
			t.Errorf("open %v, %v", seqs(open), err)
		}
		ids, err := tx.AskPrefix(first.ID[:35])
		if err != nil || len(ids) != 2 {
			t.Errorf("prefix of many: %v, %v", ids, err)
		}
		ids, err = tx.AskPrefix(second.ID)
		if err != nil || !slices.Equal(ids, []string{second.ID}) {
			t.Errorf("prefix of one: %v, %v", ids, err)
		}
		if ids, err = tx.AskPrefix("%"); err != nil || len(ids) != 0 {
			t.Errorf("prefix of none: %v, %v", ids, err)
		}
		if row, err = tx.Ask("absent"); row != nil || err != nil {
			t.Errorf("absent: %+v, %v", row, err)
		}
		return nil
	})
}

func seqs(rows []queue.Row) (list []int64) {
	for i := range rows {
		list = append(list, rows[i].Seq)
	}
	return list
}

func TestPagesMeetWithoutGapOrRepeat(t *testing.T) {
	s := fresh(t, Options{})
	const n = 23
	for i := 1; i <= n; i++ {
		row := pendingRow(i, nil)
		if i%5 == 0 {
			row.State = queue.StateDenied
		}
		do(t, s, func(tx queue.Tx) error { return tx.InsertAsk(row, nil) })
	}
	view(t, s, func(tx queue.ReadTx) error {
		var all, down, up, history []queue.Row
		all, more, err := tx.PendingPage(queue.QInbox{Limit: 500})
		if err != nil || more || len(all) != n-n/5 || !slices.IsSortedFunc(all, byPlace) {
			t.Errorf("all: %v, more %v, %v", seqs(all), more, err)
		}
		for key, more := (queue.Key{}), true; more; {
			var rows []queue.Row
			if rows, more, err = tx.PendingPage(queue.QInbox{After: key, Limit: 4}); err != nil {
				return err
			}
			down = append(down, rows...)
			key = place(&rows[len(rows)-1])
		}
		for key, more := (queue.Key{Urgency: 99}), true; more; {
			var rows []queue.Row
			if rows, more, err = tx.PendingPage(queue.QInbox{Before: &key, Limit: 4}); err != nil {
				return err
			}
			up = append(slices.Clone(rows), up...)
			key = place(&rows[0])
		}
		if !slices.Equal(seqs(down), seqs(all)) || !slices.Equal(seqs(up), seqs(all)) {
			t.Errorf("all %v\ndown %v\nup %v", seqs(all), seqs(down), seqs(up))
		}
		for before, more := int64(0), true; more; before = history[len(history)-1].Seq {
			var rows []queue.Row
			if rows, more, err = tx.HistoryPage(queue.QHistory{BeforeSeq: before, Limit: 3}); err != nil {
				return err
			}
			history = append(history, rows...)
		}
		if !slices.Equal(seqs(history), []int64{20, 15, 10, 5}) {
			t.Errorf("history %v", seqs(history))
		}
		denied, _, err := tx.HistoryPage(queue.QHistory{State: queue.StateDenied, BeforeSeq: 15, Limit: 3})
		if err != nil || !slices.Equal(seqs(denied), []int64{10, 5}) {
			t.Errorf("denied %v, %v", seqs(denied), err)
		}
		none, _, err := tx.HistoryPage(queue.QHistory{State: queue.StatePending, Limit: 3})
		if len(none) != 0 {
			t.Errorf("history shows pending asks: %v", seqs(none))
		}
		return err
	})
}

func place(r *queue.Row) queue.Key { return queue.Key{Urgency: r.Urgency, Seq: r.Seq} }

func byPlace(a, b queue.Row) int {
	return slices.Compare([]int64{a.Urgency, a.Seq}, []int64{b.Urgency, b.Seq})
}

func TestWaiter(t *testing.T) {
	s := fresh(t, Options{})
	row := pendingRow(1, nil)
	do(t, s, func(tx queue.Tx) error { return tx.InsertAsk(row, nil) })
	do(t, s, func(tx queue.Tx) error { return tx.SetWaiter(row.ID, "h2", 77, "") })
	do(t, s, func(tx queue.Tx) error {
		got, err := tx.AskByCallKey(row.Session, row.CallKey)
		if err != nil || got.WaiterHash != "h2" || got.WaiterUntil != 77 {
			t.Errorf("renewed: %+v, %v", got, err)
		}
		return tx.SetWaiter(row.ID, "h3", 88, "new key")
	})
	view(t, s, func(tx queue.ReadTx) error {
		old, err1 := tx.AskByCallKey(row.Session, row.CallKey)
		got, err2 := tx.AskByCallKey(row.Session, "new key")
		if old != nil || got == nil || got.WaiterHash != "h3" || got.ID != row.ID {
			t.Errorf("adopted: old %+v, new %+v", old, got)
		}
		return errors.Join(err1, err2)
	})
	if err := s.Do(context.Background(), func(tx queue.Tx) error { return tx.SetWaiter("absent", "h", 1, "") }); err == nil {
		t.Error("a waiter for no ask was kept")
	}
}
