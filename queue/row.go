package queue

import (
	"nod/boundary"
	"nod/digest"
)

// Row is an ask as the store keeps it beside its contents: what lists and
// checks need without reading the card. Times are effective Unix ms, 0 for
// not yet.
type Row struct {
	Seq          int64         `json:"seq"` // order of arrival, from 1
	ID           string        `json:"id"`
	Kind         string        `json:"kind"`
	State        State         `json:"state"` // as computed at the answer's Now
	Urgency      int64         `json:"urgency"`
	ActionDigest digest.Digest `json:"action_digest"`
	ShownDigest  digest.Digest `json:"shown_digest"`
	AskDigest    digest.Digest `json:"ask_digest"` // names the ask's bytes in contents
	Session      string        `json:"session"`
	CallKey      string        `json:"-"` // digest over principal, session, call id; "" is never a repeat
	Agent        string        `json:"agent"`
	User         string        `json:"user,omitzero"`
	Host         string        `json:"host,omitzero"`
	Tool         string        `json:"tool,omitzero"`
	Gist         string        `json:"gist,omitzero"`      // first part of the telling argument, raw and untrusted
	GistMore     int64         `json:"gist_more,omitzero"` // bytes of it left out
	Cwd          string        `json:"cwd,omitzero"`
	Reasons      []string      `json:"reasons"`
	Mandated     bool          `json:"mandated,omitzero"`
	Irreversible bool          `json:"irreversible,omitzero"` // also commit: an allow types Confirm
	CreatedAt    int64         `json:"created_at"`
	AnswerBy     int64         `json:"answer_by"`
	UseWithinMS  int64         `json:"use_within_ms"`
	MovedAt      int64         `json:"moved_at"` // last change of state
	Verdict      Verdict       `json:"verdict,omitzero"`
	DecidedBy    DecidedBy     `json:"decided_by,omitzero"`
	Decider      string        `json:"decider,omitzero"`
	DecidedWay   string        `json:"decided_way,omitzero"`
	DecidedAt    int64         `json:"decided_at,omitzero"`
	NotBefore    int64         `json:"not_before,omitzero"`
	Words        string        `json:"words,omitzero"`
	Answer       string        `json:"answer,omitzero"` // JSON
	DwellMS      int64         `json:"dwell_ms,omitzero"`
	LinesSeen    int64         `json:"lines_seen,omitzero"`
	LinesAll     int64         `json:"lines_all,omitzero"`
	WaiterHash   string        `json:"-"` // SHA-256 of the waiter's token, hex
	WaiterUntil  int64         `json:"waiter_until,omitzero"`
	Rule         string        `json:"rule,omitzero"` // rule that ruled on it
	Grant        string        `json:"grant,omitzero"`
	Replaces     string        `json:"replaces,omitzero"`
	RevokeReason string        `json:"revoke_reason,omitzero"`
	Outcome      AttemptState  `json:"outcome,omitzero"` // its attempt's, when begun; none where only the call's end counts
	Exit         ExitStatus    `json:"exit_status,omitzero"`
	Mismatch     bool          `json:"mismatch,omitzero"`
	Edits        bool          `json:"edits,omitzero"`         // its requester can run changed arguments
	EditedTo     string        `json:"edited_to,omitzero"`     // the ask that an edit put in its place
	DerivedFrom  string        `json:"derived_from,omitzero"`  // the ask that it is an edit of
	SnoozedUntil int64         `json:"snoozed_until,omitzero"` // a row of the console, not of the ask
	ClaimedBy    string        `json:"claimed_by,omitzero"`
	ClaimedUntil int64         `json:"claimed_until,omitzero"`
	EffectKey    string        `json:"-"` // of a new ask, for InsertAsk
}

// UseBy is the last moment at which an allowed ask may begin.
func (r *Row) UseBy() int64 { return max(r.DecidedAt, r.NotBefore) + r.UseWithinMS }

// DueAt is when settle must look at r next; 0 for never.
func (r *Row) DueAt() int64 {
	switch r.State {
	case StatePending:
		return r.AnswerBy
	case StateAllowed:
		return r.UseBy()
	default:
		return 0
	}
}

// StateAt is the state that r has at now, also when settle has not come by.
func (r *Row) StateAt(now int64) State {
	if due := r.DueAt(); due == 0 || now < due {
		return r.State
	}
	if r.State == StatePending {
		return StateExpired
	}
	return StateLapsed
}

// Waits reports whether somebody waits for r at now.
func (r *Row) Waits(now int64) bool { return r.WaiterHash != "" && now < r.WaiterUntil }

// Attempt is one execution as the store keeps it.
type Attempt struct {
	ID        string
	AskID     string
	Number    int64
	State     AttemptState
	TokenHash string
	Executor  string
	HostRuns  bool
	Session   string
	BeganAt   int64
	Lease     int64 // until
	LeaseMS   int64 // length, for renewals
	EndedAt   int64
	Exit      ExitStatus
	Observed  digest.Digest
	Mismatch  bool
	Late      bool
	Ref       string
	Desk      bool // its unknown outcome is an item on the desk (effect key, compensatable or irreversible)

	// Of a desk attempt: the effect it is of, and what the descriptor said when it
	// began, so that no later text of the operator's changes what counts.
	Effect   string
	SettleMS int64
	Claims   bool // a success return claims that it happened
	Watched  bool // an observer is configured
}

// Shown is what lists show of an attempt's state: unknown is the word for an
// effect that nobody can prove, never for a call that ended and has none.
func (a *Attempt) Shown() AttemptState {
	if a.Effect == "" && a.State == AttemptUnknown && a.Exit != "" {
		return ""
	}
	return a.State
}

// Session is one agent conversation as the store keeps it.
type Session struct {
	ID        string // derived from principal and host id
	HostID    string
	Principal string // canonical JSON
	Agent     string
	Parent    string // Nod's id
	StartedAt int64
	LastAct   int64
	EndedAt   int64

	// Its tree: Nod's id of the session whose tree it shares, or "" and its own.
	// A bit is held since a time, 0 for not; bits only grow (DESIGN §6).
	Tree       string
	ArmedAt    int64
	ObservedAt int64
	GovernedAt int64
	Target     string // that armed it
	Unreadable string // why it is read as the strictest
	Receipts   Stage  // what its gateway says of answers
	WordsMax   int64  // bytes of words that it carries; 0: as many as Nod takes
	Told       string // what its run has been told of once: words parted by spaces

	Source string // where its host says that it comes from
	Clamps string // its own declaration, canonical JSON; "" for none (see Queue.clamps)
}

// Record is what was written down of an armed tree at one moment of a session.
type Record struct {
	Session string
	Run     string
	Phase   boundary.Phase
	Body    []byte // boundary.WriteRecord
	At      int64
}

// Grant allows one exact action digest in one session.
type Grant struct {
	ID           string
	ActionDigest digest.Digest
	Session      string
	Left         int64
	Until        int64
	By           string
	At           int64
}

// FreezeRow is a freeze, holding while LiftedAt is 0.
type FreezeRow struct {
	ID       int64
	Session  string
	Since    int64
	By       string
	Reason   string
	LiftedAt int64
}

// Notice is something an operator must read.
type Notice struct {
	ID       int64
	Code     string
	Ask      string
	Session  string
	Sentence string
	Detail   string // canonical JSON with the closed members of its code; "" for none
	At       int64
	AckedAt  int64
	AckedBy  string
	Once     string // what it is told once for; "" for any number of times

	// Of undrained words, for their sentences.
	Owed, Carried int64
	Parent        string // the session that has a copy
}

// Clock is what the store keeps of time.
type Clock struct {
	LastEffective int64 // newest effective time written
	OffsetMS      int64 // effective minus wall
	HeldSince     int64 // a forward jump holds settle since then; 0 for no
}

// Head is the end of the event chain.
type Head struct {
	StoreID string
	Seq     int64    // 0: no event yet
	Hash    [32]byte // 32 zero bytes before the first
}
