package sqlite

import (
	"context"
	"errors"
	"testing"

	"nod/boundary"
	"nod/queue"
)

func record(session string) *queue.Record {
	return &queue.Record{Session: session, Run: session + ".1", Phase: boundary.Exit, Body: []byte(`{"targetExecutionArmed":true}`), At: 7}
}

func written(t *testing.T, s *Store, session string) (n int) {
	t.Helper()
	view(t, s, func(tx queue.ReadTx) error {
		list, err := tx.Records(session, 9)
		n = len(list)
		return err
	})
	return n
}

// A record that cannot be written leaves the act as it was, and the act goes on.
func TestRecordFailsAlone(t *testing.T) {
	s := fresh(t, Options{})
	do(t, s, func(tx queue.Tx) error { return submit(tx, 0, body(0, 500)) })
	must(t, s.w.c, "CREATE TRIGGER no_records BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'no room'); END")
	do(t, s, func(tx queue.Tx) error {
		if err := submit(tx, 1, body(1, 500)); err != nil {
			return err
		}
		if err := tx.InsertRecord(record("s")); err == nil {
			t.Error("the record was written")
		}
		return tx.InsertGrant(&queue.Grant{ID: "g", Session: "s", Left: 1, Until: 99})
	})
	whole(t, s, []int{0, 1})
	view(t, s, func(tx queue.ReadTx) error {
		grants, err := tx.Grants(1)
		if len(grants) != 1 {
			t.Errorf("what came after the record is not there: %v", grants)
		}
		return err
	})
	must(t, s.w.c, "DROP TRIGGER no_records")
	do(t, s, func(tx queue.Tx) error { return tx.InsertRecord(record("s")) })
	if n := written(t, s, "s"); n != 1 {
		t.Errorf("%d records", n)
	}
	// An act that is undone takes its record with it.
	if err := s.Do(context.Background(), func(tx queue.Tx) error {
		return errors.Join(tx.InsertRecord(record("s")), errors.New("no"))
	}); err == nil || written(t, s, "s") != 1 {
		t.Errorf("%v, %d records", err, written(t, s, "s"))
	}
}

// Where the engine gives the transaction up with the record, nothing is kept,
// whatever the act says.
func TestRecordTearsTheAct(t *testing.T) {
	s := fresh(t, Options{})
	do(t, s, func(tx queue.Tx) error { return submit(tx, 0, body(0, 500)) })
	must(t, s.w.c, "CREATE TRIGGER torn BEFORE INSERT ON records BEGIN SELECT RAISE(ROLLBACK, 'no disk'); END")
	err := s.Do(context.Background(), func(tx queue.Tx) error {
		err := submit(tx, 1, body(1, 500))
		_ = tx.InsertRecord(record("s"))
		return err
	})
	if err == nil {
		t.Error("an act was kept that the engine took back")
	}
	whole(t, s, []int{0})
	must(t, s.w.c, "DROP TRIGGER torn")
	do(t, s, func(tx queue.Tx) error { return submit(tx, 2, body(2, 500)) })
	whole(t, s, []int{0, 2})
}

// Trees are found in an act that has just written them, and of live sessions.
func TestTreesOf(t *testing.T) {
	s := fresh(t, Options{})
	put := func(tx queue.Tx, id, principal, tree string, armed, last, ended int64) error {
		return tx.PutSession(&queue.Session{ID: id, Principal: principal, Tree: tree, ArmedAt: armed, Target: "lab", Told: "posture", LastAct: last, EndedAt: ended})
	}
	do(t, s, func(tx queue.Tx) error {
		return errors.Join(put(tx, "a", "p", "", 5, 30, 0), put(tx, "b", "p", "a", 0, 20, 0), put(tx, "c", "p", "", 0, 30, 0),
			put(tx, "d", "p", "", 5, 30, 31), put(tx, "e", "q", "", 5, 30, 0), put(tx, "f", "p", "", 5, 9, 0))
	})
	do(t, s, func(tx queue.Tx) error {
		if err := put(tx, "g", "p", "a", 0, 40, 0); err != nil {
			return err
		}
		list, err := tx.TreesOf("p", 10)
		ids := ""
		for _, x := range list {
			ids += x.ID
		}
		if ids != "bag" || list[1].Target != "lab" || list[1].Told != "posture" || list[1].ArmedAt != 5 {
			t.Errorf("%s: %+v", ids, list)
		}
		return err
	})
}
