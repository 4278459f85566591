package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nod/queue"
)

// do runs fn as an act that must succeed.
func do(t testing.TB, s *Store, fn func(tx queue.Tx) error) {
	t.Helper()
	if err := s.Do(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

// view runs fn on a snapshot.
func view(t testing.TB, s *Store, fn func(tx queue.ReadTx) error) {
	t.Helper()
	if err := s.View(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

// trace is everything that an undone act may not have touched.
func trace(t testing.TB, s *Store) string {
	t.Helper()
	var out string
	read := func(tx queue.ReadTx) error {
		head, err1 := tx.Head()
		clock, err2 := tx.Clock()
		counters, err3 := tx.Counters()
		freezes, err4 := tx.Freezes()
		pending, err5 := tx.PendingOf("agent-1")
		session, err6 := tx.Session("s-0000000000000001")
		due, err7 := tx.DueAsks(1<<50, 500)
		grant, err8 := tx.GrantFor("s-0000000000000001", pendingRow(1, body(1, 10)).ActionDigest, 0)
		after, err9 := tx.FreezeAfter("s-0000000000000001", 0)
		notices, err10 := tx.Notices(queue.QNotices{Limit: 10})
		snoozed, wakes, marked, err11 := tx.Snoozed(0)
		mark, err12 := tx.Mark(1)
		out += fmt.Sprintln(head, clock, counters, freezes, pending, session, len(due), grant, after, notices, snoozed, wakes, marked, mark)
		return errors.Join(err1, err2, err3, err4, err5, err6, err7, err8, err9, err10, err11, err12)
	}
	do(t, s, func(tx queue.Tx) error { return read(tx) }) // what is remembered
	view(t, s, read)                                      // what is on the disk
	return out
}

// wild changes everything an act can change.
func wild(tx queue.Tx, i int) error {
	if err := submit(tx, i, body(i, 10)); err != nil {
		return err
	}
	row := pendingRow(i, body(i, 10))
	return errors.Join(
		tx.SetClock(queue.Clock{LastEffective: 9999, OffsetMS: 3, HeldSince: 1}),
		tx.PutSession(&queue.Session{ID: row.Session, Agent: "other"}),
		tx.InsertFreeze(&queue.FreezeRow{Since: 5000, By: "ann"}),
		tx.InsertGrant(&queue.Grant{ID: fmt.Sprint("g", i), Session: row.Session, ActionDigest: row.ActionDigest, Left: 1, Until: 1 << 40}),
		tx.InsertNotice(&queue.Notice{Code: "x", At: 1}),
		tx.PutMark(1, queue.Mark{SnoozedUntil: int64(7000 + i), ClaimedBy: "ann", ClaimedUntil: 8000}),
		tx.InsertAttempt(&queue.Attempt{ID: fmt.Sprint("t", i), AskID: row.ID, State: queue.AttemptExecuting, Lease: 10}),
	)
}

func TestAnUndoneActLeavesNoTrace(t *testing.T) {
	s := fresh(t, Options{})
	do(t, s, func(tx queue.Tx) error { return submit(tx, 0, body(0, 10)) })
	before := trace(t, s)
	boom := errors.New("boom")
	broken := func(tx queue.Tx) error { return errors.Join(wild(tx, 1), boom) }
	swallowed := func(tx queue.Tx) error { // says nil after a statement failed
		if err := wild(tx, 1); err != nil {
			return err
		}
		if err := tx.InsertAsk(pendingRow(0, nil), nil); err == nil { // its id is taken
			return errors.New("two asks with one id")
		}
		return nil
	}
	refused := func(tx queue.Tx) error { // and a refusal does not keep a broken act
		_ = swallowed(tx)
		return &queue.Refusal{Code: "no"}
	}
	for name, fn := range map[string]func(queue.Tx) error{"broken": broken, "swallowed": swallowed, "refused": refused} {
		t.Run(name+" alone", func(t *testing.T) {
			if err := s.Do(context.Background(), fn); err == nil || name == "broken" && !errors.Is(err, boom) {
				t.Errorf("answer %v", err)
			}
			if after := trace(t, s); after != before {
				t.Errorf("before\n%safter\n%s", before, after)
			}
		})
		t.Run(name+" in company", func(t *testing.T) {
			quiet := func(tx queue.Tx) error { _, err := tx.Head(); return err }
			errs := together(s, quiet, fn, quiet, fn)
			if errs[1] == nil || errs[3] == nil || errs[0] != nil || errs[2] != nil {
				t.Errorf("answers %v", errs)
			}
			if after := trace(t, s); after != before {
				t.Errorf("before\n%safter\n%s", before, after)
			}
		})
	}
}

// together carries acts out in one commit.
func together(s *Store, fns ...func(queue.Tx) error) []error {
	var acts []*act
	for _, fn := range fns {
		acts = append(acts, &act{fn: fn, done: make(chan struct{})})
	}
	s.w.turn <- struct{}{}
	s.w.batch = acts
	s.w.carry()
	<-s.w.turn
	var errs []error
	for _, a := range acts {
		errs = append(errs, a.err)
	}
	return errs
}

func TestKeptWithARefusal(t *testing.T) {
	s := fresh(t, Options{})
	refusal := &queue.Refusal{Code: "too_late"}
	err := s.Do(context.Background(), func(tx queue.Tx) error {
		return errors.Join(submit(tx, 1, body(1, 10)), fmt.Errorf("wrapped: %w", refusal))
	})
	var got *queue.Refusal
	if !errors.As(err, &got) || got != refusal {
		t.Errorf("answer %v", err)
	}
	view(t, s, func(tx queue.ReadTx) error {
		row, err := tx.Ask(pendingRow(1, nil).ID)
		if row == nil {
			t.Error("settle's change was not kept")
		}
		return err
	})
}

func TestEachOfManyIsKeptOrUndoneAlone(t *testing.T) {
	s := fresh(t, Options{})
	const callers, each = 32, 20
	var ran atomic.Int64
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			for k := range each {
				i := c*each + k + 1
				err := s.Do(context.Background(), func(tx queue.Tx) error {
					ran.Add(1)
					if err := submit(tx, i, body(i, 200)); err != nil {
						return err
					}
					if i%3 == 0 {
						return errors.New("no")
					}
					return nil
				})
				if (err != nil) != (i%3 == 0) {
					t.Errorf("act %d: %v", i, err)
				}
			}
		})
	}
	wg.Wait()
	const want = callers*each - callers*each/3
	if n := ran.Load(); n != callers*each {
		t.Errorf("functions ran %d times, want %d", n, callers*each)
	}
	if st := s.Stats(); st.Commits >= st.Acts/2 {
		t.Errorf("%d commits for %d acts: nothing was grouped", st.Commits, st.Acts)
	}
	view(t, s, func(tx queue.ReadTx) error {
		c, err1 := tx.Counters()
		h, err2 := tx.Head()
		if c.Pending != want || c.Asks != want || h.Seq != want {
			t.Errorf("counters %+v, head %d, want %d", c, h.Seq, want)
		}
		var sum int64
		for a := range 8 {
			n, err := tx.PendingOf(fmt.Sprintf("agent-%d", a))
			sum += n
			err1 = errors.Join(err1, err)
		}
		if sum != want {
			t.Errorf("agents have %d pending, want %d", sum, want)
		}
		for i := 1; i <= callers*each; i++ {
			row, err := tx.Ask(pendingRow(i, nil).ID)
			if err != nil || (row == nil) != (i%3 == 0) {
				t.Errorf("ask %d: %v, %v", i, row != nil, err)
			}
		}
		return errors.Join(err1, err2)
	})
}

func TestAPanicIsItsCallersOwn(t *testing.T) {
	s := fresh(t, Options{})
	func() {
		defer func() {
			if r := recover(); r != "ouch" {
				t.Errorf("recovered %v", r)
			}
		}()
		_ = s.Do(context.Background(), func(tx queue.Tx) error {
			if err := submit(tx, 1, body(1, 10)); err != nil {
				return err
			}
			panic("ouch")
		})
	}()
	do(t, s, func(tx queue.Tx) error {
		c, err := tx.Counters()
		if c.Asks != 0 {
			t.Errorf("counters %+v", c)
		}
		return errors.Join(err, submit(tx, 1, body(1, 10)))
	})
}

func TestAnEndedGoroutineFailsItsCommitOnly(t *testing.T) {
	s := fresh(t, Options{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Do(context.Background(), func(tx queue.Tx) error {
			if err := submit(tx, 1, body(1, 10)); err != nil {
				return err
			}
			(&testing.T{}).SkipNow() // runtime.Goexit
			return nil
		})
	}()
	<-ended
	do(t, s, func(tx queue.Tx) error { return submit(tx, 1, body(1, 10)) })
}

func TestAViewIsOneSnapshot(t *testing.T) {
	s := fresh(t, Options{})
	do(t, s, func(tx queue.Tx) error { return submit(tx, 1, body(1, 10)) })
	view(t, s, func(tx queue.ReadTx) error {
		rows, _, err := tx.PendingPage(queue.QInbox{Limit: 9})
		do(t, s, func(tx queue.Tx) error { return submit(tx, 2, body(2, 10)) }) // a reader keeps no writer waiting
		c, err2 := tx.Counters()
		if len(rows) != 1 || c.Pending != 1 {
			t.Errorf("%d rows, counters %+v", len(rows), c)
		}
		return errors.Join(err, err2)
	})
}

func TestCancelledBeforeItsTurn(t *testing.T) {
	s := fresh(t, Options{})
	s.w.turn <- struct{}{} // somebody writes
	ctx, cancel := context.WithCancel(context.Background())
	answer := make(chan error)
	go func() { answer <- s.Do(ctx, func(queue.Tx) error { t.Error("it ran"); return nil }) }()
	time.Sleep(20 * time.Millisecond)
	cancel()
	if err := <-answer; !errors.Is(err, context.Canceled) {
		t.Errorf("answer %v", err)
	}
	<-s.w.turn
	do(t, s, func(tx queue.Tx) error { return submit(tx, 1, body(1, 10)) })
}

func TestCancelledInsideIsCarriedOut(t *testing.T) {
	s := fresh(t, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	err := s.Do(ctx, func(tx queue.Tx) error {
		cancel()
		return submit(tx, 1, body(1, 10))
	})
	if err != nil {
		t.Errorf("answer %v", err)
	}
}

func TestAFailedCommitAnswersEveryCaller(t *testing.T) {
	s := fresh(t, Options{})
	do(t, s, func(tx queue.Tx) error { return submit(tx, 0, body(0, 10)) })
	before := trace(t, s)
	boom := errors.New("no disk")
	s.beforeCommit = func() error { return boom }
	own := errors.New("own")
	errs := together(s,
		func(tx queue.Tx) error { return submit(tx, 1, body(1, 10)) },
		func(tx queue.Tx) error { return &queue.Refusal{Code: "no"} },
		func(tx queue.Tx) error { return own },
	)
	s.beforeCommit = nil
	if !errors.Is(errs[0], boom) || !errors.Is(errs[1], boom) || !errors.Is(errs[2], own) {
		t.Errorf("answers %v", errs)
	}
	if after := trace(t, s); after != before {
		t.Errorf("before\n%safter\n%s", before, after)
	}
}

func TestAfterCloseEverythingIsRefused(t *testing.T) {
	s := fresh(t, Options{})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	_, err := s.Watch(ctx, pollEvery)
	for name, err := range map[string]error{
		"Do":    s.Do(ctx, func(queue.Tx) error { return nil }),
		"View":  s.View(ctx, func(queue.ReadTx) error { return nil }),
		"Watch": err,
	} {
		wantCode(t, name, err, CodeClosed)
	}
}

func wantCode(t testing.TB, what string, err error, code string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Code != code || e.Sentence == "" || e.Hint == "" {
		t.Errorf("%s: %v, want %s with sentence and hint", what, err, code)
	}
}
