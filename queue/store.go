package queue

import (
	"context"
	"time"

	"nod/digest"
)

// Store is the disk that a queue stands on. An engine adds no business rule.
type Store interface {
	// Do runs fn in a savepoint of its own inside a commit that it may share
	// with other callers, and returns after that commit is durable. What fn
	// wrote is kept when fn returns nil or a *Refusal (settle's changes) and
	// undone otherwise. fn may not keep tx. fn is run at most once. When the
	// commit itself fails, every caller of it gets the error and nothing is
	// written.
	Do(ctx context.Context, fn func(tx Tx) error) error
	// View runs fn on one committed snapshot.
	View(ctx context.Context, fn func(tx ReadTx) error) error
	// Watch is Port.Watch. Changes of this process are told at once, those of
	// others by looking every so often.
	Watch(ctx context.Context, every time.Duration) (<-chan int64, error)
}

// ReadTx reads one snapshot. A lookup that finds nothing returns nil, nil.
type ReadTx interface {
	Head() (Head, error)
	Clock() (Clock, error)
	Counters() (Counters, error)
	// Freezes gives the freezes that hold, and FreezeAfter the newest freeze
	// (lifted or not) that covers session and began at or after since.
	Freezes() ([]FreezeRow, error)
	FreezeAfter(session string, since int64) (*FreezeRow, error)

	Ask(id string) (*Row, error)
	AskPrefix(prefix string) ([]string, error) // at most 2 ids
	// AskByCallKey gives the newest ask of a session with that key.
	AskByCallKey(session, key string) (*Row, error)
	// AsksLike gives asks of one session with one action digest, newest first.
	AsksLike(session string, action digest.Digest, limit int64) ([]Row, error)
	PendingPage(q QInbox) (rows []Row, more bool, err error)
	HistoryPage(q QHistory) (rows []Row, more bool, err error)
	// FindPending and FindHistory give a page of what a filter lets through at
	// now: they look at a bounded number of rows and say how far they came. The
	// filter is checked already.
	FindPending(q QInbox, now int64) (Page, error)
	FindHistory(q QHistory, now int64) (Page, error)
	// Answered gives the newest asks of a tool that a person answered, before a
	// sequence number (0: from the newest), of a bounded number looked at.
	Answered(tool string, before, limit int64) ([]Row, error)
	// Briefs shows what statistics read, of at most limit asks: the pending ones,
	// then the others made at or after since. more: there were others. see must
	// not read the store, nor keep what it is shown.
	Briefs(since, limit int64, see func(b *Brief)) (more bool, err error)
	// Waiting counts the pending asks of each session, looking at most at limit.
	Waiting(limit int64) (map[string]int64, error)
	// Mark gives the marks of a pending ask, the zero Mark when it has none.
	// Snoozed counts the asks snoozed beyond now, and says when the first wakes;
	// marked is false when no ask has any mark at all.
	Mark(seq int64) (Mark, error)
	Snoozed(now int64) (n, wakes int64, marked bool, err error)
	// OpenOfSession gives pending and allowed asks of a session.
	OpenOfSession(session string, limit int64) ([]Row, error)
	// PendingOf counts pending asks of an agent (kept, not counted).
	PendingOf(agent string) (int64, error)

	Attempt(id string) (*Attempt, error)
	AttemptsOf(ask string) ([]Attempt, error)
	ExecutingOf(session string) ([]Attempt, error) // host-run attempts still executing

	// EffectByKey gives the effect of a key that counts: one that is executing or
	// unknown, else the newest; never one without a key. OpenOfKey gives the
	// pending and allowed asks that name it, newest first.
	Effect(id string) (*EffectRow, error)
	EffectPrefix(prefix string) ([]string, error) // at most 2 ids
	EffectByKey(key string) (*EffectRow, error)
	// EffectsOfKey gives all effects of a key, in their order; none for "".
	EffectsOfKey(key string) ([]EffectRow, error)
	// EffectOfRef gives an effect of a tool that is known by this reference, other
	// than one.
	EffectOfRef(tool, ref, but string) (*EffectRow, error)
	// EffectAlike gives the newest effect of the same tool and arguments that is
	// not free, other than those of this key.
	EffectAlike(alike digest.Digest, key string) (*EffectRow, error)
	Effects(q QEffects) (rows []EffectRow, more bool, err error)
	AttemptsOfEffect(effect string) ([]Attempt, error) // in the order they began
	Facts(effect string) ([]Fact, error)               // as appended
	Repeats(effect string, limit int64) ([]Repeat, error)
	OpenOfKey(key string, limit int64) ([]Row, error)

	Session(id string) (*Session, error)
	Sessions(limit int64) ([]Session, error) // newest act first
	ChildrenOf(session string) ([]Session, error)
	// TreesOf gives the live sessions of a principal that acted at or after since
	// and whose tree is armed, or that share one, oldest act first. Records gives what was written
	// down for a session, newest first.
	TreesOf(principal string, since int64) ([]Session, error)
	Records(session string, limit int64) ([]Record, error)
	// GrantFor gives the newest grant of an exact call that is not used up or over.
	GrantFor(session string, action digest.Digest, now int64) (*Grant, error)
	Grants(now int64) ([]Grant, error)
	Notices(q QNotices) ([]Notice, error)
	Notice(id int64) (*Notice, error)
	AskBody(seq int64) ([]byte, error)       // the document of an ask; nil when pruned
	Content(d digest.Digest) ([]byte, error) // put by PutContent; nil when pruned
	Events(q QEvents) (events []StoredEvent, more bool, err error)

	// Delivery gives the delivery of an ask by its Seq. OwedOf gives those of a
	// session whose words are owed, oldest first. NoticeOnce gives the notice that
	// was told for a key.
	Delivery(num int64) (*Delivery, error)
	Deliveries(q QDeliveries) (rows []Delivery, more bool, err error)
	OwedOf(session string, limit int64) ([]Delivery, error)
	NoticeOnce(key string) (*Notice, error)

	// DueAsks gives at most limit asks, and DueAttempts attempts, whose time
	// has come at now, and DueDeliveries deliveries. All may answer from a remembered next due time.
	DueAsks(now, limit int64) ([]Row, error)
	DueAttempts(now, limit int64) ([]Attempt, error)
	DueDeliveries(now, limit int64) ([]Delivery, error)

	PolicyReads
}

// Page is what FindPending and FindHistory give: rows with their marks, whether
// there may be more, and, then, the key to go on from (its Seq for the history).
type Page struct {
	Rows    []Row
	More    bool
	Reached Key
}

// Tx writes. Counters are kept by the store from the states it is given.
type Tx interface {
	ReadTx
	SetClock(Clock) error
	// AppendEvent writes the next event and moves the head.
	AppendEvent(e StoredEvent) error
	PutContent(d digest.Digest, body []byte) error

	// InsertAsk files a new ask with its document and sets row.Seq. That the
	// disk refuses the row may be told only by Do.
	InsertAsk(row *Row, body []byte) error
	// MoveAsk writes a row's change of state (decision, revoke, lapse, …)
	// when the stored state is still from, both digests are row's and, from
	// pending to a decision, now < answer_by; false when one is not.
	MoveAsk(row *Row, from State, now int64) (bool, error)
	// SetWaiter writes WaiterHash and WaiterUntil; with CallKey when key is
	// not "" (adoption by a later call).
	SetWaiter(id, hash string, until int64, key string) error

	// PutMark writes an ask's marks; the zero Mark takes them away. MoveAsk takes
	// away those of an ask that is pending no more.
	PutMark(seq int64, m Mark) error

	InsertAttempt(a *Attempt) error
	// MoveAttempt writes a's state, exit, observation and lease when the
	// stored state is still from.
	MoveAttempt(a *Attempt, from AttemptState) (bool, error)
	// InsertEffect files a new effect and sets its Num. PutEffect writes what
	// changes of it.
	InsertEffect(e *EffectRow) error
	PutEffect(e *EffectRow) error
	InsertFact(f *Fact) error
	// AddRepeat counts one refused call more of a session.
	AddRepeat(r *Repeat) error

	// PutSession inserts or updates.
	PutSession(s *Session) error
	// InsertRecord writes a record in a savepoint of its own: an error leaves the
	// act as it was before, and the act may go on. Where the store cannot go on
	// Do fails, whatever the act says.
	InsertRecord(r *Record) error
	InsertGrant(g *Grant) error
	UseGrant(id string) error // one less
	InsertFreeze(f *FreezeRow) error
	LiftFreeze(id, at int64) error
	InsertNotice(n *Notice) error
	// PutDelivery inserts or updates; of one that is there ask, session, receipts
	// and the time of the decision stay.
	PutDelivery(d *Delivery) error
	AckNotice(id, at int64, by string) error

	PolicyWrites
}
