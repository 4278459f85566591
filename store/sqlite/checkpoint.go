package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"sync"
	"sync/atomic"
)

const (
	// checkpointAt is how many pages written to the log are copied to the
	// database at a time, beside the writer.
	checkpointAt = 1000
	// autoCheckpoint is when a commit copies them itself: the log starts anew
	// only when all of it was copied, which under load nobody but the writer
	// gets done.
	autoCheckpoint = 8000
)

// checkpointer copies the log to the database on a connection of its own, so
// that no caller waits for it. It runs at most once at a time.
type checkpointer struct {
	s      *Store
	pages  int // written since it ran, about; the writer's
	busy   atomic.Bool
	failed atomic.Pointer[error] // the disk did not make a copy durable
	wg     sync.WaitGroup
	c      *conn // opened at the first need; the running goroutine's
}

// wrote counts a commit of n acts and starts a run when it is time.
func (k *checkpointer) wrote(n int) {
	// About what commits write: a page for each index and the two ends of the
	// tables, and what each act adds. Being wrong costs little.
	k.pages += 6 + 2*n
	if k.pages < checkpointAt || !k.busy.CompareAndSwap(false, true) {
		return
	}
	k.pages = 0
	k.wg.Go(func() {
		defer k.busy.Store(false)
		if err := k.run(); unsynced(err) {
			k.failed.Store(&err)
		}
	})
}

// run copies what it can without being in anybody's way. What it leaves, the
// next run or a commit copies.
func (k *checkpointer) run() error {
	if k.c == nil {
		c, err := newConn(context.Background(), k.s.pool)
		if err != nil {
			return err
		}
		k.c = c
	}
	var row [3]driver.Value
	err := k.c.query("PRAGMA wal_checkpoint(PASSIVE)", row[:], func() error { return nil })
	if err != nil {
		return fmt.Errorf("copy the log: %w", err)
	}
	return nil
}

// close waits for a run to end.
func (k *checkpointer) close() error {
	k.wg.Wait()
	if k.c == nil {
		return nil
	}
	return k.c.close()
}
