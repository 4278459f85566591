package queue

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"nod/ambiguity"
	"nod/digest"
	"nod/digest/visible"
)

// maxRepeats is how many sessions are kept of those that ran into an effect.
const maxRepeats = 256

// keyOf is the effect key of an action, "" for none.
func keyOf(a *digest.Action) string {
	if a == nil || a.Effect == nil {
		return ""
	}
	return string(a.Effect.Key)
}

// alikeOf names what a call does apart from its key: a call of the same tool
// with the same arguments looks like it.
func alikeOf(a *digest.Action) digest.Digest {
	tool, _ := jsontext.AppendQuote([]byte(`{"arguments":`+string(a.Arguments)+`,"tool":`), a.Tool) //nolint:errcheck // the action was checked
	return digest.Of(append(tool, '}'))
}

// effectOf reads the effect that a key names now, after the clock did what is
// due on it; nil when it never began.
func (q *Queue) effectOf(tx Tx, m moment, key string) (*EffectRow, error) {
	if key == "" {
		return nil, nil
	}
	e, err := tx.EffectByKey(key)
	if err != nil || e == nil || e.Standing != ambiguity.StandsExecuting {
		return e, err
	}
	attempts, err := tx.AttemptsOfEffect(e.ID)
	if err != nil {
		return nil, err
	}
	for i := range attempts {
		if err := q.settleAttempt(tx, m, &attempts[i]); err != nil {
			return nil, err
		}
	}
	return tx.Effect(e.ID)
}

// repeat says what a call of an effect gets that may not begin; nil lets it
// through.
func repeat(e *EffectRow, tool string) *Refusal {
	if e == nil {
		return nil
	}
	code := e.Standing.Refuses(false)
	var no *Refusal
	called := visible.Draw(visible.Name, tool)
	switch code {
	case "":
		return nil
	case CodeInProgress:
		no = refuse(code, "the first %s of this effect is still running", called).
			hint("wait for its outcome; do not retry with a new key")
	case CodeDuplicateEffect:
		no = refuse(code, "the first %s of this effect happened", called).
			hint("do not do it again; the reference is the first one's")
	default:
		no = refuse(code, "the outcome of the first %s of this effect is unknown, and a person is looking", called).
			hint("do not retry with a new key")
	}
	no.Effect, no.Ref, no.At = e.ID, e.Ref, e.MovedAt
	if no.Ref == "" {
		no.Ref = e.Ask
	}
	return no
}

// refuseRepeat notes that a call ran into an effect: the desk says who waits,
// and the chain has the refusal. It is kept though the act is refused. Of a
// submit row has no id: there is no ask.
func (q *Queue) refuseRepeat(tx Tx, m moment, c *Conn, e *EffectRow, row *Row, a *digest.Action, no *Refusal) (*Refusal, error) {
	e.Repeats++
	if err := tx.PutEffect(e); err != nil {
		return nil, err
	}
	kept := e.Repeats <= maxRepeats // there are no more sessions than refusals
	if !kept {
		known, err := tx.Repeats(e.ID, maxRepeats)
		if err != nil {
			return nil, err
		}
		kept = len(known) < maxRepeats || slices.ContainsFunc(known, func(r Repeat) bool { return r.Session == row.Session })
	}
	if kept {
		err := tx.AddRepeat(&Repeat{Effect: e.ID, Session: row.Session, Agent: c.Principal.Agent, Code: no.Code, Count: 1, First: m.now, Last: m.now})
		if err != nil {
			return nil, err
		}
	}
	return no, q.append(tx, m, Event{Act: "refuse", Actor: c.Principal.Agent, Way: c.Way, Ask: row.ID, Session: row.Session,
		ActionDigest: row.ActionDigest, ShownDigest: row.ShownDigest, Reason: no.Code, Effect: e.ID, EffectKey: q.keyHash(e.Key),
		Tool: a.Tool, Class: a.Effect.Class, Cwd: a.Environment.Cwd})
}

// keyHash is what an event says of an effect key: a hash under a key of this
// store, so that the chain tells repeats and no value.
func (q *Queue) keyHash(key string) string {
	if key == "" || q.edge.KeyHash == nil {
		return ""
	}
	return q.edge.KeyHash(key)
}

// stale reports whether an ask can begin no more because of what was said since
// of its effect: its decision is older than the last answer, or its card than
// the distinct effect that it would spend. In one and the same moment nobody can
// say which came first.
func stale(row *Row, f met) bool {
	return row.State == StateAllowed && f.answered != 0 && row.DecidedAt <= f.answered || f.ordinal > 1 && row.CreatedAt <= f.opened
}

// checkEffect is the last of a begin's checks: the effect is free, and the
// decision younger than what was last said of it (DESIGN §4, §5).
func checkEffect(q *Queue, tx Tx, m moment, r *running) (*Refusal, error) {
	e, err := q.effectOf(tx, m, keyOf(r.action))
	if err != nil || e == nil {
		return nil, err
	}
	if no := repeat(e, r.action.Tool); no != nil {
		return q.refuseRepeat(tx, m, r.conn, e, r.row, r.action, no)
	}
	known := e.known()
	if known.tired() && r.row.DecidedBy != ByPerson {
		return refuse(CodeUnconfirmed, "it was tried so often that only a person may allow it, and none did").hint("ask again"), nil
	}
	if stale(r.row, known) {
		no := refuse(CodeStaleDecision, "its approval is older than the last answer on this effect").
			hint("ask again, so that a person sees what was answered")
		no.Effect, no.At = e.ID, e.ReconciledAt
		return no, nil
	}
	return nil, nil
}

// reserve gives an attempt that begins its effect and its number, and what the
// descriptor fixes for it.
func (q *Queue) reserve(tx Tx, m moment, row *Row, action *digest.Action, a *Attempt) error {
	key := keyOf(action)
	e, err := q.effectOf(tx, m, key)
	if err != nil {
		return err
	}
	if d := q.settings.Descriptors.Tool(action.Tool); d != nil {
		a.SettleMS, a.Claims, a.Watched = d.SettleMS(), d.SuccessClaims(), len(d.Observers()) > 0
		if lease := d.LeaseMS(); a.HostRuns && lease > 0 {
			a.LeaseMS, a.Lease = lease, m.now+lease
		}
	}
	fresh := e == nil
	if fresh {
		e = &EffectRow{ID: q.edge.NewID(), Key: key, Ordinal: 1, CreatedAt: m.now}
	}
	e.Attempts++
	if e.Ask == "" {
		e.Ask = row.ID
	}
	e.Tool, e.Gist, e.GistMore, e.Agent, e.Session = row.Tool, row.Gist, row.GistMore, row.Agent, row.Session
	e.Class, e.Alike, e.Standing, e.MovedAt = action.Effect.Class, alikeOf(action), ambiguity.StandsExecuting, m.now
	a.Effect, a.Number = e.ID, e.Attempts
	if fresh {
		err = tx.InsertEffect(e)
	} else {
		err = tx.PutEffect(e)
	}
	if err != nil {
		return err
	}
	begun := begunFact(a, m.now)
	return tx.InsertFact(&begun)
}
