//go:build unix

package claudetest

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

//go:embed hook.sh
var hookScript []byte

// Hook is a hook that misbehaves on demand and keeps what it was told.
type Hook struct {
	path, log string
}

// NewHook installs the hook into dir, which must have no blanks or quotes in
// its name.
func NewHook(t testing.TB, dir string) Hook {
	t.Helper()
	h := Hook{path: filepath.Join(dir, "hook.sh"), log: filepath.Join(dir, "hook.log")}
	if err := os.WriteFile(h.path, hookScript, 0o700); err != nil {
		t.Fatalf("install the hook: %v", err)
	}
	if err := os.WriteFile(h.log+".plain", hookScript, 0o600); err != nil {
		t.Fatalf("install the hook: %v", err)
	}
	return h
}

// Command is the shell command that does kind, such as "deny", "sigkill" or
// "exit-3"; hook.sh lists them. No kind at all is a hook that is not there.
func (h Hook) Command(kind string, more ...string) string {
	switch kind {
	case "missing":
		return h.path + ".gone"
	case "not-executable":
		return h.log + ".plain"
	}
	cmd := fmt.Sprintf("%s %s %s", h.path, kind, h.log)
	for _, m := range more {
		cmd += " '" + m + "'"
	}
	return cmd
}

// Events are the payloads the hook was given so far, oldest first.
func (h Hook) Events(t testing.TB) []jsontext.Value {
	t.Helper()
	b, err := os.ReadFile(h.log)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatalf("read the hook's log: %v", err)
	}
	var out []jsontext.Value
	for line := range bytes.Lines(b) {
		out = append(out, jsontext.Value(bytes.TrimSpace(line)))
	}
	return out
}

// Signals are the signals that the kind "wait" got, by name without SIG.
func (h Hook) Signals(t testing.TB) []string {
	t.Helper()
	b, err := os.ReadFile(h.log + ".signals")
	if err != nil && !os.IsNotExist(err) {
		t.Fatalf("read the hook's signals: %v", err)
	}
	return strings.Fields(string(b))
}
