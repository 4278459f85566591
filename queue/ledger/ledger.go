package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"strings"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/queue"
)

// Event is one document of the chain, as docs/spec names its members.
type Event struct {
	Type         string           `json:"type"`
	Store        string           `json:"store"`
	Seq          int64            `json:"seq"`
	Prev         string           `json:"prev"`
	Act          string           `json:"act"`
	Actor        string           `json:"actor"`
	By           queue.DecidedBy  `json:"by"`
	Ask          string           `json:"ask"`
	ActionDigest digest.Digest    `json:"action_digest"`
	ShownDigest  digest.Digest    `json:"shown_digest"`
	Session      string           `json:"session"`
	Said         digest.Digest    `json:"said_digest"`
	From         string           `json:"from"`
	To           string           `json:"to"`
	Reason       string           `json:"reason"`
	Grant        string           `json:"grant"`
	Attempt      string           `json:"attempt"`
	Number       int64            `json:"attempt_number"`
	Lease        int64            `json:"lease_until"`
	AnswerBy     int64            `json:"answer_by"`
	UseWithinMS  int64            `json:"use_within_ms"`
	NotBefore    int64            `json:"not_before"`
	Freeze       string           `json:"freeze"`
	Left         int64            `json:"grant_left"`
	Until        int64            `json:"grant_until"`
	Exit         queue.ExitStatus `json:"exit_status"`
	Late         bool             `json:"late"`
	Effective    int64            `json:"effective_ms"`
	EditedTo     string           `json:"edited_to"`
	DerivedFrom  string           `json:"derived_from"`
	Replaces     string           `json:"replaces"`
	Effect       string           `json:"effect"`
	EffectKey    string           `json:"effect_key"`
	Evidence     string           `json:"evidence"`
	Count        int64            `json:"count"`
	Bits         string           `json:"bits"`
	Phase        string           `json:"phase"`
	Words        bool             `json:"words"`
	Delivery     string           `json:"delivery"`
	Notice       string           `json:"notice"`
	Kind         string           `json:"kind"`
	ChildSession string           `json:"child_session"`
	Policy       string           `json:"policy"`
	Scope        string           `json:"scope"`
	Cleanup      int64            `json:"cleanup"`
	Transaction  string           `json:"transaction"`
	Outcome      string           `json:"outcome"`
	Class        string           `json:"class"`
}

// Ask is what the events say of one ask. Times are effective Unix ms.
type Ask struct {
	State                queue.State
	Session              string
	Action, Shown        digest.Digest
	FiledSeq             int64 // number of the event that submitted it
	CreatedAt, MovedAt   int64
	AnswerBy, UseWithin  int64
	Decisions            int
	DecidedSeq           int64 // number of the event that decided it
	DecidedAt, NotBefore int64
	Verdict              queue.Verdict
	By                   queue.DecidedBy
	Decider              string
	EditedTo, From       string
	Grant                string
	Attempt              string
}

func (a *Ask) useBy() int64 { return max(a.DecidedAt, a.NotBefore) + a.UseWithin }

// Run is what the events say of one attempt.
type Run struct {
	Ask    string
	Effect string // "" for none
	Number int64
	State  queue.AttemptState
	Exit   queue.ExitStatus // of the first report
	Lease  int64            // at the begin: renewals have no event
}

// Freeze is one freeze.
type Freeze struct {
	Seq, Since int64
	Session    string // "" covers everything
	Lifted     bool
}

func (f *Freeze) covers(session string) bool { return f.Session == "" || f.Session == session }

// Grant is one grant.
type Grant struct {
	Action      digest.Digest
	Session     string
	Left, Until int64
}

// Ledger is the fold of one store's chain so far. What its maps point to is
// never changed, only replaced.
type Ledger struct {
	Seq        int64
	Head       string // hash of the last event
	Now        int64  // its effective time
	Asks       map[string]*Ask
	Runs       map[string]*Run
	Grants     map[string]*Grant
	Effects    map[string]*Effect
	Trees      map[string]string // bits of a session's tree, as its last event says
	Freezes    []Freeze
	Deliveries map[string]*Delivery // by ask
	Edits      int

	Policies     map[string]string // that hold: by id, what they are attached to
	Scopes       map[string]*Scope
	Transactions map[string]*Transaction
	Counts       queue.Counters // without Mandated, Questions, Unknown, Notices, Undelivered and Owed

	// Hasty leaves out whether an event's bytes are canonical, which costs more
	// than all the rest.
	Hasty bool

	store  string
	edited string // the ask of the last event, an edit: the next files the one in its place
}

// New is the ledger of a store without events.
func New() *Ledger {
	return &Ledger{Head: strings.Repeat("0", 64), Asks: map[string]*Ask{}, Runs: map[string]*Run{}, Grants: map[string]*Grant{},
		Effects: map[string]*Effect{}, Trees: map[string]string{}, Deliveries: map[string]*Delivery{},
		Policies: map[string]string{}, Scopes: map[string]*Scope{}, Transactions: map[string]*Transaction{}}
}

// Fork gives a ledger that goes its own way from here.
func (l *Ledger) Fork() *Ledger {
	c := *l
	c.Asks, c.Runs, c.Grants = maps.Clone(l.Asks), maps.Clone(l.Runs), maps.Clone(l.Grants)
	c.Effects, c.Trees = maps.Clone(l.Effects), maps.Clone(l.Trees)
	c.Deliveries = maps.Clone(l.Deliveries)
	c.Policies, c.Scopes, c.Transactions = maps.Clone(l.Policies), maps.Clone(l.Scopes), maps.Clone(l.Transactions)
	c.Freezes = append([]Freeze(nil), l.Freezes...)
	return &c
}

// Follow reads what came after the last event seen, judges it and gives it.
func (l *Ledger) Follow(ctx context.Context, store queue.Store) (news []Event, err error) {
	err = store.View(ctx, func(tx queue.ReadTx) error {
		news, err = l.FollowIn(tx)
		return err
	})
	return news, err
}

// FollowIn is Follow in a view that is open.
func (l *Ledger) FollowIn(tx queue.ReadTx) (news []Event, err error) {
	head, err := tx.Head()
	if err != nil {
		return nil, err
	}
	l.store = head.StoreID
	for {
		page, more, err := tx.Events(queue.QEvents{After: l.Seq, Limit: 500})
		if err != nil {
			return news, err
		}
		for i := range page {
			e, err := l.link(&page[i])
			if err != nil {
				return news, err
			}
			if err := l.step(e); err != nil {
				return news, fmt.Errorf("event %d (%s of ask %s): %w", e.Seq, e.Act, e.Ask, err)
			}
			news = append(news, *e)
		}
		if !more {
			break
		}
	}
	if head.Seq != l.Seq || hex.EncodeToString(head.Hash[:]) != l.Head {
		return news, fmt.Errorf("I7: the head says event %d, the chain ends with %d", head.Seq, l.Seq)
	}
	if l.edited != "" {
		return news, fmt.Errorf("half an edit: ask %s was denied and none is in its place", l.edited)
	}
	return news, l.sameCounters(tx)
}

// link judges one event's place in the chain.
func (l *Ledger) link(s *queue.StoredEvent) (*Event, error) {
	sum := sha256.Sum256(s.Body)
	if hash := hex.EncodeToString(sum[:]); hash != s.Hash {
		return nil, fmt.Errorf("I7: event %d hashes to %s, not to %s", s.Seq, hash, s.Hash)
	}
	if !l.Hasty {
		if canonical, err := digest.Canonical(s.Body, digest.NoLimits()); err != nil || string(canonical) != string(s.Body) {
			return nil, fmt.Errorf("I7: event %d is not canonical JSON: %w", s.Seq, err)
		}
	}
	e := new(Event)
	if err := json.Unmarshal(s.Body, e); err != nil {
		return nil, fmt.Errorf("I7: event %d: %w", s.Seq, err)
	}
	switch {
	case s.Seq != l.Seq+1 || e.Seq != s.Seq:
		return nil, fmt.Errorf("I7: event %d (in itself %d) follows %d", s.Seq, e.Seq, l.Seq)
	case e.Prev != l.Head:
		return nil, fmt.Errorf("I7: event %d does not follow the one before it", s.Seq)
	case e.Store != l.store || e.Type != queue.TypeEvent:
		return nil, fmt.Errorf("I7: event %d is of another store or type", s.Seq)
	case e.Effective < l.Now:
		return nil, fmt.Errorf("event %d is older than the one before it", s.Seq)
	}
	l.Seq, l.Head, l.Now = s.Seq, s.Hash, e.Effective
	return e, nil
}

// holds reports whether a freeze holds for a session; open finds the one of
// exactly this scope.
func (l *Ledger) holds(session string) bool {
	for i := range l.Freezes {
		if f := &l.Freezes[i]; !f.Lifted && f.covers(session) {
			return true
		}
	}
	return false
}

func (l *Ledger) open(scope string) int {
	for i := range l.Freezes {
		if !l.Freezes[i].Lifted && l.Freezes[i].Session == scope {
			return i
		}
	}
	return -1
}

func (l *Ledger) frozenAfter(session string, since int64) bool {
	for i := range l.Freezes {
		if f := &l.Freezes[i]; f.Since >= since && f.covers(session) {
			return true
		}
	}
	return false
}

func (l *Ledger) count(s queue.State, d int64) {
	switch s {
	case queue.StatePending:
		l.Counts.Pending += d
	case queue.StateAllowed:
		l.Counts.Allowed += d
	case queue.StateDenied:
		l.Counts.Denied += d
	case queue.StateExpired:
		l.Counts.Expired += d
	case queue.StateSpent:
		l.Counts.Spent += d
	}
}

func (l *Ledger) sameCounters(tx queue.ReadTx) error {
	c, err := tx.Counters()
	if err != nil {
		return err
	}
	c.Mandated, c.Questions, c.Unknown, c.Notices, c.Undelivered, c.Owed = 0, 0, 0, 0, 0, 0
	if c != l.Counts {
		return fmt.Errorf("I7: the counters are %+v, the events make %+v", c, l.Counts)
	}
	return nil
}
