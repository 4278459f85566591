//go:build unix

package run_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The directory that was asked for is the one that the command stands in: when
// its name leads elsewhere by then, nothing runs, there or here.
func TestAnotherDirectoryUnderTheNameIsRefused(t *testing.T) {
	d := newDesk(t)
	asked, other, kept := filepath.Join(d.dir, "asked"), filepath.Join(d.dir, "other"), filepath.Join(d.dir, "kept")
	for _, dir := range []string{asked, other} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	h := d.start(t, "", "sh", "-c", "echo ran > marker")
	h.cmd.Dir = asked
	h.begin(t)
	d.Pending(t, 1)
	if err := os.Rename(asked, kept); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, asked); err != nil {
		t.Fatal(err)
	}
	d.Allow(t, "")
	if code := h.wait(t); code != 2 || !strings.Contains(h.err.String(), "working directory is another one") {
		t.Errorf("exit %d: %s", code, h.err.String())
	}
	for _, dir := range []string{asked, kept} {
		if _, err := os.Stat(filepath.Join(dir, "marker")); err == nil {
			t.Errorf("it ran in %s", dir)
		}
	}
}

// What this process was started with above stderr is not the command's.
func TestOtherOpenFilesStayOut(t *testing.T) {
	d := newDesk(t)
	path := filepath.Join(d.dir, "evil")
	if err := os.WriteFile(path, []byte("echo ran > marker\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	h := d.start(t, "", "sh", "-c", "sh <&3 || true")
	h.cmd.ExtraFiles = []*os.File{f}
	h.begin(t)
	d.Allow(t, "")
	h.wait(t)
	if d.exists("marker") {
		t.Error("the command read a file that its card does not name")
	}
}

func TestArgumentsThatNoCardCanShowAreRefused(t *testing.T) {
	d := newDesk(t)
	h := d.start(t, "", "touch", "marker\xff")
	h.begin(t)
	if code := h.wait(t); code != 2 || !strings.Contains(h.err.String(), "UTF-8") || strings.Contains(h.err.String(), "jsontext") {
		t.Errorf("exit %d: %s", code, h.err.String())
	}
}
