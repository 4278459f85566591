//go:build unix

package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"nod/queue"
)

func TestAnotherUsersStoreIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	for _, which := range []string{"", ".key", "dir", "-wal"} {
		path := closed(t)
		target := path + which
		if which == "dir" {
			target = filepath.Dir(path)
		}
		if which == "-wal" {
			if err := os.WriteFile(target, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chown(target, 12345, -1); err != nil {
			t.Fatal(err)
		}
		_, err := Open(context.Background(), path, Options{})
		wantCode(t, which, err, CodeLoose)
	}
}

func TestFilesAreThisUsersAloneWhateverTheUmask(t *testing.T) {
	for _, mask := range []int{0, 0o777} {
		old := syscall.Umask(mask)
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "nod", "nod.db")
		if mask == 0o777 { // no directory can be entered that is made under it
			if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.Chmod(filepath.Dir(path), 0o700)); err != nil {
				t.Fatal(err)
			}
		}
		s := opened(t, path, Options{Create: true})
		do(t, s, func(tx queue.Tx) error { return submit(tx, 1, body(1, 10)) })
		if err := s.Backup(context.Background(), filepath.Join(dir, "copy.db")); err != nil {
			t.Error(err)
		}
		syscall.Umask(old)
		files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
		copies, err2 := filepath.Glob(filepath.Join(dir, "copy*"))
		if err := errors.Join(err, err2); err != nil || len(files) != 5 || len(copies) != 2 {
			t.Fatalf("files %v %v, %v", files, copies, err)
		}
		for _, f := range append(files, copies...) {
			if mode := mustFile(t, f).Mode(); mode.Perm() != 0o600 {
				t.Errorf("umask %#o: %s has mode %#o", mask, f, mode.Perm())
			}
		}
		if mode := mustFile(t, filepath.Dir(path)).Mode(); mode.Perm() != 0o700 {
			t.Errorf("umask %#o: the directory has mode %#o", mask, mode.Perm())
		}
	}
}
