package queue

import (
	"fmt"

	"nod/ambiguity"
	"nod/boundary"
	"nod/notice"
)

// Refusal is the queue's "no": a stable code, one sentence for the operator
// and a hint (DESIGN §10). A refused act leaves only settle's changes.
type Refusal struct {
	Code     string `json:"code"`
	Sentence string `json:"sentence"`
	Hint     string `json:"hint,omitzero"`
	// Who and At say who won a lost race, and when (effective Unix ms).
	Who string `json:"who,omitzero"`
	At  int64  `json:"at,omitzero"`
	// Effect and Ref name what a repeat runs into: Nod's id of the effect, and
	// the first attempt's reference, the tool's own where it gave one.
	Effect string `json:"effect,omitzero"`
	Ref    string `json:"ref,omitzero"`
}

func (r *Refusal) Error() string { return r.Code + ": " + r.Sentence }

// Refusal codes. They are part of the wire and never change meaning.
const (
	CodeBadAct          = "bad_act"     // an act or query that does not read
	CodeNotAllowed      = "not_allowed" // the connection's role may not do this
	CodeBlankTool       = "blank_tool"
	CodeUnknownKind     = "unknown_kind"
	CodeBadInput        = "bad_input"
	CodeUnknownID       = "unknown_id"
	CodeAmbiguousID     = "ambiguous_id"
	CodeShortID         = "short_id"
	CodeWrongDigest     = "wrong_digest" // the digest is not the one shown
	CodeDecided         = "decided_already"
	CodeTooLate         = "too_late"
	CodeKeyReused       = "key_reused"
	CodeNotYours        = "not_yours"
	CodeNotAllowedYet   = "not_allowed_yet" // begin before a decision
	CodeHeld            = "held"            // before its not_before
	CodeSpent           = "spent"
	CodeFrozen          = "frozen"
	CodeDeniedByRule    = "denied_by_rule"
	CodeUnconfirmed     = string(boundary.Unconfirmed)
	CodeUnrecorded      = string(boundary.Unrecorded) // a governed tree could not be written down
	CodeNeedsPerson     = "needs_person"              // a mandated, irreversible or commit ask and no person
	CodeWrongConfirm    = "wrong_confirm"
	CodeBadAnswer       = "bad_answer" // does not meet the question's schema
	CodeQuota           = "quota_exceeded"
	CodeCardTooLarge    = "card_too_large"
	CodeNothingFrozen   = "not_frozen"
	CodeGrantUsed       = "grant_used"
	CodeOperandsChanged = "operands_changed"
	CodeReported        = "reported_already"
	CodeMandateLost     = string(notice.MandateUnreconstructible)
	CodeClamped         = "clamped"           // the clamps of the session let nobody do that
	CodeCompliance      = "compliance_denied" // the operator's compliance denies a capability of the tool
	CodeNoEdits         = "edits_unsupported" // the requester cannot run changed arguments
	CodeUnchanged       = "unchanged"         // an edit that changes nothing
	CodeEffectEdited    = "effect_edited"     // an edit after which the stated effect key would name something else
	CodeUnlike          = "unlike_asks"       // a batch of asks that are not alike
	CodeSnoozedTooLong  = "snoozed_too_long"
	CodeClaimed         = "claimed"         // by another operator
	CodeContentMissing  = "content_missing" // pruned
	CodeContentChanged  = "content_changed" // the store holds other bytes than were filed

	CodeDescriptorChanged = "descriptor_changed" // the operator's text about the tool is another one now

	CodeEffectKey       = ambiguity.CodeKey        // the call's effect cannot be named
	CodeInProgress      = ambiguity.CodeInProgress // the same effect is executing
	CodeAmbiguousEffect = ambiguity.CodeAmbiguous  // nobody knows whether it happened
	CodeDuplicateEffect = ambiguity.CodeDuplicate  // it happened
	CodeStaleDecision   = "stale_decision"         // older than the effect's last reconciliation
	CodeStalePage       = "stale_page"             // evidence came in since the page was read
	CodeReconciled      = "already_reconciled"
	CodeTooSoon         = "too_soon" // lease or settle time is not over
	CodeNothingOpen     = "nothing_open"

	CodeNotCarried = string(notice.InvalidContent) // words that the connection of an ask does not carry
)

func refuse(code, format string, args ...any) *Refusal {
	r := &Refusal{Code: code, Sentence: format}
	if len(args) > 0 {
		r.Sentence = fmt.Sprintf(format, args...)
	}
	return r
}

// orRefusal is err, or else the refusal.
func orRefusal(no *Refusal, err error) error {
	if err == nil && no != nil {
		return no
	}
	return err
}

func (r *Refusal) hint(h string) *Refusal { r.Hint = h; return r }
