package inbox

import (
	"strings"

	"nod/digest"
	"nod/digest/visible"
	"nod/queue"
	"nod/tui/frame"
)

// fold is what asks have in common that stand in one row with a count (DESIGN
// §4, Waiters: two live waiters with one digest are two asks, folded).
type fold struct {
	action                 digest.Digest
	kind                   string
	mandated, irreversible bool
}

func foldOf(r *queue.Row) (fold, bool) {
	return fold{r.ActionDigest, r.Kind, r.Mandated, r.Irreversible}, r.ActionDigest != ""
}

// folds is which rows lead one. A leader keeps its place while it is held,
// whatever comes before it or becomes of it, so that a fold that grows or
// shrinks moves no row.
type folds struct {
	leads map[string]bool // by ask
	open  map[fold]bool
	thin  bool // hidden rows were let go: a count may be too small
}

// refold chooses leaders for folds that have none: the first row in order,
// which is the most urgent and then the oldest. The selected row leads unless
// its fold is open: it never goes into another's row.
func (l *List) refold() {
	led := make(map[fold]bool, len(l.rows))
	leads := make(map[string]bool, len(l.rows))
	if i := l.find(strings.TrimPrefix(l.sel, "a")); i >= 0 {
		if k, _ := foldOf(&l.rows[i]); !l.folds.open[k] {
			if l.folds.leads == nil {
				l.folds.leads = map[string]bool{}
			}
			l.folds.leads[l.rows[i].ID] = true
		}
	}
	for i := range l.rows {
		r := &l.rows[i]
		k, ok := foldOf(r)
		if !ok || l.folds.leads[r.ID] {
			leads[r.ID] = true
			led[k] = led[k] || ok && r.State == queue.StatePending
		}
	}
	for i := range l.rows {
		r := &l.rows[i]
		if k, _ := foldOf(r); !leads[r.ID] && !led[k] && r.State == queue.StatePending {
			leads[r.ID], led[k] = true, true
		}
	}
	l.folds.leads = leads
}

// owners gives the row of each fold: its first leader that is pending, else
// its first leader.
func (l *List) owners() map[fold]int {
	out := make(map[fold]int, len(l.rows))
	for i := range l.rows {
		r := &l.rows[i]
		k, ok := foldOf(r)
		if !ok || !l.folds.leads[r.ID] {
			continue
		}
		if at, is := out[k]; !is || l.rows[at].State != queue.StatePending && r.State == queue.StatePending {
			out[k] = i
		}
	}
	return out
}

// owner gives the row that an ask's fold stands in, and the fold's other rows
// in order; -1 when the ask is not held.
func (l *List) owner(ask string) (at int, others []int) {
	i := l.find(ask)
	if i < 0 {
		return -1, nil
	}
	k, ok := foldOf(&l.rows[i])
	if !ok {
		return i, nil
	}
	at, is := l.owners()[k]
	if !is || l.folds.leads[ask] && at != i {
		return i, nil
	}
	return at, l.others(k)
}

// others are the rows of a fold that lead nothing.
func (l *List) others(k fold) (out []int) {
	for i := range l.rows {
		if of, ok := foldOf(&l.rows[i]); ok && of == k && !l.folds.leads[l.rows[i].ID] {
			out = append(out, i)
		}
	}
	return out
}

func (l *List) find(ask string) int {
	for i := range l.rows {
		if l.rows[i].ID == ask {
			return i
		}
	}
	return -1
}

// Folded gives the pending asks that stand in one row with the ask named, the
// one that leads first; just that ask when it stands alone, none when it is
// not pending here.
func (l *List) Folded(ask string) []queue.Row {
	at, others := l.owner(ask)
	if at < 0 {
		return nil
	}
	var out []queue.Row
	for _, i := range append([]int{at}, others...) {
		if l.rows[i].State == queue.StatePending {
			out = append(out, l.rows[i])
		}
	}
	return out
}

// Unfold opens the fold under the hand, or closes it and goes to its row; h is
// Body. False when the selected row is no fold, nor one of an open one.
func (l *List) Unfold(look frame.Look, h int) bool {
	ask := l.Selected().Ask
	at, others := l.owner(ask)
	if ask == "" || at < 0 || len(others) == 0 {
		return false
	}
	k, _ := foldOf(&l.rows[at])
	if l.folds.open[k] {
		l.to(askKey(&l.rows[at]), look, h)
		l.scroll.Hold()
		delete(l.folds.open, k)
		return true
	}
	if l.rows[at].ID != ask { // it stands among what was answered lately, and no fold is under the hand
		return false
	}
	l.reveal(k)
	return true
}

func (l *List) reveal(k fold) {
	if l.folds.open == nil {
		l.folds.open = map[fold]bool{}
	}
	l.folds.open[k] = true
}

// forget closes the folds that no row belongs to.
func (l *List) forget() {
	owners := l.owners()
	for k := range l.folds.open {
		if _, is := owners[k]; !is {
			delete(l.folds.open, k)
		}
	}
}

// lay gives the rows as they are drawn: those that lead, and below the leader
// of an open fold its others.
func (l *List) lay(now int64) []item {
	owners := l.owners()
	hidden := make(map[fold][]int)
	for i := range l.rows {
		if k, ok := foldOf(&l.rows[i]); ok && !l.folds.leads[l.rows[i].ID] {
			hidden[k] = append(hidden[k], i)
		}
	}
	out := make([]item, 0, len(l.rows))
	for i := range l.rows {
		r := &l.rows[i]
		if !l.folds.leads[r.ID] {
			continue
		}
		it := item{kind: pending, row: r, n: 1, by: r.AnswerBy}
		k, ok := foldOf(r)
		_, marked := l.marks[r.ID]
		it.count(marked)
		if !ok || owners[k] != i {
			out = append(out, it)
			continue
		}
		for _, j := range hidden[k] {
			it.add(l, &l.rows[j], now)
		}
		it.more = l.folds.thin && it.n > 1
		it.open = l.folds.open[k]
		out = append(out, it)
		if !it.open {
			continue
		}
		for _, j := range hidden[k] {
			m := item{kind: pending, row: &l.rows[j], n: 1, by: l.rows[j].AnswerBy, member: true}
			_, marked := l.marks[l.rows[j].ID]
			m.count(marked)
			out = append(out, m)
		}
	}
	return out
}

func (it *item) count(marked bool) {
	if marked {
		it.marked++
	}
}

// add counts another row of the fold into its leader's row, when both stand
// alike.
func (it *item) add(l *List, r *queue.Row, now int64) {
	if r.StateAt(now) != it.row.StateAt(now) {
		return
	}
	it.n++
	it.by = min(it.by, r.AnswerBy)
	it.several = it.several || r.Agent != it.row.Agent
	_, marked := l.marks[r.ID]
	it.count(marked)
}

// hiddenHeld is how many rows are held that stand in others' rows.
const hiddenHeld = 2 * Page

// slim lets the last hidden rows go when there are too many, but none that is
// selected or marked.
func (l *List) slim() {
	over := -hiddenHeld
	for i := range l.rows {
		if !l.folds.leads[l.rows[i].ID] {
			over++
		}
	}
	if over <= 0 {
		return
	}
	kept := l.rows[:0:0]
	for i := len(l.rows) - 1; i >= 0; i-- {
		r := &l.rows[i]
		_, marked := l.marks[r.ID]
		if over > 0 && !l.folds.leads[r.ID] && !marked && askKey(r) != l.sel {
			over--
			l.folds.thin = true
			continue
		}
		kept = append(kept, *r)
	}
	for i, j := 0, len(kept)-1; i < j; i, j = i+1, j-1 {
		kept[i], kept[j] = kept[j], kept[i]
	}
	l.rows = kept
}

// stateCells is the width of the state's column (SCREENS, grammar).
const stateCells = 11

// times writes a word and how many it stands for in the state's column: with
// fewer blanks, and then with a smaller count and a plus, where it must.
func times(g frame.Glyphs, word string, n int, more bool) string {
	if n < 2 {
		return word
	}
	if len(word) > stateCells-4 {
		word = shorten(word)
	}
	count := func(n int, plus string) []string {
		s := g.Times + itoa(n) + plus
		return []string{word + " " + s, word + s}
	}
	var all []string
	if !more {
		all = count(n, "")
	}
	for _, cap := range []int{n, 99, 9} {
		if cap < n || more && cap == n {
			all = append(all, count(cap, "+")...)
		}
	}
	for _, s := range all {
		if frame.Width(visible.Drawn(s)) <= stateCells {
			return s
		}
	}
	return all[len(all)-1]
}

// shorten makes room for a count after a long word.
func shorten(word string) string {
	switch word {
	case "irreversible":
		return "irrev."
	case "edited call":
		return "edited"
	case "withdrawn":
		return "withdr."
	}
	return word
}
