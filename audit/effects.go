package audit

import (
	"errors"
	"fmt"
	"slices"

	"nod/ambiguity"
	"nod/digest"
	"nod/digest/card"
	"nod/queue"
)

// effects checks every effect that a list shows, and then that none is missing.
func (w *walk) effects() error {
	for before, more := int64(0), true; more; {
		page, err := queue.Get[queue.Effects](w.ctx, w.port, queue.QEffects{Before: before, Limit: rowPage})
		if err != nil {
			return fmt.Errorf("read the effects: %w", err)
		}
		for i := range page.Effects {
			before = page.Effects[i].Num
			if err := w.effect(page.Effects[i].ID); err != nil {
				return err
			}
		}
		more = page.More && len(page.Effects) > 0
	}
	var unseen []string
	for id, f := range w.chain.life.effects {
		if !f.seen {
			unseen = append(unseen, id)
		}
	}
	for _, id := range sorted(unseen) {
		if err := w.effect(id); err != nil {
			return err
		}
	}
	return nil
}

// effect checks one effect; what changes under the reading is read again.
func (w *walk) effect(id string) error {
	for n := 1; ; n++ {
		f, err := w.lookEffect(id)
		if err != nil || f == nil {
			return err
		}
		if n == readings {
			return f
		}
		if _, err := w.catchUp(); err != nil {
			return err
		}
	}
}

func (w *walk) lookEffect(id string) (*Fault, error) {
	v, err := queue.Get[queue.Desk](w.ctx, w.port, queue.QEffect{ID: id})
	if r, ok := errors.AsType[*queue.Refusal](err); ok {
		switch r.Code {
		case queue.CodeUnknownID:
			return fault(CodeRowMissing, 0, "the effect %s has events, and a row is not there", id), nil
		case card.CodeBadDesk:
			return fault(CodeRow, 0, "what is kept of the effect %s is on no page: %s", id, r.Sentence), nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read the effect %s: %w", id, err)
	}
	f := w.chain.life.effects[id]
	if f == nil {
		f = w.chain.life.adoptOld(id)
	}
	if f == nil {
		return fault(CodeRow, 0, "no event made the effect %s", id), nil
	}
	what := checkEffect(&v, f)
	if what == "" {
		what, err = w.origin(&v, f)
	}
	if err != nil || what != "" {
		return fault(CodeRow, 0, "the effect %s does not have the %s that its events say", id, what), err
	}
	f.seen = true
	return nil, nil
}

// origin holds what an effect's row repeats of the ask that began it last, or
// of the effect that it was opened beside. Both were checked on their own.
func (w *walk) origin(v *queue.Desk, f *effect) (string, error) {
	e := &v.Effect
	if len(f.attempts) == 0 {
		beside, err := queue.Get[queue.Desk](w.ctx, w.port, queue.QEffect{ID: f.links})
		if b := &beside.Effect; err == nil && (string(b.Key) != string(e.Key) || b.Tool != e.Tool || b.Class != e.Class) {
			return "key, tool or class", nil
		}
		return "", err
	}
	ask, err := queue.Get[queue.AskView](w.ctx, w.port, queue.QAsk{ID: f.attempts[len(f.attempts)-1].ask})
	if err != nil {
		return "", err
	}
	if r := &ask.Row; r.Tool != e.Tool || r.Agent != e.Agent || r.Session != e.Session || r.Gist != e.Gist || r.GistMore != e.GistMore {
		return "tool, agent or session", nil
	}
	if len(ask.Ask) == 0 {
		return "", nil // pruned
	}
	if f.old {
		return "", nil // it was made of its row
	}
	doc, err := digest.ParseAsk(ask.Ask, digest.NoLimits())
	if err != nil || doc.Action == nil || doc.Action.Effect == nil {
		return "ask", err
	}
	if a := doc.Action.Effect; string(a.Key) != string(e.Key) || a.Class != e.Class {
		return "key or class", nil
	}
	return "", nil
}

// checkEffect compares an effect as the store shows it with its events; it
// answers "" or what differs.
func checkEffect(v *queue.Desk, f *effect) string {
	e, last := &v.Effect, f.sayings[len(f.sayings)-1].at
	switch {
	case e.Ordinal != f.ordinal || e.Links != f.links || (e.Key == nil) != (f.key == ""):
		return "key, ordinal or link"
	case e.Attempts != int64(len(f.attempts)) || len(v.Attempts) != len(f.attempts):
		return "attempts"
	case len(v.Facts) != len(f.sayings):
		return "facts"
	case e.CreatedAt != f.sayings[0].at || e.MovedAt != last:
		return "times"
	case e.Standing != f.standing():
		return "standing"
	}
	for i, t := range f.attempts {
		if got := &v.Attempts[i]; got.ID != t.id || got.Ask != t.ask || got.Number != t.number || got.State != t.state {
			return "attempts"
		}
	}
	for i, s := range f.sayings {
		if got := &v.Facts[i]; got.At != s.at || got.Attempt != s.attempt || (s.fact != "" || !f.old) && got.Digest(e.ID) != s.fact {
			return fmt.Sprintf("fact %d", i+1)
		}
	}
	if what := f.judge(v); what != "" {
		return what
	}
	return f.checkRepeats(v)
}

// checkRepeats compares who ran into the effect. Not all of many are kept.
func (f *effect) checkRepeats(v *queue.Desk) string {
	if v.Effect.Repeats != f.refused || len(f.repeats) > 0 && len(v.Repeats) == 0 {
		return "repeats"
	}
	for i := range v.Repeats {
		got := &v.Repeats[i]
		if r := f.repeats[got.Session]; r == nil || got.Count > r.Count || got.Last > r.Last || got.First < r.First ||
			len(f.repeats) <= len(v.Repeats) && *got != *r {
			return "repeats"
		}
	}
	return ""
}

// mark is what an effect shows of being open.
type mark struct {
	open bool
	why  ambiguity.Mark
}

// judge holds that outcome, mark and reference are what the facts come to. No
// event says what the descriptor was at the begin, so any will do that gives
// each state that the events say.
func (f *effect) judge(v *queue.Desk) string {
	e := &v.Effect
	marks := []mark{{}}
	for _, t := range f.attempts {
		fits := f.contracts(v, t.id)
		if len(fits) == 0 {
			return "outcome"
		}
		var next []mark
		for _, j := range fits {
			for _, m := range marks {
				if j.Open {
					m = mark{open: true, why: j.Mark}
				}
				if !slices.Contains(next, m) {
					next = append(next, m)
				}
			}
		}
		marks = next
	}
	double, answered := f.replay(v)
	for _, at := range f.outdated {
		answered = max(answered, at)
	}
	if double {
		for i := range marks {
			marks[i].open = true
			if marks[i].why == "" {
				marks[i].why = ambiguity.PossibleDouble
			}
		}
	}
	switch {
	case e.Double != double || !slices.Contains(marks, mark{e.Open, e.Mark}):
		return "mark"
	case e.Ref != f.reference(v) && !f.old:
		return "reference"
	case e.ReconciledAt != answered && (e.ReconciledAt < answered || !slices.Contains(f.perhaps, e.ReconciledAt)):
		return "time of its last answer"
	}
	return ""
}

// contracts gives, for each descriptor that there may have been, what the facts
// on an attempt come to, if every state on the way is the events'.
func (f *effect) contracts(v *queue.Desk, attempt string) (fits []ambiguity.Judgement) {
	for n := range 4 {
		c := ambiguity.Contract{SuccessClaims: n&1 != 0, Observed: n&2 != 0}
		var facts []ambiguity.Fact
		var j ambiguity.Judgement
		ok := true
		for i, s := range f.sayings {
			if s.attempt != attempt && s.attempt != "" {
				continue
			}
			g := &v.Facts[i]
			facts = append(facts, factOf(g))
			j = ambiguity.Judge(c, facts)
			ok = ok && (s.attempt == "" || j.State == s.to)
		}
		if ok {
			fits = append(fits, j)
		}
	}
	return fits
}

func factOf(g *queue.FactView) ambiguity.Fact {
	return ambiguity.Fact{Kind: g.Kind, Says: g.Says, Durable: g.Durable, Divergent: g.Divergent, Exit: g.Exit,
		Late: g.Late, Proof: g.Proof, Early: g.Early, Ref: g.Ref}
}

// reference is that of the first attempt which may have happened and has one.
func (f *effect) reference(v *queue.Desk) string {
	for _, t := range f.attempts {
		var facts []ambiguity.Fact
		for i := range v.Facts {
			if v.Facts[i].Attempt == t.id {
				facts = append(facts, factOf(&v.Facts[i]))
			}
		}
		if ref := ambiguity.Reference(facts); ref != "" && t.state != queue.AttemptNotExecuted {
			return ref
		}
	}
	return ""
}

// replay goes over what was said in its order: whether the effect may have
// happened twice and nobody acknowledged it, and when it was answered last.
func (f *effect) replay(v *queue.Desk) (double bool, answered int64) {
	newest := ""
	for i, s := range f.sayings {
		g := &v.Facts[i]
		switch {
		case g.Kind == ambiguity.Begun:
			newest = s.attempt
		case g.Kind == ambiguity.Acknowledged:
			double = false
		case g.Kind == ambiguity.Opened:
			answered = s.at
		case s.to == queue.AttemptCommitted && s.from != s.to && s.from != queue.AttemptExecuting && s.attempt != newest:
			double = true
		}
		if g.Kind == ambiguity.Reconciliation || g.Kind == ambiguity.Correction || g.Kind == ambiguity.Observation && g.Says == queue.AttemptCommitted {
			answered = s.at
		}
	}
	return double, answered
}

// checkOpen counts what is on the desk.
func (w *walk) checkOpen(kept int64) (*Fault, error) {
	open := int64(0)
	for before, more := int64(0), true; more; {
		page, err := queue.Get[queue.Effects](w.ctx, w.port, queue.QEffects{Open: true, Before: before, Limit: rowPage})
		if err != nil {
			return nil, fmt.Errorf("read the effects: %w", err)
		}
		for i := range page.Effects {
			before = page.Effects[i].Num
			open++
		}
		more = page.More && len(page.Effects) > 0
	}
	if open != kept {
		return fault(CodeCounts, 0, "the store counts %d effects on the desk, and shows %d", kept, open), nil
	}
	return nil, nil
}
