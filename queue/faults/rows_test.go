//go:build unix

package faults

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	_ "modernc.org/sqlite" // reads the file behind the store's back

	"nod/queue"
)

// sameRow compares an ask's row and attempts with what the events make of it.
func (l *ledger) sameRow(tx queue.ReadTx, row *queue.Row) error {
	a := l.asks[row.ID]
	if a == nil {
		return fmt.Errorf("I7: ask %s is in the store and no event submitted it", row.ID)
	}
	type fields struct {
		state                 queue.State
		session               string
		action, shown         string
		verdict               queue.Verdict
		by                    queue.DecidedBy
		created, moved        int64
		answerBy, useWithin   int64
		decidedAt, notBefore  int64
		outcome               queue.AttemptState
		exit                  queue.ExitStatus
		mandatedAllowedByRule bool
		editedTo, from        string
	}
	want := fields{a.state, a.session, string(a.action), string(a.shown), a.verdict, a.by, a.createdAt, a.movedAt, a.answerBy,
		a.useWithin, a.decidedAt, a.notBefore, "", "", false, a.editedTo, a.from}
	if r := l.runs[a.attempt]; r != nil {
		want.outcome, want.exit = r.state, r.exit
	}
	got := fields{row.State, row.Session, string(row.ActionDigest), string(row.ShownDigest), row.Verdict, row.DecidedBy, row.CreatedAt,
		row.MovedAt, row.AnswerBy, row.UseWithinMS, row.DecidedAt, row.NotBefore, row.Outcome, row.Exit,
		row.Mandated && row.Verdict == queue.VerdictAllow && row.DecidedBy != queue.ByPerson, row.EditedTo, row.DerivedFrom}
	if got != want {
		return fmt.Errorf("I7: the row of ask %s is %+v, its events make %+v", row.ID, got, want)
	}
	attempts, err := tx.AttemptsOf(row.ID)
	if err != nil {
		return err
	}
	if len(attempts) > 1 || len(attempts) == 0 && a.attempt != "" || len(attempts) == 1 && attempts[0].ID != a.attempt {
		return fmt.Errorf("I3: ask %s has %d attempts, its events %q", row.ID, len(attempts), a.attempt)
	}
	for i := range attempts {
		at, r := &attempts[i], l.runs[a.attempt]
		if at.State != r.state || at.Exit != r.exit || at.Lease < r.lease || at.Number != 1 {
			return fmt.Errorf("I7: the row of attempt %s is %+v, its events make %+v", at.ID, at, r)
		}
	}
	body, err := tx.AskBody(row.Seq)
	if err != nil || len(body) == 0 {
		return fmt.Errorf("the contents of ask %s are not there: %w", row.ID, err)
	}
	return nil
}

// sameRows does that for every ask of the store.
func (l *ledger) sameRows(ctx context.Context, store queue.Store) error {
	return store.View(ctx, func(tx queue.ReadTx) error {
		seen, mandated, pending := 0, int64(0), map[string]int64{}
		check := func(rows []queue.Row) error {
			for i := range rows {
				if err := l.sameRow(tx, &rows[i]); err != nil {
					return err
				}
				if rows[i].State == queue.StatePending {
					pending[rows[i].Agent]++
					if rows[i].Mandated {
						mandated++
					}
				}
			}
			seen += len(rows)
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
		if seen != len(l.asks) {
			return fmt.Errorf("the lists show %d asks, the events make %d", seen, len(l.asks))
		}
		if c, err := tx.Counters(); err != nil || c.Mandated != mandated {
			return fmt.Errorf("I7: %d mandated asks are pending, the counter says %d: %w", mandated, c.Mandated, err)
		}
		for agent, n := range pending {
			if kept, err := tx.PendingOf(agent); err != nil || kept != n {
				return fmt.Errorf("I7: %d asks of %s are pending, the counter says %d: %w", n, agent, kept, err)
			}
		}
		return nil
	})
}

// sameFile reads the closed store's file with SQLite alone: it is sound, holds
// as many rows as the events make.
func (l *ledger) sameFile(t testing.TB, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	one := func(query string) string {
		var got string
		if err := db.QueryRowContext(t.Context(), query).Scan(&got); err != nil {
			t.Errorf("%s: %v", query, err)
		}
		return got
	}
	left := int64(0)
	for _, g := range l.grants {
		left += g.left
	}
	open := 0
	for i := range l.freezes {
		if !l.freezes[i].lifted {
			open++
		}
	}
	for query, want := range map[string]any{
		"PRAGMA integrity_check":                                       "ok",
		"SELECT count(*) FROM pragma_foreign_key_check":                0,
		"SELECT count(*) FROM asks":                                    len(l.asks),
		"SELECT count(*) FROM attempts":                                len(l.runs),
		"SELECT count(DISTINCT ask_id) FROM attempts":                  len(l.runs),
		"SELECT count(*) FROM events":                                  l.seq,
		"SELECT count(*) FROM freezes":                                 len(l.freezes),
		"SELECT count(*) FROM freezes WHERE lifted_at = 0":             open,
		"SELECT count(*) FROM grants":                                  len(l.grants),
		"SELECT CAST(COALESCE(sum(uses_left), 0) AS TEXT) FROM grants": left,
		"SELECT count(*) FROM asks WHERE state = 'pending'":            l.counts.Pending,
	} {
		if got := one(query); got != fmt.Sprint(want) {
			t.Errorf("%s: %s, want %v", query, got, want)
		}
	}
}

// whole judges a store from its first event, by a reader that has seen nothing.
func whole(t testing.TB, store queue.Store) *ledger {
	t.Helper()
	l := newLedger()
	if _, err := l.follow(t.Context(), store); err != nil {
		t.Fatal(err)
	}
	if err := l.sameRows(t.Context(), store); err != nil {
		t.Fatal(err)
	}
	return l
}
