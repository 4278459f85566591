//go:build unix

package hook_test

import (
	"os"
	"strings"
	"testing"

	"nod/ambiguity"
	"nod/descriptor"
	"nod/gateway/hook/claudetest"
	"nod/queue"
)

// An agent whose call timed out tries again, in this session and in the next: it
// is refused each time, and what it called ran once.
func TestARetryAfterATimeoutIsRefused(t *testing.T) {
	h := newHost(t, descriptor.Tool{Name: "Bash", Class: "irreversible", Access: "write",
		Effect: descriptor.Effect{Family: "refund", Parts: []string{"/command"}}})
	call := claudetest.Call{Tool: "Bash", Input: map[string]any{"command": "echo ran >> marker; sleep 10", "description": "d", "timeout": 2000}}
	s, m := h.session(t, claudetest.Say(call), claudetest.Say(call))
	h.Decide(t, h.Pending(t, 1)[0], queue.Decide{Verdict: queue.VerdictAllow, Confirm: "Bash"})
	end(t, s)
	later, again := h.session(t, claudetest.Say(call))
	end(t, later)

	for i, r := range []claudetest.ToolResult{result(m, 1), result(again, 0)} {
		for _, want := range []string{"The outcome of the first Bash of this effect is unknown, and a person is looking", "did not run", "also not with a new key"} {
			if !r.IsError || !strings.Contains(r.Text, want) {
				t.Errorf("try %d: the model got %+v, want %q", i+2, r, want)
			}
		}
	}
	if !m.Heard("not known whether the effect of this call happened") {
		t.Errorf("the agent was not told of the first one: %+v", result(m, 0))
	}
	ran, err := os.ReadFile(h.path("project", "marker"))
	if err != nil || string(ran) != "ran\n" {
		t.Errorf("it ran: %q, %v", ran, err)
	}
	e := h.Effects(t, true)
	if len(e) != 1 || e[0].Standing != ambiguity.StandsUnknown || e[0].Repeats != 2 || e[0].Attempts != 1 {
		t.Fatalf("the desk: %+v", e)
	}
	if f := h.Desk(t, e[0].ID).Facts[1]; f.Kind != ambiguity.Report || f.Exit != queue.ExitTimeout {
		t.Errorf("reported as %+v", f)
	}
}
