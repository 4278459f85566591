package inbox

import (
	"cmp"
	"slices"

	"nod/ambiguity"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// MostEffects is how many open effects the inbox lists; the view of effects has
// them all.
const MostEffects = 50

// effects are the items of the desk at the top of the list.
type effects struct {
	rows  []queue.EffectView
	fresh int64 // that came in since
}

func effectKey(e *queue.EffectView) string { return "e" + e.ID }

// show brings them in: those that somebody ran into first, then what is
// unknown, the oldest of equals before the others.
func (e *effects) show(open []queue.EffectView) {
	e.rows, e.fresh = slices.Clone(open), 0
	slices.SortStableFunc(e.rows, func(a, b queue.EffectView) int {
		return cmp.Or(cmp.Compare(min(b.Repeats, 1), min(a.Repeats, 1)), cmp.Compare(known(&a), known(&b)), cmp.Compare(a.Num, b.Num))
	})
}

// known orders what nobody can prove before what is open all the same.
func known(e *queue.EffectView) int {
	if e.Standing == ambiguity.StandsUnknown {
		return 0
	}
	return 1
}

// refresh changes rows where they stand. What left the desk stays, and what came
// on it is counted.
func (e *effects) refresh(open []queue.EffectView) {
	now := make(map[string]*queue.EffectView, len(open))
	for i := range open {
		now[open[i].ID] = &open[i]
	}
	whole := len(open) < MostEffects
	for i := range e.rows {
		r := &e.rows[i]
		switch v := now[r.ID]; {
		case v != nil:
			*r = *v
			delete(now, r.ID)
		case whole:
			r.Open = false
		}
	}
	e.fresh = max(int64(len(now)), 0)
}

// FreshEffects is how many outcomes came on the desk since the rows were brought
// in.
func (l *List) FreshEffects() int64 { return l.effects.fresh }

// SelectedEffect is the effect under the hand.
func (l *List) SelectedEffect() (queue.EffectView, bool) {
	for i := range l.effects.rows {
		if effectKey(&l.effects.rows[i]) == l.sel {
			return l.effects.rows[i], true
		}
	}
	return queue.EffectView{}, false
}

// PutEffect takes an effect as it was read, where it is in the list.
func (l *List) PutEffect(v queue.EffectView) {
	for i := range l.effects.rows {
		if l.effects.rows[i].ID == v.ID {
			l.effects.rows[i] = v
		}
	}
}

// SelectEffect puts the selection on an effect, when it is in the list.
func (l *List) SelectEffect(id string, look frame.Look, h int) { l.to("e"+id, look, h) }

// NearEffect gives the open effect n places after the one named, or none.
func (l *List) NearEffect(id string, n int) (string, bool) {
	return NearEffect(l.effects.rows, id, n)
}

// NearEffect gives the open effect n places after the one named in a list.
func NearEffect(rows []queue.EffectView, id string, n int) (string, bool) {
	at := slices.IndexFunc(rows, func(e queue.EffectView) bool { return e.ID == id })
	if at < 0 {
		return "", false
	}
	for at += sign(n); at >= 0 && at < len(rows); at += sign(n) {
		if rows[at].Open {
			return rows[at].ID, true
		}
	}
	return "", false
}

// BesideEffect is what to go on with when an effect leaves the list: the next
// one, the one before, the first ask.
func (l *List) BesideEffect(id string) string {
	for _, n := range []int{1, -1} {
		if id, ok := l.NearEffect(id, n); ok {
			return id
		}
	}
	for i := range l.rows {
		if l.rows[i].State == queue.StatePending {
			return l.rows[i].ID
		}
	}
	return ""
}

// Stand is how an effect stands, in a word of at most 11 cells: its shape, the
// word and its role.
func Stand(g frame.Glyphs, e *queue.EffectView) (shape, word string, role themes.Role) {
	switch {
	case e.Mark == ambiguity.Divergent && e.Open:
		return g.Unknown, "divergent", themes.Danger
	case e.Mark == ambiguity.Conflict:
		return g.Unknown, "conflict", themes.Unknown
	case e.Standing == ambiguity.StandsUnknown:
		return g.Unknown, "unknown", themes.Unknown
	case e.Double:
		return g.Unknown, "double?", themes.Danger
	case e.Standing == ambiguity.StandsExecuting:
		return g.Call, "begun", themes.Text
	case e.Standing == ambiguity.StandsCommitted:
		return g.Good, "committed", themes.OK
	case e.Attempts == 0:
		return g.Alone, "opened", themes.Text // as distinct, and nothing began yet
	}
	return g.Over, "not run", themes.Text
}

// StandAtLength is Stand with the three wordings of unknown apart, in at most 17
// cells.
func StandAtLength(g frame.Glyphs, e *queue.EffectView) (shape, word string, role themes.Role) {
	shape, word, role = Stand(g, e)
	switch {
	case word == "unknown" && e.Mark == ambiguity.NotDurable:
		word = "seen, not durable"
	case word == "unknown":
		word = "not confirmed"
	case word == "double?":
		word = "possible double"
	}
	return shape, word, role
}

func drawEffect(look frame.Look, e *queue.EffectView, w int) frame.Line {
	shape, word, role := Stand(look.Glyphs, e)
	if !e.Open && e.Standing == ambiguity.StandsUnknown { // settled elsewhere, and nobody read yet how
		shape, word, role = look.Glyphs.Over, "settled", themes.Text
	}
	line := columns(look, shape, word, role, frame.Right(themes.Muted, say.Age(look.Now-e.MovedAt), 4), frame.Gap(5), w)
	return append(line, WhatEffect(look, e, w-1-line.Width(), themes.Text)...)
}

// WhatEffect draws tool, target and agent of an effect in at most w cells, the
// last kept free.
func WhatEffect(look frame.Look, e *queue.EffectView, w int, role themes.Role) frame.Line {
	return what(look, &queue.Row{Tool: e.Tool, Gist: e.Gist, GistMore: e.GistMore, Agent: e.Agent}, w, role)
}

// PositionEffect is the place of an effect among those of the list, from 1; 0
// for none.
func (l *List) PositionEffect(id string) int {
	return 1 + slices.IndexFunc(l.effects.rows, func(e queue.EffectView) bool { return e.ID == id })
}
