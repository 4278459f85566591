//go:build unix

package audit_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	_ "modernc.org/sqlite"

	"nod/audit"
	"nod/queue"
)

// behind runs one statement on the store's file, past Nod.
func (p *player) behind(statement string) {
	p.t.Helper()
	db, err := sql.Open("sqlite", p.path)
	if err != nil {
		p.t.Fatal(err)
	}
	r, err := db.ExecContext(p.t.Context(), statement)
	if err != nil {
		p.t.Fatalf("%s: %v", statement, err)
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		p.t.Fatalf("%s changed nothing: %v", statement, err)
	}
	if err := db.Close(); err != nil {
		p.t.Fatal(err)
	}
}

// must does an act that no rule refuses.
func must[R queue.Result](p *player, port queue.Port, act queue.Act) R {
	p.t.Helper()
	r, err := port.Do(p.t.Context(), act)
	if err != nil {
		p.t.Fatalf("%T: %v", act, err)
	}
	return r.(R)
}

func (p *player) call(session, command string) queue.Submitted {
	p.t.Helper()
	p.wall += 10
	return must[queue.Submitted](p, p.agent, queue.Submit{
		Kind: "call", Session: session, Call: &queue.Call{Tool: "Bash", Cwd: "/w", Arguments: []byte(`{"command":"` + command + `"}`)},
	})
}

func (p *player) decide(s *queue.Submitted, v queue.Verdict) {
	p.t.Helper()
	p.wall += 10
	must[queue.Decided](p, p.operator, queue.Decide{Ask: s.Ask, Verdict: v, ActionDigest: s.ActionDigest, ShownDigest: s.ShownDigest})
}

func (p *player) begin(s *queue.Submitted) queue.Begun { return p.beginOn(p.agent, s) }

// beginOn begins over the connection that asked: another one may execute elsewhere.
func (p *player) beginOn(port queue.Port, s *queue.Submitted) queue.Begun {
	p.t.Helper()
	p.wall += 10
	return must[queue.Begun](p, port, queue.Begin{Ask: s.Ask, Token: s.Token, Action: s.Action, Executor: "test"})
}

// full makes a store with a row of every kind.
func full(t *testing.T) *player {
	t.Helper()
	p := newPlayer(t, 1)
	denied, allowed, ran, other, runs := p.call("s", "denied"), p.call("s", "allowed"), p.call("s", "ran"), p.call("s", "other"), p.call("s", "runs")
	p.decide(&denied, queue.VerdictDeny)
	for _, s := range []*queue.Submitted{&allowed, &ran, &other, &runs} {
		p.decide(s, queue.VerdictAllow)
	}
	b := p.begin(&ran)
	must[queue.Reported](p, p.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitFailure})
	b = p.begin(&other)
	must[queue.Reported](p, p.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitSuccess, Observed: ran.Action})
	p.begin(&runs)
	must[queue.Granted](p, p.operator, queue.GrantDigest{Ask: denied.Ask, ShownDigest: denied.ShownDigest, Times: 3, ForMS: 3_000_000})
	granted := p.call("s", "denied")
	if granted.State != queue.StateAllowed {
		t.Fatalf("not granted: %+v", granted)
	}
	p.begin(&granted)
	edited := must[queue.Submitted](p, p.agent, queue.Submit{Kind: "call", Session: "s", Edits: true,
		Call: &queue.Call{Tool: "Bash", Arguments: []byte(`{"command":"edited"}`)}})
	must[queue.Edited](p, p.operator, queue.Edit{Ask: edited.Ask, ActionDigest: edited.ActionDigest, ShownDigest: edited.ShownDigest,
		Arguments: []byte(`{"command":"better"}`), Words: "so"})
	lab := must[queue.Submitted](p, p.lab, queue.Submit{Kind: "call", Session: "lab",
		Call: &queue.Call{Tool: "Bash", Arguments: []byte(`{"command":"flash"}`)}})
	must[queue.Decided](p, p.operator, queue.Decide{Ask: lab.Ask, Verdict: queue.VerdictAllow, ActionDigest: lab.ActionDigest,
		ShownDigest: lab.ShownDigest, Confirm: "Bash"}) // mandated
	p.beginOn(p.lab, &lab)
	p.call("s", "c0") // a rule allows it
	p.call("s", "c1") // a rule denies it
	must[queue.Submitted](p, p.agent, queue.Submit{
		Kind: "call", Session: "child", Parent: "s", Raise: []string{queue.ReasonCrossBoundary},
		Call: &queue.Call{Tool: "Bash", Arguments: []byte(`{"command":"mandated"}`)},
	})
	must[queue.Submitted](p, p.agent, queue.Submit{
		Kind: "call", Session: "child", Raise: []string{queue.ReasonIrreversible},
		Call: &queue.Call{Tool: "Bash", Arguments: []byte(`{"command":"irreversible"}`)},
	})
	for _, e := range []queue.Effect{{Class: "irreversible"}, {Class: "reversible"}} {
		must[queue.Submitted](p, p.agent, queue.Submit{Kind: "call", Session: "s", Call: &queue.Call{Tool: "Pay", Arguments: []byte(`{}`), Effect: &e}})
	}
	must[queue.Submitted](p, p.agent, queue.Submit{
		Kind: "commit", Session: "s", Call: &queue.Call{Tool: "Pay", Operation: "commit", Arguments: []byte(`{"tx":1}`), Effect: &queue.Effect{CommitBoundary: "b-1"}},
	})
	question := must[queue.Submitted](p, p.agent, queue.Submit{
		Kind: "question", Session: "s", Question: &queue.Question{Text: "Which?", Schema: []byte(`{"type":"string"}`)},
	})
	must[queue.Decided](p, p.operator, queue.Decide{
		Ask: question.Ask, Verdict: queue.VerdictAnswer, ActionDigest: question.ActionDigest, ShownDigest: question.ShownDigest, Answer: []byte(`"this"`),
	})
	must[queue.Acked](p, p.agent, queue.Unasked{Session: "s", Tool: "Bash"})
	must[queue.Registered](p, p.agent, queue.RegisterSession{Session: "s", Source: "resume", Clamps: []byte(`{"memory":{"enabled":false}}`)})
	child := p.call("child", "pending")
	v, err := queue.Get[queue.AskView](t.Context(), p.operator, queue.QAsk{ID: child.Ask})
	if err != nil {
		t.Fatal(err)
	}
	p.wall += 10
	must[queue.Frozen](p, p.operator, queue.Freeze{Session: v.Row.Session, Reason: "look"})
	return p
}

// intact verifies p's store and gives the fault's code, "" for none.
func (p *player) intact(port queue.Port) string {
	p.t.Helper()
	_, err := audit.VerifyStore(p.t.Context(), port, nil)
	if f, ok := errors.AsType[*audit.Fault](err); ok {
		p.t.Log(f)
		return f.Code
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return ""
}

func TestAChangeBehindNodIsFound(t *testing.T) {
	alone(t)
	p := full(t)
	if code := p.intact(p.operator); code != "" {
		t.Fatalf("unchanged: %s", code)
	}
	const changed, missing = audit.CodeRow, audit.CodeRowMissing
	for statement, want := range map[string]string{
		`DELETE FROM asks WHERE state = 'denied'`:                                                missing,
		`DELETE FROM asks WHERE state = 'pending'`:                                               missing,
		`UPDATE asks SET state = 'denied' WHERE verdict = 'allow' AND state = 'allowed'`:         changed,
		`UPDATE asks SET decided_way = 'script' WHERE decided_by = 'person'`:                     changed,
		`UPDATE asks SET rule_name = 'other' WHERE rule_name <> ''`:                              changed,
		`UPDATE asks SET rule_name = 'other' WHERE state = 'pending'`:                            changed,
		`UPDATE asks SET grant_id = 'other' WHERE grant_id <> ''`:                                changed,
		`UPDATE asks SET decided_at = 7 WHERE state = 'pending'`:                                 changed,
		`UPDATE asks SET words = 'do' WHERE state = 'pending'`:                                   changed,
		`UPDATE asks SET created_at = created_at - 1`:                                            changed,
		`UPDATE asks SET moved_at = moved_at + 1 WHERE state = 'spent'`:                          changed,
		`UPDATE asks SET revoke_reason = 'operator' WHERE state = 'allowed'`:                     changed,
		`UPDATE asks SET agent = 'codex' WHERE state = 'pending'`:                                changed,
		`UPDATE asks SET user_name = 'root' WHERE state = 'pending'`:                             changed,
		`UPDATE asks SET host = 'far' WHERE state = 'pending'`:                                   changed,
		`UPDATE asks SET reasons = '["default"]' WHERE mandated = 1`:                             changed,
		`UPDATE asks SET mandated = 0 WHERE mandated = 1`:                                        changed,
		`UPDATE asks SET mandated = 1 WHERE mandated = 0`:                                        changed,
		`UPDATE asks SET irreversible = 0 WHERE irreversible = 1`:                                changed,
		`UPDATE asks SET irreversible = 0 WHERE kind = 'commit'`:                                 changed,
		`UPDATE asks SET irreversible = 1 WHERE tool = 'Pay' AND irreversible = 0`:               changed,
		`UPDATE asks SET edited_to = '' WHERE edited_to <> ''`:                                   changed,
		`UPDATE asks SET edited_to = id WHERE state = 'pending'`:                                 changed,
		`UPDATE asks SET derived_from = '' WHERE derived_from <> ''`:                             changed,
		`UPDATE asks SET derived_from = id WHERE state = 'pending'`:                              changed,
		`UPDATE asks SET answer = '"that"' WHERE kind = 'question'`:                              changed,
		`UPDATE asks SET kind = 'question' WHERE state = 'pending'`:                              changed,
		`UPDATE asks SET cwd = '/' WHERE cwd = '/w'`:                                             changed,
		`UPDATE asks SET outcome = 'committed' WHERE outcome = 'executing' OR exit_status <> ''`: changed,
		`UPDATE asks SET exit_status = 'success' WHERE exit_status = 'failure'`:                  changed,
		`UPDATE asks SET mismatch = 0 WHERE mismatch = 1`:                                        changed,
		`DELETE FROM attempts WHERE state = 'unknown'`:                                           changed,
		`UPDATE attempts SET state = 'committed' WHERE state = 'unknown'`:                        changed,
		`UPDATE attempts SET state = 'not_executed' WHERE state = 'executing'`:                   changed,
		`UPDATE attempts SET exit_status = 'success' WHERE exit_status = 'failure'`:              changed,
		`UPDATE attempts SET mismatch = 0 WHERE mismatch = 1`:                                    changed,
		`UPDATE attempts SET observed = '' WHERE observed <> ''`:                                 changed,
		`UPDATE attempts SET late = 1 WHERE state = 'unknown'`:                                   changed,
		`UPDATE attempts SET attempt_no = 2`:                                                     changed,
		`UPDATE attempts SET id = 'other' || num`:                                                changed,
		`UPDATE attempts SET began_at = began_at - 1`:                                            changed,
		`UPDATE attempts SET ended_at = ended_at + 1 WHERE state = 'unknown'`:                    changed,
		`UPDATE attempts SET lease = lease + 100000000 WHERE state = 'executing'`:                changed,
		`UPDATE attempts SET lease = lease - 1 WHERE state = 'executing'`:                        changed,
		`DELETE FROM grants`:                           missing,
		`UPDATE grants SET uses_left = 0`:              missing,
		`UPDATE grants SET uses_left = uses_left + 1`:  changed,
		`UPDATE grants SET until_ms = until_ms + 1`:    changed,
		`UPDATE grants SET session = 's-1'`:            changed,
		`UPDATE grants SET action_digest = 'sha256:0'`: changed,
		`UPDATE grants SET granted_by = 'eve'`:         changed,
		`INSERT INTO grants SELECT NULL, 'forged', action_digest, session, 9, until_ms, granted_by, granted_at FROM grants`: changed,
		`DELETE FROM freezes`:                                                                    missing,
		`UPDATE freezes SET lifted_at = since`:                                                   missing,
		`UPDATE freezes SET session = ''`:                                                        changed,
		`UPDATE freezes SET since = since - 1`:                                                   changed,
		`UPDATE freezes SET frozen_by = 'eve'`:                                                   changed,
		`INSERT INTO freezes SELECT NULL, '', since, frozen_by, reason, 0 FROM freezes`:          changed,
		`DELETE FROM notices WHERE code = 'host.mismatch'`:                                       missing,
		`UPDATE notices SET acked_at = raised_at, acked_by = 'mia' WHERE code = 'host.mismatch'`: missing,
		`UPDATE notices SET code = 'host.other' WHERE code = 'host.mismatch'`:                    changed,
		`UPDATE notices SET ask = '' WHERE ask <> ''`:                                            changed,
		`UPDATE notices SET session = 's-1'`:                                                     changed,
		`UPDATE notices SET raised_at = raised_at - 1`:                                           changed,
		`INSERT INTO notices SELECT NULL, code, ask, session, sentence, raised_at, 0, '', detail, '', owed, carried, parent FROM notices`: changed,
		`UPDATE sessions SET parent = '' WHERE parent <> ''`:                                                                              changed,
		`UPDATE sessions SET parent = 's-1' WHERE parent <> ''`:                                                                           changed,
		`UPDATE sessions SET governed_at = 0`:                                                                                             changed,
		`UPDATE sessions SET armed_at = 0 WHERE armed_at > 0`:                                                                             changed,
		`UPDATE sessions SET clamps = '' WHERE clamps <> ''`:                                                                              changed,
		`UPDATE sessions SET clamps = '{"edits":"disabled"}' WHERE clamps <> ''`:                                                          changed,
		`UPDATE sessions SET clamps = '{}' WHERE clamps = ''`:                                                                             changed,
		`UPDATE sessions SET source = 'other' WHERE source <> ''`:                                                                         changed,
		`UPDATE sessions SET source = 'other' WHERE source = ''`:                                                                          changed,
		`DELETE FROM sessions WHERE parent = ''`:                                                                                          missing,
		`DELETE FROM deliveries`:                                                                                                          changed,
		`UPDATE deliveries SET stage = 'handed_over'`:                                                                                     changed,
		`UPDATE deliveries SET words = 'owed', is_owed = 1 WHERE words = ''`:                                                              changed,
	} {
		t.Run(statement, func(t *testing.T) {
			p := full(t)
			p.behind(statement)
			if code := p.intact(p.operator); code != want {
				t.Errorf("%q, want %q", code, want)
			}
		})
	}
}

// A lifted freeze still forbids the allows that are older: its row is not shown,
// and is missed by what the asks look like without it.
func TestALiftedFreezeThatIsGoneIsFound(t *testing.T) {
	p := newPlayer(t, 1)
	s := p.call("s", "x")
	p.decide(&s, queue.VerdictAllow)
	p.wall += 10
	must[queue.Frozen](p, p.operator, queue.Freeze{})
	p.wall += 10
	must[queue.Frozen](p, p.operator, queue.Unfreeze{})
	if code := p.intact(p.operator); code != "" {
		t.Fatalf("unchanged: %s", code)
	}
	p.behind(`DELETE FROM freezes`)
	if code := p.intact(p.operator); code != audit.CodeRow {
		t.Errorf("%q", code)
	}
}

// An ask whose list of events leaves one out does not pass by an older state.
func TestAnEventThatIsNotListedIsMissed(t *testing.T) {
	p := newPlayer(t, 1)
	s := p.call("s", "x")
	p.decide(&s, queue.VerdictAllow)
	v, err := queue.Get[queue.AskView](t.Context(), p.operator, queue.QAsk{ID: s.Ask})
	if err != nil {
		t.Fatal(err)
	}
	events, err := audit.EventsOf(t.Context(), p.operator, s.Ask)
	if err != nil {
		t.Fatal(err)
	}
	if f := audit.CheckAsk(&v, events); f != nil {
		t.Fatal(f)
	}
	p.begin(&s)
	if code := p.intact(hiding{Port: p.operator, ask: &v, events: events}); code != audit.CodeRow {
		t.Errorf("%q", code)
	}
}

// hiding shows one ask as it was before.
type hiding struct {
	queue.Port
	ask    *queue.AskView
	events []queue.StoredEvent
}

func (h hiding) Read(ctx context.Context, q queue.Query) (queue.Answer, error) {
	switch q := q.(type) {
	case queue.QAsk:
		return *h.ask, nil
	case queue.QEvents:
		if q.Ask != "" {
			return queue.Events{Events: h.events}, nil
		}
	}
	return h.Port.Read(ctx, q)
}

// Where two grants cover a call, a begin may use another than the submit named.
func TestABeginOnAnotherGrantVerifies(t *testing.T) {
	p := newPlayer(t, 1)
	s := p.call("s", "x")
	p.decide(&s, queue.VerdictDeny)
	for range 2 {
		must[queue.Granted](p, p.operator, queue.GrantDigest{Ask: s.Ask, ShownDigest: s.ShownDigest, Times: 1, ForMS: 3_000_000})
	}
	one, two := p.call("s", "x"), p.call("s", "x")
	p.begin(&one)
	p.begin(&two)
	if code := p.intact(p.operator); code != "" {
		t.Error(code)
	}
}

// Others go on while a store is verified.
func TestVerifyingWhileOthersWrite(t *testing.T) {
	for seed := range uint64(4) {
		p := newPlayer(t, 70+seed)
		for range 150 {
			p.step()
		}
		b := &busy{Port: p.operator, p: p, left: 200}
		if code := p.intact(b); code != "" {
			t.Errorf("seed %d: %s", seed, code)
		}
		if b.left == 200 {
			t.Error("nobody wrote")
		}
	}
}

// busy lets something happen before every reading, for a while.
type busy struct {
	queue.Port
	p    *player
	left int
}

func (b *busy) Read(ctx context.Context, q queue.Query) (queue.Answer, error) {
	_, page := q.(queue.QEvents)
	if b.left > 0 && (!page || b.left%3 == 0) {
		b.p.step()
	}
	b.left = max(b.left-1, 0)
	return b.Port.Read(ctx, q)
}
