package queue

import (
	"strings"
	"unicode/utf8"

	"nod/ambiguity"
	"nod/descriptor"
	"nod/digest"
)

// Bounds of what is kept of evidence, in bytes.
const (
	MaxSeen    = descriptor.MaxSeen // also of what a call gave back
	maxRef     = descriptor.MaxRef  // of a tool's own reference, too
	maxContent = descriptor.MaxDiff
	maxCode    = 32
)

func (q *Queue) prepareObserve(c *Conn, a Observe) (job, error) {
	switch {
	case !a.Outcome.Outcome():
		return nil, refuse(CodeBadInput, "the outcome is none of committed, not_executed, unknown")
	case a.Divergent && a.Outcome != AttemptCommitted:
		return nil, refuse(CodeBadInput, "only what happened can differ from what was allowed")
	case a.Observed != "" && !a.Observed.Valid():
		return nil, refuse(CodeBadInput, "the digest of what was seen is none")
	case len(a.Why) > maxCode || strings.Trim(a.Why, "abcdefghijklmnopqrstuvwxyz_") != "":
		return nil, refuse(CodeBadInput, "why it is unknown is a code word")
	case strings.TrimSpace(a.Observer) == "":
		return nil, refuse(CodeBadInput, "the observation names no observer")
	}
	if err := texts(MaxSeen, a.Seen, a.Observer); err != nil {
		return nil, err
	}
	if err := texts(maxRef, a.Ref); err != nil {
		return nil, err
	}
	if err := texts(maxContent, a.Allowed, a.Content); err != nil {
		return nil, err
	}
	return func(tx Tx, m moment) (Result, error) { return q.observe(tx, m, c, a) }, nil
}

// texts refuses what is not UTF-8 or too long to keep as evidence.
func texts(most int, list ...string) error {
	for _, t := range list {
		switch {
		case !utf8.ValidString(t):
			return refuse(digest.CodeBadUTF8, "a text of the evidence is not UTF-8").hint("send UTF-8")
		case len(t) > most:
			return refuse(digest.CodeTooLarge, "a text of the evidence is longer than %d bytes", most).hint("say where the rest is")
		}
	}
	return nil
}

func (q *Queue) observe(tx Tx, m moment, c *Conn, a Observe) (Result, error) {
	at, err := q.deskAttempt(tx, m, a.Attempt)
	if err != nil {
		return nil, err
	}
	row, err := tx.Ask(at.AskID)
	if err != nil || row == nil {
		return nil, err
	}
	d := q.settings.Descriptors.Tool(row.Tool)
	if d == nil || d.Observer(a.Observer) == nil {
		return nil, refuse(CodeBadInput, "the tool's descriptor has no observer of this name").hint("nod effects show names them")
	}
	f := Fact{Kind: ambiguity.Observation, Source: ambiguity.ByObserver, By: a.Observer, Says: a.Outcome, Durable: a.Durable,
		Divergent: a.Divergent, Why: a.Why, Observed: a.Observed, Seen: a.Seen, Ref: a.Ref,
		Early: at.State == AttemptExecuting || m.now < at.settledAt() || m.held}
	if f.Says == AttemptCommitted {
		other, err := perhapsAnother(tx, at.Effect, f.Ref)
		if err != nil {
			return nil, err
		}
		if other {
			f.Says, f.Durable, f.Divergent, f.Why = AttemptUnknown, false, false, whyAnother
		}
	}
	f.Allowed, f.Content = contentDigest(a.Allowed), contentDigest(a.Content)
	j, err := q.said(tx, m, at, f)
	if err != nil {
		return nil, err
	}
	for d, text := range map[digest.Digest]string{f.Allowed: a.Allowed, f.Content: a.Content} {
		if text == "" {
			continue
		}
		if err := tx.PutContent(d, []byte(text)); err != nil {
			return nil, err
		}
	}
	return j, q.append(tx, m, Event{Act: "observe", Actor: c.operator(), Way: c.Way, Ask: at.AskID, Session: at.Session, Attempt: at.ID,
		Number: at.Number, From: string(j.From), To: string(j.State), Effect: at.Effect, Evidence: f.Source, Durable: f.Durable,
		Divergent: f.Divergent, Observed: f.Observed, Reason: f.Why, Said: f.digest(at.Effect, at.ID)})
}

// contentDigest names a text in the contents; "" for none.
func contentDigest(text string) digest.Digest {
	if text == "" {
		return ""
	}
	return digest.Of([]byte(text))
}

// whyAnother is why an observation that something happened says nothing of the
// effect that was looked for.
const whyAnother = "perhaps_another"

// perhapsAnother reports whether what was seen under a reference may be what
// another effect did: it has that reference, or it is of the same key and nobody
// saw under which one it happened. Whoever asks about a payment sees all its
// refunds.
func perhapsAnother(tx ReadTx, id, ref string) (bool, error) {
	e, err := tx.Effect(id)
	if err != nil || e == nil {
		return false, err
	}
	if ref != "" {
		if other, err := tx.EffectOfRef(e.Tool, ref, id); err != nil || other != nil {
			return true, err
		}
	}
	all, err := tx.EffectsOfKey(e.Key)
	if err != nil {
		return false, err
	}
	for i := range all {
		if all[i].ID == id || all[i].Standing == ambiguity.StandsFree {
			continue
		}
		facts, err := tx.Facts(all[i].ID)
		if err != nil || ref == "" || !tellsApart(facts, ref) {
			return true, err
		}
	}
	return false, nil
}

// tellsApart reports whether observers saw an effect under references, and none
// is this one. What a tool says of its own is not enough.
func tellsApart(facts []Fact, ref string) (seen bool) {
	for i := range facts {
		if f := &facts[i]; f.Kind == ambiguity.Observation && f.Says == AttemptCommitted && f.Ref != "" {
			if f.Ref == ref {
				return false
			}
			seen = true
		}
	}
	return seen
}

// deskAttempt reads an attempt of an effect, after the clock did what is due on
// it.
func (q *Queue) deskAttempt(tx Tx, m moment, id string) (*Attempt, error) {
	at, err := tx.Attempt(id)
	if err != nil {
		return nil, err
	}
	if at == nil || at.Effect == "" {
		return nil, refuse(CodeUnknownID, "no attempt of an effect has this id").hint("nod effects shows the ids")
	}
	return at, q.settleAttempt(tx, m, at)
}
