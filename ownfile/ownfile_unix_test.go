//go:build unix

package ownfile

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

func TestOnlyAFileOfOneselfIsOpened(t *testing.T) {
	dir, uid := t.TempDir(), os.Getuid()
	path := func(name string) string { return filepath.Join(dir, name) }
	write := func(name string, mode os.FileMode) {
		if err := errors.Join(os.WriteFile(path(name), []byte("x"), mode), os.Chmod(path(name), mode)); err != nil {
			t.Fatal(err)
		}
	}
	write("own", 0o600)
	write("group", 0o640)
	write("others", 0o604)
	if err := errors.Join(os.Symlink(path("own"), path("link")), os.Mkdir(path("dir"), 0o700), syscall.Mkfifo(path("fifo"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, loose := range map[string]bool{"group": true, "others": true, "dir": true, "fifo": true, "link": false} {
		f, err := Open(path(name), os.O_RDONLY, uid)
		if err == nil {
			t.Errorf("%s is opened", name)
			_ = f.Close()
			continue
		}
		if l, ok := errors.AsType[*Loose](err); ok != loose || ok && (l.Name != path(name) || l.Hint() == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(path("own"), os.O_RDONLY, uid+1); err == nil {
		t.Error("another's is opened")
	}
	f, err := Open(path("own"), os.O_RDONLY, uid)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
}

func TestWhatIsMadeIsClosedToOthersWhateverTheUmask(t *testing.T) {
	name := filepath.Join(t.TempDir(), "new")
	old := syscall.Umask(0o277)
	f, err := Open(name, os.O_RDWR|os.O_CREATE, os.Getuid())
	syscall.Umask(old)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

func TestASecretIsMadeOnceAndWhole(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for _, text := range []string{"one", "two", "three", "four"} {
		group.Go(func() {
			if err := Once(dir, "key", text); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	first, err := os.ReadFile(filepath.Join(dir, "key"))
	if err != nil || len(first) < 3 {
		t.Fatalf("%q %v", first, err)
	}
	if err := Once(dir, "key", "five"); err != nil {
		t.Fatal(err)
	}
	if again, _ := os.ReadFile(filepath.Join(dir, "key")); string(again) != string(first) {
		t.Errorf("%q became %q", first, again)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
}
