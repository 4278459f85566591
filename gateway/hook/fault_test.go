//go:build unix

package hook_test

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"nod/client/clienttest"
	"nod/gateway/hook"
	"nod/queue"
)

// TestBadInput holds: what cannot be read strictly blocks, and nothing is
// written.
func TestBadInput(t *testing.T) {
	g := newGate(t)
	good := pre("Bash", "toolu_1", bash)
	for name, event := range map[string]string{
		"empty": "", "not JSON": "hello", "array": "[]", "cut": good[:len(good)-1], "two": good + good,
		"duplicate member":      strings.Replace(good, `"tool_name"`, `"tool_name":"Read","tool_name"`, 1),
		"escaped duplicate":     strings.Replace(good, `"tool_name"`, `"tool_n\u0061me":"Read","tool_name"`, 1),
		"duplicate in input":    pre("Bash", "toolu_1", `{"command":"ls","command":"rm"}`),
		"lone surrogate":        pre("Bash", "toolu_1", `{"command":"\ud800"}`),
		"bad UTF-8":             pre("Bash", "toolu_1", "{\"command\":\"\xff\"}"),
		"bad UTF-8 elsewhere":   strings.Replace(good, "/t.jsonl", "\xff", 1),
		"too deep":              pre("Bash", "toolu_1", strings.Repeat("[", 129)+strings.Repeat("]", 129)),
		"too large":             pre("Bash", "toolu_1", `"`+strings.Repeat("x", 1<<20)+`"`),
		"no tool":               strings.Replace(good, `"Bash"`, `""`, 1),
		"no session":            strings.Replace(good, `"session_id"`, `"session"`, 1),
		"no call id":            strings.Replace(good, `"tool_use_id"`, `"tool_use"`, 1),
		"no input":              strings.Replace(good, `"tool_input"`, `"input"`, 1),
		"name of another type":  strings.Replace(good, `"Bash"`, `7`, 1),
		"no event":              strings.Replace(good, `"hook_event_name"`, `"event"`, 1),
		"unknown event":         strings.Replace(good, `"PreToolUse"`, `"UserPromptSubmit"`, 1),
		"event in another case": strings.Replace(good, `"PreToolUse"`, `"pretooluse"`, 1),
		"name in another case":  strings.Replace(good, `"hook_event_name"`, `"Hook_Event_Name"`, 1),
	} {
		t.Run(name, func(t *testing.T) { g.run(t, event).mustBlock(t) })
	}
	s, err := queue.Get[queue.Status](t.Context(), g.Operator, queue.QStatus{})
	if err != nil || s.Counters.Asks != 0 {
		t.Errorf("%d asks were filed (%v)", s.Counters.Asks, err)
	}
}

// TestFaults holds: a gate that cannot work blocks.
func TestFaults(t *testing.T) {
	for _, mode := range []string{"panic", "error"} {
		g := newGate(t)
		g.mode(t, mode)
		g.run(t, pre("Bash", "toolu_1", bash)).mustBlock(t)
	}
	t.Run("no configuration", func(t *testing.T) {
		g := newGate(t)
		if err := os.Remove(g.config); err != nil {
			t.Fatal(err)
		}
		if r := g.run(t, pre("Bash", "toolu_1", bash)); r.exit != 2 || r.stdout != "" {
			t.Errorf("got %+v", r)
		}
	})
	t.Run("no store", func(t *testing.T) {
		g := newGate(t)
		g.Path = filepath.Join(t.TempDir(), "gone", "nod.db")
		r := g.run(t, pre("Bash", "toolu_1", bash))
		r.mustBlock(t)
		if !strings.Contains(r.stderr, "store_missing") || !strings.Contains(r.stderr, "hint: ") {
			t.Errorf("stderr %q lacks the store's code or hint", r.stderr)
		}
	})
	t.Run("store that hangs", func(t *testing.T) {
		g := newGate(t)
		g.mode(t, "hang")
		begin := time.Now()
		g.start(t, pre("Bash", "toolu_1", bash), "4").wait(t).mustBlock(t)
		if took := time.Since(begin); took > 3500*time.Millisecond {
			t.Errorf("blocked after %s, too near to the host's 4 s", took)
		}
	})
	t.Run("open state directory", func(t *testing.T) {
		g := newGate(t)
		if err := os.Mkdir(g.state(), 0o755); err != nil {
			t.Fatal(err)
		}
		g.run(t, pre("Bash", "toolu_1", bash)).mustBlock(t)
	})
	t.Run("state directory is a link", func(t *testing.T) {
		g := newGate(t)
		if err := os.Symlink(t.TempDir(), g.state()); err != nil {
			t.Fatal(err)
		}
		g.run(t, pre("Bash", "toolu_1", bash)).mustBlock(t)
	})
}

// TestTokenCannotBeKept: an allow whose report could never come is not given.
func TestTokenCannotBeKept(t *testing.T) {
	g := newGate(t)
	p := g.start(t, pre("Bash", "toolu_1", bash), "100")
	row := g.Pending(t, 1)[0]
	clienttest.Until(t, "the state directory", func() bool { _, err := os.Stat(g.attempts()); return err == nil })
	// A file where the session's directory belongs stops root too.
	if err := os.WriteFile(filepath.Join(g.attempts(), hook.SessionFile("94085b22")), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	g.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow})
	p.wait(t).mustBlock(t)
	v := g.Ask(t, row.ID)
	if len(v.Attempts) != 1 || v.Attempts[0].Exit != queue.ExitBlocked {
		t.Errorf("attempts %+v; want one reported as blocked", v.Attempts)
	}
}

// TestSignals: the host gave up. Nothing is allowed, and the ask stays for the
// next identical call, which adopts it.
func TestSignals(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGKILL} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			g := newGate(t)
			p := g.start(t, pre("Bash", "toolu_1", bash), "100")
			row := g.Pending(t, 1)[0]
			if err := p.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			r := p.wait(t)
			if sig == syscall.SIGKILL {
				if r.stdout != "" || r.exit == 0 {
					t.Errorf("got %+v", r)
				}
			} else {
				r.mustBlock(t)
			}
			if v := g.Ask(t, row.ID); v.Row.State != queue.StatePending {
				t.Fatalf("the ask is %s, want pending", v.Row.State)
			}
			clienttest.Until(t, "the end of the waiter's lease", func() bool {
				v := g.Ask(t, row.ID)
				return !v.Row.Waits(v.Now)
			})
			q := g.start(t, pre("Bash", "toolu_2", bash), "100")
			clienttest.Until(t, "the adoption", func() bool { v := g.Ask(t, row.ID); return v.Row.Waits(v.Now) })
			g.Allow(t, "")
			if r := q.wait(t); r.decision != "allow" {
				t.Errorf("the adopting call got %+v", r)
			}
			if v := g.Ask(t, row.ID); v.Row.State != queue.StateSpent {
				t.Errorf("the adopted ask is %s", v.Row.State)
			}
		})
	}
}

// TestStopped: a hook that was stopped answers late or never, never wrongly.
func TestStopped(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	p := g.start(t, pre("Bash", "toolu_1", bash), "100")
	row := g.Pending(t, 1)[0]
	// Stopped inside a transaction it would hold the store's lock.
	time.Sleep(500 * time.Millisecond)
	if err := p.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	clienttest.Until(t, "the end of the waiter's lease", func() bool {
		v := g.Ask(t, row.ID)
		return !v.Row.Waits(v.Now)
	})
	q := g.start(t, pre("Bash", "toolu_2", bash), "100")
	clienttest.Until(t, "the adoption", func() bool { v := g.Ask(t, row.ID); return v.Row.Waits(v.Now) })
	if err := p.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	g.Allow(t, "")
	if r := q.wait(t); r.decision != "allow" {
		t.Errorf("the adopting hook got %+v", r)
	}
	if r := p.wait(t); r.decision != "deny" {
		t.Errorf("the hook that lost its ask got %+v", r)
	}
	if v := g.Ask(t, row.ID); len(v.Attempts) != 1 {
		t.Errorf("%d attempts", len(v.Attempts))
	}
}

// TestHostGone kills the host while a shell stands between it and the hook, as
// the installed command has it.
func TestHostGone(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	script := `a=$("$0" "$@") || exit 2; printf %s "$a"`
	host := exec.Command("sh", append([]string{"-c", `sh -c "$S" "$0" "$@" & wait`, g.self}, g.args("100")...)...)
	host.Env = append(os.Environ(), "S="+script)
	in := filepath.Join(t.TempDir(), "event")
	if err := os.WriteFile(in, []byte(pre("Bash", "toolu_1", bash)), 0o600); err != nil {
		t.Fatal(err)
	}
	stdin, err := os.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	// A background job of a shell reads nothing by default: give it the event.
	host.Args[2] = `sh -c "$S" "$0" "$@" <&3 & wait`
	host.ExtraFiles = []*os.File{stdin}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	host.Stdout, host.Stderr = w, w
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	row := g.Pending(t, 1)[0]
	if err := host.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = host.Wait()
	if err := r.Close(); err != nil { // the dead host's end
		t.Fatal(err)
	}
	clienttest.Until(t, "the end of the waiter's lease", func() bool {
		v := g.Ask(t, row.ID)
		return !v.Row.Waits(v.Now)
	})
	g.Allow(t, "")
	time.Sleep(300 * time.Millisecond)
	if v := g.Ask(t, row.ID); v.Row.State != queue.StateAllowed {
		t.Errorf("the ask is %s: a hook without a host began it", v.Row.State)
	}
}

// TestAnswerNobodyReads: the host went between begin and answer.
func TestAnswerNobodyReads(t *testing.T) {
	g := newGate(t)
	g.mode(t, "allow")
	code := run(t, g, pre("Bash", "toolu_1", bash), brokenPipe{}, &bytes.Buffer{})
	if code != 2 {
		t.Errorf("exit %d, want 2", code)
	}
	h, err := queue.Get[queue.History](t.Context(), g.Operator, queue.QHistory{Limit: 1})
	if err != nil || len(h.Rows) != 1 {
		t.Fatalf("history %+v, %v", h, err)
	}
	if v := g.Ask(t, h.Rows[0].ID); len(v.Attempts) != 1 || v.Attempts[0].Exit != queue.ExitBlocked {
		t.Errorf("attempts %+v; want one reported as blocked", v.Attempts)
	}
	left := 0
	err = filepath.WalkDir(g.state(), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			left++
		}
		return err
	})
	if err != nil || left != 0 {
		t.Errorf("%d token files are left (%v)", left, err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// run answers an event in this process.
func run(t *testing.T, g *gate, event string, out, errw io.Writer) int {
	t.Helper()
	d := hook.Deps{StateDir: g.state(), Open: opener(g)}
	return hook.ClaudeCode(t.Context(), d, strings.NewReader(event), out, errw)
}

// TestOneWrite holds: the answer is written whole, in one piece, and tokens are
// private.
func TestOneWrite(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	g := newGate(t)
	g.mode(t, "allow")
	var out pieces
	if code := run(t, g, pre("Bash", "toolu_1", bash), &out, io.Discard); code != 0 || len(out) != 1 {
		t.Fatalf("exit %d, %d writes", code, len(out))
	}
	if s := out[0]; s[0] != '{' || s[len(s)-1] != '}' {
		t.Errorf("the answer is %q", s)
	}
	seen := 0
	err := filepath.WalkDir(g.state(), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; info.Mode().Perm() != want {
			t.Errorf("%s has mode %#o", path, info.Mode().Perm())
		}
		if !d.IsDir() {
			seen++
		}
		return nil
	})
	if err != nil || seen != 1 {
		t.Errorf("%d token files (%v), want 1", seen, err)
	}
}

type pieces []string

func (p *pieces) Write(b []byte) (int, error) { *p = append(*p, string(b)); return len(b), nil }
