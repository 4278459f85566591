package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"nod/queue"
)

// pageSize is how many events one read of the port brings.
const pageSize = 500

// Report is what a verified history comes to.
type Report struct {
	Store       string `json:"store"`
	Events      int64  `json:"events"`
	Head        string `json:"head"`  // hash of the newest event, 64 hex digits
	First       int64  `json:"first"` // effective times, Unix ms; 0 without events
	Last        int64  `json:"last"`
	Checkpoints int    `json:"checkpoints"` // that were compared
	Signed      int64  `json:"signed"`      // events that the newest of them covers
}

// genesis is prev of the first event: 32 zero bytes.
var genesis = strings.Repeat("0", 64)

// Verify reads the whole history up to the head it finds and checks it, also
// against marks (Keeper.Checkpoints). An error that is a *Fault says what is
// wrong first; others say that it could not be read.
func Verify(ctx context.Context, port queue.Port, marks []Checkpoint) (Report, error) {
	r, _, err := verify(ctx, port, marks)
	return r, err
}

// verify is Verify; it also gives the chain, to go on from.
func verify(ctx context.Context, port queue.Port, marks []Checkpoint) (Report, *chain, error) {
	status, err := queue.Get[queue.Status](ctx, port, queue.QStatus{})
	if err != nil {
		return Report{}, nil, fmt.Errorf("read the store's status: %w", err)
	}
	marks = slices.Clone(marks)
	slices.SortFunc(marks, func(a, b Checkpoint) int { return int(min(max(a.Size-b.Size, -1), 1)) })
	c := chain{store: status.StoreID, head: genesis, life: newLife()}
	r := Report{Store: status.StoreID}
	for len(marks) > 0 && marks[0].Size == 0 {
		marks = marks[1:]
	}
	err = c.follow(ctx, port, status.Event, func(e *event) error {
		if r.First == 0 {
			r.First = e.Effective
		}
		r.Last = e.Effective
		for len(marks) > 0 && marks[0].Size == c.tree.size {
			if f := marks[0].compare(&c); f != nil {
				return f
			}
			r.Checkpoints, r.Signed = r.Checkpoints+1, marks[0].Size
			marks = marks[1:]
		}
		return nil
	})
	if err != nil {
		return Report{}, nil, err
	}
	if len(marks) > 0 {
		last := marks[len(marks)-1]
		if f := last.compareStore(c.store); f != nil {
			return Report{}, nil, f
		}
		return Report{}, nil, fault(CodeTruncated, 0, "the store holds %d events, and %d were signed in a checkpoint", c.tree.size, last.Size)
	}
	if c.head != status.Head {
		return Report{}, nil, fault(CodeHead, c.tree.size, "the store's head is not the hash of its newest event")
	}
	if f := c.life.counts(&status.Counters); f != nil {
		return Report{}, nil, f
	}
	r.Events, r.Head = c.tree.size, c.head
	return r, &c, nil
}

// chain is where a reader of the events stands.
type chain struct {
	store string
	head  string // hash of the newest event, or genesis
	time  int64  // its effective time
	tree  tree
	life  *life // nil: the acts are not held against the table
}

// follow reads the events after c's newest up to number until and checks each;
// then seen gets it, when not nil.
func (c *chain) follow(ctx context.Context, port queue.Port, until int64, seen func(*event) error) error {
	for c.tree.size < until {
		page, err := queue.Get[queue.Events](ctx, port, queue.QEvents{After: c.tree.size, Limit: min(pageSize, until-c.tree.size)})
		if err != nil {
			return fmt.Errorf("read the events after %d: %w", c.tree.size, err)
		}
		if len(page.Events) == 0 {
			return fault(CodeGap, c.tree.size+1, "the event is missing: the store says that it has %d", until)
		}
		for i := range page.Events {
			if c.tree.size == until {
				break
			}
			e, f := c.next(&page.Events[i])
			if f != nil {
				return f
			}
			if seen == nil {
				continue
			}
			if err := seen(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// next checks one event and steps behind it.
func (c *chain) next(s *queue.StoredEvent) (*event, *Fault) {
	seq := c.tree.size + 1
	if s.Seq != seq {
		return nil, fault(CodeGap, seq, "event %d stands in its place", s.Seq)
	}
	sum := sha256.Sum256(s.Body)
	hash := hex.EncodeToString(sum[:])
	if hash != s.Hash {
		return nil, fault(CodeHash, seq, "its bytes are not those that were hashed")
	}
	e, ok := read(s.Body)
	switch {
	case !ok:
		return nil, fault(CodeForm, seq, "it is not a %s document", queue.TypeEvent)
	case e.Seq != seq:
		return nil, fault(CodeGap, seq, "it was written as event %d", e.Seq)
	case e.Prev != c.head:
		return nil, fault(CodeLink, seq, "it does not follow the event before it")
	case e.Store != c.store:
		return nil, fault(CodeStore, seq, "it belongs to another store")
	case e.Effective < c.time || e.Effective <= 0:
		return nil, fault(CodeTime, seq, "its time is before that of the event before it")
	}
	if c.life != nil {
		if why := c.life.step(e); why != "" {
			return nil, fault(CodeLife, seq, "%s", why)
		}
	}
	c.tree.add(s.Body)
	c.head, c.time = hash, e.Effective
	return e, nil
}
