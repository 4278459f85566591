package queue

import (
	"github.com/go-json-experiment/json/jsontext"

	"nod/ambiguity"
	"nod/digest"
)

// Result is what an act gives back. Times are effective Unix milliseconds.
type Result interface{ resultName() string }

// Submitted answers Submit and Adopt.
type Submitted struct {
	Ask          string         `json:"ask"`
	State        State          `json:"state"`
	ActionDigest digest.Digest  `json:"action_digest"`
	ShownDigest  digest.Digest  `json:"shown_digest"`
	Action       jsontext.Value `json:"action,omitempty"` // complete; send it back at begin
	Token        string         `json:"token"`            // the waiter's
	AnswerBy     int64          `json:"answer_by"`
	Repeat       bool           `json:"repeat,omitzero"` // the call key named an ask that was there
	Adopted      bool           `json:"adopted,omitzero"`
	Decision     *Decision      `json:"decision,omitempty"`
	Begun        *Begun         `json:"begun,omitempty"` // with Submit.Begin, when a rule or grant allowed
	// EditedTo is set when an operator edited the call: all of this is the
	// edited ask's, and this is what it will run.
	EditedTo *EditedCall   `json:"edited_to,omitempty"`
	Resent   []ResentWords `json:"resent,omitempty"` // with a decision: for the agent, each with a receipt
}

// Decision is an answer as it was given.
type Decision struct {
	Verdict   Verdict        `json:"verdict"`
	By        DecidedBy      `json:"by"`
	Who       string         `json:"who"` // the person's, rule's or grant's name
	Way       string         `json:"way"`
	At        int64          `json:"at"`
	NotBefore int64          `json:"not_before,omitzero"`
	UseBy     int64          `json:"use_by,omitzero"` // allow: the last moment to begin
	Words     string         `json:"words,omitzero"`
	Answer    jsontext.Value `json:"answer,omitempty"`
	DwellMS   int64          `json:"dwell_ms,omitzero"`
	LinesSeen int64          `json:"lines_seen,omitzero"`
	LinesAll  int64          `json:"lines_all,omitzero"`
}

// Decided answers Decide.
type Decided struct {
	Ask      string   `json:"ask"`
	State    State    `json:"state"`
	Decision Decision `json:"decision"`
}

// BatchDecided answers DecideBatch: a result for each item, in the act's order.
type BatchDecided struct {
	Results []BatchResult `json:"results"`
}

// BatchResult is what became of one ask of a batch: Decided, or a refusal.
type BatchResult struct {
	Ask      string   `json:"ask"`
	Decided  *Decided `json:"decided,omitempty"`
	Code     string   `json:"code,omitzero"`
	Sentence string   `json:"sentence,omitzero"`
}

// Edited answers Edit: the original is denied, and this ask stands in its place.
type Edited struct {
	Original string        `json:"original"`
	Ask      string        `json:"ask"`
	State    State         `json:"state"` // pending, or denied when a rule denies the new arguments
	Action   digest.Digest `json:"action_digest"`
	Shown    digest.Digest `json:"shown_digest"`
	At       int64         `json:"at"`
}

// Moved answers Withdraw and Revoke.
type Moved struct {
	Ask   string `json:"ask"`
	State State  `json:"state"`
	At    int64  `json:"at"`
}

// Standing answers Wait: how the ask stands now.
type Standing struct {
	Ask      string    `json:"ask"`
	State    State     `json:"state"`
	Decision *Decision `json:"decision,omitempty"`
	AnswerBy int64     `json:"answer_by"`
	Now      int64     `json:"now"`
	// EditedTo is set when an operator edited the call: Ask, State and Decision
	// are the edited ask's, and this is what it will run.
	EditedTo *EditedCall   `json:"edited_to,omitempty"`
	Resent   []ResentWords `json:"resent,omitempty"` // with a decision: for the agent, each with a receipt
}

// EditedCall is the ask that took the place of the one waited for.
type EditedCall struct {
	Ask          string         `json:"ask"`
	ActionDigest digest.Digest  `json:"action_digest"`
	ShownDigest  digest.Digest  `json:"shown_digest"`
	Action       jsontext.Value `json:"action,omitempty"` // complete while it may yet begin; send it back there
	By           string         `json:"by"`
	Words        string         `json:"words,omitzero"` // the editor's, for the agent
}

// Begun answers Begin.
type Begun struct {
	Ask     string `json:"ask"`
	Attempt string `json:"attempt"`
	Number  int64  `json:"number"`
	Token   string `json:"token"` // the attempt's: report and renew need it
	Lease   int64  `json:"lease"` // until
	Words   string `json:"words,omitzero"`
}

// Reported answers Report.
type Reported struct {
	Attempt  string       `json:"attempt"`
	State    AttemptState `json:"state"`
	Mismatch bool         `json:"mismatch,omitzero"` // what ran is not what was approved
	Late     bool         `json:"late,omitzero"`     // the lease was over: evidence, no state change
	Effect   string       `json:"effect,omitzero"`   // where the attempt is of one that is kept
}

// Judged answers Observe, Reconcile and AckEffect: how attempt and effect stand
// with what was just appended.
type Judged struct {
	Effect   string             `json:"effect"`
	Attempt  string             `json:"attempt,omitzero"`
	From     AttemptState       `json:"from,omitzero"` // the attempt's state before
	State    AttemptState       `json:"effect_outcome,omitzero"`
	Standing ambiguity.Standing `json:"standing"`
	Mark     ambiguity.Mark     `json:"mark,omitzero"`
	Open     bool               `json:"open,omitzero"`    // still an item on the desk
	Repeats  string             `json:"repeats,omitzero"` // the code that repeats get now; "" when one may begin
	Ref      string             `json:"ref,omitzero"`
	At       int64              `json:"at"`
}

// Opened answers OpenEffect.
type Opened struct {
	Effect  string `json:"effect"` // the new one's id
	Ordinal int64  `json:"ordinal"`
	At      int64  `json:"at"`
}

// Renewed answers Renew.
type Renewed struct {
	Lease int64 `json:"lease"`
}

// Granted answers GrantDigest.
type Granted struct {
	Grant string `json:"grant"`
	Until int64  `json:"until"`
}

// Frozen answers Freeze and Unfreeze.
type Frozen struct {
	At      int64  `json:"at"`
	Session string `json:"session,omitzero"`
}

// Ended answers EndSession.
type Ended struct {
	Session   string `json:"session"`
	Withdrawn int64  `json:"withdrawn"`
}

// Receipted answers Receipt.
type Receipted struct {
	Ask     string `json:"ask"`
	Stage   Stage  `json:"stage,omitzero"` // absent: no person answered it, so nothing is kept of it
	Changed bool   `json:"changed,omitzero"`
}

// LegEnded answers EndLeg.
type LegEnded struct {
	Session string `json:"session"`
	Notices int64  `json:"notices"` // that it opened
}

// Resending answers Resend.
type Resending struct {
	Ask     string `json:"ask"`
	Session string `json:"session"`
	Ended   bool   `json:"ended,omitzero"` // the session is over: they go when it starts anew
}

// Acked answers AckNotice, AckDelivery, DropWords and ConfirmClock.
type Acked struct{}

func (Submitted) resultName() string    { return "submitted" }
func (Decided) resultName() string      { return "decided" }
func (BatchDecided) resultName() string { return "batch_decided" }
func (Edited) resultName() string       { return "edited" }
func (Moved) resultName() string        { return "moved" }
func (Standing) resultName() string     { return "standing" }
func (Begun) resultName() string        { return "begun" }
func (Reported) resultName() string     { return "reported" }
func (Judged) resultName() string       { return "judged" }
func (Opened) resultName() string       { return "opened" }
func (Renewed) resultName() string      { return "renewed" }
func (Granted) resultName() string      { return "granted" }
func (Frozen) resultName() string       { return "frozen" }
func (Ended) resultName() string        { return "ended" }
func (Receipted) resultName() string    { return "receipted" }
func (LegEnded) resultName() string     { return "leg_ended" }
func (Resending) resultName() string    { return "resending" }
func (Acked) resultName() string        { return "acked" }
