package queue_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"nod/boundary"
	"nod/descriptor"
	"nod/digest"
	"nod/queue"
	"nod/queue/ledger"
)

// lab is a world with the target lab-7, a port of the agent that executes there
// (on), and one that executes elsewhere (agent).
type lab struct {
	*world
	on queue.Port
}

// crossingRules answers a call by its tool's last word: x.allow, x.ask, x.deny.
type crossingRules struct{}

func (crossingRules) Judge(a *digest.Action) queue.Ruling {
	word := a.Tool[strings.LastIndexByte(a.Tool, '.')+1:]
	switch word {
	case queue.RuleAllow, queue.RuleAsk, queue.RuleDeny:
		return queue.Ruling{Verdict: word, Rule: "by name"}
	}
	return queue.Ruling{}
}

// Tools by their first word: what their calls cross.
func crossingTools(t *testing.T) *descriptor.Set {
	t.Helper()
	var tools []descriptor.Tool
	for name, legs := range map[string][]string{
		"none": {}, "env": {"env"}, "read": {"outside_read"}, "write": {"outside_write"}, "both": {"outside_read", "outside_write"},
	} {
		for _, verdict := range []string{"allow", "ask", "deny", "open"} {
			tools = append(tools, descriptor.Tool{Name: name + "." + verdict, Legs: descriptor.Legs{List: legs}})
		}
	}
	set, err := descriptor.Compile(tools)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func newLab(t *testing.T, posture boundary.Posture) *lab {
	t.Helper()
	l := &lab{world: newWorld(t)}
	l.reopen(posture)
	return l
}

func (l *lab) reopen(posture boundary.Posture) {
	l.configure(func(s *queue.Settings) {
		s.Targets, s.Posture = []string{"lab-7"}, posture
		s.Rules, s.Descriptors = crossingRules{}, crossingTools(l.t)
	})
	l.on = l.q.Port(inLab("shop-fixer"))
	l.t.Cleanup(func() {
		if _, err := ledger.New().Follow(context.Background(), l.store); err != nil {
			l.t.Error(err)
		}
	})
}

func inLab(agent string) queue.Conn {
	c := agentConn(agent)
	c.Environment = "lab-7"
	return c
}

func crossCall(session, tool string, n int) queue.Submit {
	return queue.Submit{Kind: "call", Session: session, Begin: true, Executor: "test",
		Call: &queue.Call{Tool: tool, Arguments: fmt.Appendf(nil, `{"n":%d}`, n), Cwd: "/x"}}
}

func (l *lab) do(p queue.Port, s queue.Submit) queue.Submitted {
	l.t.Helper()
	return must[queue.Submitted](l.t)(queue.As[queue.Submitted](l.t.Context(), p, s))
}

// arm runs something on the target in a session; then, where wanted, reads outside.
func (l *lab) arm(session string, read bool) {
	l.t.Helper()
	if s := l.do(l.on, crossCall(session, "none.allow", -1)); s.Begun == nil {
		l.t.Fatalf("what arms did not begin: %+v", s)
	}
	if read {
		if s := l.do(l.agent, crossCall(session, "read.allow", -2)); s.Begun == nil {
			l.t.Fatalf("what reads did not begin: %+v", s)
		}
	}
}

func (l *lab) sessions() map[string]queue.SessionView {
	l.t.Helper()
	out := map[string]queue.SessionView{}
	for _, s := range must[queue.Sessions](l.t)(queue.Get[queue.Sessions](l.t.Context(), l.operator, queue.QSessions{Limit: 99})).Sessions {
		out[s.Host] = s
	}
	return out
}

func (l *lab) bits(session string) string {
	s := l.sessions()[session]
	return strings.Join(boundary.Tree{Armed: s.Armed > 0, Observed: s.Observed > 0, Governed: s.Governed > 0}.Bits(), " ")
}

func (l *lab) records(session string) []string {
	l.t.Helper()
	var out []string
	got := must[queue.Records](l.t)(queue.Get[queue.Records](l.t.Context(), l.operator, queue.QRecords{Session: l.sessions()[session].ID, Limit: 99}))
	for _, r := range got.Records {
		if r.Unreadable != "" {
			l.t.Errorf("a record does not read: %s", r.Unreadable)
		}
		out = append(out, string(r.Phase)+" "+strings.Join(r.Bits, " "))
	}
	slices.Reverse(out)
	return out
}

func (l *lab) notices(code string) (out []queue.NoticeView) {
	l.t.Helper()
	for _, n := range must[queue.Notices](l.t)(queue.Get[queue.Notices](l.t.Context(), l.operator, queue.QNotices{Limit: 99})).Notices {
		if n.Code == code {
			out = append(out, n)
		}
	}
	return out
}

const (
	armedBit   = "targetExecutionArmed"
	armedGov   = "targetExecutionArmed governed"
	everyBit   = "targetExecutionArmed offTargetReadObserved governed"
	armedRead  = "targetExecutionArmed offTargetReadObserved"
	undeclared = "config.cross_boundary_posture_undeclared"
	unwritten  = "config.cross_boundary_record_unwritten"
)

// TestMandateOrder: deny > mandate > ask > allow.
func TestMandateOrder(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	l.arm("s", true)
	for verdict, want := range map[string]queue.State{"allow": queue.StatePending, "ask": queue.StatePending, "open": queue.StatePending, "deny": queue.StateDenied} {
		s := l.do(l.agent, crossCall("s", "write."+verdict, 1))
		row := l.see(s.Ask).Row
		mandated := want == queue.StatePending
		if s.State != want || s.Begun != nil || row.Mandated != mandated || slices.Contains(row.Reasons, queue.ReasonCrossBoundary) != mandated ||
			mandated && row.Urgency != 1 {
			t.Errorf("%s: %s, mandated %v, reasons %v", verdict, s.State, row.Mandated, row.Reasons)
		}
		// The same call in a session whose tree is not armed.
		other := l.q.Port(agentConn("other"))
		if s := l.do(other, crossCall("s", "write."+verdict, 1)); l.see(s.Ask).Row.Mandated {
			t.Errorf("%s: mandated without a tree", verdict)
		}
	}
}

// The sentence on the card says which legs, which bits and since when.
func TestMandateSentence(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	l.arm("s", false)
	l.pass(60_000)
	l.do(l.agent, crossCall("s", "read.allow", 1))
	s := l.do(l.agent, crossCall("s", "write.allow", 1))
	want := `This tree ran on target "lab-7" at 2027-01-15T08:00:00Z, has read outside since 2027-01-15T08:01:00Z and is governed; this call has the leg outside_write, so a person must answer it.`
	var ask struct {
		Why []string `json:"why"`
	}
	v := l.see(s.Ask)
	if err := json.Unmarshal(v.Ask, &ask); err != nil || !slices.Contains(ask.Why, want) {
		t.Errorf("%v: %q", err, ask.Why)
	}
	// By its own begin: nothing ran before it.
	own := l.do(l.q.Port(inLab("first")), crossCall("o", "write.allow", 1))
	if err := json.Unmarshal(l.see(own.Ask).Ask, &ask); err != nil || !strings.Contains(strings.Join(ask.Why, "\n"), `This tree runs on target "lab-7" with this call and is governed`) {
		t.Errorf("%v: %q", err, ask.Why)
	}
	if l.bits("o") != "" {
		t.Error("a submit that waits has armed the tree")
	}
}

// A person's answer, and nobody else's, lets what is mandated run.
func TestMandatedNeedsAPerson(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	l.arm("s", true)
	s := l.do(l.agent, crossCall("s", "write.allow", 1))
	_ = l.refused(l.agent, begin(s), queue.CodeNotAllowedYet, 0)
	script := l.q.Port(queue.Conn{Principal: digest.Principal{User: "mia"}, Role: queue.RoleOperator, Way: queue.WayScript})
	_ = l.refused(script, l.decision(s.Ask, queue.VerdictAllow), queue.CodeNeedsPerson, 0)
	_ = l.refused(l.operator, queue.GrantDigest{Ask: s.Ask, ShownDigest: s.ShownDigest, Times: 1, ForMS: 5000}, queue.CodeNeedsPerson, 0)
	l.decide(s.Ask, queue.VerdictAllow)
	must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), l.agent, begin(s)))
}

// TestUnconfirmed: what a rule had allowed is refused at begin when the tree
// wants a person by then; what a person had allowed goes on.
func TestUnconfirmed(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	rule := crossCall("s", "write.allow", 1)
	rule.Begin = false
	byRule := l.do(l.agent, rule)
	person := crossCall("s", "write.ask", 2)
	byPerson := l.do(l.agent, person)
	l.decide(byPerson.Ask, queue.VerdictAllow)
	granted := crossCall("s", "write.open", 3)
	first := l.do(l.agent, granted)
	must[queue.Granted](t)(queue.As[queue.Granted](t.Context(), l.operator, queue.GrantDigest{Ask: first.Ask, ShownDigest: first.ShownDigest, Times: 2, ForMS: 60_000}))
	granted.Begin, granted.NoAdopt = false, true
	byGrant := l.do(l.agent, granted)
	if byRule.State != queue.StateAllowed || byGrant.State != queue.StateAllowed {
		t.Fatalf("%s, %s", byRule.State, byGrant.State)
	}
	l.arm("s", false)
	for name, s := range map[string]queue.Submitted{"rule": byRule, "grant": byGrant} {
		_ = l.refused(l.agent, begin(s), queue.CodeUnconfirmed, 1)
		if row := l.see(s.Ask).Row; row.State != queue.StateRevoked || row.RevokeReason != queue.CodeUnconfirmed {
			t.Errorf("%s: %s, %s", name, row.State, row.RevokeReason)
		}
	}
	must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), l.agent, begin(byPerson)))
	// Under the single user's posture the same tree wants nobody.
	u := newLab(t, boundary.SingleUser)
	late := u.do(u.agent, rule)
	u.arm("s", true)
	must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), u.agent, begin(late)))
}

// What sets the bits, and what is written of them when.
func TestBitsAndRecords(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	l.do(l.agent, crossCall("s", "read.allow", 1))
	if l.bits("s") != "" || len(l.records("s")) != 0 {
		t.Fatalf("an unarmed tree has %q, %q", l.bits("s"), l.records("s"))
	}
	l.do(l.on, crossCall("s", "none.allow", 2))
	l.do(l.agent, crossCall("s", "write.allow", 3)) // waits
	l.do(l.agent, crossCall("s", "read.allow", 4))
	l.do(l.agent, crossCall("s", "write.deny", 5))
	must[queue.Ended](t)(queue.As[queue.Ended](t.Context(), l.agent, queue.EndSession{Session: "s"}))
	want := []string{"exit " + armedGov, "suspend " + armedGov, "exit " + everyBit, "settle " + everyBit}
	if got := l.records("s"); !slices.Equal(got, want) || l.bits("s") != everyBit {
		t.Errorf("%q\nwant %q, bits %s", got, want, l.bits("s"))
	}
	if s := l.sessions()["s"]; s.Target != "lab-7" || s.Armed != start || s.Unreadable != "" {
		t.Errorf("%+v", s)
	}
	// It keeps its tree when it starts anew.
	l.do(l.agent, crossCall("s", "none.allow", 6))
	if got := l.records("s"); l.bits("s") != everyBit || got[len(got)-1] != "prepare "+everyBit {
		t.Errorf("%q, %q", l.bits("s"), got)
	}
}

// An act that finds an armed tree under multi_tenant makes it governed.
func TestGovernedLater(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.SingleUser)
	l.arm("s", true)
	if l.bits("s") != armedRead {
		t.Fatalf("%q", l.bits("s"))
	}
	l.pass(1000)
	l.reopen(boundary.MultiTenant)
	l.do(l.agent, crossCall("s", "write.deny", 1))
	if s := l.sessions()["s"]; l.bits("s") != everyBit || s.Governed != start+1000 || s.Armed != start {
		t.Errorf("%+v", s)
	}
}

// TestJoins: children share their parent's tree, new roots that of a live one of
// the same principal.
func TestJoins(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	child := func(session, parent string, n int) queue.Submit {
		c := crossCall(session, "none.allow", n)
		c.Parent = parent
		return c
	}
	l.do(l.agent, crossCall("root", "none.allow", 1))
	l.do(l.agent, child("kid", "root", 2))
	l.do(l.agent, child("grandkid", "kid", 3))
	l.do(l.agent, crossCall("early", "none.allow", 4)) // there before anything is armed
	armed := child("grandkid", "kid", 5)
	l.do(l.on, armed)
	for _, s := range []string{"root", "kid", "grandkid"} {
		if l.bits(s) != armedGov {
			t.Errorf("%s has %q", s, l.bits(s))
		}
	}
	ids := l.sessions()
	if ids["kid"].Tree != ids["root"].ID || ids["grandkid"].Tree != ids["root"].ID || ids["root"].Tree != "" {
		t.Errorf("%+v", ids)
	}
	if l.bits("early") != "" {
		t.Error("a session that was there has joined")
	}
	l.do(l.agent, crossCall("late", "none.allow", 6))
	stranger := l.q.Port(agentConn("stranger"))
	l.do(stranger, crossCall("theirs", "none.allow", 7))
	if l.bits("late") != armedGov || l.bits("theirs") != "" {
		t.Errorf("a new root has %q, another principal's %q", l.bits("late"), l.bits("theirs"))
	}
	// The end of the one that holds it clears nothing while another lives.
	must[queue.Ended](t)(queue.As[queue.Ended](t.Context(), l.agent, queue.EndSession{Session: "root"}))
	if s := l.do(l.agent, crossCall("late", "write.allow", 8)); s.State != queue.StatePending || l.bits("late") != armedGov {
		t.Errorf("after the root's end: %s, %q", s.State, l.bits("late"))
	}
	l.do(l.agent, crossCall("later", "none.allow", 9))
	if l.bits("later") != armedGov {
		t.Errorf("a new root joins what still lives: %q", l.bits("later"))
	}
	for _, s := range []string{"late", "later"} {
		must[queue.Ended](t)(queue.As[queue.Ended](t.Context(), l.agent, queue.EndSession{Session: s}))
	}
	l.do(l.agent, crossCall("last", "none.allow", 10))
	if l.bits("last") != "" {
		t.Errorf("a new root joins what is over: %q", l.bits("last"))
	}
	// Two live trees are one from the root on that joins both.
	two := l.q.Port(agentConn("two"))
	onTwo := l.q.Port(inLab("two"))
	l.do(two, crossCall("a", "none.allow", 1))
	l.do(two, crossCall("b", "none.allow", 1))
	l.do(onTwo, crossCall("a", "none.allow", 2))
	l.do(onTwo, crossCall("b", "none.allow", 2))
	l.do(two, crossCall("a", "read.allow", 3))
	if l.bits("a") != everyBit || l.bits("b") != armedGov {
		t.Fatalf("%q, %q", l.bits("a"), l.bits("b"))
	}
	l.do(two, crossCall("c", "none.allow", 1))
	if l.bits("a") != everyBit || l.bits("b") != everyBit || l.bits("c") != everyBit {
		t.Errorf("%q, %q, %q", l.bits("a"), l.bits("b"), l.bits("c"))
	}
}

// An unknown parent reads as the strictest, for good, and says why.
func TestUnknownParent(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.SingleUser)
	c := crossCall("kid", "write.allow", 1)
	c.Parent = "nobody"
	s := l.do(l.agent, c)
	if s.State != queue.StatePending || l.bits("kid") != everyBit || l.sessions()["kid"].Unreadable == "" {
		t.Errorf("%s, %q", s.State, l.bits("kid"))
	}
	if card := l.see(s.Ask).Card; !strings.Contains(card, "its parent session is unknown") {
		t.Errorf("the card does not say it:\n%s", card)
	}
	// Another principal's session is unknown too.
	l.do(l.q.Port(agentConn("other")), crossCall("theirs", "none.allow", 1))
	c = crossCall("kid2", "none.allow", 1)
	c.Parent = "theirs"
	l.do(l.agent, c)
	if l.bits("kid2") != everyBit {
		t.Errorf("%q", l.bits("kid2"))
	}
	// Where no target and no posture is configured, nothing crosses.
	w := newWorld(t, func(s *queue.Settings) { s.Rules = crossingRules{} })
	c = crossCall("kid", "write.allow", 1)
	c.Parent = "nobody"
	if s := w.submit(c); s.Begun == nil {
		t.Errorf("without targets: %s", s.State)
	}
}

// A parent that is named later is joined then, with what the session has.
func TestParentNamedLater(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	l.do(l.agent, crossCall("root", "none.allow", 1))
	l.do(l.agent, crossCall("kid", "none.allow", 1))
	l.arm("kid", true)
	c := crossCall("kid", "none.allow", 2)
	c.Parent = "root"
	l.do(l.agent, c)
	if l.bits("root") != everyBit || l.bits("kid") != everyBit || l.sessions()["kid"].Tree == "" {
		t.Errorf("root %q, kid %+v", l.bits("root"), l.sessions()["kid"])
	}
}

// What a caller says of its access adds legs and takes none away.
func TestAccessOnlyRaises(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	l.arm("s", false)
	for i, access := range []string{"", "read", "idempotent", "write"} {
		c := crossCall("s", "unknown.allow", i)
		if access != "" {
			c.Call.Effect = &queue.Effect{Access: access}
		}
		if s := l.do(l.agent, c); s.State != queue.StatePending {
			t.Errorf("nobody describes it, the caller says %q: %s", access, s.State)
		}
	}
}

// An armed tree without a posture is told once a run.
func TestUndeclaredPosture(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.Undeclared)
	l.do(l.agent, crossCall("s", "none.allow", 1))
	if n := l.notices(undeclared); len(n) != 0 {
		t.Fatalf("%+v", n)
	}
	l.arm("s", true)
	l.arm("s", true)
	if n := l.notices(undeclared); len(n) != 1 || n[0].Session != l.sessions()["s"].ID || strings.Contains(string(n[0].Detail), "governed") {
		t.Fatalf("%+v", n)
	}
	if s := l.do(l.agent, crossCall("s", "write.allow", 2)); s.Begun == nil || l.bits("s") != armedRead {
		t.Errorf("the permissive reading: %+v, %q", s, l.bits("s"))
	}
	must[queue.Ended](t)(queue.As[queue.Ended](t.Context(), l.agent, queue.EndSession{Session: "s"}))
	l.pass(1000)
	l.do(l.agent, crossCall("s", "none.allow", 3))
	if n := l.notices(undeclared); len(n) != 2 {
		t.Errorf("a new run is told: %d", len(n))
	}
}

// A later call does not adopt an ask that was made before the tree wanted a
// person.
func TestAdoptionUnderMandate(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	c := crossCall("s", "write.ask", 1)
	first := l.do(l.agent, c)
	must[queue.Standing](t)(queue.As[queue.Standing](t.Context(), l.agent, queue.Wait{Ask: first.Ask, Token: first.Token, Release: true}))
	l.arm("s", false)
	if second := l.do(l.agent, c); second.Ask == first.Ask || !l.see(second.Ask).Row.Mandated {
		t.Errorf("adopted %v", second.Adopted)
	}
}

// The corpus through the queue: a session is brought to the tree, and a call with
// the legs is submitted.
func TestCorpusThroughTheQueue(t *testing.T) {
	alone(t)
	raw, err := os.ReadFile("../boundary/testdata/cross-boundary.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		var c struct {
			ID       string `json:"id"`
			Input    string `json:"input"`
			Expected struct {
				Mandate *bool `json:"mandate"`
				Record  *bool `json:"record"`
			} `json:"expected"`
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		var in struct {
			Legs     []string `json:"legs"`
			Target   bool     `json:"env_is_target"`
			Armed    bool     `json:"armed"`
			Observed bool     `json:"off_target_read_observed"`
			Governed bool     `json:"governed"`
		}
		// A call that executes in a target arms by itself: the corpus' rows of an
		// unarmed tree and a target are the pure package's alone.
		if c.Expected.Mandate == nil || json.Unmarshal([]byte(c.Input), &in) != nil || in.Target && !in.Armed || !in.Armed && (in.Observed || in.Governed) {
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			l := newLab(t, boundary.SingleUser)
			if in.Armed {
				l.arm("s", in.Observed)
			}
			posture := boundary.SingleUser
			if in.Governed {
				posture = boundary.MultiTenant
			}
			set, err := descriptor.Compile([]descriptor.Tool{{Name: "it.allow", Legs: descriptor.Legs{List: append([]string{}, in.Legs...)}}})
			if err != nil {
				t.Fatal(err)
			}
			l.configure(func(s *queue.Settings) {
				s.Targets, s.Posture, s.Rules, s.Descriptors = []string{"lab-7"}, posture, crossingRules{}, set
			})
			conn := agentConn("shop-fixer")
			if in.Target {
				conn = inLab("shop-fixer")
			}
			s := l.do(l.q.Port(conn), crossCall("s", "it.allow", 9))
			if row := l.see(s.Ask).Row; row.Mandated != *c.Expected.Mandate || (s.Begun == nil) != *c.Expected.Mandate {
				t.Errorf("%s\nmandated %v, begun %v", c.Input, row.Mandated, s.Begun != nil)
			}
			if s.Begun == nil {
				l.decide(s.Ask, queue.VerdictAllow)
				must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), l.q.Port(conn), begin(s)))
			}
			observed := l.sessions()["s"].Observed > 0
			if want := in.Observed || *c.Expected.Record; observed != want {
				t.Errorf("%s\nthe tree has read outside: %v, want %v", c.Input, observed, want)
			}
		})
	}
	if ran < 20 {
		t.Errorf("only %d cases ran", ran)
	}
}

// A submit of a session without a tree asks the store for nothing more.
func TestNoTreeCostsNothing(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	c := &counting{Store: l.store, calls: map[string]int{}}
	l.q = queue.New(c, queue.Settings{Targets: []string{"lab-7"}, Posture: boundary.MultiTenant, Rules: crossingRules{}},
		queue.Edge{WallMS: func() int64 { return l.wall }, BootMS: func() int64 { return l.boot }, NewID: l.id,
			Token: func() string { l.ids++; return fmt.Sprintf("token-%d", l.ids) }})
	agent := l.q.Port(agentConn("shop-fixer"))
	l.do(agent, crossCall("s", "x.allow", 1))
	if c.calls["trees"] != 1 {
		t.Errorf("a new session looked for trees %d times", c.calls["trees"])
	}
	clear(c.calls)
	for n := range 3 {
		l.do(agent, crossCall("s", "x.allow", 2+n))
		l.do(agent, crossCall("s", "x.ask", 20+n))
	}
	if c.calls["trees"] != 0 || c.calls["put"] != 0 || c.calls["record"] != 0 || c.calls["session"] > 6 {
		t.Errorf("the store was asked %v", c.calls)
	}
}

type counting struct {
	queue.Store
	calls map[string]int
}

func (c *counting) Do(ctx context.Context, fn func(queue.Tx) error) error {
	return c.Store.Do(ctx, func(tx queue.Tx) error { return fn(&countingTx{tx, c.calls}) })
}

type countingTx struct {
	queue.Tx
	calls map[string]int
}

func (t *countingTx) TreesOf(principal string, since int64) ([]queue.Session, error) {
	t.calls["trees"]++
	return t.Tx.TreesOf(principal, since)
}

func (t *countingTx) PutSession(s *queue.Session) error {
	t.calls["put"]++
	return t.Tx.PutSession(s)
}

func (t *countingTx) Session(id string) (*queue.Session, error) {
	t.calls["session"]++
	return t.Tx.Session(id)
}

func (t *countingTx) InsertRecord(r *queue.Record) error {
	t.calls["record"]++
	return t.Tx.InsertRecord(r)
}
