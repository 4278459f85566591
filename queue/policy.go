package queue

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"nod/descriptor"
	"nod/digest"
	"nod/policy"
	"nod/policy/transaction"
)

// maxDeclaration bounds what a call declares, in bytes: it is on its card.
const maxDeclaration = 16 << 10

// readStated reads what a submit states for an effect policy. Nothing of it is
// judged here: where no policy is attached, nothing is asked.
func (s *submission) readStated(q *Queue, c *Conn, a *Submit) error {
	for _, t := range [...]struct{ what, text string }{
		{"the component", a.Component}, {"the transaction", a.Transaction}, {"the transaction's operation", a.Operation},
	} {
		if len(t.text) > maxName || !utf8.ValidString(t.text) {
			return tooLong(t.what)
		}
	}
	if len(a.Declaration) > maxDeclaration {
		return tooLong("the declaration")
	}
	s.stated = Stated{Principal: string(principalKey(&c.Principal)), Component: a.Component, Transaction: a.Transaction, Operation: a.Operation}
	if a.Owed != nil {
		if a.Owed.Cleanup < 1 || a.Owed.Scope == "" || len(a.Owed.Scope) > maxName {
			return refuse(CodeBadInput, "the owed cleanup is not named").hint("send scope and cleanup as they were given")
		}
		s.stated.Scope, s.stated.Cleanup = a.Owed.Scope, a.Owed.Cleanup
		if !slices.Contains(s.act.Raise, ReasonRealApproval) { // a rule's word is none for it
			s.act.Raise = append(slices.Clone(s.act.Raise), ReasonRealApproval)
		}
	}
	if s.act.Kind == digest.KindCommit {
		if s.stated != (Stated{Principal: s.stated.Principal, Transaction: a.Transaction, Operation: a.Operation}) || len(a.Declaration) > 0 {
			return refuse(CodeBadInput, "a commit declares no effect of its own").hint("submit the call that it commits by itself")
		}
		return s.readCommit()
	}
	declared, operators := a.Declaration, false
	if d := q.settings.Descriptors.Tool(s.action.Tool); d != nil && d.Declaration() != nil {
		declared, operators = d.Declaration(), true
	}
	if canonical, err := digest.Canonical(declared, digest.Limits{MaxBytes: maxDeclaration, MaxDepth: digest.DefaultAskMaxDepth}); err == nil && len(declared) > 0 {
		s.stated.Declaration = string(canonical)
	}
	s.raise(operators)
	return nil
}

// readCommit takes from a commit's action, which is on its card, the transaction
// (of its arguments) and the operation that it names. What the submit states
// beside them must be the same.
func (s *submission) readCommit() error {
	named := ""
	if v, there := digest.Lookup(s.action.Arguments, "/transaction"); there && len(v) > 0 && v[0] == '"' {
		named, _ = v.Text() // checked as the action's
	}
	st := &s.stated
	if st.Transaction != "" && st.Transaction != named || st.Operation != "" && st.Operation != s.action.Operation {
		return refuse(CodeBadInput, "a commit names another transaction or operation than the submit").
			hint("name the transaction in the arguments and the operation as the call's, so that both are on the card")
	}
	*st = Stated{Principal: st.Principal}
	if named != "" && s.action.Operation != "" {
		st.Transaction, st.Operation, st.Boundary = named, s.action.Operation, s.action.Effect.CommitBoundary
	} // else it opens nothing
	return nil
}

// raise writes the declared class into the action, where it is stricter, and
// with an irreversible one its commit boundary. The operator's boundary beats
// the caller's.
func (s *submission) raise(operators bool) {
	class := policy.ClassOf([]byte(s.stated.Declaration))
	if class == policy.ClassUndeclared {
		return
	}
	e := digest.Effect{}
	if s.action.Effect != nil {
		e = *s.action.Effect
	}
	e.Class, _ = descriptor.Stricter(e.Class, "", class, "")
	if d, err := policy.ReadDeclaration([]byte(s.stated.Declaration)); err == nil && d.CommitBoundary != "" && (operators || e.CommitBoundary == "") {
		e.CommitBoundary = d.CommitBoundary
	}
	s.action.Effect = &e
}

// states reports whether an ask was made with what this submit states; a submit
// that states nothing says nothing against it.
func (s *submission) states(tx ReadTx, row *Row) bool {
	if s.stated.none() {
		return true
	}
	was, err := tx.Stated(row.ID)
	if err != nil || was == nil {
		return false
	}
	known, mine := *was, s.stated
	known.Ask, known.At, known.Policy, known.Class = mine.Ask, mine.At, mine.Policy, mine.Class
	return known == mine
}

// opens is what a commit's card says of what it lets through.
func (s *Stated) opens() string {
	return "Allowed, it lets one irreversible call of transaction " + quoted(s.Transaction) + ", operation " + quoted(s.Operation) +
		", pass its boundary, where an effect policy refuses that."
}

// none reports whether a call states nothing.
func (s *Stated) none() bool {
	return s.Declaration == "" && s.Component == "" && s.Transaction == "" && s.Boundary == "" && s.Cleanup == 0
}

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
