package queue

import (
	"unicode/utf8"

	"nod/ambiguity"
	"nod/digest"
)

func (q *Queue) prepareReport(c *Conn, a Report) (job, error) {
	switch a.Exit {
	case "", ExitSuccess, ExitFailure, ExitTimeout, ExitBlocked:
	default:
		return nil, refuse(CodeBadInput, "the exit status is none of success, failure, timeout, blocked")
	}
	if a.Outcome != "" && !a.Outcome.Outcome() {
		return nil, refuse(CodeBadInput, "the outcome is none of committed, not_executed, unknown")
	}
	if !utf8.ValidString(a.Ref) || len(a.Ref) > maxRef {
		return nil, refuse(CodeBadInput, "the reference is too long or not UTF-8").hint("512 bytes at most")
	}
	if a.Durable && (a.Ref == "" || a.Outcome == "") {
		return nil, refuse(CodeBadInput, "durable evidence is an outcome with the reference that it can be looked up by")
	}
	if err := texts(MaxSeen, a.CameBack); err != nil {
		return nil, err
	}
	r := reported{act: a}
	if len(a.Observed) > 0 {
		action, err := digest.ParseAction(a.Observed, beginLimits(q.settings.Limits))
		if err != nil {
			return nil, err
		}
		if r.observed, err = action.Digest(); err != nil {
			return nil, err
		}
	}
	if len(a.Result) > 0 {
		var err error
		if r.result, err = digest.Canonical(a.Result, q.settings.Limits); err != nil {
			return nil, err
		}
	}
	return func(tx Tx, m moment) (Result, error) { return q.report(tx, m, c, &r) }, nil
}

// reported is a Report, read and checked.
type reported struct {
	act      Report
	observed digest.Digest
	result   digest.JSON
}

func (q *Queue) report(tx Tx, m moment, c *Conn, r *reported) (Result, error) {
	a := r.act
	at, err := q.attempt(tx, a.Attempt, a.Token)
	if err != nil {
		return nil, err
	}
	row, err := tx.Ask(at.AskID)
	if err != nil || row == nil {
		return nil, err
	}
	if a.ActionDigest != "" && a.ActionDigest != row.ActionDigest {
		return nil, refuse(CodeWrongDigest, "the outcome is of another action than this attempt's").hint("report each attempt by its own id")
	}
	again := at.Exit != ""
	if again && (at.Effect == "" || !differs(at, a)) {
		return nil, refuse(CodeReported, "this attempt was reported already")
	}
	if at.State == AttemptExecuting && m.now >= at.Lease { // settle is held, or has more due than one batch
		if err := q.loseAttempt(tx, m, at, ambiguity.LeaseOver); err != nil {
			return nil, err
		}
	}
	from := at.State
	late := from != AttemptExecuting
	if !again {
		at.Exit, at.Ref, at.Observed, at.Late = a.Exit, a.Ref, r.observed, late
		if at.Exit == "" {
			at.Exit = ExitFailure
		}
		at.Mismatch = r.observed != "" && r.observed != row.ActionDigest
	}
	said := Fact{Kind: ambiguity.Report, Source: ambiguity.ByTool, By: c.Principal.Agent, Says: a.Outcome, Durable: a.Durable, Late: late,
		Exit: a.Exit, Observed: r.observed, Seen: a.CameBack, Ref: a.Ref, Proof: !late && q.proves(tx, c, at, row, r)}
	if at.Mismatch && !again { // what it says is of another call
		said.Says, said.Proof = AttemptUnknown, false
	}
	if said.Proof {
		said.Says, said.Source, said.Durable = AttemptNotExecuted, ambiguity.ByGate, true
	}
	if err := q.ended(tx, m, at, from, said); err != nil {
		return nil, err
	}
	e := Event{Act: "report", Actor: c.Principal.Agent, Way: c.Way, Ask: row.ID, Session: at.Session,
		Attempt: at.ID, Number: at.Number, From: string(from), To: string(at.State), Exit: a.Exit,
		ActionDigest: row.ActionDigest, Observed: r.observed, Mismatch: at.Mismatch, Late: late, Tool: row.Tool, Cwd: row.Cwd,
		Effect: at.Effect, Evidence: said.Source, Durable: said.Durable}
	if !again {
		e.Exit = at.Exit
	}
	if at.Effect != "" {
		e.Said = said.digest(at.Effect, at.ID)
	}
	st, err := tx.Stated(row.ID)
	if err != nil {
		return nil, err
	}
	q.classified(tx, st, &e, r)
	if err = q.append(tx, m, e); err == nil {
		err = q.alive(tx, m, at.Session)
	}
	if err != nil {
		return nil, err
	}
	if !late {
		if err := q.cleaned(tx, m, st, at, c.Principal.Agent, c.Way); err != nil {
			return nil, err
		}
	}
	if late && at.Effect != "" && (again || from != AttemptUnknown) {
		err = q.notify(tx, m, &Notice{Code: NoticeLateReport, Ask: row.ID, Session: row.Session,
			Sentence: "A report came on an effect that was settled or reported already: it is kept as evidence and changes nothing. Look at the effect."})
	}
	if err == nil && at.Mismatch && !again {
		err = q.notify(tx, m, &Notice{Code: NoticeMismatch, Ask: row.ID, Session: row.Session,
			Sentence: mismatch(at.Exit)})
	}
	return Reported{Attempt: at.ID, State: at.State, Mismatch: at.Mismatch, Late: late, Effect: at.Effect}, err
}

// differs reports whether a later report says something else than the first.
func differs(at *Attempt, a Report) bool {
	return a.Exit != "" && a.Exit != at.Exit || a.Ref != "" && a.Ref != at.Ref || a.Outcome != ""
}

// ended writes what a report makes of the attempt.
func (q *Queue) ended(tx Tx, m moment, at *Attempt, from AttemptState, said Fact) error {
	if at.Effect != "" {
		_, err := q.said(tx, m, at, said)
		return err
	}
	if from == AttemptExecuting {
		at.State, at.EndedAt = AttemptUnknown, m.now
		if said.Proof {
			at.State = AttemptNotExecuted
		}
	}
	ok, err := tx.MoveAttempt(at, from)
	if err == nil && !ok {
		err = errChanged
	}
	return err
}

// proves reports whether Nod itself holds the proof that nothing was executed:
// its own executor never started it, or it received the result and the
// descriptor that the ask was made under says that this result means it.
func (q *Queue) proves(tx ReadTx, c *Conn, at *Attempt, row *Row, r *reported) bool {
	if at.HostRuns || c.Way != WayRun || r.act.Outcome == AttemptCommitted {
		return false
	}
	if r.act.Exit == ExitBlocked {
		return true
	}
	d := q.settings.Descriptors.Tool(row.Tool)
	if d == nil || r.result == nil || !d.NotExecuted(r.result) {
		return false
	}
	was, err := descriptorOf(tx, row)
	return err == nil && was == d.Digest()
}

// mismatch says whether the other call ran.
func mismatch(exit ExitStatus) string {
	if exit == ExitBlocked {
		return "MISMATCH: what the host was about to run is not what was approved; it was stopped."
	}
	return "MISMATCH: what the host says it ran is not what was approved."
}

// attempt reads an attempt by id and token.
func (q *Queue) attempt(tx ReadTx, id, token string) (*Attempt, error) {
	at, err := tx.Attempt(id)
	if err != nil {
		return nil, err
	}
	if at == nil || at.TokenHash != tokenHash(token) {
		return nil, refuse(CodeNotYours, "no attempt of yours has this id and token").hint("begin gives both")
	}
	return at, nil
}

func (q *Queue) renew(tx Tx, m moment, a Renew) (Result, error) {
	at, err := q.attempt(tx, a.Attempt, a.Token)
	if err != nil {
		return nil, err
	}
	if at.State != AttemptExecuting || m.now >= at.Lease {
		return nil, refuse(CodeTooLate, "this attempt's lease is over").hint("report how it ended; it is kept as evidence")
	}
	if at.HostRuns { // nobody sees it run
		return nil, refuse(CodeBadInput, "a host runs this attempt: its lease is not renewed").hint("report how it ended")
	}
	at.Lease = m.now + at.LeaseMS
	ok, err := tx.MoveAttempt(at, AttemptExecuting)
	if err == nil && !ok {
		err = errChanged
	}
	if err == nil {
		err = q.alive(tx, m, at.Session)
	}
	return Renewed{Lease: at.Lease}, err
}
