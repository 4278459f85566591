package sqlite

import (
	"fmt"

	"nod/queue"
	"nod/store/sqlite/db"
)

func (t *tx) TreesOf(principal string, since int64) ([]queue.Session, error) {
	for id := range t.w.mem.touched {
		// Those without a tree are not asked for, neither as they were nor as they are.
		if s := t.w.mem.sessions[id]; s.Principal != principal || s.ArmedAt == 0 && s.Tree == "" {
			continue
		}
		if err := t.showSessions(); err != nil {
			return nil, err
		}
		break
	}
	return t.reader.TreesOf(principal, since)
}

// InsertRecord has a savepoint of its own, so that the act may go on without the
// record. Where that savepoint cannot be taken back nothing of the act is kept.
func (t *tx) InsertRecord(r *queue.Record) error {
	if err := t.change(); err != nil {
		return err
	}
	if _, err := t.c.run("SAVEPOINT record"); err != nil {
		return t.broke(fmt.Errorf("begin a record: %w", err))
	}
	failed := t.c.q.InsertRecord(bg(), db.InsertRecordParams{Session: r.Session, Run: r.Run, Phase: string(r.Phase),
		Body: string(r.Body), WrittenAt: r.At})
	if failed != nil {
		if _, err := t.c.run("ROLLBACK TO record"); err != nil {
			t.torn = true // the engine gave the whole transaction up
			return t.broke(fmt.Errorf("take a record back: %w", err))
		}
	}
	if _, err := t.c.run("RELEASE record"); err != nil {
		return t.broke(fmt.Errorf("end a record: %w", err))
	}
	if failed != nil {
		return fmt.Errorf("keep a record: %w", failed)
	}
	return nil
}
