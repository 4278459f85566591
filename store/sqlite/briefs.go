package sqlite

import (
	"database/sql/driver"
	"errors"
	"math"
	"strings"

	"nod/queue"
)

// Each column of a result costs as much as finding its row, so that texts come
// as one; state and decided_by are words, and the tool may hold anything.
const (
	briefsPending = "SELECT created_at, tool FROM asks INDEXED BY asks_pending WHERE state = 'pending' LIMIT ?"
	briefsPast    = "SELECT created_at, decided_at, state || ' ' || decided_by || ' ' || tool" +
		" FROM asks INDEXED BY asks_history WHERE state <> 'pending' AND seq < ? ORDER BY seq DESC LIMIT ?"
	sessionsPending = "SELECT session FROM asks INDEXED BY asks_pending WHERE state = 'pending' LIMIT ?"
)

func notABrief() error { return damaged(errors.New("an ask's columns are of another kind")) }

func (r *reader) Briefs(since, limit int64, see func(*queue.Brief)) (more bool, err error) {
	left := limit
	var b queue.Brief
	var two [2]driver.Value
	err = r.c.query(briefsPending, two[:], func() error {
		if left--; left < 0 {
			more = true
			return errEnough
		}
		var ok1, ok2 bool
		b = queue.Brief{State: queue.StatePending}
		b.CreatedAt, ok1 = two[0].(int64)
		b.Tool, ok2 = two[1].(string)
		if !ok1 || !ok2 {
			return notABrief()
		}
		see(&b)
		return nil
	}, limit+1)
	if more || err != nil {
		return more, notEnough(err)
	}
	var three [3]driver.Value
	err = r.c.query(briefsPast, three[:], func() error {
		made, ok1 := three[0].(int64)
		decided, ok2 := three[1].(int64)
		text, ok3 := three[2].(string)
		state, rest, ok4 := strings.Cut(text, " ")
		by, tool, ok5 := strings.Cut(rest, " ")
		switch {
		case !ok1 || !ok2 || !ok3 || !ok4 || !ok5:
			return notABrief()
		case made < since: // numbers are given in the order of time
			return errEnough
		}
		if left--; left < 0 {
			more = true
			return errEnough
		}
		b = queue.Brief{CreatedAt: made, DecidedAt: decided, State: queue.State(state), By: queue.DecidedBy(by), Tool: tool}
		see(&b)
		return nil
	}, int64(math.MaxInt64), left+1)
	return more, notEnough(err)
}

// notEnough is err, unless it only ended a query.
func notEnough(err error) error {
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

func (r *reader) Waiting(limit int64) (map[string]int64, error) {
	waits := map[string]int64{}
	var row [1]driver.Value
	err := r.c.query(sessionsPending, row[:], func() error {
		session, ok := row[0].(string)
		if !ok {
			return notABrief()
		}
		waits[session]++
		return nil
	}, limit)
	return waits, err
}
