package memory

import (
	"math"
	"slices"
	"strings"

	"nod/queue"
)

func (r *reader) Policies() ([]queue.PolicyRow, error) {
	return some(r.s.Policies, -1, func(p *queue.PolicyRow) bool { return p.DetachedAt == 0 }), nil
}

func (r *reader) PoliciesEver(limit int64) ([]queue.PolicyRow, error) {
	list := slices.Clone(r.s.Policies)
	slices.Reverse(list)
	return some(list, limit, func(*queue.PolicyRow) bool { return true }), nil
}

func (r *reader) Policy(id string) (*queue.PolicyRow, error) {
	_, p := find(r.s.Policies, func(p *queue.PolicyRow) bool { return p.ID == id })
	return copied(p), nil
}

func (r *reader) Stated(ask string) (*queue.Stated, error) {
	_, s := find(r.s.Stated, func(s *queue.Stated) bool { return s.Ask == ask })
	return copied(s), nil
}

func (r *reader) Commits(principal, transaction, operation string, limit int64) ([]queue.Stated, error) {
	list := slices.Clone(r.s.Stated)
	slices.Reverse(list)
	return some(list, limit, func(s *queue.Stated) bool {
		return s.Principal == principal && s.Transaction == transaction && s.Operation == operation && s.Boundary != ""
	}), nil
}

func (r *reader) Scope(id string) (*queue.ScopeRow, error) {
	_, s := find(r.s.Scopes, func(s *queue.ScopeRow) bool { return s.ID == id })
	return copied(s), nil
}

func (r *reader) ScopePrefix(prefix string) ([]string, error) {
	return prefixed(r.s.Scopes, prefix, func(s *queue.ScopeRow) string { return s.ID }), nil
}

// prefixed gives at most two ids that begin so.
func prefixed[T any](list []*T, prefix string, id func(*T) string) (ids []string) {
	for _, v := range list {
		if strings.HasPrefix(id(v), prefix) {
			ids = append(ids, id(v))
		}
	}
	slices.Sort(ids)
	return ids[:min(len(ids), 2)]
}

func (r *reader) ScopeOf(principal, component string) (*queue.ScopeRow, error) {
	for _, s := range slices.Backward(r.s.Scopes) {
		if s.Principal == principal && s.Component == component {
			return copied(s), nil
		}
	}
	return nil, nil
}

func (r *reader) OpenScopesOf(session string) ([]queue.ScopeRow, error) {
	return some(r.s.Scopes, -1, func(s *queue.ScopeRow) bool { return s.Open && s.Session == session }), nil
}

func (r *reader) ScopesHeld(principal string) (n int64, err error) {
	for _, s := range r.s.Scopes {
		if s.Open && s.Principal == principal {
			n++
		}
	}
	return n, nil
}

func (r *reader) TransactionsHeld(principal string, limit int64) ([]queue.TransactionRow, error) {
	return some(r.s.Transactions, limit, func(t *queue.TransactionRow) bool { return t.Open && t.Principal == principal }), nil
}

func (r *reader) Scopes(q queue.QCleanups) ([]queue.ScopeRow, bool, error) {
	rows, more := downward(r.s.Scopes, q.Before, q.Limit, func(s *queue.ScopeRow) (int64, bool) { return s.Num, !q.Open || s.Open })
	return rows, more, nil
}

// downward gives a page of a list by its numbers, the newest first.
func downward[T any](list []*T, before, limit int64, is func(*T) (int64, bool)) ([]T, bool) {
	list = slices.Clone(list)
	slices.Reverse(list)
	if before == 0 {
		before = math.MaxInt64
	}
	rows := some(list, limit+1, func(v *T) bool {
		num, ok := is(v)
		return ok && num < before
	})
	if int64(len(rows)) <= limit {
		return rows, false
	}
	return rows[:limit], true
}

func (r *reader) Transaction(id string) (*queue.TransactionRow, error) {
	_, t := find(r.s.Transactions, func(t *queue.TransactionRow) bool { return t.ID == id })
	return copied(t), nil
}

func (r *reader) TransactionPrefix(prefix string) ([]string, error) {
	return prefixed(r.s.Transactions, prefix, func(t *queue.TransactionRow) string { return t.ID }), nil
}

func (r *reader) TransactionOf(principal, hostID string) (*queue.TransactionRow, error) {
	_, t := find(r.s.Transactions, func(t *queue.TransactionRow) bool { return t.Principal == principal && t.HostID == hostID })
	return copied(t), nil
}

func (r *reader) Transactions(q queue.QTransactions) ([]queue.TransactionRow, bool, error) {
	rows, more := downward(r.s.Transactions, q.Before, q.Limit, func(t *queue.TransactionRow) (int64, bool) { return t.Num, !q.Open || t.Open })
	return rows, more, nil
}

func (t *tx) InsertPolicy(p *queue.PolicyRow) error {
	_, same := find(t.s.Policies, func(o *queue.PolicyRow) bool {
		return o.ID == p.ID || o.DetachedAt == 0 && o.Kind == p.Kind && o.Target == p.Target
	})
	if same != nil {
		return t.broke("keep a policy: %s holds", same.ID)
	}
	p.Num = int64(len(t.s.Policies)) + 1
	t.s.Policies, t.wrote = and(t.s.Policies, copied(p)), true
	return nil
}

func (t *tx) DetachPolicy(id string, at int64, by string) error {
	i, was := find(t.s.Policies, func(p *queue.PolicyRow) bool { return p.ID == id && p.DetachedAt == 0 })
	if was == nil {
		return t.broke("detach a policy: %w", errNoRow)
	}
	c := *was
	c.DetachedAt, c.DetachedBy = at, by
	t.s.Policies, t.wrote = with(t.s.Policies, i, &c), true
	return nil
}

func (t *tx) PutStated(s *queue.Stated) error {
	t.wrote = true
	i, was := find(t.s.Stated, func(o *queue.Stated) bool { return o.Ask == s.Ask })
	if was == nil {
		t.s.Stated = and(t.s.Stated, copied(s))
		return nil
	}
	c := *was
	c.Policy, c.Class = s.Policy, s.Class
	t.s.Stated = with(t.s.Stated, i, &c)
	return nil
}

func (t *tx) InsertScope(s *queue.ScopeRow) error {
	if _, same := find(t.s.Scopes, func(o *queue.ScopeRow) bool { return o.ID == s.ID }); same != nil {
		return t.broke("keep a scope: the id %s is there", s.ID)
	}
	s.Num = int64(len(t.s.Scopes)) + 1
	t.s.Scopes, t.wrote = and(t.s.Scopes, copied(s)), true
	return nil
}

func (t *tx) PutScope(s *queue.ScopeRow) error {
	i, was := find(t.s.Scopes, func(o *queue.ScopeRow) bool { return o.ID == s.ID })
	if was == nil {
		return t.broke("keep a scope: %w", errNoRow)
	}
	c := *was
	c.State, c.Open, c.Document, c.MovedAt = s.State, s.Open, s.Document, s.MovedAt
	t.s.Scopes, t.wrote = with(t.s.Scopes, i, &c), true
	return nil
}

func (t *tx) InsertTransaction(r *queue.TransactionRow) error {
	_, same := find(t.s.Transactions, func(o *queue.TransactionRow) bool {
		return o.ID == r.ID || o.Principal == r.Principal && o.HostID == r.HostID
	})
	if same != nil {
		return t.broke("keep a transaction: %s is there", same.ID)
	}
	r.Num = int64(len(t.s.Transactions)) + 1
	t.s.Transactions, t.wrote = and(t.s.Transactions, copied(r)), true
	return nil
}

func (t *tx) PutTransaction(r *queue.TransactionRow) error {
	i, was := find(t.s.Transactions, func(o *queue.TransactionRow) bool { return o.ID == r.ID })
	if was == nil {
		return t.broke("keep a transaction: %w", errNoRow)
	}
	c := *was
	c.Stage, c.Outcome, c.Open, c.Document, c.MovedAt = r.Stage, r.Outcome, r.Open, r.Document, r.MovedAt
	t.s.Transactions, t.wrote = with(t.s.Transactions, i, &c), true
	return nil
}
