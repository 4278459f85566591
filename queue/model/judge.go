package model

import (
	"context"
	"errors"
	"fmt"

	"nod/queue"
	"nod/queue/ledger"
	"nod/queue/model/memory"
)

// took is what became of a step.
type took struct {
	result queue.Result
	no     *queue.Refusal
	news   []ledger.Event
}

// take carries a step out at p. It gives the position after it, and the rule that
// was broken on the way.
func (w *world) take(ctx context.Context, p *position, s *step) (next *position, t took, err error) {
	if s.act == nil {
		n := *p
		n.wall, n.trail = s.to, nil
		return &n, t, nil
	}
	w.enter(p)
	t.result, err = w.ports[s.who].Do(ctx, s.act)
	if err != nil && !errors.As(err, &t.no) {
		return nil, t, fmt.Errorf("the queue fails: %w", err)
	}
	after := w.store.State()
	n := *p
	n.trail = nil
	if after != p.store {
		n.store, n.ids, n.ledger = after, w.ids, p.ledger.Fork()
		err := w.store.View(ctx, func(tx queue.ReadTx) error {
			var err error
			if t.news, err = n.ledger.FollowIn(tx); err != nil {
				return err
			}
			return n.ledger.SameRowsIn(tx)
		})
		if err != nil {
			return nil, t, err
		}
		n.store = after.Forget()
	}
	if t.no != nil {
		return &n, t, p.leftNothing(&n, &t)
	}
	if s.no != "" {
		return nil, t, fmt.Errorf("%s: it was let through", s.no)
	}
	n.learn(s, t.result)
	return &n, t, errors.Join(w.handedOver(ctx, &n, s), p.inTime(&n, s, t.result))
}

// inTime holds of I4 what no event tells, because a renewal has none: a lease
// that is over is not renewed, and a report after it changes no state.
func (p *position) inTime(after *position, s *step, result queue.Result) error {
	var id string
	switch a := s.act.(type) {
	case queue.Report:
		id = a.Attempt
	case queue.Renew:
		id = a.Attempt
	default:
		return nil
	}
	was := attempt(p.store, id)
	if p.wall < was.Lease {
		return nil
	}
	r, reported := result.(queue.Reported)
	if !reported {
		return errors.New("I4: a lease was renewed after its end")
	}
	if now := attempt(after.store, id); !r.Late || r.State != now.State ||
		now.State != was.State && (was.State != queue.AttemptExecuting || now.State != queue.AttemptUnknown) {
		return fmt.Errorf("I4: a report after the lease makes %s of %s", now.State, was.State)
	}
	return nil
}

func attempt(s *memory.State, id string) *queue.Attempt {
	for _, a := range s.Attempts {
		if a.ID == id {
			return a
		}
	}
	return nil
}

// learn keeps what an executor was told.
func (p *position) learn(s *step, result queue.Result) {
	switch r := result.(type) {
	case queue.Submitted:
		c := &p.calls[s.slot]
		if c.ask != r.Ask {
			*c = call{ask: r.Ask}
		}
		c.digest, c.shown = r.ActionDigest, r.ShownDigest
		if r.Token != "" {
			c.token, c.action = r.Token, r.Action
		}
	case queue.Begun:
		p.runs = append(p.runs[:len(p.runs):len(p.runs)], run{ask: r.Ask, attempt: r.Attempt, token: r.Token, slot: s.slot, by: s.who})
	}
}

// leftNothing holds I10: what a refused act changed, the clock's events name, or
// the one that takes an allow back because of the refusal.
func (p *position) leftNothing(after *position, t *took) error {
	named := map[string]bool{}
	for i := range t.news {
		e := &t.news[i]
		switch {
		case e.Actor == "clock" && (e.Act == "expire" || e.Act == "lapse" || e.Act == "revoke" || e.Act == "lease_over"):
		case e.Actor == "queue" && e.Act == "revoke" && e.Reason == t.no.Code:
		default:
			return fmt.Errorf("I10: refused (%s), and event %d is the %s of %s", t.no.Code, e.Seq, e.Act, e.Actor)
		}
		named[e.Ask], named[e.Attempt] = true, true
	}
	a, b := p.store, after.store
	if len(a.Asks) != len(b.Asks) || len(a.Attempts) != len(b.Attempts) || !same(a.Sessions, b.Sessions) || !same(a.Grants, b.Grants) ||
		!same(a.Freezes, b.Freezes) || !same(a.Notices, b.Notices) {
		return fmt.Errorf("I10: refused (%s), and left a row", t.no.Code)
	}
	for i := range a.Asks {
		if a.Asks[i] != b.Asks[i] && !named[a.Asks[i].ID] {
			return fmt.Errorf("I10: refused (%s), and ask %s changed without an event", t.no.Code, a.Asks[i].ID)
		}
	}
	for i := range a.Attempts {
		if a.Attempts[i] != b.Attempts[i] && !named[a.Attempts[i].ID] {
			return fmt.Errorf("I10: refused (%s), and attempt %s changed without an event", t.no.Code, a.Attempts[i].ID)
		}
	}
	return nil
}

func same[T any](a, b []*T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// handedOver holds I8 as far as there are words: whoever waits for an ask reads
// what the person said, when it was decided and when it begins.
func (w *world) handedOver(ctx context.Context, p *position, s *step) error {
	d, ok := s.act.(queue.Decide)
	if !ok {
		return nil
	}
	c := &p.calls[s.slot]
	st, err := queue.Get[queue.Standing](ctx, w.ports[executor(s.slot)], queue.QStanding{Ask: c.ask, Token: c.token})
	if err != nil {
		return fmt.Errorf("I8: the waiter cannot read the decision: %w", err)
	}
	if st.Decision == nil || st.Decision.Words != d.Words || st.Decision.Verdict != d.Verdict || st.Decision.Who != names[s.who] {
		return fmt.Errorf("I8: %s said %q, the waiter reads %+v", names[s.who], d.Words, st.Decision)
	}
	return nil
}
