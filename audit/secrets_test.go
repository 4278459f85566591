//go:build unix

package audit_test

import (
	"crypto/rand"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"nod/audit"
	"nod/digest"
	"nod/notify"
	"nod/notify/ladder"
	"nod/queue"
)

// secret is in every text that anybody writes here, and then the name of its
// place.
const secret = "SECRET-"

// marks notes which members of which acts held a secret.
type marks struct {
	p      *player
	marked map[string]bool // "Submit.Call.Tool"
	played map[string]reflect.Type
}

// do carries an act out and notes its members.
func (m *marks) do(port queue.Port, act queue.Act) queue.Result {
	m.p.t.Helper()
	m.p.wall += 10
	r, err := port.Do(m.p.t.Context(), act)
	if err != nil {
		m.p.t.Fatalf("%T: %v", act, err)
	}
	t := reflect.TypeOf(act)
	m.played[t.Name()] = t
	m.note(t.Name(), reflect.ValueOf(act))
	return r
}

func (m *marks) note(at string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			m.note(at, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			m.note(at+"."+v.Type().Field(i).Name, v.Field(i))
		}
	default:
		if strings.Contains(fmt.Sprintf("%s", v.Interface()), secret) {
			m.marked[at] = true
		}
	}
}

// ours are the members whose texts no person or agent chooses: ids, digests,
// tokens and words of closed sets, which are refused where they are others.
// Tool and directory are in events by the contract (DESIGN §4).
func ours(member string) bool {
	name := member[strings.LastIndexByte(member, '.')+1:]
	switch name {
	case "Ask", "Attempt", "Effect", "Token", "Kind", "Observer", "Class", "Access", "Why", "Raise", "Lifted", "Tool", "Cwd", "Confirm", "Policy", "Scope":
		return true
	}
	switch member {
	case "DropWords.Reason", "Receipt.Refused", "Receipt.Via",
		"Freeze.Session", "Unfreeze.Session", "AttachPolicy.Session", "AckTransaction.Transaction":
		return true
	}
	return false
}

// texts are the members of an act that hold text. Types of their own (digests,
// states) have closed forms.
func texts(at string, t reflect.Type) []string {
	if t.Kind() == reflect.String && t != reflect.TypeFor[string]() {
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return texts(at, t.Elem())
	case reflect.Struct:
		var all []string
		for i := range t.NumField() {
			all = append(all, texts(at+"."+t.Field(i).Name, t.Field(i).Type)...)
		}
		return all
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct {
			return nil // its members stand alone elsewhere
		}
		return []string{at}
	case reflect.String, reflect.Map:
		return []string{at}
	default:
		return nil
	}
}

// TestNoTextOfAnybodysIsInTheAudit: what agents and people wrote is in the
// contents of the store, and in nothing that is kept, sent or counted beside it.
func TestNoTextOfAnybodysIsInTheAudit(t *testing.T) {
	p := newPlayer(t, 1)
	m := &marks{p: p, marked: map[string]bool{}, played: map[string]reflect.Type{}}
	m.play()
	for _, act := range acts(t) {
		played, there := m.played[act]
		if !there {
			t.Errorf("%s was not played: nothing is shown of it", act)
			continue
		}
		for _, member := range texts(act, played) {
			if !m.marked[member] && !ours(member) {
				t.Errorf("%s held no secret", member)
			}
		}
	}
	for what, text := range m.outside() {
		if text == "" {
			t.Errorf("%s: nothing to look through", what)
		}
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("%s holds a text that somebody wrote: …%s…", what, text[max(i-80, 0):min(i+80, len(text))])
		}
	}
}

// acts are the names of the queue's acts, from its source.
func acts(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("../queue/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "actName" {
				names = append(names, f.Recv.List[0].Type.(*ast.Ident).Name)
			}
		}
	}
	if len(names) < 24 {
		t.Fatalf("only %v are acts", names)
	}
	return names
}

// outside is everything that leaves the contents: the chain, checkpoints, what
// is counted, and what is sent and printed.
func (m *marks) outside() map[string]string {
	p, t := m.p, m.p.t
	t.Helper()
	out := map[string]string{}
	var chain strings.Builder
	for after := int64(0); ; {
		page := must1[queue.Events](p, queue.QEvents{After: after, Limit: 500})
		for i := range page.Events {
			chain.Write(page.Events[i].Body)
			after = page.Events[i].Seq
		}
		if !page.More {
			break
		}
	}
	out["the chain"] = chain.String()

	dir := filepath.Join(t.TempDir(), "state")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	k, err := audit.OpenKeeper(dir, os.Getuid(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Checkpoint(t.Context(), p.operator); err != nil {
		t.Fatal(err)
	}
	out["what is kept of checkpoints"] = tree(t, dir)
	out["the counters"] = fmt.Sprintf("%+v", must1[queue.Status](p, queue.QStatus{}))

	key, err := notify.OpenKey(dir, os.Getuid(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	got := filepath.Join(t.TempDir(), "got")
	script := filepath.Join(t.TempDir(), "tell")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ncat >>"+got+"\nenv >>"+got+"\necho \"$@\" >>"+got+"\n"), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	var printed strings.Builder
	o := notify.Options{
		Store: p.path, UID: os.Getuid(), Key: key, Plan: ladder.Plan{AfterMS: []int64{0}, Always: true},
		Command: []string{script}, Env: []string{"PATH=/usr/bin:/bin"},
		Watched: func() (bool, bool) { return false, true }, WallMS: func() int64 { return p.wall },
		NewID: func() string { p.ids++; return fmt.Sprintf("019ad5e2-0000-7000-8%03x-%012x", p.ids&0xfff, p.ids) },
		Told:  func(r notify.Report) { fmt.Fprintf(&printed, "%+v\n", r) },
	}
	if err := notify.Once(t.Context(), p.operator, o); err != nil {
		t.Fatal(err)
	}
	sent, err := os.ReadFile(got)
	if err != nil {
		t.Fatal(err)
	}
	out["what is sent"], out["what is printed of it"] = string(sent), printed.String()
	if kept, err := os.ReadFile(p.path); err != nil || !strings.Contains(string(kept), secret) {
		wal, _ := os.ReadFile(p.path + "-wal") //nolint:errcheck // empty says enough
		if !strings.Contains(string(wal), secret) {
			t.Errorf("the store holds no secret: nothing was tried (%v)", err)
		}
	}
	return out
}

// tree is every file below dir.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path) //nolint:gosec // below a directory of the test
		all.WriteString(path)
		all.Write(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

func (m *marks) view(id string) queue.AskView {
	return must1[queue.AskView](m.p, queue.QAsk{ID: id})
}

// decide answers with words.
func (m *marks) decide(id string, verdict queue.Verdict) {
	v := m.view(id)
	m.do(m.p.operator, queue.Decide{Ask: id, Verdict: verdict, ActionDigest: v.Row.ActionDigest, ShownDigest: v.Row.ShownDigest,
		Words: secret + "words", Confirm: v.Confirm})
}

func (m *marks) submit(change ...func(*queue.Submit)) queue.Submitted {
	m.p.ids++
	s := queue.Submit{
		Kind: "call", Session: secret + "session", Parent: secret + "parent", CallID: fmt.Sprintf(secret+"call-%d", m.p.ids), AgentWords: secret + "agent",
		Raise: []string{queue.ReasonIrreversible}, Executor: secret + "executor", Edits: true, Call: m.call("tool"),
	}
	for _, c := range change {
		c(&s)
	}
	return m.do(m.p.agent, s).(queue.Submitted)
}

// call is a call whose every text is a secret.
func (m *marks) call(tool string) *queue.Call {
	return &queue.Call{Tool: tool, Operation: secret + "operation", Arguments: fmt.Appendf(nil, `{"%smember":"%svalue-%d"}`, secret, secret, m.p.ids),
		Vars:     map[string]string{secret + "VAR": secret + "var"},
		Effect:   &queue.Effect{ID: fmt.Appendf(nil, `"%spart-%d"`, secret, m.p.ids), Class: "irreversible", Access: "write", CommitBoundary: secret + "boundary"},
		Operands: []queue.Operand{{Name: secret + "operand", Digest: digest.Of([]byte("operand"))}}}
}

// simple is a call that a batch may hold: its session has no parent that
// nobody knows.
func simple(s *queue.Submit) {
	s.Session, s.Parent, s.Raise, s.Call.Effect, s.Call.Operands = secret+"plain", "", nil, nil, nil
}

func (m *marks) begin(s *queue.Submitted) queue.Begun {
	return m.do(m.p.agent, queue.Begin{Ask: s.Ask, Token: s.Token, Action: s.Action, Executor: secret + "executor"}).(queue.Begun)
}

// paid is an attempt whose outcome is unknown, and its effect's page.
func (m *marks) paid(change ...func(*queue.Submit)) (queue.Begun, func() queue.Desk) {
	s := m.submit(change...)
	m.decide(s.Ask, queue.VerdictAllow)
	b := m.begin(&s)
	m.do(m.p.agent, queue.Renew{Attempt: b.Attempt, Token: b.Token})
	m.do(m.p.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: "timeout", Outcome: "unknown", Ref: secret + "ref",
		CameBack: secret + "came-back", Observed: ran(s.Action), Result: jsontext.Value(`"` + secret + `result"`)})
	for _, e := range must1[queue.Effects](m.p, queue.QEffects{Limit: 100}).Effects {
		if at := m.p.desk(e.ID).Attempts; len(at) > 0 && at[len(at)-1].ID == b.Attempt {
			return b, func() queue.Desk { return m.p.desk(e.ID) }
		}
	}
	m.p.t.Fatal("the attempt is of no effect")
	return b, nil
}

// ran is an action that differs from the one that was allowed.
func ran(action jsontext.Value) jsontext.Value {
	return jsontext.Value(strings.Replace(string(action), `"arguments":{`, `"arguments":{"`+secret+`more":"`+secret+`more",`, 1))
}

// play does every act at least once, with secrets in all its texts.
func (m *marks) play() {
	agent, operator := m.p.agent, m.p.operator
	one, two := m.submit(simple), m.submit(simple)
	batch := queue.DecideBatch{Verdict: queue.VerdictDeny, Words: secret + "batch"}
	for _, s := range []queue.Submitted{one, two} {
		batch.Items = append(batch.Items, queue.BatchItem{Ask: s.Ask, ActionDigest: s.ActionDigest, ShownDigest: s.ShownDigest})
	}
	batch.Digest = queue.BatchDigest([]digest.Digest{one.ShownDigest, two.ShownDigest})
	m.do(operator, batch)

	e := m.submit(simple)
	m.do(operator, queue.Edit{Ask: e.Ask, ActionDigest: e.ActionDigest, ShownDigest: e.ShownDigest, Words: secret + "edit",
		Arguments: jsontext.Value(`{"` + secret + `other":"` + secret + `other"}`)})

	d := m.submit(simple)
	m.do(agent, queue.Wait{Ask: d.Ask, Token: d.Token, Release: true})
	m.do(agent, queue.Adopt{Ask: d.Ask, Session: secret + "plain", ActionDigest: d.ActionDigest})
	m.do(operator, queue.GrantDigest{Ask: d.Ask, ShownDigest: d.ShownDigest, Times: 2, ForMS: 60_000})
	m.decide(d.Ask, queue.VerdictAllow)
	m.do(operator, queue.Revoke{Ask: d.Ask, Reason: secret + "revoke"})
	m.do(operator, queue.Freeze{Reason: secret + "freeze"})
	m.do(operator, queue.Unfreeze{})

	a := m.submit()
	m.do(operator, queue.Snooze{Ask: a.Ask, ForMS: 1000})
	m.do(operator, queue.Claim{Ask: a.Ask, ForMS: 1000})
	m.do(agent, queue.Wait{Ask: a.Ask, Token: a.Token})
	m.do(agent, queue.Withdraw{Ask: a.Ask, Token: a.Token})

	q := m.submit(func(s *queue.Submit) {
		s.Kind, s.Call, s.Raise = "question", nil, nil
		s.Question = &queue.Question{Text: secret + "question", Schema: jsontext.Value(`{"type":"object","properties":{"` + secret + `property":{"type":"string"}}}`)}
	})
	v := m.view(q.Ask)
	m.do(operator, queue.Decide{Ask: q.Ask, Verdict: queue.VerdictAnswer, ActionDigest: v.Row.ActionDigest, ShownDigest: v.Row.ShownDigest,
		Words: secret + "words", Answer: jsontext.Value(`{"` + secret + `property":"` + secret + `answer"}`)})

	m.do(agent, queue.Receipt{Ask: q.Ask, Token: q.Token, Got: queue.StageHandedOver, Refused: "steering.queue_full"})
	m.do(operator, queue.AckDelivery{Ask: q.Ask})
	m.do(operator, queue.Resend{Ask: q.Ask})
	m.do(agent, queue.EndLeg{Session: secret + "session", Run: secret + "run", Task: secret + "task", Cause: "leg_end",
		Accounts: []queue.Account{{Family: "follow-up", Owed: 1}}})
	m.do(operator, queue.DropWords{Ask: q.Ask, Reason: "mistake"})

	pay := func(s *queue.Submit) {
		s.Raise, s.Call.Effect = nil, nil
		s.Call.Tool, s.Call.Arguments = "refund", fmt.Appendf(nil, `{"payment_id":"%spay-%d","amount":1}`, secret, m.p.ids)
	}
	b, page := m.paid(pay)
	m.do(operator, queue.Observe{Attempt: b.Attempt, Observer: "ledger", Outcome: "committed", Divergent: true, Durable: true, Seen: secret + "seen",
		Ref: secret + "ref", Allowed: secret + "allowed", Content: secret + "content"})
	m.do(operator, queue.AckEffect{Effect: page().Effect.ID, Page: page().Digest, Reason: secret + "ack"})
	m.do(operator, queue.OpenEffect{Effect: page().Effect.ID, Page: page().Digest, Reason: secret + "open"})
	b, page = m.paid()
	m.do(operator, queue.Reconcile{Attempt: b.Attempt, Outcome: "committed", Page: page().Digest, Reason: secret + "reason", Evidence: secret + "evidence",
		Confirm: page().Confirm})

	m.do(agent, queue.RegisterSession{Session: secret + "registered", Parent: secret + "lead", Source: secret + "source",
		Clamps: jsontext.Value(`{"memory":{"` + secret + `dir":"` + secret + `at","enabled":false},"denyRules":[{"name":"own","tools":["tool"],"why":"` + secret + `why"}]}`),
		Branch: []string{`{"type":"message","` + secret + `text":"` + secret + `text"}`, `{"type":"custom","customType":"engine:cross_boundary","id":"` + secret + `entry","data":{"` + secret + `bit":true}}`}})
	for _, decision := range []string{`{"action":"allow","` + secret + `member":"` + secret + `value"}`, `{"action":"allow","message":"` + secret + `message"}`} {
		m.do(agent, queue.Screen{Session: secret + "registered", Parent: secret + "lead", Decision: jsontext.Value(decision), Call: m.call("tool")})
	}
	m.playPolicy()

	m.do(agent, queue.Unasked{Session: secret + "session", Tool: secret + "unasked"})
	for _, n := range must1[queue.Notices](m.p, queue.QNotices{Open: true, Limit: 10}).Notices {
		m.do(operator, queue.AckNotice{Notice: n.ID})
	}
	m.do(agent, queue.EndSession{Session: secret + "session"})
	m.p.jump = 2 * 3600_000 // the wall clock alone
	m.p.try(operator, queue.Unfreeze{})
	m.do(operator, queue.ConfirmClock{})
}
