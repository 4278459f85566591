//go:build unix

package operand

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

func TestPipeDoesNotBlock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := File(t.Context(), path); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a named pipe: %v, want ErrNotRegular", err)
	}
}
