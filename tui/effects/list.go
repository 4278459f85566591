package effects

import (
	"slices"

	"nod/queue"
	"nod/tui/frame"
	"nod/tui/inbox"
)

// Page is how many effects one reading brings, Most how many are held: who looks
// for older ones asks the command.
const (
	Page = 100
	Most = 2000
)

// List is the view's state. The zero List has read nothing yet.
type List struct {
	open, past         []queue.EffectView // newest first
	openMore, pastMore bool
	reached            int64 // the number from which the settled ones go on
	fresh              int
	loaded             bool
	sel                string
	scroll             frame.Scroll
}

// Pages is what one reading of the view brings.
type Pages struct {
	Open queue.Effects // QOpen
	All  queue.Effects // QAll
}

// QOpen reads what is on the desk, QAll everything; of it the settled ones are
// listed.
func QOpen() queue.QEffects { return queue.QEffects{Open: true, Limit: Page} }

// QAll reads everything.
func QAll() queue.QEffects { return queue.QEffects{Limit: Page} }

// Loaded reports whether the first page came.
func (l *List) Loaded() bool { return l.loaded }

// Fresh is how many came on the desk since the rows were brought in.
func (l *List) Fresh() int { return l.fresh }

// Show brings the newest pages in. The selection stays on its effect when that
// is among them, else it goes to the first row.
func (l *List) Show(p Pages) {
	l.open, l.openMore = p.Open.Effects, p.Open.More
	l.past, l.pastMore, l.reached = nil, p.All.More, 0
	l.addPast(p.All.Effects)
	l.fresh, l.loaded = 0, true
	l.scroll.Free()
	if l.find(l.sel) == nil {
		l.sel = ""
		l.scroll.Reset()
		if rows := l.rows(); len(rows) > 0 {
			l.sel = rows[0].ID
		}
	}
}

// Top brings the newest pages in and goes to the first row.
func (l *List) Top(p Pages) {
	l.sel = ""
	l.Show(p)
}

func (l *List) addPast(all []queue.EffectView) {
	for i := range all {
		l.reached = all[i].Num
		if !all[i].Open && l.find(all[i].ID) == nil {
			l.past = append(l.past, all[i])
		}
	}
}

// Refresh changes rows where they stand. What came on the desk since is counted;
// it comes in with the next Show, or at once when nothing was there.
func (l *List) Refresh(p Pages) {
	if !l.loaded || len(l.open)+len(l.past) == 0 {
		l.Show(p)
		return
	}
	l.scroll.Hold()
	fresh := 0
	for _, page := range [][]queue.EffectView{p.Open.Effects, p.All.Effects} {
		for i := range page {
			if at := l.find(page[i].ID); at != nil {
				*at = page[i]
			}
		}
	}
	for i := range p.Open.Effects {
		if l.find(p.Open.Effects[i].ID) == nil {
			fresh++
		}
	}
	l.fresh = fresh
}

// Put takes one effect as it was read, where it is in the list.
func (l *List) Put(v queue.EffectView) {
	if at := l.find(v.ID); at != nil {
		*at = v
	}
}

// Wants is the page to read because the selection is near the end of what is
// held; false when nothing is missing.
func (l *List) Wants() (q queue.QEffects, ok bool) {
	rows := l.rows()
	at := l.at(rows)
	switch {
	case l.openMore && at >= len(l.open)-Page/2 && len(l.open) > 0:
		return queue.QEffects{Open: true, Before: l.open[len(l.open)-1].Num, Limit: Page}, true
	case l.pastMore && len(rows) < Most && at >= len(rows)-Page/2 && l.reached > 0:
		return queue.QEffects{Before: l.reached, Limit: Page}, true
	}
	return queue.QEffects{}, false
}

// Extend adds a page that Wants asked for. A page that no longer joins is
// dropped.
func (l *List) Extend(q queue.QEffects, page queue.Effects) {
	l.scroll.Hold()
	switch {
	case q.Open && len(l.open) > 0 && q.Before == l.open[len(l.open)-1].Num:
		for i := range page.Effects {
			if l.find(page.Effects[i].ID) == nil {
				l.open = append(l.open, page.Effects[i])
			}
		}
		l.openMore = page.More
	case !q.Open && q.Before == l.reached:
		l.addPast(page.Effects)
		l.pastMore = page.More
	}
	if rows := l.rows(); l.sel == "" && len(rows) > 0 {
		l.sel = rows[0].ID
	}
}

// Selected is the effect under the hand.
func (l *List) Selected() (queue.EffectView, bool) {
	if at := l.find(l.sel); at != nil {
		return *at, true
	}
	return queue.EffectView{}, false
}

// Select puts the selection on an effect, when it is in the list; h is Body.
func (l *List) Select(id string, look frame.Look, h int) {
	if l.find(id) != nil {
		l.to(id, look, h)
	}
}

// Move moves the selection by n rows; h is what Render is given.
func (l *List) Move(n int, look frame.Look, h int) {
	rows := l.rows()
	if len(rows) == 0 {
		return
	}
	l.to(rows[max(min(l.at(rows)+n, len(rows)-1), 0)].ID, look, h)
}

// Near gives the open effect n places after the one named, or none.
func (l *List) Near(id string, n int) (string, bool) {
	return inbox.NearEffect(l.rows(), id, n)
}

// Position is the place of an effect among the open ones, from 1; 0 for none.
func (l *List) Position(id string) int {
	return 1 + slices.IndexFunc(l.open, func(e queue.EffectView) bool { return e.ID == id })
}

func (l *List) rows() []queue.EffectView { return slices.Concat(l.open, l.past) }

func (l *List) find(id string) *queue.EffectView {
	for _, rows := range [][]queue.EffectView{l.open, l.past} {
		for i := range rows {
			if rows[i].ID == id {
				return &rows[i]
			}
		}
	}
	return nil
}

func (l *List) at(rows []queue.EffectView) int {
	return max(slices.IndexFunc(rows, func(e queue.EffectView) bool { return e.ID == l.sel }), 0)
}

func (l *List) to(id string, look frame.Look, h int) {
	items := l.items(look)
	from, at := index(items, l.sel), index(items, id)
	h = Body(look, h)
	l.scroll.Move(max(from, 0), lead(items, from), at, len(items), h)
	l.scroll.Pin(at, lead(items, at), len(items), h)
	l.sel = id
}
