package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/keys"
	"nod/tui/query"
	"nod/tui/sessions"
	"nod/tui/stats"
)

// Saved is a filter with a name, from the configuration: what would be typed
// after the search key (package query).
type Saved struct{ Name, Query string }

// ownFilters are the filters that every console has.
func ownFilters() []Saved {
	return []Saved{
		{"mandated", "mandated"}, {"irreversible", "irreversible"}, {"questions", "kind:question"},
		{"nobody waits", "alone"}, {"snoozed", "snoozed"},
	}
}

// pastFilters are those of the history.
func pastFilters() []Saved {
	return []Saved{
		{"allowed by a person today", "allowed by:person today"}, {"allowed by a rule today", "allowed by:rule today"},
		{"denied today", "denied today"}, {"expired unanswered", "expired"}, {"lapsed", "lapsed"}, {"revoked", "revoked"},
	}
}

// arrange changes what a view shows, and of what nothing.
func (m *Model) arrange(i keys.Intent) tea.Cmd {
	switch i {
	case keys.Search:
		m.openSearch()
	case keys.Filters:
		return m.openFilters()
	case keys.Unfold:
		if m.place == keys.Sessions {
			if !m.sessions.Fold() {
				m.note.tell("No fold", "nothing hangs below the selected session.")
			}
			return nil
		}
		if !m.list.Unfold(m.paneLook(), m.listRows()) {
			m.note.tell("No fold", "nothing stands behind the selected row.")
		}
	case keys.NextSpan:
		m.stats.SetSpan((m.stats.Span() + 1) % (stats.Month + 1))
		return m.readStats()
	case keys.NextOrder:
		m.stats.SetOrder((m.stats.Order() + 1) % (stats.ByTool + 1))
	}
	return nil
}

// searchAfter is how long the hand rests before what it typed is searched for.
const searchAfter = 120 * time.Millisecond

// searchDue says that the hand rested after a change of the search.
type searchDue struct{ no uint64 }

// openSearch opens the line whose text is searched for as it is written.
func (m *Model) openSearch() {
	l := &line{
		label: "search", keeps: "keeps the list so", drops: "shows all again",
		about: query.Words,
	}
	l.change = func(m *Model, _ string) tea.Cmd {
		m.reads.search++
		no := m.reads.search
		return m.opts.Tick(searchAfter, func(time.Time) tea.Msg { return searchDue{no} })
	}
	l.keep = func(m *Model, text string) tea.Cmd { return m.find(text) }
	l.leave = func(m *Model) tea.Cmd {
		if m.filter() == (queue.Filter{}) {
			return nil
		}
		return m.find("")
	}
	l.field.Set(m.searched)
	m.cover(l)
}

// onSearchDue searches for what the open line holds.
func (m *Model) onSearchDue(d searchDue) tea.Cmd {
	l, ok := m.over.(*line)
	if !ok || d.no != m.reads.search {
		return nil
	}
	return m.find(l.field.Text())
}

// filter is the filter of the list in view.
func (m *Model) filter() queue.Filter {
	if m.place == keys.History {
		return m.hist.Filter()
	}
	return m.list.Filter()
}

// find narrows the list in view to what holds text.
func (m *Model) find(text string) tea.Cmd {
	f, problem := query.Parse(text, m.look.Now, m.look.Loc)
	if problem != "" {
		m.note.warn("No search", problem+".")
		return nil
	}
	name := visible.Text{}
	if text != "" {
		name = visible.Concat(visible.Own("search "), visible.Of(visible.Strict, text))
	}
	m.searched = text
	if m.place == keys.History {
		return m.narrowHistory(f, name)
	}
	return m.narrow(f, name)
}

// narrow shows only what a filter lets through.
func (m *Model) narrow(f queue.Filter, name visible.Text) tea.Cmd {
	m.list.SetFilter(f, name)
	return m.readInbox(showTop, "")
}

func (m *Model) narrowHistory(f queue.Filter, name visible.Text) tea.Cmd {
	m.hist.SetFilter(f, name)
	return m.readHistory(showTop)
}

// narrowed reports whether something narrows the inbox or is marked in it.
func (m *Model) narrowed() bool { return m.list.Filtered() || len(m.list.Marked()) > 0 }

// widen drops marks first, then the filter.
func (m *Model) widen() tea.Cmd {
	if len(m.list.Marked()) > 0 {
		m.list.ClearMarks()
		m.note.tell("Unmarked", "no ask is marked any more.")
		return nil
	}
	m.searched = ""
	return m.narrow(queue.Filter{}, visible.Text{})
}

// asksOfSession shows what waits in the selected session.
func (m *Model) asksOfSession() tea.Cmd {
	s, _ := m.sessions.Selected()
	f, name := sessions.Filter(&s), sessions.Name(&s)
	if s.Waits == 0 {
		m.place, m.back = keys.History, []step{{place: keys.Sessions}}
		return m.narrowHistory(f, name)
	}
	m.place, m.back = keys.Inbox, nil
	return m.narrow(f, name)
}

// asksOfRow shows the asks that the row of the statistics counts.
func (m *Model) asksOfRow() tea.Cmd {
	f, name, ok := m.stats.Filter()
	if !ok {
		return nil
	}
	m.place, m.back = keys.History, []step{{place: keys.Stats}}
	return m.narrowHistory(f, name)
}
