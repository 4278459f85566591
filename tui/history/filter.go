package history

import (
	"nod/digest/visible"
	"nod/queue"
)

// SetFilter narrows the list; the zero Filter shows all. name says in a few
// words what it shows. The rows are forgotten: First must be read and shown.
func (l *List) SetFilter(f queue.Filter, name visible.Text) {
	l.filterName = name
	if f == l.filter {
		return
	}
	*l = List{filter: f, filterName: name, sel: l.sel}
}

// Filter is what narrows the list.
func (l *List) Filter() queue.Filter { return l.filter }

// Filtered reports whether something does.
func (l *List) Filtered() bool { return l.filter != queue.Filter{} }

// First is the query for the newest page, as the list is filtered.
func (l *List) First() queue.QHistory { return queue.QHistory{Limit: Page, Filter: l.filter} }

// nothing says why no row is there; "" when one is.
func (l *List) nothing() string {
	switch {
	case !l.loaded:
		return "   reading…"
	case len(l.rows) > 0:
		return ""
	case l.below:
		return "   nothing matches so far; looking further…"
	case l.Filtered():
		return "   nothing matches; Esc shows all"
	}
	return "   Nothing was answered yet."
}
