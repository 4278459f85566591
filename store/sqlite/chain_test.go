package sqlite

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"nod/digest"
	"nod/queue"
)

func TestEventsAreNeverChanged(t *testing.T) {
	s := fresh(t, Options{})
	do(t, s, func(tx queue.Tx) error { return submit(tx, 1, body(1, 10)) })
	for _, query := range []string{
		"UPDATE events SET body = ''", "UPDATE events SET kept = ''", "DELETE FROM events",
		"INSERT OR REPLACE INTO events (seq, hash, ask, body, kept) SELECT seq, hash, ask, 'x', kept FROM events",
	} {
		if _, err := s.w.c.run(query); err == nil || !strings.Contains(err.Error(), "events are never") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestTheHeadTakesOnlyItsNextEvent(t *testing.T) {
	s := fresh(t, Options{})
	do(t, s, func(tx queue.Tx) error { return appendEvent(tx, "a", "x") })
	hash := strings.Repeat("0", 64)
	for name, e := range map[string]queue.StoredEvent{
		"gap":      {Seq: 3, Hash: hash, Body: []byte(`{}`)},
		"repeat":   {Seq: 1, Hash: hash, Body: []byte(`{}`)},
		"no hash":  {Seq: 2, Hash: "xyz", Body: []byte(`{}`)},
		"no JSON":  {Seq: 2, Hash: hash, Body: []byte(`nonsense`)},
		"odd ask":  {Seq: 2, Hash: hash, Body: []byte(`{"ask":7}`)},
		"half doc": {Seq: 2, Hash: hash, Body: []byte(`{"act":`)},
	} {
		if err := s.Do(context.Background(), func(tx queue.Tx) error { return tx.AppendEvent(e) }); err == nil {
			t.Errorf("%s: appended", name)
		}
	}
	do(t, s, func(tx queue.Tx) error { return appendEvent(tx, "b", "") })
}

func events(t testing.TB, tx queue.ReadTx, q queue.QEvents) (list []int64, more bool) {
	t.Helper()
	page, more, err := tx.Events(q)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range page {
		list = append(list, e.Seq)
	}
	return list, more
}

func TestAnAsksEventsAreFoundHoweverTheyCame(t *testing.T) {
	s := fresh(t, Options{})
	one, two := pendingRow(1, nil), pendingRow(2, nil)
	check := func(tx queue.ReadTx) error {
		for _, c := range []struct {
			q    queue.QEvents
			want []int64
			more bool
		}{
			{queue.QEvents{Ask: one.ID, Limit: 9}, []int64{1, 4, 5}, false},
			{queue.QEvents{Ask: one.ID, Limit: 2}, []int64{1, 4}, true},
			{queue.QEvents{Ask: one.ID, After: 1, Limit: 9}, []int64{4, 5}, false},
			{queue.QEvents{Ask: two.ID, Limit: 9}, []int64{3, 6}, false},
			{queue.QEvents{Ask: "absent", Limit: 9}, nil, false},
			{queue.QEvents{After: 2, Limit: 3}, []int64{3, 4, 5}, true},
			{queue.QEvents{After: 3, Limit: 3}, []int64{4, 5, 6}, false},
		} {
			if got, more := events(t, tx, c.q); !slices.Equal(got, c.want) || more != c.more {
				t.Errorf("%+v: %v, more %v, want %v", c.q, got, more, c.want)
			}
		}
		return nil
	}
	do(t, s, func(tx queue.Tx) error { // as a submit does it
		return errors.Join(tx.InsertAsk(one, nil), appendEvent(tx, "submit", one.ID))
	})
	do(t, s, func(tx queue.Tx) error { // another event comes in between
		return errors.Join(tx.InsertAsk(two, nil), appendEvent(tx, "freeze", ""), appendEvent(tx, "submit", two.ID))
	})
	do(t, s, func(tx queue.Tx) error {
		allowed(one)
		_, err := tx.MoveAsk(one, queue.StatePending, 2000)
		err = errors.Join(err, appendEvent(tx, "decide", one.ID), appendEvent(tx, "words", one.ID), appendEvent(tx, "adopt", two.ID))
		return errors.Join(err, check(tx)) // those that are not on the disk yet
	})
	view(t, s, check)
	var named string
	if err := s.w.c.sc.QueryRowContext(context.Background(), "SELECT group_concat(seq) FROM events WHERE ask = ''").Scan(&named); err != nil {
		t.Fatal(err)
	}
	if named != "1,2,4" { // 2 is no ask's
		t.Errorf("events that no index holds: %s", named)
	}
}

func TestContents(t *testing.T) {
	s := fresh(t, Options{})
	apart, withAsk := body(1, 100), body(2, 100)
	row := pendingRow(2, withAsk)
	do(t, s, func(tx queue.Tx) error {
		err := errors.Join(tx.PutContent(digest.Of(apart), apart), tx.InsertAsk(row, withAsk))
		got, err2 := tx.Content(digest.Of(apart))
		if string(got) != string(apart) {
			t.Errorf("not yet written: %q", got)
		}
		return errors.Join(err, err2)
	})
	do(t, s, func(tx queue.Tx) error { return tx.PutContent(digest.Of(apart), apart) }) // again
	read := func(d digest.Digest) (got []byte) {
		view(t, s, func(tx queue.ReadTx) (err error) { got, err = tx.Content(d); return err })
		return got
	}
	document := func(seq int64) (got []byte) {
		view(t, s, func(tx queue.ReadTx) (err error) { got, err = tx.AskBody(seq); return err })
		return got
	}
	if string(read(digest.Of(apart))) != string(apart) || string(document(row.Seq)) != string(withAsk) {
		t.Error("contents do not come back")
	}
	if read(digest.Of([]byte("absent"))) != nil || document(7) != nil {
		t.Error("contents out of nothing")
	}
	n, err := s.w.c.ints("SELECT count(*) FROM contents")
	if err != nil || n[0] != 1 {
		t.Errorf("%d rows of contents, %v", n[0], err)
	}
	must(t, s.w.c, "UPDATE asks SET body = ''") // pruned
	if document(row.Seq) != nil {
		t.Error("pruned contents come back")
	}
}

func TestTheClockIsKeptWithoutAnEvent(t *testing.T) {
	s := fresh(t, Options{})
	do(t, s, func(tx queue.Tx) error { return submit(tx, 1, body(1, 10)) })
	want := queue.Clock{LastEffective: 5000, OffsetMS: -3, HeldSince: 4000}
	do(t, s, func(tx queue.Tx) error { return tx.SetClock(want) })
	path := s.Path()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = opened(t, path, Options{})
	check := func(tx queue.ReadTx) error {
		c, err := tx.Clock()
		n, err2 := tx.Counters()
		if c != want || n.Pending != 1 {
			t.Errorf("clock %+v, counters %+v", c, n)
		}
		return errors.Join(err, err2)
	}
	view(t, s, check)
	do(t, s, func(tx queue.Tx) error { return check(tx) })
	want.LastEffective = 6000 // an event's numbers beat the older row
	do(t, s, func(tx queue.Tx) error { return errors.Join(tx.SetClock(want), appendEvent(tx, "x", "")) })
	view(t, s, check)
}

func TestACounterBelowZeroIsNeverWritten(t *testing.T) {
	s := fresh(t, Options{})
	n := &queue.Notice{Code: "a", At: 1, AckedAt: 1}
	do(t, s, func(tx queue.Tx) error { return tx.InsertNotice(n) })
	must(t, s.w.c, "UPDATE notices SET acked_at = 0")
	if err := s.Do(context.Background(), func(tx queue.Tx) error { return tx.AckNotice(n.ID, 2, "ann") }); err == nil {
		t.Error("the counter went below zero")
	}
}
