package demo

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"nod/ambiguity"
	"nod/client"
	"nod/observe"
	"nod/queue"
)

// refund runs the allowed refund. The first one is made and its answer is lost,
// as it happens: the agent has a timeout, and its gateway looks what became of
// the money. Later ones answer.
func (a *Agent) refund(ctx context.Context, s step, b *queue.Begun, action jsontext.Value) error {
	listed := a.shop.refund(action)
	r := queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitTimeout, CameBack: "request timed out after 30000 ms"}
	if listed > 1 {
		r = queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitSuccess, Outcome: queue.AttemptCommitted}
	}
	reported, err := queue.As[queue.Reported](ctx, a.port, r)
	if err != nil {
		return err
	}
	if listed > 1 {
		a.say("          %q", s.ran)
		a.say("          %q", fmt.Sprintf("The provider lists %d refunds of this payment now.", listed))
	} else {
		a.say("timed out %s: the request was sent, and no answer came", s.name)
	}
	seen, err := observe.Effect(ctx, a.port, a.shop.Tools, reported.Effect, nil, true)
	if err != nil {
		return err
	}
	for i := range seen {
		a.say("observed  %s: %s", s.name, seen[i].Observation.Seen)
	}
	if listed > 1 {
		return nil
	}
	return a.again(ctx, s, reported.Effect)
}

// again is what an agent does after a timeout: it tries once more. Refused, it
// waits until it is known what became of the first one.
func (a *Agent) again(ctx context.Context, s step, effect string) error {
	for try := 2; ; try++ {
		next := s
		next.submit.CallID = fmt.Sprintf("%s-%d", s.submit.CallID, try)
		got, err := queue.As[queue.Submitted](ctx, a.port, next.submit)
		if err == nil {
			a.say("asked     %s again", s.name)
			return a.follow(ctx, next, got)
		}
		no, refused := errors.AsType[*queue.Refusal](err)
		if !refused {
			return err
		}
		a.say("refused   %s again: %s", s.name, client.NoBegin(no))
		switch no.Code {
		case queue.CodeDuplicateEffect:
			a.say("          %q", "So the customer has the money. I do not send it twice.")
			return nil
		case queue.CodeAmbiguousEffect, queue.CodeInProgress:
		default:
			return nil
		}
		if err := a.known(ctx, effect); err != nil {
			return err
		}
	}
}

// known waits until it is known what became of an effect.
func (a *Agent) known(ctx context.Context, effect string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ticks, err := a.port.Watch(ctx)
	if err != nil {
		return err
	}
	for {
		d, err := queue.Get[queue.Desk](ctx, a.port, queue.QEffect{ID: effect})
		if err != nil {
			return err
		}
		if s := d.Effect.Standing; s == ambiguity.StandsCommitted || s == ambiguity.StandsFree {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticks:
		}
	}
}
