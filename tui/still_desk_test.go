package tui_test

import "nod/queue"

func (s *still) openEffects() (n int64) {
	for i := range s.desks {
		if s.desks[i].Effect.Open {
			n++
		}
	}
	return n
}

// effects answers for the lists.
func (s *still) effects(q queue.QEffects) queue.Effects {
	out := queue.Effects{Now: *s.now}
	for i := range s.desks {
		e := s.desks[i].Effect
		if (q.Before == 0 || e.Num < q.Before) && (e.Open || !q.Open) {
			out.Effects = append(out.Effects, e)
		}
	}
	return out
}
