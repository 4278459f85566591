//go:build unix

package run_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"nod/client/clienttest"
	"nod/digest"
	"nod/queue"
)

func TestAllowedRuns(t *testing.T) {
	d := newDesk(t)
	h := d.start(t, "", "sh", "-c", "cat; echo ran > marker; env; exit 7")
	h.cmd.Stdin = strings.NewReader("from stdin\n")
	h.begin(t)
	row := d.Pending(t, 1)[0]
	time.Sleep(100 * time.Millisecond)
	if d.exists("marker") {
		t.Fatal("the command ran before it was answered")
	}
	card := d.Ask(t, row.ID).Card
	d.Allow(t, "mind the gap")
	if code := h.wait(t); code != 7 {
		t.Errorf("exit %d, want the command's 7\n%s", code, h.err.String())
	}
	if !d.exists("marker") || !strings.HasPrefix(h.out.String(), "from stdin\n") {
		t.Errorf("stdout %q", h.out.String())
	}
	if !strings.Contains(h.err.String(), `"mind the gap"`) {
		t.Errorf("stderr lacks the person's words: %q", h.err.String())
	}
	// The child's environment is the card's.
	if env := h.out.String(); strings.Contains(env, "SECRET") || strings.Contains(env, "LD_") || !strings.Contains(env, "TZ=UTC\n") {
		t.Errorf("the command's environment:\n%s", env)
	}
	for _, want := range []string{`"sh"`, "/sh\"", `"pipe"`, "vars/TZ", `"UTC"`, d.dir, "operands"} {
		if !strings.Contains(card, want) {
			t.Errorf("the card lacks %s:\n%s", want, card)
		}
	}
	a := d.Ask(t, row.ID).Attempts[0]
	if a.Exit != queue.ExitFailure || a.State != queue.AttemptUnknown {
		t.Errorf("attempt %+v; want a failure with unknown effect", a)
	}
}

func TestSuccess(t *testing.T) {
	d := newDesk(t)
	h := d.start(t, "", "true")
	h.begin(t)
	row := d.Allow(t, "")
	if code := h.wait(t); code != 0 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	if a := d.Ask(t, row.ID).Attempts[0]; a.Exit != queue.ExitSuccess || a.Executor != "nod run" {
		t.Errorf("attempt %+v", a)
	}
}

// TestNotRun: without an allow there is no marker, and the exit status and the
// sentence say which no it was.
func TestNotRun(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(t *testing.T, d *desk, row queue.Row)
		code   int
		says   string
	}{
		"denied": {func(t *testing.T, d *desk, row queue.Row) {
			d.Decide(t, row, queue.Decide{Verdict: queue.VerdictDeny, Words: "wrong file"})
		}, 1, `A person denied this call: "wrong file".`},
		"revoked": {func(t *testing.T, d *desk, row queue.Row) {
			d.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow, HoldMS: 60_000})
			if _, err := d.Operator.Do(t.Context(), queue.Revoke{Ask: row.ID}); err != nil {
				t.Fatal(err)
			}
		}, 1, "taken back"},
		"withdrawn": {func(t *testing.T, d *desk, row queue.Row) {
			if _, err := d.Operator.Do(t.Context(), queue.Withdraw{Ask: row.ID}); err != nil {
				t.Fatal(err)
			}
		}, 3, "taken back"},
		"frozen": {func(t *testing.T, d *desk, row queue.Row) {
			if _, err := d.Operator.Do(t.Context(), queue.Freeze{}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(5 * time.Millisecond) // an allow of the freeze's own millisecond counts as older
			d.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow})
		}, 2, "frozen"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			h := d.start(t, "", "touch", "marker")
			h.begin(t)
			c.answer(t, d, d.Pending(t, 1)[0])
			if code := h.wait(t); code != c.code || !strings.Contains(h.err.String(), c.says) || !strings.HasPrefix(h.err.String(), "nod: ") {
				t.Errorf("exit %d, %q; want %d, %q", code, h.err.String(), c.code, c.says)
			}
			if d.exists("marker") {
				t.Error("the command ran")
			}
		})
	}
}

// TestChanged: what was digested changed before the begin.
func TestChanged(t *testing.T) {
	for name, c := range map[string]struct {
		argv   []string
		change func(d *desk) error
		runs   bool
	}{
		"nothing": {[]string{"sh", "script.sh"}, func(*desk) error { return nil }, true},
		"script": {[]string{"sh", "script.sh"}, func(d *desk) error {
			return os.WriteFile(filepath.Join(d.dir, "script.sh"), []byte("touch marker evil"), 0o700)
		}, false},
		"executable": {[]string{"./tool"}, func(d *desk) error {
			return os.WriteFile(filepath.Join(d.dir, "tool"), []byte("#!/bin/sh\ntouch marker evil\n"), 0o700)
		}, false},
		"another in its place": {[]string{"./tool"}, func(d *desk) error {
			next := filepath.Join(d.dir, "next")
			if err := os.WriteFile(next, []byte("#!/bin/sh\ntouch marker evil\n"), 0o700); err != nil {
				return err
			}
			return os.Rename(next, filepath.Join(d.dir, "tool"))
		}, false},
		"earlier in PATH": {[]string{"prog"}, func(d *desk) error {
			return os.WriteFile(filepath.Join(d.dir, "bin1", "prog"), []byte("#!/bin/sh\ntouch marker evil\n"), 0o700)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.file(t, "script.sh", "touch marker")
			d.file(t, "tool", "#!/bin/sh\ntouch marker\n")
			for _, bin := range []string{"bin1", "bin2"} {
				if err := os.Mkdir(filepath.Join(d.dir, bin), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			d.file(t, "bin2/prog", "#!/bin/sh\ntouch marker\n")
			h := d.start(t, "", c.argv...)
			h.cmd.Env = append(h.cmd.Env, "PATH="+d.dir+"/bin1:.:"+d.dir+"/bin2:"+os.Getenv("PATH"))
			h.begin(t)
			row := d.Pending(t, 1)[0]
			if err := c.change(d); err != nil {
				t.Fatal(err)
			}
			d.Allow(t, "")
			code := h.wait(t)
			if c.runs != d.exists("marker") || c.runs != (code == 0) || d.exists("evil") {
				t.Errorf("exit %d, marker %v, evil %v: %s", code, d.exists("marker"), d.exists("evil"), h.err.String())
			}
			if v := d.Ask(t, row.ID); !c.runs && len(v.Attempts) != 0 {
				t.Errorf("attempts %+v", v.Attempts)
			}
		})
	}
}

// TestOperands: the digests of what runs stand on the card.
func TestOperands(t *testing.T) {
	d := newDesk(t)
	script := d.file(t, "deploy.py", "#!/usr/bin/env sh\necho done\n")
	h := d.start(t, "", script, "input.txt")
	d.file(t, "input.txt", "data")
	h.begin(t)
	row := d.Pending(t, 1)[0]
	card := d.Ask(t, row.ID).Card
	for _, want := range []string{
		"operands/0", "argv/1", "executable", "interpreter/0", "interpreter/1",
		string(digest.Of([]byte("#!/usr/bin/env sh\necho done\n"))), string(digest.Of([]byte("data"))),
	} {
		if !strings.Contains(card, want) {
			t.Errorf("the card lacks %s:\n%s", want, card)
		}
	}
	d.Allow(t, "")
	if code := h.wait(t); code != 0 || h.out.String() != "done\n" {
		t.Errorf("exit %d, %q, %s", code, h.out.String(), h.err.String())
	}
}

func TestCannotStart(t *testing.T) {
	d := newDesk(t)
	d.file(t, "garbage", "\x7fELF nonsense")
	if err := os.WriteFile(filepath.Join(d.dir, "plain"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for argv, says := range map[string]string{"no-such-command": "not found", "./plain": "not an executable", "./gone": "not found", "": "no command"} {
		h := d.start(t, "", argv)
		h.begin(t)
		if code := h.wait(t); code != 2 || !strings.Contains(h.err.String(), says) {
			t.Errorf("%q: exit %d, %q; want 2, %q", argv, code, h.err.String(), says)
		}
	}
	if s, err := queue.Get[queue.Status](t.Context(), d.Operator, queue.QStatus{}); err != nil || s.Counters.Asks != 0 {
		t.Errorf("%d asks were filed (%v)", s.Counters.Asks, err)
	}
	// Begun, and the system refuses to start it: it did not run, and the queue
	// knows.
	h := d.start(t, "", "./garbage")
	h.begin(t)
	row := d.Allow(t, "")
	if code := h.wait(t); code != 2 || !strings.Contains(h.err.String(), "did not run") {
		t.Errorf("exit %d, %q", code, h.err.String())
	}
	if a := d.Ask(t, row.ID).Attempts[0]; a.State != queue.AttemptNotExecuted || a.Exit != queue.ExitBlocked {
		t.Errorf("attempt %+v, want not_executed", a)
	}
}

// TestSignals: a signal reaches the command, and its end is the exit status.
func TestSignals(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		d := newDesk(t)
		h := d.start(t, "", "sh", "-c", "echo > started; exec sleep 60")
		h.begin(t)
		row := d.Allow(t, "")
		clienttest.Until(t, "the start", func() bool { return d.exists("started") })
		if err := h.cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if code := h.wait(t); code != 128+int(sig) {
			t.Errorf("%s: exit %d, want %d: %s", sig, code, 128+int(sig), h.err.String())
		}
		if a := d.Ask(t, row.ID).Attempts[0]; a.Exit != queue.ExitTimeout {
			t.Errorf("%s: attempt %+v", sig, a)
		}
	}
	d := newDesk(t)
	h := d.start(t, "", "sh", "-c", `trap 'echo caught; exit 5' TERM; echo > started; while :; do sleep 0.05; done`)
	h.begin(t)
	d.Allow(t, "")
	clienttest.Until(t, "the start", func() bool { return d.exists("started") })
	if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := h.wait(t); code != 5 || h.out.String() != "caught\n" {
		t.Errorf("a handled signal: exit %d, %q", code, h.out.String())
	}
}

// TestInterruptedWait: nobody can adopt the ask of one command, so it is taken
// back; with a session it stays for the next identical command.
func TestInterruptedWait(t *testing.T) {
	d := newDesk(t)
	h := d.start(t, "", "touch", "marker")
	h.begin(t)
	row := d.Pending(t, 1)[0]
	if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := h.wait(t); code != 3 || d.Ask(t, row.ID).Row.State != queue.StateWithdrawn {
		t.Errorf("exit %d, ask %s: %s", code, d.Ask(t, row.ID).Row.State, h.err.String())
	}

	h = d.start(t, "work", "touch", "marker")
	h.begin(t)
	row = d.Pending(t, 1)[0]
	if err := h.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	h.wait(t)
	clienttest.Until(t, "the end of the waiter's lease", func() bool { v := d.Ask(t, row.ID); return !v.Row.Waits(v.Now) })
	d.Allow(t, "") // while nobody waits
	time.Sleep(100 * time.Millisecond)
	if d.exists("marker") {
		t.Fatal("a killed command ran")
	}
	h = d.start(t, "work", "touch", "marker")
	h.begin(t)
	if code := h.wait(t); code != 0 || !d.exists("marker") || d.Ask(t, row.ID).Row.State != queue.StateSpent {
		t.Errorf("the adopting command: exit %d, ask %s: %s", code, d.Ask(t, row.ID).Row.State, h.err.String())
	}
}

// TestKilledWhileRunning: nobody can say how it ended, so it is unknown.
func TestKilledWhileRunning(t *testing.T) {
	d := newDesk(t)
	h := d.start(t, "", "sh", "-c", "echo $$ > started; exec sleep 60")
	h.begin(t)
	row := d.Allow(t, "")
	clienttest.Until(t, "the start", func() bool { return d.exists("started") && d.read(t, "started") != "" })
	if err := h.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	h.wait(t)
	pid, err := strconv.Atoi(strings.TrimSpace(d.read(t, "started")))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }() // the command lives on
	if a := d.Ask(t, row.ID).Attempts[0]; a.State != queue.AttemptExecuting {
		t.Errorf("right after: %+v", a)
	}
	clienttest.Until(t, "the end of the lease", func() bool {
		_, err := d.Requester.Do(t.Context(), queue.Submit{Kind: "call", Session: "x", Call: &queue.Call{Tool: "x", Arguments: []byte("1")}})
		return err == nil && d.Ask(t, row.ID).Attempts[0].State == queue.AttemptUnknown
	})
}

// TestLeaseIsRenewed: a command may run longer than its lease.
func TestLeaseIsRenewed(t *testing.T) {
	d := newDesk(t)
	h := d.start(t, "", "sleep", "4") // the lease is 1.5 s
	h.begin(t)
	row := d.Allow(t, "")
	if code := h.wait(t); code != 0 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	if a := d.Ask(t, row.ID).Attempts[0]; a.Late || a.Exit != queue.ExitSuccess {
		t.Errorf("attempt %+v, want a report in time", a)
	}
}
