package sqlite

import (
	"fmt"
	"math"

	"nod/policy"
	"nod/policy/transaction"
	"nod/queue"
	"nod/store/sqlite/db"
)

// rememberPolicy reads what spares most acts of most stores a look at the
// tables of effect policy.
func (f *facts) rememberPolicy(c *conn) error {
	rows, err := c.q.AttachedPolicies(bg())
	if f.policies, err = each(rows, err, policyOf); err != nil {
		return err
	}
	stated, err := c.q.AnyStated(bg())
	if err != nil {
		return err
	}
	scoped, err := c.q.AnyScope(bg())
	f.stated, f.scoped = stated != 0, scoped != 0
	return err
}

func (r *reader) Policies() ([]queue.PolicyRow, error) {
	rows, err := r.c.q.AttachedPolicies(bg())
	return each(rows, err, policyOf)
}

func (t *tx) Policies() ([]queue.PolicyRow, error) {
	return append([]queue.PolicyRow(nil), t.w.mem.policies...), nil
}

func (r *reader) PoliciesEver(limit int64) ([]queue.PolicyRow, error) {
	rows, err := r.c.q.Policies(bg(), limit)
	return each(rows, err, policyOf)
}

func (r *reader) Policy(id string) (*queue.PolicyRow, error) {
	row, err := r.c.q.PolicyByID(bg(), id)
	return found(row, err, policyOf)
}

func (r *reader) Stated(ask string) (*queue.Stated, error) {
	row, err := r.c.q.StatedOf(bg(), ask)
	return found(row, err, statedOf)
}

func (t *tx) Stated(ask string) (*queue.Stated, error) {
	if !t.w.mem.stated {
		return nil, nil
	}
	return t.reader.Stated(ask)
}

func (r *reader) Commits(principal, txn, operation string, limit int64) ([]queue.Stated, error) {
	rows, err := r.c.q.CommitsOf(bg(), db.CommitsOfParams{Principal: principal, Txn: txn, Operation: operation, N: limit})
	return each(rows, err, statedOf)
}

func (r *reader) Scope(id string) (*queue.ScopeRow, error) {
	row, err := r.c.q.ScopeByID(bg(), id)
	return found(row, err, scopeOf)
}

func (r *reader) ScopePrefix(prefix string) ([]string, error) {
	return r.c.q.ScopePrefix(bg(), db.ScopePrefixParams{ID: prefix, ID_2: prefix + "\x7f"}) // as AskPrefix
}

func (r *reader) ScopeOf(principal, component string) (*queue.ScopeRow, error) {
	row, err := r.c.q.NewestScope(bg(), db.NewestScopeParams{Principal: principal, Component: component})
	return found(row, err, scopeOf)
}

func (r *reader) OpenScopesOf(session string) ([]queue.ScopeRow, error) {
	rows, err := r.c.q.ScopesOfSession(bg(), session)
	return each(rows, err, scopeOf)
}

func (t *tx) OpenScopesOf(session string) ([]queue.ScopeRow, error) {
	if !t.w.mem.scoped {
		return nil, nil
	}
	return t.reader.OpenScopesOf(session)
}

func (r *reader) ScopesHeld(principal string) (int64, error) {
	return r.c.q.ScopesHeld(bg(), principal)
}

func (r *reader) TransactionsHeld(principal string, limit int64) ([]queue.TransactionRow, error) {
	rows, err := r.c.q.TransactionsHeld(bg(), db.TransactionsHeldParams{Principal: principal, N: limit})
	return each(rows, err, transactionOf)
}

// downFrom is the number below which a page that goes down begins.
func downFrom(before int64) int64 {
	if before == 0 {
		return math.MaxInt64
	}
	return before
}

func (r *reader) Scopes(q queue.QCleanups) ([]queue.ScopeRow, bool, error) {
	var rows []db.Scope
	var err error
	if q.Open {
		rows, err = r.c.q.OpenScopes(bg(), db.OpenScopesParams{Num: downFrom(q.Before), N: q.Limit + 1})
	} else {
		rows, err = r.c.q.Scopes(bg(), db.ScopesParams{Num: downFrom(q.Before), N: q.Limit + 1})
	}
	list, err := each(rows, err, scopeOf)
	return page(list, err, q.Limit)
}

func (r *reader) Transaction(id string) (*queue.TransactionRow, error) {
	row, err := r.c.q.TransactionByID(bg(), id)
	return found(row, err, transactionOf)
}

func (r *reader) TransactionPrefix(prefix string) ([]string, error) {
	return r.c.q.TransactionPrefix(bg(), db.TransactionPrefixParams{ID: prefix, ID_2: prefix + "\x7f"})
}

func (r *reader) TransactionOf(principal, hostID string) (*queue.TransactionRow, error) {
	row, err := r.c.q.TransactionOfHost(bg(), db.TransactionOfHostParams{Principal: principal, HostID: hostID})
	return found(row, err, transactionOf)
}

func (r *reader) Transactions(q queue.QTransactions) ([]queue.TransactionRow, bool, error) {
	var rows []db.Transaction
	var err error
	if q.Open {
		rows, err = r.c.q.OpenTransactions(bg(), db.OpenTransactionsParams{Num: downFrom(q.Before), N: q.Limit + 1})
	} else {
		rows, err = r.c.q.Transactions(bg(), db.TransactionsParams{Num: downFrom(q.Before), N: q.Limit + 1})
	}
	list, err := each(rows, err, transactionOf)
	return page(list, err, q.Limit)
}

func (t *tx) InsertPolicy(p *queue.PolicyRow) error {
	if err := t.change(); err != nil {
		return err
	}
	num, err := t.c.q.InsertPolicy(bg(), db.InsertPolicyParams{ID: p.ID, Kind: p.Kind, Target: p.Target, Mode: string(p.Mode),
		Document: p.Document, AttachedAt: p.AttachedAt, AttachedBy: p.AttachedBy})
	if err != nil {
		return t.broke(fmt.Errorf("keep a policy: %w", err))
	}
	p.Num = num
	return t.reloadPolicies()
}

func (t *tx) DetachPolicy(id string, at int64, by string) error {
	if err := t.change(); err != nil {
		return err
	}
	n, err := t.c.q.DetachPolicy(bg(), db.DetachPolicyParams{DetachedAt: at, DetachedBy: by, ID: id})
	if err := one(n, err, "detach a policy"); err != nil {
		return t.broke(err)
	}
	return t.reloadPolicies()
}

func (t *tx) reloadPolicies() error {
	rows, err := t.reader.Policies()
	if err != nil {
		return t.broke(err)
	}
	t.w.mem.policies = rows
	return nil
}

func (t *tx) PutStated(s *queue.Stated) error {
	if err := t.change(); err != nil {
		return err
	}
	err := t.c.q.PutStated(bg(), db.PutStatedParams{Ask: s.Ask, Principal: s.Principal, Declaration: s.Declaration, Component: s.Component,
		Txn: s.Transaction, Operation: s.Operation, Boundary: s.Boundary, Scope: s.Scope, Cleanup: s.Cleanup, Policy: s.Policy,
		Class: s.Class, StatedAt: s.At})
	if err != nil {
		return t.broke(fmt.Errorf("keep what a call states for a policy: %w", err))
	}
	t.w.mem.stated = true
	return nil
}

func (t *tx) InsertScope(s *queue.ScopeRow) error {
	if err := t.change(); err != nil {
		return err
	}
	num, err := t.c.q.InsertScope(bg(), db.InsertScopeParams{ID: s.ID, Principal: s.Principal, Agent: s.Agent, Session: s.Session,
		Component: s.Component, State: string(s.State), IsOpen: flag(s.Open), Document: s.Document, CreatedAt: s.CreatedAt, MovedAt: s.MovedAt})
	if err != nil {
		return t.broke(fmt.Errorf("keep a scope: %w", err))
	}
	s.Num = num
	t.w.mem.scoped = true
	return nil
}

func (t *tx) PutScope(s *queue.ScopeRow) error {
	if err := t.change(); err != nil {
		return err
	}
	n, err := t.c.q.PutScope(bg(), db.PutScopeParams{State: string(s.State), IsOpen: flag(s.Open), Document: s.Document, MovedAt: s.MovedAt, ID: s.ID})
	return t.broke(one(n, err, "keep a scope"))
}

func (t *tx) InsertTransaction(r *queue.TransactionRow) error {
	if err := t.change(); err != nil {
		return err
	}
	num, err := t.c.q.InsertTransaction(bg(), db.InsertTransactionParams{ID: r.ID, Principal: r.Principal, Agent: r.Agent, Session: r.Session,
		HostID: r.HostID, Stage: string(r.Stage), Outcome: string(r.Outcome), IsOpen: flag(r.Open), Document: r.Document,
		CreatedAt: r.CreatedAt, MovedAt: r.MovedAt})
	if err != nil {
		return t.broke(fmt.Errorf("keep a transaction: %w", err))
	}
	r.Num = num
	return nil
}

func (t *tx) PutTransaction(r *queue.TransactionRow) error {
	if err := t.change(); err != nil {
		return err
	}
	n, err := t.c.q.PutTransaction(bg(), db.PutTransactionParams{Stage: string(r.Stage), Outcome: string(r.Outcome), IsOpen: flag(r.Open),
		Document: r.Document, MovedAt: r.MovedAt, ID: r.ID})
	return t.broke(one(n, err, "keep a transaction"))
}

func policyOf(p *db.Policy) queue.PolicyRow {
	return queue.PolicyRow{Num: p.Num, ID: p.ID, Kind: p.Kind, Target: p.Target, Mode: policy.Mode(p.Mode), Document: p.Document,
		AttachedAt: p.AttachedAt, AttachedBy: p.AttachedBy, DetachedAt: p.DetachedAt, DetachedBy: p.DetachedBy}
}

func statedOf(s *db.Stated) queue.Stated {
	return queue.Stated{Ask: s.Ask, Principal: s.Principal, Declaration: s.Declaration, Component: s.Component, Transaction: s.Txn,
		Operation: s.Operation, Boundary: s.Boundary, Scope: s.Scope, Cleanup: s.Cleanup, Policy: s.Policy, Class: s.Class, At: s.StatedAt}
}

func scopeOf(s *db.Scope) queue.ScopeRow {
	return queue.ScopeRow{Num: s.Num, ID: s.ID, Principal: s.Principal, Agent: s.Agent, Session: s.Session, Component: s.Component,
		State: policy.State(s.State), Open: s.IsOpen != 0, Document: s.Document, CreatedAt: s.CreatedAt, MovedAt: s.MovedAt}
}

func transactionOf(r *db.Transaction) queue.TransactionRow {
	return queue.TransactionRow{Num: r.Num, ID: r.ID, Principal: r.Principal, Agent: r.Agent, Session: r.Session, HostID: r.HostID,
		Stage: transaction.Stage(r.Stage), Outcome: transaction.Outcome(r.Outcome), Open: r.IsOpen != 0, Document: r.Document,
		CreatedAt: r.CreatedAt, MovedAt: r.MovedAt}
}
