package model

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nod/ambiguity"
	"nod/queue"
)

// mutant is a store with a fault in it, and the rule that the search must find
// broken.
type mutant struct {
	name  string
	rule  string
	wrap  func(queue.Tx) queue.Tx
	begin []string // where the search begins; nil: at the beginning

	mandated bool
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
	forgets bool                   // an attempt is not kept
	twice   bool                   // an attempt is kept twice
	filed   func(*queue.Row)       // what is kept of a new ask
	never   bool                   // nothing is due
	effect  func(*queue.EffectRow) // what is read of an effect
	keyed   func(key string) (*queue.EffectRow, error)
	filing  func(*queue.EffectRow) // what is kept of a new effect
	keeping func(*queue.EffectRow) // and of one that was there
	facts   func([]queue.Fact) []queue.Fact
}

func (b bad) Effect(id string) (*queue.EffectRow, error) {
	e, err := b.Tx.Effect(id)
	if e != nil && b.effect != nil {
		b.effect(e)
	}
	return e, err
}

func (b bad) EffectByKey(key string) (*queue.EffectRow, error) {
	if b.keyed != nil {
		return b.keyed(key)
	}
	e, err := b.Tx.EffectByKey(key)
	if e != nil && b.effect != nil {
		b.effect(e)
	}
	return e, err
}

func (b bad) InsertEffect(e *queue.EffectRow) error {
	if b.filing != nil {
		b.filing(e)
	}
	return b.Tx.InsertEffect(e)
}

func (b bad) PutEffect(e *queue.EffectRow) error {
	if b.keeping != nil {
		b.keeping(e)
	}
	return b.Tx.PutEffect(e)
}

func (b bad) Facts(effect string) ([]queue.Fact, error) {
	list, err := b.Tx.Facts(effect)
	if b.facts != nil {
		list = b.facts(list)
	}
	return list, err
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
	if b.twice {
		other := *a
		other.ID += "-2"
		if err := b.Tx.InsertAttempt(&other); err != nil {
			return err
		}
	}
	return b.Tx.InsertAttempt(a)
}

func (b bad) InsertAsk(row *queue.Row, body []byte) error {
	if b.filed != nil {
		b.filed(row)
	}
	return b.Tx.InsertAsk(row, body)
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
	{name: "a spent ask is read as allowed, and a change does not look at the state it leaves", rule: "I7", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, row: as(queue.StateSpent, queue.StateAllowed), moving: anyState(tx)}
	}},
	{name: "a denied ask is read as pending, and a change does not look at the state it leaves", rule: "I7", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, row: as(queue.StateDenied, queue.StatePending), moving: anyState(tx)}
	}},
	{name: "the time to answer is lost", rule: "I1", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, never: true, row: func(r *queue.Row) { r.AnswerBy = far },
			moving: func(_ *queue.Row, _ *queue.State, now *int64) { *now = 0 }}
	}},
	{name: "the time to use is lost", rule: "I2", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, never: true, row: func(r *queue.Row) { r.UseWithinMS = far },
			moving: func(r *queue.Row, _ *queue.State, _ *int64) { r.UseWithinMS = useMS }}
	}},
	{name: "the hold of a decision is not kept", rule: "I7", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, moving: func(r *queue.Row, _ *queue.State, _ *int64) { r.NotBefore = 0 }}
	}},
	{name: "the hold of a decision is not read", rule: "I2", wrap: func(tx queue.Tx) queue.Tx {
		var held int64
		return bad{Tx: tx, row: func(r *queue.Row) { held, r.NotBefore = r.NotBefore, 0 },
			moving: func(r *queue.Row, from *queue.State, _ *int64) { r.NotBefore = max(r.NotBefore, held) }}
	}},
	{name: "the end of a lease is lost", rule: "I4", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, never: true, run: func(a *queue.Attempt) { a.Lease = far }}
	}},
	{name: "no freeze is seen", rule: "frozen twice", wrap: func(tx queue.Tx) queue.Tx { return bad{Tx: tx, blind: true} }},
	{name: "no freeze is seen once it is lifted", rule: "I9", wrap: func(tx queue.Tx) queue.Tx { return bad{Tx: tx, lifted: true} }},
	{name: "the uses of a grant are not counted", rule: "begins on a grant", wrap: func(tx queue.Tx) queue.Tx { return bad{Tx: tx, free: true} },
		begin: []string{"left submits", "ben denies ask 1", "ben grants", "left submits its call again", "left begins ask 1", "left reports attempt 1: blocked"}},
	{name: "an attempt is not kept", rule: "I7", wrap: func(tx queue.Tx) queue.Tx { return bad{Tx: tx, forgets: true} }},
	{name: "an attempt is kept twice", rule: "I3", wrap: func(tx queue.Tx) queue.Tx { return bad{Tx: tx, twice: true} }},
	{name: "a mandated ask is kept as one that is not", rule: "I6", mandated: true, wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, row: func(r *queue.Row) { r.Mandated = false }}
	}},
	{name: "a mandated ask is kept as allowed by a grant", rule: "I6", mandated: true, wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, filed: func(r *queue.Row) {
			r.State, r.Verdict, r.DecidedBy, r.DecidedAt = queue.StateAllowed, queue.VerdictAllow, queue.ByGrant, r.CreatedAt
		}}
	}},
	{name: "the lapse of an allow leaves no event", rule: "I7", wrap: func(tx queue.Tx) queue.Tx { return bad{Tx: tx, mute: "lapse"} }},
	{name: "a report leaves no event", rule: "I7", wrap: func(tx queue.Tx) queue.Tx { return bad{Tx: tx, mute: "report"} }},
	{name: "the words of a decision are lost", rule: "I8", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, moving: func(r *queue.Row, _ *queue.State, _ *int64) { r.Words = "" }}
	}},
	{name: "an ask shows another one's card", rule: "I6", wrap: func(tx queue.Tx) queue.Tx {
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
	{name: "a refused act lifts the freeze that refused it", rule: "I10", wrap: func(tx queue.Tx) queue.Tx { return touching{tx} }},
	{name: "the effect of a key is not found", rule: "I5", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, keyed: func(string) (*queue.EffectRow, error) { return nil, nil },
			filing: func(e *queue.EffectRow) {
				if known, err := tx.EffectByKey(e.Key); err == nil && known != nil {
					e.Ordinal = known.Ordinal + 1
				}
			}}
	}},
	{name: "an effect that happened is read as free", rule: "I5", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, effect: standsAs(ambiguity.StandsCommitted, ambiguity.StandsFree)}
	}, begin: []string{"left submits", "ann allows ask 1", "left begins ask 1"}},
	{name: "an effect that nobody knows of is read as free", rule: "I5", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, effect: standsAs(ambiguity.StandsUnknown, ambiguity.StandsFree)}
	}},
	{name: "an effect that executes is read as free", rule: "I5", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, effect: standsAs(ambiguity.StandsExecuting, ambiguity.StandsFree)}
	}},
	{name: "the time of the last answer is lost", rule: "I5", wrap: func(tx queue.Tx) queue.Tx {
		answered := int64(0)
		return bad{Tx: tx, effect: func(e *queue.EffectRow) { answered, e.ReconciledAt = e.ReconciledAt, 0 },
			keeping: func(e *queue.EffectRow) { e.ReconciledAt = max(e.ReconciledAt, answered) }}
	}, begin: []string{"left submits", "right submits", "ann allows ask 1", "ann allows ask 2", "left begins ask 1", "left reports attempt 1: failure"}},
	{name: "the settle time is lost", rule: "I4", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, run: func(a *queue.Attempt) { a.SettleMS = 0 }}
	}},
	{name: "what observers saw is lost", rule: "I4", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, facts: func(list []queue.Fact) []queue.Fact {
			return slices.DeleteFunc(list, func(f queue.Fact) bool { return f.Kind == ambiguity.Observation })
		}}
	}},
	{name: "an effect is not put on the desk", rule: "nobody's desk", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, keeping: func(e *queue.EffectRow) { e.Open = false }}
	}},
	{name: "an answer leaves no event", rule: "I7", wrap: func(tx queue.Tx) queue.Tx { return bad{Tx: tx, mute: "reconcile"} }},
	{name: "only the newest effect of a key counts", rule: "I5", wrap: func(tx queue.Tx) queue.Tx {
		return bad{Tx: tx, keyed: func(key string) (newest *queue.EffectRow, err error) {
			list, _, err := tx.Effects(queue.QEffects{Limit: 99})
			for i := range list {
				if list[i].Key == key && (newest == nil || list[i].Ordinal > newest.Ordinal) {
					newest = &list[i]
				}
			}
			return newest, err
		}}
	}, begin: beginnings["a second one may be asked for"]},
}

func standsAs(from, to ambiguity.Standing) func(*queue.EffectRow) {
	return func(e *queue.EffectRow) {
		if e.Standing == from {
			e.Standing = to
		}
	}
}

// TestAFaultOnPurposeIsFound: each mutant breaks its rule within the depth, and
// the search gives a shortest history that does it.
func TestAFaultOnPurposeIsFound(t *testing.T) {
	alone(t)
	var table strings.Builder
	for _, m := range mutants {
		o := Options{Depth: 10, Begin: m.begin, Mandated: m.mandated, Wrap: func(s queue.Store) queue.Store { return faulty{s, m.wrap} }}
		f := Search(t.Context(), o)
		if f.Fault == nil {
			t.Errorf("%s: not found in %d states", m.name, f.States)
			continue
		}
		if !strings.Contains(f.Fault.Rule.Error(), m.rule) {
			t.Errorf("%s: breaks %v, not %s", m.name, f.Fault.Rule, m.rule)
		}
		fmt.Fprintf(&table, "%-82s %-18s %2d steps, %5d states\n", m.name, m.rule, len(m.begin)+f.Fault.depth(), f.States)
		t.Logf("%s: %v\n%s", m.name, f.Fault.Rule, f.Fault.Trace(t.Context(), o))
	}
	t.Logf("mutants found:\n%s", table.String())
}

// TestHalfAFaultIsHarmless: the conditions of the store's writes hold what the
// queue's own look would have let through.
func TestHalfAFaultIsHarmless(t *testing.T) {
	alone(t)
	for name, wrap := range map[string]func(queue.Tx) queue.Tx{
		"a spent ask is read as allowed":                func(tx queue.Tx) queue.Tx { return bad{Tx: tx, row: as(queue.StateSpent, queue.StateAllowed)} },
		"a change does not look at the state it leaves": func(tx queue.Tx) queue.Tx { return bad{Tx: tx, moving: anyState(tx)} },
		"an outcome that is settled is read as unknown": func(tx queue.Tx) queue.Tx {
			return bad{Tx: tx, run: func(a *queue.Attempt) {
				if a.State == queue.AttemptCommitted {
					a.State = queue.AttemptUnknown
				}
			}}
		},
		"the time to answer is read as another one": func(tx queue.Tx) queue.Tx {
			return bad{Tx: tx, never: true, row: func(r *queue.Row) { r.AnswerBy = far }}
		},
	} {
		o := Options{Depth: 6, Wrap: func(s queue.Store) queue.Store { return faulty{s, wrap} }}
		if f := Search(t.Context(), o); f.Fault != nil {
			t.Errorf("%s: %v\n%s", name, f.Fault.Rule, f.Fault.Trace(t.Context(), o))
		}
	}
}
