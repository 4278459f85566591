package memory

import (
	"cmp"
	"math"
	"slices"

	"nod/queue"
)

// pending lists the pending asks that are let through, most urgent first.
func (r *reader) pending(is func(*queue.Row) bool) []queue.Row {
	list := some(r.s.Asks, -1, func(row *queue.Row) bool { return row.State == queue.StatePending && is(row) })
	slices.SortStableFunc(list, func(a, b queue.Row) int { return cmp.Compare(a.Urgency, b.Urgency) })
	return list
}

func (r *reader) PendingPage(q queue.QInbox) ([]queue.Row, bool, error) {
	p := r.inbox(q, func(*queue.Row) bool { return true })
	return p.Rows, p.More, nil
}

func (r *reader) FindPending(q queue.QInbox, now int64) (queue.Page, error) {
	return r.inbox(q, r.filter(&q.Filter, now, true)), nil
}

// inbox gives a page downwards after a key, or upwards before one; both with
// the most urgent row first.
func (r *reader) inbox(q queue.QInbox, is func(*queue.Row) bool) queue.Page {
	up := q.Before != nil
	at := q.After
	if up {
		at = *q.Before
	}
	list := r.pending(func(row *queue.Row) bool {
		order := cmp.Or(cmp.Compare(row.Urgency, at.Urgency), cmp.Compare(row.Seq, at.Seq))
		return (up && order < 0 || !up && order > 0) && is(row)
	})
	if !up {
		return page(list, q.Limit)
	}
	slices.Reverse(list)
	p := page(list, q.Limit)
	slices.Reverse(p.Rows)
	return p
}

// page cuts a list, and says where the next page begins.
func page(list []queue.Row, limit int64) queue.Page {
	if int64(len(list)) <= limit {
		return queue.Page{Rows: list}
	}
	last := &list[limit-1]
	return queue.Page{Rows: list[:limit], More: true, Reached: queue.Key{Urgency: last.Urgency, Seq: last.Seq}}
}

func (r *reader) HistoryPage(q queue.QHistory) ([]queue.Row, bool, error) {
	p := r.history(q.BeforeSeq, q.Limit, func(row *queue.Row) bool { return q.State == "" || row.State == q.State })
	return p.Rows, p.More, nil
}

func (r *reader) FindHistory(q queue.QHistory, now int64) (queue.Page, error) {
	is := r.filter(&q.Filter, now, false)
	return r.history(q.BeforeSeq, q.Limit, func(row *queue.Row) bool {
		return (q.Filter.State == "" || row.State == q.Filter.State) && is(row)
	}), nil
}

func (r *reader) history(before, limit int64, is func(*queue.Row) bool) queue.Page {
	return page(r.past(before, math.MaxInt64, is), limit)
}

// past lists at most n asks that are not pending, newest first.
func (r *reader) past(before, n int64, is func(*queue.Row) bool) []queue.Row {
	return r.newest(n, func(row *queue.Row) bool {
		return row.State != queue.StatePending && (before == 0 || row.Seq < before) && is(row)
	})
}

func (r *reader) Answered(tool string, before, limit int64) ([]queue.Row, error) {
	return r.past(before, limit, func(row *queue.Row) bool { return row.Tool == tool && row.DecidedBy == queue.ByPerson }), nil
}

// filter is what a filter asks of a row.
func (r *reader) filter(f *queue.Filter, now int64, pending bool) func(*queue.Row) bool {
	words := f.Words()
	return func(row *queue.Row) bool {
		snoozed := r.s.marks[row.Seq].SnoozedUntil > now
		switch {
		case f.Kind != "" && row.Kind != f.Kind, f.Tool != "" && row.Tool != f.Tool,
			f.Agent != "" && row.Agent != f.Agent, f.Session != "" && row.Session != f.Session,
			f.Verdict != "" && row.Verdict != f.Verdict, f.By != "" && row.DecidedBy != f.By,
			f.Mandated && !row.Mandated, f.Irreversible && !row.Irreversible,
			f.Alone && row.Waits(now), f.Since > 0 && row.CreatedAt < f.Since,
			pending && f.HidesSnoozed() && snoozed, pending && f.Snoozed && !snoozed:
			return false
		}
		return queue.Found(words, row.Tool, row.Gist, row.Agent, row.Cwd, row.Session, row.ID)
	}
}

func (r *reader) Briefs(since, limit int64, see func(*queue.Brief)) (more bool, err error) {
	all := func(*queue.Row) bool { return true }
	rows := slices.Concat(r.pending(all), r.past(0, math.MaxInt64, func(row *queue.Row) bool { return row.CreatedAt >= since }))
	for i := range rows {
		if int64(i) == limit {
			return true, nil
		}
		row := &rows[i]
		see(&queue.Brief{CreatedAt: row.CreatedAt, DecidedAt: row.DecidedAt, State: row.State, By: row.DecidedBy, Tool: row.Tool})
	}
	return false, nil
}

func (r *reader) Waiting(limit int64) (map[string]int64, error) {
	waits := map[string]int64{}
	list := r.pending(func(*queue.Row) bool { return true })
	for i := range list[:min(int64(len(list)), limit)] {
		waits[list[i].Session]++
	}
	return waits, nil
}
