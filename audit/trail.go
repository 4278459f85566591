package audit

import "nod/queue"

// trail is how many events of the chain name an ask: what the store's index
// gives of it must be all of them.
type trail struct {
	events int64
	seen   bool // its row was read
}

// notice names what events tell of a notice. Two that are alike in all of it
// cannot be told apart by their events, but counted.
type notice struct{ code, ask, session string }

func (l *life) follow(e *event) {
	if e.Ask == "" {
		return
	}
	t := l.trails[e.Ask]
	if t == nil {
		t = new(trail)
		l.trails[e.Ask] = t
	}
	t.events++
}

func (l *life) notify(e *event) string {
	n := notice{code: e.Notice, ask: e.Ask, session: e.Session}
	if e.Act == "notice" {
		l.notices[n] = append(l.notices[n], e.Effective)
		l.tally.Notices++
		return l.tell(e)
	}
	if l.open(n) < 1 {
		return "a notice is acknowledged that nothing opened"
	}
	l.tally.Notices--
	if l.acked[n]++; l.open(n) == 0 {
		delete(l.notices, n)
		delete(l.acked, n)
	}
	return ""
}

// open counts the notices of one kind that nobody acknowledged.
func (l *life) open(n notice) int { return len(l.notices[n]) - l.acked[n] }

// overdue reports whether an ask that is shown as allowed is covered by a
// freeze younger than its allow: then the freeze's row is gone or changed.
func (l *life) overdue(r *queue.Row) bool {
	a := l.asks[r.ID]
	return r.State == queue.StateAllowed && a != nil && a.state == queue.StateAllowed && l.frozenSince(a.session, a.decided)
}
