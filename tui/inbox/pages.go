package inbox

import (
	"nod/queue"
	"nod/tui/frame"
)

// ends gives from where the pages above and below page go on. A filtered page
// looks at a bounded number of rows and says how far it came.
func ends(page queue.Inbox, up bool) (top, bottom queue.Key) {
	if n := len(page.Rows); n > 0 {
		top, bottom = keyOf(&page.Rows[0]), keyOf(&page.Rows[n-1])
	}
	if page.Reached != nil && page.More {
		if up {
			top = *page.Reached
		} else {
			bottom = *page.Reached
		}
	}
	return top, bottom
}

// Wants is the page to read because the selection is near the end of what is
// held; up says which end. False when nothing is missing.
func (l *List) Wants() (q queue.QInbox, up, ok bool) {
	if !l.above && !l.below {
		return queue.QInbox{}, false, false
	}
	if l.vain >= mostVain {
		return queue.QInbox{}, false, false
	}
	// The distance is in rows that are drawn: a fold may hold whole pages.
	rows, at := l.lay(0), -1
	if _, ok := l.SelectedEffect(); ok {
		at = 0 // the effects stand above the first
	}
	for i := range rows {
		if rows[i].key() == l.sel {
			at = i
			break
		}
	}
	switch {
	case l.above && (at >= 0 && at < Page/2 || len(rows) == 0):
		before := l.top
		return queue.QInbox{Before: &before, Limit: Page, Filter: l.filter}, true, true
	case l.below && (at < 0 || at >= len(rows)-Page/2):
		return queue.QInbox{After: l.bottom, Limit: Page, Filter: l.filter}, false, true
	}
	return queue.QInbox{}, false, false
}

// mostVain is how many pages one after another may bring rows that all go into
// a fold before no further one is wanted: an agent that asks the same thing
// without end shall not keep the console reading. The operator's next move goes
// on from there.
const mostVain = 100

// Extend adds a page that Wants asked for and lets go of the far end. A page
// that no longer joins the rows is dropped.
func (l *List) Extend(q queue.QInbox, up bool, page queue.Inbox) {
	if !l.loaded || q.Filter != l.filter {
		return
	}
	l.scroll.Hold()
	rows, drawn := l.missing(page.Rows), len(l.folds.leads)
	top, bottom := ends(page, up)
	if up {
		if !l.above || q.Before == nil || *q.Before != l.top {
			return
		}
		l.rows = append(rows, l.rows...)
		if l.above = page.More; l.above {
			l.top = top
		}
	} else {
		if !l.below || q.After != l.bottom {
			return
		}
		l.rows = append(l.rows[:len(l.rows):len(l.rows)], rows...)
		if l.below = page.More; l.below {
			l.bottom = bottom
		}
	}
	l.refold()
	if len(page.Rows) > 0 && len(l.folds.leads) <= drawn {
		l.vain++
	} else {
		l.vain = 0
	}
	l.slim()
	l.letGo(!up)
	l.counters = page.Counters
	if l.sel == "" {
		l.first(l.items(frame.Look{}))
	}
}

// missing are the rows that are not held. What is held keeps its place.
func (l *List) missing(rows []queue.Row) []queue.Row {
	out := make([]queue.Row, 0, len(rows)+len(l.rows))
	for i := range rows {
		if l.find(rows[i].ID) < 0 {
			out = append(out, rows[i])
		}
	}
	return out
}

// letGo drops the rows at one end that are more than are held, but never the
// selected one.
func (l *List) letGo(first bool) {
	over := -held
	for i := range l.rows {
		if l.folds.leads[l.rows[i].ID] {
			over++
		}
	}
	for over > 0 {
		at := len(l.rows) - 1
		if first {
			at = 0
		}
		r := &l.rows[at]
		if askKey(r) == l.sel {
			break
		}
		if l.folds.leads[r.ID] {
			over--
		}
		if first {
			l.rows, l.above = l.rows[1:], true
			l.top = keyOf(&l.rows[0])
		} else {
			l.rows, l.below = l.rows[:at], true
			l.bottom = keyOf(&l.rows[at-1])
		}
	}
	l.refold()
}

// Again is the query that reads the held rows once more.
func (l *List) Again() queue.QInbox {
	q := queue.QInbox{Limit: int64(min(len(l.rows)+Page, 500)), Filter: l.filter}
	if l.above {
		q.After = l.top
		q.After.Seq--
	}
	return q
}

// Refresh takes what Again read after a change: rows change where they stand,
// a row that is no longer pending stays with its new state (from lately, else
// "gone"), and new asks are counted, not shown. With nothing under the hand
// the rows come in at once.
func (l *List) Refresh(page queue.Inbox, with Lists) {
	if !l.loaded || len(l.rows) == 0 && (len(l.notices)+len(l.effects.rows)+len(l.deliveries) == 0 || l.Selected() == Key{}) {
		l.Show(page, with, false, "")
		return
	}
	l.scroll.Hold()
	now := make(map[string]*queue.Row, len(page.Rows))
	for i := range page.Rows {
		now[page.Rows[i].ID] = &page.Rows[i]
	}
	past := make(map[string]*queue.Row, len(with.Lately))
	for i := range with.Lately {
		past[with.Lately[i].ID] = &with.Lately[i]
	}
	whole := !l.above && !l.below && !page.More && !l.folds.thin
	_, last := ends(page, false) // how far page speaks for the held rows
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
	switch {
	case whole:
		fresh = int64(len(now))
	case l.Filtered(): // the counters count what is not shown here
		for _, r := range now {
			if !l.below || !after(keyOf(r), l.bottom) {
				fresh++
			}
		}
	default:
		waiting := page.Counters.Pending - page.Snoozed
		fresh = max(waiting-(l.looked.Pending-l.lookedAway)+gone, l.fresh)
	}
	l.fresh = max(fresh, 0)
	l.counters, l.snoozed = page.Counters, page.Snoozed
	l.refold()
	l.remark(false)
	l.effects.refresh(with.Effects)
	l.keepNotices(with.Notices)
	l.keepDeliveries(with.Deliveries)
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
		l.leave(noticeKey(&l.notices[i]), look, h)
		l.notices = append(l.notices[:i:i], l.notices[i+1:]...)
		l.counters.Notices = max(l.counters.Notices-1, 0)
		return
	}
}

// leave moves the selection on from an item that goes off the list.
func (l *List) leave(key string, look frame.Look, h int) {
	if key != l.sel {
		return
	}
	if l.Move(1, look, h); key == l.sel { // it is the last one
		l.Move(-1, look, h)
	}
}

// Gone is the state drawn for a row that left the inbox while it was on the
// screen, when nobody knows yet how.
const Gone queue.State = "gone"

func keyOf(r *queue.Row) queue.Key { return queue.Key{Urgency: r.Urgency, Seq: r.Seq} }

func after(a, b queue.Key) bool {
	return a.Urgency > b.Urgency || a.Urgency == b.Urgency && a.Seq > b.Seq
}
