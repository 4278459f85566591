package inbox

import (
	"math"

	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
)

// SetFilter narrows the list; the zero Filter shows all. name says in a few
// words what it shows. The rows are forgotten: FromTop must be read and shown.
// Marks stay, and so does the selection when its ask is on the new page.
func (l *List) SetFilter(f queue.Filter, name visible.Text) {
	l.filterName = name
	if f == l.filter {
		return
	}
	l.filter = f
	l.rows, l.above, l.below, l.loaded = nil, false, false, false
	l.folds.leads, l.folds.thin = nil, false
	l.fresh, l.snoozed = 0, 0
}

// Filter is what narrows the list.
func (l *List) Filter() queue.Filter { return l.filter }

// Filtered reports whether something does.
func (l *List) Filtered() bool { return l.filter != queue.Filter{} }

// FromTop is the query for the first page, as the list is filtered.
func (l *List) FromTop() queue.QInbox { return queue.QInbox{Limit: Page, Filter: l.filter} }

// FromEnd is the query for the last page, as the list is filtered.
func (l *List) FromEnd() queue.QInbox {
	q := End()
	q.Filter = l.filter
	return q
}

// End is the query for the last page of the whole inbox.
func End() queue.QInbox {
	return queue.QInbox{Before: &queue.Key{Urgency: math.MaxInt64, Seq: math.MaxInt64}, Limit: Page}
}

// FilterRow says in a row of w cells what narrows a list, and which key shows
// all.
func FilterRow(look frame.Look, name visible.Text, key string, w int) frame.Line {
	lead, tail := "   filter: ", "; "+key+" shows all"
	room := max(w-1-len(lead)-len(tail), 0)
	if look.Split || look.Glyphs.ASCII {
		name = visible.Of(visible.Strict, name.String())
	}
	return frame.Line{
		frame.S(themes.Muted, lead),
		frame.T(themes.Muted, frame.Cut(name, room, 0, look.Glyphs.Cut)),
		frame.S(themes.Muted, tail),
	}
}

// all is the key that drops the filter.
func (l *List) all() string {
	if l.allKey == "" {
		return "Esc"
	}
	return l.allKey
}

// nothing says that no row is there, and why.
func (l *List) nothing() string {
	switch {
	case !l.loaded:
		return "   reading…"
	case l.below || l.above:
		return "   nothing matches so far; looking further…"
	case l.Filtered():
		return "   nothing matches; " + l.all() + " shows all"
	}
	return ""
}
