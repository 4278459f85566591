//go:build unix

package audit_test

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"nod/policy"
	"nod/policy/transaction"
	"nod/queue"
)

// playPolicy does the acts of effect policy, with secrets in what is declared,
// committed, owed and reported.
func (m *marks) playPolicy() {
	agent, operator := m.p.agent, m.p.operator
	first := m.submit(simple)
	who := m.view(first.Ask).Row
	facts := jsontext.Value(`{"type":"nod.policy/v1","mode":"candidate","commitBoundaryId":"` + secret + `boundary"}`)
	m.do(operator, queue.AttachPolicy{Agent: secret + "agent", Document: facts})
	set := m.do(operator, queue.AttachPolicy{Session: who.Session, Document: facts}).(queue.PolicySet)

	m.do(agent, queue.ActivateScope{Session: secret + "plain", Component: secret + "shop"})
	m.do(agent, queue.ScopeActivated{Component: secret + "shop"})
	for _, class := range []string{
		`{"effectClass":"reversible","disposer":{"tool":"undo","arguments":{"a":"` + secret + `undo"}}}`,
		`{"effectClass":"compensatable","compensation":{"compensate":{"tool":"undo","arguments":{"a":"` + secret + `back"}},"idempotencyKey":"` +
			secret + `key","observationalEquivalence":"` + secret + `gone","journaledBeforeInvoke":true}}`,
	} {
		s := m.submit(simple, func(s *queue.Submit) { s.Declaration, s.Component = jsontext.Value(class), secret+"shop" })
		m.decide(s.Ask, queue.VerdictAllow)
		b := m.begin(&s)
		m.do(agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: "failure", CameBack: secret + "came-back"})
	}
	refused := queue.Submit{Kind: "call", Session: secret + "plain", Call: &queue.Call{Tool: "tool", Arguments: fmt.Appendf(nil, `{"a":"%sundeclared"}`, secret)}}
	m.p.try(agent, refused)

	m.do(agent, queue.SubmitTransaction{Session: secret + "plain", Serves: secret + "old",
		Request: jsontext.Value(`{"transactionId":"` + secret + `tx","operation":"activate","targetMode":"shadow","candidateArtifactId":"` + secret + `new"}`)})
	commit := m.submit(func(s *queue.Submit) {
		simple(s)
		s.Kind, s.Edits, s.Transaction, s.Operation = "commit", false, secret+"tx", secret+"activate"
		s.Call.Arguments = jsontext.Value(`{"transaction":"` + secret + `tx"}`)
		s.Call.Operation, s.Call.Effect = secret+"activate", &queue.Effect{CommitBoundary: secret + "boundary"}
	})
	m.decide(commit.Ask, queue.VerdictAllow)
	s := m.submit(simple, func(s *queue.Submit) {
		s.Declaration, s.Transaction, s.Operation = jsontext.Value(`{"effectClass":"irreversible","commitBoundary":"`+secret+`boundary"}`), secret+"tx", secret+"activate"
	})
	m.decide(s.Ask, queue.VerdictAllow)
	m.begin(&s)

	m.do(agent, queue.DisposeScope{Component: secret + "shop"})
	due := m.do(agent, queue.NextCleanup{Component: secret + "shop"}).(queue.CleanupDue)
	c := m.submit(simple, func(s *queue.Submit) {
		s.Owed = &queue.OwedCall{Scope: due.Scope, Cleanup: due.Cleanup}
		s.Call = &queue.Call{Tool: due.Tool, Arguments: due.Arguments}
	})
	m.decide(c.Ask, queue.VerdictAllow)
	b := m.begin(&c)
	m.do(agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: "success"})
	due = m.do(agent, queue.NextCleanup{Component: secret + "shop"}).(queue.CleanupDue)
	m.do(agent, queue.EndCleanup{Component: secret + "shop", Cleanup: due.Cleanup, How: policy.Broken})
	m.do(agent, queue.RecoverScope{Component: secret + "shop"})
	m.do(operator, queue.AckCleanup{Scope: due.Scope, Cleanup: due.Cleanup})

	m.do(agent, queue.StepTransaction{Transaction: secret + "tx", Step: transaction.Step{Sequence: 1, Stage: transaction.Applying, Outcome: transaction.EntryStarted}})
	m.do(agent, queue.RecoverTransaction{Transaction: secret + "tx"})
	seen := &transaction.Observed{Active: secret + "other", Uncleaned: []string{secret + "new"}}
	r := m.do(agent, queue.RestoredTransaction{Transaction: secret + "tx", Seen: seen}).(queue.Transacted)
	m.marked["StepTransaction.Step.Observed.Active"], m.marked["StepTransaction.Step.Observed.Uncleaned"] = true, true // as above
	m.do(operator, queue.AckTransaction{Transaction: r.ID, Artifact: secret + "new"})
	m.do(operator, queue.DetachPolicy{Policy: set.Policy})
}
