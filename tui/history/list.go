// Package history is the list of asks that no longer wait, and what is known
// of each.
//
// The rule it keeps: answer and outcome are two columns and never one word,
// and a person's answer never looks like a rule's, a grant's or nobody's. Rows
// come by sequence number, and never more than a few pages are held.
package history

import (
	"slices"

	"nod/digest/visible"
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

	next       int64 // BeforeSeq from which the page below goes on
	filter     queue.Filter
	filterName visible.Text
}

// Loaded reports whether the first page came.
func (l *List) Loaded() bool { return l.loaded }

// Show brings in the newest page. The selection stays on its ask when that is
// on the page, else it goes to the first row.
func (l *List) Show(page queue.History) {
	l.rows, l.below, l.loaded = page.Rows, page.More, true
	l.starts, l.above = []int64{0}, 0
	l.next = further(page)
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
	q := queue.QHistory{Limit: int64(min(len(l.rows)+Page, 500)), Filter: l.filter}
	if l.above > 0 {
		q.BeforeSeq = l.starts[l.above]
	}
	return q
}

// Refresh updates rows where they stand; what is new comes in with the next
// Show, or at once when nothing was there.
func (l *List) Refresh(page queue.History) {
	if len(l.rows) == 0 && !l.below {
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
	case l.above > 0 && at < Page/2:
		return queue.QHistory{BeforeSeq: l.starts[l.above-1], Limit: Page, Filter: l.filter}, true, true
	case l.below && at >= n-Page/2:
		return queue.QHistory{BeforeSeq: l.next, Limit: Page, Filter: l.filter}, false, true
	}
	return queue.QHistory{}, false, false
}

// further is the BeforeSeq from which the page after page goes on. A filtered
// page looks at a bounded number of rows and says how far it came.
func further(page queue.History) int64 {
	if page.More && page.Reached != 0 {
		return page.Reached
	}
	if n := len(page.Rows); n > 0 {
		return page.Rows[n-1].Seq
	}
	return 0
}

// Extend adds a page that Wants asked for and lets go of the far end.
func (l *List) Extend(q queue.QHistory, up bool, page queue.History) {
	switch {
	case !l.loaded || q.Filter != l.filter:
	case up:
		l.extendUp(q, page)
	case l.below && q.BeforeSeq == l.next:
		l.extendDown(q, page)
	}
}

func (l *List) extendDown(q queue.QHistory, page queue.History) {
	l.rows = append(l.rows[:len(l.rows):len(l.rows)], page.Rows...)
	l.starts = append(l.starts, q.BeforeSeq)
	l.below = page.More
	l.next = further(page)
	if l.sel == "" && len(l.rows) > 0 {
		l.sel = l.rows[0].ID
	}
	for len(l.rows) > held && l.above+2 < len(l.starts) {
		drop := 0
		for next := l.starts[l.above+1]; drop < len(l.rows) && l.rows[drop].Seq >= next; {
			drop++
		}
		if l.index() < drop {
			return // never the selected row
		}
		l.rows = l.rows[drop:]
		l.above++
	}
}

func (l *List) extendUp(q queue.QHistory, page queue.History) {
	if l.above == 0 || q.BeforeSeq != l.starts[l.above-1] {
		return
	}
	begin := l.starts[l.above] // the rows held begin below this
	if reached := further(page); page.More && reached > begin {
		// The page did not come down to what is held: what is between is a page
		// of its own, to be read first.
		l.starts = slices.Insert(l.starts, l.above, reached)
		l.above++
		return
	}
	var rows []queue.Row
	for _, r := range page.Rows {
		if r.Seq >= begin {
			rows = append(rows, r)
		}
	}
	l.rows = append(rows, l.rows...)
	l.above--
	for len(l.rows) > held && len(l.starts) > l.above+1 {
		last := l.starts[len(l.starts)-1] // the last page begins below this
		keep := len(l.rows)
		for keep > 0 && l.rows[keep-1].Seq < last {
			keep--
		}
		if l.index() >= keep {
			return
		}
		l.rows, l.starts = l.rows[:keep], l.starts[:len(l.starts)-1]
		l.below, l.next = true, last
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
