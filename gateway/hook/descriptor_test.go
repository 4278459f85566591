package hook_test

import (
	"strings"
	"testing"

	"nod/client/clienttest"
	"nod/descriptor"
	"nod/gateway/hook"
	"nod/queue"
)

// bashDescribed is an operator's descriptor of the shell.
func bashDescribed() *descriptor.Set {
	set, err := descriptor.Compile([]descriptor.Tool{{Name: "Bash", Class: "irreversible", Access: "write", Confirm: "/timeout",
		Reading: []descriptor.Reading{{At: "/timeout", As: descriptor.AsTime, Unit: descriptor.UnitMilliseconds}}}})
	if err != nil {
		panic(err)
	}
	return set
}

// What the descriptor wrote into the action is what begins, is granted and is
// reported: a described call is no changed one.
func TestADescribedCallRuns(t *testing.T) {
	g := newGate(t)
	g.Queue = clienttest.New(t, clienttest.Options{Agent: hook.Agent, Settings: queue.Settings{WaiterMS: 2000, Descriptors: bashDescribed()}})
	g.mode(t, "described")
	const input = `{"command":"ls","timeout":120000}`
	p := g.start(t, pre("Bash", "toolu_1", input), "100")
	row := g.Pending(t, 1)[0]
	v := g.Ask(t, row.ID)
	if v.Confirm != "120000" || !strings.Contains(v.Card, "1970-01-01T00:02:00.000Z") || !strings.Contains(v.Card, "│ irreversible") {
		t.Errorf("asks for %q:\n%s", v.Confirm, v.Card)
	}
	g.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow, Confirm: v.Confirm})
	if r := p.wait(t); r.decision != "allow" {
		t.Fatalf("got %+v", r)
	}
	if r := g.run(t, permission("Bash", input)); r.behavior != "allow" {
		t.Errorf("the last question: %+v", r)
	}
	if r := g.run(t, post("PostToolUse", "Bash", "toolu_1", input, "")); r.exit != 0 || r.message != "" || !strings.Contains(r.context, "not known whether") ||
		g.Ask(t, row.ID).Attempts[0].Mismatch {
		t.Errorf("the report: %+v, %+v", r, g.Ask(t, row.ID).Attempts)
	}
}

// The gate began with no descriptor of the tool and the operator has one.
func TestACallThatWasNotDescribed(t *testing.T) {
	g := newGate(t)
	g.Queue = clienttest.New(t, clienttest.Options{Agent: hook.Agent, Settings: queue.Settings{WaiterMS: 2000}})
	g.mode(t, "described")
	p := g.start(t, pre("Bash", "toolu_1", `{"command":"ls","timeout":120000}`), "100")
	row := g.Pending(t, 1)[0]
	if v := g.Ask(t, row.ID); !v.Changed {
		t.Error("the operator is not told")
	}
	_, err := g.Operator.Do(t.Context(), queue.Decide{Ask: row.ID, Verdict: queue.VerdictAllow, ActionDigest: row.ActionDigest,
		ShownDigest: row.ShownDigest, Confirm: "120000"})
	if r, ok := err.(*queue.Refusal); !ok || r.Code != queue.CodeDescriptorChanged { //nolint:errorlint // the port's own type
		t.Errorf("it is allowed: %v", err)
	}
	g.Deny(t, "")
	if r := p.wait(t); r.decision != "deny" {
		t.Errorf("got %+v", r)
	}
}
