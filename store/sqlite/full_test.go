package sqlite

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"nod/queue"
)

// fillUp submits from several callers until every one is refused, and gives
// the submits that were answered well.
func fillUp(t *testing.T, s *Store, code string) (kept []int) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	var next atomic.Int64
	for range 8 {
		wg.Go(func() {
			for {
				i := int(next.Add(1))
				err := s.Do(context.Background(), func(tx queue.Tx) error { return submit(tx, i, body(i, 500)) })
				if err != nil {
					wantCode(t, "act on a full disk", err, code)
					return
				}
				mu.Lock()
				kept = append(kept, i)
				mu.Unlock()
				if i > 1_000_000 {
					t.Error("the disk never fills")
					return
				}
			}
		})
	}
	wg.Wait()
	return kept
}

func TestFullFileIsSaidAndGoesOn(t *testing.T) {
	s := fresh(t, Options{MaxPages: 120})
	kept := fillUp(t, s, CodeDiskFull)
	whole(t, s, kept)
	must(t, s.w.c, "PRAGMA max_page_count = 100000") // space returns
	i := 2_000_000
	do(t, s, func(tx queue.Tx) error { return submit(tx, i, body(i, 500)) })
	whole(t, s, append(kept, i))
}

func TestFullDiskIsSaidAndGoesOn(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to mount a small file system")
	}
	mount, err := exec.LookPath("mount")
	if err != nil {
		t.Skip("needs mount")
	}
	dir := t.TempDir()
	if out, err := exec.Command(mount, "-t", "tmpfs", "-o", "size=3m,mode=0700", "tmpfs", dir).CombinedOutput(); err != nil { //nolint:gosec // a test's own directory
		t.Skipf("cannot mount here: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", dir).CombinedOutput(); err != nil { //nolint:gosec // mounted above
			t.Errorf("%s", out)
		}
	})
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	s := opened(t, filepath.Join(dir, "nod", "nod.db"), Options{Create: true})
	kept := fillUp(t, s, CodeDiskFull)
	if len(kept) == 0 {
		t.Error("nothing fitted")
	}
	whole(t, s, kept)
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	i := 2_000_000
	do(t, s, func(tx queue.Tx) error { return submit(tx, i, body(i, 500)) })
	whole(t, s, append(kept, i))
	wantFull := s.Backup(context.Background(), filepath.Join(dir, "copy.db"))
	if wantFull != nil {
		wantCode(t, "backup", wantFull, CodeDiskFull)
	}
	left, err := filepath.Glob(filepath.Join(dir, "copy*.new-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

func TestAFullDiskOutsideSQLiteHasItsCode(t *testing.T) {
	err := explain("/x", fmt.Errorf("make the store's key: %w", &os.PathError{Op: "write", Path: "/x.key", Err: syscall.ENOSPC}))
	wantCode(t, "write", err, CodeDiskFull)
}
