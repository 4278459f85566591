package queue

import (
	"strings"

	"nod/ambiguity"
	"nod/digest"
)

// maxEvidence bounds an operator's reason and evidence, in bytes each.
const maxEvidence = 4 << 10

// CheckReason refuses reason and evidence that no answer takes, as CheckWords.
func CheckReason(outcome AttemptState, reason, evidence string) error {
	switch {
	case strings.TrimSpace(reason) == "":
		return refuse(CodeBadInput, "an answer wants a reason").hint("say why, in a line")
	case outcome != AttemptUnknown && strings.TrimSpace(evidence) == "":
		return refuse(CodeBadInput, "an answer that leaves unknown wants evidence").hint("say what it rests on: a case, a record, who looked")
	}
	return texts(maxEvidence, reason, evidence)
}

func (q *Queue) prepareReconcile(c *Conn, a Reconcile) (job, error) {
	if !a.Outcome.Outcome() {
		return nil, refuse(CodeBadInput, "the answer is none of committed, not_executed, unknown").hint("use one of the three words")
	}
	if err := CheckReason(a.Outcome, a.Reason, a.Evidence); err != nil {
		return nil, err
	}
	switch {
	case !a.Page.Valid():
		return nil, refuse(CodeStalePage, "an answer names the digest of the page it was made on, whole").hint("nod effects show prints it")
	case a.DwellMS < 0 || a.LinesSeen < 0 || a.LinesAll < 0:
		return nil, refuse(CodeBadInput, "a number of the answer is out of range").hint("times and lines are not negative")
	case c.Way == WayScript && a.Outcome == AttemptNotExecuted:
		return nil, refuse(CodeNeedsPerson, "only a person at a terminal says that an effect did not happen").hint("open nod")
	}
	return func(tx Tx, m moment) (Result, error) { return q.reconcile(tx, m, c, a) }, nil
}

func (q *Queue) reconcile(tx Tx, m moment, c *Conn, a Reconcile) (Result, error) {
	at, err := q.deskAttempt(tx, m, a.Attempt)
	if err != nil {
		return nil, err
	}
	e, err := tx.Effect(at.Effect)
	if err != nil || e == nil {
		return nil, err
	}
	switch {
	case at.State == AttemptExecuting:
		return nil, refuse(CodeInProgress, "the attempt is executing: its outcome may still be reported").hint("wait for its lease to end")
	case at.State != AttemptUnknown && (!a.Correct || a.Outcome == at.State): // the same again corrects nothing
		return nil, q.reconciled(tx, at)
	}
	if err := q.samePage(tx, e, a.Page); err != nil {
		return nil, err
	}
	if a.Outcome == AttemptNotExecuted {
		if no := q.mayRetry(m, at, a.Confirm, e); no != nil {
			return nil, no
		}
	}
	f := Fact{Kind: ambiguity.Reconciliation, Source: ambiguity.ByOperator, By: c.operator(), Says: a.Outcome, Durable: a.Durable,
		Reason: a.Reason, Seen: a.Evidence, Page: a.Page}
	act := "reconcile"
	if at.State != AttemptUnknown {
		f.Kind, act = ambiguity.Correction, "correct"
	}
	j, err := q.said(tx, m, at, f)
	if err != nil {
		return nil, err
	}
	return j, q.append(tx, m, Event{Act: act, Actor: c.operator(), By: ByPerson, Way: c.Way, Ask: at.AskID, Session: at.Session, Attempt: at.ID,
		Number: at.Number, From: string(j.From), To: string(j.State), Effect: at.Effect, Evidence: f.Source, Durable: f.Durable,
		ShownDigest: a.Page, DwellMS: a.DwellMS, LinesSeen: a.LinesSeen, LinesAll: a.LinesAll, Words: true,
		Said: f.digest(at.Effect, at.ID)})
}

// mayRetry holds what lets an effect be tried again: it is late enough for a
// reading to count, and the person typed what the effect is named by.
func (q *Queue) mayRetry(m moment, at *Attempt, typed string, e *EffectRow) *Refusal {
	if m.now < at.settledAt() || m.held {
		no := refuse(CodeTooSoon, "it is too soon to say that it did not happen: lease and settle time are not over")
		no.At = at.settledAt()
		return no
	}
	if typed != e.confirm() {
		return refuse(CodeWrongConfirm, "the value typed is not the one this answer wants").hint("type the last part of the effect key")
	}
	return nil
}

// confirm is what "did not happen" types: the last part of the key, or the
// tool's name where there is none that can be typed.
func (e *EffectRow) confirm() string {
	last := ambiguity.LastPart(digest.JSON(e.Key))
	if last == "" || len(last) > 64 || strings.IndexFunc(last, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 {
		return e.Tool
	}
	return last
}

// reconciled says who answered first, and when.
func (q *Queue) reconciled(tx ReadTx, at *Attempt) error {
	no := refuse(CodeReconciled, "it is settled already: %s", string(at.State)).hint("correct it, if that is wrong")
	facts, err := tx.Facts(at.Effect)
	if err != nil {
		return err
	}
	for i := len(facts) - 1; i >= 0; i-- {
		if f := &facts[i]; f.Attempt == at.ID && f.Says == at.State {
			no.Who, no.At = f.By, f.At
			break
		}
	}
	return no
}

// samePage holds an answer against the page as it is now: evidence that came in
// since it was read refuses it (DESIGN §5).
func (q *Queue) samePage(tx ReadTx, e *EffectRow, page digest.Digest) error {
	now, err := q.deskPage(tx, e)
	if err != nil {
		return err
	}
	if now.digest != page {
		return refuse(CodeStalePage, "evidence came in since this page was read").hint("read it again")
	}
	return nil
}

func (q *Queue) prepareAck(c *Conn, a AckEffect) (job, error) {
	if err := texts(maxEvidence, a.Reason); err != nil {
		return nil, err
	}
	return func(tx Tx, m moment) (Result, error) { return q.ackEffect(tx, m, c, a) }, nil
}

func (q *Queue) ackEffect(tx Tx, m moment, c *Conn, a AckEffect) (Result, error) {
	e, err := q.effect(tx, a.Effect)
	if err != nil {
		return nil, err
	}
	if !e.Open || !e.Double && e.Mark != ambiguity.Divergent {
		return nil, refuse(CodeNothingOpen, "nothing of this effect waits to be acknowledged").hint("an unknown outcome wants an answer")
	}
	if err := q.samePage(tx, e, a.Page); err != nil {
		return nil, err
	}
	attempts, err := tx.AttemptsOfEffect(e.ID)
	if err != nil || len(attempts) == 0 {
		return nil, err
	}
	f := Fact{Effect: e.ID, At: m.now, Kind: ambiguity.Acknowledged, Source: ambiguity.ByOperator, By: c.operator(), Reason: a.Reason, Page: a.Page}
	if err := tx.InsertFact(&f); err != nil {
		return nil, err
	}
	facts, err := tx.Facts(e.ID)
	if err != nil {
		return nil, err
	}
	at := &attempts[len(attempts)-1]
	e.Double, e.MovedAt = false, m.now
	e.restand(attempts, at, facts, ambiguity.Judge(at.contract(), factsOf(facts, at.ID)), false)
	if err := tx.PutEffect(e); err != nil {
		return nil, err
	}
	return e.judged(at, at.State, m.now), q.append(tx, m, Event{Act: "ack_effect", Actor: c.operator(), By: ByPerson, Way: c.Way, Effect: e.ID,
		Session: e.Session, Evidence: ambiguity.ByOperator, ShownDigest: a.Page, Words: a.Reason != "", Said: f.digest(e.ID, "")})
}

func (q *Queue) prepareOpen(c *Conn, a OpenEffect) (job, error) {
	if strings.TrimSpace(a.Reason) == "" {
		return nil, refuse(CodeBadInput, "a distinct effect wants a reason").hint("it stands on the card of the next call")
	}
	if err := texts(MaxSeen, a.Reason); err != nil {
		return nil, err
	}
	return func(tx Tx, m moment) (Result, error) { return q.openEffect(tx, m, c, a) }, nil
}

// openEffect lets a key begin once more beside an effect that happened. While
// an outcome is unknown nothing opens (I5).
func (q *Queue) openEffect(tx Tx, m moment, c *Conn, a OpenEffect) (Result, error) {
	e, err := q.effect(tx, a.Effect)
	if err != nil {
		return nil, err
	}
	newest, err := q.effectOf(tx, m, e.Key)
	switch {
	case err != nil:
		return nil, err
	case newest == nil || newest.ID != e.ID:
		return nil, refuse(CodeStalePage, "another effect of this key counts, or it has no key").hint("open beside the newest one, when no outcome is unknown")
	case newest.Standing != ambiguity.StandsCommitted:
		return nil, refuse(CodeNothingOpen, "only beside an effect that happened another one opens").hint("answer what became of this one first")
	}
	if err := q.samePage(tx, newest, a.Page); err != nil {
		return nil, err
	}
	next := &EffectRow{ID: q.edge.NewID(), Key: e.Key, Ordinal: e.Ordinal + 1, Links: e.ID, Tool: e.Tool, Gist: e.Gist, GistMore: e.GistMore,
		Agent: e.Agent, Session: e.Session, Class: e.Class, Alike: e.Alike, Standing: ambiguity.StandsFree,
		CreatedAt: m.now, MovedAt: m.now, ReconciledAt: m.now}
	if err := tx.InsertEffect(next); err != nil {
		return nil, err
	}
	f := Fact{Effect: next.ID, At: m.now, Kind: ambiguity.Opened, Source: ambiguity.ByOperator, By: c.operator(), Reason: a.Reason, Page: a.Page}
	if err := tx.InsertFact(&f); err != nil {
		return nil, err
	}
	return Opened{Effect: next.ID, Ordinal: next.Ordinal, At: m.now}, q.append(tx, m, Event{Act: "open_effect", Actor: c.operator(), By: ByPerson,
		Way: c.Way, Effect: next.ID, EffectKey: q.keyHash(e.Key), Session: e.Session, Replaces: e.ID, Count: next.Ordinal, ShownDigest: a.Page,
		Words: true, Said: f.digest(next.ID, "")})
}

// effect reads an effect by its whole id.
func (q *Queue) effect(tx ReadTx, id string) (*EffectRow, error) {
	e, err := tx.Effect(id)
	if err == nil && e == nil {
		err = unknownEffect()
	}
	return e, err
}

func unknownEffect() *Refusal {
	return refuse(CodeUnknownID, "no effect has this id").hint("nod effects shows the ids")
}
