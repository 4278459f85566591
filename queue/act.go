package queue

import (
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/notice"
)

// Act is a value that asks the queue to change state. Its encoding
// (EncodeAct) is the one that local port, socket, history and tests share.
// Durations are whole milliseconds.
type Act interface{ actName() string }

// Call is what a caller states of an action; principal, environment name and
// machine are the connection's.
type Call struct {
	Tool      string            `json:"tool"`
	Operation string            `json:"operation,omitzero"`
	Arguments jsontext.Value    `json:"arguments"`
	Cwd       string            `json:"cwd,omitzero"`
	Vars      map[string]string `json:"vars,omitempty"`
	Effect    *Effect           `json:"effect,omitempty"`
	Operands  []Operand         `json:"operands,omitempty"` // any order; the queue sorts them
	Lifted    []string          `json:"lifted,omitempty"`
}

// Effect is a caller's statement on the effect; it may only raise.
type Effect struct {
	ID             jsontext.Value `json:"effect_id,omitempty"` // a text or whole number that repeats share; where the tool's descriptor names effects, that beats it
	Class          string         `json:"class,omitzero"`
	Access         string         `json:"access,omitzero"`
	CommitBoundary string         `json:"commit_boundary,omitzero"`
}

// Operand is a thing the action reads by reference, with its digest.
type Operand struct {
	Name   string        `json:"name"`
	Digest digest.Digest `json:"digest"`
}

// Question is what a question ask wants answered.
type Question struct {
	Text   string         `json:"text"`
	Schema jsontext.Value `json:"schema"`
}

// Submit files an ask, finds the one its call key already names, or adopts
// one nobody waits for. Result: Submitted.
type Submit struct {
	Kind       string    `json:"kind"`             // call, question, commit
	Session    string    `json:"session"`          // the host's session id, not blank
	Parent     string    `json:"parent,omitzero"`  // the host's id of the parent session
	CallID     string    `json:"call_id,omitzero"` // the host's id of this call; "" is never a repeat
	Call       *Call     `json:"call,omitempty"`   // call and commit
	Question   *Question `json:"question,omitempty"`
	AgentWords string    `json:"agent_words,omitzero"`
	Raise      []string  `json:"raise,omitempty"`       // cross_boundary, irreversible, requires_real_approval
	AnswerInMS int64     `json:"answer_in_ms,omitzero"` // shortens the time to answer
	UseInMS    int64     `json:"use_in_ms,omitzero"`    // shortens the time to use
	HostRuns   bool      `json:"host_runs,omitzero"`    // a host executes: not frozen after the check
	Begin      bool      `json:"begin,omitzero"`        // when a rule or grant allows, begin in the same transaction
	Executor   string    `json:"executor,omitzero"`     // recorded with that begin
	NoAdopt    bool      `json:"no_adopt,omitzero"`     // never adopt an earlier ask
	Edits      bool      `json:"edits,omitzero"`        // the requester can run arguments that an operator changed
	Receipts   Stage     `json:"receipts,omitzero"`     // what it will say of an answer: handed_over, acknowledged, or nothing
	WordsMax   int64     `json:"words_max,omitzero"`    // bytes of words, as Spoken gives them, that it can carry with an answer; 0: as many as Nod takes

	// Where an operator attached an effect policy; elsewhere nothing of it is asked.
	Declaration jsontext.Value `json:"declaration,omitempty"`          // of the effect's class, with its metadata (docs/spec/policy.md §2)
	Component   string         `json:"component,omitzero"`             // whose scope owns what takes the effect back
	Transaction string         `json:"transaction,omitzero"`           // the host's id of the transaction that it is part of
	Operation   string         `json:"transaction_operation,omitzero"` // and that transaction's operation
	Owed        *OwedCall      `json:"owed,omitempty"`                 // it is the call of an owed compensation
}

// Decide answers a pending ask. Result: Decided.
type Decide struct {
	Ask          string         `json:"ask"` // whole id
	Verdict      Verdict        `json:"verdict"`
	ActionDigest digest.Digest  `json:"action_digest"`
	ShownDigest  digest.Digest  `json:"shown_digest"`
	Words        string         `json:"words,omitzero"`
	Answer       jsontext.Value `json:"answer,omitempty"`  // questions: valid against the schema
	Confirm      string         `json:"confirm,omitzero"`  // mandated, irreversible, commit: the value typed
	HoldMS       int64          `json:"hold_ms,omitzero"`  // not_before, from now
	DwellMS      int64          `json:"dwell_ms,omitzero"` // how long the card was on screen
	LinesSeen    int64          `json:"lines_seen,omitzero"`
	LinesAll     int64          `json:"lines_all,omitzero"`
}

// DecideBatch gives one answer to several like asks: one kind (call), one
// tool, one environment. Digest is BatchDigest of their shown digests in this
// order: what the one code was typed for. Mandated, irreversible and commit
// asks are never in a batch. Result: BatchDecided, a result for each.
type DecideBatch struct {
	Verdict Verdict       `json:"verdict"` // allow or deny
	Items   []BatchItem   `json:"items"`   // 2 to 64
	Digest  digest.Digest `json:"digest"`
	Words   string        `json:"words,omitzero"`
}

// BatchItem is one ask of a batch, as it was displayed.
type BatchItem struct {
	Ask          string        `json:"ask"`
	ActionDigest digest.Digest `json:"action_digest"`
	ShownDigest  digest.Digest `json:"shown_digest"`
	DwellMS      int64         `json:"dwell_ms,omitzero"`
	LinesSeen    int64         `json:"lines_seen,omitzero"`
	LinesAll     int64         `json:"lines_all,omitzero"`
}

// Edit denies a pending call and asks anew with other arguments, in one
// transaction: the new ask takes over the waiter and the call key and is
// judged by everything again (DESIGN §4). Result: Edited.
type Edit struct {
	Ask          string         `json:"ask"`
	ActionDigest digest.Digest  `json:"action_digest"` // of the original
	ShownDigest  digest.Digest  `json:"shown_digest"`
	Arguments    jsontext.Value `json:"arguments"` // the whole arguments as they shall run, strict JSON
	Words        string         `json:"words,omitzero"`
}

// Snooze keeps a pending ask out of the inbox for a while; 0 wakes it. It
// changes no state and binds nobody. No event. Result: Acked.
type Snooze struct {
	Ask   string `json:"ask"`
	ForMS int64  `json:"for_ms"` // to 24 h; never past 5 min before its deadline
}

// Claim says that an operator looks at a pending ask; 0 lets go. It binds
// nobody. Another's claim is replaced, or let go, only with Over. No event.
// Result: Acked.
type Claim struct {
	Ask   string `json:"ask"`
	ForMS int64  `json:"for_ms"`        // to 1 h
	Over  bool   `json:"over,omitzero"` // take another operator's over
}

// Withdraw takes the requester's own ask back. Result: Moved.
type Withdraw struct {
	Ask   string `json:"ask"`
	Token string `json:"token,omitzero"` // the waiter's; an operator needs none
	Why   string `json:"why,omitzero"`   // a reason code: requester, session_end, host_gone
}

// Revoke takes an allow back before it is spent. Result: Moved.
type Revoke struct {
	Ask    string `json:"ask"`
	Reason string `json:"reason,omitzero"`
}

// Wait renews the waiter's lease and says how the ask stands. No event.
// Result: Standing.
type Wait struct {
	Ask     string `json:"ask"`
	Token   string `json:"token"`
	Release bool   `json:"release,omitzero"` // stop waiting: the next identical call may adopt at once
}

// Adopt takes over an ask that nobody waits for. Result: Submitted.
type Adopt struct {
	Ask          string        `json:"ask"`
	Session      string        `json:"session"`
	ActionDigest digest.Digest `json:"action_digest"`
}

// Begin spends an allowed ask. Action is the complete action (nod.action/v1,
// strict JSON) as it will run. Result: Begun.
type Begin struct {
	Ask      string         `json:"ask"`
	Token    string         `json:"token"`
	Action   jsontext.Value `json:"action"`
	Executor string         `json:"executor"`
	HostRuns bool           `json:"host_runs,omitzero"` // nobody can renew: the long lease
}

// Report says how an attempt's call ended. Result: Reported.
type Report struct {
	Attempt      string         `json:"attempt"`
	Token        string         `json:"token"`
	Exit         ExitStatus     `json:"exit_status,omitzero"`
	Outcome      AttemptState   `json:"effect_outcome,omitzero"` // committed, not_executed, unknown; absent = unknown
	Durable      bool           `json:"durable,omitzero"`        // what says so lasts: it can be looked up by Ref
	ActionDigest digest.Digest  `json:"action_digest,omitzero"`  // when stated, it must be the attempt's
	Observed     jsontext.Value `json:"observed,omitempty"`      // the action the host says it ran, complete
	Ref          string         `json:"ref,omitzero"`            // the tool's own reference, short
	CameBack     string         `json:"came_back,omitzero"`      // what the call gave back, in a line of at most 1 KiB; for the desk, in no event
	Result       jsontext.Value `json:"result,omitempty"`        // the result, where Nod received it itself; read for the descriptor's not_executed and not kept
}

// Observe files what an observer saw of an attempt's effect. Result: Judged.
type Observe struct {
	Attempt   string        `json:"attempt"`
	Observer  string        `json:"observer"`       // its name in the tool's descriptor
	Outcome   AttemptState  `json:"effect_outcome"` // committed, not_executed, unknown
	Durable   bool          `json:"durable,omitzero"`
	Divergent bool          `json:"divergent,omitzero"` // committed, with other content than was allowed
	Why       string        `json:"why,omitzero"`       // of unknown: a code word, like unavailable
	Observed  digest.Digest `json:"observed,omitzero"`  // of what was seen
	Seen      string        `json:"seen,omitzero"`      // how it was asked and what came, in a line of at most 1 KiB
	Ref       string        `json:"ref,omitzero"`       // the provider's reference
	Allowed   string        `json:"allowed,omitzero"`   // of a divergence: what was allowed, at most 256 KiB
	Content   string        `json:"content,omitzero"`   // and what was seen
}

// Reconcile answers what became of an attempt whose outcome is unknown; with
// Correct, one that was settled already. Only a person says not_executed, and
// only after lease and settle time. Result: Judged.
type Reconcile struct {
	Attempt   string        `json:"attempt"` // whole id
	Outcome   AttemptState  `json:"effect_outcome"`
	Correct   bool          `json:"correct,omitzero"`
	Page      digest.Digest `json:"page"`              // of the desk page that was read
	Reason    string        `json:"reason"`            // not blank
	Evidence  string        `json:"evidence,omitzero"` // what it rests on; not blank unless the outcome is unknown
	Durable   bool          `json:"durable,omitzero"`  // the evidence can be looked up again
	Confirm   string        `json:"confirm,omitzero"`  // not_executed: Desk.Confirm, typed
	DwellMS   int64         `json:"dwell_ms,omitzero"`
	LinesSeen int64         `json:"lines_seen,omitzero"`
	LinesAll  int64         `json:"lines_all,omitzero"`
}

// AckEffect says that a person read what stays open though the outcome is
// known: content that differs, or a possible double. Result: Judged.
type AckEffect struct {
	Effect string        `json:"effect"`
	Page   digest.Digest `json:"page"`
	Reason string        `json:"reason,omitzero"`
}

// OpenEffect opens a distinct effect beside a committed one: its key may begin
// once more, on purpose, on a decision that is younger. Result: Opened.
type OpenEffect struct {
	Effect string        `json:"effect"`
	Page   digest.Digest `json:"page"`
	Reason string        `json:"reason"` // not blank; it is on the next card
}

// Renew extends an attempt's lease. No event. Result: Renewed.
type Renew struct {
	Attempt string `json:"attempt"`
	Token   string `json:"token"`
}

// GrantDigest allows one exact action digest in one session, Times more
// times, until now + ForMS. Result: Granted.
type GrantDigest struct {
	Ask         string        `json:"ask"` // names digest and session
	ShownDigest digest.Digest `json:"shown_digest"`
	Times       int64         `json:"times"`
	ForMS       int64         `json:"for_ms"`
}

// Freeze stops every begin, of everything ("") or of one session. Result:
// Frozen.
type Freeze struct {
	Session string `json:"session,omitzero"` // Nod's session id
	Reason  string `json:"reason,omitzero"`
}

// Unfreeze lifts a freeze; what it covered stays unspendable. Result: Frozen.
type Unfreeze struct {
	Session string `json:"session,omitzero"`
}

// EndSession ends a session and its children and withdraws their asks.
// Result: Ended.
type EndSession struct {
	Session string `json:"session"` // the host's session id
	Why     string `json:"why,omitzero"`
}

// Receipt says that an answer was written to where the agent reads, or that the
// agent's side has it; never before it was. A repeat changes nothing. Result:
// Receipted.
type Receipt struct {
	Ask     string `json:"ask"`
	Token   string `json:"token"`            // the waiter's
	Got     Stage  `json:"got"`              // handed_over, acknowledged
	Refused string `json:"refused,omitzero"` // its words did not go with it: steering.invalid_content, steering.queue_full
	Via     string `json:"via,omitzero"`     // of words that were re-sent: the ask with whose answer, and token, they went
}

// EndLeg says that a leg of work is over, and what was owed to the agent on it.
// Words that did not arrive are announced, once. The session goes on. Result:
// LegEnded.
type EndLeg struct {
	Session  string       `json:"session"` // the host's session id
	Run      string       `json:"run,omitzero"`
	Task     string       `json:"task,omitzero"`
	Cause    notice.Cause `json:"cause"` // leg_end, crashed
	Accounts []Account    `json:"accounts,omitempty"`
}

// Account is what was owed of one family of words. Of the words of answers Nod
// has its own account: one that names its ask is held against it, one that names
// none covers what Nod knows to be owed.
type Account struct {
	Family   notice.Family `json:"family"`        // steer, follow-up
	Kind     notice.Kind   `json:"kind,omitzero"` // approval_feedback, of the family steer
	Ask      string        `json:"ask,omitzero"`  // of approval_feedback
	Owed     int64         `json:"owed"`
	Carried  int64         `json:"carried,omitzero"` // of those owed
	Carry    notice.Carry  `json:"carry,omitzero"`   // of approval_feedback: what the carrier refused
	Returned bool          `json:"returned,omitzero"`
}

// AckDelivery says that an operator read why a delivery is in the inbox. Result:
// Acked.
type AckDelivery struct {
	Ask string `json:"ask"` // whole id
}

// Resend makes the words of an answer owed again: they go with the next answer
// that their session collects. Result: Resending.
type Resend struct {
	Ask string `json:"ask"`
}

// DropWords gives words up that did not arrive. Result: Acked.
type DropWords struct {
	Ask    string `json:"ask"`
	Reason string `json:"reason"` // not_needed, told_elsewhere, mistake
}

// Unasked says that a host ran a call which has no attempt here: something goes
// around the gate. It opens one notice a session. Result: Acked.
type Unasked struct {
	Session string `json:"session"` // the host's session id
	Tool    string `json:"tool"`
}

// AckNotice marks a notice as read. Result: Acked.
type AckNotice struct {
	Notice int64 `json:"notice"`
}

// ConfirmClock says that a forward jump of the clock is right. Result: Acked.
type ConfirmClock struct{}

func (Submit) actName() string       { return "submit" }
func (Decide) actName() string       { return "decide" }
func (DecideBatch) actName() string  { return "decide_batch" }
func (Edit) actName() string         { return "edit" }
func (Snooze) actName() string       { return "snooze" }
func (Claim) actName() string        { return "claim" }
func (Withdraw) actName() string     { return "withdraw" }
func (Revoke) actName() string       { return "revoke" }
func (Wait) actName() string         { return "wait" }
func (Adopt) actName() string        { return "adopt" }
func (Begin) actName() string        { return "begin" }
func (Report) actName() string       { return "report" }
func (Renew) actName() string        { return "renew" }
func (Observe) actName() string      { return "observe" }
func (Reconcile) actName() string    { return "reconcile" }
func (AckEffect) actName() string    { return "ack_effect" }
func (OpenEffect) actName() string   { return "open_effect" }
func (GrantDigest) actName() string  { return "grant" }
func (Freeze) actName() string       { return "freeze" }
func (Unfreeze) actName() string     { return "unfreeze" }
func (EndSession) actName() string   { return "end_session" }
func (Unasked) actName() string      { return "unasked" }
func (Receipt) actName() string      { return "receipt" }
func (EndLeg) actName() string       { return "end_leg" }
func (AckDelivery) actName() string  { return "ack_delivery" }
func (Resend) actName() string       { return "resend" }
func (DropWords) actName() string    { return "drop_words" }
func (AckNotice) actName() string    { return "ack_notice" }
func (ConfirmClock) actName() string { return "confirm_clock" }
