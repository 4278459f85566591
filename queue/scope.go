package queue

import (
	"bytes"

	"nod/boundary"
	"nod/digest"
	"nod/digest/visible"
	"nod/policy"
)

// Bounds of one scope: its document is written anew at each step.
const (
	maxCleanups = 256
	maxScope    = 1 << 20
	maxScopes   = 200 // of a principal, that live or are blocked
)

// bounded refuses a scope that has grown too large.
func bounded(s *policy.Scope) error {
	size := 0
	for i := range s.Cleanups {
		c := &s.Cleanups[i]
		size += len(c.Tool) + len(c.Operation) + len(c.Arguments) + len(c.IdempotencyKey) + len(c.Equivalence)
	}
	if len(s.Cleanups) > maxCleanups || size > maxScope {
		return refuse(CodeQuota, "the component owes as much as one component may").hint("dispose it, and activate it anew")
	}
	return nil
}

// scopeOf reads the newest scope of a component.
func scopeOf(tx ReadTx, principal, component string) (*ScopeRow, *policy.Scope, error) {
	id, err := policy.ComponentID(component)
	if err != nil {
		return nil, nil, err
	}
	row, err := tx.ScopeOf(principal, id)
	if err != nil || row == nil {
		return nil, nil, err
	}
	s, err := policy.ReadScope([]byte(row.Document))
	return row, &s, err
}

// living is the scope of a component for a call that registers with it.
func living(tx ReadTx, principal, component string) (*ScopeRow, *policy.Scope, error) {
	return scopeOf(tx, principal, component)
}

// putScope keeps the next scope with its one event.
func (q *Queue) putScope(tx Tx, m moment, row *ScopeRow, s *policy.Scope, e Event) error {
	doc, err := s.Canonical()
	if err != nil {
		return err
	}
	var was *policy.Scope
	if row.Num != 0 {
		before, err := policy.ReadScope([]byte(row.Document))
		if err != nil {
			return asRefusal(err)
		}
		was = &before
	}
	from := row.State
	row.State, row.Document, row.MovedAt = s.State, string(doc), m.now
	row.Open = s.Result() == "" || len(s.Blocked()) > 0
	if row.Num == 0 {
		from = ""
		err = tx.InsertScope(row)
	} else {
		err = tx.PutScope(row)
	}
	if err != nil {
		return err
	}
	e.Scope, e.Session, e.From, e.To, e.Said = row.ID, row.Session, string(from), string(row.State), digest.Of(doc)
	if err := q.append(tx, m, e); err != nil {
		return err
	}
	return q.told(tx, m, row, was, s, &e)
}

// owedCall judges the call of an owed compensation: exactly what is owed, in its
// turn. A person is asked for it, and its begin marks the cleanup invoked.
func (q *Queue) owedCall(tx ReadTx, g *governing, st *Stated, a *digest.Action) error {
	row, err := tx.Scope(st.Scope)
	if err != nil {
		return err
	}
	if row == nil || row.Principal != st.Principal {
		return refuse(CodeUnknownID, "this connection has no such scope").hint("next_cleanup names scope and cleanup")
	}
	s, err := policy.ReadScope([]byte(row.Document))
	if err != nil {
		return err
	}
	after, err := s.Invoke(int(st.Cleanup) - 1)
	if err != nil {
		return err
	}
	owed := &s.Cleanups[st.Cleanup-1]
	args, err := digest.Canonical(owed.Arguments, digest.NoLimits())
	switch {
	case err != nil:
		return err
	case !owed.Compensates():
		return refuse(CodeBadInput, "a disposer is taken by next_cleanup and run by the host").hint("take it, run it, and say how it ended")
	case a == nil || a.Tool != owed.Tool || a.Operation != owed.Operation || !bytes.Equal(a.Arguments, args):
		return refuse(CodeWrongDigest, "the call is not the one that is owed").hint("submit tool, operation and arguments as they were given")
	}
	g.scope, g.after = row, &after
	return nil
}

// cleaned ends the cleanup that an attempt was the call of. A call's return alone
// is no proof of an effect that is kept: then only what was said of it counts.
func (q *Queue) cleaned(tx Tx, m moment, st *Stated, at *Attempt, actor, way string) error {
	if st == nil || st.Cleanup == 0 {
		return nil
	}
	row, err := tx.Scope(st.Scope)
	if err != nil || row == nil {
		return err
	}
	s, err := q.readScope(tx, m, row)
	if s == nil {
		return err
	}
	if n := int(st.Cleanup) - 1; n >= len(s.Cleanups) || s.Cleanups[n].State != policy.Invoked {
		return nil // a crash has made it uncertain
	}
	how := policy.Uncertain
	switch {
	case at.Mismatch:
	case at.Effect != "" && at.State == AttemptCommitted, at.Effect == "" && at.Exit == ExitSuccess:
		how = policy.Done
	case at.State == AttemptNotExecuted, at.Effect == "" && (at.Exit == ExitFailure || at.Exit == ExitBlocked):
		how = policy.Broken
	}
	after, err := s.Ended(int(st.Cleanup)-1, how)
	if err != nil {
		return asRefusal(err)
	}
	return q.putScope(tx, m, row, &after, Event{Act: "cleanup_end", Actor: actor, Way: way, Attempt: at.ID, Cleanup: st.Cleanup, Reason: string(how)})
}

// lost ends the cleanup of an attempt that nobody reported on.
func (q *Queue) lost(tx Tx, m moment, at *Attempt) error {
	st, err := tx.Stated(at.AskID)
	if err != nil || st == nil {
		return err
	}
	return q.cleaned(tx, m, st, at, actorClock, "")
}

// recoverScopes is what the end of a session makes of its components: they are
// gone.
func (q *Queue) recoverScopes(tx Tx, m moment, session, actor string) error {
	rows, err := tx.OpenScopesOf(session)
	if err != nil {
		return err
	}
	for i := range rows {
		s, err := q.readScope(tx, m, &rows[i])
		if err != nil {
			return err
		}
		if s == nil {
			continue
		}
		if err := q.recovered(tx, m, &rows[i], s, actor, ""); err != nil {
			return err
		}
		if err := q.orphaned(tx, m, &rows[i], s); err != nil {
			return err
		}
	}
	return nil
}

// readScope reads a scope where something else has happened already, which no
// record may undo: a session ended, a lease is over, a call was reported. One
// that does not read stays as it is, and refuses every act on its component; an
// operator is told, and s is nil.
func (q *Queue) readScope(tx Tx, m moment, row *ScopeRow) (*policy.Scope, error) {
	s, err := policy.ReadScope([]byte(row.Document))
	if err == nil {
		return &s, nil
	}
	return nil, q.notifyOwed(tx, m, NoticeOwed, row.Session, "The record of component "+visible.Draw(visible.Name, row.Component)+
		" does not read, so nobody knows what it owes, and it is not used again. Run nod audit verify.", owedDetail{Scope: row.ID})
}

func (q *Queue) recovered(tx Tx, m moment, row *ScopeRow, s *policy.Scope, actor, way string) error {
	after := s.Recover()
	doc, err := after.Canonical()
	if err != nil || string(doc) == row.Document {
		return err
	}
	*s = after
	return q.putScope(tx, m, row, s, Event{Act: "scope_recover", Actor: actor, Way: way})
}

func (q *Queue) prepareActivate(c *Conn, a ActivateScope) (job, error) {
	if err := hostSession(a.Session); err != nil {
		return nil, err
	}
	sub := &submission{act: Submit{Session: a.Session}, session: sessionID(&c.Principal, a.Session), principal: c.Principal}
	return func(tx Tx, m moment) (Result, error) { return q.activateScope(tx, m, c, a, sub) }, nil
}

func (q *Queue) activateScope(tx Tx, m moment, c *Conn, a ActivateScope, sub *submission) (Result, error) {
	principal := string(principalKey(&c.Principal))
	session, err := q.arrive(tx, m, sub) // first: a silent session's end is the end of its components
	if err != nil {
		return nil, err
	}
	was, earlier, err := scopeOf(tx, principal, a.Component)
	if err != nil {
		return nil, asRefusal(err)
	}
	var known []policy.Scope
	if was != nil {
		known = append(known, *earlier)
	}
	s, err := policy.NewScope(a.Component, known...)
	if err == nil {
		s, err = s.Activate()
	}
	if err != nil {
		return nil, asRefusal(err)
	}
	held, err := tx.ScopesHeld(principal)
	if err != nil {
		return nil, err
	}
	if held >= maxScopes {
		return nil, refuse(CodeQuota, "as many components of this agent live or are blocked as one agent may have").hint("dispose those that are done, and have the blocked ones acknowledged")
	}
	if no, err := q.lives(tx, m, session); err != nil || no != nil {
		return nil, orRefusal(no, err)
	}
	row := &ScopeRow{ID: q.edge.NewID(), Principal: principal, Agent: c.Principal.Agent, Session: sub.session,
		Component: s.Component, CreatedAt: m.now}
	err = q.putScope(tx, m, row, &s, Event{Act: "scope_activate", Actor: c.Principal.Agent, Way: c.Way})
	return row.stands(&s), err
}

// lives writes down the session of an act that is none of a call's: it goes on, or
// begins, so that its end is the end of what it activated.
func (q *Queue) lives(tx Tx, m moment, a *arrival) (*Refusal, error) {
	if !a.dirty {
		return nil, nil
	}
	t, err := q.join(tx, m, a)
	if err != nil {
		return nil, err
	}
	phase := boundary.Phase("")
	if a.born {
		phase = boundary.Prepare
	}
	t.touch(a.session)
	if no, err := q.passes(tx, m, t, a.session, phase, boundary.Act{}, ""); err != nil || no != nil {
		return no, err
	}
	return nil, t.put(tx)
}

// step takes one step of a component's scope. One that changes nothing writes
// nothing.
func (q *Queue) stepScope(tx Tx, m moment, c *Conn, component string, e Event, step func(s *policy.Scope) (policy.Scope, error)) (*ScopeRow, *policy.Scope, error) {
	row, s, err := scopeOf(tx, string(principalKey(&c.Principal)), component)
	if err != nil {
		return nil, nil, asRefusal(err)
	}
	if row == nil {
		return nil, nil, noScope()
	}
	after, err := step(s)
	if err != nil {
		return nil, nil, asRefusal(err)
	}
	doc, err := after.Canonical()
	if err != nil || string(doc) == row.Document {
		return row, s, err
	}
	e.Actor, e.Way = c.Principal.Agent, c.Way
	return row, &after, q.putScope(tx, m, row, &after, e)
}

func noScope() *Refusal {
	return refuse(CodeUnknownID, "this component was never activated").hint("activate_scope begins its life")
}

func (q *Queue) nextCleanup(tx Tx, m moment, c *Conn, a NextCleanup) (Result, error) {
	row, s, err := scopeOf(tx, string(principalKey(&c.Principal)), a.Component)
	if err != nil {
		return nil, asRefusal(err)
	}
	if row == nil {
		return nil, noScope()
	}
	n, due := s.Next()
	if !due {
		return CleanupDue{ScopeStands: row.stands(s)}, nil
	}
	next := s.Cleanups[n]
	if !next.Compensates() {
		freezes, err := tx.Freezes()
		if err != nil {
			return nil, err
		}
		if f := covers(freezes, row.Session); f != nil { // to be given is to begin
			no := refuse(CodeFrozen, "an operator froze it: nothing begins until the freeze is lifted")
			no.Who, no.At = f.By, f.Since
			return nil, no
		}
		after, err := s.Invoke(n)
		if err != nil {
			return nil, asRefusal(err)
		}
		s = &after
		err = q.putScope(tx, m, row, s, Event{Act: "cleanup_invoke", Actor: c.Principal.Agent, Way: c.Way, Cleanup: int64(n) + 1})
		if err != nil {
			return nil, err
		}
	}
	return CleanupDue{ScopeStands: row.stands(s), Cleanup: int64(n) + 1, Tool: next.Tool, Operation: next.Operation, Arguments: next.Arguments,
		Compensates: next.Compensates(), IdempotencyKey: next.IdempotencyKey, Equivalence: next.Equivalence}, nil
}

func (q *Queue) endCleanup(tx Tx, m moment, c *Conn, a EndCleanup) (Result, error) {
	switch a.How {
	case policy.Done, policy.Broken, policy.Uncertain:
	default:
		return nil, refuse(CodeBadInput, "the end of a cleanup is none of done, failed, uncertain").hint("use one of the three words")
	}
	row, s, err := q.stepScope(tx, m, c, a.Component, Event{Act: "cleanup_end", Cleanup: a.Cleanup, Reason: string(a.How)},
		func(s *policy.Scope) (policy.Scope, error) {
			n := int(a.Cleanup) - 1
			if n < 0 || n >= len(s.Cleanups) || !s.Cleanups[n].Compensates() {
				return s.Ended(n, a.How)
			}
			if s.Cleanups[n].State != policy.Owed || a.How != policy.Broken {
				return *s, refuse(CodeBadInput, "a compensation ends as the attempt of its call does").
					hint("report that attempt; of one that nobody will run say failed")
			}
			return giveUp(s, n)
		})
	if err != nil {
		return nil, err
	}
	return row.stands(s), nil
}

// giveUp ends the next cleanup, which nobody will run, as failed.
func giveUp(s *policy.Scope, n int) (policy.Scope, error) {
	next, err := s.Invoke(n)
	if err != nil {
		return *s, err
	}
	return next.Ended(n, policy.Broken)
}

func (q *Queue) ackCleanup(tx Tx, m moment, c *Conn, a AckCleanup) (Result, error) {
	row, err := tx.Scope(a.Scope)
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, refuse(CodeUnknownID, "no scope has this id").hint("nod cleanups list shows them")
	}
	s, err := policy.ReadScope([]byte(row.Document))
	if err != nil {
		return nil, asRefusal(err)
	}
	n, e := int(a.Cleanup)-1, Event{Act: "cleanup_ack", Actor: c.operator(), Way: c.Way, Cleanup: a.Cleanup}
	if n >= 0 && n < len(s.Cleanups) && s.Cleanups[n].State == policy.Owed {
		if !a.GiveUp {
			return nil, refuse(CodeNothingOpen, "this cleanup is owed and did not begin").hint("give it up only when nobody will run it")
		}
		if s, err = giveUp(&s, n); err != nil {
			return nil, asRefusal(err)
		}
		e.Reason = string(policy.Broken)
	}
	after, err := s.Acknowledge(n)
	if err != nil {
		return nil, asRefusal(err)
	}
	return row.stands(&after), q.putScope(tx, m, row, &after, e)
}

func (r *ScopeRow) stands(s *policy.Scope) ScopeStands {
	out := ScopeStands{Scope: r.ID, Component: s.Component, State: s.State, Over: s.Result() != ""}
	for i := range s.Cleanups {
		if s.Cleanups[i].State == policy.Owed {
			out.Owed++
		}
	}
	for _, n := range s.Blocked() {
		out.Blocked = append(out.Blocked, int64(n)+1)
	}
	return out
}

func (q *Queue) cleanups(tx ReadTx, a QCleanups) (Answer, error) {
	c, err := tx.Clock()
	if err != nil {
		return nil, err
	}
	a.Limit = page(a.Limit)
	rows, more, err := tx.Scopes(a)
	out := Cleanups{More: more, Now: q.readNow(c)}
	for i := range rows {
		r := &rows[i]
		v := ScopeView{Num: r.Num, ID: r.ID, Component: r.Component, Agent: r.Agent, Session: r.Session, State: r.State,
			Digest: digest.Of([]byte(r.Document)), CreatedAt: r.CreatedAt, MovedAt: r.MovedAt}
		s, err := policy.ReadScope([]byte(r.Document))
		if err != nil {
			return nil, asRefusal(err)
		}
		v.Blocked = len(s.Blocked()) > 0
		for n := range s.Cleanups {
			u := &s.Cleanups[n]
			v.Due = v.Due || s.State == policy.Unloading && (u.State == policy.Owed || u.State == policy.Invoked)
			v.Cleanups = append(v.Cleanups, CleanupView{Number: int64(n) + 1, Tool: u.Tool, Operation: u.Operation, Arguments: u.Arguments,
				State: u.State, Compensates: u.Compensates(), Equivalence: u.Equivalence, Acknowledged: u.Acknowledged})
		}
		out.Scopes = append(out.Scopes, v)
	}
	return out, err
}
