package transaction

import (
	"slices"

	"nod/digest"
)

// Operation is what a transaction does. A closed set.
type Operation string

// Operations. A repair is made by a recovery that finds another runtime than the
// pointer names.
const (
	Activate Operation = "activate"
	Rollback Operation = "rollback"
	Repair   Operation = "repair"
)

func (o Operation) known() bool { return slices.Contains([]Operation{Activate, Rollback, Repair}, o) }

// Mode is where the candidate is to serve. A closed set.
type Mode string

// Target modes.
const (
	Candidate Mode = "candidate"
	Shadow    Mode = "shadow"
	Canary    Mode = "canary"
	Active    Mode = "active"
)

func (m Mode) known() bool { return slices.Contains([]Mode{Candidate, Shadow, Canary, Active}, m) }

// Stage is where a transaction is. A closed set.
type Stage string

// Stages, in order; the last three are off the way.
const (
	Staged         Stage = "staged"
	Applying       Stage = "applying"
	Applied        Stage = "applied"
	Validating     Stage = "validating"
	Validated      Stage = "validated"
	Activating     Stage = "activating"
	Activated      Stage = "activated"
	Draining       Stage = "draining"
	Drained        Stage = "drained"
	CuttingOver    Stage = "cutting_over"
	RuntimeCutover Stage = "runtime_cutover"
	PointerCutover Stage = "pointer_cutover"
	DisposingPrior Stage = "disposing_prior"
	Committed      Stage = "committed"
	Reverting      Stage = "reverting"
	Restored       Stage = "restored"
	Failed         Stage = "failed"
)

// Outcome is what is known of a transaction. A closed set.
type Outcome string

// Outcomes of a record. Diverged is one of which nobody has shown where it stands.
const (
	InProgress Outcome = "in_progress"
	Succeeded  Outcome = "succeeded"
	Undone     Outcome = "failed" // it failed, and what was before is there
	Recovered  Outcome = "recovered"
	Diverged   Outcome = "diverged"
)

// EntryOutcome is what an entry says of its stage. A closed set.
type EntryOutcome string

// Outcomes of an entry.
const (
	EntryStarted   EntryOutcome = "started"
	EntrySucceeded EntryOutcome = "succeeded"
	EntryFailed    EntryOutcome = "failed"
)

// FailureCode is why a stage failed. A closed set: a host's own words stay out.
type FailureCode string

// Failure codes.
const (
	ApplyFailed           FailureCode = "apply_failed"
	ValidationFailed      FailureCode = "validation_failed"
	ActivationFailed      FailureCode = "activation_failed"
	DrainFailed           FailureCode = "drain_failed"
	CutoverFailed         FailureCode = "cutover_failed"
	PointerFailed         FailureCode = "pointer_failed"
	DisposalFailed        FailureCode = "disposal_failed"
	RollbackFailed        FailureCode = "rollback_failed"
	RestoreFailed         FailureCode = "restore_failed"
	EffectPolicyDenied    FailureCode = "effect_policy_denied"
	MetadataFailed        FailureCode = "metadata_failed"
	ObservedStateMismatch FailureCode = "observed_state_mismatch"
)

// Codes of a refusal. They are part of the wire.
const (
	CodeID             = "bad_transaction_id"
	CodeRequest        = "bad_transaction_request"
	CodeReused         = "key_reused" // the id is bound to another request
	CodeStep           = "bad_transaction_step"
	CodeSequence       = "bad_sequence" // a gap, or another entry than is kept under this number
	CodeOver           = "transaction_over"
	CodeNothingToDo    = "nothing_open"
	CodeUnacknowledged = "cleanup_unacknowledged" // a failed cleanup blocks the artifact
	CodeUnreadable     = "transaction_record_unreadable"
)

func refuse(code, pointer, sentence string) *digest.Error {
	hint := "see docs/spec/policy.md"
	switch code {
	case CodeID:
		hint = "name the transaction with 1 to 160 characters, no control, slash or backslash among them"
	case CodeReused:
		hint = "use a new transaction id for another request"
	case CodeSequence:
		hint = "read the record, and number the next entry by what it holds"
	case CodeOver:
		hint = "begin a new transaction"
	case CodeUnacknowledged:
		hint = "look at what was left behind, then acknowledge the cleanup"
	}
	return &digest.Error{Code: code, Pointer: pointer, Sentence: sentence, Hint: hint}
}
