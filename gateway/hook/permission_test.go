package hook_test

import (
	"fmt"
	"strings"
	"testing"

	"nod/queue"
)

func permission(tool, input string) string {
	return `{"session_id":"94085b22","cwd":"/home/dev/project","permission_mode":"default","hook_event_name":"PermissionRequest",` +
		`"tool_name":"` + tool + `","tool_input":` + input + `,"permission_suggestions":[]}`
}

// TestGrantedOnce holds: what PreToolUse allowed is granted at the last moment,
// exactly that and exactly once.
func TestGrantedOnce(t *testing.T) {
	g := newGate(t)
	if r := g.run(t, permission("Bash", bash)); r.exit != 0 || r.behavior != "deny" || !strings.Contains(r.reason, "this connection reaches nobody") {
		t.Errorf("with no allow: %+v", r)
	}
	id := begun(t, g, "Bash", "toolu_1", bash)
	if r := g.run(t, permission("Read", bash)); r.behavior != "deny" || !strings.Contains(r.reason, "allowed no such call") {
		t.Errorf("another tool: %+v", r)
	}
	if r := g.run(t, strings.Replace(permission("Bash", bash), "94085b22", "other", 1)); r.behavior != "deny" {
		t.Errorf("another session: %+v", r)
	}
	if r := g.run(t, permission("Bash", bash)); r.exit != 0 || r.behavior != "allow" {
		t.Errorf("the allowed call: %+v", r)
	}
	if r := g.run(t, permission("Bash", bash)); r.behavior != "deny" {
		t.Errorf("the allowed call once more: %+v", r)
	}
	if r := g.run(t, post("PostToolUse", "Bash", "toolu_1", bash, "")); r.stdout != "{}" {
		t.Errorf("the report: %+v", r)
	}
	if a := g.Ask(t, id).Attempts[0]; a.Exit != queue.ExitSuccess || a.Mismatch {
		t.Errorf("attempt %+v", a)
	}
	if n := g.Notices(t); len(n) != 0 {
		t.Errorf("notices %+v", n)
	}
}

// TestRewritten: another hook changed the call after it was approved.
func TestRewritten(t *testing.T) {
	for name, c := range map[string]struct{ event string }{
		"other command": {permission("Bash", `{"command":"rm -rf ~","description":"Write a file"}`)},
		"one more":      {permission("Bash", `{"command":"echo hello > f","description":"Write a file","timeout":1}`)},
		"elsewhere":     {strings.Replace(permission("Bash", bash), "/home/dev/project", "/", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t)
			id := begun(t, g, "Bash", "toolu_1", bash)
			if r := g.run(t, c.event); r.exit != 0 || r.behavior != "deny" || !strings.Contains(r.reason, "changed after it was approved") {
				t.Errorf("got %+v, want a refusal that says why", r)
			}
			a := g.Ask(t, id).Attempts[0]
			if !a.Mismatch || a.Exit != queue.ExitBlocked || len(g.Notices(t)) != 1 {
				t.Errorf("attempt %+v, notices %+v; want blocked with a mismatch", a, g.Notices(t))
			}
			if r := g.run(t, permission("Bash", bash)); r.behavior != "deny" {
				t.Errorf("the approved call afterwards: %+v", r)
			}
		})
	}
}

// TestTwoEqualCalls: each approval grants one.
func TestTwoEqualCalls(t *testing.T) {
	g := newGate(t)
	begun(t, g, "Bash", "toolu_1", bash)
	begun(t, g, "Bash", "toolu_2", bash)
	var got []string
	for range 3 {
		got = append(got, g.run(t, permission("Bash", bash)).behavior)
	}
	if strings.Join(got, " ") != "allow allow deny" {
		t.Errorf("got %v, want two grants", got)
	}
}

// TestRequestsAtOnce: one approval grants one of many requests at once.
func TestRequestsAtOnce(t *testing.T) {
	g := newGate(t)
	for round := range 5 {
		begun(t, g, "Bash", fmt.Sprintf("toolu_%d", round), bash)
		var all []*proc
		for range 8 {
			all = append(all, g.start(t, permission("Bash", bash), "100"))
		}
		allowed := 0
		for _, p := range all {
			if p.wait(t).behavior == "allow" {
				allowed++
			}
		}
		if allowed != 1 {
			t.Errorf("round %d: %d of 8 were granted, want 1", round, allowed)
		}
	}
}

func TestBadPermissionRequest(t *testing.T) {
	g := newGate(t)
	begun(t, g, "Bash", "toolu_1", bash)
	for _, input := range []string{`{"command":"\ud800"}`, `{"command":"echo hello > f","command":"x","description":"Write a file"}`, `null`} {
		if r := g.run(t, permission("Bash", input)); r.behavior == "allow" || r.exit == 0 && r.behavior != "deny" {
			t.Errorf("%s: %+v", input, r)
		}
	}
	g.run(t, strings.Replace(permission("Bash", bash), "[]", `[{"a":1,"a":2}]`, 1)).mustBlock(t)
}
