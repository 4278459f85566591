package queue

import (
	"strconv"

	"nod/ambiguity"
)

// met is what a new ask meets of the effects that are known, as its card says it.
type met struct {
	attempts int64              // of this effect, before
	ordinal  int64              // of a distinct effect; 0 where nothing is known
	opened   int64              // when; effective Unix ms, as answered
	answered int64              // the newest answer on it
	reason   string             // why it was opened
	alike    ambiguity.Standing // of an effect that looks the same under another key
}

// meet looks up the effect that a call names. A call that begin would refuse is
// refused here already; the refusal is kept with the effect.
func (q *Queue) meet(tx Tx, m moment, c *Conn, s *submission) (met, error) {
	if s.action == nil || !isDesk(s.action) {
		return met{}, nil
	}
	var f met
	key := keyOf(s.action)
	e, err := q.effectOf(tx, m, key)
	if err != nil {
		return f, err
	}
	if no := repeat(e, s.action.Tool); no != nil {
		if s.derived != nil { // an operator's edit is no repeat of the agent's
			return f, no
		}
		if no, err = q.refuseRepeat(tx, m, c, e, &Row{Session: s.session, ActionDigest: s.actionDigest}, s.action, no); err != nil {
			return f, err
		}
		return f, no
	}
	if e != nil {
		f = e.known()
	}
	if f.ordinal > 1 {
		facts, err := tx.Facts(e.ID)
		if err != nil {
			return f, err
		}
		for i := range facts {
			if facts[i].Kind == ambiguity.Opened {
				f.reason = facts[i].Reason
			}
		}
	}
	other, err := tx.EffectAlike(alikeOf(s.action), key)
	if other != nil {
		f.alike = other.Standing
	}
	return f, err
}

// maxTries is how often a rule or grant lets an effect be tried whose attempts
// all did not happen: its page has to stay one that a person can read.
const maxTries = 32

// tired reports whether only a person may let it be tried again.
func (f *met) tired() bool { return f.attempts >= maxTries }

// known is what is known of an effect that may begin.
func (e *EffectRow) known() met {
	return met{attempts: e.Attempts, ordinal: e.Ordinal, opened: e.CreatedAt, answered: e.ReconciledAt}
}

// distinct is the sentence of a card whose effect is one more of its key.
func (f *met) distinct() string {
	return "A person opened effect number " + strconv.FormatInt(f.ordinal, 10) +
		" of this key on purpose, beside one that happened. They said: " + f.reason
}

// why are the sentences on what is known of the effect.
func (f *met) why() (why []string) {
	if f.attempts > 0 {
		why = append(why, "What was tried of this effect before is known not to have happened; this would be attempt "+
			strconv.FormatInt(f.attempts+1, 10)+".")
	}
	switch f.alike {
	case ambiguity.StandsUnknown:
		why = append(why, "It looks like an effect whose outcome is unknown: the same tool and arguments, under another key or none.")
	case ambiguity.StandsExecuting:
		why = append(why, "It looks like an effect that is executing: the same tool and arguments, under another key or none.")
	case ambiguity.StandsCommitted:
		why = append(why, "It looks like an effect that happened: the same tool and arguments, under another key or none.")
	}
	return why
}
