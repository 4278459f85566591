package memory

import (
	"context"
	"errors"
	"time"

	"nod/queue"
)

// Store holds one State at a time.
type Store struct{ now *State }

var _ queue.Store = (*Store)(nil)

// New gives an empty store with an id of the chain.
func New(id string) *Store {
	return &Store{now: &State{Head: queue.Head{StoreID: id}}}
}

// State is what the store holds. An act that wrote nothing leaves the same
// pointer.
func (m *Store) State() *State { return m.now }

// Put makes s what the store holds: a State of before, or of another store.
func (m *Store) Put(s *State) { m.now = s }

// Do implements queue.Store. A panic of fn undoes what it wrote.
func (m *Store) Do(ctx context.Context, fn func(tx queue.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	next := *m.now
	t := &tx{reader: reader{&next}}
	err := fn(t)
	var refusal *queue.Refusal
	if err != nil && !errors.As(err, &refusal) {
		return err
	}
	if t.err != nil {
		return t.err
	}
	if t.wrote {
		m.now = &next
	}
	return err
}

// View implements queue.Store.
func (m *Store) View(ctx context.Context, fn func(tx queue.ReadTx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return fn(&reader{m.now})
}

// Watch tells nobody: a store that goes back in time has no news.
func (m *Store) Watch(context.Context, time.Duration) (<-chan int64, error) {
	return nil, errors.ErrUnsupported
}
