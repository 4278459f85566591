package sqlite

import (
	"math"

	"nod/queue"
)

// memory is what the writer knows without asking the disk. It is true as long
// as no other connection has committed (PRAGMA data_version, looked at once a
// batch) and is thrown away otherwise, and after a failed commit.
type memory struct {
	facts
	agents   map[string]*count             // pending asks of an agent
	sessions map[string]*queue.Session     // read-only values; nil: known to be absent
	touched  map[string]struct{}           // sessions to write at the commit
	hashes   map[string]map[int64]struct{} // of a session that was looked at: no other is on the disk
	hashed   int                           // how many
	events   []event                       // to write at the commit
	undo     []func()                      // takes the running act's changes of the maps back
}

// facts are copied before each act and put back when it is undone.
type facts struct {
	meta
	changed      bool // meta differs from the disk
	appended     int  // events of this batch
	nextAsk      int64
	nextAttempt  int64 // never later than the first due time; never when nothing is due
	nextDelivery int64
	lastGrant    int64 // no grant with uses left ends later
	lastFreeze   int64 // no freeze began later
	freezes      []queue.FreezeRow
	policies     []queue.PolicyRow // that hold
	stated       bool              // there are calls that state something for a policy
	scoped       bool              // there are scopes
}

type count struct{ pending int64 }

// event is one appended event on its way to the disk.
type event struct {
	queue.StoredEvent
	ask string // under which it is found; "" when its ask's row names it
}

const never = math.MaxInt64

// maxRemembered bounds the maps; they start again when they are full.
const maxRemembered = 4096

// maxHashes bounds the hashes of all sessions but one: about 8 MB.
const maxHashes = 1 << 18

// learn remembers all the hashes of a session.
func (m *memory) learn(session string, set map[int64]struct{}) {
	if m.hashed+len(set) > maxHashes || len(m.hashes) >= maxRemembered {
		clear(m.hashes)
		m.hashed = 0
	}
	m.hashes[session] = set
	m.hashed += len(set)
}

// hold adds to what is remembered of a session. An act that is undone may leave
// a hash behind: that costs a look at the disk, no more.
func (m *memory) hold(session string, hashes ...int64) {
	set, known := m.hashes[session]
	if !known {
		return
	}
	m.hashed -= len(set)
	for _, h := range hashes {
		set[h] = struct{}{}
	}
	m.hashed += len(set)
}

func (w *writer) remember() error {
	m, err := loadMeta(w.c)
	if err != nil {
		return err
	}
	f := facts{meta: *m, nextAsk: never, nextAttempt: never, nextDelivery: never}
	if f.nextAsk, err = optional(w.c.q.NextDueAsk(bg())); err != nil {
		return err
	}
	if f.nextAttempt, err = optional(w.c.q.NextDueAttempt(bg())); err != nil {
		return err
	}
	if f.nextDelivery, err = optional(w.c.q.NextDueDelivery(bg())); err != nil {
		return err
	}
	if f.lastGrant, err = w.c.q.LastGrant(bg()); err != nil {
		return err
	}
	if f.lastFreeze, err = w.c.q.LastFreeze(bg()); err != nil {
		return err
	}
	rows, err := w.c.q.Freezes(bg())
	if f.freezes, err = each(rows, err, freezeOf); err != nil {
		return err
	}
	if err := f.rememberPolicy(w.c); err != nil {
		return err
	}
	w.mem = &memory{
		facts:    f,
		agents:   map[string]*count{},
		sessions: map[string]*queue.Session{},
		touched:  map[string]struct{}{},
		hashes:   map[string]map[int64]struct{}{},
	}
	return nil
}

// count adds d (1 or -1) to what is counted of state s.
func (m *meta) count(s queue.State, kind string, mandated bool, d int64) {
	c := &m.counters
	switch s {
	case queue.StatePending:
		c.Pending += d
		if mandated {
			c.Mandated += d
		}
		if kind == "question" {
			c.Questions += d
		}
	case queue.StateAllowed:
		c.Allowed += d
	case queue.StateDenied:
		c.Denied += d
	case queue.StateExpired:
		c.Expired += d
	case queue.StateSpent:
		c.Spent += d
	}
}

// mark puts key into set and notes how to take it out again.
func (m *memory) mark(set map[string]struct{}, key string) {
	if _, ok := set[key]; !ok {
		set[key] = struct{}{}
		m.undo = append(m.undo, func() { delete(set, key) })
	}
}

func (m *memory) takeBack(f facts) {
	m.facts = f
	m.events = m.events[:f.appended]
	for i := len(m.undo) - 1; i >= 0; i-- {
		m.undo[i]()
	}
	m.undo = m.undo[:0]
}
