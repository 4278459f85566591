package inbox

import (
	"nod/queue"
	"nod/tui/frame"
)

// kind says what a row of the list is.
type kind uint8

const (
	blank kind = iota
	heading
	pending
	notice
	lately
)

// item is one row of the list before it is drawn.
type item struct {
	kind   kind
	group  string
	row    *queue.Row
	notice *queue.NoticeView
}

// key names an item that can be selected; "" for the others.
func (it item) key() string {
	switch it.kind {
	case pending, lately:
		return askKey(it.row)
	case notice:
		return noticeKey(it.notice)
	}
	return ""
}

// Group headings.
const (
	groupPerson = "Only a person may answer"
	groupCalls  = "Calls and questions"
	groupRead   = "To deliver and to read"
	groupLately = "Answered lately"
)

// group is by what an ask is, never by its state: a row that was answered
// stays in its place.
func group(r *queue.Row) string {
	if r.Mandated || r.Irreversible {
		return groupPerson
	}
	return groupCalls
}

// items lays the list out: groups parted by a heading and, on screens that
// have the room, a blank row.
func (l *List) items(look frame.Look) []item {
	out := make([]item, 0, len(l.rows)+len(l.notices)+len(l.lately)+8)
	airy, tail := look.H >= 24, look.H >= 24
	head := ""
	under := func(g string) {
		if g == head {
			return
		}
		if head != "" && airy {
			out = append(out, item{kind: blank})
		}
		head = g
		out = append(out, item{kind: heading, group: g})
	}
	for i := range l.rows {
		under(group(&l.rows[i]))
		out = append(out, item{kind: pending, row: &l.rows[i]})
	}
	if l.below {
		return out
	}
	for i := range l.notices {
		under(groupRead)
		out = append(out, item{kind: notice, notice: &l.notices[i]})
	}
	if tail {
		for i := range l.lately {
			if l.holds(l.lately[i].ID) {
				continue // it still stands where it was answered
			}
			under(groupLately)
			out = append(out, item{kind: lately, row: &l.lately[i]})
		}
	}
	return out
}

func (l *List) holds(ask string) bool {
	for i := range l.rows {
		if l.rows[i].ID == ask {
			return true
		}
	}
	return false
}
