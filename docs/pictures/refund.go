package main

import (
	"context"
	"errors"
	"time"

	"nod/descriptor"
	"nod/queue"
)

// refunds is what the scene's operator says of the tool that refunds.
func refunds() (*descriptor.Set, error) {
	return descriptor.Compile([]descriptor.Tool{{
		Name: "billing.refund", Class: "compensatable", Access: "write",
		Reading: []descriptor.Reading{{At: "/amount", As: descriptor.AsMoney, Currency: "EUR"}},
		Effect: descriptor.Effect{Family: "refund", Parts: []string{"/payment_id"}, Settle: "10m",
			Provider: descriptor.Provider{KeyLifetime: "24 h", Changed: "refused", Cached: "its first answer"}},
		Observer: []descriptor.Observer{{Name: "refunds", Kind: descriptor.KindHTTP, Status: 200,
			URL: "https://pay.example/v1/refunds?payment={/payment_id}", Candidates: "/data", Same: map[string]string{"/amount": "/amount"}}},
	}})
}

// lose lets a refund begin, loses its answer and refuses its repeat.
func (s *scene) lose(ctx context.Context) error {
	agent := s.agent("support-bot", "mcp")
	refund := queue.Submit{Kind: "call", Session: "support", CallID: "refund", AgentWords: "The cup arrived broken.",
		Call: &queue.Call{Tool: "billing.refund", Arguments: []byte(`{"payment_id":"pay_8842","amount":4800}`)}}
	got, err := queue.As[queue.Submitted](ctx, agent, refund)
	if err != nil {
		return err
	}
	s.wait(18 * time.Second)
	_, err = s.mia.Do(ctx, queue.Decide{Ask: got.Ask, Verdict: queue.VerdictAllow, ActionDigest: got.ActionDigest, ShownDigest: got.ShownDigest,
		DwellMS: 18_000, LinesSeen: 28, LinesAll: 28})
	if err != nil {
		return err
	}
	s.wait(2 * time.Second)
	b, err := queue.As[queue.Begun](ctx, agent, queue.Begin{Ask: got.Ask, Token: got.Token, Action: got.Action, Executor: "mcp"})
	if err != nil {
		return err
	}
	s.wait(30 * time.Second)
	_, err = agent.Do(ctx, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitTimeout, CameBack: "request timed out after 30000 ms"})
	if err != nil {
		return err
	}
	s.wait(4 * time.Second)
	refund.CallID = "refund again"
	if _, err := agent.Do(ctx, refund); !refused(err) {
		return errors.Join(errors.New("the scene's second refund was not refused"), err)
	}
	s.wait(20 * time.Second)
	_, err = s.mia.Do(ctx, queue.Observe{Attempt: b.Attempt, Observer: "refunds", Outcome: queue.AttemptCommitted, Ref: "re_19c",
		Seen: `GET /v1/refunds?payment=pay_8842 gave 200, 1 candidate, /id "re_19c", /status "pending"`})
	return err
}

func refused(err error) bool {
	no, ok := errors.AsType[*queue.Refusal](err)
	return ok && no.Code == queue.CodeAmbiguousEffect
}
