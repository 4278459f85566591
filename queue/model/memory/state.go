package memory

import (
	"maps"
	"slices"

	"nod/digest"
	"nod/queue"
)

// State is all that a store holds. Nothing in it is ever changed: an act makes
// a new State, which shares with the one before what the act left alone. So a
// State is kept by keeping its pointer, and two rows are the same row when their
// pointers are equal. Whoever reads it changes nothing either.
type State struct {
	Head       queue.Head
	Clock      queue.Clock
	Counters   queue.Counters
	Asks       []*queue.Row // by Seq-1
	Attempts   []*queue.Attempt
	Sessions   []*queue.Session // in the order of their first act
	Records    []*queue.Record
	Grants     []*queue.Grant
	Freezes    []*queue.FreezeRow // by ID-1
	Notices    []*queue.Notice    // by ID-1
	Effects    []*queue.EffectRow // by Num-1
	Facts      []*queue.Fact      // as appended
	Repeats    []*queue.Repeat
	Deliveries []*queue.Delivery // in the order of their first write

	Policies     []*queue.PolicyRow // by Num-1
	Stated       []*queue.Stated
	Scopes       []*queue.ScopeRow       // by Num-1
	Transactions []*queue.TransactionRow // by Num-1

	bodies   [][]byte // of asks, by Seq-1
	keys     []string // the effect keys of asks, by Seq-1
	events   *link    // newest first
	marks    map[int64]queue.Mark
	contents map[digest.Digest][]byte
}

// link is one event of the chain and those before it.
type link struct {
	queue.StoredEvent
	before *link
}

// Forget gives s without the events of the chain. Their head stays, so that the
// chain goes on; a search that has judged them needs their room.
func (s *State) Forget() *State {
	c := *s
	c.events = nil
	return &c
}

// since lists the events after a number, oldest first.
func (s *State) since(after int64) []queue.StoredEvent {
	var list []queue.StoredEvent
	for l := s.events; l != nil && l.Seq > after; l = l.before {
		list = append(list, l.StoredEvent)
	}
	slices.Reverse(list)
	return list
}

// with gives list with v at i; list stays as it was.
func with[T any](list []*T, i int, v *T) []*T {
	list = slices.Clone(list)
	list[i] = v
	return list
}

// and gives list with v at its end; list and all that share its memory stay as
// they were.
func and[T any](list []T, v T) []T { return append(list[:len(list):len(list)], v) }

// holding gives m with v under k, or without k when v is the zero value.
func holding[K, V comparable](m map[K]V, k K, v V) map[K]V {
	var zero V
	c := maps.Clone(m)
	if v == zero {
		delete(c, k)
		return c
	}
	if c == nil {
		c = map[K]V{}
	}
	c[k] = v
	return c
}

// find gives the row whose id is asked for, and its place.
func find[T any](list []*T, is func(*T) bool) (int, *T) {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return i, list[i]
	}
	return -1, nil
}

// copied gives a caller a row of its own.
func copied[T any](row *T) *T {
	if row == nil {
		return nil
	}
	c := *row
	return &c
}

// some lists copies of the rows that are asked for, in their order; n bounds
// them when it is not negative.
func some[T any](list []*T, n int64, is func(*T) bool) []T {
	var out []T
	for _, row := range list {
		if n >= 0 && int64(len(out)) >= n {
			break
		}
		if is(row) {
			out = append(out, *row)
		}
	}
	return out
}
