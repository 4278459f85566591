//go:build unix

package observe

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json"

	"nod/descriptor"
	"nod/digest"
)

func TestAFileIsReadAsItIs(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("new", "package shop\n")
	write("old", "package old\n")
	write("swapped", "package evil\n")
	write("empty", "")
	write("long", strings.Repeat("x", descriptor.MaxDiff+1))
	large, err := os.Create(path("large"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(large.Truncate(maxFile+1), large.Close(), os.Symlink(path("new"), path("link")), os.Symlink("nothing", path("dangling")),
		os.Mkdir(path("dir"), 0o700), syscall.Mkfifo(path("fifo"), 0o600)); err != nil {
		t.Fatal(err)
	}
	o := observer(t, descriptor.Observer{Kind: descriptor.KindFile, Path: "{/file_path}", Content: "/content"})
	ask := func(file string, before digest.Digest) descriptor.Observation {
		raw, err := json.Marshal(map[string]string{"file_path": file, "content": "package shop\n"})
		if err != nil {
			t.Fatal(err)
		}
		args, err := digest.Canonical(raw, digest.NoLimits())
		if err != nil {
			t.Fatal(err)
		}
		return Run(t.Context(), o, args, before)
	}
	old, none := digest.Of([]byte("package old\n")), digest.Of(nil)
	for _, c := range []struct {
		name   string
		before digest.Digest
		want   string
		seen   string
	}{
		{"new", old, "committed durable", "the file holds what was allowed"},
		{"new", "", "committed durable", "the file holds what was allowed"},
		{"old", old, "not_executed", "the file holds what it held before"},
		{"nothing", none, "not_executed", "the file is not there, as before"},
		{"nothing", old, "committed divergent durable", "the file is not there"},
		{"swapped", old, "committed divergent durable", "the file holds something else"},
		{"empty", old, "committed divergent durable", "the file holds something else"},
		{"long", old, "committed divergent durable", "the file holds something else"},
		{"swapped", "", "unknown: unavailable", "the file holds something else, and what it held before is not known"},
		{"link", old, "unknown: unavailable", "it is a link, and links are not followed"},
		{"dangling", none, "unknown: unavailable", "it is a link, and links are not followed"},
		{"dir", old, "unknown: unavailable", "it is no regular file"},
		{"fifo", old, "unknown: unavailable", "it is no regular file"},
		{"large", old, "unknown: too_large", "it is larger than 64 MiB"},
		{"new/below", none, "unknown: unavailable", "it cannot be looked at"},
		{strings.Repeat("n", 300), none, "unknown: unavailable", "it cannot be looked at"},
	} {
		v := ask(path(c.name), c.before)
		if says(&v) != c.want || v.Seen != "read "+path(c.name)+", "+c.seen {
			t.Errorf("%s: %s, want %s: %s", c.name, says(&v), c.want, v.Seen)
		}
	}
	if v := ask(path("swapped"), old); v.Allowed != "package shop\n" || v.Content != "package evil\n" || v.Observed != digest.Of([]byte("package evil\n")) {
		t.Errorf("swapped: %+v", v)
	}
	if v := ask(path("long"), old); v.Allowed == "" || v.Content != "" || v.Observed == "" {
		t.Errorf("long: %d bytes", len(v.Content))
	}
	if v := ask("/dev/null", none); says(&v) != "unknown: unavailable" {
		t.Errorf("a device: %+v", v)
	}
	if v := ask(dir+"/../"+filepath.Base(dir)+"/new", old); says(&v) != "unknown: unavailable" {
		t.Errorf("detours: %+v", v)
	}
	if v := ask("new", old); says(&v) != "unknown: unavailable" {
		t.Errorf("relative: %+v", v)
	}
	if _, err := os.Stat("/proc/self/cmdline"); err == nil { // it says that it is empty, and is not
		if v := ask("/proc/self/cmdline", old); says(&v) != "unknown: unavailable" {
			t.Errorf("a file that is none: %+v", v)
		}
	}
	if err := os.Chmod(path("new"), 0); err != nil {
		t.Fatal(err)
	}
	if v := ask(path("new"), old); os.Getuid() != 0 && says(&v) != "unknown: unavailable" {
		t.Errorf("unreadable: %+v", v)
	}
}

// What is put into a file's place after it was looked at is not read: no link
// is followed, no pipe's other end waited for.
func TestWhatIsPutInAFilesPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	other := filepath.Join(t.TempDir(), "b")
	for name, put := range map[string]func() error{
		"a link":       func() error { return os.Symlink(other, path) },
		"a pipe":       func() error { return syscall.Mkfifo(path, 0o600) },
		"another file": func() error { return os.WriteFile(path, []byte("y"), 0o600) },
		"nothing":      func() error { return nil },
	} {
		_ = os.Remove(path)
		if err := errors.Join(os.WriteFile(path, []byte("x"), 0o600), os.WriteFile(other, []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
		named, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.Remove(path), put()); err != nil {
			t.Fatal(err)
		}
		if f, _, err := open(path, named); err == nil {
			_ = f.Close()
			t.Errorf("%s is opened", name)
		}
	}
}

// A file that is changed while it is read has the content of neither state.
func TestAFileThatChangesWhileItIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if held, bad := read(t.Context(), path); bad != nil || held.Digest != digest.Of([]byte("x")) {
		t.Fatalf("%+v %+v", held, bad)
	}
	writing := &looked{Context: t.Context(), then: func() error { return os.WriteFile(path, []byte("xy"), 0o600) }}
	if _, bad := read(writing, path); bad == nil || bad.Seen != "it changed while it was read" {
		t.Errorf("%+v", bad)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, bad := read(ctx, path); bad == nil || bad.Why != descriptor.WhyUnavailable {
		t.Errorf("called off: %+v", bad)
	}
}

// looked is a context that does something when it is first asked for its end:
// the file is open then, and not read.
type looked struct {
	context.Context
	then func() error
}

func (l *looked) Err() error {
	then := l.then
	l.then = nil
	if then == nil {
		return nil
	}
	return then()
}
