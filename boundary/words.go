package boundary

import "nod/digest"

// Bits of a tree, in order. They are the member names of trees and records.
const (
	BitArmed    = "targetExecutionArmed"
	BitObserved = "offTargetReadObserved"
	BitGoverned = "governed"
)

// Legs of a call, in order.
const (
	LegEnv          = "env"
	LegOutsideRead  = "outside_read"
	LegOutsideWrite = "outside_write"
)

// Posture is what the operator's configuration says of who uses the targets.
type Posture string

// Postures. Undeclared is not a word: nothing is configured, the permissive
// reading is in force and an armed tree opens a notice.
const (
	Undeclared  Posture = ""
	SingleUser  Posture = "single_user"
	MultiTenant Posture = "multi_tenant"
)

// ParsePosture reads a configured word. The error is a *digest.Error.
func ParsePosture(word string) (Posture, error) {
	switch p := Posture(word); p {
	case SingleUser, MultiTenant:
		return p, nil
	}
	return MultiTenant, fail(CodeUnknownPosture, "", "the posture is none of single_user, multi_tenant", "use one of the two words")
}

// governs reports whether an armed tree becomes governed. A word outside the
// set is read as the strictest.
func (p Posture) governs() bool { return p != Undeclared && p != SingleUser }

// Phase is the moment at which a record is written.
type Phase string

// Phases of a record.
const (
	Prepare Phase = "prepare" // a session is registered
	Exit    Phase = "exit"    // a call begins
	Suspend Phase = "suspend" // a submit leaves its ask pending
	Settle  Phase = "settle"  // a leg ended
)

// Refusal is why a call does not begin; "" is that it may.
type Refusal string

// Exit refusals.
const (
	Unconfirmed Refusal = "unconfirmed" // mandated, and no person decided
	Unrecorded  Refusal = "unrecorded"  // on a governed tree the record could not be written
)

// RecordType is the type word of a record's entry.
const RecordType = "engine:cross_boundary"

// Codes of this package's errors.
const (
	CodeLegsNotList      = "legs_not_list"
	CodeTargetNotBoolean = "target_not_boolean"
	CodeTreeMalformed    = "tree_malformed"
	CodeUnknownLeg       = "unknown_leg"
	CodeRecordMalformed  = "record_malformed"
	CodeBadDeclaration   = "bad_leg_declaration"
	CodeUnknownPosture   = "unknown_posture"
)

func fail(code, pointer, sentence, hint string) *digest.Error {
	return &digest.Error{Code: code, Pointer: pointer, Sentence: sentence, Hint: hint}
}
