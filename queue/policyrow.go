package queue

import (
	"nod/policy"
	"nod/policy/transaction"
)

// Kinds of what a policy is attached to.
const (
	PolicyOfAgent   = "agent"
	PolicyOfSession = "session" // and its child sessions
	PolicyOfRun     = "run"     // one leg of a session: from its start to its end
)

// PolicyRow is an effect policy as an operator attached it; it holds while
// DetachedAt is 0. Of one target there is one that holds.
type PolicyRow struct {
	Num        int64
	ID         string
	Kind       string
	Target     string // an agent's name, a session's id, or a run's
	Mode       policy.Mode
	Document   string // canonical nod.policy/v1
	AttachedAt int64
	AttachedBy string
	DetachedAt int64
	DetachedBy string
}

// Stated is what a call states for an effect policy, or what a commit names.
// Most asks have none.
type Stated struct {
	Ask         string
	Principal   string
	Declaration string // the operator's where there is one, else the caller's; "" for none
	Component   string
	Transaction string // the host's id
	Operation   string
	Boundary    string // of a commit
	Scope       string // of an owed cleanup, with Cleanup, its number from 1
	Cleanup     int64
	Policy      string // that its attempt began under
	Class       string
	At          int64
}

// ScopeRow is the scope of a component as the store keeps it. Open says that it
// lives, or that a failed cleanup of it waits for a person.
type ScopeRow struct {
	Num       int64
	ID        string
	Principal string
	Agent     string
	Session   string // that activated it
	Component string
	State     policy.State
	Open      bool
	Document  string // canonical nod.scope/v1
	CreatedAt int64
	MovedAt   int64
}

// TransactionRow is a transaction as the store keeps it. Open says that it is
// unfinished, diverged, or blocks an artifact.
type TransactionRow struct {
	Num       int64
	ID        string // Nod's
	Principal string
	Agent     string
	Session   string
	HostID    string
	Stage     transaction.Stage
	Outcome   transaction.Outcome
	Open      bool
	Document  string // canonical nod.transaction/v1
	CreatedAt int64
	MovedAt   int64
}

// PolicyReads are what effect policy reads of a store.
type PolicyReads interface {
	// Policies gives the policies that hold, in the order in which they were
	// attached; PoliciesEver those that ever did, newest first.
	Policies() ([]PolicyRow, error)
	PoliciesEver(limit int64) ([]PolicyRow, error)
	Policy(id string) (*PolicyRow, error)

	Stated(ask string) (*Stated, error)
	// Commits gives what commit asks of a principal name this transaction and
	// operation, newest first.
	Commits(principal, transaction, operation string, limit int64) ([]Stated, error)

	Scope(id string) (*ScopeRow, error)
	ScopePrefix(prefix string) ([]string, error) // at most 2 ids
	// ScopeOf gives the newest scope of a principal's component.
	ScopeOf(principal, component string) (*ScopeRow, error)
	OpenScopesOf(session string) ([]ScopeRow, error)
	// ScopesHeld counts the open scopes of a principal, TransactionsHeld gives its
	// open transactions, oldest first.
	ScopesHeld(principal string) (int64, error)
	TransactionsHeld(principal string, limit int64) ([]TransactionRow, error)
	Scopes(q QCleanups) (rows []ScopeRow, more bool, err error)

	Transaction(id string) (*TransactionRow, error)
	TransactionPrefix(prefix string) ([]string, error) // at most 2 ids
	TransactionOf(principal, hostID string) (*TransactionRow, error)
	Transactions(q QTransactions) (rows []TransactionRow, more bool, err error)
}

// PolicyWrites are what effect policy writes.
type PolicyWrites interface {
	// InsertPolicy sets the row's Num.
	InsertPolicy(p *PolicyRow) error
	DetachPolicy(id string, at int64, by string) error
	// PutStated inserts, or writes Policy and Class.
	PutStated(s *Stated) error
	// InsertScope and InsertTransaction set the row's Num. PutScope and
	// PutTransaction write what changes of one.
	InsertScope(s *ScopeRow) error
	PutScope(s *ScopeRow) error
	InsertTransaction(t *TransactionRow) error
	PutTransaction(t *TransactionRow) error
}
