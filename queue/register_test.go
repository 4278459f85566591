package queue_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"nod/boundary"
	"nod/policy/clamp"
	"nod/queue"
)

const record = `{"type":"custom","customType":"engine:cross_boundary","id":%q,"data":%s}`

// A registration composes with what the parents hold: it only tightens, what it
// loosens is named and not honoured, and what travels is what restricts.
func TestARegistrationOnlyTightens(t *testing.T) {
	alone(t)
	f := newFamily(t, `{"edits":"disabled"}`)
	for _, c := range []struct {
		session, clamps           string
		inForce, travels, carried string
		loosened                  string
		events                    int64
	}{
		{"root", `{"autoAllow":false,"memory":{"enabled":false,"dir":"a"},"denyRules":["deploys"],"promptForm":"full"}`,
			`{"autoAllow":false,"denyRules":["deploys"],"edits":"disabled","memory":{"dir":"a","enabled":false},"promptForm":"full"}`,
			`{"autoAllow":false,"denyRules":["deploys"],"edits":"disabled","memory":{"enabled":false}}`, `{"memory":{"enabled":false}}`, "", 1},
		{"root", `{"memory":{"enabled":false,"dir":"a"},"promptForm":"full","autoAllow":false,"denyRules":["deploys"]}`, // the same
			`{"autoAllow":false,"denyRules":["deploys"],"edits":"disabled","memory":{"dir":"a","enabled":false},"promptForm":"full"}`,
			`{"autoAllow":false,"denyRules":["deploys"],"edits":"disabled","memory":{"enabled":false}}`, `{"memory":{"enabled":false}}`, "", 0},
		{"child", `{"autoAllow":true,"edits":"enabled","memory":{"enabled":true,"dir":"b"},"grants":"disabled","denyRules":[{"name":"own","tools":["x"]}]}`,
			`{"autoAllow":false,"denyRules":["deploys",{"name":"own","tools":["x"]}],"edits":"disabled","grants":"disabled","memory":{"dir":"b","enabled":false}}`,
			`{"autoAllow":false,"denyRules":["deploys",{"name":"own","tools":["x"]}],"edits":"disabled","grants":"disabled","memory":{"enabled":false}}`,
			`{"memory":{"enabled":false}}`, "memory.enabled autoAllow edits", 1},
		{"grand", `{}`,
			`{"autoAllow":false,"denyRules":["deploys",{"name":"own","tools":["x"]}],"edits":"disabled","grants":"disabled","memory":{"enabled":false}}`,
			`{"autoAllow":false,"denyRules":["deploys",{"name":"own","tools":["x"]}],"edits":"disabled","grants":"disabled","memory":{"enabled":false}}`,
			`{"memory":{"enabled":false}}`, "", 0},
		{"child", `{"grants":"enabled","denyRules":[]}`, // registered again: what it held stands
			`{"autoAllow":false,"denyRules":["deploys",{"name":"own","tools":["x"]}],"edits":"disabled","grants":"disabled","memory":{"enabled":false}}`,
			`{"autoAllow":false,"denyRules":["deploys",{"name":"own","tools":["x"]}],"edits":"disabled","grants":"disabled","memory":{"enabled":false}}`,
			`{"memory":{"enabled":false}}`, "grants", 1}, // dir is the later declaration's alone
	} {
		got := f.ok(f.agent, queue.RegisterSession{Session: c.session, Clamps: jsontext.Value(c.clamps)}, c.events).(queue.Registered)
		if string(got.Clamps) != c.inForce || string(got.Travels) != c.travels || string(got.Carried) != c.carried || strings.Join(got.Loosened, " ") != c.loosened {
			t.Errorf("%s %s:\nin force %s\ntravels %s\ncarried %s\nloosens %v", c.session, c.clamps, got.Clamps, got.Travels, got.Carried, got.Loosened)
		}
	}
}

// What does not read changes nothing: no session, no clamp, no event.
func TestAMalformedRegistrationChangesNothing(t *testing.T) {
	alone(t)
	f := newFamily(t, "")
	f.declare("root", `{"grants":"disabled"}`)
	many := make([]string, 65)
	for i := range many {
		many[i] = fmt.Sprintf(`{"name":"r%d","tools":["x"]}`, i)
	}
	for clamps, code := range map[string]string{
		`[]`:                           "config.invalid_argument",
		`{"grants":"disable"}`:         "config.invalid_argument",
		`{"Grants":"disabled"}`:        "config.invalid_argument",
		`{"autoAllow":"false"}`:        "config.invalid_argument",
		`{"denyRules":[""]}`:           "config.invalid_argument",
		`{"denyRules":["depoys"]}`:     "config.invalid_argument",
		`{"denyRules":[{"name":"a"}]}`: "config.invalid_argument",
		`{"denyRules":[{"name":"a","tools":["x"],"when":"args.n <"}]}`:    "config.invalid_argument",
		`{"denyRules":[{"name":"a","tools":["x"],"verdict":"allow"}]}`:    "config.invalid_argument",
		`{"denyRules":[{"name":"a","tools":["x"],"answer_within":"1s"}]}`: "config.invalid_argument",
		`{"denyRules":[` + strings.Join(many, ",") + `]}`:                 "config.invalid_argument",
		`{"memory":{"dir":"` + strings.Repeat("x", 70_000) + `"}}`:        "config.invalid_argument",
	} {
		f.refused(f.agent, queue.RegisterSession{Session: "root", Clamps: jsontext.Value(clamps)}, code, 0)
		f.refused(f.agent, queue.RegisterSession{Session: "new", Clamps: jsontext.Value(clamps)}, code, 0)
	}
	f.refused(f.agent, queue.RegisterSession{Session: " "}, queue.CodeBadInput, 0)
	f.refused(f.agent, queue.RegisterSession{Session: "\xff"}, "bad_utf8", 0)
	f.refused(f.agent, queue.RegisterSession{Session: "new", Source: "two\nlines"}, queue.CodeBadInput, 0)
	f.refused(f.agent, queue.RegisterSession{Session: "new", Branch: []string{strings.Repeat(" ", 5<<20)}}, "too_large", 0)
	f.refused(f.agent, queue.RegisterSession{Session: "child", Parent: "grand"}, queue.CodeBadInput, 0)
	f.refused(f.agent, queue.RegisterSession{Session: "root", Parent: "grand"}, queue.CodeBadInput, 0)
	f.refused(f.operator, queue.RegisterSession{Session: "new"}, queue.CodeNotAllowed, 0)
	list := must[queue.Sessions](t)(queue.Get[queue.Sessions](t.Context(), f.operator, queue.QSessions{Limit: 9})).Sessions
	for _, s := range list {
		if want := `{"grants":"disabled"}`; s.Host == "root" && string(s.Declared) != want || s.Host != "root" && len(s.Declared) > 0 || s.Host == "new" {
			t.Errorf("%+v", s)
		}
	}
	// Rules are only added, up to the bound.
	f.register(queue.RegisterSession{Session: "root", Clamps: jsontext.Value(`{"denyRules":[` + strings.Join(many[:64], ",") + `]}`)})
	f.refused(f.agent, queue.RegisterSession{Session: "root", Clamps: jsontext.Value(`{"denyRules":["deploys"]}`)}, "config.invalid_argument", 0)
}

// Another principal's session of the same name is another session.
func TestClampsAreOfOnePrincipal(t *testing.T) {
	alone(t)
	f := newFamily(t, "")
	f.declare("root", `{"autoAllow":false}`)
	other := f.q.Port(agentConn("other"))
	got := must[queue.Registered](t)(queue.As[queue.Registered](t.Context(), other, queue.RegisterSession{Session: "root", Parent: "grand"}))
	if string(got.Clamps) != `{}` {
		t.Errorf("%s", got.Clamps)
	}
}

func TestTheSourceIsShownAndKept(t *testing.T) {
	alone(t)
	f := newFamily(t, "")
	f.ok(f.agent, queue.RegisterSession{Session: "root", Source: "resume"}, 1)
	f.ok(f.agent, queue.RegisterSession{Session: "root", Source: "resume"}, 0)
	f.ok(f.agent, queue.RegisterSession{Session: "root", Source: "another"}, 0)
	list := must[queue.Sessions](t)(queue.Get[queue.Sessions](t.Context(), f.operator, queue.QSessions{Limit: 9})).Sessions
	if i := slices.IndexFunc(list, func(s queue.SessionView) bool { return s.Host == "root" }); list[i].Source != "resume" {
		t.Errorf("%+v", list[i])
	}
}

func (l *lab) resumed(session string, entries ...string) (queue.Registered, queue.SessionView) {
	l.t.Helper()
	got := must[queue.Registered](l.t)(queue.As[queue.Registered](l.t.Context(), l.agent, queue.RegisterSession{Session: session, Branch: entries}))
	return got, l.sessions()[session]
}

// The records of a resumed conversation join the tree of its session.
func TestABranchIsResumed(t *testing.T) {
	alone(t)
	armed := fmt.Sprintf(record, "r-1", `{"targetExecutionArmed":true}`)
	governed := fmt.Sprintf(record, "r-2", `{"targetExecutionArmed":true,"governed":true}`)
	bad := fmt.Sprintf(record, "r-3", `{"targetExecutionArmed":true,"governed":false}`)
	const message = `{"type":"message","cents":9007199254740993}`
	for _, c := range []struct {
		name     string
		posture  boundary.Posture
		entries  []string
		standing boundary.Standing
		bits     string
		why      string
	}{
		{"nothing on it", boundary.SingleUser, []string{message}, boundary.Absent, "", ""},
		{"armed", boundary.SingleUser, []string{message, armed, message}, boundary.Recorded, "targetExecutionArmed", ""},
		{"armed under the strict posture", boundary.MultiTenant, []string{message, armed}, boundary.Recorded, "targetExecutionArmed governed", ""},
		{"and content after it", boundary.MultiTenant, []string{armed, message}, boundary.Recorded, "targetExecutionArmed offTargetReadObserved governed", ""},
		{"governed", boundary.SingleUser, []string{message, governed}, boundary.Recorded, "targetExecutionArmed governed", ""},
		{"content after governed", boundary.SingleUser, []string{governed, message}, boundary.Recorded, "targetExecutionArmed offTargetReadObserved governed", ""},
		{"a record that does not read", boundary.SingleUser, []string{armed, bad}, boundary.Malformed,
			"targetExecutionArmed offTargetReadObserved governed", "a bit of the record is neither true nor absent"},
		{"an entry that does not read", boundary.SingleUser, []string{`{"type":`}, boundary.Malformed,
			"targetExecutionArmed offTargetReadObserved governed", "an entry of the branch is not strict JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t, c.posture)
			got, s := l.resumed("s1", c.entries...)
			t2 := boundary.Tree{Armed: s.Armed > 0, Observed: s.Observed > 0, Governed: s.Governed > 0}
			if strings.Join(got.Bits, " ") != c.bits || got.Standing != c.standing || got.Unreadable != c.why || s.Unreadable != c.why || strings.Join(t2.Bits(), " ") != c.bits {
				t.Fatalf("%+v\n%+v", got, s)
			}
			if (got.Entry == "r-3") != (c.name == "a record that does not read") {
				t.Errorf("the entry is %q", got.Entry)
			}
			records := must[queue.Records](t)(queue.Get[queue.Records](t.Context(), l.operator, queue.QRecords{Session: s.ID})).Records
			if c.bits == "" {
				if len(records) != 0 || got.Record != nil {
					t.Errorf("%+v %s", records, got.Record)
				}
				return
			}
			if len(records) != 1 || records[0].Phase != boundary.Prepare || strings.Join(records[0].Bits, " ") != c.bits {
				t.Errorf("%+v", records)
			}
			// The entry that the host writes covers the branch: registered again
			// with it, nothing changes.
			l.ok(l.agent, queue.RegisterSession{Session: "s1", Branch: []string{string(got.Record)}}, 0)
			// Another session of the family has it too, and it is for good.
			l.ok(l.agent, queue.EndSession{Session: "s1"}, 2)
			again, _ := l.resumed("s1")
			if strings.Join(again.Bits, " ") != c.bits || again.Unreadable != c.why {
				t.Errorf("after its end: %+v", again)
			}
		})
	}
}

// A branch mandates: what a conversation brought back counts like what was seen.
func TestAResumedTreeMandates(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.SingleUser)
	if s := l.do(l.agent, crossCall("s0", "write.allow", 0)); s.Begun == nil {
		t.Fatalf("a write without a tree: %+v", s)
	}
	l.resumed("s1", fmt.Sprintf(record, "r", `{"targetExecutionArmed":true,"governed":true}`))
	s := l.do(l.agent, crossCall("s1", "write.allow", 1))
	if s.State != queue.StatePending || !l.see(s.Ask).Row.Mandated {
		t.Errorf("%+v", s)
	}
	if s := l.do(l.agent, crossCall("s1", "write.deny", 2)); s.State != queue.StateDenied || l.see(s.Ask).Row.Mandated {
		t.Errorf("a deny under a mandate: %+v", s)
	}
}

// A child joins its parent's tree when it is registered, before it acts.
func TestAChildIsRegisteredWithItsParentsTree(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	l.arm("s1", true)
	got := must[queue.Registered](t)(queue.As[queue.Registered](t.Context(), l.agent, queue.RegisterSession{Session: "c1", Parent: "s1"}))
	if len(got.Bits) != 3 {
		t.Errorf("%+v", got)
	}
	got = must[queue.Registered](t)(queue.As[queue.Registered](t.Context(), l.agent, queue.RegisterSession{Session: "c2", Parent: "nobody"}))
	if len(got.Bits) != 3 || got.Unreadable == "" {
		t.Errorf("%+v", got)
	}
}

// A clamp that was changed behind the queue is no less strict a one.
func TestClampsThatDoNotReadRefuse(t *testing.T) {
	alone(t)
	f := newFamily(t, "")
	f.declare("root", `{"grants":"disabled"}`)
	err := f.store.Do(t.Context(), func(tx queue.Tx) error {
		list, err := tx.Sessions(9)
		for i := range list {
			if list[i].HostID == "root" {
				list[i].Clamps = `{"grants":"maybe"}`
				err = errors.Join(err, tx.PutSession(&list[i]))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	f.refused(f.agent, f.use("grand", "Read"), queue.CodeContentChanged, 0)
	f.refused(f.agent, queue.RegisterSession{Session: "child", Source: "x"}, queue.CodeContentChanged, 0)
}

// A rule whose name stands for another one would be left out when levels are
// joined, and deny nothing: it is refused.
func TestARuleWithTheNameOfAnotherIsRefused(t *testing.T) {
	f := newFamily(t, "")
	f.declare("root", `{"denyRules":[{"name":"own","tools":["nothing"]}]}`)
	for _, session := range []string{"root", "grand"} {
		f.refused(f.agent, queue.RegisterSession{Session: session, Clamps: []byte(`{"denyRules":[{"name":"own","tools":["*"]}]}`)}, clamp.CodeInvalid, 0)
		f.refused(f.agent, queue.RegisterSession{Session: session, Clamps: []byte(`{"denyRules":[{"name":"deploys","tools":["nothing"]}]}`)}, clamp.CodeInvalid, 0)
		f.declare(session, `{"denyRules":[{"name":"own","tools":["nothing"]},"deploys"]}`) // the same
	}
	// A parent that takes the name later leaves the child's rule as it is.
	f.declare("grand", `{"denyRules":[{"name":"mine","tools":["mail"]}]}`)
	f.declare("child", `{"denyRules":[{"name":"mine","tools":["nothing"]}]}`)
	if s := f.submit(f.use("grand", "mail")); s.State != queue.StateDenied || s.Decision.Who != "mine" {
		t.Errorf("the child's rule is gone: %s", s.State)
	}
	c := f.use("new", "mail") // a session that begins now
	c.Parent = "grand"
	if s := f.submit(c); s.State != queue.StateDenied {
		t.Errorf("a new child of it: %s", s.State)
	}
	if s := f.submit(f.use("child", "mail")); s.State != queue.StatePending {
		t.Errorf("the child's rule went up: %s", s.State)
	}
}
