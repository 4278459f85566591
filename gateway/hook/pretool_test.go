package hook_test

import (
	"strings"
	"testing"
	"time"

	"nod/client"
	"nod/gateway/hook"
	"nod/queue"
)

const bash = `{"command":"echo hello > f","description":"Write a file"}`

func TestAllowed(t *testing.T) {
	g := newGate(t)
	p := g.start(t, pre("Bash", "toolu_1", bash), "100")
	row := g.Allow(t, "only this once")
	r := p.wait(t)
	if r.exit != 0 || r.decision != "allow" || !strings.Contains(r.context, `"only this once"`) {
		t.Errorf("got %+v, want an allow with the person's words", r)
	}
	v := g.Ask(t, row.ID)
	if v.Row.State != queue.StateSpent || len(v.Attempts) != 1 || v.Attempts[0].State != queue.AttemptExecuting {
		t.Errorf("the ask is %s with attempts %+v; want spent with one executing", v.Row.State, v.Attempts)
	}
	if v.Attempts[0].Executor != hook.Agent {
		t.Errorf("executor %q", v.Attempts[0].Executor)
	}
	card := v.Card
	for _, want := range []string{`"echo hello > f"`, `"/home/dev/project"`, `"Bash"`} {
		if !strings.Contains(card, want) {
			t.Errorf("the card lacks %s:\n%s", want, card)
		}
	}
}

func TestDenied(t *testing.T) {
	for words, want := range map[string]string{
		"wrong file": `A person denied this call: "wrong file". It did not run; do not repeat it.`,
		"":           `A person denied this call and gave no reason. It did not run; do not repeat it.`,
	} {
		g := newGate(t)
		p := g.start(t, pre("Bash", "toolu_1", bash), "100")
		g.Deny(t, words)
		if r := p.wait(t); r.exit != 0 || r.decision != "deny" || r.reason != want {
			t.Errorf("words %q: got %+v, want %q", words, r, want)
		}
	}
}

func TestNobodyAnswers(t *testing.T) {
	g := newGate(t)
	begin := time.Now()
	r := g.start(t, pre("Bash", "toolu_1", bash), "5").wait(t)
	if r.exit != 0 || r.decision != "deny" || r.reason != client.Nobody {
		t.Errorf("got %+v, want %q", r, client.Nobody)
	}
	if took := time.Since(begin); took > 4*time.Second {
		t.Errorf("the answer came after %s, too near to the host's 5 s", took)
	}
}

func TestRules(t *testing.T) {
	g := newGate(t)
	g.mode(t, "allow")
	if r := g.run(t, pre("Bash", "toolu_1", bash)); r.decision != "allow" || !strings.Contains(r.reason, `"all"`) {
		t.Errorf("a rule's allow: %+v", r)
	}
	g.mode(t, "deny")
	r := g.run(t, pre("Bash", "toolu_2", `{"command":"rm -rf /"}`))
	if r.decision != "deny" || !strings.Contains(r.reason, "rule") || strings.Contains(r.reason, "person") {
		t.Errorf("a rule's denial: %+v", r)
	}
}

// TestAgain holds: an approval is good for one run, also when the host asks
// again with the same call id.
func TestAgain(t *testing.T) {
	g := newGate(t)
	event := pre("Bash", "toolu_1", bash)
	p := g.start(t, event, "100")
	g.Allow(t, "")
	p.wait(t)
	if r := g.run(t, event); r.decision != "deny" || !strings.Contains(r.reason, "already started once") {
		t.Errorf("the same call once more: %+v", r)
	}
	if r := g.run(t, pre("Bash", "toolu_1", `{"command":"other"}`)); r.decision != "deny" || !strings.Contains(r.reason, queue.CodeKeyReused) {
		t.Errorf("another call with that id: %+v", r)
	}
}

func TestFrozen(t *testing.T) {
	g := newGate(t)
	p := g.start(t, pre("Bash", "toolu_1", bash), "100")
	g.Pending(t, 1)
	if _, err := g.Operator.Do(t.Context(), queue.Freeze{Reason: "lunch"}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(5 * time.Millisecond) // an allow of the freeze's own millisecond counts as older
	g.Allow(t, "")
	if r := p.wait(t); r.decision != "deny" || !strings.Contains(r.reason, "frozen") || !strings.Contains(r.reason, "not denied") {
		t.Errorf("under a freeze: %+v", r)
	}
}

func TestTakenBack(t *testing.T) {
	g := newGate(t)
	p := g.start(t, pre("Bash", "toolu_1", bash), "100")
	row := g.Pending(t, 1)[0]
	g.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow, HoldMS: 60_000})
	if _, err := g.Operator.Do(t.Context(), queue.Revoke{Ask: row.ID}); err != nil {
		t.Fatal(err)
	}
	if r := p.wait(t); r.decision != "deny" || !strings.Contains(r.reason, "taken back") {
		t.Errorf("a revoked approval: %+v", r)
	}
}

// TestLifted: this host cannot send a number as a string.
func TestLifted(t *testing.T) {
	g := newGate(t)
	p := g.start(t, pre("mcp__x__pay", "toolu_1", `{"id":9007199254740993}`), "100")
	row := g.Allow(t, "")
	if r := p.wait(t); r.decision != "allow" {
		t.Fatalf("got %+v", r)
	}
	if card := g.Ask(t, row.ID).Card; !strings.Contains(card, "9007199254740993") || !strings.Contains(card, "lifted") {
		t.Errorf("the card does not show the exact number as lifted:\n%s", card)
	}
}

func TestSubagent(t *testing.T) {
	g := newGate(t)
	event := strings.Replace(pre("Bash", "toolu_1", bash), `"prompt_id"`, `"agent_id":"a8ef","agent_type":"general-purpose","prompt_id"`, 1)
	p := g.start(t, event, "100")
	g.Pending(t, 1)
	s, err := queue.Get[queue.Sessions](t.Context(), g.Operator, queue.QSessions{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Sessions) != 1 || s.Sessions[0].Host != "94085b22/a8ef" || s.Sessions[0].Parent == "" {
		t.Errorf("sessions %+v; want the subagent's with a parent", s.Sessions)
	}
	// The conversation's end takes the subagent's asks with it.
	q := g.start(t, pre("Bash", "toolu_0", `{"command":"own"}`), "100")
	g.Pending(t, 2)
	if r := g.run(t, `{"session_id":"94085b22","hook_event_name":"SessionEnd","reason":"other"}`); r.exit != 0 || r.stdout != "{}" {
		t.Errorf("SessionEnd: %+v", r)
	}
	for _, p := range []*proc{p, q} {
		if r := p.wait(t); r.decision != "deny" || !strings.Contains(r.reason, "taken back") {
			t.Errorf("a call of the ended session: %+v", r)
		}
	}
}
