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

	// Begin are steps that are taken before the search, each the first whose words
	// begin so: the search goes on from where many histories lead.
	Begin     []string
	Unwatched bool // no observer is configured: a tool's durable word counts
	Mandated  bool // both calls cross a boundary: only a person may allow them

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

// visited is the set of positions that were met, each with the depth at which
// it was met first.
type visited [64]struct {
	sync.Mutex
	depths map[[16]byte]int8
}

// meet notes a form that was met at a depth, and gives the depth at which it was
// known before: deeper than any when it is new.
func (v *visited) meet(f [16]byte, depth int) int {
	part := &v[f[0]%64]
	part.Lock()
	defer part.Unlock()
	if part.depths == nil {
		part.depths = map[[16]byte]int8{}
	}
	was, known := part.depths[f]
	if !known {
		was = never
	}
	if depth < int(was) {
		part.depths[f] = int8(depth) //nolint:gosec // small
	}
	return int(was)
}

const never = 127

// searcher is one of those that look at positions of one depth.
type searcher struct {
	o     *Options
	w     *world
	rooms [][]step // one for each depth of look
	seen  *visited
	next  []*position
	fresh []int64 // new positions by depth
	steps int64
	done  map[string]int64
	fault *Fault
}

// Search goes through all histories of at most o.Depth steps, the shorter ones
// first, and ends where a rule is broken.
func Search(ctx context.Context, o Options) *Found {
	f := search(ctx, &o)
	if f.Fault != nil && o.Depth == f.Fault.depth() { // the last two depths were looked at together
		o.Depth--
		if g := search(ctx, &o); g.Fault != nil {
			return g
		}
	}
	return f
}

func search(ctx context.Context, o *Options) *Found {
	seen := &visited{}
	all := make([]*searcher, max(1, o.Workers))
	for i := range all {
		all[i] = &searcher{o: o, w: newWorld(o), seen: seen, rooms: make([][]step, o.Depth+1), fresh: make([]int64, o.Depth+1), done: map[string]int64{}}
	}
	f := &Found{Done: map[string]int64{}, ByDepth: make([]int64, o.Depth+1)}
	first, err := all[0].w.begin(ctx, o, nil)
	if err != nil {
		f.Fault = &Fault{Rule: err}
		return f
	}
	seen.meet(first.form(), 0)
	f.ByDepth[0] = 1
	at := []*position{first}
	for depth := 0; depth < o.Depth && len(at) > 0 && f.Fault == nil && ctx.Err() == nil; depth++ {
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
					s.look(ctx, at[i], depth)
					at[i] = nil
				}
			})
		}
		wait.Wait()
		at = nil
		for _, s := range all {
			at = append(at, s.next...)
			s.next = nil
			if f.Fault == nil || s.fault != nil && s.fault.depth() < f.Fault.depth() {
				f.Fault = s.fault
			}
		}
	}
	for _, s := range all {
		f.Steps += s.steps
		for k, n := range s.done {
			f.Done[k] += n
		}
		for d, n := range s.fresh {
			f.ByDepth[d] += n
		}
	}
	for _, n := range f.ByDepth {
		f.States += n
	}
	return f
}

// look tries every step at p, which is at a depth. The positions of the last
// depth are only counted, and those of the one before are looked at at once: the
// widest two depths need no room.
func (s *searcher) look(ctx context.Context, p *position, depth int) {
	if err := s.w.read(ctx, p); err != nil {
		s.fault = &Fault{Rule: err, trail: p.trail}
		return
	}
	s.rooms[depth] = p.steps(s.rooms[depth])
	at := depth + 1
	for i := range s.rooms[depth] {
		st := &s.rooms[depth][i]
		next, t, err := s.w.take(ctx, p, st)
		s.steps++
		if err != nil {
			s.fault = &Fault{Rule: err, trail: &trail{p.trail, i}}
			return
		}
		s.done[t.name(st)]++
		if next.store == p.store && next.wall == p.wall && t.no != nil {
			continue
		}
		was := s.seen.meet(next.form(), at)
		if at >= was {
			continue
		}
		s.fresh[at]++
		if was != never {
			s.fresh[was]--
		}
		if at == s.o.Depth {
			continue
		}
		next.trail = &trail{p.trail, i}
		if at < s.o.Depth-1 {
			s.next = append(s.next, next)
			continue
		}
		if s.look(ctx, next, at); s.fault != nil {
			return
		}
	}
}

// depth is how many steps the history has.
func (f *Fault) depth() (n int) {
	for t := f.trail; t != nil; t = t.before {
		n++
	}
	return n
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
