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

// A file that an argument names is what was approved, whatever the program and
// its name: swapped between the answer and the start, nothing runs.
func TestWhatArgumentsNameIsDigestedWhateverTheProgram(t *testing.T) {
	for name, argv := range map[string][]string{
		"a shell under another name": {"./mysh", "script"},
		"find":                       {"find", "script", "-exec", "sh", "{}", ";"},
		"behind =":                   {"env", "X=1", "sh", "-c", `. "${0#--file=}"`, "--file=./script"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			script := d.file(t, "script", "true\n")
			if err := os.Symlink("/bin/sh", filepath.Join(d.dir, "mysh")); err != nil {
				t.Fatal(err)
			}
			h := d.start(t, "", argv...)
			h.begin(t)
			row := d.Pending(t, 1)[0]
			if card := d.Ask(t, row.ID).Card; !strings.Contains(card, "argv/") {
				t.Errorf("no argument is digested:\n%s", card)
			}
			if err := os.WriteFile(script, []byte("echo swapped > marker\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			d.Allow(t, "")
			if code := h.wait(t); code != 2 || d.exists("marker") {
				t.Errorf("exit %d, ran %t: %s", code, d.exists("marker"), h.err.String())
			}
		})
	}
}
