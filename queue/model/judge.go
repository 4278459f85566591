package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"nod/ambiguity"
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
		n.wall, n.trail, n.pages, n.before = s.to, nil, nil, p.pages
		return &n, t, nil
	}
	w.enter(p)
	t.result, err = w.ports[s.who].Do(ctx, s.act)
	if err != nil && !errors.As(err, &t.no) {
		return nil, t, fmt.Errorf("the queue fails: %w", err)
	}
	after := w.store.State()
	n := *p
	n.trail, n.pages, n.before = nil, nil, p.pages
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
	return &n, t, errors.Join(w.handedOver(ctx, &n, s), p.inTime(&n, s, t.result), p.proven(s, t.result))
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
	if !r.Late { // of a late one the ledger holds that it changes nothing
		return fmt.Errorf("I4: a report after the lease makes %s of %s", attempt(after.store, id).State, was.State)
	}
	return nil
}

// proven holds of I4 what no event tells: on what a statement that leaves
// unknown rests (DESIGN §5).
func (p *position) proven(s *step, result queue.Result) error {
	switch a := s.act.(type) {
	case queue.Report:
		was := attempt(p.store, a.Attempt)
		r, _ := result.(queue.Reported)
		claims := a.Outcome == queue.AttemptCommitted && a.Durable && !was.Watched ||
			slices.ContainsFunc(p.store.Facts, func(f *queue.Fact) bool {
				return f.Attempt == was.ID && f.Kind == ambiguity.Observation && f.Says == queue.AttemptCommitted && f.Durable
			})
		blocked := a.Exit == queue.ExitBlocked && a.Outcome != queue.AttemptCommitted
		if was.State == queue.AttemptExecuting && (r.State == queue.AttemptCommitted && !claims || r.State == queue.AttemptNotExecuted && !blocked) {
			return fmt.Errorf("I4: nothing proves that it is %s", r.State)
		}
	case queue.Reconcile:
		was := attempt(p.store, a.Attempt)
		if a.Outcome == queue.AttemptNotExecuted && p.wall < settledAt(was) {
			return errors.New("I4: it was said not to have happened before lease and settle time were over")
		}
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
		if r.Token == "" {
			return // one that is final
		}
		id := s.act.(queue.Submit).CallID
		p.calls[s.slot] = call{id: id, ask: r.Ask, token: r.Token, digest: r.ActionDigest, shown: r.ShownDigest, action: r.Action,
			changed: bytes.Replace(r.Action, []byte(`"payment_id":"pay_1"`), []byte(`"payment_id":"pay_2"`), 1)}
	case queue.Begun:
		p.runs = append(p.runs[:len(p.runs):len(p.runs)], run{ask: r.Ask, attempt: r.Attempt, token: r.Token, slot: s.slot, by: s.who})
	}
}

// leftNothing holds I10: what a refused act changed, the clock's events name, or
// the one that takes an allow back because of the refusal. That a call ran into
// an effect is kept with the effect.
func (p *position) leftNothing(after *position, t *took) error {
	named, facts, ran := map[string]bool{}, 0, ""
	for i := range t.news {
		e := &t.news[i]
		switch {
		case e.Actor == "clock" && (e.Act == "expire" || e.Act == "lapse" || e.Act == "revoke"):
		case e.Actor == "clock" && e.Act == "lease_over":
			facts++
		case e.Actor == "queue" && e.Act == "revoke" && e.Reason == t.no.Code:
		case e.Act == "refuse" && e.Reason == t.no.Code && e.Effect == t.no.Effect && ran == "":
			ran = e.Effect
			continue
		default:
			return fmt.Errorf("I10: refused (%s), and event %d is the %s of %s", t.no.Code, e.Seq, e.Act, e.Actor)
		}
		named[e.Ask], named[e.Attempt], named[e.Effect] = true, true, true
	}
	a, b := p.store, after.store
	if !same(a.Sessions, b.Sessions) || !same(a.Grants, b.Grants) || !same(a.Freezes, b.Freezes) || !same(a.Notices, b.Notices) ||
		len(b.Facts) != len(a.Facts)+facts || ran == "" && !same(a.Repeats, b.Repeats) {
		return fmt.Errorf("I10: refused (%s), and left a row", t.no.Code)
	}
	return errors.Join(
		only(a.Asks, b.Asks, func(was, _ *queue.Row) bool { return named[was.ID] }),
		only(a.Attempts, b.Attempts, func(was, _ *queue.Attempt) bool { return named[was.ID] }),
		only(a.Effects, b.Effects, func(was, now *queue.EffectRow) bool {
			counted := *was
			counted.Repeats++
			return named[was.ID] || was.ID == ran && counted == *now
		}))
}

// only holds that the rows that changed are those that may.
func only[T any](a, b []*T, may func(was, now *T) bool) error {
	if len(a) != len(b) {
		return errors.New("I10: refused, and a row is new")
	}
	for i := range a {
		if a[i] != b[i] && !may(a[i], b[i]) {
			return fmt.Errorf("I10: refused, and a row changed without an event: %+v, now %+v", *a[i], *b[i])
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
