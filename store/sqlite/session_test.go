package sqlite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"nod/digest"
	"nod/queue"
)

// keyed is an ask of session s-a under a call key.
func keyed(i int, key string) *queue.Row {
	row := pendingRow(i, nil)
	row.Session, row.CallKey = "s-a", key
	return row
}

// byKey gives the number of the ask that an act finds under key; 0 for none.
func byKey(t *testing.T, s *Store, key string) (seq int64) {
	t.Helper()
	do(t, s, func(tx queue.Tx) error {
		row, err := tx.AskByCallKey("s-a", key)
		if row != nil {
			seq = row.Seq
		}
		return err
	})
	return seq
}

func TestAnotherProcessesAskIsFound(t *testing.T) {
	s := fresh(t, Options{})
	other := opened(t, s.Path(), Options{})
	if byKey(t, s, "k") != 0 || len(s.w.mem.hashes) != 1 {
		t.Fatalf("found in an empty store, or nothing remembered: %v", s.w.mem.hashes)
	}
	do(t, other, func(tx queue.Tx) error { return tx.InsertAsk(keyed(1, "k"), nil) })
	if seq := byKey(t, s, "k"); seq != 1 {
		t.Errorf("after another's submit: ask %d", seq)
	}
	do(t, other, func(tx queue.Tx) error { return tx.SetWaiter(keyed(1, "").ID, "h", 9, "adopted") })
	if was, is := byKey(t, s, "k"), byKey(t, s, "adopted"); was != 0 || is != 1 {
		t.Errorf("after another's adoption: ask %d under the old key, %d under the new", was, is)
	}
}

func TestTheOwnAskIsFound(t *testing.T) {
	s := fresh(t, Options{})
	if byKey(t, s, "k1") != 0 {
		t.Fatal("found in an empty store")
	}
	row := keyed(1, "k1")
	do(t, s, func(tx queue.Tx) error {
		err := tx.InsertAsk(row, nil)
		got, err2 := tx.AskByCallKey("s-a", "k1")
		likes, err3 := tx.AsksLike("s-a", row.ActionDigest, 9)
		if got == nil || len(likes) != 1 {
			t.Errorf("in its own act: %v, %d like it", got, len(likes))
		}
		return errors.Join(err, err2, err3)
	})
	if byKey(t, s, "k1") != 1 || byKey(t, s, "k2") != 0 {
		t.Error("not under its key, or under another")
	}
	do(t, s, func(tx queue.Tx) error { return tx.SetWaiter(row.ID, "h", 9, "k2") })
	if byKey(t, s, "k1") != 0 || byKey(t, s, "k2") != 1 {
		t.Error("adoption did not move it to the new key")
	}
}

func TestAnUndoneAsksKeyIsFree(t *testing.T) {
	s := fresh(t, Options{})
	no := errors.New("no")
	find := func(want int64) func(queue.Tx) error {
		return func(tx queue.Tx) error {
			row, err := tx.AskByCallKey("s-a", "k")
			if err == nil && (row == nil) != (want == 0) || row != nil && row.Seq != want {
				return fmt.Errorf("found %v, want ask %d", row, want)
			}
			return err
		}
	}
	errs := together(s,
		find(0),
		func(tx queue.Tx) error { return tx.InsertAsk(keyed(1, "other"), nil) },
		func(tx queue.Tx) error { return errors.Join(tx.InsertAsk(keyed(2, "k"), nil), no) },
		find(0),
		func(tx queue.Tx) error { return errors.Join(tx.InsertAsk(keyed(2, "k"), nil), find(2)(tx), no) },
		find(0),
		func(tx queue.Tx) error { return tx.InsertAsk(keyed(2, "k"), nil) },
		find(2),
	)
	for i, err := range errs {
		if undone := i == 2 || i == 4; errors.Is(err, no) != undone || !undone && err != nil {
			t.Errorf("act %d: %v", i, err)
		}
	}
	if seq := byKey(t, s, "k"); seq != 2 {
		t.Errorf("after the commit: ask %d", seq)
	}
}

func TestWhatIsRememberedOfSessionsIsBounded(t *testing.T) {
	set := func(n int) map[int64]struct{} {
		m := map[int64]struct{}{}
		for i := range n {
			m[int64(i)] = struct{}{}
		}
		return m
	}
	m := &memory{hashes: map[string]map[int64]struct{}{}}
	m.learn("a", set(10))
	m.hold("a", 3, 50)
	m.hold("unknown", 1)
	if m.hashed != 11 || len(m.hashes) != 1 {
		t.Errorf("%d hashes of %d sessions", m.hashed, len(m.hashes))
	}
	m.learn("b", set(maxHashes-11))
	if m.hashed != maxHashes || len(m.hashes) != 2 {
		t.Errorf("full: %d hashes of %d sessions", m.hashed, len(m.hashes))
	}
	m.learn("c", set(1))
	if _, there := m.hashes["a"]; there || m.hashed != 1 || len(m.hashes) != 1 {
		t.Errorf("over: %d hashes of %d sessions", m.hashed, len(m.hashes))
	}
	for i := range maxRemembered {
		m.learn(fmt.Sprint(i), set(0))
	}
	if len(m.hashes) > maxRemembered {
		t.Errorf("%d sessions are remembered", len(m.hashes))
	}
}

// TestASessionGoesThroughStretches: what a session's lookups find does not
// depend on where the index begins anew.
func TestASessionGoesThroughStretches(t *testing.T) {
	s := fresh(t, Options{})
	const n = 2*stretch + 10
	like := digest.Of([]byte("like"))
	here := []int64{1, stretch - 1, stretch, stretch + 1, 2*stretch + 9}
	do(t, s, func(tx queue.Tx) error {
		for i := int64(1); i <= n; i++ {
			row := pendingRow(int(i), nil)
			if slices.Contains(here, i) {
				row.Session, row.ActionDigest, row.CallKey = "s-a", like, "k"
			}
			if err := tx.InsertAsk(row, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if seq := byKey(t, s, "k"); seq != here[4] {
		t.Errorf("newest under the key: %d", seq)
	}
	view(t, s, func(tx queue.ReadTx) error {
		likes, err := tx.AsksLike("s-a", like, 4)
		if want := []int64{here[4], here[3], here[2], here[1]}; !slices.Equal(seqs(likes), want) {
			t.Errorf("like asks %v, want %v", seqs(likes), want)
		}
		open, err2 := tx.OpenOfSession("s-a", 4)
		if !slices.Equal(seqs(open), here[:4]) {
			t.Errorf("open %v, want %v", seqs(open), here[:4])
		}
		return errors.Join(err, err2)
	})
}

// TestFiledLateIsFiledAlike: an ask is written before whatever follows it in
// its act, with and without acts before it in the commit.
func TestFiledLateIsFiledAlike(t *testing.T) {
	s := fresh(t, Options{})
	file := func(i int) func(queue.Tx) error {
		return func(tx queue.Tx) error {
			row := pendingRow(i, body(i, 10))
			err := tx.InsertAsk(row, body(i, 10))
			got, err2 := tx.Ask(row.ID)
			text, err3 := tx.AskBody(row.Seq)
			if got == nil || got.Seq != row.Seq || string(text) != string(body(i, 10)) {
				return fmt.Errorf("read back: %v, %q", got, text)
			}
			allowed(row)
			ok, err4 := tx.MoveAsk(row, queue.StatePending, 2000)
			if !ok {
				return errors.New("not moved")
			}
			return errors.Join(err, err2, err3, err4)
		}
	}
	taken := func(tx queue.Tx) error { return tx.InsertAsk(pendingRow(1, nil), nil) }
	plain := func(i int) func(queue.Tx) error {
		return func(tx queue.Tx) error { return tx.InsertAsk(pendingRow(i, nil), nil) }
	}
	errs := together(s, file(1), taken, plain(2), taken, file(3),
		func(tx queue.Tx) error { return errors.Join(taken(tx), plain(4)(tx)) })
	for i, err := range errs {
		if bad := i == 1 || i == 3 || i == 5; (err != nil) != bad {
			t.Errorf("act %d: %v", i, err)
		}
	}
	view(t, s, func(tx queue.ReadTx) error {
		c, err := tx.Counters()
		rows, err2 := tx.(*reader).c.ints("SELECT seq FROM asks ORDER BY seq")
		if c.Asks != 3 || c.Pending != 1 || c.Allowed != 2 || !slices.Equal(rows, []int64{1, 2, 3}) {
			t.Errorf("rows %v, counters %+v", rows, c)
		}
		return errors.Join(err, err2)
	})
}

// TestABatchTakesWhatComes: an act that arrives while another is carried out
// shares its commit.
func TestABatchTakesWhatComes(t *testing.T) {
	s := fresh(t, Options{})
	second := make(chan error)
	do(t, s, func(tx queue.Tx) error {
		go func() {
			second <- s.Do(context.Background(), func(tx queue.Tx) error { return submit(tx, 2, body(2, 10)) })
		}()
		for len(s.w.acts) == 0 { // until it waits
			runtime.Gosched()
		}
		return submit(tx, 1, body(1, 10))
	})
	if err := <-second; err != nil {
		t.Error(err)
	}
	if st := s.Stats(); st.Acts != 2 || st.Commits != 1 {
		t.Errorf("%+v", st)
	}
}
