//go:build unix

package hook_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"nod/gateway/hook"
	"nod/gateway/install"
	"nod/queue"
)

// guarded runs the command line that the installer writes.
func (g *gate) guarded(t *testing.T, stdin string, hit func(shell int)) reply {
	t.Helper()
	var words []string
	for _, w := range append([]string{g.self}, g.args("100")...) {
		words = append(words, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
	}
	p := &proc{cmd: exec.Command("/bin/sh", "-c", install.Guard(strings.Join(words, " ")))}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = strings.NewReader(stdin), &p.out, &p.err
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if hit != nil {
		hit(p.cmd.Process.Pid)
	}
	r := p.wait(t)
	if r.exit != 0 && r.exit != 2 || (r.exit == 0) == (r.decision+r.behavior == "") {
		t.Errorf("exit %d with stdout %q: neither an answer nor a refusal", r.exit, r.stdout)
	}
	return r
}

// TestKilledWithinTheGuard: whenever the hook dies, the host is told to run the
// call only if the queue has begun it.
func TestKilledWithinTheGuard(t *testing.T) {
	g := newGate(t)
	g.mode(t, "allow")
	fatal := []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGSEGV, syscall.SIGPIPE}
	random := rand.New(rand.NewPCG(1, 2))
	allowed := 0
	for i := range 40 {
		r := g.guarded(t, pre("Bash", fmt.Sprintf("toolu_%d", i), bash), func(shell int) {
			time.Sleep(time.Duration(random.IntN(80)) * time.Millisecond)
			for _, child := range childrenOf(shell) {
				_ = syscall.Kill(child, fatal[i%len(fatal)]) // it may have ended
			}
		})
		if r.decision == "allow" {
			allowed++
		}
	}
	history, err := queue.Get[queue.Inbox](t.Context(), g.Operator, queue.QInbox{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	if begun := int(history.Counters.Spent); allowed == 0 || allowed > begun {
		t.Errorf("%d calls were allowed, %d begun; want some, and no more than were begun", allowed, begun)
	}
}

// childrenOf lists a process's children; none where there is no /proc.
func childrenOf(pid int) []int {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return nil
	}
	var out []int
	for _, w := range strings.Fields(string(b)) {
		var child int
		if _, err := fmt.Sscan(w, &child); err == nil {
			out = append(out, child)
		}
	}
	return out
}

// TestReplayedCall: an id that was spent never opens the gate again, before and
// after its report, nor does it lend its name to another input.
func TestReplayedCall(t *testing.T) {
	g := newGate(t)
	g.mode(t, "allow")
	if r := g.guarded(t, pre("Bash", "toolu_1", bash), nil); r.decision != "allow" {
		t.Fatalf("got %+v, want the rule's allow", r)
	}
	for _, then := range []string{"", post("PostToolUse", "Bash", "toolu_1", bash, "")} {
		if then != "" {
			g.run(t, then)
		}
		for _, input := range []string{bash, `{"command":"rm -rf ~"}`} {
			if r := g.guarded(t, pre("Bash", "toolu_1", input), nil); r.decision == "allow" {
				t.Errorf("a spent id was allowed again for %s", input)
			}
		}
	}
}

// TestOtherEventsInTheGate: through the guard no event but the two that decide
// can end as an answer.
func TestOtherEventsInTheGate(t *testing.T) {
	g := newGate(t)
	g.mode(t, "allow")
	for _, name := range []string{
		"Stop", "Notification", "UserPromptSubmit", "SessionStart", "SessionEnd", "PostToolUse", "PostToolUseFailure",
		"pretooluse", "PreToolUse ", `PreToolUse\u0000`, "",
	} {
		event := strings.Replace(pre("Bash", "toolu_1", bash), `"PreToolUse"`, `"`+name+`"`, 1)
		if r := g.guarded(t, event, nil); r.exit != 2 {
			t.Errorf("%q: exit %d, stdout %q", name, r.exit, r.stdout)
		}
	}
}

// TestSessionDirectoryIsALink: tokens are not written through a link, and
// without its token no call is let through.
func TestSessionDirectoryIsALink(t *testing.T) {
	g := newGate(t)
	g.mode(t, "allow")
	elsewhere := t.TempDir()
	if err := os.MkdirAll(g.attempts(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(g.attempts(), hook.SessionFile("94085b22"))); err != nil {
		t.Fatal(err)
	}
	if r := g.guarded(t, pre("Bash", "toolu_1", bash), nil); r.exit != 2 {
		t.Errorf("got %+v, want a refusal", r)
	}
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) != 0 {
		t.Errorf("written behind the link: %v, %v", left, err)
	}
}

// TestLiftedIsNotText: a number that was lifted into a text grants itself, never
// the text of its digits.
func TestLiftedIsNotText(t *testing.T) {
	g := newGate(t)
	g.mode(t, "allow")
	if r := g.guarded(t, pre("Pay", "toolu_1", `{"n":9007199254740993}`), nil); r.decision != "allow" {
		t.Fatalf("got %+v", r)
	}
	if r := g.guarded(t, permission("Pay", `{"n":"9007199254740993"}`), nil); r.behavior == "allow" {
		t.Error("the text was granted")
	}
	if r := g.guarded(t, pre("Pay", "toolu_2", `{"n":9007199254740993}`), nil); r.decision != "allow" {
		t.Fatalf("got %+v", r)
	}
	if r := g.guarded(t, permission("Pay", `{"n":9007199254740993}`), nil); r.behavior != "allow" {
		t.Errorf("the number was not granted: %+v", r)
	}
}
