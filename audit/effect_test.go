//go:build unix

package audit_test

import (
	"fmt"
	"testing"

	"nod/ambiguity"
	"nod/audit"
	"nod/descriptor"
	"nod/queue"
)

var (
	exits    = []queue.ExitStatus{"", queue.ExitSuccess, queue.ExitFailure, queue.ExitTimeout, queue.ExitBlocked}
	outcomes = []queue.AttemptState{"", queue.AttemptCommitted, queue.AttemptNotExecuted, queue.AttemptUnknown}
)

// described are two tools whose effects have names: one has an observer, the
// other's success says that it happened.
func described(t *testing.T) *descriptor.Set {
	t.Helper()
	effect := descriptor.Effect{Family: "refund", Parts: []string{"/payment_id"}, Settle: "10s"}
	claims := effect
	claims.Family, claims.SuccessClaims = "order", descriptor.ClaimsCommitted
	set, err := descriptor.Compile([]descriptor.Tool{
		{Name: "refund", Class: "compensatable", Access: "write", Effect: effect, Observer: []descriptor.Observer{
			{Name: "ledger", Kind: descriptor.KindCommand, Argv: []string{"/bin/false"}, Same: map[string]string{"/amount": "/amount"}}}},
		{Name: "order", Class: "compensatable", Access: "write", Effect: claims},
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// payment is a call of one of few effects.
func (p *player) payment() *queue.Call {
	c := &queue.Call{Tool: []string{"refund", "order", "mail"}[p.rand.IntN(3)], Arguments: fmt.Appendf(nil, `{"payment_id":"pay_%d","amount":1}`, p.rand.IntN(3))}
	if c.Tool == "mail" {
		c.Effect = &queue.Effect{Class: "compensatable"}
	}
	return c
}

// effect says something of one of the newest effects.
func (p *player) effect() {
	p.t.Helper()
	list, err := queue.Get[queue.Effects](p.t.Context(), p.operator, queue.QEffects{Limit: 6})
	if err != nil {
		p.t.Fatal(err)
	}
	if len(list.Effects) == 0 || p.rand.IntN(4) == 0 {
		p.tryPayment()
		return
	}
	e := list.Effects[p.rand.IntN(len(list.Effects))]
	act := p.rand.IntN(6)
	for i := range list.Effects {
		if l := &list.Effects[i]; act == 4 && l.Open && (l.Double || l.Mark == ambiguity.Divergent) {
			e = *l
		}
	}
	d := p.desk(e.ID)
	if len(d.Attempts) == 0 {
		return
	}
	at, says := d.Attempts[p.rand.IntN(len(d.Attempts))].ID, outcomes[1+p.rand.IntN(3)]
	switch act {
	case 0, 1:
		o := queue.Observe{Attempt: at, Observer: "ledger", Outcome: says, Durable: p.rand.IntN(2) == 0, Seen: "seen", Ref: "re_2"}
		if o.Divergent = says == queue.AttemptCommitted && p.rand.IntN(3) == 0; o.Divergent {
			o.Allowed, o.Content = "a", "b"
		}
		p.try(p.operator, o)
	case 2, 3:
		p.try(p.operator, queue.Reconcile{Attempt: at, Outcome: says, Correct: p.rand.IntN(2) == 0, Page: d.Digest, Reason: "so", Evidence: "seen",
			Confirm: d.Confirm, Durable: p.rand.IntN(2) == 0})
	case 4:
		p.try(p.operator, queue.AckEffect{Effect: e.ID, Page: d.Digest, Reason: []string{"", "read"}[p.rand.IntN(2)]})
	case 5:
		p.try(p.operator, queue.OpenEffect{Effect: e.ID, Page: d.Digest, Reason: "once more"})
	}
}

// tryPayment asks for a payment and goes as far as it gets.
func (p *player) tryPayment() {
	p.t.Helper()
	s, ok := p.try(p.agent, queue.Submit{Kind: "call", Session: "host-0", Call: p.payment()}).(queue.Submitted)
	if !ok {
		return
	}
	p.asks = append(p.asks, s)
	p.try(p.operator, queue.Decide{Ask: s.Ask, Verdict: queue.VerdictAllow, ActionDigest: s.ActionDigest, ShownDigest: s.ShownDigest})
	if b, ok := p.try(p.agent, queue.Begin{Ask: s.Ask, Token: s.Token, Action: s.Action, Executor: "test"}).(queue.Begun); ok {
		p.begun = append(p.begun, b)
	}
}

func (p *player) desk(id string) queue.Desk {
	p.t.Helper()
	d, err := queue.Get[queue.Desk](p.t.Context(), p.operator, queue.QEffect{ID: id})
	if err != nil {
		p.t.Fatal(err)
	}
	return d
}

// pay asks for, allows and begins one payment.
func (p *player) pay(tool, id string) queue.Begun {
	p.t.Helper()
	p.wall += 10
	s := must[queue.Submitted](p, p.agent, queue.Submit{Kind: "call", Session: "s",
		Call: &queue.Call{Tool: tool, Arguments: []byte(`{"payment_id":"` + id + `","amount":1}`)}})
	p.decide(&s, queue.VerdictAllow)
	return p.begin(&s)
}

func (p *player) answer(b *queue.Begun, outcome queue.AttemptState) queue.Judged {
	p.t.Helper()
	p.wall += 10
	for _, e := range must1[queue.Effects](p, queue.QEffects{Limit: 50}).Effects {
		d := p.desk(e.ID)
		for _, at := range d.Attempts {
			if at.ID == b.Attempt {
				return must[queue.Judged](p, p.operator, queue.Reconcile{Attempt: at.ID, Outcome: outcome, Page: d.Digest,
					Correct: at.State != queue.AttemptUnknown, Reason: "the bank says so", Evidence: "case 1", Confirm: d.Confirm})
			}
		}
	}
	p.t.Fatal("the attempt is of no effect")
	return queue.Judged{}
}

func must1[A queue.Answer](p *player, q queue.Query) A {
	p.t.Helper()
	a, err := queue.Get[A](p.t.Context(), p.operator, q)
	if err != nil {
		p.t.Fatal(err)
	}
	return a
}

// desked makes a store with effects that stand in every way.
func desked(t *testing.T) *player {
	t.Helper()
	p := newPlayer(t, 1)
	report := func(b queue.Begun, r queue.Report) {
		t.Helper()
		p.wall += 10
		r.Attempt, r.Token = b.Attempt, b.Token
		must[queue.Reported](p, p.agent, r)
	}
	observe := func(b queue.Begun, o queue.Observe) queue.Judged {
		t.Helper()
		p.wall += 10
		o.Attempt, o.Observer = b.Attempt, "ledger"
		return must[queue.Judged](p, p.operator, o)
	}
	// Tried, not executed, tried again, and then the first one was there after all.
	first := p.pay("order", "twice")
	report(first, queue.Report{Exit: queue.ExitTimeout, CameBack: "timed out"})
	p.wall += 400_000
	p.answer(&first, queue.AttemptNotExecuted)
	second := p.pay("order", "twice")
	report(second, queue.Report{Exit: queue.ExitSuccess, Outcome: queue.AttemptCommitted, Durable: true, Ref: "or_2"})
	p.answer(&first, queue.AttemptCommitted)
	// Committed, and one more opened on purpose that nobody asked for.
	once := p.pay("order", "once")
	report(once, queue.Report{Exit: queue.ExitSuccess, Ref: "or_3"})
	p.wall += 10
	e := must1[queue.Effects](p, queue.QEffects{Limit: 1}).Effects[0]
	must[queue.Opened](p, p.operator, queue.OpenEffect{Effect: e.ID, Page: p.desk(e.ID).Digest, Reason: "once more"})
	// Divergent and acknowledged; seen but not durable, with a refused repeat.
	swapped := p.pay("refund", "swapped")
	report(swapped, queue.Report{Exit: queue.ExitSuccess})
	j := observe(swapped, queue.Observe{Outcome: queue.AttemptCommitted, Durable: true, Divergent: true, Allowed: "a", Content: "b", Ref: "re_1"})
	p.wall += 10
	must[queue.Judged](p, p.operator, queue.AckEffect{Effect: j.Effect, Page: p.desk(j.Effect).Digest, Reason: "known"})
	seen := p.pay("refund", "seen")
	observe(seen, queue.Observe{Outcome: queue.AttemptUnknown, Why: "unavailable"})
	report(seen, queue.Report{Exit: queue.ExitTimeout})
	observe(seen, queue.Observe{Outcome: queue.AttemptCommitted, Seen: "pending"})
	p.wall += 10
	p.try(p.agent, queue.Submit{Kind: "call", Session: "s", Call: &queue.Call{Tool: "refund", Arguments: []byte(`{"payment_id":"seen","amount":2}`)}})
	p.pay("order", "runs")
	return p
}

func TestAChangeOfAnEffectBehindNodIsFound(t *testing.T) {
	alone(t)
	p := desked(t)
	if code := p.intact(p.operator); code != "" {
		t.Fatalf("unchanged: %s", code)
	}
	if n := must1[queue.Status](p, queue.QStatus{}).Counters.Unknown; n != 2 {
		t.Fatalf("%d effects are on the desk", n)
	}
	const changed, missing = audit.CodeRow, audit.CodeRowMissing
	for statement, want := range map[string]string{
		`DELETE FROM effects WHERE standing = 'unknown'`: missing,
		`DELETE FROM effects WHERE links <> ''`:          missing,
		`INSERT INTO effects SELECT 99, 'forged-1', effect_key, key_hash, 9, links, ask, tool, gist, gist_more, agent, session, class, alike, alike_hash, standing, mark, possible_double, is_open, attempts, repeats, reference, created_at, moved_at, reconciled_at FROM effects WHERE standing = 'unknown'`: changed,
		`UPDATE effects SET standing = 'free' WHERE standing = 'unknown'`:                                            changed,
		`UPDATE effects SET standing = 'free' WHERE standing = 'committed'`:                                          changed,
		`UPDATE effects SET standing = 'committed' WHERE standing = 'executing'`:                                     changed,
		`UPDATE effects SET mark = 'not_confirmed' WHERE mark = 'not_durable'`:                                       changed,
		`UPDATE effects SET mark = '' WHERE mark = 'possible_double'`:                                                changed,
		`UPDATE effects SET possible_double = 0`:                                                                     changed,
		`UPDATE effects SET is_open = 0 WHERE standing = 'unknown'`:                                                  changed,
		`UPDATE effects SET is_open = 1 WHERE standing = 'executing'`:                                                changed,
		`UPDATE effects SET attempts = 3 WHERE attempts = 2`:                                                         changed,
		`UPDATE effects SET repeats = 0 WHERE repeats = 1`:                                                           changed,
		`UPDATE effects SET reference = 're_9' WHERE reference = 'or_3'`:                                             changed,
		`UPDATE effects SET ordinal = 3 WHERE ordinal = 2`:                                                           changed,
		`UPDATE effects SET links = '' WHERE links <> ''`:                                                            changed,
		`UPDATE effects SET effect_key = '["local","order","other"]' WHERE effect_key LIKE '%once%' AND links = ''`:  changed,
		`UPDATE effects SET effect_key = '["local","order","other"]' WHERE effect_key LIKE '%once%' AND links <> ''`: changed,
		`UPDATE effects SET tool = 'other' WHERE standing = 'unknown'`:                                               changed,
		`UPDATE effects SET class = 'reversible' WHERE standing = 'unknown'`:                                         changed,
		`UPDATE effects SET agent = 'other' WHERE standing = 'unknown'`:                                              changed,
		`UPDATE effects SET session = 's-1' WHERE standing = 'unknown'`:                                              changed,
		`UPDATE effects SET gist = 'other' WHERE standing = 'unknown'`:                                               changed,
		`UPDATE effects SET created_at = created_at - 1 WHERE standing = 'unknown'`:                                  changed,
		`UPDATE effects SET moved_at = moved_at + 1 WHERE standing = 'unknown'`:                                      changed,
		`UPDATE effects SET reconciled_at = 0 WHERE links <> ''`:                                                     changed,
		`UPDATE attempts SET state = 'not_executed' WHERE state = 'unknown'`:                                         changed,
		`UPDATE attempts SET state = 'unknown' WHERE state = 'committed'`:                                            changed,
		`UPDATE attempts SET effect = '' WHERE state = 'unknown'`:                                                    changed,
		`UPDATE attempts SET attempt_no = 3 WHERE attempt_no = 2`:                                                    changed,
		`DELETE FROM facts WHERE kind = 'observation'`:                                                               changed,
		`DELETE FROM facts WHERE kind = 'acknowledged'`:                                                              changed,
		`INSERT INTO facts SELECT 99, effect, attempt, said_at, kind, source, said_by, says, durable, divergent, late, early, proof, why, exit_status, observed, seen, reference, reason, page, allowed, content FROM facts WHERE num = 1`: changed,
		`UPDATE facts SET reason = 'the bank does not say so' WHERE kind = 'reconciliation'`:                  changed,
		`UPDATE facts SET seen = 'case 2' WHERE kind = 'correction'`:                                          changed,
		`UPDATE facts SET seen = 'succeeded' WHERE seen = 'pending'`:                                          changed,
		`UPDATE facts SET seen = '' WHERE seen = 'timed out'`:                                                 changed,
		`UPDATE facts SET reference = 'or_9' WHERE reference = 'or_2'`:                                        changed,
		`UPDATE facts SET says = 'committed' WHERE says = 'not_executed'`:                                     changed,
		`UPDATE facts SET said_by = 'eve' WHERE source = 'operator'`:                                          changed,
		`UPDATE facts SET said_by = 'other' WHERE source = 'observer'`:                                        changed,
		`UPDATE facts SET said_by = 'other' WHERE kind = 'begun'`:                                             changed,
		`UPDATE facts SET source = 'observer' WHERE source = 'tool'`:                                          changed,
		`UPDATE facts SET durable = 1 WHERE seen = 'pending'`:                                                 changed,
		`UPDATE facts SET divergent = 0 WHERE divergent = 1`:                                                  changed,
		`UPDATE facts SET early = 0 WHERE early = 1`:                                                          changed,
		`UPDATE facts SET proof = 1 WHERE kind = 'report'`:                                                    changed,
		`UPDATE facts SET why = '' WHERE why <> ''`:                                                           changed,
		`UPDATE facts SET page = observed WHERE page <> ''`:                                                   changed,
		`UPDATE facts SET content = allowed WHERE content <> ''`:                                              changed,
		`UPDATE facts SET said_at = said_at + 1 WHERE kind = 'opened'`:                                        changed,
		`UPDATE facts SET attempt = (SELECT id FROM attempts WHERE attempt_no = 2) WHERE kind = 'correction'`: changed,
		`UPDATE repeats SET times = 9`:                                                                        changed,
		`UPDATE repeats SET code = 'in_progress'`:                                                             changed,
		`DELETE FROM repeats`: changed,
	} {
		t.Run(statement, func(t *testing.T) {
			p := desked(t)
			p.behind(statement)
			if code := p.intact(p.operator); code != want {
				t.Errorf("%q, want %q", code, want)
			}
		})
	}
}
