package queue

import "nod/ambiguity"

// State is an ask's state (DESIGN §4). A closed set; the store checks it too.
type State string

// States of an ask. All but StatePending and StateAllowed are final.
const (
	StatePending   State = "pending"
	StateAllowed   State = "allowed"
	StateDenied    State = "denied"
	StateAnswered  State = "answered"
	StateExpired   State = "expired"
	StateWithdrawn State = "withdrawn"
	StateRevoked   State = "revoked"
	StateLapsed    State = "lapsed"
	StateSpent     State = "spent"
)

// Final reports whether no act leaves s.
func (s State) Final() bool { return s != StatePending && s != StateAllowed }

// Verdict is what a decision says.
type Verdict string

// Verdicts.
const (
	VerdictAllow  Verdict = "allow"
	VerdictDeny   Verdict = "deny"
	VerdictAnswer Verdict = "answer"
)

// state gives the state that v decides to.
func (v Verdict) state() State {
	switch v {
	case VerdictAllow:
		return StateAllowed
	case VerdictAnswer:
		return StateAnswered
	default:
		return StateDenied
	}
}

// DecidedBy says what kind of decider decided.
type DecidedBy string

// Deciders. A grant's or rule's allow is never a person's.
const (
	ByPerson DecidedBy = "person"
	ByRule   DecidedBy = "rule"
	ByGrant  DecidedBy = "grant"
)

// AttemptState is the state of one execution (DESIGN §1, I4).
type AttemptState = ambiguity.State

// States of an attempt.
const (
	AttemptExecuting   = ambiguity.Executing
	AttemptCommitted   = ambiguity.Committed
	AttemptNotExecuted = ambiguity.NotExecuted
	AttemptUnknown     = ambiguity.Unknown
)

// ExitStatus describes the call, not the effect (SEED-TABLES §2).
type ExitStatus = ambiguity.Exit

// Exit statuses.
const (
	ExitSuccess = ambiguity.Success
	ExitFailure = ambiguity.Failure
	ExitTimeout = ambiguity.Timeout
	ExitBlocked = ambiguity.Blocked
)

// Reasons why a person is asked (DESIGN §1).
const (
	ReasonDefault       = "default"
	ReasonRule          = "rule"
	ReasonCrossBoundary = "cross_boundary"
	ReasonIrreversible  = "irreversible"
	ReasonRealApproval  = "requires_real_approval"
	ReasonCommit        = "commit"
	ReasonQuestion      = "question"
	ReasonRuleError     = "rule_error"
	ReasonFrozen        = "frozen"
	ReasonGrant         = "grant"
	ReasonEdited        = "edited"
	ReasonClamped       = "clamped" // the clamps of its session let no rule or grant allow it
	ReasonCompliance    = CodeCompliance
	ReasonDistinct      = "distinct_effect" // an operator opened a second effect of this key
)
