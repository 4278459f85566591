package sessions

import (
	"nod/queue"
	"nod/tui/frame"
)

// Page is how many sessions are read.
const Page = 500

// List is the view's state. The zero List has read nothing yet.
type List struct {
	all    []queue.SessionView
	nodes  []node // of all, in the order of the tree
	folded map[string]bool
	since  map[string]queue.FreezeView // by session
	fresh  int
	loaded bool
	sel    string
	scroll frame.Scroll

	written   queue.Records // of one session
	writtenOf string
}

// Query reads what the view shows.
func Query() queue.QSessions { return queue.QSessions{Limit: Page} }

// Loaded reports whether the sessions came.
func (l *List) Loaded() bool { return l.loaded }

// Fresh is how many sessions began since the rows were brought in.
func (l *List) Fresh() int { return l.fresh }

// Freezes says which freezes hold, so that a frozen session can say since when.
func (l *List) Freezes(holding []queue.FreezeView) {
	l.since = make(map[string]queue.FreezeView, len(holding))
	for _, f := range holding {
		l.since[f.Session] = f
	}
}

// Show brings the sessions in, in a new order. The selection stays on its
// session when that is among them, or goes to the fold that hides it.
func (l *List) Show(page queue.Sessions) {
	l.all, l.nodes = plant(page.Sessions)
	l.fresh, l.loaded = 0, true
	l.scroll.Free()
	for id := range l.folded {
		if l.find(id) < 0 {
			delete(l.folded, id)
		}
	}
	if at := l.find(l.sel); at >= 0 {
		l.sel = l.all[l.nodes[l.shown(at)].of].ID
		return
	}
	l.sel = ""
	l.scroll.Reset()
	if len(l.nodes) > 0 {
		l.sel = l.all[l.nodes[0].of].ID
	}
}

// Refresh changes rows where they stand. Sessions that began since are
// counted; they come in with the next Show, or at once when nothing was there.
func (l *List) Refresh(page queue.Sessions) {
	if len(l.all) == 0 {
		l.Show(page)
		return
	}
	at := make(map[string]int, len(l.all))
	for i := range l.all {
		at[l.all[i].ID] = i
	}
	fresh := map[string]bool{}
	for _, s := range page.Sessions {
		if i, ok := at[s.ID]; ok {
			l.all[i] = s
		} else {
			fresh[s.ID] = true
		}
	}
	l.fresh = len(fresh)
}

// Selected is the session under the hand.
func (l *List) Selected() (queue.SessionView, bool) {
	if at := l.find(l.sel); at >= 0 {
		return l.all[l.nodes[at].of], true
	}
	return queue.SessionView{}, false
}

// Select puts the selection on a session, and opens the folds it is in.
func (l *List) Select(id string, look frame.Look, h int) bool {
	at := l.find(id)
	if at < 0 {
		return false
	}
	for up := l.nodes[at].up; up >= 0; up = l.nodes[up].up {
		delete(l.folded, l.all[l.nodes[up].of].ID)
	}
	l.to(id, look, h)
	return true
}

// Move moves the selection by n rows; h is what Render is given.
func (l *List) Move(n int, look frame.Look, h int) {
	rows := l.rows()
	if len(rows) == 0 {
		return
	}
	to := max(min(l.at(rows)+n, len(rows)-1), 0)
	l.to(l.all[l.nodes[rows[to]].of].ID, look, h)
}

// Top goes to the first row.
func (l *List) Top(look frame.Look, h int) { l.Move(-len(l.nodes), look, h) }

// End goes to the last row.
func (l *List) End(look frame.Look, h int) { l.Move(len(l.nodes), look, h) }

// Fold closes or opens what hangs below the selected session. False when
// nothing does.
func (l *List) Fold() bool {
	at := l.find(l.sel)
	if at < 0 || l.nodes[at].below == 0 {
		return false
	}
	l.scroll.Hold()
	if l.folded == nil {
		l.folded = map[string]bool{}
	}
	if l.folded[l.sel] {
		delete(l.folded, l.sel)
	} else {
		l.folded[l.sel] = true
	}
	return true
}

// to moves the selection to a session whose row is shown.
func (l *List) to(id string, look frame.Look, h int) {
	rows := l.rows()
	from := l.at(rows)
	for i, n := range rows {
		if l.all[l.nodes[n].of].ID == id {
			list, _ := heights(look, h)
			l.scroll.Move(from, 0, i, len(rows), list)
			l.sel = id
			return
		}
	}
}

// find gives the node of a session, -1 for none.
func (l *List) find(id string) int {
	for i := range l.nodes {
		if l.all[l.nodes[i].of].ID == id {
			return i
		}
	}
	return -1
}

// at is the place of the selected session among the rows.
func (l *List) at(rows []int) int {
	for i, n := range rows {
		if l.all[l.nodes[n].of].ID == l.sel {
			return i
		}
	}
	return 0
}
