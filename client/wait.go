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
		return queue.Standing{Ask: sub.Ask, State: sub.State, Decision: sub.Decision, AnswerBy: sub.AnswerBy}, nil
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
	for {
		st, err := look(ctx, p, queue.Wait{Ask: sub.Ask, Token: sub.Token})
		if err != nil {
			return queue.Standing{}, err
		}
		if st.State.Final() || ready(&st) {
			return st, nil
		}
		timer := time.NewTimer(pause(&st))
		select {
		case <-ctx.Done():
			timer.Stop()
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
func look(ctx context.Context, p queue.Port, wait queue.Wait) (queue.Standing, error) {
	var failing time.Time
	for {
		st, err := queue.As[queue.Standing](ctx, p, wait)
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
			return st, fmt.Errorf("ask how %s stands: %w", wait.Ask, err)
		}
		select {
		case <-ctx.Done():
			return st, context.Cause(ctx)
		case <-time.After(retryEvery):
		}
	}
}
