package inbox

import (
	"nod/queue"
	"nod/tui/frame"
	"nod/tui/say"
)

// kind says what a row of the list is.
type kind uint8

const (
	blank kind = iota
	heading
	pending
	notice
	lately
	effect
	delivery
	remark // a sentence about rows that are not there
)

// item is one row of the list before it is drawn.
type item struct {
	kind   kind
	group  string // or the sentence
	row    *queue.Row
	notice *queue.NoticeView
	effect *queue.EffectView
	way    *queue.DeliveryView

	n       int   // how many asks stand in the row, that stand as it does
	more    bool  // or even more
	marked  int   // of them
	by      int64 // the first deadline of them
	several bool  // they are of several agents
	open    bool  // they stand below
	member  bool  // it is one of those
}

// key names an item that can be selected; "" for the others.
func (it item) key() string {
	switch it.kind {
	case pending, lately:
		return askKey(it.row)
	case notice:
		return noticeKey(it.notice)
	case effect:
		return effectKey(it.effect)
	case delivery:
		return deliveryKey(it.way)
	}
	return ""
}

// airy is the rows of a screen from which there are blank rows and the group of
// what was answered lately (SCREENS, grammar).
const airy = 24

// Group headings.
const (
	groupEffect = "Agents blocked by an unknown outcome"
	groupPerson = "Only a person may answer"
	groupCalls  = "Calls and questions"
	groupRead   = "To deliver and to read"
	groupLately = "Answered lately"
	groupNone   = "Nothing waits"
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
	roomy := look.H >= airy
	head := ""
	under := func(g string) {
		if g == head {
			return
		}
		if head != "" && roomy {
			out = append(out, item{kind: blank})
		}
		head = g
		out = append(out, item{kind: heading, group: g})
	}
	if !l.Filtered() && !l.above {
		for i := range l.effects.rows {
			under(groupEffect)
			out = append(out, item{kind: effect, effect: &l.effects.rows[i]})
		}
	}
	drawn := make(map[string]bool, len(l.rows))
	for _, it := range l.lay(look.Now) {
		under(group(it.row))
		out = append(out, it)
		drawn[it.row.ID] = true
	}
	if l.below {
		if l.vain >= mostVain {
			out = append(out, item{kind: remark, group: "more wait behind these; a move goes on reading"})
		}
		return out
	}
	if l.Clear() {
		under(groupNone)
	}
	if l.snoozed > 0 && !l.Filtered() {
		out = append(out, item{kind: remark, group: snoozedSay(l.snoozed, l.filterKey)})
	}
	if l.Filtered() {
		return out // what is filtered are the asks
	}
	for i := range l.deliveries {
		under(groupRead)
		out = append(out, item{kind: delivery, way: &l.deliveries[i]})
	}
	for i := range l.notices {
		under(groupRead)
		out = append(out, item{kind: notice, notice: &l.notices[i]})
	}
	if roomy {
		for i := range l.lately {
			if drawn[l.lately[i].ID] {
				continue // it still stands where it was answered
			}
			under(groupLately)
			out = append(out, item{kind: lately, row: &l.lately[i]})
		}
	}
	return out
}

// snoozedSay counts what is snoozed and names the key that shows it, if any.
func snoozedSay(n int64, key string) string {
	them := "them"
	if n == 1 {
		them = "it"
	}
	s := say.Number(n) + " snoozed"
	if key != "" {
		s += "; " + key + " shows " + them
	}
	return s
}
