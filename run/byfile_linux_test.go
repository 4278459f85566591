package run

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// copyOf puts a program of the system at a path of the test's own.
func copyOf(t *testing.T, program, path string) {
	t.Helper()
	from, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("no %s: %v", program, err)
	}
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o700); err != nil {
		t.Fatal(err)
	}
}

// TestByFile: the file that was digested starts, whatever lies at its path.
func TestByFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tool")
	copyOf(t, "true", path)
	d := Deps{Dir: dir}
	c, err := d.resolve(t.Context(), []string{"./tool"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if !c.unchanged() {
		t.Fatal("the files changed by themselves")
	}
	other := filepath.Join(dir, "other")
	copyOf(t, "false", other)
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	if c.unchanged() {
		t.Error("another file at the path is not noticed")
	}
	name, release, err := c.byFile(false)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := (&exec.Cmd{Path: name, Args: []string{"tool"}}).Run(); err != nil {
		t.Errorf("the digested file was not started: %v", err)
	}
	if err := exec.Command(path).Run(); err == nil {
		t.Error("the other file at the path does not differ, so nothing was shown")
	}
	// Between the last look and the start nothing may slip in.
	if _, err := d.start(c, &heard{}); err == nil {
		t.Error("a command whose file was replaced was started")
	}
}

// TestStartNoticesAWrite: also a write that keeps size and modification time.
func TestStartNoticesAWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "script")
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexit 0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	d := Deps{Dir: dir}
	c, err := d.resolve(t.Context(), []string{"./script"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexit 9\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if cmd, err := d.start(c, &heard{}); err == nil {
		_ = cmd.Wait()
		t.Error("a command whose script was written was started")
	}
}
