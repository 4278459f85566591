package queue

import (
	"github.com/go-json-experiment/json/jsontext"

	"nod/ambiguity"
	"nod/boundary"
	"nod/digest"
)

// Query asks for committed state; Answer is what comes back. Pages go by key,
// never by offset (DESIGN §9).
type Query interface{ queryName() string }

// Answer is what a query gives back.
type Answer interface{ answerName() string }

// Key is a place in the inbox order: urgency first (small is urgent), then
// the order of arrival. The zero Key is before the first row.
type Key struct {
	Urgency int64 `json:"urgency"`
	Seq     int64 `json:"seq"`
}

// QInbox reads pending asks after a key, most urgent first. Answer: Inbox.
type QInbox struct {
	After  Key    `json:"after"`
	Before *Key   `json:"before,omitempty"` // page upwards instead; rows still come most urgent first
	Limit  int64  `json:"limit"`            // 1 to 500
	Filter Filter `json:"filter,omitzero"`
}

// Filter narrows a page. The zero Filter lets everything through, but what is
// snoozed. Every member that is set must hold; a filter that names a session or
// words finds what is snoozed, too.
type Filter struct {
	// Find is words parted by spaces (U+0020). Each must be found in one of tool,
	// gist, agent, cwd, session or id: its characters in that order, others may
	// stand between. ASCII letters are equal in both cases, every other character
	// only to itself. At most 256 bytes and 16 words.
	Find         string    `json:"find,omitzero"`
	Kind         string    `json:"kind,omitzero"` // call, question, commit
	Tool         string    `json:"tool,omitzero"` // exactly
	Agent        string    `json:"agent,omitzero"`
	Session      string    `json:"session,omitzero"` // Nod's session id
	State        State     `json:"state,omitzero"`   // history only
	Verdict      Verdict   `json:"verdict,omitzero"`
	By           DecidedBy `json:"by,omitzero"` // history: decided by a person, a rule, a grant
	Mandated     bool      `json:"mandated,omitzero"`
	Irreversible bool      `json:"irreversible,omitzero"` // commit too
	Alone        bool      `json:"alone,omitzero"`        // nobody waits for it
	Snoozed      bool      `json:"snoozed,omitzero"`      // inbox: only what is snoozed
	Since        int64     `json:"since,omitzero"`        // created at or after, effective Unix ms
}

// Inbox is a page of pending asks with the kept counters.
type Inbox struct {
	Rows     []Row    `json:"rows"`
	More     bool     `json:"more"`
	Reached  *Key     `json:"reached,omitempty"` // with More: go on from here; a filtered page looks at a bounded number of rows, and may hold none
	Snoozed  int64    `json:"snoozed,omitzero"`  // asks that a snooze keeps out of the unfiltered list
	Wakes    int64    `json:"wakes,omitzero"`    // when the first of them comes back, effective Unix ms: no event tells
	Counters Counters `json:"counters"`
	Now      int64    `json:"now"` // effective
	Event    int64    `json:"event"`
}

// QHistory reads asks that are not pending, newest first, before a sequence
// number (0: from the newest). Answer: History.
type QHistory struct {
	BeforeSeq int64  `json:"before_seq,omitzero"`
	State     State  `json:"state,omitzero"` // only this one
	Limit     int64  `json:"limit"`
	Filter    Filter `json:"filter,omitzero"`
}

// History is a page of QHistory.
type History struct {
	Rows    []Row `json:"rows"`
	More    bool  `json:"more"`
	Reached int64 `json:"reached,omitzero"` // as Inbox.Reached, the BeforeSeq to go on from
	Now     int64 `json:"now"`
}

// QPrecedent reads the newest asks of the same tool that a person answered,
// without the ask itself. Answer: Precedents.
type QPrecedent struct {
	Ask   string `json:"ask"`
	Limit int64  `json:"limit"` // 1 to 20
}

// Precedents is the answer to QPrecedent, newest first. The newest 20,000 asks
// of the history are looked at.
type Precedents struct {
	Before []Precedent `json:"before"`
	Now    int64       `json:"now"`
}

// Precedent is one ask that was answered before. Ask is empty when pruned, and
// where the documents before it come to 4 MiB.
type Precedent struct {
	Row Row            `json:"row"`
	Ask jsontext.Value `json:"ask,omitempty"` // canonical nod.ask/v1
}

// QStats reads what was asked and answered over a span up to now, in Cells
// parts of equal length. Answer: Stats.
type QStats struct {
	SpanMS int64 `json:"span_ms"` // 1 hour to 31 days
	Cells  int64 `json:"cells"`   // 1 to 100
}

// Stats is the answer to QStats. A cell's times are of the answers given in it.
type Stats struct {
	From     int64      `json:"from"`
	CellMS   int64      `json:"cell_ms"`
	Cells    []StatCell `json:"cells"`    // oldest first; the last one ends now
	Outcomes Outcomes   `json:"outcomes"` // of the asks made in the span
	Tools    []ToolStat `json:"tools"`    // most asks first, at most 50
	HalfMS   int64      `json:"half_ms"`  // half of the persons' answers came within this time
	MostMS   int64      `json:"most_ms"`  // and 95 % within this
	Waiting  int64      `json:"waiting"`
	OldestMS int64      `json:"oldest_ms,omitzero"` // age of the oldest pending ask
	Unread   bool       `json:"unread,omitzero"`    // the span holds more than was looked at: every number is "at least"
	Now      int64      `json:"now"`
}

// StatCell is one part of the span.
type StatCell struct {
	Asks    int64 `json:"asks"`
	Answers int64 `json:"answers"` // by persons
	HalfMS  int64 `json:"half_ms,omitzero"`
}

// Outcomes says what became of the asks made in a span.
type Outcomes struct {
	AllowedByPerson int64 `json:"allowed_by_person"` // answered questions too
	AllowedByRule   int64 `json:"allowed_by_rule"`   // grants too
	Denied          int64 `json:"denied"`            // by whomever
	Withdrawn       int64 `json:"withdrawn"`         // withdrawn, revoked or lapsed
	Expired         int64 `json:"expired"`           // no person answered
	Pending         int64 `json:"pending"`
}

// ToolStat is one tool's share. Questions stand under the tool "".
type ToolStat struct {
	Tool   string `json:"tool"`
	Asks   int64  `json:"asks"`
	Denied int64  `json:"denied"`
	HalfMS int64  `json:"half_ms,omitzero"`
}

// QAsk reads one ask whole, by id or by a prefix of at least 4 characters
// that names one only. Answer: AskView.
type QAsk struct {
	ID string `json:"id"`
}

// AskView is one ask, whole. Ask and Card are empty when pruned; both were
// checked against their digests when read.
type AskView struct {
	Row      Row            `json:"row"`
	Ask      jsontext.Value `json:"ask,omitempty"` // canonical nod.ask/v1
	Card     string         `json:"card,omitzero"`
	Decision *Decision      `json:"decision,omitempty"`
	Attempts []AttemptView  `json:"attempts,omitempty"`
	Confirm  string         `json:"confirm,omitzero"` // what an allow must type besides the code; "" for none
	// ConfirmAt is where in the arguments Confirm stands (RFC 6901); "" where it
	// is the tool's name or the boundary id.
	ConfirmAt string `json:"confirm_at,omitzero"`
	// Changed says that this process's descriptor of the tool is not the ask's:
	// an allow is refused (descriptor_changed), and Confirm is "".
	Changed bool `json:"descriptor_changed,omitzero"`
	// Clamps are the cells that hold for its session.
	Clamps []string `json:"clamps,omitempty"`
	// Receipts is what the gateway of this ask says of an answer ("": nothing), and
	// WordsMax how many bytes of words it carries (0: as many as Nod takes).
	Receipts Stage         `json:"receipts,omitzero"`
	WordsMax int64         `json:"words_max,omitzero"`
	Delivery *DeliveryView `json:"delivery,omitempty"` // of a person's answer
	// EffectNow is the effect of this call's key that counts, as it stands: while
	// it is not free, a begin is refused.
	EffectNow *EffectView `json:"effect_now,omitempty"`
	Now       int64       `json:"now"`
}

// AttemptView is one execution.
type AttemptView struct {
	ID       string        `json:"id"`
	Number   int64         `json:"number"`
	Effect   string        `json:"effect,omitzero"` // id of the effect that it is of
	State    AttemptState  `json:"state"`
	Exit     ExitStatus    `json:"exit_status,omitzero"`
	Executor string        `json:"executor"`
	BeganAt  int64         `json:"began_at"`
	EndedAt  int64         `json:"ended_at,omitzero"`
	Lease    int64         `json:"lease"`
	Observed digest.Digest `json:"observed,omitzero"` // digest of what the host says ran
	Mismatch bool          `json:"mismatch,omitzero"`
	Late     bool          `json:"late,omitzero"`
}

// QEffects reads effects, newest first, before a number (0: from the newest).
// Answer: Effects.
type QEffects struct {
	Open   bool  `json:"open,omitzero"` // only items on the desk
	Before int64 `json:"before,omitzero"`
	Limit  int64 `json:"limit"`
}

// Effects is a page of QEffects.
type Effects struct {
	Effects []EffectView `json:"effects"`
	More    bool         `json:"more,omitzero"`
	Now     int64        `json:"now"`
}

// EffectView is one effect as lists show it.
type EffectView struct {
	Num          int64              `json:"num"` // order of arrival, the key of pages
	ID           string             `json:"id"`
	Key          jsontext.Value     `json:"key,omitempty"` // canonical array; absent: none is stated
	Ordinal      int64              `json:"ordinal"`       // 1; more of a distinct effect
	Links        string             `json:"links,omitzero"`
	Tool         string             `json:"tool"`
	Gist         string             `json:"gist,omitzero"` // raw and untrusted
	GistMore     int64              `json:"gist_more,omitzero"`
	Agent        string             `json:"agent"`
	Session      string             `json:"session"`
	Class        string             `json:"class,omitzero"`
	Standing     ambiguity.Standing `json:"standing"`
	Mark         ambiguity.Mark     `json:"mark,omitzero"`
	Double       bool               `json:"possible_double,omitzero"`
	Open         bool               `json:"open,omitzero"`
	Attempts     int64              `json:"attempts"`
	Repeats      int64              `json:"repeats,omitzero"` // refused
	Ref          string             `json:"ref,omitzero"`
	CreatedAt    int64              `json:"created_at"`
	MovedAt      int64              `json:"moved_at"`
	ReconciledAt int64              `json:"reconciled_at,omitzero"`
}

// QEffect reads one effect whole, by id or by a prefix of at least 4
// characters that names one only. Answer: Desk.
type QEffect struct {
	ID string `json:"id"`
}

// Desk is one effect, whole.
type Desk struct {
	Effect   EffectView    `json:"effect"`
	Page     string        `json:"page,omitzero"` // nod desk v1; empty when what was sent is pruned
	Digest   digest.Digest `json:"page_digest,omitzero"`
	Attempts []DeskAttempt `json:"attempts"`
	Facts    []FactView    `json:"facts"` // as appended
	Repeats  []RepeatView  `json:"repeats,omitempty"`
	Waiting  []Row         `json:"waiting,omitempty"` // open asks of the same key
	// Arguments are what the newest attempt was allowed to send.
	Arguments jsontext.Value `json:"arguments,omitempty"`
	Operands  []Operand      `json:"operands,omitempty"` // what it read, before it ran
	Readings  []DeskReading  `json:"readings,omitempty"`
	Provider  *Provider      `json:"provider,omitempty"`
	Observers []ObserverView `json:"observers,omitempty"` // as configured now
	SettledAt int64          `json:"settled_at"`          // from when not_executed may be said of the newest attempt
	Confirm   string         `json:"confirm"`             // what not_executed must type
	Allowed   string         `json:"allowed,omitzero"`    // of the newest divergence: what was allowed
	Content   string         `json:"content,omitzero"`    // and what was seen
	Answers   []AnswerView   `json:"answers"`             // what may be said now, and what it opens
	Now       int64          `json:"now"`
}

// DeskAttempt is one attempt of an effect.
type DeskAttempt struct {
	AttemptView
	Ask         string        `json:"ask"`
	SettledAt   int64         `json:"settled_at"`
	DecidedBy   DecidedBy     `json:"decided_by,omitzero"`
	Decider     string        `json:"decider,omitzero"`
	DecidedAt   int64         `json:"decided_at,omitzero"`
	DwellMS     int64         `json:"dwell_ms,omitzero"`
	LinesSeen   int64         `json:"lines_seen,omitzero"`
	LinesAll    int64         `json:"lines_all,omitzero"`
	ShownDigest digest.Digest `json:"shown_digest"`
}

// FactView is one statement on an effect.
type FactView struct {
	Attempt   string           `json:"attempt,omitzero"`
	At        int64            `json:"at"`
	Kind      ambiguity.Kind   `json:"kind"`
	Source    ambiguity.Source `json:"source"`
	By        string           `json:"by,omitzero"`
	Says      AttemptState     `json:"effect_outcome,omitzero"`
	Durable   bool             `json:"durable,omitzero"`
	Divergent bool             `json:"divergent,omitzero"`
	Late      bool             `json:"late,omitzero"`
	Early     bool             `json:"early,omitzero"` // before the provider's reads count
	Why       string           `json:"why,omitzero"`
	Exit      ExitStatus       `json:"exit_status,omitzero"`
	Observed  digest.Digest    `json:"observed,omitzero"`
	Seen      string           `json:"seen,omitzero"` // untrusted
	Ref       string           `json:"ref,omitzero"`  // untrusted
	Reason    string           `json:"reason,omitzero"`
	Page      digest.Digest    `json:"page,omitzero"`
	Proof     bool             `json:"proof,omitzero"`   // Nod itself holds it
	Allowed   digest.Digest    `json:"allowed,omitzero"` // of the two contents of a divergence
	Content   digest.Digest    `json:"content,omitzero"`
}

// RepeatView is a session whose calls were refused because of the effect.
type RepeatView struct {
	Session string `json:"session"`
	Agent   string `json:"agent"`
	Code    string `json:"code"` // of the last refusal
	Count   int64  `json:"count"`
	First   int64  `json:"first"`
	Last    int64  `json:"last"`
}

// DeskReading is a reading of the descriptor beside the raw value.
type DeskReading struct {
	Pointer string `json:"pointer"`
	Text    string `json:"text"`
}

// Provider is the provider's idempotency contract, as the operator wrote it.
type Provider struct {
	KeyLifetime string `json:"key_lifetime,omitzero"`
	Changed     string `json:"changed,omitzero"`
	Cached      string `json:"cached,omitzero"`
}

// ObserverView is one observer of the tool's descriptor.
type ObserverView struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Auto bool   `json:"auto,omitzero"`
}

// AnswerView is one thing that an operator can do with an effect.
type AnswerView struct {
	Act      string             `json:"act"` // committed, not_executed, unknown, acknowledge, open
	Attempt  string             `json:"attempt,omitzero"`
	Correct  bool               `json:"correct,omitzero"` // it corrects what was settled
	Open     bool               `json:"open"`             // it may be done now
	Why      string             `json:"why,omitzero"`     // why not
	At       int64              `json:"at,omitzero"`      // from when on it may
	Standing ambiguity.Standing `json:"standing,omitzero"`
	Repeats  string             `json:"repeats,omitzero"`
	Unlocks  string             `json:"unlocks"` // one sentence
}

// QStanding is Wait without renewing: what a waiter reads when Watch ticks.
// Answer: Standing.
type QStanding struct {
	Ask   string `json:"ask"`
	Token string `json:"token"`
}

// QEvents reads the chain after an event number, oldest first. Answer: Events.
type QEvents struct {
	After int64  `json:"after"`
	Ask   string `json:"ask,omitzero"` // only this ask's
	Limit int64  `json:"limit"`
}

// Events is a page of the chain.
type Events struct {
	Events []StoredEvent `json:"events"`
	More   bool          `json:"more"`
}

// StoredEvent is one event as written: its canonical bytes (without hash) and
// its hash.
type StoredEvent struct {
	Seq  int64          `json:"seq"`
	Hash string         `json:"hash"` // 64 hex digits
	Body jsontext.Value `json:"body"`
}

// QStatus reads counters, freezes, clock and head. Answer: Status.
type QStatus struct{}

// Status is how the store stands.
type Status struct {
	Counters Counters     `json:"counters"`
	Freezes  []FreezeView `json:"freezes,omitempty"`
	Event    int64        `json:"event"`
	Head     string       `json:"head"` // hash of the newest event, 64 hex digits
	StoreID  string       `json:"store"`
	Now      int64        `json:"now"`
	OffsetMS int64        `json:"offset_ms"` // effective minus wall; not 0: "clock behind"
	Held     bool         `json:"held"`      // settle waits for ConfirmClock
}

// FreezeView is a freeze that holds.
type FreezeView struct {
	Session string `json:"session,omitzero"`
	Since   int64  `json:"since"`
	By      string `json:"by"`
	Reason  string `json:"reason,omitzero"`
}

// QNotices reads notices, newest first. Answer: Notices.
type QNotices struct {
	Open  bool  `json:"open"` // only those not acknowledged
	Limit int64 `json:"limit"`
}

// Notices is a page of QNotices.
type Notices struct {
	Notices []NoticeView `json:"notices"`
}

// NoticeView is something an operator must read.
type NoticeView struct {
	ID       int64  `json:"id"`
	Code     string `json:"code"`
	Ask      string `json:"ask,omitzero"`
	Session  string `json:"session,omitzero"`
	Sentence string `json:"sentence"`       // our own words; data in it is drawn
	Says     *Says  `json:"says,omitempty"` // of codes that docs/spec/notices.md has
	// Detail has the closed members of its code (docs/spec/notices.md).
	Detail  jsontext.Value `json:"detail,omitzero"`
	At      int64          `json:"at"`
	AckedAt int64          `json:"acked_at,omitzero"`
	AckedBy string         `json:"acked_by,omitzero"`
}

// Says is a notice in sentences: a line for a list, what happened, what it
// means, who knows, and the names.
type Says struct {
	Headline string `json:"headline"`
	Happened string `json:"happened"`
	Means    string `json:"means"`
	Knows    string `json:"knows"`
	Ids      string `json:"ids"`
}

// QSessions reads sessions, newest act first. Answer: Sessions.
type QSessions struct {
	Limit int64 `json:"limit"`
}

// Sessions is the answer to QSessions.
type Sessions struct {
	Sessions []SessionView `json:"sessions"`
}

// SessionView is one agent conversation.
type SessionView struct {
	ID      string `json:"id"`   // Nod's
	Host    string `json:"host"` // the host's own id
	Parent  string `json:"parent,omitzero"`
	Agent   string `json:"agent"`
	Started int64  `json:"started"`
	LastAct int64  `json:"last_act"`
	EndedAt int64  `json:"ended_at,omitzero"`
	Waits   int64  `json:"waits,omitzero"`  // its pending asks
	Frozen  bool   `json:"frozen,omitzero"` // by a freeze of this session

	// The tree that it has, by itself or with others: since when each bit is held,
	// 0 for not.
	Tree       string `json:"tree,omitzero"` // Nod's id of the session whose tree it shares
	Armed      int64  `json:"armed,omitzero"`
	Observed   int64  `json:"observed,omitzero"`
	Governed   int64  `json:"governed,omitzero"`
	Target     string `json:"target,omitzero"`     // that armed it
	Unreadable string `json:"unreadable,omitzero"` // why it is read as the strictest

	// What it was registered with, and what it runs under.
	Source    string         `json:"source,omitzero"`
	Declared  jsontext.Value `json:"declared,omitempty"`   // its own level, canonical
	Clamps    []string       `json:"clamps,omitempty"`     // cells that hold, from whatever level
	DenyRules []string       `json:"deny_rules,omitempty"` // names of the rules that clamps deny by
}

// QRecords reads what was written down of one session's tree, newest first.
// Answer: Records.
type QRecords struct {
	Session string `json:"session"` // Nod's id
	Limit   int64  `json:"limit"`
}

// Records is the answer to QRecords.
type Records struct {
	Records []RecordView `json:"records"`
	More    bool         `json:"more"`
}

// RecordView is one record of an armed tree.
type RecordView struct {
	Run        string         `json:"run"`
	Phase      boundary.Phase `json:"phase"`
	Bits       []string       `json:"bits"` // in order; the strictest tree's where it does not read
	Unreadable string         `json:"unreadable,omitzero"`
	At         int64          `json:"at"`
}

// QGrants reads live grants. Answer: Grants.
type QGrants struct{}

// Grants is the answer to QGrants.
type Grants struct {
	Grants []GrantView `json:"grants"`
}

// GrantView is one grant that can still be used.
type GrantView struct {
	ID           string        `json:"id"`
	ActionDigest digest.Digest `json:"action_digest"`
	Session      string        `json:"session"`
	Left         int64         `json:"left"`
	Until        int64         `json:"until"`
	By           string        `json:"by"`
}

// Counters are kept, never counted.
type Counters struct {
	Pending   int64 `json:"pending"`
	Mandated  int64 `json:"mandated"` // of pending: only a person may answer
	Questions int64 `json:"questions"`
	Allowed   int64 `json:"allowed"` // allowed and not yet begun
	Unknown   int64 `json:"unknown"` // effects on the desk: unknown, or known and not acknowledged
	Notices   int64 `json:"notices"` // not acknowledged
	Asks      int64 `json:"asks"`    // ever
	Denied    int64 `json:"denied"`
	Expired   int64 `json:"expired"`
	Spent     int64 `json:"spent"`
	// Undelivered counts answers on their way that an operator must look at, Owed
	// those whose words have not arrived.
	Undelivered int64 `json:"undelivered"`
	Owed        int64 `json:"owed"`
}

func (QInbox) queryName() string      { return "inbox" }
func (QHistory) queryName() string    { return "history" }
func (QAsk) queryName() string        { return "ask" }
func (QEvents) queryName() string     { return "events" }
func (QEffects) queryName() string    { return "effects" }
func (QEffect) queryName() string     { return "effect" }
func (QStanding) queryName() string   { return "standing" }
func (QStatus) queryName() string     { return "status" }
func (QNotices) queryName() string    { return "notices" }
func (QSessions) queryName() string   { return "sessions" }
func (QRecords) queryName() string    { return "records" }
func (QGrants) queryName() string     { return "grants" }
func (QPrecedent) queryName() string  { return "precedent" }
func (QStats) queryName() string      { return "stats" }
func (QDeliveries) queryName() string { return "deliveries" }

func (Inbox) answerName() string      { return "inbox" }
func (History) answerName() string    { return "history" }
func (Effects) answerName() string    { return "effects" }
func (Desk) answerName() string       { return "desk" }
func (AskView) answerName() string    { return "ask" }
func (Events) answerName() string     { return "events" }
func (Standing) answerName() string   { return "standing" }
func (Status) answerName() string     { return "status" }
func (Notices) answerName() string    { return "notices" }
func (Sessions) answerName() string   { return "sessions" }
func (Records) answerName() string    { return "records" }
func (Grants) answerName() string     { return "grants" }
func (Precedents) answerName() string { return "precedent" }
func (Stats) answerName() string      { return "stats" }
func (Deliveries) answerName() string { return "deliveries" }
