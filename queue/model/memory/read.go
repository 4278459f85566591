package memory

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/queue"
)

// reader is queue.ReadTx on one State.
type reader struct{ s *State }

var _ queue.ReadTx = (*reader)(nil)

func (r *reader) Head() (queue.Head, error)         { return r.s.Head, nil }
func (r *reader) Clock() (queue.Clock, error)       { return r.s.Clock, nil }
func (r *reader) Counters() (queue.Counters, error) { return r.s.Counters, nil }

func (r *reader) Freezes() ([]queue.FreezeRow, error) {
	return some(r.s.Freezes, -1, func(f *queue.FreezeRow) bool { return f.LiftedAt == 0 }), nil
}

func (r *reader) FreezeAfter(session string, since int64) (*queue.FreezeRow, error) {
	var last *queue.FreezeRow
	for _, f := range r.s.Freezes {
		if f.Since >= since && (f.Session == "" || f.Session == session) && (last == nil || f.Since >= last.Since) {
			last = f
		}
	}
	return copied(last), nil
}

func (r *reader) Ask(id string) (*queue.Row, error) {
	_, row := find(r.s.Asks, func(row *queue.Row) bool { return row.ID == id })
	return copied(row), nil
}

func (r *reader) AskPrefix(prefix string) ([]string, error) {
	var ids []string
	for _, row := range r.s.Asks {
		if strings.HasPrefix(row.ID, prefix) {
			ids = append(ids, row.ID)
		}
	}
	slices.Sort(ids)
	return ids[:min(len(ids), 2)], nil
}

func (r *reader) AskByCallKey(session, key string) (*queue.Row, error) {
	if key == "" {
		return nil, nil
	}
	for _, row := range slices.Backward(r.s.Asks) {
		if row.Session == session && row.CallKey == key {
			return copied(row), nil
		}
	}
	return nil, nil
}

func (r *reader) AsksLike(session string, action digest.Digest, limit int64) ([]queue.Row, error) {
	return r.newest(limit, func(row *queue.Row) bool { return row.Session == session && row.ActionDigest == action }), nil
}

// newest lists at most n asks that are asked for, newest first.
func (r *reader) newest(n int64, is func(*queue.Row) bool) []queue.Row {
	var list []queue.Row
	for _, row := range slices.Backward(r.s.Asks) {
		if int64(len(list)) == n {
			break
		}
		if is(row) {
			list = append(list, *row)
		}
	}
	return list
}

func (r *reader) OpenOfSession(session string, limit int64) ([]queue.Row, error) {
	return some(r.s.Asks, limit, func(row *queue.Row) bool { return row.Session == session && row.DueAt() > 0 }), nil
}

func (r *reader) PendingOf(agent string) (n int64, err error) {
	for _, row := range r.s.Asks {
		if row.State == queue.StatePending && row.Agent == agent {
			n++
		}
	}
	return n, nil
}

func (r *reader) Mark(seq int64) (queue.Mark, error) { return r.s.marks[seq], nil }

func (r *reader) Snoozed(now int64) (n, wakes int64, marked bool, err error) {
	for _, m := range r.s.marks {
		if m.SnoozedUntil <= now {
			continue
		}
		if n++; wakes == 0 || m.SnoozedUntil < wakes {
			wakes = m.SnoozedUntil
		}
	}
	return n, wakes, len(r.s.marks) > 0, nil
}

func (r *reader) Attempt(id string) (*queue.Attempt, error) {
	_, a := find(r.s.Attempts, func(a *queue.Attempt) bool { return a.ID == id })
	return copied(a), nil
}

func (r *reader) AttemptsOf(ask string) ([]queue.Attempt, error) {
	return some(r.s.Attempts, -1, func(a *queue.Attempt) bool { return a.AskID == ask }), nil
}

func (r *reader) ExecutingOf(session string) ([]queue.Attempt, error) {
	return some(r.s.Attempts, -1, func(a *queue.Attempt) bool {
		return a.Session == session && a.State == queue.AttemptExecuting && a.HostRuns
	}), nil
}

func (r *reader) Session(id string) (*queue.Session, error) {
	_, s := find(r.s.Sessions, func(s *queue.Session) bool { return s.ID == id })
	return copied(s), nil
}

func (r *reader) Sessions(limit int64) ([]queue.Session, error) {
	list := some(r.s.Sessions, -1, func(*queue.Session) bool { return true })
	slices.Reverse(list) // of equal ones the one that came last is first
	slices.SortStableFunc(list, func(a, b queue.Session) int { return cmp.Compare(b.LastAct, a.LastAct) })
	return list[:min(int64(len(list)), limit)], nil
}

func (r *reader) ChildrenOf(session string) ([]queue.Session, error) {
	return some(r.s.Sessions, -1, func(s *queue.Session) bool { return s.Parent != "" && s.Parent == session }), nil
}

func (r *reader) TreesOf(principal string, since int64) ([]queue.Session, error) {
	list := some(r.s.Sessions, -1, func(s *queue.Session) bool {
		return s.Principal == principal && s.LastAct >= since && s.EndedAt == 0 && (s.ArmedAt > 0 || s.Tree != "")
	})
	slices.SortStableFunc(list, func(a, b queue.Session) int { return cmp.Compare(a.LastAct, b.LastAct) })
	return list, nil
}

func (r *reader) Records(session string, limit int64) ([]queue.Record, error) {
	list := slices.Clone(r.s.Records)
	slices.Reverse(list)
	return some(list, limit, func(o *queue.Record) bool { return o.Session == session }), nil
}

func (r *reader) GrantFor(session string, action digest.Digest, now int64) (*queue.Grant, error) {
	for _, g := range slices.Backward(r.s.Grants) {
		if g.Session == session && g.ActionDigest == action && g.Left > 0 && g.Until > now {
			return copied(g), nil
		}
	}
	return nil, nil
}

func (r *reader) Grants(now int64) ([]queue.Grant, error) {
	return some(r.s.Grants, -1, func(g *queue.Grant) bool { return g.Left > 0 && g.Until > now }), nil
}

func (r *reader) Notices(q queue.QNotices) ([]queue.Notice, error) {
	list := slices.Clone(r.s.Notices)
	slices.Reverse(list)
	return some(list, q.Limit, func(n *queue.Notice) bool { return !q.Open || n.AckedAt == 0 }), nil
}

func (r *reader) Notice(id int64) (*queue.Notice, error) {
	if id < 1 || id > int64(len(r.s.Notices)) {
		return nil, nil
	}
	return copied(r.s.Notices[id-1]), nil
}

func (r *reader) AskBody(seq int64) ([]byte, error) {
	if seq < 1 || seq > int64(len(r.s.bodies)) {
		return nil, nil
	}
	return r.s.bodies[seq-1], nil
}

func (r *reader) Content(d digest.Digest) ([]byte, error) { return r.s.contents[d], nil }

func (r *reader) Events(q queue.QEvents) ([]queue.StoredEvent, bool, error) {
	list := r.s.since(q.After)
	if q.Ask != "" {
		list = slices.DeleteFunc(list, func(e queue.StoredEvent) bool { return askOf(&e) != q.Ask })
	}
	if int64(len(list)) <= q.Limit {
		return list, false, nil
	}
	return list[:q.Limit], true, nil
}

func (r *reader) DueAsks(now, limit int64) ([]queue.Row, error) {
	list := some(r.s.Asks, -1, func(row *queue.Row) bool { return row.DueAt() > 0 && row.DueAt() <= now })
	slices.SortStableFunc(list, func(a, b queue.Row) int { return cmp.Compare(a.DueAt(), b.DueAt()) })
	return list[:min(int64(len(list)), limit)], nil
}

func (r *reader) DueAttempts(now, limit int64) ([]queue.Attempt, error) {
	list := some(r.s.Attempts, -1, func(a *queue.Attempt) bool { return a.State == queue.AttemptExecuting && a.Lease <= now })
	slices.SortStableFunc(list, func(a, b queue.Attempt) int { return cmp.Compare(a.Lease, b.Lease) })
	return list[:min(int64(len(list)), limit)], nil
}

// askOf is the ask that an event names.
func askOf(e *queue.StoredEvent) string {
	var named struct {
		Ask string `json:"ask"`
	}
	if err := json.Unmarshal(e.Body, &named); err != nil {
		return ""
	}
	return named.Ask
}
