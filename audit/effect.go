package audit

import (
	"fmt"
	"slices"

	"nod/ambiguity"
	"nod/digest"
	"nod/queue"
)

// effect is an effect as its events tell it.
type effect struct {
	id, key  string // the key's hash; "" where none is stated
	ordinal  int64
	links    string
	attempts []*attempt
	sayings  []saying
	repeats  map[string]*queue.RepeatView // by session
	refused  int64
	answered int64 // event number of the newest answer: allows before it are stale
	// Answers on an older effect of the key count for this one, too: times of
	// those that surely did, and of observations that may have.
	outdated, perhaps []int64
	old               bool // begun before events named effects
	seen              bool // its row was read
}

// saying is what one event says of an effect: there is a fact for each.
type saying struct {
	attempt  string // "" for the effect as a whole
	at       int64
	from, to queue.AttemptState
	fact     digest.Digest
}

func (f *effect) standing() ambiguity.Standing {
	states := make([]ambiguity.State, len(f.attempts))
	for i, t := range f.attempts {
		states[i] = t.state
	}
	return ambiguity.Stand(states)
}

// add keeps an effect that was not there before.
func (l *life) add(f *effect) *effect {
	f.repeats = map[string]*queue.RepeatView{}
	l.effects[f.id] = f
	if f.key != "" {
		l.keys[f.key] = append(l.keys[f.key], f)
	}
	return f
}

// counting is the effect of a key that counts: one that is executing or
// unknown, else the newest; nil where there is none.
func (l *life) counting(key string) *effect {
	all := l.keys[key]
	for _, f := range slices.Backward(all) {
		if s := f.standing(); s == ambiguity.StandsExecuting || s == ambiguity.StandsUnknown {
			return f
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// reserve holds I5, the numbers of an effect's attempts, and that a begin's
// allow is younger than the last answer on its effect.
func (l *life) reserve(a *ask, t *attempt, e *event) string {
	if e.Effect == "" {
		return ""
	}
	if l.kept == 0 {
		l.kept = e.Seq
	}
	f, counts := l.effects[e.Effect], l.counting(e.EffectKey)
	switch {
	case f == nil && counts != nil:
		return "it began another effect of a key that has one"
	case f == nil:
		f = l.add(&effect{id: e.Effect, key: e.EffectKey, ordinal: 1})
	case f != counts:
		return "it began an effect that is not the one of its key that counts"
	case f.standing() != ambiguity.StandsFree:
		return fmt.Sprintf("its effect was %s", f.standing())
	case a.decided < f.answered:
		return "it began on an allow older than the last answer on its effect"
	}
	if e.Number != int64(len(f.attempts))+1 {
		return fmt.Sprintf("it is attempt %d of an effect that had %d", e.Number, len(f.attempts))
	}
	f.attempts = append(f.attempts, t)
	l.said(t, e)
	return ""
}

// adoptOld gives the effect of an attempt that began before events named
// effects: when its store was brought up, it became one of its own, under its
// own id. It is nil for every other id.
func (l *life) adoptOld(id string) *effect {
	t := l.attempts[id]
	if t == nil || t.effect != "" || l.effects[id] != nil || l.kept != 0 && t.seq > l.kept {
		return nil
	}
	t.effect = id
	f := l.add(&effect{id: id, ordinal: 1, old: true, attempts: []*attempt{t},
		sayings: []saying{{attempt: id, at: t.began, to: queue.AttemptExecuting}}})
	if t.state != queue.AttemptExecuting {
		f.sayings = append(f.sayings, saying{attempt: id, at: t.ended, from: queue.AttemptExecuting, to: t.state})
	}
	return f
}

// begun gives the attempt that an event names, as it has to be before.
func (l *life) begun(e *event) (*attempt, string) {
	t := l.attempts[e.Attempt]
	if e.Effect == e.Attempt {
		l.adoptOld(e.Effect)
	}
	switch {
	case t == nil || t.ask != e.Ask || t.number != e.Number || t.effect != e.Effect:
		return nil, "the attempt never began"
	case string(t.state) != e.From:
		return nil, fmt.Sprintf("the attempt was %s, not %s", t.state, e.From)
	}
	return t, ""
}

// state plays what an observer or a person says of an attempt.
func (l *life) state(e *event) string {
	t, why := l.begun(e)
	if why != "" {
		return why
	}
	to := queue.AttemptState(e.To)
	executing := t.state == queue.AttemptExecuting
	switch {
	case t.effect == "":
		return "something is said of an attempt that is of no effect"
	case to != t.state && (!to.Outcome() || executing):
		return fmt.Sprintf("no %s leads from %s to %s", e.Act, e.From, e.To)
	case e.Act == "observe":
		if e.Evidence != ambiguity.ByObserver || to == queue.AttemptNotExecuted && to != t.state {
			return "an observation alone says that it did not happen, or is nobody's"
		}
	case e.By != queue.ByPerson || e.Evidence != ambiguity.ByOperator || !e.ShownDigest.Valid():
		return "an answer that is nobody's, or made on no page"
	case executing || (e.Act == "reconcile") != (t.state == queue.AttemptUnknown):
		return fmt.Sprintf("no %s answers what is %s", e.Act, t.state)
	case to == queue.AttemptNotExecuted && e.Way == queue.WayScript:
		return "a script said that it did not happen"
	}
	sure := e.Act != "observe" || to == queue.AttemptCommitted && t.state != to
	l.said(t, e)
	f := l.effects[t.effect]
	counts := f
	if f.key != "" {
		counts = l.counting(f.key)
	}
	switch {
	case sure:
		f.answered, counts.answered = e.Seq, e.Seq
		if counts != f {
			counts.outdated = append(counts.outdated, e.Effective)
		}
	case counts != f:
		counts.perhaps = append(counts.perhaps, e.Effective)
	}
	return ""
}

// said moves an attempt and keeps what was said of its effect.
func (l *life) said(t *attempt, e *event) {
	s := saying{attempt: t.id, at: e.Effective, from: t.state, to: queue.AttemptState(e.To), fact: e.Said}
	if e.Act == "begin" {
		s.from, s.to = "", queue.AttemptExecuting
	}
	if t.state == queue.AttemptExecuting && s.to != t.state {
		t.ended = e.Effective
	}
	t.state = s.to
	if f := l.effects[t.effect]; f != nil {
		f.sayings = append(f.sayings, s)
	}
}

func (l *life) acknowledge(e *event) string {
	f := l.effects[e.Effect]
	if f == nil || len(f.attempts) == 0 || e.By != queue.ByPerson || !e.ShownDigest.Valid() {
		return "an effect was acknowledged that never began, by nobody, or on no page"
	}
	f.sayings = append(f.sayings, saying{at: e.Effective, fact: e.Said})
	return ""
}

// distinct plays that a person opened another effect beside one that happened.
func (l *life) distinct(e *event) string {
	beside := l.effects[e.Replaces]
	switch {
	case e.Effect == "" || l.effects[e.Effect] != nil || e.By != queue.ByPerson || !e.ShownDigest.Valid():
		return "an effect was opened that was there, by nobody, or on no page"
	case beside == nil || e.EffectKey == "" || l.counting(e.EffectKey) != beside || e.Count != beside.ordinal+1:
		return "an effect was opened beside one that is not the one of its key that counts"
	case beside.standing() != ambiguity.StandsCommitted:
		return fmt.Sprintf("an effect was opened beside one that was %s", beside.standing())
	}
	l.add(&effect{id: e.Effect, key: e.EffectKey, ordinal: e.Count, links: beside.id, answered: e.Seq,
		sayings: []saying{{at: e.Effective, fact: e.Said}}})
	return ""
}

// refuse plays that a call ran into an effect.
func (l *life) refuse(e *event) string {
	f := l.effects[e.Effect]
	switch {
	case f == nil || f.key == "" || l.counting(f.key) != f || e.EffectKey != f.key:
		return "a call was refused for an effect that is not the one of its key that counts"
	case e.Reason == "" || e.Reason != f.standing().Refuses(false):
		return fmt.Sprintf("a call was refused %q for an effect that was %s", e.Reason, f.standing())
	}
	f.refused++
	r := f.repeats[e.Session]
	if r == nil {
		r = &queue.RepeatView{Session: e.Session, First: e.Effective}
		f.repeats[e.Session] = r
	}
	r.Agent, r.Code, r.Last = e.Actor, e.Reason, e.Effective
	r.Count++
	return ""
}
