package ledger

import (
	"context"
	"errors"
	"fmt"

	"nod/queue"
)

// SameRow holds an ask's row and attempts against what the events make of it.
func (l *Ledger) SameRow(tx queue.ReadTx, row *queue.Row) error {
	a := l.Asks[row.ID]
	if a == nil {
		return fmt.Errorf("I7: ask %s is in the store and no event submitted it", row.ID)
	}
	if err := l.sameFields(row, a); err != nil {
		return err
	}
	attempts, err := tx.AttemptsOf(row.ID)
	if err != nil {
		return err
	}
	if len(attempts) > 1 || len(attempts) == 0 && a.Attempt != "" || len(attempts) == 1 && attempts[0].ID != a.Attempt {
		return fmt.Errorf("I3: ask %s has %d attempts, its events %q", row.ID, len(attempts), a.Attempt)
	}
	for i := range attempts {
		at, r := &attempts[i], l.Runs[a.Attempt]
		if at.State != r.State || at.Exit != r.Exit || at.Lease < r.Lease || at.Number != r.Number || at.Effect != r.Effect {
			return fmt.Errorf("I7: the row of attempt %s is %+v, its events make %+v", at.ID, at, r)
		}
	}
	body, err := tx.AskBody(row.Seq)
	if err != nil || len(body) == 0 {
		return fmt.Errorf("the contents of ask %s are not there: %w", row.ID, err)
	}
	return nil
}

func (l *Ledger) sameFields(row *queue.Row, a *Ask) error {
	type fields struct {
		state                queue.State
		session              string
		action, shown        string
		verdict              queue.Verdict
		by                   queue.DecidedBy
		created, moved       int64
		answerBy, useWithin  int64
		decidedAt, notBefore int64
		outcome              queue.AttemptState
		exit                 queue.ExitStatus
		editedTo, from       string
	}
	want := fields{a.State, a.Session, string(a.Action), string(a.Shown), a.Verdict, a.By, a.CreatedAt, a.MovedAt, a.AnswerBy,
		a.UseWithin, a.DecidedAt, a.NotBefore, "", "", a.EditedTo, a.From}
	if r := l.Runs[a.Attempt]; r != nil {
		want.outcome, want.exit = r.State, r.Exit
		if r.Effect == "" && r.State == queue.AttemptUnknown && r.Exit != "" { // the call ended; it has no effect
			want.outcome = ""
		}
	}
	got := fields{row.State, row.Session, string(row.ActionDigest), string(row.ShownDigest), row.Verdict, row.DecidedBy, row.CreatedAt,
		row.MovedAt, row.AnswerBy, row.UseWithinMS, row.DecidedAt, row.NotBefore, row.Outcome, row.Exit, row.EditedTo, row.DerivedFrom}
	if got != want {
		return fmt.Errorf("I7: the row of ask %s is %+v, its events make %+v", row.ID, got, want)
	}
	if row.Mandated && row.Verdict == queue.VerdictAllow && row.DecidedBy != queue.ByPerson {
		return fmt.Errorf("I6: ask %s is mandated and was allowed by a %s", row.ID, row.DecidedBy)
	}
	return nil
}

// SameRows does that for every ask of the store.
func (l *Ledger) SameRows(ctx context.Context, store queue.Store) error {
	return store.View(ctx, l.SameRowsIn)
}

// SameRowsIn is SameRows in a view that is open.
func (l *Ledger) SameRowsIn(tx queue.ReadTx) error {
	t := tally{pending: map[string]int64{}}
	check := func(rows []queue.Row) error {
		for i := range rows {
			if err := l.SameRow(tx, &rows[i]); err != nil {
				return err
			}
			t.take(&rows[i])
		}
		return nil
	}
	for at, more := (queue.Key{}), true; more; {
		rows, next, err := tx.PendingPage(queue.QInbox{After: at, Limit: 500})
		if err = errors.Join(err, check(rows)); err != nil {
			return err
		}
		if more = next; more {
			last := rows[len(rows)-1]
			at = queue.Key{Urgency: last.Urgency, Seq: last.Seq}
		}
	}
	for before, more := int64(0), true; more; {
		rows, next, err := tx.HistoryPage(queue.QHistory{BeforeSeq: before, Limit: 500})
		if err = errors.Join(err, check(rows)); err != nil {
			return err
		}
		if more = next; more {
			before = rows[len(rows)-1].Seq
		}
	}
	if t.seen != len(l.Asks) {
		return fmt.Errorf("the lists show %d asks, the events make %d", t.seen, len(l.Asks))
	}
	if err := errors.Join(l.sameEffects(tx), l.sameDeliveries(tx), l.samePolicies(tx), l.sameScopes(tx), l.sameTransactions(tx)); err != nil {
		return err
	}
	return t.same(tx)
}

// tally counts rows, where the store keeps a counter.
type tally struct {
	seen     int
	mandated int64
	pending  map[string]int64 // of an agent
}

func (t *tally) take(row *queue.Row) {
	t.seen++
	if row.State != queue.StatePending {
		return
	}
	t.pending[row.Agent]++
	if row.Mandated {
		t.mandated++
	}
}

func (t *tally) same(tx queue.ReadTx) error {
	c, err := tx.Counters()
	if err != nil {
		return err
	}
	if c.Mandated != t.mandated {
		return fmt.Errorf("I7: %d mandated asks are pending, the counter says %d", t.mandated, c.Mandated)
	}
	for agent, n := range t.pending {
		if kept, err := tx.PendingOf(agent); err != nil || kept != n {
			return fmt.Errorf("I7: %d asks of %s are pending, the counter says %d: %w", n, agent, kept, err)
		}
	}
	return nil
}
