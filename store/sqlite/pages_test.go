package sqlite

import (
	"context"
	"os"
	"testing"

	"nod/queue"
)

// frames is how many pages the log at path has taken in.
func frames(t *testing.T, path string) float64 {
	t.Helper()
	info, err := os.Stat(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	const frame = pageSize + 24
	return float64(info.Size()) / frame
}

// keepLog lets the log only grow, so that its size counts pages.
func keepLog(t *testing.T, s *Store) {
	t.Helper()
	must(t, s.w.c, "PRAGMA wal_autocheckpoint = 0")
	s.w.log.busy.Store(true)
}

// TestSubmitWritesFewPages holds what a lone submit costs: one page more than
// B's row, the event's, and once in a while a new one.
func TestSubmitWritesFewPages(t *testing.T) {
	base := newBaseline(t)
	s := fresh(t, Options{})
	must(t, base.c, "PRAGMA wal_autocheckpoint = 0")
	keepLog(t, s)
	const warm, n = 100, 50
	var b0, s0 float64
	for i := 1; i <= warm+n; i++ {
		if i == warm+1 {
			b0, s0 = frames(t, base.path), frames(t, s.path)
		}
		content := body(i, contentSize)
		if err := base.insert(content); err != nil {
			t.Fatal(err)
		}
		if err := s.Do(context.Background(), func(tx queue.Tx) error { return submit(tx, i, content) }); err != nil {
			t.Fatal(err)
		}
	}
	plain, ours := (frames(t, base.path)-b0)/n, (frames(t, s.path)-s0)/n
	if ours > plain+1.5 {
		t.Errorf("a submit writes %.1f pages, B's row %.1f", ours, plain)
	}
}

// TestABatchWritesFewPages holds that the index of sessions costs a batch few
// pages, also when each of its submits is of another session: what an act adds
// is half a page of its row and the like of its event.
func TestABatchWritesFewPages(t *testing.T) {
	s := fresh(t, Options{})
	const there, n = 10_000, 64
	populate(t, s, there)
	keepLog(t, s)
	must(t, s.w.c, "PRAGMA wal_checkpoint(TRUNCATE)")
	var acts []func(queue.Tx) error
	for i := there + 1; i <= there+n; i++ {
		acts = append(acts, func(tx queue.Tx) error { return submit(tx, i, body(i, contentSize)) })
	}
	for i, err := range together(s, acts...) {
		if err != nil {
			t.Fatalf("act %d: %v", i, err)
		}
	}
	if each := frames(t, s.path) / n; each > 1.25 {
		t.Errorf("a submit in a batch writes %.2f pages", each)
	}
}
