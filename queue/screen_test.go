package queue_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"nod/boundary"
	"nod/config/rules"
	"nod/descriptor"
	"nod/policy"
	"nod/policy/screen"
	"nod/queue"
)

// screened is a screening that writes n events.
func (w *world) screened(p queue.Port, session, decision string, call *queue.Call, n int64) queue.Screened {
	w.t.Helper()
	return w.ok(p, queue.Screen{Session: session, Decision: jsontext.Value(decision), Call: call}, n).(queue.Screened)
}

func tool(name string) *queue.Call { return &queue.Call{Tool: name, Arguments: []byte(`{"n":1}`)} }

// Out of contract is a deny that names the member, one event each, and nothing of
// the decision in it.
func TestADecisionOutOfContractIsADeny(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	l.do(l.agent, crossCall("s1", "none.allow", 0))
	for decision, member := range map[string]string{
		`{"action":"permit"}`:                                              "/action",
		`{"action":"allow","mandated":true}`:                               "/mandated",
		`{"action":"allow","SECRET-MEMBER":"SECRET"}`:                      "/SECRET-MEMBER",
		`{"action":"ask","denialLimitFallback":{"autoDenyAfterMs":5}}`:     "/denialLimitFallback/autoDenyAfterMs",
		`{"action":"deny","requiresRealApproval":true,"message":"SECRET"}`: "/requiresRealApproval",
		`["SECRET"]`: "", `{"action":"allow","message":1e400}`: "", ``: "",
	} {
		got := l.screened(l.agent, "s1", decision, &queue.Call{Tool: "read.open", Arguments: []byte(`{"x":"SECRET"}`)}, 1)
		if got.Action != screen.Deny || got.Code != screen.CodeOutOfContract || got.Member != member || string(got.Decision) != `{"action":"deny"}` ||
			got.Sentence == "" || got.Raise != nil || got.Mandated {
			t.Errorf("%s: %+v", decision, got)
		}
	}
	events := must[queue.Events](t)(queue.Get[queue.Events](t.Context(), l.operator, queue.QEvents{Limit: 500})).Events
	n := 0
	for _, e := range events {
		if strings.Contains(string(e.Body), "SECRET") {
			t.Errorf("an event holds what was decided: %s", e.Body)
		}
		if strings.Contains(string(e.Body), `"act":"screen"`) {
			n++
		}
	}
	if n != 8 {
		t.Errorf("%d events of screenings", n)
	}
}

// Every arm, under every state of the tree, against a table written out: d
// stays a deny, m is a mandated ask, = is as it came.
func TestAScreeningUnderEveryTree(t *testing.T) {
	alone(t)
	arms := []string{`{"action":"allow","decisionReason":"hook"}`, `{"action":"ask","decisionReason":"classifier","requiresRealApproval":false}`, `{"action":"deny","decisionReason":"mode"}`, `{}`}
	const table = `
none      armed     read     : posture, then what was done before
single_user:
env.open   = = = =   = = = =   = = = =
read.open  = = = =   = = = =   = = = =
write.open = = = =   = = = =   = = = =
multi_tenant:
none.open  = = = =   = = = =   = = = =
env.open   = = = =   m m d m   m m d m
read.open  = = = =   = = = =   = = = =
write.open = = = =   m m d m   m m d m
both.open  = = = =   m m d m   m m d m
on env.open   = = = =   = = = =   m m d m
on write.open m m d m   m m d m   m m d m
on read.open  = = = =   = = = =   = = = =
no call    = = = =   m m d m   m m d m`
	posture := boundary.SingleUser
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[1:] {
		if word, is := strings.CutSuffix(line, ":"); is {
			posture = boundary.Posture(word)
			continue
		}
		f := strings.Fields(line)
		cells := f[len(f)-12:]
		name := strings.Join(f[:len(f)-12], " ")
		for state := range 3 {
			l := newLab(t, posture)
			if state > 0 {
				l.arm("s1", state == 2)
			} else {
				l.do(l.agent, crossCall("s1", "none.allow", 0))
			}
			port, call := l.agent, tool(strings.TrimPrefix(name, "on "))
			if strings.HasPrefix(name, "on ") {
				port = l.on
			}
			if name == "no call" {
				call = nil
			}
			for i, decision := range arms {
				got := l.screened(port, "s1", decision, call, 0)
				switch cells[state*4+i] {
				case "m":
					if got.Action != screen.Ask || !got.Mandated || strings.Join(got.Raise, " ") != "cross_boundary requires_real_approval" || got.Why == "" ||
						!strings.Contains(string(got.Decision), `"crossBoundaryMandated":true`) || !strings.Contains(string(got.Decision), `"requiresRealApproval":true`) {
						t.Errorf("%s %s, state %d, %s: %+v %s", posture, name, state, decision, got, got.Decision)
					}
				default:
					want := string(must[jsontext.Value](t)(canonical(decision)))
					if string(got.Decision) != want || got.Mandated || got.Code != "" || (got.Action == screen.Ask) != (i == 1) {
						t.Errorf("%s %s, state %d, %s: %+v %s", posture, name, state, decision, got, got.Decision)
					}
				}
			}
		}
	}
}

func canonical(text string) (jsontext.Value, error) {
	v := jsontext.Value(text)
	return v, v.Canonicalize()
}

// What is asked is submitted with what the screening raises, and only a person
// allows it.
func TestAScreenedAskIsSubmitted(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	l.arm("s1", true)
	got := l.screened(l.agent, "s1", `{"action":"allow","decisionReason":"persisted_rule"}`, tool("write.allow"), 0)
	s := l.submit(queue.Submit{Kind: "call", Session: "s1", Call: tool("write.allow"), Raise: got.Raise})
	if s.State != queue.StatePending || !l.see(s.Ask).Row.Mandated {
		t.Errorf("%+v", s)
	}
	l.decide(s.Ask, queue.VerdictAllow)
	if _, err := l.agent.Do(t.Context(), begin(s)); err != nil {
		t.Error(err)
	}
}

// What would run is what the decision made of the input: its legs are judged.
func TestAnUpdatedInputIsWhatIsJudged(t *testing.T) {
	alone(t)
	f := newFamily(t, "")
	f.declare("root", `{"denyRules":[{"name":"small","tools":["count"],"when":"args.n < 0"}]}`)
	call := &queue.Call{Tool: "count", Arguments: []byte(`{"n":1}`)}
	if got := f.screened(f.agent, "grand", `{"action":"allow","decisionReason":"hook"}`, call, 0); got.Action != screen.Allow {
		t.Errorf("%+v", got)
	}
	got := f.screened(f.agent, "grand", `{"action":"allow","decisionReason":"hook","updatedInput":{"n":-1}}`, call, 1)
	if got.Action != screen.Deny || got.Code != queue.CodeDeniedByRule {
		t.Errorf("%+v", got)
	}
	if got := f.screened(f.agent, "grand", `{"action":"allow","decisionReason":"hook","updatedInput":null}`, call, 0); got.Action != screen.Allow {
		t.Errorf("%+v", got)
	}
}

// Denials of Nod's stand above what others allowed, and change no deny of theirs.
func TestNodsDenialsStandAboveADecision(t *testing.T) {
	alone(t)
	w := newWorld(t, func(s *queue.Settings) { denials(t, s) })
	w.submit(call("ls"))
	for _, c := range []struct{ tool, code, says string }{
		{"format", queue.CodeDeniedByRule, `Rule "never" denies this call.`},
		{"Fetch", queue.CodeCompliance, "The operator's compliance denies the capability web_fetch, which this tool has."},
		{"deploy", queue.CodeDeniedByRule, `Rule "deploys" denies this call.`},
	} {
		for _, action := range []string{`{"action":"allow"}`, `{"action":"ask"}`, `{}`} {
			got := w.screened(w.agent, "s1", action, tool(c.tool), 1)
			if got.Action != screen.Deny || got.Code != c.code || got.Sentence != c.says || got.Raise != nil {
				t.Errorf("%s %s: %+v", c.tool, action, got)
			}
		}
		if got := w.screened(w.agent, "s1", `{"action":"deny","message":"no"}`, tool(c.tool), 0); string(got.Decision) != `{"action":"deny","message":"no"}` || got.Code != "" {
			t.Errorf("%s: a deny became %+v", c.tool, got)
		}
	}
	if got := w.screened(w.agent, "s1", `{"action":"allow"}`, tool("Read"), 0); got.Action != screen.Allow {
		t.Errorf("%+v", got)
	}
}

func denials(t *testing.T, s *queue.Settings) {
	t.Helper()
	set, err := rules.Compile([]rules.Rule{
		{Name: "never", Tools: []string{"format", "FetchNever"}, Verdict: "deny"}, {Name: "deploys", Tools: []string{"deploy"}, Verdict: "ask"},
		{Name: "reads", Tools: []string{"Read", "Fetch"}, Verdict: "allow"},
	})
	if err != nil {
		t.Fatal(err)
	}
	said, err := descriptor.Compile([]descriptor.Tool{{Name: "Fetch", Capability: "web_fetch"}, {Name: "FetchNever", Capability: "web_fetch"}, {Name: "Servers", Capability: "mcp_servers"}})
	if err != nil {
		t.Fatal(err)
	}
	s.Denied, err = policy.Deny("hipaa", nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Rules, s.DenyRules, s.Descriptors, s.Clamps = set, set, said, declared(t, `{"denyRules":["deploys"]}`)
}

// A clamp turns what a rule allowed into an ask, and leaves everything else.
func TestAClampAsksWhatARuleAllowed(t *testing.T) {
	alone(t)
	f := newFamily(t, "")
	for _, held := range []bool{false, true} {
		if held {
			f.declare("root", `{"autoAllow":false}`)
		}
		for _, reason := range append(screen.Reasons(), "") {
			decision, members := `{"action":"allow"}`, `{"action":"ask"}`
			if reason != "" {
				decision = fmt.Sprintf(`{"action":"allow","decisionReason":%q,"message":"m"}`, reason)
				members = fmt.Sprintf(`{"action":"ask","decisionReason":%q,"message":"m"}`, reason)
			}
			ruled := strings.Contains(reason, "rule") || reason == ""
			got := f.screened(f.agent, "grand", decision, tool("x"), 0)
			want := decision
			if held && ruled {
				want = members
			}
			if string(got.Decision) != want || (got.Why != "") != (held && ruled) || got.Raise != nil || got.Mandated {
				t.Errorf("%v %s: %s %+v", held, decision, got.Decision, got)
			}
		}
		for _, decision := range []string{`{"action":"deny","decisionReason":"rule"}`, `{"action":"ask","decisionReason":"rule"}`, `{"decisionReason":"rule"}`} {
			if got := f.screened(f.agent, "grand", decision, tool("x"), 0); string(got.Decision) != decision {
				t.Errorf("%s became %s", decision, got.Decision)
			}
		}
	}
}

func TestTheWordsOfAClassifierWithoutRuling(t *testing.T) {
	alone(t)
	w := newWorld(t, func(s *queue.Settings) { s.NoRuling = []string{"timeout"} })
	w.submit(call("ls"))
	if got := w.screened(w.agent, "s1", `{"action":"ask","classifierNoRuling":"timeout"}`, nil, 0); got.Action != screen.Ask {
		t.Errorf("%+v", got)
	}
	if got := w.screened(w.agent, "s1", `{"action":"ask","classifierNoRuling":"other"}`, nil, 1); got.Member != "/classifierNoRuling" {
		t.Errorf("%+v", got)
	}
}

func TestAScreeningThatDoesNotRead(t *testing.T) {
	alone(t)
	w := newWorld(t)
	w.refused(w.agent, queue.Screen{Session: " ", Decision: []byte(`{}`)}, queue.CodeBadInput, 0)
	w.refused(w.agent, queue.Screen{Session: "\xff", Decision: []byte(`{}`)}, "bad_utf8", 0)
	w.refused(w.agent, queue.Screen{Session: "s1", Decision: []byte(`{}`), Call: &queue.Call{Arguments: []byte(`{}`)}}, queue.CodeBlankTool, 0)
	w.refused(w.agent, queue.Screen{Session: "s1", Decision: []byte(`{}`), Call: &queue.Call{Tool: "x", Arguments: []byte(`{`)}}, "bad_json", 0)
	w.refused(w.operator, queue.Screen{Session: "s1", Decision: []byte(`{}`)}, queue.CodeNotAllowed, 0)
}

// Compliance denies at submit and at begin, whatever a rule, a grant or a person
// says, and a rule's deny is told first.
func TestComplianceDenies(t *testing.T) {
	alone(t)
	w := newWorld(t, func(s *queue.Settings) {
		denials(t, s)
		s.Denied = policy.Denied{}
	})
	sub := func(name string, n int) queue.Submit {
		return queue.Submit{Kind: "call", Session: "s1", Call: &queue.Call{Tool: name, Arguments: fmt.Appendf(nil, `{"n":%d}`, n)}}
	}
	byRule, byPerson := w.submit(sub("Fetch", 1)), w.submit(sub("Servers", 1))
	w.decide(byPerson.Ask, queue.VerdictAllow)
	w.ok(w.operator, queue.GrantDigest{Ask: byPerson.Ask, ShownDigest: byPerson.ShownDigest, Times: 9, ForMS: 60_000}, 1)
	if byRule.State != queue.StateAllowed {
		t.Fatalf("nothing is denied yet: %+v", byRule)
	}
	w.configure(func(s *queue.Settings) { denials(t, s) })
	w.refused(w.agent, begin(byRule), queue.CodeCompliance, 0)
	w.ok(w.agent, begin(byPerson), 1) // hipaa denies no servers
	s := w.submit(sub("Fetch", 2))
	if s.State != queue.StateDenied || s.Decision.By != queue.ByRule || s.Decision.Who != queue.CodeCompliance ||
		s.Decision.Words != "The operator's compliance denies the capability web_fetch, which this tool has." {
		t.Errorf("%s %+v", s.State, s.Decision)
	}
	if v := w.see(s.Ask); strings.Join(v.Row.Reasons, " ") != queue.ReasonCompliance || v.Row.Rule != queue.CodeCompliance {
		t.Errorf("%v %q", v.Row.Reasons, v.Row.Rule)
	}
	if s := w.submit(sub("FetchNever", 2)); s.Decision.Who != "never" {
		t.Errorf("%+v", s.Decision)
	}
	w.configure(func(s *queue.Settings) {
		denials(t, s)
		var err error
		if s.Denied, err = policy.Deny("", []any{"mcp_servers"}); err != nil {
			t.Fatal(err)
		}
	})
	if s := w.submit(sub("Servers", 1)); s.State != queue.StateDenied {
		t.Errorf("a grant allowed what compliance denies: %+v", s)
	}
	if s := w.submit(sub("Fetch", 3)); s.State != queue.StateAllowed {
		t.Errorf("%+v", s)
	}
}

// What others allowed is asked while a freeze holds, and where a rule of Nod's
// errs; a deny, an ask and no opinion are as they came.
func TestAScreenedAllowIsAsked(t *testing.T) {
	set, err := rules.Compile([]rules.Rule{{Name: "small", Tools: []string{"count"}, Verdict: "deny", When: "args.n < 0"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		settings func(*queue.Settings)
		says     string
	}{
		"a rule":           {func(s *queue.Settings) { s.Rules, s.DenyRules = set, set }, "A rule could not be evaluated"},
		"a rule of clamps": {func(s *queue.Settings) { s.DenyRules, s.Clamps = set, declared(t, `{"denyRules":["small"]}`) }, "A rule that the clamps"},
		"a freeze":         {func(*queue.Settings) {}, "A freeze holds"},
	} {
		w := newWorld(t, c.settings)
		w.submit(call("ls"))
		fine, erring := &queue.Call{Tool: "count", Arguments: []byte(`{"n":1}`)}, &queue.Call{Tool: "count", Arguments: []byte(`{"n":"x"}`)}
		if got := w.screened(w.agent, "s1", `{"action":"allow","decisionReason":"hook"}`, fine, 0); got.Action != screen.Allow {
			t.Errorf("%s: %+v", name, got)
		}
		if name == "a freeze" {
			w.ok(w.operator, queue.Freeze{}, 1)
		}
		got := w.screened(w.agent, "s1", `{"action":"allow","decisionReason":"hook"}`, erring, 0)
		if got.Action != screen.Ask || string(got.Decision) != `{"action":"ask","decisionReason":"hook"}` || !strings.Contains(got.Why, c.says) {
			t.Errorf("%s: %+v", name, got)
		}
		for _, decision := range []string{`{"action":"deny"}`, `{"action":"ask"}`, `{}`} {
			if got := w.screened(w.agent, "s1", decision, erring, 0); string(got.Decision) != decision || got.Why != "" {
				t.Errorf("%s: %s became %+v", name, decision, got)
			}
		}
	}
}

// An effect policy judges what is submitted: a decision that the host made itself
// lets nothing run past it.
func TestUnderAPolicyNothingRunsOnAHostsDecision(t *testing.T) {
	w := newWorld(t)
	s := queue.Screen{Session: "s1", Call: call("make").Call}
	for _, c := range []struct{ decision, without, want string }{
		{`{"action":"allow","decisionReason":"classifier"}`, "allow", "ask"},
		{`{}`, "", "ask"},
		{`{"action":"ask"}`, "ask", "ask"},
		{`{"action":"deny"}`, "deny", "deny"},
	} {
		s.Decision = []byte(c.decision)
		if got := must[queue.Screened](t)(queue.As[queue.Screened](t.Context(), w.agent, s)); string(got.Action) != c.without {
			t.Errorf("%s without a policy: %s", c.decision, got.Action)
		}
		p := w.attach(`"mode":"active"`)
		got := must[queue.Screened](t)(queue.As[queue.Screened](t.Context(), w.agent, s))
		if string(got.Action) != c.want || (got.Why != "") != (c.want != c.without) || !strings.Contains(string(got.Decision), `"`+c.want+`"`) {
			t.Errorf("%s under a policy: %+v", c.decision, got)
		}
		w.ok(w.operator, queue.DetachPolicy{Policy: p.Policy}, 1)
	}
}
