package inbox

import (
	"math"

	"nod/queue"
	"nod/tui/frame"
)

// End is the query for the last page of the inbox.
func End() queue.QInbox {
	return queue.QInbox{Before: &queue.Key{Urgency: math.MaxInt64, Seq: math.MaxInt64}, Limit: Page}
}

// Wants is the page to read because the selection is near the end of what is
// held; up says which end. False when nothing is missing.
func (l *List) Wants() (q queue.QInbox, up, ok bool) {
	at := -1
	for i := range l.rows {
		if askKey(&l.rows[i]) == l.sel {
			at = i
			break
		}
	}
	if n := len(l.rows); n > 0 {
		if l.above && at >= 0 && at < Page/2 {
			before := keyOf(&l.rows[0])
			return queue.QInbox{Before: &before, Limit: Page}, true, true
		}
		if l.below && (at < 0 || at >= n-Page/2) {
			return queue.QInbox{After: keyOf(&l.rows[n-1]), Limit: Page}, false, true
		}
	}
	return queue.QInbox{}, false, false
}

// Extend adds a page that Wants asked for and lets go of the far end. A page
// that no longer joins the rows is dropped.
func (l *List) Extend(q queue.QInbox, up bool, page queue.Inbox) {
	n := len(l.rows)
	if n == 0 {
		return
	}
	rows := page.Rows
	if up {
		if q.Before == nil || *q.Before != keyOf(&l.rows[0]) {
			return
		}
		l.rows = append(rows[:len(rows):len(rows)], l.rows...)
		l.above = page.More
		if over := len(l.rows) - held; over > 0 {
			l.rows, l.below = l.rows[:len(l.rows)-over], true
		}
	} else {
		if q.After != keyOf(&l.rows[n-1]) {
			return
		}
		l.rows = append(l.rows[:n:n], rows...)
		l.below = page.More
		if over := len(l.rows) - held; over > 0 {
			l.rows, l.above = l.rows[over:], true
		}
	}
	l.counters = page.Counters
}

// Again is the query that reads the held rows once more.
func (l *List) Again() queue.QInbox {
	q := queue.QInbox{Limit: int64(min(len(l.rows)+Page, 500))}
	if l.above {
		q.After = keyOf(&l.rows[0])
		q.After.Seq--
	}
	return q
}

// Refresh takes what Again read after a change: rows change where they stand,
// a row that is no longer pending stays with its new state (from lately, else
// "gone"), and new asks are counted, not shown. With nothing under the hand
// the rows come in at once.
func (l *List) Refresh(page queue.Inbox, with Lists) {
	if !l.loaded || len(l.rows) == 0 && (len(l.notices) == 0 || l.Selected() == Key{}) {
		l.Show(page, with, false, "")
		return
	}
	now := make(map[string]*queue.Row, len(page.Rows))
	for i := range page.Rows {
		now[page.Rows[i].ID] = &page.Rows[i]
	}
	past := make(map[string]*queue.Row, len(with.Lately))
	for i := range with.Lately {
		past[with.Lately[i].ID] = &with.Lately[i]
	}
	whole := !l.above && !l.below && !page.More
	var last queue.Key // how far page speaks for the held rows
	if n := len(page.Rows); n > 0 {
		last = keyOf(&page.Rows[n-1])
	}
	gone := int64(0)
	for i := range l.rows {
		r := &l.rows[i]
		switch after := after(keyOf(r), last) && page.More; {
		case now[r.ID] != nil:
			*r = *now[r.ID]
			delete(now, r.ID)
		case past[r.ID] != nil:
			*r = *past[r.ID]
			gone++
		case !after && r.State == queue.StatePending:
			r.State = Gone
			gone++
		case r.State != queue.StatePending:
			gone++
		}
	}
	fresh := int64(0)
	if whole {
		fresh = int64(len(now))
	} else {
		fresh = max(page.Counters.Pending-l.looked.Pending+gone, l.fresh)
	}
	l.fresh = max(fresh, 0)
	l.counters = page.Counters
	l.keepNotices(with.Notices)
	l.lately = keepSelected(l.lately, with.Lately, l.sel)
}

// keepNotices takes the newest notices; the one under the hand stays.
func (l *List) keepNotices(newest []queue.NoticeView) {
	for i := range newest {
		if noticeKey(&newest[i]) == l.sel {
			l.notices = newest
			return
		}
	}
	for i := range l.notices {
		if noticeKey(&l.notices[i]) == l.sel {
			return
		}
	}
	l.notices = newest
}

// keepSelected takes the newest rows unless the one under the hand would go.
func keepSelected(old, newest []queue.Row, sel string) []queue.Row {
	for i := range newest {
		if askKey(&newest[i]) == sel {
			return newest
		}
	}
	for i := range old {
		if askKey(&old[i]) == sel {
			return old
		}
	}
	return newest
}

// Acknowledged takes a notice off the list and moves the selection on.
func (l *List) Acknowledged(id int64, look frame.Look, h int) {
	for i := range l.notices {
		if l.notices[i].ID != id {
			continue
		}
		if noticeKey(&l.notices[i]) == l.sel {
			l.Move(1, look, h)
			if noticeKey(&l.notices[i]) == l.sel {
				l.Move(-1, look, h)
			}
		}
		l.notices = append(l.notices[:i:i], l.notices[i+1:]...)
		l.counters.Notices = max(l.counters.Notices-1, 0)
		return
	}
}

// Gone is the state drawn for a row that left the inbox while it was on the
// screen, when nobody knows yet how.
const Gone queue.State = "gone"

func keyOf(r *queue.Row) queue.Key { return queue.Key{Urgency: r.Urgency, Seq: r.Seq} }

func after(a, b queue.Key) bool {
	return a.Urgency > b.Urgency || a.Urgency == b.Urgency && a.Seq > b.Seq
}
