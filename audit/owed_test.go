//go:build unix

package audit_test

import (
	"fmt"

	"nod/policy"
	"nod/policy/transaction"
	"nod/queue"
)

// owe does an act of effect policy: a policy comes and goes, a component lives,
// owes and is cleaned up, a transaction is made and taken back.
func (p *player) owe() {
	component := []string{"shop", "desk"}[p.rand.IntN(2)]
	tx := fmt.Sprintf("tx-%d", p.rand.IntN(4))
	switch p.rand.IntN(11) {
	case 0:
		mode := []string{"active", "candidate"}[p.rand.IntN(2)]
		for _, s := range must1[queue.Sessions](p, queue.QSessions{Limit: 9}).Sessions {
			if s.Host == "host-1" {
				p.try(p.operator, queue.AttachPolicy{Session: s.ID, Run: p.rand.IntN(3) == 0, Document: fmt.Appendf(nil, `{"type":"nod.policy/v1","mode":%q}`, mode)})
			}
		}
	case 1:
		for _, held := range must1[queue.Policies](p, queue.QPolicies{}).Policies {
			p.try(p.operator, queue.DetachPolicy{Policy: held.ID})
		}
	case 2, 3:
		p.try(p.agent, queue.ActivateScope{Session: "host-1", Component: component})
		p.try(p.agent, queue.ScopeActivated{Component: component, Failed: p.rand.IntN(8) == 0})
	case 4, 5, 6:
		p.try(p.agent, queue.ActivateScope{Session: "host-1", Component: component})
		s := queue.Submit{Kind: "call", Session: "host-1", Component: component, Transaction: tx, Operation: "activate",
			Call: &queue.Call{Tool: "sub", Arguments: fmt.Appendf(nil, `{"n":%d}`, p.ids)}}
		s.Declaration = [][]byte{
			[]byte(`{"effectClass":"reversible","disposer":{"tool":"undo","arguments":{}}}`),
			[]byte(`{"effectClass":"compensatable","compensation":{"compensate":{"tool":"undo","arguments":{}},"idempotencyKey":"k","observationalEquivalence":"gone","journaledBeforeInvoke":true}}`),
			[]byte(`{"effectClass":"irreversible","commitBoundary":"edge"}`), nil,
		}[p.rand.IntN(4)]
		p.carry(s)
		p.try(p.agent, queue.ScopeActivated{Component: component})
	case 7:
		p.carry(queue.Submit{Kind: "commit", Session: "host-1", Call: &queue.Call{Tool: "release", Operation: "activate", Effect: &queue.Effect{CommitBoundary: "edge"},
			Arguments: fmt.Appendf(nil, `{"transaction":%q}`, tx)}})
	case 8:
		p.try(p.agent, []queue.Act{queue.DisposeScope{Component: component}, queue.RecoverScope{Component: component}}[p.rand.IntN(2)])
		for range 3 {
			due, ok := p.try(p.agent, queue.NextCleanup{Component: component}).(queue.CleanupDue)
			switch {
			case !ok || due.Cleanup == 0:
			case due.Compensates:
				p.carry(queue.Submit{Kind: "call", Session: "host-1", Owed: &queue.OwedCall{Scope: due.Scope, Cleanup: due.Cleanup},
					Call: &queue.Call{Tool: due.Tool, Arguments: due.Arguments}})
			case p.rand.IntN(4) > 0:
				p.try(p.agent, queue.EndCleanup{Component: component, Cleanup: due.Cleanup,
					How: []policy.CleanupState{policy.Done, policy.Done, policy.Broken, policy.Uncertain}[p.rand.IntN(4)]})
			}
		}
	case 9:
		for _, s := range must1[queue.Cleanups](p, queue.QCleanups{Open: true, Limit: 9}).Scopes {
			for _, c := range s.Cleanups {
				p.try(p.operator, queue.AckCleanup{Scope: s.ID, Cleanup: c.Number, GiveUp: p.rand.IntN(4) == 0})
			}
		}
	case 10:
		p.try(p.agent, queue.SubmitTransaction{Session: "host-1", Serves: "old",
			Request: fmt.Appendf(nil, `{"transactionId":%q,"operation":"activate","targetMode":"shadow","candidateArtifactId":"new"}`, tx)})
		p.try(p.agent, queue.StepTransaction{Transaction: tx, Step: transaction.Step{Sequence: 1, Stage: transaction.Applying, Outcome: transaction.EntryStarted}})
		if p.rand.IntN(2) == 0 {
			p.try(p.agent, queue.RecoverTransaction{Transaction: tx})
			r, ok := p.try(p.agent, queue.RestoredTransaction{Transaction: tx,
				Seen: &transaction.Observed{Active: "old", Uncleaned: [][]string{nil, {"new"}}[p.rand.IntN(2)]}}).(queue.Transacted)
			if ok {
				p.try(p.operator, queue.AckTransaction{Transaction: r.ID, Artifact: "new"})
			}
		}
	}
}

// carry has a call allowed and begun, and most of them reported.
func (p *player) carry(s queue.Submit) {
	r, ok := p.try(p.agent, s).(queue.Submitted)
	if !ok {
		return
	}
	v := must1[queue.AskView](p, queue.QAsk{ID: r.Ask})
	p.try(p.operator, queue.Decide{Ask: r.Ask, Verdict: queue.VerdictAllow, ActionDigest: v.Row.ActionDigest, ShownDigest: v.Row.ShownDigest, Confirm: v.Confirm})
	b, ok := p.try(p.agent, queue.Begin{Ask: r.Ask, Token: r.Token, Action: r.Action, Executor: "test"}).(queue.Begun)
	if ok && p.rand.IntN(4) > 0 {
		p.try(p.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: exits[p.rand.IntN(len(exits))], CameBack: "came back"})
	}
}
