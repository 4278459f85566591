package operand

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"nod/digest"
)

func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	content := make([]byte, 300<<10) // more than one read
	content[299<<10] = 1
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := File(t.Context(), path)
	if err != nil || got != digest.Of(content) {
		t.Fatalf("File = %s, %v; want the SHA-256 of the bytes", got, err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if through, err := File(t.Context(), link); err != nil || through != got {
		t.Errorf("through a link: %s, %v; want the target's digest", through, err)
	}
	content[0] = 1
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if changed, _ := File(t.Context(), path); changed == got {
		t.Error("a changed file kept its digest")
	}
}

func TestOfIgnoresThePosition(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := f.Seek(3, 0); err != nil {
		t.Fatal(err)
	}
	if d, err := Of(t.Context(), f); err != nil || d != digest.Of([]byte("hello")) {
		t.Errorf("Of = %s, %v; want the whole file's", d, err)
	}
}

func TestNoDigest(t *testing.T) {
	dir := t.TempDir()
	if _, err := File(t.Context(), dir); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a directory: %v, want ErrNotRegular", err)
	}
	if _, err := File(t.Context(), filepath.Join(dir, "absent")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent file: %v, want ErrNotExist", err)
	}
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, MaxBytes+1); err != nil {
		t.Skip("no sparse files here")
	}
	if _, err := File(t.Context(), large); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a file over the limit: %v, want ErrTooLarge", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := os.Truncate(large, 10); err != nil {
		t.Fatal(err)
	}
	if _, err := File(ctx, large); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled digest: %v", err)
	}
}
