package queue

import (
	"errors"

	"nod/ambiguity"
)

// settleBatch is how many due rows one act settles besides its own.
const settleBatch = 256

// errChanged undoes an act whose row is not as it was read. It is no refusal
// inside the transaction, because it may come after writes.
var errChanged = errors.New("the row changed under the act")

// settle is the clock's act: what has come due expires, lapses or becomes
// unknown, whatever act came by.
func (q *Queue) settle(tx Tx, m moment) error {
	if m.held {
		return nil
	}
	asks, err := tx.DueAsks(m.now, settleBatch)
	if err != nil {
		return err
	}
	for i := range asks {
		if err := q.settleAsk(tx, m, &asks[i]); err != nil {
			return err
		}
	}
	attempts, err := tx.DueAttempts(m.now, settleBatch)
	if err != nil {
		return err
	}
	for i := range attempts {
		if err := q.loseAttempt(tx, m, &attempts[i], ambiguity.LeaseOver); err != nil {
			return err
		}
	}
	deliveries, err := tx.DueDeliveries(m.now, settleBatch)
	if err != nil {
		return err
	}
	for i := range deliveries {
		d, err := tx.Delivery(deliveries[i].Num) // as an end just before left it
		if err == nil && d.DueAt > 0 && d.DueAt <= m.now {
			err = q.settleDelivery(tx, m, d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// settleAsk brings one row to the state the clock and the freezes give it.
func (q *Queue) settleAsk(tx Tx, m moment, row *Row) error {
	if row.State == StateAllowed {
		f, err := tx.FreezeAfter(row.Session, row.DecidedAt)
		if err != nil {
			return err
		}
		if f != nil {
			row.RevokeReason = CodeFrozen
			return q.move(tx, m, row, StateRevoked, Event{Act: "revoke", Actor: actorClock, Reason: CodeFrozen})
		}
	}
	switch to := row.StateAt(m.now); {
	case m.held || to == row.State:
		return nil
	case to == StateExpired:
		return q.move(tx, m, row, to, Event{Act: "expire", Actor: actorClock})
	default:
		return q.move(tx, m, row, to, Event{Act: "lapse", Actor: actorClock})
	}
}

// move writes one change of an ask's state with its one event. The row must
// be as read in this transaction.
func (q *Queue) move(tx Tx, m moment, row *Row, to State, e Event) error {
	from := row.State
	row.State, row.MovedAt = to, m.now
	ok, err := tx.MoveAsk(row, from, m.now)
	if err != nil {
		return err
	}
	if !ok {
		return errChanged
	}
	e.Ask, e.Session, e.From, e.To = row.ID, row.Session, string(from), string(to)
	e.ActionDigest, e.ShownDigest = row.ActionDigest, row.ShownDigest
	e.Tool, e.Cwd = row.Tool, row.Cwd
	return q.append(tx, m, e)
}

// settleAttempt brings one attempt to the state the clock gives it.
func (q *Queue) settleAttempt(tx Tx, m moment, a *Attempt) error {
	if m.held || a.State != AttemptExecuting || m.now < a.Lease {
		return nil
	}
	return q.loseAttempt(tx, m, a, ambiguity.LeaseOver)
}

// loseAttempt is what an attempt without a report comes to: nobody knows.
func (q *Queue) loseAttempt(tx Tx, m moment, a *Attempt, why ambiguity.Kind) error {
	lost := Event{Act: "lease_over", Actor: actorClock, Ask: a.AskID, Attempt: a.ID, Number: a.Number,
		Session: a.Session, From: string(AttemptExecuting), Reason: string(why), Effect: a.Effect}
	if a.Effect != "" {
		f := Fact{Kind: why, Source: ambiguity.ByGate, Says: AttemptUnknown, Durable: true}
		if _, err := q.said(tx, m, a, f); err != nil {
			return err
		}
		lost.Said = f.digest(a.Effect, a.ID)
	} else {
		a.State, a.EndedAt = AttemptUnknown, m.now
		if ok, err := tx.MoveAttempt(a, AttemptExecuting); err != nil || !ok {
			return err
		}
	}
	lost.To = string(a.State) // an observer may have seen it while it ran
	if err := q.append(tx, m, lost); err != nil {
		return err
	}
	return q.lost(tx, m, a)
}

// load reads the ask an act names and settles it first.
func (q *Queue) load(tx Tx, m moment, id string) (*Row, error) {
	row, err := tx.Ask(id)
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, unknownID()
	}
	return row, q.settleAsk(tx, m, row)
}

func unknownID() *Refusal {
	return refuse(CodeUnknownID, "no ask has this id").hint("nod list shows the ids")
}
