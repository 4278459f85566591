package inbox

import (
	"cmp"
	"maps"
	"slices"

	"nod/queue"
)

// MostMarked is how many asks a batch may hold (docs/spec/acts.md).
const MostMarked = 64

// ToggleMark marks the ask under the hand for a batch, or takes the mark away;
// a closed fold is marked whole. now is effective. When it cannot be marked, why
// says it, as the middle of a sentence; nothing is changed then.
func (l *List) ToggleMark(now int64) (why string) {
	ask := l.Selected().Ask
	if ask == "" {
		return "a notice is no ask"
	}
	i := l.find(ask)
	if i < 0 {
		return "it no longer waits"
	}
	rows := []queue.Row{l.rows[i]}
	if k, ok := foldOf(&l.rows[i]); ok && !l.folds.open[k] {
		rows = l.Folded(ask)
	}
	rows = slices.DeleteFunc(rows, func(r queue.Row) bool { return r.StateAt(now) != queue.StatePending })
	if len(rows) == 0 {
		return "it no longer waits"
	}
	fresh := slices.DeleteFunc(slices.Clone(rows), func(r queue.Row) bool { _, is := l.marks[r.ID]; return is })
	if len(fresh) == 0 {
		for i := range rows {
			delete(l.marks, rows[i].ID)
		}
		return ""
	}
	for i := range rows {
		if slices.Contains(rows[i].Reasons, queue.ReasonRealApproval) {
			return "a call that wants a real approval is answered alone"
		}
	}
	switch r := &rows[0]; {
	case r.Kind == "commit":
		return "a commit is answered alone"
	case r.Irreversible:
		return "what is irreversible is answered alone"
	case r.Mandated:
		return "a mandated call is answered alone"
	case r.Kind != "call":
		return "a question has an answer of its own"
	}
	for _, m := range l.marks {
		if m.Tool != fresh[0].Tool {
			return "it is another tool than those marked"
		}
	}
	if len(l.marks)+len(fresh) > MostMarked {
		return "a batch holds " + itoa(MostMarked)
	}
	if l.marks == nil {
		l.marks = map[string]queue.Row{}
	}
	for i := range fresh {
		l.marks[fresh[i].ID] = fresh[i]
	}
	return ""
}

// Marked gives the marked asks, most urgent first.
func (l *List) Marked() []queue.Row {
	return slices.SortedFunc(maps.Values(l.marks), func(a, b queue.Row) int {
		return cmp.Or(cmp.Compare(a.Urgency, b.Urgency), cmp.Compare(a.Seq, b.Seq))
	})
}

// ClearMarks takes all marks away.
func (l *List) ClearMarks() { l.marks = nil }

// remark brings the marked rows up to date, and forgets those that are known
// to wait no more. whole says that the rows held are all there are.
func (l *List) remark(whole bool) {
	seen := make(map[string]bool, len(l.marks))
	for i := range l.rows {
		r := &l.rows[i]
		if _, is := l.marks[r.ID]; !is {
			continue
		}
		seen[r.ID] = true
		if r.State == queue.StatePending {
			l.marks[r.ID] = *r
		} else {
			delete(l.marks, r.ID)
		}
	}
	for id := range l.marks {
		if whole && !seen[id] {
			delete(l.marks, id)
		}
	}
}
