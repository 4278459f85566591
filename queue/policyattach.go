package queue

import (
	"strings"
	"unicode/utf8"

	"nod/digest"
	"nod/policy"
	"nod/policy/transaction"
)

func (q *Queue) attach(tx Tx, m moment, c *Conn, a AttachPolicy) (Result, error) {
	p, err := policy.ReadPolicy(a.Document)
	if err != nil {
		return nil, asRefusal(err)
	}
	doc, err := p.Canonical()
	if err != nil {
		return nil, err
	}
	row := &PolicyRow{ID: q.edge.NewID(), Mode: p.Facts().Mode, Document: string(doc), AttachedAt: m.now, AttachedBy: c.operator()}
	var session string
	switch {
	case a.Agent != "" && a.Session == "" && !a.Run && utf8.ValidString(a.Agent) && len(a.Agent) <= maxName:
		row.Kind, row.Target = PolicyOfAgent, a.Agent
	case a.Agent == "" && a.Session != "":
		s, err := tx.Session(a.Session)
		switch {
		case err != nil:
			return nil, err
		case s == nil:
			return nil, refuse(CodeUnknownID, "no session has this id").hint("nod session list shows them")
		case a.Run && q.runOver(s, m):
			return nil, refuse(CodeTooLate, "the session has ended, and no run of it goes on").hint("attach it to the session, or to its agent")
		}
		session, row.Kind, row.Target = s.ID, PolicyOfSession, s.ID
		if a.Run {
			row.Kind, row.Target = PolicyOfRun, s.run()
		}
	default:
		return nil, refuse(CodeBadInput, "a policy is attached to one agent, session or run").hint("name an agent, or a session")
	}
	rows, err := tx.Policies()
	if err != nil {
		return nil, err
	}
	e := Event{Act: "policy_attach", Actor: c.operator(), Way: c.Way, Policy: row.ID, Session: session, To: row.Kind, Said: digest.Of(doc)}
	for i := range rows {
		if o := &rows[i]; o.Kind == row.Kind && o.Target == row.Target {
			if err := tx.DetachPolicy(o.ID, m.now, c.operator()); err != nil {
				return nil, err
			}
			e.Replaces = o.ID
		}
	}
	if err := tx.InsertPolicy(row); err != nil {
		return nil, err
	}
	return row.set(e.Replaces, m.now), q.append(tx, m, e)
}

func (q *Queue) detach(tx Tx, m moment, c *Conn, a DetachPolicy) (Result, error) {
	row, err := tx.Policy(a.Policy)
	switch {
	case err != nil:
		return nil, err
	case row == nil:
		return nil, refuse(CodeUnknownID, "no policy has this id").hint("nod policy list shows them")
	case row.DetachedAt != 0:
		no := refuse(CodeDecided, "this policy was detached already")
		no.Who, no.At = row.DetachedBy, row.DetachedAt
		return nil, no
	}
	if err := tx.DetachPolicy(row.ID, m.now, c.operator()); err != nil {
		return nil, err
	}
	session := ""
	if row.Kind != PolicyOfAgent {
		session, _, _ = strings.Cut(row.Target, ".")
	}
	return row.set("", m.now), q.append(tx, m, Event{Act: "policy_detach", Actor: c.operator(), Way: c.Way, Policy: row.ID,
		Session: session, From: row.Kind, Said: digest.Of([]byte(row.Document))})
}

func (p *PolicyRow) set(replaced string, at int64) PolicySet {
	return PolicySet{Policy: p.ID, Mode: p.Mode, Kind: p.Kind, Target: p.Target, Replaced: replaced, At: at}
}

func (q *Queue) policies(tx ReadTx, a QPolicies) (Answer, error) {
	c, err := tx.Clock()
	if err != nil {
		return nil, err
	}
	var rows []PolicyRow
	if a.Ever {
		rows, err = tx.PoliciesEver(page(a.Limit))
	} else {
		rows, err = tx.Policies()
	}
	out := Policies{Now: q.readNow(c)}
	for i := range rows {
		p := &rows[i]
		out.Policies = append(out.Policies, PolicyView{ID: p.ID, Kind: p.Kind, Target: p.Target, Mode: p.Mode, Document: []byte(p.Document),
			Digest: digest.Of([]byte(p.Document)), AttachedAt: p.AttachedAt, AttachedBy: p.AttachedBy, DetachedAt: p.DetachedAt, DetachedBy: p.DetachedBy})
	}
	return out, err
}

// editPolicy judges an edited call. What takes an effect back was declared for
// the arguments as they were, so a call that declares is not edited.
func (q *Queue) editPolicy(tx Tx, m moment, c *Conn, row *Row, s *submission) (string, error) {
	st, err := tx.Stated(row.ID)
	if err != nil {
		return "", err
	}
	if st != nil && !st.none() {
		return "", refuse(CodeEffectEdited, "it states what takes its effect back, or what it is part of, for the arguments as they are").
			hint("deny it with words, so that the agent asks with other arguments")
	}
	g, err := q.underPolicy(tx, m, c, s)
	return g.why(&s.stated), err
}

// preparePolicy is prepare for the acts of effect policy.
func (q *Queue) preparePolicy(c *Conn, act Act) (job, error) {
	switch a := act.(type) {
	case AttachPolicy:
		return func(tx Tx, m moment) (Result, error) { return q.attach(tx, m, c, a) }, nil
	case DetachPolicy:
		return func(tx Tx, m moment) (Result, error) { return q.detach(tx, m, c, a) }, nil
	case ActivateScope:
		return q.prepareActivate(c, a)
	case ScopeActivated:
		return scopeJob(q, c, a.Component, "scope_activated", func(s *policy.Scope) (policy.Scope, error) { return s.Activated(!a.Failed) }), nil
	case DisposeScope:
		return scopeJob(q, c, a.Component, "scope_dispose", func(s *policy.Scope) (policy.Scope, error) { return s.Dispose() }), nil
	case RecoverScope:
		return scopeJob(q, c, a.Component, "scope_recover", func(s *policy.Scope) (policy.Scope, error) { return s.Recover(), nil }), nil
	case NextCleanup:
		return func(tx Tx, m moment) (Result, error) { return q.nextCleanup(tx, m, c, a) }, nil
	case EndCleanup:
		return func(tx Tx, m moment) (Result, error) { return q.endCleanup(tx, m, c, a) }, nil
	case AckCleanup:
		return func(tx Tx, m moment) (Result, error) { return q.ackCleanup(tx, m, c, a) }, nil
	case SubmitTransaction:
		return q.prepareTransaction(c, a)
	case StepTransaction:
		if err := seen(a.Step.Observed); err != nil {
			return nil, err
		}
		return transactionJob(q, c, a.Transaction, "transaction_step", func(r *transaction.Record, at int64) (transaction.Record, error) {
			return r.Report(a.Step, at)
		}), nil
	case RecoverTransaction:
		return transactionJob(q, c, a.Transaction, "transaction_recover", func(r *transaction.Record, at int64) (transaction.Record, error) {
			return r.Recover(at)
		}), nil
	case RestoredTransaction:
		if err := seen(a.Seen); err != nil {
			return nil, err
		}
		return transactionJob(q, c, a.Transaction, "transaction_restored", func(r *transaction.Record, at int64) (transaction.Record, error) {
			return r.Restored(a.Seen, at)
		}), nil
	case AckTransaction:
		return func(tx Tx, m moment) (Result, error) { return q.ackTransaction(tx, m, c, a) }, nil
	default:
		return nil, refuse(CodeBadAct, "the queue knows no such act")
	}
}

func scopeJob(q *Queue, c *Conn, component, act string, step func(s *policy.Scope) (policy.Scope, error)) job {
	return func(tx Tx, m moment) (Result, error) {
		row, s, err := q.stepScope(tx, m, c, component, Event{Act: act}, step)
		if err != nil {
			return nil, err
		}
		return row.stands(s), nil
	}
}

func transactionJob(q *Queue, c *Conn, id, act string, step func(r *transaction.Record, at int64) (transaction.Record, error)) job {
	return func(tx Tx, m moment) (Result, error) {
		return q.stepTransaction(tx, m, c, id, act, func(r *transaction.Record) (transaction.Record, error) { return step(r, m.now) })
	}
}
