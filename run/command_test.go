package run

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nod/digest"
)

func TestLookUp(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // where a relative entry would find something
	for name, mode := range map[string]os.FileMode{"a/tool": 0o700, "b/tool": 0o700, "a/plain": 0o600, "tool": 0o700} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	list := func(entries ...string) string { return strings.Join(entries, string(filepath.ListSeparator)) }
	for _, c := range []struct{ name, path, want string }{
		{"tool", list(filepath.Join(dir, "a"), filepath.Join(dir, "b")), "a/tool"},
		{"tool", list("", ".", "a", filepath.Join(dir, "b")), "b/tool"}, // relative entries name nothing
		{"./tool", "", "tool"},
		{"a/tool", "", "a/tool"},
		{filepath.Join(dir, "b", "tool"), "", "b/tool"},
		{"tool", list("", "."), ""},
		{"plain", filepath.Join(dir, "a"), ""},
		{"a", dir, ""},
		{"./a", "", ""},
		{"./gone", "", ""},
	} {
		got, err := lookUp(c.name, dir, c.path)
		switch {
		case c.want == "" && err == nil:
			t.Errorf("lookUp(%q, %q) = %q, want an error", c.name, c.path, got)
		case c.want != "" && (err != nil || got != filepath.Join(dir, c.want)):
			t.Errorf("lookUp(%q, %q) = %q, %v; want %s", c.name, c.path, got, err, c.want)
		}
	}
	if _, err := lookUp("gone", dir, dir); !errors.Is(err, errNotFound) {
		t.Errorf("%v, want errNotFound", err)
	}
}

// TestEnvironment: what the child reads is what the card shows, no more.
func TestEnvironment(t *testing.T) {
	d := Deps{Vars: []string{"A", "EMPTY", "GONE"}, Environ: []string{"A=1", "B=2", "A=3=4", "EMPTY=", "=odd", "C"}}
	vars, env := d.environment()
	if !slices.Equal(env, []string{"A=3=4", "EMPTY="}) || len(vars) != 2 || vars["A"] != "3=4" {
		t.Errorf("vars %v, env %q", vars, env)
	}
	for _, name := range DefaultVars() {
		if strings.HasPrefix(name, "LD_") || strings.HasSuffix(name, "_OPTIONS") || strings.HasSuffix(name, "PATH") && name != "PATH" {
			t.Errorf("%s loads code and is handed on by default", name)
		}
	}
}

func TestInterprets(t *testing.T) {
	for name, want := range map[string]bool{
		"/usr/bin/python3.11": true, "/bin/sh": true, "node": true, "/usr/bin/env": true, "psql": true,
		"/bin/cp": false, "git": false, "shred": false, "": false,
	} {
		if got := interprets(name); got != want {
			t.Errorf("interprets(%q) = %v", name, got)
		}
	}
}

// TestStdinFile: a file's rest is an operand.
func TestStdinFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "in")
	if err := os.WriteFile(path, []byte("headrest"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := f.Seek(4, 0); err != nil {
		t.Fatal(err)
	}
	c := new(command)
	if kind, err := c.stdin(t.Context(), f); err != nil || kind != "file" || c.call.Operands[0].Digest != digest.Of([]byte("rest")) {
		t.Errorf("%q, %v, %v", kind, c.call.Operands, err)
	}
	if at, _ := f.Seek(0, 1); at != 4 {
		t.Errorf("the command would read from %d", at)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = null.Close() }()
	if kind, err := c.stdin(t.Context(), null); err != nil || kind != "none" {
		t.Errorf("the null device is %q, %v", kind, err)
	}
	if kind, err := c.stdin(t.Context(), strings.NewReader("x")); err != nil || kind != "pipe" {
		t.Errorf("a reader is %q, %v", kind, err)
	}
}
