package queue

import (
	"strings"
	"unicode/utf8"

	"nod/ambiguity"
	"nod/digest"
)

// Bounds of what is kept of evidence, in bytes.
const (
	maxSeen    = 1 << 10
	maxContent = 256 << 10
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
	if err := texts(maxSeen, a.Seen, a.Observer); err != nil {
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
	for _, kept := range []struct {
		text string
		at   *digest.Digest
	}{{a.Allowed, &f.Allowed}, {a.Content, &f.Content}} {
		if kept.text == "" {
			continue
		}
		*kept.at = digest.Of([]byte(kept.text))
		if err := tx.PutContent(*kept.at, []byte(kept.text)); err != nil {
			return nil, err
		}
	}
	j, err := q.said(tx, m, at, f)
	if err != nil {
		return nil, err
	}
	return j, q.append(tx, m, Event{Act: "observe", Actor: c.operator(), Way: c.Way, Ask: at.AskID, Session: at.Session, Attempt: at.ID,
		Number: at.Number, From: string(j.From), To: string(j.State), Effect: at.Effect, Evidence: f.Source, Durable: f.Durable,
		Divergent: f.Divergent, Observed: f.Observed, Reason: a.Why, Said: f.digest(at.Effect, at.ID)})
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
	if at.State == AttemptExecuting && m.now >= at.Lease && !m.held {
		err = q.loseAttempt(tx, m, at, ambiguity.LeaseOver)
	}
	return at, err
}
