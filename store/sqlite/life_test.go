package sqlite

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"nod/digest"
	"nod/queue"
)

func TestDueComesInItsTime(t *testing.T) {
	s := fresh(t, Options{})
	for i, by := range []int64{300, 100, 200} {
		row := pendingRow(i+1, nil)
		row.AnswerBy = by
		do(t, s, func(tx queue.Tx) error { return tx.InsertAsk(row, nil) })
	}
	due := func(now, limit int64) (list []int64) {
		do(t, s, func(tx queue.Tx) error {
			rows, err := tx.DueAsks(now, limit)
			list = seqs(rows)
			return err
		})
		return list
	}
	expire := func(seq int) {
		do(t, s, func(tx queue.Tx) error {
			row, err := tx.Ask(pendingRow(seq, nil).ID)
			row.State = queue.StateExpired
			return errors.Join(err, func() error { _, err := tx.MoveAsk(row, queue.StatePending, 1000); return err }())
		})
	}
	for _, step := range []struct {
		now, limit int64
		want       []int64
	}{{99, 9, nil}, {100, 9, []int64{2}}, {250, 9, []int64{2, 3}}, {250, 1, []int64{2}}, {300, 9, []int64{2, 3, 1}}} {
		if got := due(step.now, step.limit); !slices.Equal(got, step.want) {
			t.Errorf("at %d: %v, want %v", step.now, got, step.want)
		}
	}
	expire(2)
	expire(3)
	if got := due(250, 9); len(got) != 0 {
		t.Errorf("settled and still due: %v", got)
	}
	if got := due(300, 9); !slices.Equal(got, []int64{1}) {
		t.Errorf("after settling: %v", got)
	}
	// Learned in an act that is undone, "nothing is due" must not stay.
	_ = s.Do(context.Background(), func(tx queue.Tx) error {
		row, _ := tx.Ask(pendingRow(1, nil).ID)
		row.State = queue.StateExpired
		if ok, err := tx.MoveAsk(row, queue.StatePending, 1000); !ok {
			t.Error(ok, err)
		}
		if rows, err := tx.DueAsks(300, 9); len(rows) != 0 {
			t.Error(seqs(rows), err)
		}
		return errors.New("no")
	})
	if got := due(300, 9); !slices.Equal(got, []int64{1}) {
		t.Errorf("after an undone act: %v", got)
	}
}

func TestAttempts(t *testing.T) {
	s := fresh(t, Options{})
	row := pendingRow(1, nil)
	a := &queue.Attempt{
		ID: "t1", AskID: row.ID, Number: 1, State: queue.AttemptExecuting, TokenHash: "h", Executor: "hook",
		HostRuns: true, Session: "s-a", BeganAt: 10, Lease: 500, LeaseMS: 490, Desk: true,
	}
	do(t, s, func(tx queue.Tx) error {
		return errors.Join(tx.InsertAsk(row, nil), tx.InsertAttempt(a))
	})
	do(t, s, func(tx queue.Tx) error {
		early, err1 := tx.DueAttempts(499, 9)
		due, err2 := tx.DueAttempts(500, 9)
		running, err3 := tx.ExecutingOf("s-a")
		if len(early) != 0 || len(due) != 1 || len(running) != 1 || !reflect.DeepEqual(&running[0], a) {
			t.Errorf("early %v, due %v, running %v", early, due, running)
		}
		return errors.Join(err1, err2, err3)
	})
	a.Lease = 900 // renewed
	do(t, s, func(tx queue.Tx) error {
		ok, err := tx.MoveAttempt(a, queue.AttemptExecuting)
		due, err2 := tx.DueAttempts(500, 9)
		if !ok || len(due) != 0 {
			t.Errorf("renewed %v, due %v", ok, due)
		}
		return errors.Join(err, err2)
	})
	a.State, a.EndedAt, a.Exit, a.Observed, a.Mismatch, a.Late, a.Ref = queue.AttemptUnknown, 901, queue.ExitFailure, "o", true, true, "ref"
	do(t, s, func(tx queue.Tx) error {
		ok, err := tx.MoveAttempt(a, queue.AttemptExecuting)
		again, err2 := tx.MoveAttempt(a, queue.AttemptExecuting)
		if !ok || again {
			t.Errorf("moved %v, again %v", ok, again)
		}
		return errors.Join(err, err2)
	})
	view(t, s, func(tx queue.ReadTx) error {
		got, err1 := tx.Attempt("t1")
		list, err2 := tx.AttemptsOf(row.ID)
		r, err3 := tx.Ask(row.ID)
		c, err4 := tx.Counters()
		if !reflect.DeepEqual(got, a) || len(list) != 1 {
			t.Errorf("attempt %+v, list %v", got, list)
		}
		if r.Outcome != "" || // its call ended, and it is of no effect
			r.Exit != queue.ExitFailure || !r.Mismatch || c.Unknown != 0 { // the counter is of effects
			t.Errorf("row %+v, counters %+v", r, c)
		}
		return errors.Join(err1, err2, err3, err4)
	})
	a.State = queue.AttemptCommitted
	do(t, s, func(tx queue.Tx) error {
		_, err := tx.MoveAttempt(a, queue.AttemptUnknown)
		c, _ := tx.Counters()
		if c.Unknown != 0 {
			t.Errorf("counters %+v", c)
		}
		return err
	})
	orphan := &queue.Attempt{ID: "t2", AskID: "absent", State: queue.AttemptExecuting}
	if err := s.Do(context.Background(), func(tx queue.Tx) error { return tx.InsertAttempt(orphan) }); err == nil {
		t.Error("an attempt of no ask was kept")
	}
}

func TestSessions(t *testing.T) {
	s := fresh(t, Options{})
	put := func(tx queue.Tx, id, parent string, last, ended int64) error {
		return tx.PutSession(&queue.Session{ID: id, HostID: "h", Principal: "p", Agent: "a", Parent: parent, StartedAt: 1, LastAct: last, EndedAt: ended})
	}
	ids := func(list []queue.Session) (ids []string) {
		for _, s := range list {
			ids = append(ids, s.ID)
		}
		return ids
	}
	do(t, s, func(tx queue.Tx) error {
		err := errors.Join(put(tx, "a", "", 10, 0), put(tx, "b", "a", 30, 40), put(tx, "c", "a", 20, 0), put(tx, "d", "", 5, 6))
		list, err2 := tx.ChildrenOf("a") // also those not yet written
		if !slices.Equal(ids(list), []string{"b", "c"}) && !slices.Equal(ids(list), []string{"c", "b"}) {
			t.Errorf("children %v", ids(list))
		}
		return errors.Join(err, err2)
	})
	// An undone act that listed sessions must not lose those of the acts before.
	together(s,
		func(tx queue.Tx) error { return put(tx, "d", "", 50, 0) },
		func(tx queue.Tx) error {
			_, err := tx.Sessions(9)
			return errors.Join(err, put(tx, "a", "", 99, 0), errors.New("no"))
		})
	view(t, s, func(tx queue.ReadTx) error {
		list, err := tx.Sessions(3)
		if !slices.Equal(ids(list), []string{"d", "b", "c"}) {
			t.Errorf("newest first: %v", ids(list))
		}
		got, err2 := tx.Session("b")
		want := &queue.Session{ID: "b", HostID: "h", Principal: "p", Agent: "a", Parent: "a", StartedAt: 1, LastAct: 30, EndedAt: 40}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("session %+v", got)
		}
		none, err3 := tx.Session("absent")
		if none != nil {
			t.Errorf("absent: %+v", none)
		}
		return errors.Join(err, err2, err3)
	})
}

func TestGrantsAndFreezes(t *testing.T) {
	s := fresh(t, Options{})
	d := digest.Of([]byte("x"))
	g := &queue.Grant{ID: "g", ActionDigest: d, Session: "s-a", Left: 1, Until: 100, By: "ann", At: 1}
	do(t, s, func(tx queue.Tx) error { return tx.InsertGrant(g) })
	grant := func(session string, action digest.Digest, now int64) (got *queue.Grant) {
		do(t, s, func(tx queue.Tx) (err error) { got, err = tx.GrantFor(session, action, now); return err })
		return got
	}
	if !reflect.DeepEqual(grant("s-a", d, 99), g) {
		t.Error("the grant does not hold")
	}
	if grant("s-a", d, 100) != nil || grant("s-b", d, 1) != nil || grant("s-a", digest.Of(nil), 1) != nil {
		t.Error("the grant holds too widely")
	}
	do(t, s, func(tx queue.Tx) error { return tx.UseGrant("g") })
	if grant("s-a", d, 99) != nil {
		t.Error("a used grant holds")
	}
	if err := s.Do(context.Background(), func(tx queue.Tx) error { return tx.UseGrant("g") }); err == nil {
		t.Error("a grant was used once too often")
	}

	all, one := &queue.FreezeRow{Since: 10, By: "ann", Reason: "r"}, &queue.FreezeRow{Session: "s-a", Since: 20, By: "bob"}
	do(t, s, func(tx queue.Tx) error { return errors.Join(tx.InsertFreeze(all), tx.InsertFreeze(one)) })
	do(t, s, func(tx queue.Tx) error { return tx.LiftFreeze(one.ID, 30) })
	check := func(tx queue.ReadTx) error {
		hold, err := tx.Freezes()
		if !reflect.DeepEqual(hold, []queue.FreezeRow{*all}) {
			t.Errorf("holding %+v", hold)
		}
		for _, q := range []struct {
			session string
			since   int64
			want    int64
		}{{"s-a", 15, one.ID}, {"s-a", 20, one.ID}, {"s-a", 21, 0}, {"s-b", 11, 0}, {"s-b", 10, all.ID}} {
			f, err := tx.FreezeAfter(q.session, q.since)
			if (f == nil) != (q.want == 0) || f != nil && f.ID != q.want || err != nil {
				t.Errorf("after %d for %s: %+v, %v, want %d", q.since, q.session, f, err, q.want)
			}
		}
		return err
	}
	view(t, s, check)
	do(t, s, func(tx queue.Tx) error { return check(tx) })
	if err := s.Do(context.Background(), func(tx queue.Tx) error { return tx.LiftFreeze(one.ID, 31) }); err == nil {
		t.Error("a freeze was lifted twice")
	}
}

func TestNotices(t *testing.T) {
	s := fresh(t, Options{})
	one, two := &queue.Notice{Code: "a", Ask: "x", Session: "s", Sentence: "S", At: 1}, &queue.Notice{Code: "b", At: 2}
	do(t, s, func(tx queue.Tx) error { return errors.Join(tx.InsertNotice(one), tx.InsertNotice(two)) })
	do(t, s, func(tx queue.Tx) error { return tx.AckNotice(two.ID, 9, "ann") })
	view(t, s, func(tx queue.ReadTx) error {
		open, err1 := tx.Notices(queue.QNotices{Open: true, Limit: 9})
		all, err2 := tx.Notices(queue.QNotices{Limit: 9})
		got, err3 := tx.Notice(two.ID)
		c, err4 := tx.Counters()
		if !reflect.DeepEqual(open, []queue.Notice{*one}) || len(all) != 2 || all[0].ID != two.ID ||
			got.AckedAt != 9 || got.AckedBy != "ann" || c.Notices != 1 {
			t.Errorf("open %+v, all %+v, counters %+v", open, all, c)
		}
		return errors.Join(err1, err2, err3, err4)
	})
	if err := s.Do(context.Background(), func(tx queue.Tx) error { return tx.AckNotice(two.ID, 9, "ann") }); err == nil {
		t.Error("acknowledged twice")
	}
}
