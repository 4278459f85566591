package queue

import "nod/ambiguity"

// Bounds of what is kept of one attempt; a page must stay one that a person can
// read. Neither speaker takes the other's room.
const (
	maxReports      = 16  // that are late
	maxObservations = 200 // that decide nothing by themselves
)

// said appends a fact on an attempt of an effect and judges anew: the attempt
// gets the state that all the facts prove, the effect the standing that its
// attempts make. It writes no event; the act that brought the fact does, once.
func (q *Queue) said(tx Tx, m moment, at *Attempt, f Fact) (Judged, error) {
	f.Effect, f.Attempt, f.At = at.Effect, at.ID, m.now
	e, err := tx.Effect(at.Effect)
	if err != nil || e == nil {
		return Judged{}, err
	}
	facts, err := tx.Facts(e.ID)
	if err != nil {
		return Judged{}, err
	}
	if heard(facts, &f) {
		return Judged{}, refuse(CodeQuota, "so much was said of this effect already that nothing more is kept").hint("answer it")
	}
	if err := tx.InsertFact(&f); err != nil {
		return Judged{}, err
	}
	facts = append(facts, f)
	attempts, err := tx.AttemptsOfEffect(e.ID)
	if err != nil {
		return Judged{}, err
	}
	from := at.State
	j := ambiguity.Judge(at.contract(), factsOf(facts, at.ID))
	at.State = j.State
	if from == AttemptExecuting && j.State != AttemptExecuting {
		at.EndedAt = m.now
	}
	ok, err := tx.MoveAttempt(at, from)
	if err != nil {
		return Judged{}, err
	}
	if !ok {
		return Judged{}, errChanged
	}
	// A tool that reports is the newest attempt: only what is said later of an
	// older one can make two of them.
	doubled := from != AttemptExecuting && from != AttemptCommitted && j.State == AttemptCommitted
	e.restand(attempts, at, facts, j, doubled)
	e.Ref = reference(attempts, facts)
	e.MovedAt = m.now
	if f.answers() {
		e.ReconciledAt = m.now
	}
	if err := tx.PutEffect(e); err != nil {
		return Judged{}, err
	}
	return e.judged(at, from, m.now), q.outdate(tx, m, e, f.answers())
}

// reference is that of the first attempt which may have happened and has one;
// whoever settled it often names none.
func reference(attempts []Attempt, facts []Fact) string {
	for i := range attempts {
		if attempts[i].State == AttemptNotExecuted {
			continue
		}
		if ref := ambiguity.Reference(factsOf(facts, attempts[i].ID)); ref != "" {
			return ref
		}
	}
	return ""
}

// heard reports whether no more of what f is is kept of its attempt.
func heard(facts []Fact, f *Fact) bool {
	most := maxReports
	switch {
	case f.Kind == ambiguity.Observation && !f.answers():
		most = maxObservations
	case f.Kind != ambiguity.Report || !f.Late:
		return false
	}
	n := 0
	for i := range facts {
		if o := &facts[i]; o.Attempt == f.Attempt && o.Kind == f.Kind && o.Late == f.Late {
			n++
		}
	}
	return n >= most
}

// outdate makes the decisions on a later distinct effect of the key stale, too:
// they were taken on what was known of this one.
func (q *Queue) outdate(tx Tx, m moment, e *EffectRow, answered bool) error {
	if !answered || e.Key == "" {
		return nil
	}
	newest, err := tx.EffectByKey(e.Key)
	if err != nil || newest == nil || newest.ID == e.ID {
		return err
	}
	newest.ReconciledAt = m.now
	return tx.PutEffect(newest)
}

// restand judges the whole effect, with one of its attempts as it is now.
func (e *EffectRow) restand(attempts []Attempt, now *Attempt, facts []Fact, judged ambiguity.Judgement, doubled bool) {
	states := make([]ambiguity.State, len(attempts))
	e.Mark, e.Open = "", false
	for i := range attempts {
		at, j := &attempts[i], judged
		if at.ID == now.ID {
			at.State = now.State
		} else {
			j = ambiguity.Judge(at.contract(), factsOf(facts, at.ID))
		}
		states[i] = at.State
		if at.ID == now.ID && doubled && ambiguity.Doubles(states, i, at.State) {
			e.Double = true
		}
		if j.Open {
			e.Open, e.Mark = true, j.Mark
		}
	}
	e.Standing = ambiguity.Stand(states)
	if e.Double {
		e.Open = true
		if e.Mark == "" {
			e.Mark = ambiguity.PossibleDouble
		}
	}
}

// answers reports whether f is an answer after which older decisions are stale:
// an operator's, or an observer's that settled the attempt.
func (f *Fact) answers() bool {
	return f.Kind == ambiguity.Reconciliation || f.Kind == ambiguity.Correction ||
		f.Kind == ambiguity.Observation && f.Says == AttemptCommitted
}

func (a *Attempt) contract() ambiguity.Contract {
	return ambiguity.Contract{SuccessClaims: a.Claims, Observed: a.Watched}
}

// settledAt is from when on not_executed may be said of the attempt. A late
// report ends no lease: when the call returned nobody saw.
func (a *Attempt) settledAt() int64 {
	exit := a.Exit
	if a.Late {
		exit = ""
	}
	return ambiguity.SettledAt(a.EndedAt, a.Lease, a.SettleMS, exit)
}

// factsOf gives the facts on one attempt as the judge reads them; what was said
// of the whole effect is said of each.
func factsOf(facts []Fact, attempt string) []ambiguity.Fact {
	var out []ambiguity.Fact
	for i := range facts {
		f := &facts[i]
		if f.Attempt != attempt && f.Attempt != "" {
			continue
		}
		out = append(out, ambiguity.Fact{Kind: f.Kind, Says: f.Says, Durable: f.Durable, Divergent: f.Divergent, Exit: f.Exit,
			Late: f.Late, Proof: f.Proof, Early: f.Early, Ref: f.Ref})
	}
	return out
}

func (e *EffectRow) judged(at *Attempt, from AttemptState, now int64) Judged {
	return Judged{Effect: e.ID, Attempt: at.ID, From: from, State: at.State, Standing: e.Standing, Mark: e.Mark, Open: e.Open,
		Repeats: e.Standing.Refuses(false), Ref: e.Ref, At: now}
}

func (e *EffectRow) view() EffectView {
	v := EffectView{Num: e.Num, ID: e.ID, Ordinal: e.Ordinal, Links: e.Links, Tool: e.Tool, Gist: e.Gist, GistMore: e.GistMore,
		Agent: e.Agent, Session: e.Session, Class: e.Class, Standing: e.Standing, Mark: e.Mark, Double: e.Double, Open: e.Open,
		Attempts: e.Attempts, Repeats: e.Repeats, Ref: e.Ref, CreatedAt: e.CreatedAt, MovedAt: e.MovedAt, ReconciledAt: e.ReconciledAt}
	if e.Key != "" {
		v.Key = []byte(e.Key)
	}
	return v
}
