package sqlite

import (
	"testing"
	"time"

	"nod/queue"
)

// markOf reads a mark as an act sees it and as a reader does.
func markOf(t *testing.T, s *Store, seq int64) (mark queue.Mark) {
	t.Helper()
	var inside queue.Mark
	do(t, s, func(tx queue.Tx) (err error) { inside, err = tx.Mark(seq); return err })
	view(t, s, func(tx queue.ReadTx) (err error) { mark, err = tx.Mark(seq); return err })
	if inside != mark {
		t.Errorf("an act sees %+v, a reader %+v", inside, mark)
	}
	return mark
}

// counted is how many marks the store says and how many there are.
func counted(t *testing.T, s *Store) (kept, there int64) {
	t.Helper()
	err := s.pool.QueryRowContext(t.Context(), "SELECT marked, (SELECT count(*) FROM marks) FROM meta").Scan(&kept, &there)
	if err != nil {
		t.Fatal(err)
	}
	return kept, there
}

func TestMarks(t *testing.T) {
	s := fresh(t, Options{})
	other := opened(t, s.Path(), Options{})
	do(t, s, func(tx queue.Tx) error {
		for i := 1; i <= 3; i++ {
			if err := submit(tx, i, body(i, 10)); err != nil {
				return err
			}
		}
		return nil
	})
	put := func(s *Store, seq int64, m queue.Mark) {
		t.Helper()
		do(t, s, func(tx queue.Tx) error { return tx.PutMark(seq, m) })
	}
	none, one, two := queue.Mark{}, queue.Mark{SnoozedUntil: 5000}, queue.Mark{SnoozedUntil: 6000, ClaimedBy: "ann", ClaimedUntil: 7000}
	put(s, 1, none)
	if kept, there := counted(t, s); kept != 0 || there != 0 {
		t.Errorf("no mark put: %d, %d", kept, there)
	}
	put(s, 1, one)
	put(other, 2, one)
	put(s, 2, two)
	put(s, 2, two)
	if markOf(t, s, 1) != one || markOf(t, other, 2) != two || markOf(t, s, 3) != none {
		t.Error("a mark is not the one put")
	}
	if kept, there := counted(t, s); kept != 2 || there != 2 {
		t.Errorf("two marks: %d, %d", kept, there)
	}
	for now, want := range map[int64][2]int64{4999: {2, 5000}, 5000: {1, 6000}, 6000: {0, 0}} {
		view(t, s, func(tx queue.ReadTx) error {
			n, wakes, marked, err := tx.Snoozed(now)
			if n != want[0] || wakes != want[1] || !marked {
				t.Errorf("at %d: %d snoozed, first to %d, marked %v", now, n, wakes, marked)
			}
			return err
		})
	}
	do(t, other, func(tx queue.Tx) error { return decide(tx, 2) })
	put(s, 1, none)
	if kept, there := counted(t, s); kept != 0 || there != 0 {
		t.Errorf("the one woken, the other answered: %d, %d", kept, there)
	}
	put(s, 3, one)
	if markOf(t, s, 2) != none || markOf(t, s, 3) != one {
		t.Error("the mark of an answered ask stays, or a new one is lost")
	}
}

// TestMarksTick: a mark has no event, and who watches learns of it all the
// same, in this process and in another.
func TestMarksTick(t *testing.T) {
	s := fresh(t, Options{})
	other := opened(t, s.Path(), Options{})
	do(t, s, func(tx queue.Tx) error { return submit(tx, 1, body(1, 10)) })
	for i, by := range []*Store{s, other, s} {
		do(t, s, func(tx queue.Tx) error { return tx.PutMark(1, queue.Mark{SnoozedUntil: int64(i + 1)}) })
		ch, err := s.Watch(t.Context(), pollEvery)
		if err != nil {
			t.Fatal(err)
		}
		if n := tick(t, ch); n != 1 {
			t.Errorf("first %d", n)
		}
		time.Sleep(5 * pollEvery)
		select {
		case <-ch:
			t.Error("a tick for a mark that was there")
		default:
		}
		do(t, by, func(tx queue.Tx) error { return tx.PutMark(1, queue.Mark{SnoozedUntil: int64(i + 100)}) })
		if n := tick(t, ch); n != 1 {
			t.Errorf("tick %d", n)
		}
		do(t, by, func(tx queue.Tx) error { return tx.PutMark(1, queue.Mark{}) })
		tick(t, ch)
		do(t, by, func(tx queue.Tx) error { return tx.SetWaiter(pendingRow(1, nil).ID, "h", int64(i), "") })
		time.Sleep(5 * pollEvery)
		select {
		case <-ch:
			t.Error("a tick for a waiter's lease")
		default:
		}
	}
}
