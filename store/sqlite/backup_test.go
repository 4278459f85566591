package sqlite

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"nod/queue"
)

func TestABackupIsRestoredWhole(t *testing.T) {
	s := fresh(t, Options{})
	ctx := context.Background()
	var asks []int
	for i := range 40 {
		do(t, s, func(tx queue.Tx) error { return submit(tx, i, body(i, 500)) })
		asks = append(asks, i)
	}
	dir := t.TempDir()
	dst := filepath.Join(dir, "copy.db")
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() { // others go on writing
		for i := 1000; ; i++ {
			select {
			case <-stop:
				return
			default:
				if err := s.Do(ctx, func(tx queue.Tx) error { return submit(tx, i, body(i, 500)) }); err != nil {
					t.Error(err)
				}
			}
		}
	})
	err := s.Backup(ctx, dst)
	close(stop)
	wg.Wait()
	if err != nil {
		t.Fatal(err)
	}
	back := filepath.Join(dir, "nod", "nod.db")
	if err := Restore(ctx, dst, back); err != nil {
		t.Fatal(err)
	}
	r := opened(t, back, Options{})
	whole(t, r, asks)
	if r.ID() != s.ID() || !bytes.Equal(r.Key(), s.Key()) {
		t.Error("another id or key")
	}
	do(t, r, func(tx queue.Tx) error { return submit(tx, 5000, body(5000, 500)) })
	whole(t, r, append(asks, 5000))
	for _, f := range []string{dst, dst + ".key", back, back + ".key"} {
		if mode := mustFile(t, f).Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %#o", f, mode)
		}
	}
}

func TestNothingIsOverwritten(t *testing.T) {
	s := fresh(t, Options{})
	ctx := context.Background()
	dir := t.TempDir()
	for _, name := range []string{"a.db", "b.db.key", "c.db-wal"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	good := filepath.Join(dir, "good.db")
	if err := s.Backup(ctx, good); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.db", "b.db", "c.db"} {
		wantCode(t, "backup to "+name, s.Backup(ctx, filepath.Join(dir, name)), CodeExists)
	}
	wantCode(t, "restore over a store", Restore(ctx, good, s.Path()), CodeExists)
	for _, name := range []string{"a.db", "b.db.key", "c.db-wal"} {
		got, err := os.ReadFile(filepath.Join(dir, name)) //nolint:gosec // made above
		if err != nil || string(got) != "mine" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestABadBackupIsRefused(t *testing.T) {
	s := fresh(t, Options{})
	ctx := context.Background()
	for i := range 40 {
		do(t, s, func(tx queue.Tx) error { return submit(tx, i, body(i, 2000)) })
	}
	for name, c := range map[string]struct {
		code  string
		spoil func(path string) error
	}{
		"missing": {CodeMissing, os.Remove},
		"no key":  {CodeMissing, func(p string) error { return os.Remove(p + ".key") }},
		"link":    {CodeLink, func(p string) error { return errors.Join(os.Rename(p, p+".x"), os.Symlink(p+".x", p)) }},
		"loose":   {CodeLoose, func(p string) error { return os.Chmod(p, 0o666) }},
		"newer":   {CodeNewer, func(p string) error { tamper(t, p, "PRAGMA user_version = 9999"); return nil }},
		"foreign": {CodeForeign, func(p string) error { tamper(t, p, "PRAGMA application_id = 1"); return nil }},
		"torn":    {CodeCorrupt, func(p string) error { return os.Truncate(p, 2*pageSize) }},
		"scratch": {CodeCorrupt, scratch},
		"an index that lies": {CodeCorrupt, func(p string) error {
			tamper(t, p, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '''pending''', '''another''') WHERE name = 'asks_history'")
			return nil
		}},
		"headless": {CodeCorrupt, func(p string) error { tamper(t, p, "DELETE FROM meta"); return nil }},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			src, dst := filepath.Join(dir, "copy.db"), filepath.Join(dir, "nod", "nod.db")
			if err := s.Backup(ctx, src); err != nil {
				t.Fatal(err)
			}
			if err := c.spoil(src); err != nil {
				t.Fatal(err)
			}
			wantCode(t, "restore", Restore(ctx, src, dst), c.code)
			if made, _ := filepath.Glob(dst + "*"); len(made) > 0 {
				t.Errorf("made %v", made)
			}
		})
	}
}

// scratch overwrites the middle of a page in every index and table.
func scratch(path string) error {
	data, err := os.ReadFile(path) //nolint:gosec // a test's own file
	if err != nil {
		return err
	}
	for at := 2 * pageSize; at+64 < len(data); at += pageSize {
		copy(data[at:], bytes.Repeat([]byte{0xff}, 64))
	}
	return os.WriteFile(path, data, 0o600)
}
