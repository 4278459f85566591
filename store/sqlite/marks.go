package sqlite

import (
	"fmt"

	"nod/queue"
	"nod/store/sqlite/db"
)

func (r *reader) marked() (bool, error) {
	m, err := r.load()
	return err == nil && m.marked > 0, err
}

func (r *reader) Mark(seq int64) (queue.Mark, error) {
	if any, err := r.marked(); !any {
		return queue.Mark{}, err
	}
	return r.mark(seq)
}

func (r *reader) mark(seq int64) (queue.Mark, error) {
	row, err := r.c.q.MarkOf(bg(), seq)
	m, err := found(row, err, func(m *db.Mark) queue.Mark {
		return queue.Mark{SnoozedUntil: m.SnoozedUntil, ClaimedBy: m.ClaimedBy, ClaimedUntil: m.ClaimedUntil}
	})
	if err != nil || m == nil {
		return queue.Mark{}, err
	}
	return *m, nil
}

func (r *reader) Snoozed(now int64) (n, wakes int64, marked bool, err error) {
	if marked, err = r.marked(); !marked {
		return 0, 0, false, err
	}
	row, err := r.c.q.Snoozed(bg(), now)
	return row.N, row.Wakes, true, err
}

func (t *tx) Mark(seq int64) (queue.Mark, error) {
	if t.w.mem.marked == 0 {
		return queue.Mark{}, nil
	}
	return t.reader.mark(seq)
}

func (t *tx) Snoozed(now int64) (n, wakes int64, marked bool, err error) {
	if t.w.mem.marked == 0 {
		return 0, 0, false, nil
	}
	row, err := t.c.q.Snoozed(bg(), now)
	return row.N, row.Wakes, true, err
}

func (t *tx) PutMark(seq int64, mark queue.Mark) error {
	old, err := t.Mark(seq)
	if err != nil || old == mark {
		return err
	}
	if mark == (queue.Mark{}) {
		return t.unmark(seq)
	}
	if err := t.change(); err != nil {
		return err
	}
	err = t.c.q.PutMark(bg(), db.PutMarkParams{Seq: seq, SnoozedUntil: mark.SnoozedUntil, ClaimedBy: mark.ClaimedBy,
		ClaimedUntil: mark.ClaimedUntil})
	if err != nil {
		return t.broke(fmt.Errorf("keep a mark: %w", err))
	}
	if old == (queue.Mark{}) {
		t.w.mem.marked++
	}
	return t.countMarks()
}

// unmark takes an ask's marks away; most asks have none, and most stores.
func (t *tx) unmark(seq int64) error {
	if t.w.mem.marked == 0 {
		return nil
	}
	if err := t.change(); err != nil {
		return err
	}
	n, err := t.c.q.DropMark(bg(), seq)
	if err != nil {
		return t.broke(fmt.Errorf("take a mark away: %w", err))
	}
	if n == 0 {
		return nil
	}
	t.w.mem.marked -= n
	return t.countMarks()
}

// countMarks writes how many marks there are, and that they changed.
func (t *tx) countMarks() error {
	m := t.w.mem
	m.markTurn++
	n, err := t.c.q.SetMarks(bg(), db.SetMarksParams{Turn: m.markTurn, Marked: m.marked})
	return t.broke(one(n, err, "count the marks"))
}
