//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestLinks: a link is followed and stays a link; what it leads to must be the
// user's own file that nobody else may write.
func TestLinks(t *testing.T) {
	c := newClaude(t, absent)
	dots := filepath.Join(t.TempDir(), "dots.json")
	put(t, dots, "{}\n")
	if err := os.Chmod(dots, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(c.Settings), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dots, c.Settings); err != nil {
		t.Fatal(err)
	}
	do(t, c.Install)
	checkInstalled(t, c, read(t, dots))
	if info, err := os.Lstat(c.Settings); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if info, err := os.Stat(dots); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("the mode changed: %v, %v", info, err)
	}
	for name, spoil := range map[string]func() error{
		CodeNotYours:   func() error { return os.Chmod(dots, 0o666) },
		CodeNotRegular: func() error { return os.Remove(dots) },
	} {
		put(t, dots, "{}\n")
		if err := os.Chmod(dots, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Install(); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
}

// TestModes: new files are the user's alone, whatever the umask.
func TestModes(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	c := newClaude(t, absent)
	do(t, c.Install)
	for _, path := range []string{c.Settings, recordOf(c.Record, c.Settings)} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	c = newClaude(t, absent)
	c.Managed = true
	do(t, c.Install)
	checkInstalled(t, c, read(t, c.Settings))
	if info, err := os.Stat(c.Settings); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("managed settings: %v, %v; every user's host reads them", info, err)
	}
}

// TestLinkedDirectory: settings that are made below a linked directory are
// found again by their record.
func TestLinkedDirectory(t *testing.T) {
	c := newClaude(t, absent)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	c.Settings = filepath.Join(link, "new", "settings.json")
	do(t, c.Install)
	do(t, c.Uninstall)
	if got := read(t, c.Settings); got != absent {
		t.Errorf("the settings that were not there are %q", got)
	}
}
