package model

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"nod/queue"
)

// Options say how far and over what a search goes.
type Options struct {
	Depth   int                           // steps of the longest history
	Workers int                           // how many positions are looked at at once; 0: one
	Wrap    func(queue.Store) queue.Store // stands between queue and store, to put a fault in; nil: nothing

	Unwatched bool // no observer is configured: a tool's durable word counts

	backwards bool // meet the positions in another order
}

// Found is what a search saw.
type Found struct {
	States  int64            // different positions
	Steps   int64            // acts tried and movements of the clock
	ByDepth []int64          // new positions at each depth; the first is the beginning
	Done    map[string]int64 // steps carried out, and refusals by their code
	Fault   *Fault           // nil: no rule was broken
}

// Fault is a broken rule with a shortest history that breaks it.
type Fault struct {
	Rule  error
	trail *trail
}

// visited is the set of positions that were met.
type visited [64]struct {
	sync.Mutex
	forms map[[16]byte]struct{}
}

// meet adds a form and reports whether it is new.
func (v *visited) meet(f [16]byte) bool {
	part := &v[f[0]%64]
	part.Lock()
	defer part.Unlock()
	if part.forms == nil {
		part.forms = map[[16]byte]struct{}{}
	}
	if _, known := part.forms[f]; known {
		return false
	}
	part.forms[f] = struct{}{}
	return true
}

// searcher is one of those that look at positions of one depth.
type searcher struct {
	w     *world
	room  []step
	next  []*position
	fresh int64
	steps int64
	done  map[string]int64
	fault *Fault
}

// Search goes through all histories of at most o.Depth steps, the shorter ones
// first, and ends with the depth in which a rule is broken.
func Search(ctx context.Context, o Options) *Found {
	all := make([]*searcher, max(1, o.Workers))
	for i := range all {
		all[i] = &searcher{w: newWorld(&o), done: map[string]int64{}}
	}
	seen := &visited{}
	at := []*position{all[0].w.first()}
	seen.meet(at[0].form())
	f := &Found{States: 1, ByDepth: []int64{1}}
	for depth := 1; depth <= o.Depth && len(at) > 0 && f.Fault == nil && ctx.Err() == nil; depth++ {
		var taken atomic.Int64
		var wait sync.WaitGroup
		for _, s := range all {
			wait.Go(func() {
				for {
					i := taken.Add(1) - 1
					if i >= int64(len(at)) || s.fault != nil || ctx.Err() != nil {
						return
					}
					if o.backwards {
						i = int64(len(at)) - 1 - i
					}
					s.look(ctx, at[i], seen, depth == o.Depth)
					at[i] = nil
				}
			})
		}
		wait.Wait()
		at = nil
		fresh := int64(0)
		for _, s := range all {
			at = append(at, s.next...)
			fresh += s.fresh
			s.next, s.fresh = nil, 0
			if f.Fault == nil {
				f.Fault = s.fault
			}
		}
		f.States += fresh
		f.ByDepth = append(f.ByDepth, fresh)
	}
	f.Done = map[string]int64{}
	for _, s := range all {
		f.Steps += s.steps
		for k, n := range s.done {
			f.Done[k] += n
		}
	}
	return f
}

// look tries every step at p. The positions of the last depth are only counted.
func (s *searcher) look(ctx context.Context, p *position, seen *visited, last bool) {
	if err := s.w.read(ctx, p); err != nil {
		s.fault = &Fault{Rule: err, trail: p.trail}
		return
	}
	s.room = p.steps(s.room)
	for i := range s.room {
		st := &s.room[i]
		next, t, err := s.w.take(ctx, p, st)
		s.steps++
		if err != nil {
			s.fault = &Fault{Rule: err, trail: &trail{p.trail, i}}
			return
		}
		s.done[t.name(st)]++
		if next.store == p.store && next.wall == p.wall && t.no != nil || !seen.meet(next.form()) {
			continue
		}
		s.fresh++
		if !last {
			next.trail = &trail{p.trail, i}
			s.next = append(s.next, next)
		}
	}
}

// name says what became of a step, to count it.
func (t *took) name(s *step) string {
	switch {
	case s.act == nil:
		return "clock"
	case t.no != nil:
		return fmt.Sprintf("%T refused %s", s.act, t.no.Code)[len("queue."):]
	default:
		return fmt.Sprintf("%T", s.act)[len("queue."):]
	}
}
