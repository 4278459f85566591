package queue

import (
	"slices"
	"unicode/utf8"

	"nod/descriptor"
	"nod/digest"
	"nod/policy"
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
