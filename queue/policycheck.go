package queue

import (
	"errors"
	"slices"
	"strings"

	"nod/digest"
	"nod/policy"
)

// code is the stable code of a fault; "" for none.
func code(err error) string {
	if d, ok := errors.AsType[*digest.Error](err); ok {
		return d.Code
	}
	return ""
}

// policyCodes are the refusals of DESIGN §7's order.
var policyCodes = [...]string{policy.CodeMetadataRequired, policy.CodeDisposerRequired, policy.CodeCompensationRequired,
	policy.CodeScopeRequired, policy.CodeCommitRequired}

// deny says a policy's no, and keeps that it was said: the class and nothing of
// what the call holds. err is another failure.
func (q *Queue) deny(tx Tx, m moment, c *Conn, st *Stated, row *Row, a *digest.Action, err error) error {
	d, ok := errors.AsType[*digest.Error](err)
	if !ok || !slices.Contains(policyCodes[:], d.Code) {
		return asRefusal(err)
	}
	no := &Refusal{Code: d.Code, Sentence: "the effect policy that is attached refuses it: " + d.Sentence, Hint: d.Hint}
	if no.Hint == "" {
		no.Hint = "see docs/policy.md for what a call declares"
	}
	rec := policy.Audit(policy.Call{Name: a.Tool, Cwd: a.Environment.Cwd, Declaration: []byte(st.Declaration), Arguments: a.Arguments},
		policy.OutcomeDenied, err)
	e := Event{Act: "refuse", Actor: c.Principal.Agent, Way: c.Way, Ask: row.ID, Session: row.Session, ActionDigest: row.ActionDigest,
		ShownDigest: row.ShownDigest, Reason: rec.Error, Tool: rec.Name, Cwd: rec.Cwd}
	e.classify(&rec)
	if err := q.append(tx, m, e); err != nil {
		return err
	}
	return no
}

// classify writes the members that only a classified call's event has.
func (e *Event) classify(r *policy.Record) {
	e.Class, e.Phase, e.Outcome, e.Redaction = r.Class, r.Phase, string(r.Outcome), strings.Join(r.Redaction, " ")
}

// underPolicy judges a submit, before anything of it is kept.
func (q *Queue) underPolicy(tx Tx, m moment, c *Conn, s *submission) (*governing, error) {
	if s.action == nil || s.act.Kind == digest.KindCommit {
		return nil, nil
	}
	rows, err := tx.Policies()
	if err != nil || len(rows) == 0 && s.stated.Cleanup == 0 {
		return nil, err
	}
	session, err := tx.Session(s.session)
	if err != nil {
		return nil, err
	}
	p, err := q.attached(tx, m, session, s.session, s.parent, s.principal.Agent)
	if err != nil {
		return nil, err
	}
	g, err := q.govern(tx, m, p, &s.stated, s.action)
	if err == nil {
		return g, nil
	}
	if s.derived != nil { // an operator's edit is nothing that the agent did
		return nil, asRefusal(err)
	}
	return nil, q.deny(tx, m, c, &s.stated, &Row{Session: s.session, ActionDigest: s.actionDigest}, s.action, err)
}

// checkPolicy judges what runs under the policy that is attached now.
func checkPolicy(q *Queue, tx Tx, m moment, r *running) (*Refusal, error) {
	rows, err := tx.Policies()
	if err != nil {
		return nil, err
	}
	st, err := tx.Stated(r.row.ID)
	if err != nil {
		return nil, err
	}
	if r.row.Kind == digest.KindCommit {
		if st != nil && st.Boundary != "" {
			return refuse(CodeNotAllowedYet, "a commit runs nothing itself: the begin of the call that it names spends it").
				hint("submit that call with its transaction and operation"), nil
		}
		return nil, nil
	}
	if len(rows) == 0 && (st == nil || st.Cleanup == 0) {
		return nil, nil
	}
	if st == nil {
		st = &Stated{Ask: r.row.ID, Principal: r.session.Principal}
	}
	r.stated = st
	p, err := q.attached(tx, m, r.session, r.session.ID, "", r.row.Agent)
	if err != nil {
		return nil, err
	}
	r.governs, err = q.govern(tx, m, p, st, r.action)
	if err == nil {
		return nil, nil
	}
	if err = q.deny(tx, m, r.conn, st, r.row, r.action, err); err != nil {
		if no, ok := errors.AsType[*Refusal](err); ok {
			return no, nil
		}
	}
	return nil, err
}

// begins writes what a begin changes because of a policy: the owed cleanup, the
// commit spent, or the cleanup invoked. It is in the transaction that opens the
// attempt, so that each is kept before anything runs.
func (q *Queue) begins(tx Tx, m moment, c *Conn, st *Stated, g *governing, at *Attempt) error {
	if g == nil {
		return nil
	}
	if g.policy != "" && (st.Policy != g.policy || st.Class != g.class) {
		st.Ask, st.Policy, st.Class, st.At = at.AskID, g.policy, g.class, m.now
		if err := tx.PutStated(st); err != nil {
			return err
		}
	}
	if g.commit != nil {
		err := q.move(tx, m, g.commit, StateSpent, Event{Act: "commit", Actor: c.Principal.Agent, Way: c.Way, Attempt: at.ID})
		if err != nil {
			return err
		}
	}
	if g.after == nil {
		return nil
	}
	act, number := "cleanup_owed", int64(len(g.after.Cleanups))
	if st.Cleanup > 0 {
		act, number = "cleanup_invoke", st.Cleanup
	}
	return q.putScope(tx, m, g.scope, g.after, Event{Act: act, Actor: c.Principal.Agent, Way: c.Way, Attempt: at.ID, Cleanup: number})
}

// started is what the begin of a classified call says of it.
func (g *governing) started(e *Event, st *Stated, a *digest.Action) {
	if g == nil || g.policy == "" {
		return
	}
	rec := policy.Audit(policy.Call{Name: a.Tool, Cwd: a.Environment.Cwd, Declaration: []byte(st.Declaration), Arguments: a.Arguments},
		policy.OutcomeAllowed, nil)
	e.classify(&rec)
}

// classified writes into the event of a report what it says of a classified
// call, and ends the cleanup that the call was of.
func (q *Queue) classified(tx Tx, st *Stated, e *Event, r *reported) {
	if st == nil || st.Policy == "" {
		return
	}
	o := policy.OutcomeFailed
	if r.act.Exit == ExitSuccess {
		o = policy.OutcomeCompleted
	}
	call := policy.Call{Declaration: []byte(st.Declaration), Arguments: []byte("{}"), Output: r.result, Text: []byte(r.act.CameBack)}
	rec := policy.Audit(call, o, errFailed(o))
	e.classify(&rec)
	e.Reason = rec.Error
}

// errFailed is the error of a failed call as the audit has it: no text of it.
func errFailed(o policy.Outcome) error {
	if o == policy.OutcomeFailed {
		return errors.New("failed")
	}
	return nil
}
