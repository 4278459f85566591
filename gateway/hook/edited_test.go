package hook_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod/client"
	"nod/client/clienttest"
	"nod/queue"
)

const changed = `{"command":"echo bye > g","description":"Write a file"}`

// edited runs a call that a person changes and allows.
func edited(t *testing.T, g *gate, tool, id, input, arguments string) (string, reply) {
	t.Helper()
	p := g.start(t, pre(tool, id, input), "100")
	e := g.Edit(t, g.Pending(t, 1)[0], arguments, "")
	g.Allow(t, "")
	return e.Ask, p.wait(t)
}

// TestEdited holds: the host is told to run exactly the changed arguments, and
// that call alone is granted and reported as the approved one.
func TestEdited(t *testing.T) {
	g := newGate(t)
	p := g.start(t, pre("Bash", "toolu_1", bash), "100")
	row := g.Pending(t, 1)[0]
	first := g.Edit(t, row, `{"command":"echo hm"}`, "not quite")
	g.Edit(t, g.Ask(t, first.Ask).Row, changed, "into g")
	last := g.Allow(t, "now it is right")
	r := p.wait(t)
	if r.exit != 0 || r.decision != "allow" || r.input != changed {
		t.Fatalf("got %+v, want an allow of %s", r, changed)
	}
	for _, want := range []string{"changed the arguments", changed, `not quite`, `into g`, `"now it is right"`} {
		if !strings.Contains(r.context, want) {
			t.Errorf("the agent is told %q, without %q", r.context, want)
		}
	}
	v := g.Ask(t, last.ID)
	if v.Row.State != queue.StateSpent || len(v.Attempts) != 1 || len(g.Ask(t, row.ID).Attempts) != 0 {
		t.Fatalf("the edited ask is %s with %+v", v.Row.State, v.Attempts)
	}
	if r := g.run(t, permission("Bash", changed)); r.behavior != "allow" {
		t.Errorf("the changed call at the last moment: %+v", r)
	}
	if r := g.run(t, post("PostToolUse", "Bash", "toolu_1", changed, "")); r.stdout != "{}" {
		t.Errorf("the report of the changed call: %+v", r)
	}
	if a := g.Ask(t, last.ID).Attempts[0]; a.Mismatch || a.Exit != queue.ExitSuccess || len(g.Notices(t)) != 0 {
		t.Errorf("attempt %+v, notices %+v", a, g.Notices(t))
	}
}

// TestTheOriginalOfAnEditIsNoMatch: a host that runs its own call after all, or
// a third one, is caught as before.
func TestTheOriginalOfAnEditIsNoMatch(t *testing.T) {
	for name, input := range map[string]string{"the original": bash, "a third one": `{"command":"rm -rf ~"}`} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t)
			id, _ := edited(t, g, "Bash", "toolu_1", bash, changed)
			if r := g.run(t, permission("Bash", input)); r.behavior != "deny" || !strings.Contains(r.reason, "changed after it was approved") {
				t.Errorf("at the last moment: %+v", r)
			}
			if a := g.Ask(t, id).Attempts[0]; !a.Mismatch || a.Exit != queue.ExitBlocked {
				t.Errorf("attempt %+v", a)
			}
			g = newGate(t)
			id, _ = edited(t, g, "Bash", "toolu_1", bash, changed)
			if r := g.run(t, post("PostToolUse", "Bash", "toolu_1", input, "")); !strings.Contains(r.message, "MISMATCH") {
				t.Errorf("the report: %+v", r)
			}
			if a := g.Ask(t, id).Attempts[0]; !a.Mismatch || len(g.Notices(t)) != 1 {
				t.Errorf("attempt %+v, notices %+v", a, g.Notices(t))
			}
		})
	}
}

func TestAnEditThatIsNotAllowed(t *testing.T) {
	g := newGate(t)
	p := g.start(t, pre("Bash", "toolu_1", bash), "100")
	g.Edit(t, g.Pending(t, 1)[0], changed, "")
	g.Deny(t, "no after all")
	if r := p.wait(t); r.decision != "deny" || r.input != "" || !strings.Contains(r.reason, "changed the arguments") || !strings.Contains(r.reason, `"no after all"`) {
		t.Errorf("a denied edit: %+v", r)
	}

	p = g.start(t, pre("Bash", "toolu_2", bash), "5")
	g.Edit(t, g.Pending(t, 1)[0], changed, "mind the path")
	if r := p.wait(t); r.decision != "deny" || !strings.HasSuffix(r.reason, client.Nobody) || !strings.Contains(r.reason, `"mind the path"`) {
		t.Errorf("an edit that nobody answers: %+v", r)
	}
}

// TestAnEditThatTheHostCannotRun: it is refused before anybody reads it, not
// after somebody allowed it.
func TestAnEditThatTheHostCannotRun(t *testing.T) {
	for _, arguments := range []string{`"echo"`, `["echo"]`, `null`, `7`} {
		g := newGate(t)
		p := g.start(t, pre("Bash", "toolu_1", bash), "100")
		row := g.Pending(t, 1)[0]
		_, err := g.Operator.Do(t.Context(), queue.Edit{Ask: row.ID, ActionDigest: row.ActionDigest, ShownDigest: row.ShownDigest, Arguments: []byte(arguments)})
		if r, ok := errors.AsType[*queue.Refusal](err); !ok || r.Code != queue.CodeBadInput {
			t.Errorf("%s: %v", arguments, err)
		}
		g.Allow(t, "")
		if r := p.wait(t); r.decision != "allow" || r.input != "" {
			t.Errorf("%s: the call as it was: %+v", arguments, r)
		}
	}
	g := newGate(t)
	g.start(t, pre("Odd", "toolu_2", `["a"]`), "100")
	if row := g.Pending(t, 1)[0]; row.Edits {
		t.Errorf("a call whose input is no object takes an edit: %+v", row)
	}
}

// TestAnEditAndItsFile: the file that the call changes was digested for the
// arguments as they were.
func TestAnEditAndItsFile(t *testing.T) {
	g := newGate(t)
	dir := t.TempDir()
	one, other := filepath.Join(dir, "one"), filepath.Join(dir, "other")
	for _, f := range []string{one, other} {
		if err := os.WriteFile(f, []byte(f), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write := func(file, content string) string { return `{"content":"` + content + `","file_path":"` + file + `"}` }
	_, r := edited(t, g, "Write", "toolu_1", write(one, "a"), write(one, "b"))
	if r.decision != "allow" || r.input != write(one, "b") {
		t.Errorf("other content of the same file: %+v", r)
	}
	id, r := edited(t, g, "Write", "toolu_2", write(one, "a"), write(other, "a"))
	if r.decision != "deny" || !strings.Contains(r.reason, "reads changed after it was approved") {
		t.Errorf("another file: %+v", r)
	}
	if v := g.Ask(t, id); len(v.Attempts) != 0 {
		t.Errorf("another file began: %+v", v.Attempts)
	}
}

// TestANumberOfAnEdit: what was lifted reaches the host as the number it is,
// every other string as it stands.
func TestANumberOfAnEdit(t *testing.T) {
	g := newGate(t)
	const sent = `{"9007199254740993":"9007199254740993","deep":[{"n":9007199254740993,"a/b":1e400}],"s":"9007199254740993"}`
	const edit = `{"9007199254740993":"9007199254740993","deep":[{"a/b":"-0","n":"9007199254740995"}],"s":"é \u0000\""}`
	const runs = `{"9007199254740993":"9007199254740993","deep":[{"a/b":-0,"n":9007199254740995}],"s":"é \u0000\""}`
	id, r := edited(t, g, "mcp__a__b", "toolu_1", sent, edit)
	if r.decision != "allow" || r.input != runs {
		t.Fatalf("got %+v\nwant %s", r, runs)
	}
	if r := g.run(t, post("PostToolUse", "mcp__a__b", "toolu_1", runs, "")); r.stdout != "{}" {
		t.Errorf("the report: %+v", r)
	}
	if a := g.Ask(t, id).Attempts[0]; a.Mismatch {
		t.Errorf("attempt %+v", a)
	}
}

// TestAHostThatAsksAgainGetsTheEdit: the hook was killed, and the host sends the
// same call once more.
func TestAHostThatAsksAgainGetsTheEdit(t *testing.T) {
	for name, again := range map[string]string{"the same call": "toolu_1", "an identical call": "toolu_2"} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t)
			p := g.start(t, pre("Bash", "toolu_1", bash), "100")
			row := g.Pending(t, 1)[0]
			e := g.Edit(t, row, changed, "")
			if err := p.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			p.wait(t)
			clienttest.Until(t, "the end of the lease", func() bool {
				v := g.Ask(t, e.Ask)
				return !v.Row.Waits(v.Now)
			})
			p = g.start(t, pre("Bash", again, bash), "100")
			clienttest.Until(t, "a new waiter", func() bool {
				v := g.Ask(t, e.Ask)
				return v.Row.Waits(v.Now)
			})
			g.Allow(t, "")
			if r := p.wait(t); r.decision != "allow" || r.input != changed {
				t.Errorf("got %+v", r)
			}
			if v := g.Ask(t, e.Ask); v.Row.State != queue.StateSpent {
				t.Errorf("the edited ask is %s", v.Row.State)
			}
		})
	}
}

// TestAHoldLongerThanTheHostWaits: an allowed call is never said to be nobody's,
// and the approval is there for the next one.
func TestAHoldLongerThanTheHostWaits(t *testing.T) {
	g := newGate(t)
	p := g.start(t, pre("Bash", "toolu_1", bash), "5")
	row := g.Pending(t, 1)[0]
	g.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow, HoldMS: 5_000})
	if r := p.wait(t); r.decision != "deny" || r.reason != client.Held {
		t.Errorf("got %+v, want %q", r, client.Held)
	}
	if r := g.start(t, pre("Bash", "toolu_2", bash), "100").wait(t); r.decision != "allow" {
		t.Errorf("the next identical call: %+v", r)
	}
	if v := g.Ask(t, row.ID); v.Row.State != queue.StateSpent || v.Attempts[0].BeganAt < v.Decision.NotBefore {
		t.Errorf("the held ask: %+v %+v", v.Row, v.Attempts)
	}
}

// TestTakenBackWhileHeld: the host hears of it at once.
func TestTakenBackWhileHeld(t *testing.T) {
	g := newGate(t)
	p := g.start(t, pre("Bash", "toolu_1", bash), "100")
	row := g.Pending(t, 1)[0]
	g.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow, HoldMS: 60_000})
	if _, err := g.Operator.Do(t.Context(), queue.Revoke{Ask: row.ID}); err != nil {
		t.Fatal(err)
	}
	if r := p.wait(t); r.decision != "deny" || !strings.Contains(r.reason, "taken back before it ran") {
		t.Errorf("got %+v", r)
	}
}

// TestWhatAnEditHolds: whatever the changed arguments hold, the host is told
// exactly what was begun, and running that is no mismatch.
func TestWhatAnEditHolds(t *testing.T) {
	for _, c := range []struct{ input, args, want string }{
		{`{"command":"x","n":9007199254740993,"m":[1e400]}`, `{"command":"y","n":"9007199254740993","m":["1e400"]}`, `{"command":"y","m":[1e400],"n":9007199254740993}`},
		{`{"command":"x","n":-0}`, `{"command":"y","n":"-0"}`, `{"command":"y","n":-0}`},
		{`{"command":"x"}`, `{"command":"\u202e\u0000\ud83d\ude00é"}`, ""},
		{`{"command":"x","a/b":{"~":9007199254740993}}`, `{"command":"y","a/b":{"~":"9007199254740993"}}`, `{"a/b":{"~":9007199254740993},"command":"y"}`},
		{`{"command":"x","n":9007199254740993}`, `{"n":{"n":"9007199254740993"},"command":"9007199254740993"}`, `{"command":"9007199254740993","n":{"n":"9007199254740993"}}`},
		{`{"command":"x","n":9007199254740993}`, `{"command":"x","n":" 9007199254740993"}`, `{"command":"x","n":" 9007199254740993"}`},
		{`{"command":"x","n":9007199254740993}`, `{"command":"x","n":"9007199254740993,\"q\":1"}`, `{"command":"x","n":"9007199254740993,\"q\":1"}`},
		{`{"command":"x","n":9007199254740993}`, `{"command":"x","n":"009007199254740993"}`, `{"command":"x","n":"009007199254740993"}`},
	} {
		g := newGate(t)
		id, r := edited(t, g, "Bash", "toolu_1", c.input, c.args)
		if r.decision != "allow" || c.want != "" && r.input != c.want {
			t.Errorf("%s: %+v", c.args, r)
			continue
		}
		if p := g.run(t, permission("Bash", r.input)); p.behavior != "allow" {
			t.Errorf("%s at the last moment: %+v", c.args, p)
		}
		if p := g.run(t, post("PostToolUse", "Bash", "toolu_1", r.input, "")); p.stdout != "{}" {
			t.Errorf("%s reported: %+v", c.args, p)
		}
		if a := g.Ask(t, id).Attempts[0]; a.Mismatch {
			t.Errorf("%s is a mismatch", c.args)
		}
	}
}
