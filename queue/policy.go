package queue

import (
	"strconv"
	"strings"

	"nod/digest"
	"nod/policy"
	"nod/policy/transaction"
)

// governing is what an effect policy, or an owed cleanup, makes of one call: what
// its begin writes besides the attempt.
type governing struct {
	policy string // "" for an owed cleanup where none is attached
	mode   policy.Mode
	class  string // as declared
	scope  *ScopeRow
	after  *policy.Scope // with what the begin registers, or the cleanup invoked
	owes   *policy.Cleanup
	commit *Row // that the begin spends
}

// why is what a card says of it. It is part of the draft's facts.
func (g *governing) why(s *Stated) string {
	if g == nil {
		return ""
	}
	var say []string
	if g.policy != "" {
		say = append(say, "An effect policy in mode "+string(g.mode)+" is attached to who asks.")
	}
	switch {
	case s.Cleanup > 0:
		say = append(say, "It is cleanup "+strconv.FormatInt(s.Cleanup, 10)+" that component "+quoted(g.scope.Component)+
			" owes, and takes an earlier effect back. It runs once; should it fail, it is not tried again.")
	case g.owes != nil:
		undo := g.owes.Tool
		if g.owes.Operation != "" {
			undo += " " + g.owes.Operation
		}
		say = append(say, "Component "+quoted(g.scope.Component)+" then owes what takes it back when it ends: "+quoted(undo)+
			" with "+string(g.owes.Arguments)+".")
		if g.owes.Compensates() {
			say = append(say, "After that it should look like this: "+g.owes.Equivalence)
		}
	}
	if g.commit != nil {
		say = append(say, "A person committed its boundary for transaction "+quoted(s.Transaction)+", operation "+quoted(s.Operation)+
			"; its begin spends that commit.")
	}
	return strings.Join(say, " ")
}

// attached finds the policy that applies: the narrowest, of the run, the
// session, a parent session (nearest first), or the agent. nil for none. s is
// the session as it was, nil for a new one.
func (q *Queue) attached(tx ReadTx, m moment, s *Session, id, parent, agent string) (*PolicyRow, error) {
	rows, err := tx.Policies()
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	of := func(kind, target string) *PolicyRow {
		for i := range rows {
			if rows[i].Kind == kind && rows[i].Target == target {
				return &rows[i]
			}
		}
		return nil
	}
	own := func(s *Session) *PolicyRow {
		if q.runOver(s, m) {
			return nil
		}
		return of(PolicyOfRun, s.run())
	}
	if s != nil {
		if p := own(s); p != nil {
			return p, nil
		}
		if s.Parent != "" {
			parent = s.Parent
		}
	}
	if p := of(PolicyOfSession, id); p != nil {
		return p, nil
	}
	above, err := parents(tx, &Session{ID: id, Parent: parent})
	if err != nil {
		return nil, err
	}
	for _, id := range above {
		up, err := tx.Session(id)
		if err != nil {
			return nil, err
		}
		if up != nil {
			if p := own(up); p != nil {
				return p, nil
			}
		}
		if p := of(PolicyOfSession, id); p != nil {
			return p, nil
		}
	}
	return of(PolicyOfAgent, agent), nil
}

// runOver reports whether a session's run is over; of a silent one it is, though
// the clock has not ended it yet.
func (q *Queue) runOver(s *Session, m moment) bool {
	return s.EndedAt != 0 || m.now-s.LastAct > q.settings.SessionMS && !m.held
}

// govern judges a call under the policy that applies to it. It writes nothing
// but what the clock had due. nil is that nothing is asked of it.
func (q *Queue) govern(tx Tx, m moment, p *PolicyRow, st *Stated, action *digest.Action) (*governing, error) {
	g := &governing{}
	if p != nil {
		g.policy, g.mode = p.ID, p.Mode
	}
	if st.Cleanup > 0 {
		err := q.owedCall(tx, g, st, action)
		if err != nil || p == nil || action.Effect == nil || action.Effect.Class != digest.ClassIrreversible {
			g.policy, g.mode = "", "" // what is owed was declared with the effect that it takes back
			return g, err
		} // that declaration committed nothing
	}
	if p == nil || action == nil {
		return nil, nil
	}
	pol, err := policy.ReadPolicy([]byte(p.Document))
	if err != nil {
		return nil, refuse(CodeContentChanged, "the policy that is attached does not read, so nothing begins under it").
			hint("detach it and attach it again")
	}
	d, no := policy.ReadDeclaration([]byte(st.Declaration))
	if g.class = policy.ClassOf([]byte(st.Declaration)); no == nil {
		no = fits(d, action)
	}
	if no != nil {
		return g, no
	}
	if pol, err = q.staged(tx, pol, st); err != nil {
		return nil, err
	}
	g.mode = pol.Facts().Mode
	var s *policy.Scope
	if st.Component != "" {
		if g.scope, s, err = living(tx, st.Principal, st.Component); err != nil {
			return nil, err
		}
	}
	_, after, no := pol.Authorize(d, s)
	if code(no) == policy.CodeCommitRequired {
		if no, err = q.committed(tx, m, g, pol, d, st, no); err != nil {
			return nil, err
		}
	}
	if no != nil {
		return g, no
	}
	if after != nil && s != nil && len(after.Cleanups) > len(s.Cleanups) {
		g.after, g.owes = after, &after.Cleanups[len(after.Cleanups)-1]
		return g, bounded(after)
	}
	return g, nil
}

// fits holds a declaration against the action that is digested and shown: its
// class is not looser, and the boundary is the one on the card.
func fits(d *policy.Declaration, a *digest.Action) error {
	no := &digest.Error{Code: policy.CodeMetadataRequired, Pointer: "/effectClass", Hint: "declare what the operator's descriptor, and the call itself, state"}
	switch {
	case a.Effect == nil || a.Effect.Class != d.Class:
		no.Sentence = "its effect is classed stricter than it declares, and that class's metadata is not there"
	case d.Class == digest.ClassIrreversible && a.Effect.CommitBoundary != d.CommitBoundary:
		no.Pointer, no.Sentence = "/commitBoundary", "it declares another commit boundary than the call states"
	default:
		return nil
	}
	return no
}

// staged is the policy for a call of a transaction that is not over: what is on
// its way to active mode never has its authority.
func (q *Queue) staged(tx ReadTx, p policy.Policy, st *Stated) (policy.Policy, error) {
	if st.Transaction == "" || p.Facts().Mode != policy.Active {
		return p, nil
	}
	id, err := transaction.ID(st.Transaction)
	if err != nil {
		return p, nil //nolint:nilerr // it names none
	}
	row, err := tx.TransactionOf(st.Principal, id)
	if err != nil || row == nil || !unfinished(row.Outcome) {
		return p, err
	}
	f := p.Facts()
	f.Mode = f.Mode.Staging()
	return policy.New(f)
}

// committed looks for the commit of exactly this transaction and operation that
// a person allowed and nothing spent. no is the refusal without one.
func (q *Queue) committed(tx Tx, m moment, g *governing, pol policy.Policy, d *policy.Declaration, st *Stated, no error) (still, err error) {
	if st.Transaction == "" || st.Operation == "" {
		return no, nil
	}
	named, err := tx.Commits(st.Principal, st.Transaction, st.Operation, likeLimit)
	if err != nil {
		return nil, err
	}
	for i := range named {
		c := policy.Commit{Transaction: named[i].Transaction, Operation: named[i].Operation, Boundary: named[i].Boundary}
		if _, _, refused := pol.Under(c, st.Transaction, st.Operation).Authorize(d, nil); refused != nil {
			continue
		}
		row, err := q.load(tx, m, named[i].Ask)
		if err != nil {
			return nil, err
		}
		freezes, err := tx.Freezes()
		if err != nil {
			return nil, err
		}
		if row.State == StateAllowed && row.DecidedBy == ByPerson && m.now >= row.NotBefore && m.now < row.UseBy() && covers(freezes, row.Session) == nil {
			g.commit = row
			return nil, nil
		}
	}
	return no, nil
}
