package memory_test

import (
	"context"
	"fmt"

	"nod/policy"
	"nod/policy/transaction"
	"nod/queue"
)

const (
	declared = `{"effectClass":"reversible","disposer":{"tool":"undo","arguments":{"n":1}}}`
	owes     = `{"effectClass":"compensatable","compensation":{"compensate":{"tool":"undo","arguments":{"n":2}},"idempotencyKey":"k",` +
		`"observationalEquivalence":"it is gone","journaledBeforeInvoke":true}}`
	final = `{"effectClass":"irreversible","commitBoundary":"edge"}`
)

// declares lets a call state something for a policy.
func (p *pair) declares(s *queue.Submit) {
	s.Declaration = []byte(one(p, declared, declared, owes, owes, final, `{"effectClass":"reversible"}`, `[1]`))
	s.Component = one(p, "shop", "shop", "desk", "")
	if p.n(2) == 0 {
		s.Transaction, s.Operation = one(p, "tx-1", "tx-2"), one(p, "activate", "rollback")
	}
	s.Call.Effect = nil
}

// owed is an act of effect policy.
func (p *pair) owed(agent, operator string) (string, queue.Act) {
	component, tx := one(p, "shop", "shop", "desk"), one(p, "tx-1", "tx-2", "tx-3")
	scope, record, held := p.kept(p.n)
	seen := &transaction.Observed{Active: one(p, "old", "new", ""), Candidate: p.n(2) == 0}
	switch p.n(20) {
	default:
		a := queue.AttachPolicy{Agent: one(p, "mover", "fixer"), Document: fmt.Appendf(nil, `{"type":"nod.policy/v1","mode":%q}`, one(p, "active", "candidate"))}
		if p.n(2) == 0 {
			a.Agent, a.Session, a.Run = "", p.session(), p.n(2) == 0
		}
		return operator, a
	case 1, 2:
		return operator, queue.DetachPolicy{Policy: held}
	case 3, 4:
		return agent, queue.ActivateScope{Session: one(p, "s1", "s2"), Component: component}
	case 5, 6:
		return agent, queue.ScopeActivated{Component: component, Failed: p.n(6) == 0}
	case 7:
		return agent, queue.DisposeScope{Component: component}
	case 8:
		if p.n(3) == 0 {
			return agent, queue.RecoverScope{Component: component}
		}
		return agent, queue.NextCleanup{Component: component}
	case 9:
		return agent, queue.EndCleanup{Component: component, Cleanup: int64(p.n(4)), How: one(p, policy.Done, policy.Broken, policy.Uncertain)}
	case 10:
		return operator, queue.AckCleanup{Scope: scope, Cleanup: int64(p.n(4)), GiveUp: p.n(2) == 0}
	case 11:
		return agent, queue.Submit{Kind: "call", Session: "s1", Owed: &queue.OwedCall{Scope: scope, Cleanup: int64(1 + p.n(3))},
			Call: &queue.Call{Tool: "undo", Arguments: []byte(`{"n":2}`)}}
	case 12:
		return agent, queue.SubmitTransaction{Session: "s1", Serves: "old", Request: fmt.Appendf(nil,
			`{"transactionId":%q,"operation":"activate","targetMode":%q,"candidateArtifactId":"new"}`, tx, one(p, "active", "shadow"))}
	case 13:
		return agent, queue.StepTransaction{Transaction: tx, Step: transaction.Step{Sequence: 1 + p.n(3), Observed: seen,
			Stage:   one(p, transaction.Applying, transaction.Applied, transaction.Validating),
			Outcome: one(p, transaction.EntryStarted, transaction.EntrySucceeded)}}
	case 14:
		if p.n(2) == 0 {
			return agent, queue.RecoverTransaction{Transaction: tx}
		}
		return agent, queue.RestoredTransaction{Transaction: tx, Seen: seen}
	case 15:
		return operator, queue.AckTransaction{Transaction: record, Artifact: "new"}
	case 0:
		return agent, queue.Submit{Kind: "commit", Session: "s1", Call: &queue.Call{Tool: "release", Operation: "activate", Effect: &queue.Effect{CommitBoundary: "edge"},
			Arguments: fmt.Appendf(nil, `{"transaction":%q}`, tx)}}
	}
}

// kept gives an id of each that is there.
func (p *pair) kept(pick func(n int) int) (scope, record, held string) {
	scope, record, held = "none", "none", "none"
	_ = p.sides[1].store.View(context.Background(), func(tx queue.ReadTx) error {
		scopes, _, _ := tx.Scopes(queue.QCleanups{Limit: 5})
		records, _, _ := tx.Transactions(queue.QTransactions{Limit: 5})
		policies, _ := tx.PoliciesEver(3)
		if len(scopes) > 0 {
			scope = scopes[pick(len(scopes))].ID
		}
		if len(records) > 0 {
			record = records[pick(len(records))].ID
		}
		if len(policies) > 0 {
			held = policies[pick(len(policies))].ID
		}
		return nil
	})
	return scope, record, held
}

// owing is what is read of effect policy.
func (p *pair) owing(tx queue.ReadTx, two func(v any, err error)) {
	two(tx.Policies())
	two(tx.PoliciesEver(2))
	scope, record, held := p.kept(func(int) int { return 0 })
	two(tx.Policy(held))
	two(tx.Scope(scope))
	two(tx.ScopePrefix("019ad5e2"))
	two(tx.Transaction(record))
	two(tx.TransactionPrefix(record[:4]))
	for _, name := range []string{"fixer", "mover"} {
		principal := `["` + name + `","dev","host"]`
		two(tx.ScopeOf(principal, "shop"))
		two(tx.TransactionOf(principal, "tx-1"))
		two(tx.ScopesHeld(principal))
		two(tx.TransactionsHeld(principal, 2))
		two(tx.Commits(principal, "tx-1", "activate", 2))
	}
	for i := range p.asks {
		two(tx.Stated(p.asks[i].Ask))
	}
	sessions, err := tx.Sessions(99)
	two(sessions, err)
	for i := range sessions {
		two(tx.OpenScopesOf(sessions[i].ID))
	}
}
