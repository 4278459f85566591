// Package client is the caller's side of the queue: how an executor waits for
// the answer to its ask, whatever carries the acts.
//
// The rule it keeps: waiting never turns into permission. Await returns an
// allow only as the queue's own answer to the waiter's token; when the context
// ends, the store goes away or the token dies, there is an error and no allow.
package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nod/queue"
)

// Times of a waiter.
const (
	// RenewEvery is how often a waiter renews its lease (default 30 s) while
	// nothing happens.
	RenewEvery = 10 * time.Second
	// patience is how long a store that answers with errors is asked again.
	patience = 20 * time.Second
	// retryEvery is the pause between two tries.
	retryEvery = 500 * time.Millisecond
)

// Await waits until the ask of sub needs no more waiting: it is final, or it is
// allowed and its hold is over. Watching begins before the first look, so that
// an answer given in between is not lost.
//
// An error means that nothing may run: the context's cause when ctx ended
// (the lease then runs out by itself, and the ask stays for the next identical
// call), a *queue.Refusal when the token is another's now, or the store's.
func Await(ctx context.Context, p queue.Port, sub queue.Submitted) (queue.Standing, error) {
	if sub.State.Final() {
		return queue.Standing{Ask: sub.Ask, State: sub.State, Decision: sub.Decision, AnswerBy: sub.AnswerBy,
			EditedTo: sub.EditedTo, Resent: sub.Resent}, nil
	}
	watching, stop := context.WithCancel(ctx)
	defer stop()
	ticks, err := p.Watch(watching)
	if ctx.Err() != nil {
		return queue.Standing{}, context.Cause(ctx)
	}
	if err != nil {
		return queue.Standing{}, fmt.Errorf("watch the queue: %w", err)
	}
	renewed := time.Time{} // not yet
	for {
		// Only a renewal writes: a tick is answered by reading, so that many
		// waiters do not stand in the way of those who act.
		ask := renewing(p, sub)
		if time.Since(renewed) < RenewEvery {
			ask = reading(p, sub)
		} else {
			renewed = time.Now()
		}
		st, err := look(ctx, sub.Ask, ask)
		if err != nil {
			if ctx.Err() != nil {
				release(ctx, p, sub)
			}
			return queue.Standing{}, err
		}
		if st.State.Final() || ready(&st) {
			return st, nil
		}
		timer := time.NewTimer(min(pause(&st), max(RenewEvery-time.Since(renewed), time.Millisecond)))
		select {
		case <-ctx.Done():
			timer.Stop()
			release(ctx, p, sub)
			return queue.Standing{}, context.Cause(ctx)
		case _, open := <-ticks:
			if !open {
				ticks = nil // the renewals still look
			}
		case <-timer.C:
		}
		timer.Stop()
	}
}

type standing func(ctx context.Context) (queue.Standing, error)

func renewing(p queue.Port, sub queue.Submitted) standing {
	return func(ctx context.Context) (queue.Standing, error) {
		return queue.As[queue.Standing](ctx, p, queue.Wait{Ask: sub.Ask, Token: sub.Token})
	}
}

func reading(p queue.Port, sub queue.Submitted) standing {
	return func(ctx context.Context) (queue.Standing, error) {
		return queue.Get[queue.Standing](ctx, p, queue.QStanding{Ask: sub.Ask, Token: sub.Token})
	}
}

// releaseWithin bounds the goodbye of a waiter; without it the lease runs out.
const releaseWithin = 2 * time.Second

// release gives the waiter's lease up, so that the next identical call of the
// session adopts the ask at once.
func release(ctx context.Context, p queue.Port, sub queue.Submitted) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseWithin)
	defer cancel()
	_, _ = p.Do(ctx, queue.Wait{Ask: sub.Ask, Token: sub.Token, Release: true}) // the lease ends by itself otherwise
}

// ready reports whether an allowed ask may begin now.
func ready(st *queue.Standing) bool {
	return st.State == queue.StateAllowed && (st.Decision == nil || st.Now >= st.Decision.NotBefore)
}

// pause is how long nothing needs to be asked: until the next renewal, the
// deadline or the end of the hold, whichever comes first.
func pause(st *queue.Standing) time.Duration {
	next := RenewEvery
	due := st.AnswerBy
	if st.State == queue.StateAllowed && st.Decision != nil {
		due = st.Decision.NotBefore
	}
	if left := time.Duration(due-st.Now) * time.Millisecond; due > 0 && left < next {
		next = max(left, time.Millisecond)
	}
	return next
}

// look asks how the ask stands. A refusal is final; a store that fails is asked
// again for a while, because a locked file is no answer.
func look(ctx context.Context, id string, ask standing) (queue.Standing, error) {
	var failing time.Time
	for {
		st, err := ask(ctx)
		if err == nil {
			return st, nil
		}
		if ctx.Err() != nil {
			return st, context.Cause(ctx)
		}
		if _, refused := errors.AsType[*queue.Refusal](err); refused {
			return st, err
		}
		now := time.Now()
		if failing.IsZero() {
			failing = now
		}
		if now.Sub(failing) >= patience {
			return st, fmt.Errorf("ask how %s stands: %w", id, err)
		}
		select {
		case <-ctx.Done():
			return st, context.Cause(ctx)
		case <-time.After(retryEvery):
		}
	}
}
