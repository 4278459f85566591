// Package inbox is the list of what waits.
//
// The rule it keeps (DESIGN §9): the selected row is an id and never moves
// under the hand. A change elsewhere updates rows where they stand and raises
// a counter; only the operator's own key brings new rows in or takes old ones
// out. Rows come by key, and never more than a few pages are held.
package inbox

import (
	"strconv"
	"strings"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/frame"
)

// Page sizes in rows.
const (
	Page = 100
	held = 3 * Page
)

// List is the inbox's state. The zero List has read nothing yet.
type List struct {
	rows       []queue.Row
	above      bool // pending asks before the first row
	below      bool // and after the last
	notices    []queue.NoticeView
	effects    effects
	deliveries []queue.DeliveryView
	lately     []queue.Row
	counters   queue.Counters
	looked     queue.Counters // when the rows were last brought in
	fresh      int64
	loaded     bool
	sel        string
	vain       int // pages in a row that brought nothing to draw
	scroll     frame.Scroll

	top, bottom queue.Key // from where the pages above and below go on
	folds       folds
	marks       map[string]queue.Row // by ask
	filter      queue.Filter
	filterName  visible.Text
	snoozed     int64 // asks that a snooze keeps out of the list
	lookedAway  int64 // and how many did when the rows were last brought in
	self        string
	filterKey   string
	allKey      string
	clockHeld   bool
}

// Lists are the small lists beside the pending asks.
type Lists struct {
	Effects    []queue.EffectView   // open ones
	Deliveries []queue.DeliveryView // open ones
	Notices    []queue.NoticeView
	Lately     []queue.Row
}

// Key names an item of the list: an ask, an effect, an answer that did not arrive
// (by its ask) or a notice.
type Key struct {
	Ask      string
	Effect   string
	Delivery string
	Notice   int64
}

func askKey(r *queue.Row) string           { return "a" + r.ID }
func noticeKey(n *queue.NoticeView) string { return "n" + strconv.FormatInt(n.ID, 10) }

// Loaded reports whether the first page came.
func (l *List) Loaded() bool { return l.loaded }

// Fresh is how many asks came in since the rows were brought in.
func (l *List) Fresh() int64 { return l.fresh }

// Counters are the newest kept counters.
func (l *List) Counters() queue.Counters { return l.counters }

// Empty reports that there is nothing to list: nothing waits, nothing is to be
// read, and nothing that was answered lately has room.
func (l *List) Empty(look frame.Look) bool {
	return l.Clear() && (len(l.lately) == 0 || look.H < airy)
}

// Clear reports that nothing waits and nothing is to be read. What a filter or
// a snooze hides waits.
func (l *List) Clear() bool {
	return l.loaded && len(l.rows) == 0 && len(l.notices) == 0 && len(l.effects.rows) == 0 && len(l.deliveries) == 0 && l.snoozed == 0 && !l.Filtered()
}

// SetSelf says who the operator is, as claims name him.
func (l *List) SetSelf(name string) { l.self = name }

// SetKeys says which keys choose a filter and drop it, as the screen writes
// them; "" for none, and for Esc.
func (l *List) SetKeys(filters, all string) { l.filterKey, l.allKey = filters, all }

// SetHeld says that the clock is held (Status.Held): no deadline counts.
func (l *List) SetHeld(held bool) { l.clockHeld = held }

// Show brings in a page and forgets what was there. The selection stays on its
// item when that is on the page, else it goes to next, an ask's or an effect's
// id, else to the first.
func (l *List) Show(page queue.Inbox, with Lists, fromEnd bool, next string) {
	l.above = fromEnd && page.More
	l.top, l.bottom = ends(page, fromEnd)
	l.show(page, with, fromEnd, next)
}

// ShowAgain is Show for a page that Again asked for: what lies above it stays
// where it is, so that the hand does too.
func (l *List) ShowAgain(page queue.Inbox, with Lists, next string) {
	top := l.top
	if l.top, l.bottom = ends(page, false); l.above {
		l.top = top
	}
	l.show(page, with, false, next)
}

func (l *List) show(page queue.Inbox, with Lists, fromEnd bool, next string) {
	l.vain = 0
	l.rows, l.notices, l.lately = page.Rows, with.Notices, with.Lately
	l.effects.show(with.Effects)
	l.deliveries = with.Deliveries
	l.below = !fromEnd && page.More
	l.counters, l.looked, l.fresh, l.loaded = page.Counters, page.Counters, 0, true
	l.snoozed, l.lookedAway = page.Snoozed, page.Snoozed
	l.scroll.Free()
	l.folds.thin, l.folds.leads = false, nil
	if l.find(strings.TrimPrefix(l.sel, "a")) < 0 {
		l.folds.leads = map[string]bool{next: true}
	}
	l.refold()
	l.remark(!page.More && !l.above && !l.Filtered() && l.snoozed == 0)
	l.forget()
	keep := l.sel
	l.sel = ""
	items := l.items(frame.Look{})
	for _, it := range items {
		if k := it.key(); k != "" && k == keep {
			l.sel = k
			return
		}
	}
	for _, it := range items {
		if k := it.key(); k != "" && (k == "a"+next || k == "e"+next) {
			l.sel = k
			return
		}
	}
	l.scroll.Reset()
	l.first(items)
	if fromEnd {
		l.last(items)
		l.scroll.Bottom()
	}
}

// Top brings in the first page and goes to its first row.
func (l *List) Top(page queue.Inbox, with Lists) {
	l.sel = ""
	l.Show(page, with, false, "")
}

// End brings in the last page and goes to its last row.
func (l *List) End(page queue.Inbox, with Lists) {
	l.sel = ""
	l.Show(page, with, true, "")
}

func (l *List) first(items []item) {
	for _, it := range items {
		if k := it.key(); k != "" {
			l.sel = k
			return
		}
	}
}

func (l *List) last(items []item) {
	for _, it := range items {
		if k := it.key(); k != "" && it.kind != lately {
			l.sel = k
		}
	}
}

// Selected is the item under the hand; the zero Key when there is none.
func (l *List) Selected() Key {
	for i := range l.rows {
		if askKey(&l.rows[i]) == l.sel {
			return Key{Ask: l.rows[i].ID}
		}
	}
	for i := range l.lately {
		if askKey(&l.lately[i]) == l.sel {
			return Key{Ask: l.lately[i].ID}
		}
	}
	for i := range l.notices {
		if noticeKey(&l.notices[i]) == l.sel {
			return Key{Notice: l.notices[i].ID}
		}
	}
	for i := range l.deliveries {
		if deliveryKey(&l.deliveries[i]) == l.sel {
			return Key{Delivery: l.deliveries[i].Ask}
		}
	}
	if e, ok := l.SelectedEffect(); ok {
		return Key{Effect: e.ID}
	}
	return Key{}
}

// SelectedAsk is the ask under the hand, a pending or a lately answered one.
func (l *List) SelectedAsk() (queue.Row, bool) {
	for _, rows := range [][]queue.Row{l.rows, l.lately} {
		for i := range rows {
			if askKey(&rows[i]) == l.sel {
				return rows[i], true
			}
		}
	}
	return queue.Row{}, false
}

// Notice gives a notice of the list.
func (l *List) Notice(id int64) (queue.NoticeView, bool) {
	for _, n := range l.notices {
		if n.ID == id {
			return n, true
		}
	}
	return queue.NoticeView{}, false
}

// Select puts the selection on an ask, when it is in the list.
func (l *List) Select(ask string, look frame.Look, h int) {
	l.to("a"+ask, look, h)
}

// SelectNotice puts the selection on the first row that is to be read: an answer
// that did not arrive, or a notice.
func (l *List) SelectNotice(look frame.Look, h int) bool {
	if len(l.deliveries) > 0 {
		l.to(deliveryKey(&l.deliveries[0]), look, h)
		return true
	}
	if len(l.notices) == 0 {
		return false
	}
	l.to(noticeKey(&l.notices[0]), look, h)
	return true
}

// to moves the selection to a key that is in the list. An ask that stands in
// another's row has the fold opened.
func (l *List) to(key string, look frame.Look, h int) {
	if i := l.find(strings.TrimPrefix(key, "a")); i >= 0 && !l.folds.leads[l.rows[i].ID] {
		k, _ := foldOf(&l.rows[i])
		l.reveal(k)
	}
	items := l.items(look)
	from := l.index(items)
	for i, it := range items {
		if it.key() == key {
			l.scroll.Move(from, lead(items, from), i, len(items), h)
			l.scroll.Pin(i, lead(items, i), len(items), h)
			l.sel = key
			return
		}
	}
}

// Move moves the selection by n items that can be selected; h is Body. By 0 it
// says where the selection stands after Show, so that nothing moves it then.
func (l *List) Move(n int, look frame.Look, h int) {
	if n != 0 {
		l.vain = 0
	}
	items := l.items(look)
	from := l.index(items)
	to := from
	for i, step := from, sign(n); n != 0; {
		i += step
		if i < 0 || i >= len(items) {
			break
		}
		if items[i].key() != "" {
			to, n = i, n-step
		}
	}
	if len(items) == 0 || items[to].key() == "" {
		return
	}
	l.scroll.Move(from, lead(items, from), to, len(items), h)
	l.scroll.Pin(to, lead(items, to), len(items), h)
	l.sel = items[to].key()
}

// Near gives the pending ask n places after the one named, or none.
func (l *List) Near(ask string, n int) (string, bool) {
	for i := range l.rows {
		if l.rows[i].ID != ask {
			continue
		}
		for i += sign(n); i >= 0 && i < len(l.rows); i += sign(n) {
			if l.rows[i].State == queue.StatePending {
				return l.rows[i].ID, true
			}
		}
	}
	return "", false
}

// Beside is the pending ask to go on with when this one leaves the list: the
// next, after the last the one before; "" for none.
func (l *List) Beside(ask string) string {
	if id, ok := l.Near(ask, 1); ok {
		return id
	}
	id, _ := l.Near(ask, -1)
	return id
}

// Position is the place of an ask among the pending ones; 0 when it is not
// known because asks before it are not held.
func (l *List) Position(ask string) int {
	if l.above || l.folds.thin || l.Filtered() {
		return 0
	}
	for i := range l.rows {
		if l.rows[i].ID == ask {
			return i + 1
		}
	}
	return 0
}

// lead counts the headings and blank rows directly above an item.
func lead(items []item, at int) int {
	n := 0
	for at-n-1 >= 0 && items[at-n-1].key() == "" {
		n++
	}
	return n
}

func (l *List) index(items []item) int {
	for i, it := range items {
		if it.key() == l.sel {
			return i
		}
	}
	return 0
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

func itoa(n int) string { return strconv.Itoa(n) }
