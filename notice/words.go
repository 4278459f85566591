package notice

import "nod/digest"

// Codes of notices.
const (
	PostureUndeclared = "config.cross_boundary_posture_undeclared"
	RecordUnwritten   = "config.cross_boundary_record_unwritten"
	SteerUndrained    = "steering.undrained"
	FollowUpUndrained = "follow_up.undrained"
)

// Audience is who must read a notice. A closed set.
type Audience string

// Operator is the one audience there is.
const Operator Audience = "operator"

// Family is what kind of words a person sent.
type Family string

// Families.
const (
	Steer    Family = "steer"
	FollowUp Family = "follow-up"
)

// Kind tells a row of a family from the family's own.
type Kind string

// ApprovalFeedback is the row of the words that go with an answer, of the family
// steer.
const ApprovalFeedback Kind = "approval_feedback"

// Cause is why words are owed no more.
type Cause string

// Causes.
const (
	LegEnd  Cause = "leg_end" // the leg ended
	Crashed Cause = "crashed" // it died
)

// Carry is what the carrier of approval feedback refused; "" is nothing.
type Carry string

// Carry refusals.
const (
	InvalidContent Carry = "steering.invalid_content"
	QueueFull      Carry = "steering.queue_full"
)

// Phase is the moment at which a record was to be written.
type Phase string

// Phases of a record.
const (
	Prepare Phase = "prepare"
	Exit    Phase = "exit"
	Suspend Phase = "suspend"
	Settle  Phase = "settle"
)

// Codes of this package's errors.
const (
	CodeBadAccount = "bad_account"
	CodeBadDetail  = "bad_notice_detail"
)

func badAccount(sentence string) error {
	return &digest.Error{Code: CodeBadAccount, Sentence: sentence, Hint: "docs/spec/notices.md says what an account is"}
}

func badDetail(member, sentence string) error {
	pointer := ""
	if member != "" {
		pointer = "/" + member
	}
	return &digest.Error{Code: CodeBadDetail, Pointer: pointer, Sentence: sentence, Hint: "docs/spec/notices.md says what a detail holds"}
}
