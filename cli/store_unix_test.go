//go:build unix

package cli_test

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"nod/store/sqlite"
)

// refused runs nod and wants exit 2, a code in brackets and a hint.
func refused(t *testing.T, code string, attr *syscall.SysProcAttr, args ...string) {
	t.Helper()
	cmd := exec.Command("nod", args...)
	cmd.SysProcAttr = attr
	cmd.Dir = "/"
	out, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != 2 || err == nil {
		t.Fatalf("exit %d (%v):\n%s", got, err, out)
	}
	if !strings.Contains(string(out), "("+code+")\n") || !strings.Contains(string(out), "\nhint: ") {
		t.Fatalf("no %s with a hint:\n%s", code, out)
	}
}

// pragma changes the store's file behind its back.
func pragma(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// lone makes a store that nobody holds open.
func lone(t *testing.T) (store, config string) {
	t.Helper()
	dir := t.TempDir()
	store, config = filepath.Join(dir, "data", "nod.db"), filepath.Join(dir, "config.toml")
	s, err := sqlite.Open(t.Context(), store, sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return store, config
}

func TestStoresOfOthersAreRefused(t *testing.T) {
	t.Parallel()
	for code, statement := range map[string]string{
		"store_newer": "PRAGMA user_version = 4711", "store_foreign": "PRAGMA application_id = 77",
	} {
		t.Run(code, func(t *testing.T) {
			store, config := lone(t)
			pragma(t, store, statement)
			before, err := os.ReadFile(store)
			if err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"list"}, {"run", "--", "true"}, {"audit", "verify"}, {"backup", filepath.Join(t.TempDir(), "b.db")}} {
				refused(t, code, nil, append([]string{"--store=" + store, "--config=" + config}, args...)...)
			}
			after, err := os.ReadFile(store)
			if err != nil || string(after) != string(before) {
				t.Errorf("a refused store was changed (%v)", err)
			}
		})
	}
}

func TestALockedStoreIsRefused(t *testing.T) {
	t.Parallel()
	store, config := lone(t)
	var s *sqlite.Store
	unshared(t, func() (err error) {
		s, err = sqlite.Open(t.Context(), store, sqlite.Options{Exclusive: true})
		return err
	})
	refused(t, "store_locked", nil, "--store="+store, "--config="+config, "list")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	unshared(t, func() error {
		out, err := exec.Command("nod", "--store="+store, "--config="+config, "list").CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, out)
		}
		return err
	})
}

// unshared does what may be refused for a moment: a lock that is let go is still
// held by another test's child between its fork and its exec.
func unshared(t *testing.T, do func() error) {
	t.Helper()
	var err error
	for range 50 {
		if err = do(); err == nil {
			return
		}
		if !strings.Contains(err.Error(), "store_locked") {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("let go, it stays refused: %v", err)
}

// TestAStoreThatCannotBeWritten runs as another user when the test is root,
// who may write everywhere.
func TestAStoreThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	const nobody = 65534
	dir, err := os.MkdirTemp("", "nod-read-only-")
	if err != nil {
		t.Fatal(err)
	}
	var attr *syscall.SysProcAttr
	data := filepath.Join(dir, "data")
	store := filepath.Join(data, "nod.db")
	t.Cleanup(func() {
		_ = os.Chmod(data, 0o700)
		_ = os.RemoveAll(dir)
	})
	s, err := sqlite.Open(t.Context(), store, sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		attr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Chown(path, nobody, nobody)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(data, 0o500); err != nil {
		t.Fatal(err)
	}
	flags := []string{"--store=" + store, "--config=" + filepath.Join(dir, "config.toml")}
	for _, args := range [][]string{{"list"}, {"ask", "--within=1s", "--question=x"}, {"run", "--within=1s", "--", "true"}} {
		refused(t, "store_readonly", attr, append(flags, args...)...)
	}
}
