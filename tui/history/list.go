// Package history is the list of asks that no longer wait, and what is known
// of each.
//
// The rule it keeps: answer and outcome are two columns and never one word,
// and a person's answer never looks like a rule's, a grant's or nobody's. Rows
// come by sequence number, and never more than a few pages are held.
package history

import (
	"nod/queue"
	"nod/tui/frame"
)

// Page sizes in rows.
const (
	Page = 100
	held = 3 * Page
)

// List is the history's state. The zero List has read nothing yet.
type List struct {
	rows   []queue.Row
	starts []int64 // BeforeSeq of each page held, and of those let go above them
	above  int     // pages let go above the rows
	below  bool
	loaded bool
	sel    string
	scroll frame.Scroll
}

// Loaded reports whether the first page came.
func (l *List) Loaded() bool { return l.loaded }

// Newest is the query for the first page.
func Newest() queue.QHistory { return queue.QHistory{Limit: Page} }

// Show brings in the newest page. The selection stays on its ask when that is
// on the page, else it goes to the first row.
func (l *List) Show(page queue.History) {
	l.rows, l.below, l.loaded = page.Rows, page.More, true
	l.starts, l.above = []int64{0}, 0
	for i := range l.rows {
		if l.rows[i].ID == l.sel {
			return
		}
	}
	l.sel = ""
	l.scroll.Reset()
	if len(l.rows) > 0 {
		l.sel = l.rows[0].ID
	}
}

// Top brings in the newest page and goes to its first row.
func (l *List) Top(page queue.History) {
	l.sel = ""
	l.Show(page)
}

// Again is the query that reads the newest held page once more.
func (l *List) Again() queue.QHistory {
	q := queue.QHistory{Limit: int64(min(len(l.rows)+Page, 500))}
	if l.above > 0 {
		q.BeforeSeq = l.starts[l.above]
	}
	return q
}

// Refresh updates rows where they stand; what is new comes in with the next
// Show, or at once when nothing was there.
func (l *List) Refresh(page queue.History) {
	if len(l.rows) == 0 {
		l.Show(page)
		return
	}
	now := make(map[string]*queue.Row, len(page.Rows))
	for i := range page.Rows {
		now[page.Rows[i].ID] = &page.Rows[i]
	}
	for i := range l.rows {
		if r := now[l.rows[i].ID]; r != nil {
			l.rows[i] = *r
		}
	}
}

// Put updates one row where it stands.
func (l *List) Put(row queue.Row) {
	for i := range l.rows {
		if l.rows[i].ID == row.ID {
			l.rows[i] = row
		}
	}
}

// Wants is the page to read because the selection is near an end.
func (l *List) Wants() (q queue.QHistory, up, ok bool) {
	at, n := l.index(), len(l.rows)
	switch {
	case n == 0:
	case l.above > 0 && at < Page/2:
		return queue.QHistory{BeforeSeq: l.starts[l.above-1], Limit: Page}, true, true
	case l.below && at >= n-Page/2:
		return queue.QHistory{BeforeSeq: l.rows[n-1].Seq, Limit: Page}, false, true
	}
	return queue.QHistory{}, false, false
}

// Extend adds a page that Wants asked for and lets go of the far end.
func (l *List) Extend(q queue.QHistory, up bool, page queue.History) {
	n := len(l.rows)
	if n == 0 {
		return
	}
	if !up {
		if q.BeforeSeq != l.rows[n-1].Seq {
			return
		}
		l.rows = append(l.rows[:n:n], page.Rows...)
		l.starts = append(l.starts, q.BeforeSeq)
		l.below = page.More
		if len(l.rows) > held {
			drop := 0
			for next := l.starts[l.above+1]; drop < len(l.rows) && l.rows[drop].Seq >= next; {
				drop++
			}
			l.rows = l.rows[drop:]
			l.above++
		}
		return
	}
	if l.above == 0 || q.BeforeSeq != l.starts[l.above-1] {
		return
	}
	first := l.rows[0].Seq
	var rows []queue.Row
	for _, r := range page.Rows {
		if r.Seq > first {
			rows = append(rows, r)
		}
	}
	l.rows = append(rows, l.rows...)
	l.above--
	if len(l.rows) > held {
		l.rows = l.rows[:held]
		l.starts = l.starts[:min(len(l.starts), l.above+held/Page)]
		l.below = true
	}
}

// Selected is the ask under the hand.
func (l *List) Selected() (queue.Row, bool) {
	if i := l.index(); i < len(l.rows) && l.rows[i].ID == l.sel {
		return l.rows[i], true
	}
	return queue.Row{}, false
}

// Move moves the selection by n rows.
func (l *List) Move(n, h int) {
	if len(l.rows) == 0 {
		return
	}
	from := l.index()
	to := max(min(from+n, len(l.rows)-1), 0)
	l.scroll.Move(from, 0, to, len(l.rows), h)
	l.sel = l.rows[to].ID
}

func (l *List) index() int {
	for i := range l.rows {
		if l.rows[i].ID == l.sel {
			return i
		}
	}
	return 0
}
