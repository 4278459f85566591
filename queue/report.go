package queue

import (
	"unicode/utf8"

	"nod/digest"
)

// maxRef bounds a tool's own reference, in bytes.
const maxRef = 512

func (q *Queue) prepareReport(c *Conn, a Report) (job, error) {
	switch a.Exit {
	case "", ExitSuccess, ExitFailure, ExitTimeout, ExitBlocked:
	default:
		return nil, refuse(CodeBadInput, "the exit status is none of success, failure, timeout, blocked")
	}
	switch a.Outcome {
	case "", AttemptCommitted, AttemptNotExecuted, AttemptUnknown:
	default:
		return nil, refuse(CodeBadInput, "the outcome is none of committed, not_executed, unknown")
	}
	if !utf8.ValidString(a.Ref) || len(a.Ref) > maxRef {
		return nil, refuse(CodeBadInput, "the reference is too long or not UTF-8").hint("512 bytes at most")
	}
	var observed digest.Digest
	if len(a.Observed) > 0 {
		action, err := digest.ParseAction(a.Observed, beginLimits(q.settings.Limits))
		if err != nil {
			return nil, err
		}
		if observed, err = action.Digest(); err != nil {
			return nil, err
		}
	}
	return func(tx Tx, m moment) (Result, error) { return q.report(tx, m, c, a, observed) }, nil
}

func (q *Queue) report(tx Tx, m moment, c *Conn, a Report, observed digest.Digest) (Result, error) {
	at, err := q.attempt(tx, a.Attempt, a.Token)
	if err != nil {
		return nil, err
	}
	if at.Exit != "" {
		return nil, refuse(CodeReported, "this attempt was reported already")
	}
	row, err := tx.Ask(at.AskID)
	if err != nil || row == nil {
		return nil, err
	}
	from := at.State
	if from == AttemptExecuting && m.now >= at.Lease { // settle is held, or has more due than one batch
		if err := q.loseAttempt(tx, m, at, "lease_over"); err != nil {
			return nil, err
		}
		from = at.State
	}
	at.Exit, at.Ref, at.Observed = a.Exit, a.Ref, observed
	if at.Exit == "" {
		at.Exit = ExitFailure
	}
	at.Mismatch = observed != "" && observed != row.ActionDigest
	at.Late = from != AttemptExecuting
	if !at.Late {
		at.State, at.EndedAt = outcome(at, a), m.now
	}
	ok, err := tx.MoveAttempt(at, from)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errChanged
	}
	err = q.append(tx, m, Event{Act: "report", Actor: c.Principal.Agent, Way: c.Way, Ask: row.ID, Session: at.Session,
		Attempt: at.ID, Number: at.Number, From: string(from), To: string(at.State), Exit: at.Exit,
		ActionDigest: row.ActionDigest, Observed: observed, Mismatch: at.Mismatch, Late: at.Late, Tool: row.Tool, Cwd: row.Cwd})
	if err != nil {
		return nil, err
	}
	if at.Mismatch {
		err = q.notify(tx, m, &Notice{Code: NoticeMismatch, Ask: row.ID, Session: row.Session,
			Sentence: mismatch(at.Exit)})
	}
	return Reported{Attempt: at.ID, State: at.State, Mismatch: at.Mismatch, Late: at.Late}, err
}

// mismatch says whether the other call ran.
func mismatch(exit ExitStatus) string {
	if exit == ExitBlocked {
		return "MISMATCH: what the host was about to run is not what was approved; it was stopped."
	}
	return "MISMATCH: what the host says it ran is not what was approved."
}

// outcome is what a report in time makes of an attempt (DESIGN §5): a call's
// return proves no effect, and only Nod's own executor can say that it never
// started one.
func outcome(at *Attempt, a Report) AttemptState {
	if a.Exit == ExitBlocked && !at.HostRuns && a.Outcome != AttemptCommitted {
		return AttemptNotExecuted
	}
	return AttemptUnknown
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
	at.Lease = m.now + at.LeaseMS
	ok, err := tx.MoveAttempt(at, AttemptExecuting)
	if err == nil && !ok {
		err = errChanged
	}
	return Renewed{Lease: at.Lease}, err
}
