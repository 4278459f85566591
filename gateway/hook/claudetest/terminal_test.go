//go:build unix

package claudetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// In a terminal the host's own default must be a refusal too: no dialog whose
// Enter runs what the gate did not allow, and Esc is no way past a gate that
// waits.
func TestTerminal(t *testing.T) {
	c := Find(t)
	var refusal = pretty(object{"permissions": object{"ask": []string{"*"}, "denyInsteadOfPrompting": true}})
	for _, tc := range []struct {
		name, kind string
		escape     bool
		ran        bool
		signals    []string
	}{
		{name: "no hooks"},
		{name: "allow", kind: "allow", ran: true},
		{name: "deny", kind: "deny"},
		{name: "broken", kind: "exit-1"},
		{name: "escape", kind: "wait", escape: true, signals: []string{"TERM"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			m := NewModel(t, Script{Turns: []Turn{Say(Bash("echo ran > " + w.mark("ran")))}})
			settings := refusal
			if tc.kind != "" {
				settings = Settings(w.hook.Command(tc.kind), "true", 60)
			}
			screen := w.terminal(t, c, Options{Model: m, Home: w.home, Dir: w.project, Settings: settings})
			if tc.escape {
				await(t, func() bool { return w.asked(t) })
				time.Sleep(200 * time.Millisecond) // the hook sets its traps
				screen.typed(t, "\x1b")
				await(t, func() bool { return len(w.hook.Signals(t)) > 0 })
				time.Sleep(500 * time.Millisecond) // time to run what it should not
			} else {
				await(t, func() bool { return len(m.Results()) > 0 })
			}
			if got := exists(w.mark("ran")); got != tc.ran {
				t.Errorf("ran = %v, want %v; the model got %v", got, tc.ran, m.Results())
			}
			if got := w.hook.Signals(t); !slices.Equal(got, tc.signals) {
				t.Errorf("the gate got signals %v, want %v", got, tc.signals)
			}
		})
	}
}

type screen struct{ master *os.File }

func (s screen) typed(t *testing.T, keys string) {
	t.Helper()
	if _, err := s.master.WriteString(keys); err != nil {
		t.Fatalf("type: %v", err)
	}
}

// terminal starts an interactive session and says "go" to it; the session ends
// with the test.
func (w world) terminal(t *testing.T, c Claude, o Options) screen {
	t.Helper()
	if err := prepare(o); err != nil {
		t.Fatal(err)
	}
	w.file(t, "../.claude/.claude.json", pretty(object{
		"hasCompletedOnboarding": true, "theme": "dark",
		"customApiKeyResponses": object{"approved": []string{fakeKey[len(fakeKey)-20:]}, "rejected": []string{}},
		"projects":              object{w.project: object{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}},
	}))
	cmd := exec.Command(c.Path, "--model", "claude-sonnet-4-5")
	cmd.Dir = w.project
	mark := filepath.Base(filepath.Dir(w.home)) + t.Name()
	cmd.Env = append(o.environment(), "TERM=xterm-256color", markVariable+"="+mark)
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 110})
	if err != nil {
		t.Fatalf("start claude in a terminal: %v", err)
	}
	ready := make(chan struct{})
	go func() {
		var seen strings.Builder
		b, open := make([]byte, 1<<16), true
		for {
			n, err := master.Read(b)
			seen.Write(b[:n])
			// The prompt's footer comes when it takes keys.
			if open && strings.Contains(seen.String(), "shortcuts") {
				open = false
				close(ready)
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = master.Close()
		sweep(cmd.Process.Pid, mark)
	})
	select {
	case <-ready:
	case <-time.After(30 * time.Second):
		t.Fatal("claude did not show its prompt in 30 s")
	}
	s := screen{master}
	time.Sleep(300 * time.Millisecond)
	s.typed(t, "go")
	time.Sleep(300 * time.Millisecond) // together they would be a paste
	s.typed(t, "\r")
	return s
}
