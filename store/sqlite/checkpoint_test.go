package sqlite

import (
	"context"
	"errors"
	"os"
	"testing"

	"nod/queue"
)

func TestTheLogIsCopiedBesideTheWriter(t *testing.T) {
	s := fresh(t, Options{})
	must(t, s.w.c, "PRAGMA synchronous = OFF")
	size := func(path string) int64 {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size() / pageSize
	}
	before := size(s.Path())
	i := 0
	submits := func(n int) {
		for range n {
			i++
			do(t, s, func(tx queue.Tx) error { return submit(tx, i, body(i, contentSize)) })
		}
		s.w.log.wg.Wait()
	}
	submits(checkpointAt / 4)
	if log := size(s.Path() + "-wal"); log < checkpointAt || log > autoCheckpoint/2 {
		t.Errorf("the log has %d pages: it was to grow, and not so far that a commit copies it", log)
	}
	if now := size(s.Path()); now < before+50 {
		t.Errorf("the database has %d pages after %d: nothing was copied", now, before)
	}
	submits(autoCheckpoint / 4) // each writes about 8
	if log := size(s.Path() + "-wal"); log > autoCheckpoint+checkpointAt {
		t.Errorf("the log has %d pages: it never starts anew", log)
	}
}

func TestAfterALogThatWasNotCopiedNothingIsWritten(t *testing.T) {
	s := fresh(t, Options{})
	err := errors.New("no disk")
	s.w.log.failed.Store(&err)
	got := s.Do(context.Background(), func(queue.Tx) error { t.Error("it ran"); return nil })
	wantCode(t, "an act", got, CodeIO)
}
