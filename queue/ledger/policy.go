package ledger

import (
	"errors"
	"fmt"
	"slices"

	"nod/digest"
	"nod/queue"
)

// Scope is what the events say of a component's scope.
type Scope struct {
	State    string
	Cleanups []string      // owed invoked done failed uncertain acknowledged, in the order in which they were owed
	Document digest.Digest // that its last event names
}

// Transaction is what the events say of a transaction.
type Transaction struct {
	Stage    string
	Entries  int64
	Document digest.Digest
}

// deniedByPolicy holds what an event says of a call that an effect policy refused.
func deniedByPolicy(e *Event) error {
	codes := []string{"effect_metadata_required", "reversible_disposer_required", "compensation_metadata_required",
		"component_scope_required", "irreversible_effect_requires_commit"}
	classes := []string{"undeclared", "reversible", "compensatable", "irreversible"}
	if e.Outcome != "denied" || e.Phase != "error" || !slices.Contains(codes, e.Reason) || !slices.Contains(classes, e.Class) || e.Attempt != "" {
		return fmt.Errorf("refused by a policy as %q, %q, %q, %q", e.Outcome, e.Phase, e.Reason, e.Class)
	}
	return nil
}

// attached holds that one policy of a target holds, and is detached once.
func (l *Ledger) attached(e *Event) error {
	if e.Act == "policy_detach" {
		if _, holds := l.Policies[e.Policy]; !holds {
			return errors.New("detaches a policy that does not hold")
		}
		delete(l.Policies, e.Policy)
		return nil
	}
	if _, holds := l.Policies[e.Policy]; holds || e.Policy == "" || !e.Said.Valid() {
		return errors.New("attaches a policy that has no id or document of its own")
	}
	if e.Replaces != "" {
		if l.Policies[e.Replaces] != e.To+" "+e.Session {
			return errors.New("replaces a policy of another target")
		}
		delete(l.Policies, e.Replaces)
	}
	l.Policies[e.Policy] = e.To + " " + e.Session
	return nil
}

// scope holds the life of a scope: cleanups begin the newest first, one at a
// time, each once.
func (l *Ledger) scope(e *Event) error {
	s := Scope{}
	if was := l.Scopes[e.Scope]; was != nil {
		s = *was
		s.Cleanups = slices.Clone(s.Cleanups)
	}
	if e.From != s.State || e.Scope == "" || !e.Said.Valid() {
		return fmt.Errorf("I7: the scope leaves %q, but is %q", e.From, s.State)
	}
	at, number := "", int(e.Cleanup)-1
	if number >= 0 && number < len(s.Cleanups) {
		at = s.Cleanups[number]
	}
	lives := s.State == "loading" || s.State == "active"
	next := s.State == "unloading" && !slices.Contains(s.Cleanups, "invoked") && at == "owed" && !slices.Contains(s.Cleanups[max(number, 0)+1:], "owed")
	ok := false
	switch e.Act {
	case "scope_activate":
		ok = s.State == "" && e.To == "loading"
	case "scope_activated":
		ok = s.State == "loading"
	case "scope_dispose":
		ok = s.State == "active"
	case "scope_recover":
		ok = lives || s.State == "unloading"
		for i := range s.Cleanups {
			if s.Cleanups[i] == "invoked" {
				s.Cleanups[i] = "uncertain"
			}
		}
	case "cleanup_owed":
		ok = lives && number == len(s.Cleanups) && e.Attempt != "" && e.To == e.From
		s.Cleanups = append(s.Cleanups, "owed")
	case "cleanup_invoke":
		if ok = next; ok {
			s.Cleanups[number] = "invoked"
		}
	case "cleanup_end":
		if ok = at == "invoked" || next && e.Reason == "failed"; ok {
			s.Cleanups[number] = e.Reason
		}
	case "cleanup_ack":
		if ok = at == "failed" || at == "uncertain" || next && e.Reason == "failed"; ok {
			s.Cleanups[number] = "acknowledged"
		}
	}
	if !ok {
		return fmt.Errorf("%s of cleanup %d in a scope that is %s with %v", e.Act, e.Cleanup, s.State, s.Cleanups)
	}
	open := slices.ContainsFunc(s.Cleanups, func(c string) bool { return c == "owed" || c == "invoked" })
	if (e.To == "inactive" || e.To == "failed") && open {
		return errors.New("the scope ends with cleanups that did not")
	}
	if e.To == "inactive" && slices.ContainsFunc(s.Cleanups, func(c string) bool { return c != "done" }) {
		return errors.New("the scope ends well with a cleanup that did not")
	}
	s.State, s.Document = e.To, e.Said
	l.Scopes[e.Scope] = &s
	return nil
}

func (l *Ledger) transaction(e *Event) error {
	t := Transaction{}
	if was := l.Transactions[e.Transaction]; was != nil {
		t = *was
	}
	if e.From != t.Stage || e.Transaction == "" || !e.Said.Valid() || (e.Act == "transaction") != (t.Stage == "") {
		return fmt.Errorf("I7: the transaction leaves %q, but is %q", e.From, t.Stage)
	}
	grows := e.Count - t.Entries
	if e.Act == "transaction_ack" && (grows != 0 || e.To != e.From) || e.Act != "transaction_ack" && grows < 1 || e.Act == "transaction_step" && grows != 1 {
		return fmt.Errorf("%s adds %d entries", e.Act, grows)
	}
	l.Transactions[e.Transaction] = &Transaction{Stage: e.To, Entries: e.Count, Document: e.Said}
	return nil
}

func (l *Ledger) samePolicies(tx queue.ReadTx) error {
	rows, err := tx.Policies()
	if err != nil {
		return err
	}
	for i := range rows {
		if _, holds := l.Policies[rows[i].ID]; !holds {
			return fmt.Errorf("I7: policy %s holds and no event attached it", rows[i].ID)
		}
	}
	if len(rows) != len(l.Policies) {
		return fmt.Errorf("I7: %d policies hold, the events make %d", len(rows), len(l.Policies))
	}
	return nil
}

func (l *Ledger) sameScopes(tx queue.ReadTx) error {
	seen := 0
	for before, more := int64(0), true; more; {
		rows, next, err := tx.Scopes(queue.QCleanups{Before: before, Limit: 500})
		if err != nil {
			return err
		}
		for i := range rows {
			r, s := &rows[i], l.Scopes[rows[i].ID]
			before = r.Num
			if s == nil || s.State != string(r.State) || s.Document != digest.Of([]byte(r.Document)) {
				return fmt.Errorf("I7: the row of scope %s is %+v, its events make %+v", r.ID, r, s)
			}
			blocks := slices.ContainsFunc(s.Cleanups, func(c string) bool { return c == "failed" || c == "uncertain" })
			if r.Open != (blocks || s.State != "inactive" && s.State != "failed") {
				return fmt.Errorf("I7: scope %s is open: %v, with %v", r.ID, r.Open, s.Cleanups)
			}
		}
		seen += len(rows)
		more = next
	}
	if seen != len(l.Scopes) {
		return fmt.Errorf("I7: the store has %d scopes, the events make %d", seen, len(l.Scopes))
	}
	return nil
}

func (l *Ledger) sameTransactions(tx queue.ReadTx) error {
	seen := 0
	for before, more := int64(0), true; more; {
		rows, next, err := tx.Transactions(queue.QTransactions{Before: before, Limit: 500})
		if err != nil {
			return err
		}
		for i := range rows {
			r, t := &rows[i], l.Transactions[rows[i].ID]
			before = r.Num
			if t == nil || t.Stage != string(r.Stage) || t.Document != digest.Of([]byte(r.Document)) {
				return fmt.Errorf("I7: the row of transaction %s is %+v, its events make %+v", r.ID, r, t)
			}
		}
		seen += len(rows)
		more = next
	}
	if seen != len(l.Transactions) {
		return fmt.Errorf("I7: the store has %d transactions, the events make %d", seen, len(l.Transactions))
	}
	return nil
}
