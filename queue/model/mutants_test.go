package model

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"nod/queue"
)

// mutant is a store with a fault in it, and the rule that the search must find
// broken.
type mutant struct {
	name string
	rule string
	wrap func(queue.Tx) queue.Tx
}

// faulty puts a mutant between queue and store.
type faulty struct {
	queue.Store
	wrap func(queue.Tx) queue.Tx
}

func (f faulty) Do(ctx context.Context, fn func(queue.Tx) error) error {
	return f.Store.Do(ctx, func(tx queue.Tx) error { return fn(f.wrap(tx)) })
}

// bad is a Tx of which some methods have a fault.
type bad struct {
	queue.Tx
	row     func(*queue.Row)     // what is read of an ask
	run     func(*queue.Attempt) // what is read of an attempt
	moving  func(row *queue.Row, from *queue.State, now *int64)
	blind   bool // sees no freeze that holds
	lifted  bool // sees no freeze that was lifted
	free    bool // counts no use of a grant
	mute    string
	forgets bool // an attempt is not kept
	never   bool // nothing is due
}

func (b bad) Ask(id string) (*queue.Row, error) {
	row, err := b.Tx.Ask(id)
	if row != nil && b.row != nil {
		b.row(row)
	}
	return row, err
}

func (b bad) MoveAsk(row *queue.Row, from queue.State, now int64) (bool, error) {
	if b.moving != nil {
		b.moving(row, &from, &now)
	}
	return b.Tx.MoveAsk(row, from, now)
}

// anyState is a MoveAsk that does not look at the state it leaves.
func anyState(tx queue.Tx) func(row *queue.Row, from *queue.State, now *int64) {
	return func(row *queue.Row, from *queue.State, _ *int64) {
		if kept, err := tx.Ask(row.ID); err == nil && kept != nil {
			*from = kept.State
		}
	}
}

func (b bad) Attempt(id string) (*queue.Attempt, error) {
	a, err := b.Tx.Attempt(id)
	if a != nil && b.run != nil {
		b.run(a)
	}
	return a, err
}

func (b bad) Freezes() ([]queue.FreezeRow, error) {
	if b.blind {
		return nil, nil
	}
	return b.Tx.Freezes()
}

func (b bad) FreezeAfter(session string, since int64) (*queue.FreezeRow, error) {
	f, err := b.Tx.FreezeAfter(session, since)
	if f != nil && (b.blind || b.lifted && f.LiftedAt != 0) {
		return nil, nil
	}
	return f, err
}

func (b bad) UseGrant(id string) error {
	if b.free {
		return nil
	}
	return b.Tx.UseGrant(id)
}

func (b bad) AppendEvent(e queue.StoredEvent) error {
	if b.mute != "" && strings.Contains(string(e.Body), `"act":"`+b.mute+`"`) {
		return nil
	}
	return b.Tx.AppendEvent(e)
}

func (b bad) InsertAttempt(a *queue.Attempt) error {
	if b.forgets {
		return nil
	}
	return b.Tx.InsertAttempt(a)
}

func (b bad) DueAsks(now, limit int64) ([]queue.Row, error) {
	if b.never {
		return nil, nil
	}
	return b.Tx.DueAsks(now, limit)
}

func (b bad) DueAttempts(now, limit int64) ([]queue.Attempt, error) {
	if b.never {
		return nil, nil
	}
	return b.Tx.DueAttempts(now, limit)
}

// touching changes an ask and then refuses.
type touching struct {
	queue.Tx
}

func (b touching) Freezes() ([]queue.FreezeRow, error) {
	list, err := b.Tx.Freezes()
	if len(list) > 0 {
		_ = b.Tx.LiftFreeze(list[0].ID, list[0].Since)
	}
	return list, err
}

// as reads an ask in one state as one in another.
func as(from, to queue.State) func(*queue.Row) {
	return func(row *queue.Row) {
		if row.State == from {
			row.State = to
		}
	}
}

const far = start * 2

var mutants = []mutant{
	{"a spent ask is read as allowed, and a change does not look at the state it leaves", "I7", func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, row: as(queue.StateSpent, queue.StateAllowed), moving: anyState(tx)}
	}},
	{"a denied ask is read as pending, and a change does not look at the state it leaves", "I7", func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, row: as(queue.StateDenied, queue.StatePending), moving: anyState(tx)}
	}},
	{"the time to answer is lost", "I1", func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, never: true, row: func(r *queue.Row) { r.AnswerBy = far },
			moving: func(_ *queue.Row, _ *queue.State, now *int64) { *now = 0 }}
	}},
	{"the time to use is lost", "I2", func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, never: true, row: func(r *queue.Row) { r.UseWithinMS = far },
			moving: func(r *queue.Row, _ *queue.State, _ *int64) { r.UseWithinMS = useMS }}
	}},
	{"the hold of a decision is not kept", "I7", func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, moving: func(r *queue.Row, _ *queue.State, _ *int64) { r.NotBefore = 0 }}
	}},
	{"the hold of a decision is not read", "I2", func(tx queue.Tx) queue.Tx {
		var held int64
		return bad{Tx: tx, row: func(r *queue.Row) { held, r.NotBefore = r.NotBefore, 0 },
			moving: func(r *queue.Row, from *queue.State, _ *int64) { r.NotBefore = max(r.NotBefore, held) }}
	}},
	{"the end of a lease is lost", "I4", func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, never: true, run: func(a *queue.Attempt) { a.Lease = far }}
	}},
	{"no freeze is seen", "frozen twice", func(tx queue.Tx) queue.Tx { return bad{Tx: tx, blind: true} }},
	{"no freeze is seen once it is lifted", "I9", func(tx queue.Tx) queue.Tx { return bad{Tx: tx, lifted: true} }},
	{"the uses of a grant are not counted", "begins on a grant", func(tx queue.Tx) queue.Tx { return bad{Tx: tx, free: true} }},
	{"an attempt is not kept", "I7", func(tx queue.Tx) queue.Tx { return bad{Tx: tx, forgets: true} }},
	{"the lapse of an allow leaves no event", "I7", func(tx queue.Tx) queue.Tx { return bad{Tx: tx, mute: "lapse"} }},
	{"a report leaves no event", "I7", func(tx queue.Tx) queue.Tx { return bad{Tx: tx, mute: "report"} }},
	{"the words of a decision are lost", "I8", func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, moving: func(r *queue.Row, _ *queue.State, _ *int64) { r.Words = "" }}
	}},
	{"an ask shows another one's card", "I6", func(tx queue.Tx) queue.Tx {
		var own string
		return bad{Tx: tx, row: func(r *queue.Row) {
			for _, id := range []string{"019ad5e2-0000-7000-8000-000000000001", "019ad5e2-0000-7000-8000-000000000003"} {
				if other, err := tx.Ask(id); id != r.ID && err == nil && other != nil {
					own, r.ShownDigest = string(r.ShownDigest), other.ShownDigest
				}
			}
		}, moving: func(r *queue.Row, _ *queue.State, _ *int64) {
			if kept, err := tx.Ask(r.ID); err == nil && own != "" {
				r.ShownDigest = kept.ShownDigest
			}
		}}
	}},
	{"a refused act lifts the freeze that refused it", "I10", func(tx queue.Tx) queue.Tx { return touching{tx} }},
}

// TestAFaultOnPurposeIsFound: each mutant breaks its rule within the depth, and
// the search gives a shortest history that does it.
func TestAFaultOnPurposeIsFound(t *testing.T) {
	var table strings.Builder
	for _, m := range mutants {
		o := Options{Depth: 10, Workers: runtime.GOMAXPROCS(0), Wrap: func(s queue.Store) queue.Store { return faulty{s, m.wrap} }}
		f := Search(t.Context(), o)
		if f.Fault == nil {
			t.Errorf("%s: not found in %d states", m.name, f.States)
			continue
		}
		if !strings.Contains(f.Fault.Rule.Error(), m.rule) {
			t.Errorf("%s: breaks %v, not %s", m.name, f.Fault.Rule, m.rule)
		}
		fmt.Fprintf(&table, "%-82s %-5s %2d steps, %5d states\n", m.name, m.rule, len(f.ByDepth)-1, f.States)
		t.Logf("%s: %v\n%s", m.name, f.Fault.Rule, f.Fault.Trace(t.Context(), o))
	}
	t.Logf("mutants found:\n%s", table.String())
}

// TestHalfAFaultIsHarmless: the conditions of the store's writes hold what the
// queue's own look would have let through.
func TestHalfAFaultIsHarmless(t *testing.T) {
	for name, wrap := range map[string]func(queue.Tx) queue.Tx{
		"a spent ask is read as allowed":                func(tx queue.Tx) queue.Tx { return bad{Tx: tx, row: as(queue.StateSpent, queue.StateAllowed)} },
		"a change does not look at the state it leaves": func(tx queue.Tx) queue.Tx { return bad{Tx: tx, moving: anyState(tx)} },
		"the time to answer is read as another one": func(tx queue.Tx) queue.Tx {
			return bad{Tx: tx, never: true, row: func(r *queue.Row) { r.AnswerBy = far }}
		},
	} {
		o := Options{Depth: 6, Workers: runtime.GOMAXPROCS(0), Wrap: func(s queue.Store) queue.Store { return faulty{s, wrap} }}
		if f := Search(t.Context(), o); f.Fault != nil {
			t.Errorf("%s: %v\n%s", name, f.Fault.Rule, f.Fault.Trace(t.Context(), o))
		}
	}
}
