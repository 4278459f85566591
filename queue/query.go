package queue

import (
	"github.com/go-json-experiment/json/jsontext"

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
	After  Key   `json:"after"`
	Before *Key  `json:"before,omitempty"` // page upwards instead; rows still come most urgent first
	Limit  int64 `json:"limit"`            // 1 to 500
}

// Inbox is a page of pending asks with the kept counters.
type Inbox struct {
	Rows     []Row    `json:"rows"`
	More     bool     `json:"more"`
	Counters Counters `json:"counters"`
	Now      int64    `json:"now"` // effective
	Event    int64    `json:"event"`
}

// QHistory reads asks that are not pending, newest first, before a sequence
// number (0: from the newest). Answer: History.
type QHistory struct {
	BeforeSeq int64 `json:"before_seq,omitzero"`
	State     State `json:"state,omitzero"` // only this one
	Limit     int64 `json:"limit"`
}

// History is a page of QHistory.
type History struct {
	Rows []Row `json:"rows"`
	More bool  `json:"more"`
	Now  int64 `json:"now"`
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
	Now      int64          `json:"now"`
}

// AttemptView is one execution.
type AttemptView struct {
	ID       string        `json:"id"`
	Number   int64         `json:"number"`
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
	Sentence string `json:"sentence"` // our own words; data in it is drawn
	At       int64  `json:"at"`
	AckedAt  int64  `json:"acked_at,omitzero"`
	AckedBy  string `json:"acked_by,omitzero"`
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
	Unknown   int64 `json:"unknown"` // attempts with an unknown outcome
	Notices   int64 `json:"notices"` // not acknowledged
	Asks      int64 `json:"asks"`    // ever
	Denied    int64 `json:"denied"`
	Expired   int64 `json:"expired"`
	Spent     int64 `json:"spent"`
}

func (QInbox) queryName() string    { return "inbox" }
func (QHistory) queryName() string  { return "history" }
func (QAsk) queryName() string      { return "ask" }
func (QEvents) queryName() string   { return "events" }
func (QStanding) queryName() string { return "standing" }
func (QStatus) queryName() string   { return "status" }
func (QNotices) queryName() string  { return "notices" }
func (QSessions) queryName() string { return "sessions" }
func (QGrants) queryName() string   { return "grants" }

func (Inbox) answerName() string    { return "inbox" }
func (History) answerName() string  { return "history" }
func (AskView) answerName() string  { return "ask" }
func (Events) answerName() string   { return "events" }
func (Standing) answerName() string { return "standing" }
func (Status) answerName() string   { return "status" }
func (Notices) answerName() string  { return "notices" }
func (Sessions) answerName() string { return "sessions" }
func (Grants) answerName() string   { return "grants" }
