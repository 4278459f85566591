package memory_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"nod/ambiguity"
	"nod/digest"
	"nod/queue"
	"nod/queue/model/memory"
	"nod/store/sqlite"
)

// TestContract holds what no act of the queue reaches, because it looks before
// it writes: both stores say the same to a write whose condition does not hold,
// and keep an act that ends with a refusal, and no other that fails.
func TestContract(t *testing.T) {
	disk, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "nod", "nod.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := disk.Close(); err != nil {
			t.Error(err)
		}
	}()
	other, dup := digest.Of([]byte(`1`)), digest.Of([]byte(`2`))
	row := func(id string, s queue.State) *queue.Row {
		return &queue.Row{ID: id, Kind: "call", State: s, ActionDigest: dup, ShownDigest: dup, AskDigest: dup, Session: "s", Agent: "a",
			Reasons: []string{"default"}, AnswerBy: 100, UseWithinMS: 10}
	}
	run := func(s queue.AttemptState) *queue.Attempt {
		return &queue.Attempt{ID: "r", AskID: "a", Number: 1, State: s, Desk: true, Session: "s"}
	}
	effect := func(id, key string, ordinal int64) *queue.EffectRow {
		return &queue.EffectRow{ID: id, Key: key, Ordinal: ordinal, Standing: ambiguity.StandsFree, Alike: dup}
	}
	var ok bool
	move := func(r *queue.Row, from queue.State, now int64) func(queue.Tx) error {
		return func(tx queue.Tx) (err error) { ok, err = tx.MoveAsk(r, from, now); return err }
	}
	changed := row("a", queue.StateAllowed)
	changed.ShownDigest = other
	no := &queue.Refusal{Code: "no"}
	steps := []struct {
		name string
		do   func(tx queue.Tx) error
		ok   bool // what the conditional write says
		end  error
		err  bool
	}{
		{name: "file", do: func(tx queue.Tx) error { return tx.InsertAsk(row("a", queue.StatePending), []byte(`{}`)) }},
		{name: "file it twice", do: func(tx queue.Tx) error { return tx.InsertAsk(row("a", queue.StatePending), []byte(`{}`)) }, err: true},
		{name: "answer too late", do: move(row("a", queue.StateAllowed), queue.StatePending, 100)},
		{name: "answer another card", do: move(changed, queue.StatePending, 99)},
		{name: "answer what is not pending", do: move(row("a", queue.StateSpent), queue.StateAllowed, 99)},
		{name: "answer none", do: move(row("none", queue.StateAllowed), queue.StatePending, 99)},
		{name: "allow, undone", do: move(row("a", queue.StateAllowed), queue.StatePending, 99), ok: true, end: errors.New("no"), err: true},
		{name: "allow", do: move(row("a", queue.StateAllowed), queue.StatePending, 99), ok: true},
		{name: "expire what is allowed", do: move(row("a", queue.StateExpired), queue.StatePending, 200)},
		{name: "begin", do: func(tx queue.Tx) error { return tx.InsertAttempt(run(queue.AttemptExecuting)) }},
		{name: "begin it twice", do: func(tx queue.Tx) error { return tx.InsertAttempt(run(queue.AttemptExecuting)) }, err: true},
		{name: "report from another state", do: func(tx queue.Tx) (err error) {
			ok, err = tx.MoveAttempt(run(queue.AttemptCommitted), queue.AttemptUnknown)
			return err
		}},
		{name: "report", do: func(tx queue.Tx) (err error) {
			ok, err = tx.MoveAttempt(run(queue.AttemptUnknown), queue.AttemptExecuting)
			return err
		}, ok: true},
		{name: "wait for none", do: func(tx queue.Tx) error { return tx.SetWaiter("none", "h", 1, "") }, err: true},
		{name: "grant once", do: func(tx queue.Tx) error { return tx.InsertGrant(&queue.Grant{ID: "g", Left: 1, Until: 9}) }},
		{name: "use it", do: func(tx queue.Tx) error { return tx.UseGrant("g") }},
		{name: "use it again", do: func(tx queue.Tx) error { return tx.UseGrant("g") }, err: true},
		{name: "freeze, and be refused", do: func(tx queue.Tx) error { return tx.InsertFreeze(&queue.FreezeRow{Since: 3, By: "mia"}) }, end: no},
		{name: "lift", do: func(tx queue.Tx) error { return tx.LiftFreeze(1, 4) }},
		{name: "lift it again", do: func(tx queue.Tx) error { return tx.LiftFreeze(1, 5) }, err: true},
		{name: "notice", do: func(tx queue.Tx) error { return tx.InsertNotice(&queue.Notice{Code: "c"}) }},
		{name: "read it", do: func(tx queue.Tx) error { return tx.AckNotice(1, 4, "mia") }},
		{name: "read it again", do: func(tx queue.Tx) error { return tx.AckNotice(1, 4, "mia") }, err: true},
		{name: "an effect", do: func(tx queue.Tx) error { return tx.InsertEffect(effect("e", "k", 1)) }},
		{name: "another id of the same", do: func(tx queue.Tx) error { return tx.InsertEffect(effect("f", "k", 1)) }, err: true},
		{name: "the same id of another", do: func(tx queue.Tx) error { return tx.InsertEffect(effect("e", "l", 1)) }, err: true},
		{name: "one more of the key", do: func(tx queue.Tx) error { return tx.InsertEffect(effect("g", "k", 2)) }},
		{name: "one without key", do: func(tx queue.Tx) error { return tx.InsertEffect(effect("h", "", 1)) }},
		{name: "and another", do: func(tx queue.Tx) error { return tx.InsertEffect(effect("i", "", 1)) }},
		{name: "keep one that is not there", do: func(tx queue.Tx) error { return tx.PutEffect(effect("none", "k", 1)) }, err: true},
		{name: "put it on the desk", do: func(tx queue.Tx) error {
			e := effect("e", "another key", 9)
			e.Num, e.Open, e.Standing = 1, true, ambiguity.StandsUnknown
			return tx.PutEffect(e)
		}},
		{name: "an event out of place", do: func(tx queue.Tx) error {
			return tx.AppendEvent(queue.StoredEvent{Seq: 7, Hash: fmt.Sprintf("%064d", 0), Body: []byte(`{}`)})
		}, err: true},
	}
	for name, store := range map[string]queue.Store{"sqlite": disk, "memory": memory.New("id")} {
		for _, s := range steps {
			ok = false
			err := store.Do(t.Context(), func(tx queue.Tx) error {
				_ = s.do(tx) // the store itself must know
				return s.end
			})
			var refusal *queue.Refusal
			if errors.As(err, &refusal) != (s.end == no) || (err != nil && refusal == nil) != s.err {
				t.Errorf("%s: %s: %v", name, s.name, err)
			}
			if ok != s.ok {
				t.Errorf("%s: %s: told %v", name, s.name, ok)
			}
		}
		err := store.View(t.Context(), func(tx queue.ReadTx) error {
			c, err := tx.Counters()
			if want := (queue.Counters{Allowed: 1, Unknown: 1, Asks: 1}); c != want {
				t.Errorf("%s: the counters are %+v, want %+v", name, c, want)
			}
			e, err2 := tx.EffectByKey("k")
			if e == nil || e.ID != "e" || e.Num != 1 { // unknown: it counts before the newer one
				t.Errorf("%s: the effect of the key that counts is %+v", name, e)
			}
			return errors.Join(err, err2)
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// A State that was taken stays as it was, whatever comes after it, and can be
// put back.
func TestAStateStays(t *testing.T) {
	p := newPair(t, 7)
	s := p.sides[1]
	store := s.store.(*memory.Store)
	look := func() (raw []any) {
		err := store.View(t.Context(), func(tx queue.ReadTx) error {
			events, _, err := tx.Events(queue.QEvents{Limit: 999})
			raw = append(p.raw(tx, 1_800_000_100_000), events)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	some := func(n int) (states []*memory.State) {
		for range n {
			p.pass()
			who, act := p.act()
			if r, err := s.ports[who].Do(t.Context(), act); err == nil {
				p.learn(r)
			}
			states = append(states, store.State())
		}
		return states
	}
	states := some(120)
	p.asks = slices.Clip(p.asks[:min(len(p.asks), 40)])
	known := p.asks
	var was [][]any
	for _, state := range states {
		store.Put(state)
		was = append(was, look())
	}
	for range 60 { // other histories from old states
		store.Put(one(p, states...))
		some(5)
	}
	p.asks = known
	for i, state := range states {
		store.Put(state)
		if !reflect.DeepEqual(look(), was[i]) {
			t.Fatalf("state %d has changed", i)
		}
	}
	if store.Put(states[99].Forget()); len(look()) != len(was[99]) || store.State().Head != states[99].Head {
		t.Error("a state without its events is another one")
	}
}
