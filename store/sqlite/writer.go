package sqlite

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"nod/queue"
	"nod/store/sqlite/db"
)

// maxBatch bounds how many acts share one commit, and so how long the first
// of them waits for the last.
const maxBatch = 256

// States of an act between its caller and the writer.
const (
	actQueued int32 = iota
	actTaken
	actLeft // its caller went away before it was taken
)

// act is one caller's function on its way through the writer.
type act struct {
	fn    func(queue.Tx) error
	state atomic.Int32
	done  chan struct{}

	err      error // the answer
	kept     bool  // its changes are in the running transaction
	panicked any
}

// writer owns the one writing connection. Only its goroutine touches it.
type writer struct {
	s       *Store
	c       *conn
	acts    chan *act
	quit    chan struct{}
	stopped chan struct{}

	mem     *memory
	version int64 // data_version for which mem is true
	open    bool  // inside a transaction
	shared  bool  // acts of this transaction may need to be undone alone
	saved   bool  // the running act has a savepoint
	wrote   bool  // somebody has written in this transaction
	lost    error // the transaction is gone: why

	commits, carried atomic.Int64
}

// Do implements queue.Store. When ctx ends before the act was begun it is
// taken out of the queue; once begun it is carried out and answered.
func (s *Store) Do(ctx context.Context, fn func(tx queue.Tx) error) error {
	if s.w == nil {
		return fail(CodeReadonly, "open the store for writing", "the store %s was opened to read only", s.path)
	}
	a := &act{fn: fn, done: make(chan struct{})}
	select {
	case s.w.acts <- a:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.w.quit:
		return s.closedError()
	}
	select {
	case <-a.done:
	case <-ctx.Done():
		if a.state.CompareAndSwap(actQueued, actLeft) {
			return ctx.Err()
		}
		<-a.done
	case <-s.w.stopped:
		select {
		case <-a.done:
		default:
			return s.closedError()
		}
	}
	if a.panicked != nil {
		panic(a.panicked)
	}
	return a.err
}

func (s *Store) closedError() error {
	return fail(CodeClosed, "open it again", "the store %s was closed", s.path)
}

// loop takes what waits, carries it out in one commit, and only then answers.
func (w *writer) loop() {
	defer close(w.stopped)
	batch := make([]*act, 0, maxBatch)
	for {
		batch = batch[:0]
		select {
		case a := <-w.acts:
			batch = append(batch, a)
		case <-w.quit:
			return
		}
		// Callers answered by the last commit are about to ask again: let
		// them run once, so that their acts share this commit.
		runtime.Gosched()
	drain:
		for len(batch) < maxBatch {
			select {
			case a := <-w.acts:
				batch = append(batch, a)
			default:
				break drain
			}
		}
		w.carry(batch)
	}
}

// carry runs a batch and answers it.
func (w *writer) carry(batch []*act) {
	w.lost = nil
	if err := w.begin(batch); err != nil {
		w.lost = err
	}
	w.shared = len(batch) > 1
	for _, a := range batch {
		if !a.state.CompareAndSwap(actQueued, actTaken) {
			continue
		}
		w.carried.Add(1)
		if w.lost == nil {
			w.one(a)
		}
	}
	var head int64
	var news bool
	if w.lost == nil {
		news, w.lost = w.commit()
	}
	if w.lost != nil {
		w.abandon()
	} else {
		head = w.mem.head.Seq
	}
	for _, a := range batch {
		if a.state.Load() != actTaken {
			continue
		}
		if w.lost != nil && (a.kept || a.err == nil) {
			a.err = explain(w.s.path, w.lost)
		}
		close(a.done)
	}
	if news {
		w.s.watchers.tell(head)
	}
}

// one runs a's function and keeps or undoes what it wrote.
func (w *writer) one(a *act) {
	m := w.mem
	before := m.facts
	m.undo = m.undo[:0]
	w.saved = false
	wroteBefore := w.wrote
	t := &tx{reader: reader{c: w.c}, w: w}
	a.err = w.call(a, t)
	var refusal *queue.Refusal
	keep := t.err == nil && a.panicked == nil && (a.err == nil || errors.As(a.err, &refusal))
	if keep {
		a.kept = true
		if w.saved {
			if _, err := w.c.run("RELEASE act"); err != nil {
				w.lost = fmt.Errorf("keep an act: %w", err)
			}
		}
		return
	}
	if t.err != nil && (a.err == nil || errors.As(a.err, &refusal)) {
		a.err = t.err
	}
	a.err = explain(w.s.path, a.err)
	m.takeBack(before)
	switch {
	case w.wrote == wroteBefore && !w.saved: // nothing to undo
	case w.saved:
		if _, err := w.c.run("ROLLBACK TO act"); err != nil {
			w.lost = errors.Join(a.err, err) // the engine gave the whole transaction up
			return
		}
		if _, err := w.c.run("RELEASE act"); err != nil {
			w.lost = err
		}
	default: // alone in its transaction
		w.lost = w.rollback()
		w.wrote = false
	}
}

// call runs fn; a panic inside it is the caller's to have, not the writer's.
func (w *writer) call(a *act, t *tx) error {
	defer func() { a.panicked = recover() }()
	return a.fn(t)
}

// change is called before the first write of an act.
func (t *tx) change() error {
	if t.err != nil {
		return t.err
	}
	w := t.w
	if w.saved || (!w.shared && w.wrote) {
		return nil
	}
	if w.shared {
		if _, err := w.c.run("SAVEPOINT act"); err != nil {
			return t.broke(fmt.Errorf("begin an act: %w", err))
		}
		w.saved = true
	}
	w.wrote = true
	return nil
}

// begin opens a transaction as the only writer and makes sure that what is
// remembered is true. Other processes may hold the lock: it tries again after
// short random waits until the store's patience ends.
func (w *writer) begin(batch []*act) error {
	if err := w.s.same(); err != nil {
		return err
	}
	deadline := time.Now().Add(w.s.opt.Patience)
	for wait := 200 * time.Microsecond; ; wait = min(2*wait, 8*time.Millisecond) {
		_, err := w.c.run("BEGIN IMMEDIATE")
		if err == nil {
			break
		}
		if !busy(err) || time.Now().After(deadline) || !anyWaits(batch) {
			return fmt.Errorf("begin: %w", err)
		}
		time.Sleep(wait/2 + rand.N(wait)) //nolint:gosec // spreads retries
	}
	w.open, w.wrote = true, false
	v, err := w.c.ints("PRAGMA data_version")
	if err != nil || len(v) != 1 {
		return fmt.Errorf("begin: read the data version: %w", err)
	}
	if w.mem == nil || v[0] != w.version {
		if err := w.remember(); err != nil {
			return err
		}
		w.version = v[0]
	}
	if len(w.mem.agents) > maxRemembered {
		clear(w.mem.agents)
	}
	if len(w.mem.sessions) > maxRemembered {
		clear(w.mem.sessions)
	}
	return nil
}

func anyWaits(batch []*act) bool {
	for _, a := range batch {
		if a.state.Load() == actQueued {
			return true
		}
	}
	return false
}

// commit writes what was put off to the end of the batch and makes it durable.
// It reports whether the chain grew.
func (w *writer) commit() (news bool, err error) {
	m := w.mem
	if !w.wrote && !m.changed {
		return false, w.rollback()
	}
	if err := w.writeAgents(); err != nil {
		return false, err
	}
	if err := w.writeSessions(); err != nil {
		return false, err
	}
	if m.changed {
		c := m.counters
		n, err := w.c.run(db.SetMeta, m.head.Seq, hex.EncodeToString(m.head.Hash[:]),
			m.clock.LastEffective, m.clock.OffsetMS, m.clock.HeldSince,
			c.Pending, c.Mandated, c.Questions, c.Allowed, c.Unknown, c.Notices, c.Asks,
			c.Denied, c.Expired, c.Spent)
		if err := one(n, err, "write the head"); err != nil {
			return false, err
		}
	}
	if w.s.beforeCommit != nil {
		if err := w.s.beforeCommit(); err != nil {
			return false, err
		}
	}
	deadline := time.Now().Add(w.s.opt.Patience)
	for {
		_, err := w.c.run("COMMIT")
		if err == nil {
			break
		}
		if !busy(err) || time.Now().After(deadline) {
			return false, fmt.Errorf("commit: %w", err)
		}
		time.Sleep(time.Millisecond + rand.N(4*time.Millisecond)) //nolint:gosec // spreads retries
	}
	w.open = false
	w.commits.Add(1)
	m.changed = false
	clear(m.dirty)
	clear(m.touched)
	return true, nil
}

func (w *writer) writeAgents() error {
	for name := range w.mem.dirty {
		if _, err := w.c.run(db.PutAgent, name, w.mem.agents[name].pending); err != nil {
			return fmt.Errorf("count an agent's asks: %w", err)
		}
	}
	return nil
}

func (w *writer) writeSessions() error {
	for id := range w.mem.touched {
		s := w.mem.sessions[id]
		if _, err := w.c.run(db.PutSession, s.ID, s.HostID, s.Principal, s.Agent, s.Parent,
			s.StartedAt, s.LastAct, s.EndedAt); err != nil {
			return fmt.Errorf("keep a session: %w", err)
		}
	}
	return nil
}

func (w *writer) rollback() error {
	if !w.open {
		return nil
	}
	_, err := w.c.run("ROLLBACK")
	w.open = false
	return err
}

// abandon leaves a failed transaction; nothing that is remembered counts.
func (w *writer) abandon() {
	_ = w.rollback() // the engine may have done it already
	w.mem = nil
}
