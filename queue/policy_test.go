package queue_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"nod/descriptor"
	"nod/policy"
	"nod/queue"
)

const (
	declReversible    = `{"effectClass":"reversible","disposer":{"tool":"sub.cancel","arguments":{"id":7}}}`
	declCompensatable = `{"effectClass":"compensatable","compensation":{"compensate":{"tool":"credit.release","arguments":{"id":42}},` +
		`"idempotencyKey":"SECRET-key","observationalEquivalence":"reservation 42 is absent","journaledBeforeInvoke":true}}`
	declIrreversible = `{"effectClass":"irreversible","commitBoundary":"SECRET-boundary"}`
)

// governed is a call with what it states for a policy.
func governed(command, declaration, component string) queue.Submit {
	s := call(command)
	s.Component = component
	if declaration != "" {
		s.Declaration = []byte(declaration)
	}
	return s
}

// attach puts a policy into force for the agent of the world.
func (w *world) attach(facts string) queue.PolicySet {
	w.t.Helper()
	return w.ok(w.operator, queue.AttachPolicy{Agent: "shop-fixer", Document: []byte(`{"type":"nod.policy/v1",` + facts + `}`)}, 1).(queue.PolicySet)
}

// component has a scope that lives.
func (w *world) component(name string) queue.ScopeStands {
	w.t.Helper()
	w.ok(w.agent, queue.ActivateScope{Session: "s1", Component: name}, 1)
	return w.ok(w.agent, queue.ScopeActivated{Component: name}, 1).(queue.ScopeStands)
}

func (w *world) code(p queue.Port, a queue.Act) string {
	w.t.Helper()
	_, err := p.Do(w.t.Context(), a)
	if err == nil {
		return ""
	}
	r, ok := errors.AsType[*queue.Refusal](err)
	if !ok {
		w.t.Fatal(err)
	}
	return r.Code
}

// last gives the newest events as they are kept.
func (w *world) last(n int64) (events []map[string]any) {
	w.t.Helper()
	got := must[queue.Events](w.t)(queue.Get[queue.Events](w.t.Context(), w.operator, queue.QEvents{After: w.event() - n, Limit: n}))
	for _, e := range got.Events {
		var m map[string]any
		if err := json.Unmarshal(e.Body, &m); err != nil {
			w.t.Fatal(err)
		}
		events = append(events, m)
	}
	return events
}

// Where no policy is attached nothing is asked: what is declared, and how badly,
// changes no answer, and a call that declares nothing is as it ever was.
func TestWithoutAPolicyNothingIsAsked(t *testing.T) {
	alone(t)
	w := newWorld(t)
	plain := w.submit(call("make 1"))
	for i, declaration := range []string{"", `"no object"`, `{"effectClass":"reversible"}`, `[1]`} {
		s := w.allowed(governed(fmt.Sprint("make ", i+2), declaration, "never activated"))
		w.ok(w.agent, begin(s), 1)
	}
	if view := w.see(plain.Ask); strings.Contains(view.Card, "policy") {
		t.Errorf("its card speaks of a policy:\n%s", view.Card)
	}
	// What was attached and taken away again asks nothing either.
	p := w.attach(`"mode":"active"`)
	if got := w.code(w.agent, call("make 9")); got != policy.CodeMetadataRequired {
		t.Errorf("with a policy: %q", got)
	}
	w.ok(w.operator, queue.DetachPolicy{Policy: p.Policy}, 1)
	w.submit(call("make 9"))
	w.refused(w.operator, queue.DetachPolicy{Policy: p.Policy}, queue.CodeDecided, 0)
}

// A policy's order, at the submit and again at the begin, written out: class and
// metadata, mode, the three facts, the scope.
func TestAPolicyIsJudgedAtSubmitAndAtBegin(t *testing.T) {
	alone(t)
	const (
		meta, disp, comp = policy.CodeMetadataRequired, policy.CodeDisposerRequired, policy.CodeCompensationRequired
		scope, commit    = policy.CodeScopeRequired, policy.CodeCommitRequired
	)
	all := `"allowIrreversible":true,"committed":true,"commitBoundaryId":"SECRET-boundary"`
	for _, c := range []struct {
		name, facts, declaration, component, want string
	}{
		{"nothing declared", `"mode":"active"`, "", "shop", meta},
		{"nothing declared, in shadow", `"mode":"shadow"`, "", "shop", meta},
		{"null", `"mode":"active"`, "null", "shop", meta},
		{"a list", `"mode":"active"`, `[` + declReversible + `]`, "shop", meta},
		{"a text", `"mode":"active"`, `"reversible"`, "shop", meta},
		{"an unknown class", `"mode":"active"`, `{"effectClass":"harmless"}`, "shop", meta},
		{"reversible", `"mode":"active"`, declReversible, "shop", ""},
		{"reversible, in canary", `"mode":"canary"`, declReversible, "shop", ""},
		{"no disposer", `"mode":"active"`, `{"effectClass":"reversible"}`, "shop", disp},
		{"a disposer that is a text", `"mode":"active"`, `{"effectClass":"reversible","disposer":"x"}`, "shop", disp},
		{"reversible without a scope", `"mode":"active"`, declReversible, "", scope},
		{"of a component that is not there", `"mode":"active"`, declReversible, "none", scope},
		{"of a component that is gone", `"mode":"active"`, declReversible, "gone", scope},
		{"no disposer and no scope: the shape first", `"mode":"active"`, `{"effectClass":"reversible"}`, "", disp},
		{"compensatable", `"mode":"candidate"`, declCompensatable, "shop", ""},
		{"journaled as a text", `"mode":"active"`, strings.Replace(declCompensatable, "true", `"true"`, 1), "shop", comp},
		{"journaled as a number", `"mode":"active"`, strings.Replace(declCompensatable, "true", `1`, 1), "shop", comp},
		{"a blank key", `"mode":"active"`, strings.Replace(declCompensatable, "SECRET-key", " ", 1), "shop", comp},
		{"a blank equivalence", `"mode":"active"`, strings.Replace(declCompensatable, "reservation 42 is absent", "\u200b", 1), "shop", comp},
		{"compensatable without a scope", `"mode":"shadow"`, declCompensatable, "", scope},
		{"irreversible", `"mode":"active"`, declIrreversible, "", ""},
		{"a blank boundary", `"mode":"active"`, `{"effectClass":"irreversible","commitBoundary":" "}`, "", meta},
		{"a boundary that is a number", `"mode":"active"`, `{"effectClass":"irreversible","commitBoundary":1}`, "", meta},
		{"irreversible in candidate", `"mode":"candidate"`, declIrreversible, "shop", commit},
		{"in shadow", `"mode":"shadow"`, declIrreversible, "shop", commit},
		{"in canary", `"mode":"canary"`, declIrreversible, "shop", commit},
		{"all three facts", `"mode":"candidate",` + all, declIrreversible, "", ""},
		{"not allowed", `"mode":"candidate",` + strings.Replace(all, `"allowIrreversible":true`, `"allowIrreversible":false`, 1), declIrreversible, "", commit},
		{"not committed", `"mode":"candidate",` + strings.Replace(all, `"committed":true`, `"committed":false`, 1), declIrreversible, "", commit},
		{"another boundary", `"mode":"candidate",` + strings.Replace(all, "SECRET-boundary", "SECRET-boundary2", 1), declIrreversible, "", commit},
		{"declared with blanks", `"mode":"candidate",` + all, strings.Replace(declIrreversible, "SECRET-boundary", " SECRET-boundary ", 1), "", commit},
		{"untrusted, in a sandbox", `"mode":"active","untrustedComponent":true,"sandbox":{"boundary":"microvm","available":true}`, declReversible, "shop", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.component("shop")
			w.component("gone")
			w.ok(w.agent, queue.DisposeScope{Component: "gone"}, 1)
			// Filed before the policy, so that the begin is the one to judge it.
			before := w.allowed(governed("make before", c.declaration, c.component))
			w.attach(c.facts)

			if got := w.code(w.agent, governed("make it", c.declaration, c.component)); got != c.want {
				t.Errorf("the submit: %q, want %q", got, c.want)
			}
			if c.want != "" {
				w.classified(t, c.want, c.declaration, "")
			}
			at := w.event()
			if got := w.code(w.agent, begin(before)); got != c.want {
				t.Errorf("the begin: %q, want %q", got, c.want)
			}
			if c.want != "" {
				if w.event() != at+1 || w.state(before.Ask) != queue.StateAllowed {
					t.Errorf("a refused begin left %d events, and its ask %s", w.event()-at, w.state(before.Ask))
				}
				w.classified(t, c.want, c.declaration, before.Ask)
			}
			owed := must[queue.Cleanups](t)(queue.Get[queue.Cleanups](t.Context(), w.operator, queue.QCleanups{Open: true, Limit: 9})).Scopes
			want := 0
			if c.want == "" && c.declaration != declIrreversible {
				want = 1
			}
			if len(owed) != 1 || len(owed[0].Cleanups) != want {
				t.Errorf("owed: %+v, want %d", owed, want)
			}
		})
	}
}

// classified holds that the newest event is the refusal of a classified call, and of
// what the call holds nothing.
func (w *world) classified(t *testing.T, code, declaration, ask string) {
	t.Helper()
	e := w.last(1)[0]
	class := policy.ClassOf([]byte(declaration))
	if e["act"] != "refuse" || e["reason"] != code || e["class"] != class || e["outcome"] != "denied" || e["phase"] != "error" ||
		!strings.Contains(fmt.Sprint(e["redaction"]), "arguments") || ask != "" && e["ask"] != ask {
		t.Errorf("refused as %v", e)
	}
}

// What an operator does not attach is none: the facts of a policy are judged when
// it is attached.
func TestAttaching(t *testing.T) {
	alone(t)
	w := newWorld(t)
	w.submit(call("make 0"))
	session := must[queue.Sessions](t)(queue.Get[queue.Sessions](t.Context(), w.operator, queue.QSessions{Limit: 1})).Sessions[0].ID
	doc := func(facts string) []byte { return []byte(`{"type":"nod.policy/v1",` + facts + `}`) }
	for facts, code := range map[string]string{
		`"mode":"active","untrustedComponent":true`:                                                      policy.CodeSandboxRequired,
		`"mode":"active","untrustedComponent":true,"sandbox":{"boundary":"in_process","available":true}`: policy.CodeSandboxRequired,
		`"mode":"active","untrustedComponent":true,"sandbox":{"boundary":"microvm"}`:                     policy.CodeSandboxUnavailable,
		`"mode":"live"`:                      "unknown_value",
		`"mode":"active","committed":"true"`: "wrong_type",
	} {
		if got := w.code(w.operator, queue.AttachPolicy{Agent: "shop-fixer", Document: doc(facts)}); got != code && code != "unknown_value" || got == "" {
			t.Errorf("%s: %q, want %q", facts, got, code)
		}
	}
	active := doc(`"mode":"active"`)
	w.refused(w.operator, queue.AttachPolicy{Document: active}, queue.CodeBadInput, 0)
	w.refused(w.operator, queue.AttachPolicy{Agent: "a", Session: session, Document: active}, queue.CodeBadInput, 0)
	w.refused(w.operator, queue.AttachPolicy{Agent: "a", Run: true, Document: active}, queue.CodeBadInput, 0)
	w.refused(w.operator, queue.AttachPolicy{Session: "s-none", Document: active}, queue.CodeUnknownID, 0)
	w.refused(w.agent, queue.AttachPolicy{Agent: "shop-fixer", Document: active}, queue.CodeNotAllowed, 0)

	// The narrowest applies: an agent's asks for a commit, the session's and then
	// the run's do not, until the run is over.
	w.attach(`"mode":"shadow"`)
	ask := func(name string) string {
		s := governed(name, declIrreversible, "")
		return w.code(w.agent, s)
	}
	if got := ask("make 1"); got != policy.CodeCommitRequired {
		t.Errorf("of the agent: %q", got)
	}
	of := w.ok(w.operator, queue.AttachPolicy{Session: session, Document: active}, 1).(queue.PolicySet)
	if got := ask("make 2"); got != "" {
		t.Errorf("of the session: %q", got)
	}
	child := governed("make 3", declIrreversible, "")
	child.Session, child.Parent = "s2", "s1"
	if got := w.code(w.agent, child); got != "" {
		t.Errorf("of the parent: %q", got)
	}
	w.ok(w.operator, queue.AttachPolicy{Session: session, Run: true, Document: doc(`"mode":"canary"`)}, 1)
	if got := ask("make 4"); got != policy.CodeCommitRequired {
		t.Errorf("of the run: %q", got)
	}
	if got := w.code(w.agent, queue.EndSession{Session: "s1"}); got != "" {
		t.Fatal(got)
	}
	if got := ask("make 5"); got != "" {
		t.Errorf("after the run: %q", got)
	}
	again := w.ok(w.operator, queue.AttachPolicy{Session: session, Document: doc(`"mode":"canary"`)}, 1).(queue.PolicySet)
	if again.Replaced != of.Policy {
		t.Errorf("replaced %q, want %q", again.Replaced, of.Policy)
	}
	if got := ask("make 6"); got != policy.CodeCommitRequired {
		t.Errorf("of the new one: %q", got)
	}
	w.pass(queue.DefaultSettings().SessionMS + 1) // silent for so long that it is over
	w.refused(w.operator, queue.AttachPolicy{Session: session, Run: true, Document: active}, queue.CodeTooLate, 1)
	list := must[queue.Policies](t)(queue.Get[queue.Policies](t.Context(), w.operator, queue.QPolicies{}))
	if len(list.Policies) != 3 {
		t.Errorf("%d policies hold", len(list.Policies))
	}
}

// A commit is one person's word for one begin of one operation.
func TestACommitIsSpentByTheCallItNames(t *testing.T) {
	alone(t)
	commit := queue.Submit{Kind: "commit", Session: "s1", Call: &queue.Call{Tool: "release", Operation: "activate",
		Arguments: []byte(`{"transaction":"tx-1"}`), Effect: &queue.Effect{CommitBoundary: "SECRET-boundary"}}}
	named := func(command, tx, operation string) queue.Submit {
		s := governed(command, declIrreversible, "")
		s.Transaction, s.Operation = tx, operation
		return s
	}
	w := newWorld(t)
	w.attach(`"mode":"candidate"`)
	w.wantCode(t, named("make 1", "tx-1", "activate"), policy.CodeCommitRequired)
	asked := w.submit(commit)
	w.wantCode(t, named("make 1", "tx-1", "activate"), policy.CodeCommitRequired)

	d := w.decision(asked.Ask, queue.VerdictAllow)
	if d.Confirm != "SECRET-boundary" {
		t.Errorf("it wants %q typed", d.Confirm)
	}
	card := w.see(asked.Ask).Card
	for _, want := range []string{"SECRET-boundary", "tx-1", "activate", "lets one irreversible call"} {
		if !strings.Contains(card, want) {
			t.Errorf("its card does not hold %s", want)
		}
	}
	wrong := d
	wrong.Confirm = "publish"
	w.refused(w.operator, wrong, queue.CodeWrongConfirm, 0)
	w.ok(w.operator, d, 1)
	w.refused(w.agent, begin(asked), queue.CodeNotAllowedYet, 0)

	for _, other := range []queue.Submit{named("make 1", "tx-2", "activate"), named("make 1", "tx-1", "rollback"), named("make 1", "", ""),
		named("make 1", "tx-1", "")} {
		w.wantCode(t, other, policy.CodeCommitRequired)
	}
	boundary := named("make 1", "tx-1", "activate")
	boundary.Declaration = []byte(strings.Replace(declIrreversible, "SECRET-boundary", "SECRET-boundary ", 1))
	w.wantCode(t, boundary, policy.CodeCommitRequired)

	// Another agent's is none, nor one whose own session is frozen.
	w.ok(w.operator, queue.AttachPolicy{Agent: "other", Document: []byte(`{"type":"nod.policy/v1","mode":"candidate"}`)}, 1)
	if got := w.code(w.q.Port(agentConn("other")), named("make 1", "tx-1", "activate")); got != policy.CodeCommitRequired {
		t.Errorf("another agent's commit: %q", got)
	}
	apart := commit
	apart.Session = "s2"
	apart.Call = &queue.Call{Tool: "release", Operation: "activate", Arguments: []byte(`{"transaction":"tx-3"}`), Effect: commit.Call.Effect}
	cold := w.submit(apart)
	w.ok(w.operator, queue.Freeze{Session: w.see(cold.Ask).Row.Session}, 1)
	w.pass(1000) // an allow younger than the freeze stays
	w.ok(w.operator, w.decision(cold.Ask, queue.VerdictAllow), 1)
	w.wantCode(t, named("make 1", "tx-3", "activate"), policy.CodeCommitRequired)

	one, two := w.allowed(named("make 1", "tx-1", "activate")), w.allowed(named("make 2", "tx-1", "activate"))
	if card := w.see(one.Ask).Card; !strings.Contains(card, "its begin spends that commit") {
		t.Errorf("its card does not say that it is committed:\n%s", card)
	}
	w.ok(w.agent, begin(one), 2)
	if got := w.state(asked.Ask); got != queue.StateSpent {
		t.Errorf("the commit is %s", got)
	}
	if e := w.last(2)[1]; e["act"] != "begin" || e["class"] != "irreversible" || e["phase"] != "start" || e["outcome"] != "allowed" {
		t.Errorf("begun as %v", e)
	}
	// The second call was allowed under the same commit, and there is none any more.
	w.refused(w.agent, begin(two), policy.CodeCommitRequired, 1)

	// One that a person took back is none.
	again := w.submit(commit)
	w.ok(w.operator, w.decision(again.Ask, queue.VerdictAllow), 1)
	w.ok(w.operator, queue.Revoke{Ask: again.Ask}, 1)
	w.refused(w.agent, begin(two), policy.CodeCommitRequired, 1)
}

func (w *world) wantCode(t *testing.T, a queue.Act, code string) {
	t.Helper()
	if got := w.code(w.agent, a); got != code {
		t.Errorf("%q, want %q", got, code)
	}
}

// What is staged for active mode has none of its authority.
func TestStagingHasNoActiveAuthority(t *testing.T) {
	alone(t)
	w := newWorld(t)
	w.attach(`"mode":"active"`)
	s := governed("make 1", declIrreversible, "")
	s.Transaction, s.Operation = "tx-1", "activate"
	w.submit(s)
	w.ok(w.agent, queue.SubmitTransaction{Session: "s1", Serves: "old",
		Request: []byte(`{"transactionId":"tx-1","operation":"activate","targetMode":"active","candidateArtifactId":"new"}`)}, 1)
	s.Call.Arguments = []byte(`{"command":"make 2"}`)
	w.wantCode(t, s, policy.CodeCommitRequired)
}

// The operator's class beats a looser declaration, and the boundary on the card
// is the one that is judged.
func TestADeclarationFitsItsCall(t *testing.T) {
	alone(t)
	w := newWorld(t)
	w.attach(`"mode":"active"`)
	w.component("shop")
	s := governed("make 1", declReversible, "shop")
	s.Call.Effect = &queue.Effect{Class: "irreversible"}
	w.wantCode(t, s, policy.CodeMetadataRequired)
	s = governed("make 2", declIrreversible, "")
	s.Call.Effect = &queue.Effect{CommitBoundary: "another"}
	w.wantCode(t, s, policy.CodeMetadataRequired)
	got := w.submit(governed("make 3", declIrreversible, ""))
	v := w.see(got.Ask)
	if !v.Row.Irreversible || !strings.Contains(v.Card, "SECRET-boundary") {
		t.Errorf("irreversible: %v\n%s", v.Row.Irreversible, v.Card)
	}
}

// A repeat does not change what was declared, and an edit is not of a call that
// declares.
func TestWhatWasDeclaredStays(t *testing.T) {
	alone(t)
	w := newWorld(t)
	w.attach(`"mode":"active"`)
	w.component("shop")
	s := governed("make 1", declReversible, "shop")
	s.CallID, s.Edits = "c1", true
	first := w.submit(s)
	if again := w.submit(s); again.Ask != first.Ask || !again.Repeat {
		t.Errorf("the repeat is %+v", again)
	}
	other := s
	other.Declaration = []byte(strings.Replace(declReversible, "7", "8", 1))
	w.wantCode(t, other, queue.CodeKeyReused)
	v := w.see(first.Ask)
	w.refused(w.operator, queue.Edit{Ask: first.Ask, ActionDigest: v.Row.ActionDigest, ShownDigest: v.Row.ShownDigest,
		Arguments: []byte(`{"command":"make 2"}`)}, queue.CodeEffectEdited, 0)
}

// Nothing that a call holds is in the chain: marked secrets in what is declared.
func TestTheChainHoldsNothingDeclared(t *testing.T) {
	alone(t)
	w := newWorld(t)
	w.attach(`"mode":"active"`)
	w.component("SECRET-component")
	s := w.allowed(governed("SECRET-argument", declCompensatable, "SECRET-component"))
	begun := w.ok(w.agent, begin(s), 2).(queue.Begun)
	w.ok(w.agent, queue.Report{Attempt: begun.Attempt, Token: begun.Token, Exit: queue.ExitFailure, CameBack: "SECRET-output"}, 1)
	e := w.last(1)[0]
	if e["outcome"] != "failed" || e["phase"] != "error" || e["reason"] != policy.CodeInvocationFailed {
		t.Errorf("reported as %v", e)
	}
	w.wantCode(t, governed("SECRET-argument 2", `{"effectClass":"compensatable"}`, "SECRET-component"), policy.CodeCompensationRequired)
	w.ok(w.agent, queue.SubmitTransaction{Session: "s1", Serves: "SECRET-artifact",
		Request: []byte(`{"transactionId":"SECRET-tx","operation":"activate","targetMode":"shadow","candidateArtifactId":"SECRET-new"}`)}, 1)
	all := must[queue.Events](t)(queue.Get[queue.Events](t.Context(), w.operator, queue.QEvents{Limit: 500}))
	for _, e := range all.Events {
		if strings.Contains(string(e.Body), "SECRET") || strings.Contains(string(e.Body), "reservation") {
			t.Errorf("%s", e.Body)
		}
	}
}

// What the operator declares of a tool beats what its caller does.
func TestTheOperatorsDeclarationBeatsTheCallers(t *testing.T) {
	alone(t)
	set, err := descriptor.Compile([]descriptor.Tool{{Name: "Bash", Declaration: declIrreversible}})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, func(s *queue.Settings) { s.Descriptors = set })
	w.attach(`"mode":"candidate"`)
	w.component("shop")
	w.wantCode(t, governed("make 1", declReversible, "shop"), policy.CodeCommitRequired)
	w.wantCode(t, governed("make 2", "", "shop"), policy.CodeCommitRequired)
	w.attach(`"mode":"active"`)
	s := w.submit(governed("make 3", declReversible, "shop"))
	if v := w.see(s.Ask); !v.Row.Irreversible || v.Confirm == "" || !strings.Contains(v.Card, "SECRET-boundary") {
		t.Errorf("it is %+v", v.Row)
	}
}
