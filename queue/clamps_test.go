package queue_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"nod/boundary"
	"nod/config/rules"
	"nod/descriptor"
	"nod/digest"
	"nod/policy"
	"nod/policy/clamp"
	"nod/queue"
	"nod/queue/ledger"
)

// family is a world with three levels of sessions below the operator's: root,
// child and grand. The rule "reads" allows Read, "deploys" asks for deploy.
type family struct{ *world }

var levels = []string{"operator", "root", "child", "grand"}

func newFamily(t *testing.T, operator string) *family {
	t.Helper()
	f := &family{newWorld(t)}
	f.reopen(operator)
	parent := ""
	for _, session := range levels[1:] {
		f.register(queue.RegisterSession{Session: session, Parent: parent})
		parent = session
	}
	t.Cleanup(func() {
		if _, err := ledger.New().Follow(context.Background(), f.store); err != nil {
			t.Error(err)
		}
	})
	return f
}

// reopen opens the queue with another level of the operator's.
func (f *family) reopen(operator string) {
	f.t.Helper()
	set, err := rules.Compile([]rules.Rule{
		{Name: "reads", Tools: []string{"Read"}, Verdict: "allow"},
		{Name: "deploys", Tools: []string{"deploy"}, Verdict: "ask", Why: "Deploys are looked at."},
		{Name: "never", Tools: []string{"format"}, Verdict: "deny", Why: "No formatting."},
	})
	if err != nil {
		f.t.Fatal(err)
	}
	level := declared(f.t, operator)
	f.configure(func(s *queue.Settings) { s.Rules, s.DenyRules, s.Clamps = set, set, level })
}

func declared(t *testing.T, text string) clamp.Declaration {
	t.Helper()
	if text == "" {
		return clamp.Declaration{}
	}
	d, err := clamp.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (f *family) register(a queue.RegisterSession) queue.Registered {
	f.t.Helper()
	return must[queue.Registered](f.t)(queue.As[queue.Registered](f.t.Context(), f.agent, a))
}

// declare states clamps at a level.
func (f *family) declare(level, clamps string) {
	f.t.Helper()
	if level == "operator" {
		f.reopen(clamps)
		return
	}
	f.register(queue.RegisterSession{Session: level, Clamps: jsontext.Value(clamps)})
}

// use is a call of a tool in a session; no two are alike.
func (f *family) use(session, tool string) queue.Submit {
	f.ids++
	return queue.Submit{Kind: "call", Session: session, Edits: true, Call: &queue.Call{Tool: tool, Arguments: fmt.Appendf(nil, `{"n":%d}`, f.ids)}}
}

func (f *family) grant(s queue.Submitted) queue.GrantDigest {
	return queue.GrantDigest{Ask: s.Ask, ShownDigest: s.ShownDigest, Times: 3, ForMS: 60_000}
}

// Every row that Nod enforces, declared at every level of three sessions and
// above them, seen from every session: it holds where the level is the session's
// or outside of it, and nowhere else.
func TestEveryClampAtEveryLevel(t *testing.T) {
	alone(t)
	for _, row := range []struct {
		cell, clamps string
		holds, free  func(f *family, session string)
	}{
		{
			"autoAllow", `{"autoAllow":false}`,
			func(f *family, session string) {
				s := f.submit(f.use(session, "Read"))
				v := f.see(s.Ask)
				if s.State != queue.StatePending || !slices.Contains(v.Row.Reasons, queue.ReasonClamped) || !strings.Contains(v.Card, "let no rule allow") {
					f.t.Errorf("%s: a rule allowed: %s %v", session, s.State, v.Row.Reasons)
				}
				f.decide(s.Ask, queue.VerdictAllow)
				f.ok(f.agent, begin(s), 1) // a person's allow is one
			},
			func(f *family, session string) {
				if s := f.submit(f.use(session, "Read")); s.State != queue.StateAllowed {
					f.t.Errorf("%s: %s", session, s.State)
				}
			},
		},
		{
			"grants", `{"grants":"disabled"}`,
			func(f *family, session string) {
				s := f.submit(f.use(session, "Bash"))
				f.refused(f.operator, f.grant(s), queue.CodeClamped, 0)
				if s := f.submit(f.use(session, "Read")); s.State != queue.StateAllowed {
					f.t.Errorf("%s: the rule does not allow: %s", session, s.State)
				}
			},
			func(f *family, session string) {
				call := f.use(session, "Bash")
				s := f.submit(call)
				f.ok(f.operator, f.grant(s), 1)
				call.NoAdopt = true
				if s := f.submit(call); s.State != queue.StateAllowed || s.Decision.By != queue.ByGrant {
					f.t.Errorf("%s: the grant does not allow: %s", session, s.State)
				}
			},
		},
		{
			"edits", `{"edits":"disabled"}`,
			func(f *family, session string) {
				s := f.submit(f.use(session, "Bash"))
				f.refused(f.operator, f.change(s.Ask, `{"n":-1}`), queue.CodeClamped, 0)
				if got := f.see(s.Ask).Clamps; !slices.Contains(got, "edits") {
					f.t.Errorf("the ask shows %v", got)
				}
			},
			func(f *family, session string) {
				s := f.submit(f.use(session, "Bash"))
				f.ok(f.operator, f.change(s.Ask, `{"n":-1}`), 2)
			},
		},
		{
			"", `{"denyRules":["deploys"]}`,
			func(f *family, session string) {
				s := f.submit(f.use(session, "deploy"))
				if s.State != queue.StateDenied || s.Decision.By != queue.ByRule || s.Decision.Who != "deploys" || s.Decision.Words != "Deploys are looked at." {
					f.t.Errorf("%s: %s %+v", session, s.State, s.Decision)
				}
				if s := f.submit(f.use(session, "Read")); s.State != queue.StateAllowed {
					f.t.Errorf("%s: another tool is %s", session, s.State)
				}
			},
			func(f *family, session string) {
				if s := f.submit(f.use(session, "deploy")); s.State != queue.StatePending {
					f.t.Errorf("%s: %s", session, s.State)
				}
			},
		},
	} {
		for at, level := range levels {
			t.Run(level+row.clamps, func(t *testing.T) {
				f := newFamily(t, "")
				f.declare(level, row.clamps)
				for i, session := range levels[1:] {
					if i+1 >= at {
						row.holds(f, session)
					} else {
						row.free(f, session)
					}
				}
				if s := f.submit(f.use("grand", "format")); s.State != queue.StateDenied || s.Decision.Who != "never" || s.Decision.Words != "No formatting." {
					t.Errorf("a deny did not stay one: %+v", s.Decision)
				}
				for _, v := range must[queue.Sessions](t)(queue.Get[queue.Sessions](t.Context(), f.operator, queue.QSessions{Limit: 9})).Sessions {
					held := slices.Index(levels, v.Host) >= at
					if slices.Contains(v.Clamps, row.cell) != (held && row.cell != "") || (len(v.DenyRules) == 1) != (held && row.cell == "") {
						t.Errorf("%s shows %v %v", v.Host, v.Clamps, v.DenyRules)
					}
				}
			})
		}
	}
}

// What was allowed before a clamp came is judged anew at begin, wherever the
// clamp came from. A person's allow stands, but for a deny.
func TestClampsAtBegin(t *testing.T) {
	alone(t)
	byRule := func(f *family) queue.Submitted { return f.submit(f.use("grand", "Read")) }
	byGrant := func(f *family) queue.Submitted {
		call := f.use("grand", "Bash")
		f.ok(f.operator, f.grant(f.submit(call)), 1)
		call.NoAdopt = true
		return f.submit(call)
	}
	ask := func(tool string) func(f *family) queue.Submitted {
		return func(f *family) queue.Submitted { return f.allowed(f.use("grand", tool)) }
	}
	const every = `{"autoAllow":false,"grants":"disabled","edits":"disabled"}`
	for _, c := range []struct {
		name   string
		allow  func(f *family) queue.Submitted
		clamps string
		code   string // "": it begins
		state  queue.State
	}{
		{"a rule's allow", byRule, `{"autoAllow":false}`, queue.CodeUnconfirmed, queue.StateRevoked},
		{"a rule's allow without grants", byRule, `{"grants":"disabled","edits":"disabled"}`, "", queue.StateSpent},
		{"a grant's allow", byGrant, `{"grants":"disabled"}`, queue.CodeUnconfirmed, queue.StateRevoked},
		{"a grant's allow without rules", byGrant, `{"autoAllow":false,"edits":"disabled"}`, "", queue.StateSpent},
		{"a person's allow", ask("Bash"), every, "", queue.StateSpent},
		{"a person's allow of what is denied", ask("deploy"), `{"denyRules":["deploys"]}`, queue.CodeDeniedByRule, queue.StateAllowed},
		{"a person's allow of something else", ask("Bash"), `{"denyRules":["deploys"]}`, "", queue.StateSpent},
	} {
		for _, level := range levels {
			t.Run(c.name+" "+level, func(t *testing.T) {
				f := newFamily(t, "")
				s := c.allow(f)
				f.declare(level, c.clamps)
				due := int64(0)
				if c.state == queue.StateRevoked {
					due = 1
				}
				if c.code == "" {
					f.ok(f.agent, begin(s), 1)
				} else {
					f.refused(f.agent, begin(s), c.code, due)
				}
				if got := f.state(s.Ask); got != c.state {
					t.Errorf("it is %s", got)
				}
			})
		}
	}
}

// A grant that was there before the clamp allows nothing under it.
func TestNoGrantAllowsUnderAClamp(t *testing.T) {
	alone(t)
	f := newFamily(t, "")
	call := f.use("grand", "Bash")
	f.ok(f.operator, f.grant(f.submit(call)), 1)
	f.declare("root", `{"grants":"disabled"}`)
	call.NoAdopt = true
	s := f.submit(call)
	if v := f.see(s.Ask); s.State != queue.StatePending || !slices.Equal(v.Row.Reasons, []string{queue.ReasonClamped}) || !strings.Contains(v.Card, "let no grant allow") {
		t.Errorf("%s %v", s.State, v.Row.Reasons)
	}
}

// Rules of clamps that stand whole, that err, and that the configuration has no
// more.
func TestRulesOfClamps(t *testing.T) {
	alone(t)
	f := newFamily(t, "")
	f.declare("root", `{"denyRules":[{"name":"small","tools":["count"],"when":"args.n < 0","why":"Too few."},{"name":"odd","tools":["err"],"when":"args.m > 1"}]}`)
	minus := f.use("grand", "count")
	minus.Call.Arguments = []byte(`{"n":-4}`)
	if s := f.submit(minus); s.State != queue.StateDenied || s.Decision.Who != "small" || s.Decision.Words != "Too few." {
		t.Errorf("%s %+v", s.State, s.Decision)
	}
	if s := f.submit(f.use("grand", "count")); s.State != queue.StatePending {
		t.Errorf("the rule is not for it: %s", s.State)
	}
	// One that errs asks a person, whatever a grant says.
	erring := f.use("grand", "err")
	s := f.submit(erring)
	if v := f.see(s.Ask); s.State != queue.StatePending || !slices.Contains(v.Row.Reasons, queue.ReasonRuleError) {
		t.Errorf("%s %v", s.State, v.Row.Reasons)
	}
	f.refused(f.operator, f.grant(s), queue.CodeNeedsPerson, 0)
	f.decide(s.Ask, queue.VerdictAllow)
	f.ok(f.agent, begin(s), 1)

	// A name that the configuration lost denies nothing, and lets no rule allow.
	f.declare("child", `{"denyRules":["deploys"]}`)
	allowed := f.submit(f.use("root", "Read"))
	set, err := rules.Compile([]rules.Rule{{Name: "reads", Tools: []string{"Read"}, Verdict: "allow"}})
	if err != nil {
		t.Fatal(err)
	}
	f.configure(func(s *queue.Settings) { s.Rules, s.DenyRules = set, set })
	f.ok(f.agent, begin(allowed), 1)
	if s := f.submit(f.use("grand", "Read")); s.State != queue.StatePending {
		t.Errorf("under a rule that nobody knows: %s", s.State)
	}
	if s := f.submit(f.use("root", "Read")); s.State != queue.StateAllowed {
		t.Errorf("the parent is not under it: %s", s.State)
	}
}

// Forebears that are too many to read leave nobody free.
func TestADeepFamilyIsTheStrictest(t *testing.T) {
	alone(t)
	f := newFamily(t, "")
	parent := "grand"
	for i := range 70 {
		s := fmt.Sprintf("deep-%d", i)
		f.register(queue.RegisterSession{Session: s, Parent: parent})
		parent = s
	}
	got := f.register(queue.RegisterSession{Session: parent})
	if string(got.Clamps) != `{"autoAllow":false,"edits":"disabled","grants":"disabled"}` {
		t.Errorf("%s", got.Clamps)
	}
	if got := f.register(queue.RegisterSession{Session: "deep-3"}); string(got.Clamps) != `{}` {
		t.Errorf("not so deep: %s", got.Clamps)
	}
}

// outside is rules that use the store when they are evaluated: inside a
// transaction they would wait for themselves.
type outside struct {
	f     *family
	rules queue.DenyRules
	n     int
}

func (o *outside) Reads(r clamp.Rule) error { return o.rules.Reads(r) }

func (o *outside) Denies(r clamp.Rule, a *digest.Action) (bool, string, error) {
	o.n++
	if err := o.f.store.Do(context.Background(), func(queue.Tx) error { return nil }); err != nil {
		return false, "", err
	}
	return o.rules.Denies(r, a)
}

// Rules of clamps are evaluated while nobody is kept from the store, each once a
// call.
func TestRulesOfClampsAreEvaluatedOutsideTheTransaction(t *testing.T) {
	alone(t)
	f := newFamily(t, "")
	f.declare("root", `{"denyRules":["deploys",{"name":"own","tools":["rm"]}]}`)
	set, err := rules.Compile([]rules.Rule{{Name: "deploys", Tools: []string{"deploy"}, Verdict: "ask"}})
	if err != nil {
		t.Fatal(err)
	}
	o := &outside{f: f, rules: set}
	f.configure(func(s *queue.Settings) { s.Rules, s.DenyRules = set, o })
	s := f.allowed(f.use("grand", "Bash"))
	if o.n != 2 {
		t.Errorf("a submit evaluated %d rules", o.n)
	}
	f.ok(f.agent, begin(s), 1)
	if o.n != 4 {
		t.Errorf("a submit and a begin evaluated %d rules", o.n)
	}
	if s := f.submit(f.use("grand", "rm")); s.State != queue.StateDenied || s.Decision.Who != "own" {
		t.Errorf("%+v", s.Decision)
	}
	e := f.submit(f.use("grand", "Bash"))
	f.ok(f.operator, f.change(e.Ask, `{"n":-1}`), 2)
	f.screened(f.agent, "grand", `{"action":"allow"}`, tool("x"), 0)
}

// An edit is judged by the clamps like any submit.
func TestAnEditIsUnderTheClamps(t *testing.T) {
	alone(t)
	f := newFamily(t, "")
	f.declare("root", `{"denyRules":[{"name":"small","tools":["count"],"when":"args.n < 0","why":"Too few."}]}`)
	s := f.submit(f.use("grand", "count"))
	got := f.edit(s.Ask, `{"n":-1}`)
	if got.State != queue.StateDenied || f.see(got.Ask).Decision.Who != "small" {
		t.Errorf("%+v", got)
	}
}

// A repeat of a call whose allow a clamp took back is asked anew.
func TestARepeatAfterAClampIsAsked(t *testing.T) {
	alone(t)
	f := newFamily(t, "")
	call := f.use("grand", "Read")
	call.CallID = "c-1"
	s := f.submit(call)
	f.declare("root", `{"autoAllow":false}`)
	f.refused(f.agent, begin(s), queue.CodeUnconfirmed, 1)
	again := f.submit(call)
	if again.State != queue.StatePending || f.see(again.Ask).Row.Replaces != s.Ask {
		t.Errorf("%+v", again)
	}
	f.decide(again.Ask, queue.VerdictAllow)
	f.ok(f.agent, begin(again), 1)
}

// A denied call leaves a pending ask of the same call alone: it is not adopted.
func TestWhatIsDeniedAdoptsNothing(t *testing.T) {
	alone(t)
	f := newFamily(t, "")
	call := f.use("grand", "deploy")
	s := f.submit(call)
	f.pass(60_000)
	f.declare("root", `{"denyRules":["deploys"]}`)
	again := f.submit(call)
	if again.State != queue.StateDenied || again.Ask == s.Ask || f.state(s.Ask) != queue.StatePending {
		t.Errorf("%+v", again)
	}
}

// A mandated ask whose contents are gone is told as what it is.
func TestAMandateThatIsLost(t *testing.T) {
	alone(t)
	for _, mandated := range []bool{true, false} {
		w := newWorld(t)
		call := call(fmt.Sprintf("x %v", mandated))
		call.CallID = call.Call.Cwd + fmt.Sprint(mandated)
		if mandated {
			call.Raise = []string{queue.ReasonCrossBoundary}
		}
		s := w.allowed(call)
		w.behind(`UPDATE asks SET body = 'x' WHERE state = 'allowed'`)
		code := queue.CodeContentChanged
		if mandated {
			code = queue.CodeMandateLost
		}
		w.refused(w.agent, begin(s), code, 0)
		w.refused(w.agent, call, code, 0)
	}
}

// Under a rule of a clamp that the configuration lost, no rule's allow begins; a
// person's does.
func TestALostRuleAtBegin(t *testing.T) {
	alone(t)
	f := newFamily(t, "")
	f.declare("child", `{"denyRules":["deploys"]}`)
	byRule, byPerson := f.submit(f.use("grand", "Read")), f.allowed(f.use("grand", "Bash"))
	set, err := rules.Compile([]rules.Rule{{Name: "reads", Tools: []string{"Read"}, Verdict: "allow"}})
	if err != nil {
		t.Fatal(err)
	}
	f.configure(func(s *queue.Settings) { s.Rules, s.DenyRules = set, set })
	f.refused(f.agent, begin(byRule), queue.CodeUnconfirmed, 1)
	f.ok(f.agent, begin(byPerson), 1)
}

// A deny of a clamp or of compliance stays one under a mandate.
func TestADenyIsNotMandated(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	l.arm("s1", true)
	hipaa, err := policy.Deny("hipaa", nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Compile([]rules.Rule{{Name: "named", Tools: []string{"clamped"}, Verdict: "ask"}})
	if err != nil {
		t.Fatal(err)
	}
	said, err := descriptor.Compile([]descriptor.Tool{{Name: "fetch", Capability: "web_fetch", Access: "write"}})
	if err != nil {
		t.Fatal(err)
	}
	level := declared(t, `{"denyRules":["named"]}`)
	l.configure(func(s *queue.Settings) {
		s.Targets, s.Posture, s.Denied, s.DenyRules, s.Clamps, s.Descriptors = []string{"lab-7"}, boundary.MultiTenant, hipaa, set, level, said
	})
	for name, state := range map[string]queue.State{"fetch": queue.StateDenied, "clamped": queue.StateDenied, "write": queue.StatePending} {
		s := l.do(l.agent, crossCall("s1", name, 1))
		if row := l.see(s.Ask).Row; s.State != state || row.Mandated != (state == queue.StatePending) {
			t.Errorf("%s is %s, mandated %v", name, s.State, row.Mandated)
		}
	}
}
