package ledger

import (
	"errors"
	"fmt"

	"nod/ambiguity"
	"nod/queue"
)

// Effect is what the events say of one effect.
type Effect struct {
	Key      string // hashed; "" where none was stated: nothing is a repeat of it
	Ordinal  int64
	Runs     []string // its attempts, in the order they began
	Opened   int64    // number of the event that opened it as distinct; 0 where it began
	Answered int64    // of the one that said last what older decisions do not know
}

// standing is what an effect's attempts make of it.
func (l *Ledger) standing(f *Effect) ambiguity.Standing {
	has := map[queue.AttemptState]bool{}
	for _, id := range f.Runs {
		has[l.Runs[id].State] = true
	}
	switch {
	case has[queue.AttemptExecuting]:
		return ambiguity.StandsExecuting
	case has[queue.AttemptUnknown]:
		return ambiguity.StandsUnknown
	case has[queue.AttemptCommitted]:
		return ambiguity.StandsCommitted
	default:
		return ambiguity.StandsFree
	}
}

// reserve holds I5 for a begin: whatever was tried of its key is known not to
// have happened, or happened and a person opened another one beside it. The
// decision knows the last answer.
func (l *Ledger) reserve(e *Event, a *Ask) error {
	if e.Effect == "" {
		if e.Number != 1 {
			return fmt.Errorf("I3: an attempt of no effect is number %d", e.Number)
		}
		return nil
	}
	f := &Effect{Key: e.EffectKey, Ordinal: 1}
	if known := l.Effects[e.Effect]; known != nil {
		*f = *known
	}
	if f.Key != e.EffectKey || f.Key == "" && len(f.Runs) > 0 {
		return errors.New("I5: it begins an effect of another key")
	}
	if e.Number != int64(len(f.Runs))+1 {
		return fmt.Errorf("I3: attempt %d of an effect that was tried %d times", e.Number, len(f.Runs))
	}
	if a.FiledSeq < f.Opened {
		return fmt.Errorf("I5: its card is older than event %d, which opened the distinct effect", f.Opened)
	}
	if f.Key != "" {
		for id, other := range l.Effects {
			if other.Key != f.Key {
				continue
			}
			s := l.standing(other)
			if a.DecidedSeq < other.Answered {
				return fmt.Errorf("I5: its allow is older than the answer of event %d", other.Answered)
			}
			switch {
			case id != e.Effect && other.Ordinal >= f.Ordinal:
				return fmt.Errorf("I5: it begins beside effect %s of its key, and nobody opened it", id)
			case s == ambiguity.StandsExecuting, s == ambiguity.StandsUnknown, s == ambiguity.StandsCommitted && id == e.Effect:
				return fmt.Errorf("I5: it begins while effect %s of its key is %s", id, s)
			}
		}
	}
	f.Runs = append(f.Runs[:len(f.Runs):len(f.Runs)], e.Attempt)
	l.Effects[e.Effect] = f
	return nil
}

// said holds I4 for what is said of an attempt that has begun.
func (l *Ledger) said(e *Event) error {
	r := l.Runs[e.Attempt]
	if r == nil || r.Ask != e.Ask || r.Effect != e.Effect {
		return errors.New("nothing began this attempt")
	}
	from, to := r.State, queue.AttemptState(e.To)
	if string(from) != e.From {
		return fmt.Errorf("I7: the attempt leaves %s, but is %s", e.From, from)
	}
	next := *r
	next.State = to
	var ok bool
	switch e.Act {
	case "lease_over":
		if e.Reason == "lease_over" && e.Effective < r.Lease {
			return errors.New("I4: the lease ends too early")
		}
		ok = from == queue.AttemptExecuting && (to == queue.AttemptUnknown || to == queue.AttemptCommitted && r.Effect != "") // somebody may have seen it
	case "report":
		if next.Exit == "" {
			next.Exit = e.Exit
			if next.Exit == "" {
				next.Exit = queue.ExitFailure
			}
		} else if r.Effect == "" {
			return errors.New("reported twice")
		}
		if e.Late != (from != queue.AttemptExecuting) {
			return fmt.Errorf("I4: a report on what is %s is late: %v", from, e.Late)
		}
		ok = e.Late && to == from || !e.Late && (to == queue.AttemptUnknown || to == queue.AttemptCommitted && r.Effect != "" ||
			to == queue.AttemptNotExecuted && e.Evidence == string(ambiguity.ByGate)) // only Nod's own proof
	case "observe": // proves that it happened, or contradicts what was said; never that it did not
		ok = to == from || from != queue.AttemptExecuting && (to == queue.AttemptCommitted || to == queue.AttemptUnknown)
	case "reconcile":
		ok = from == queue.AttemptUnknown && to != queue.AttemptExecuting && e.By == queue.ByPerson
	case "correct":
		ok = from != queue.AttemptUnknown && from != queue.AttemptExecuting && to != queue.AttemptExecuting && e.By == queue.ByPerson
	}
	if !ok {
		return fmt.Errorf("I4: %s makes it %s after %s", e.Act, to, from)
	}
	if e.Act == "reconcile" || e.Act == "correct" {
		f := *l.Effects[e.Effect]
		f.Answered = e.Seq
		l.Effects[e.Effect] = &f
	}
	l.Runs[e.Attempt] = &next
	return nil
}

// opened holds I5 for a distinct effect: the one beside it happened, and nothing
// of its key is in doubt.
func (l *Ledger) opened(e *Event) error {
	was := l.Effects[e.Replaces]
	if was == nil || was.Key == "" || was.Key != e.EffectKey || l.Effects[e.Effect] != nil || e.Count != was.Ordinal+1 || e.By != queue.ByPerson {
		return errors.New("I5: not a distinct effect that a person opened beside another one of its key")
	}
	for id, other := range l.Effects {
		if other.Key != was.Key {
			continue
		}
		if s := l.standing(other); s != ambiguity.StandsCommitted || other.Ordinal > was.Ordinal {
			return fmt.Errorf("I5: opened while effect %s of its key is %s", id, s)
		}
	}
	l.Effects[e.Effect] = &Effect{Key: was.Key, Ordinal: e.Count, Opened: e.Seq, Answered: e.Seq}
	return nil
}

// refused holds that a call that ran into an effect was told how it stands.
func (l *Ledger) refused(e *Event) error {
	f := l.Effects[e.Effect]
	if f == nil || f.Key == "" || f.Key != e.EffectKey {
		return errors.New("refused because of an effect that is not there")
	}
	s := l.standing(f)
	want := map[ambiguity.Standing]string{ambiguity.StandsExecuting: "in_progress", ambiguity.StandsUnknown: "ambiguous_effect",
		ambiguity.StandsCommitted: "duplicate_effect"}[s]
	if e.Reason != want {
		return fmt.Errorf("refused %s by an effect that is %s", e.Reason, s)
	}
	return nil
}

// sameEffects holds the rows of effects, and what is on the desk, against the
// events.
func (l *Ledger) sameEffects(tx queue.ReadTx) error {
	seen, open := 0, int64(0)
	for before, more := int64(0), true; more; {
		rows, next, err := tx.Effects(queue.QEffects{Before: before, Limit: 500})
		if err != nil {
			return err
		}
		for i := range rows {
			if err := l.sameEffect(tx, &rows[i]); err != nil {
				return err
			}
			if rows[i].Open {
				open++
			}
		}
		seen += len(rows)
		if more = next; more {
			before = rows[len(rows)-1].Num
		}
	}
	if seen != len(l.Effects) {
		return fmt.Errorf("I7: the store has %d effects, the events make %d", seen, len(l.Effects))
	}
	c, err := tx.Counters()
	if err == nil && c.Unknown != open {
		err = fmt.Errorf("I7: %d effects are on the desk, the counter says %d", open, c.Unknown)
	}
	return err
}

func (l *Ledger) sameEffect(tx queue.ReadTx, row *queue.EffectRow) error {
	f := l.Effects[row.ID]
	if f == nil {
		return fmt.Errorf("I7: effect %s is in the store and no event began or opened it", row.ID)
	}
	s := l.standing(f)
	if row.Standing != s || row.Ordinal != f.Ordinal || row.Attempts != int64(len(f.Runs)) || (row.Key == "") != (f.Key == "") {
		return fmt.Errorf("I7: the row of effect %s is %+v, its events make %+v, which is %s", row.ID, row, f, s)
	}
	if !row.Open && s == ambiguity.StandsUnknown {
		return fmt.Errorf("effect %s is unknown, and on nobody's desk", row.ID)
	}
	attempts, err := tx.AttemptsOfEffect(row.ID)
	if err != nil {
		return err
	}
	if len(attempts) != len(f.Runs) {
		return fmt.Errorf("I3: effect %s has %d attempts, its events %d", row.ID, len(attempts), len(f.Runs))
	}
	for i := range attempts {
		if attempts[i].ID != f.Runs[i] {
			return fmt.Errorf("I7: attempt %d of effect %s is another one than its events say", i+1, row.ID)
		}
	}
	return nil
}
