package queue

import (
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/policy"
	"nod/policy/transaction"
)

// AttachPolicy puts a policy into force for an agent, or for a session and its
// children, or for the session's present run alone. The one that was attached
// to the same target is detached. Its facts never change: other facts are
// another policy. Result: PolicySet.
type AttachPolicy struct {
	Agent    string         `json:"agent,omitzero"`
	Session  string         `json:"session,omitzero"` // Nod's session id
	Run      bool           `json:"run,omitzero"`     // of the session: only its present run
	Document jsontext.Value `json:"document"`         // nod.policy/v1, strict JSON
}

// DetachPolicy takes a policy out of force. Result: PolicySet.
type DetachPolicy struct {
	Policy string `json:"policy"` // whole id
}

// OwedCall names the owed cleanup that a submit is the call of.
type OwedCall struct {
	Scope   string `json:"scope"`
	Cleanup int64  `json:"cleanup"` // from 1
}

// ActivateScope begins the life of a component's scope: what its calls register
// is undone when it ends. A component with a failed cleanup that nobody
// acknowledged is refused, and one that lives. It is an act of its session, which
// begins with it where nothing else did. Result: ScopeStands.
type ActivateScope struct {
	Session   string `json:"session"` // the host's session id, not blank: its end recovers the scope
	Component string `json:"component"`
}

// ScopeActivated says how the activation ended. Result: ScopeStands.
type ScopeActivated struct {
	Component string `json:"component"`
	Failed    bool   `json:"failed,omitzero"`
}

// DisposeScope ends a component's life: its cleanups are due, the newest first.
// Disposing again changes nothing. Result: ScopeStands.
type DisposeScope struct {
	Component string `json:"component"`
}

// RecoverScope says that whoever ran the component crashed: it is gone, and a
// cleanup that was invoked is uncertain. Result: ScopeStands.
type RecoverScope struct {
	Component string `json:"component"`
}

// NextCleanup takes the cleanup that is next. A disposer is marked invoked
// before this answers, and is never given again; a compensation is given and
// stays owed: it is submitted as a call (Submit.Owed), which a person allows and
// whose begin marks it. Result: CleanupDue.
type NextCleanup struct {
	Component string `json:"component"`
}

// EndCleanup says how a disposer that was taken ended. Of a compensation only
// failed may be said, while it is owed: nobody will run it. Result: ScopeStands.
type EndCleanup struct {
	Component string              `json:"component"`
	Cleanup   int64               `json:"cleanup"` // from 1
	How       policy.CleanupState `json:"how"`     // done, failed, uncertain
}

// AckCleanup says that a person looked at what a failed cleanup left behind:
// the component may be used again. With GiveUp it also ends the next cleanup of
// a component that is gone, which nobody will run, as failed. Result: ScopeStands.
type AckCleanup struct {
	Scope   string `json:"scope"`   // whole id
	Cleanup int64  `json:"cleanup"` // from 1
	GiveUp  bool   `json:"give_up,omitzero"`
}

// SubmitTransaction reports a transaction that a host is about to make, or asks
// what became of it: the id is bound to the whole request. Result: Transacted.
type SubmitTransaction struct {
	Session string         `json:"session"` // the host's session id, not blank
	Request jsontext.Value `json:"request"` // docs/spec/policy.md §4
	Serves  string         `json:"serves,omitzero"`
}

// StepTransaction reports one step. Result: Transacted.
type StepTransaction struct {
	Transaction string           `json:"transaction"` // the host's id
	Step        transaction.Step `json:"step"`
}

// RecoverTransaction begins to take an unfinished or diverged transaction back.
// Result: Transacted.
type RecoverTransaction struct {
	Transaction string `json:"transaction"` // the host's id
}

// RestoredTransaction ends a recovery with what was seen. Result: Transacted.
type RestoredTransaction struct {
	Transaction string                `json:"transaction"` // the host's id
	Seen        *transaction.Observed `json:"seen,omitempty"`
}

// AckTransaction says that a person looked at what an artifact's failed
// cleanups left behind. Result: Transacted.
type AckTransaction struct {
	Transaction string `json:"transaction"` // Nod's id, whole
	Artifact    string `json:"artifact"`
}

func (AttachPolicy) actName() string        { return "attach_policy" }
func (DetachPolicy) actName() string        { return "detach_policy" }
func (ActivateScope) actName() string       { return "activate_scope" }
func (ScopeActivated) actName() string      { return "scope_activated" }
func (DisposeScope) actName() string        { return "dispose_scope" }
func (RecoverScope) actName() string        { return "recover_scope" }
func (NextCleanup) actName() string         { return "next_cleanup" }
func (EndCleanup) actName() string          { return "end_cleanup" }
func (AckCleanup) actName() string          { return "ack_cleanup" }
func (SubmitTransaction) actName() string   { return "submit_transaction" }
func (StepTransaction) actName() string     { return "step_transaction" }
func (RecoverTransaction) actName() string  { return "recover_transaction" }
func (RestoredTransaction) actName() string { return "restored_transaction" }
func (AckTransaction) actName() string      { return "ack_transaction" }

// PolicySet answers AttachPolicy and DetachPolicy.
type PolicySet struct {
	Policy   string      `json:"policy"`
	Mode     policy.Mode `json:"mode"`
	Kind     string      `json:"kind"` // agent, session, run
	Target   string      `json:"target"`
	Replaced string      `json:"replaced,omitzero"` // the policy that was attached to it
	At       int64       `json:"at"`
}

// ScopeStands answers the acts on a scope.
type ScopeStands struct {
	Scope     string       `json:"scope"`
	Component string       `json:"component"`
	State     policy.State `json:"state"`
	Owed      int64        `json:"owed,omitzero"`     // cleanups that did not begin
	Blocked   []int64      `json:"blocked,omitempty"` // numbers of those that failed and nobody acknowledged
	Over      bool         `json:"over,omitzero"`     // nothing is left to undo
}

// CleanupDue answers NextCleanup. Cleanup is 0 where none is due.
type CleanupDue struct {
	ScopeStands
	Cleanup        int64          `json:"cleanup,omitzero"` // from 1
	Tool           string         `json:"tool,omitzero"`
	Operation      string         `json:"operation,omitzero"`
	Arguments      jsontext.Value `json:"arguments,omitempty"`
	Compensates    bool           `json:"compensates,omitzero"` // submit it as a call; else it is invoked now
	IdempotencyKey string         `json:"idempotency_key,omitzero"`
	Equivalence    string         `json:"observational_equivalence,omitzero"`
}

// Transacted answers the acts on a transaction.
type Transacted struct {
	ID      string             `json:"id"`               // Nod's
	Answer  transaction.Answer `json:"answer,omitzero"`  // of a submit: begun, replay, unfinished
	Record  jsontext.Value     `json:"record"`           // nod.transaction/v1
	Blocked []string           `json:"blocked,omitzero"` // artifacts with a failed cleanup that nobody acknowledged
}

func (PolicySet) resultName() string   { return "policy_set" }
func (ScopeStands) resultName() string { return "scope_stands" }
func (CleanupDue) resultName() string  { return "cleanup_due" }
func (Transacted) resultName() string  { return "transacted" }

// QPolicies reads the policies that hold, or all that ever did. Answer: Policies.
type QPolicies struct {
	Ever  bool  `json:"ever,omitzero"`
	Limit int64 `json:"limit"`
}

// Policies is the answer to QPolicies: what holds as it was attached, what ever
// did with the newest first.
type Policies struct {
	Policies []PolicyView `json:"policies"`
	Now      int64        `json:"now"`
}

// PolicyView is one policy.
type PolicyView struct {
	ID         string         `json:"id"`
	Kind       string         `json:"kind"`
	Target     string         `json:"target"`
	Mode       policy.Mode    `json:"mode"`
	Document   jsontext.Value `json:"document"`
	Digest     digest.Digest  `json:"digest"` // of the document
	AttachedAt int64          `json:"attached_at"`
	AttachedBy string         `json:"attached_by"`
	DetachedAt int64          `json:"detached_at,omitzero"`
	DetachedBy string         `json:"detached_by,omitzero"`
}

// QCleanups reads scopes with what they owe, newest first, before a number (0:
// from the newest). Answer: Cleanups.
type QCleanups struct {
	Open   bool  `json:"open,omitzero"` // only what lives, or waits for a person
	Before int64 `json:"before,omitzero"`
	Limit  int64 `json:"limit"`
}

// Cleanups is the answer to QCleanups.
type Cleanups struct {
	Scopes []ScopeView `json:"scopes"`
	More   bool        `json:"more,omitzero"`
	Now    int64       `json:"now"`
}

// ScopeView is one component's scope.
type ScopeView struct {
	Num       int64         `json:"num"`
	ID        string        `json:"id"`
	Component string        `json:"component"` // the host's text
	Agent     string        `json:"agent"`
	Session   string        `json:"session"`
	State     policy.State  `json:"state"`
	Due       bool          `json:"due,omitzero"`     // the component is gone, and something is owed
	Blocked   bool          `json:"blocked,omitzero"` // a failed cleanup waits for a person
	Cleanups  []CleanupView `json:"cleanups,omitempty"`
	Digest    digest.Digest `json:"digest"` // of its document
	CreatedAt int64         `json:"created_at"`
	MovedAt   int64         `json:"moved_at"`
}

// CleanupView is one owed act.
type CleanupView struct {
	Number       int64               `json:"number"` // from 1
	Tool         string              `json:"tool"`
	Operation    string              `json:"operation,omitzero"`
	Arguments    jsontext.Value      `json:"arguments"`
	State        policy.CleanupState `json:"state"`
	Compensates  bool                `json:"compensates,omitzero"`
	Equivalence  string              `json:"observational_equivalence,omitzero"`
	Acknowledged bool                `json:"acknowledged,omitzero"`
}

// QTransactions reads transactions, newest first, before a number (0: from the
// newest). Answer: Transactions.
type QTransactions struct {
	Open   bool  `json:"open,omitzero"` // only what is unfinished, diverged or blocks an artifact
	Before int64 `json:"before,omitzero"`
	Limit  int64 `json:"limit"`
}

// Transactions is the answer to QTransactions.
type Transactions struct {
	Transactions []TransactionView `json:"transactions"`
	More         bool              `json:"more,omitzero"`
	Now          int64             `json:"now"`
}

// TransactionView is one transaction.
type TransactionView struct {
	Num       int64               `json:"num"`
	ID        string              `json:"id"`
	HostID    string              `json:"host_id"` // the host's text
	Agent     string              `json:"agent"`
	Session   string              `json:"session"`
	Stage     transaction.Stage   `json:"stage"`
	Outcome   transaction.Outcome `json:"outcome"`
	Blocked   []string            `json:"blocked,omitempty"` // artifacts
	Record    jsontext.Value      `json:"record"`            // nod.transaction/v1
	Digest    digest.Digest       `json:"digest"`            // of the record
	CreatedAt int64               `json:"created_at"`
	MovedAt   int64               `json:"moved_at"`
}

func (QPolicies) queryName() string     { return "policies" }
func (QCleanups) queryName() string     { return "cleanups" }
func (QTransactions) queryName() string { return "transactions" }

func (Policies) answerName() string     { return "policies" }
func (Cleanups) answerName() string     { return "cleanups" }
func (Transactions) answerName() string { return "transactions" }

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
