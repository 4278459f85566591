package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"nod/queue"
	"nod/store/sqlite/db"
)

// maxBatch bounds how many acts share one commit, and so how long the first
// of them waits for the last.
const maxBatch = 256

// States of an act between its caller and the one who writes.
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

// writer is the one writing connection and what is known about it. Whoever
// has the turn uses it, one batch long: a caller that finds it free writes for
// itself and for all that came meanwhile, so that a lone caller pays for no
// other goroutine. Callers wait for their answer or for the turn.
type writer struct {
	s    *Store
	c    *conn
	acts chan *act
	turn chan struct{}

	args    []driver.Value // scratch
	batch   []*act         // scratch
	mem     *memory
	log     checkpointer
	version int64 // data_version for which mem is true
	last    int   // acts in the batch before
	open    bool  // inside a transaction
	first   bool  // the running act finds nothing of another's in the transaction
	saved   bool  // the running act has a savepoint
	wrote   bool  // somebody has written in this transaction
	lost    error // the transaction is gone: why
	dead    bool  // the disk failed to make a commit durable: no act is taken any more

	commits, carried atomic.Int64
}

// Do implements queue.Store. When ctx ends before the act was begun it is
// taken out of the queue; once begun it is carried out and answered. fn may
// run on another caller's goroutine.
func (s *Store) Do(ctx context.Context, fn func(tx queue.Tx) error) error {
	w := s.w
	if w == nil {
		return fail(CodeReadonly, "open the store for writing", "the store %s was opened to read only", s.path)
	}
	a := &act{fn: fn, done: make(chan struct{})}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case w.acts <- a:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closed:
		return s.closedError()
	}
	for {
		select {
		case <-a.done:
			if a.panicked != nil {
				panic(a.panicked)
			}
			return a.err
		default:
		}
		select {
		case <-a.done:
		case w.turn <- struct{}{}:
			w.lead()
		case <-ctx.Done():
			if a.state.CompareAndSwap(actQueued, actLeft) {
				return ctx.Err()
			}
			<-a.done
		case <-s.closed:
			if a.state.CompareAndSwap(actQueued, actLeft) {
				return s.closedError()
			}
			<-a.done
		}
	}
}

func (s *Store) closedError() error {
	return fail(CodeClosed, "open it again", "the store %s was closed", s.path)
}

// lead takes what waits, carries it out in one commit, answers, and gives the
// turn back.
func (w *writer) lead() {
	defer func() { <-w.turn }()
	w.batch = w.batch[:0]
	if w.take() {
		w.carry()
		w.last = len(w.batch)
	}
	clear(w.batch)
}

// take adds the acts that wait to the batch and reports whether there was one.
func (w *writer) take() bool {
	n := len(w.batch)
	for len(w.batch) < maxBatch {
		select {
		case a := <-w.acts:
			if a.state.CompareAndSwap(actQueued, actTaken) {
				w.batch = append(w.batch, a)
			}
			continue
		default:
		}
		break
	}
	return len(w.batch) > n
}

// enough is how many acts make a batch that waits for no more: from there on a
// commit's cost is well shared, and callers prepare while it is written.
const enough = 16

// linger is how long a batch that is smaller than the one before stays open
// for one more act; a commit takes several times as long.
const linger = 40 * time.Microsecond

// more takes acts that came while the batch was carried. The callers that the
// last commit answered are about to ask again, and each commit costs the same
// however many share it: so it lets them run first. A lone caller never waits.
func (w *writer) more() bool {
	if len(w.batch) >= enough {
		return false
	}
	if w.take() {
		return true
	}
	if len(w.batch) >= w.last {
		return false
	}
	for start := time.Now(); time.Since(start) < linger; {
		runtime.Gosched()
		if w.take() {
			return true
		}
	}
	return false
}

// carry runs the batch, with what comes in meanwhile, and answers it.
func (w *writer) carry() {
	news := false
	w.lost = errors.New("a caller ended its goroutine inside an act") // unless carried to the end
	defer func() {
		var head, marks int64
		if w.lost != nil {
			w.abandon()
		} else {
			head, marks = w.mem.head.Seq, w.mem.markTurn
		}
		for _, a := range w.batch {
			if w.lost != nil && (a.kept || a.err == nil) {
				a.err = explain(w.s.path, w.lost)
			}
			close(a.done)
		}
		if news {
			w.s.watchers.tell(head, marks)
		}
	}()
	var lost error
	for i := 0; lost == nil && (i < len(w.batch) || w.more()); i++ {
		if !w.open { // at the start, and when an act was undone with all there was
			if lost = w.begin(); lost != nil {
				break
			}
		}
		w.carried.Add(1)
		lost = w.one(w.batch[i])
	}
	if lost == nil && w.open {
		news, lost = w.commit()
	}
	w.lost = lost
}

// one runs a's function and keeps or undoes what it wrote. An error means that
// the whole transaction is gone.
func (w *writer) one(a *act) error {
	m := w.mem
	before := m.facts
	m.undo = m.undo[:0]
	w.saved, w.first = false, !w.wrote && !m.changed
	t := &tx{reader: reader{c: w.c}, w: w}
	defer func() { w.c.late = nil }() // also when fn ends the goroutine
	a.err = w.call(a, t)
	var refusal *queue.Refusal
	said := a.panicked == nil && (a.err == nil || errors.As(a.err, &refusal))
	if said && t.err == nil {
		_ = t.finish() // noted in t.err
	}
	if said && t.err == nil {
		a.kept = true
		if !w.saved {
			return nil
		}
		if _, err := w.c.run("RELEASE act"); err != nil {
			return fmt.Errorf("keep an act: %w", err)
		}
		return nil
	}
	if said {
		a.err = t.err
	}
	a.err = explain(w.s.path, a.err)
	w.c.late = nil
	m.takeBack(before)
	switch {
	case t.torn:
		return a.err // the engine gave the whole transaction up
	case w.saved:
		if _, err := w.c.run("ROLLBACK TO act"); err != nil {
			return errors.Join(a.err, err) // the engine gave the whole transaction up
		}
		_, err := w.c.run("RELEASE act")
		return err
	case w.first && w.wrote:
		w.wrote = false
		_ = w.rollback() // the engine may have done it already; if not, the next begin fails
	}
	return nil
}

// call runs fn; a panic inside it is the caller's to have, not the writer's.
func (w *writer) call(a *act, t *tx) error {
	defer func() { a.panicked = recover() }()
	return a.fn(t)
}

// change is called before each write of an act. An act that may have to be
// undone alone gets a savepoint: from then on the engine copies each page that
// the act changes.
func (t *tx) change() error {
	if t.err != nil {
		return t.err
	}
	w := t.w
	if w.saved || w.first && w.wrote {
		return nil
	}
	if !w.first {
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
func (w *writer) begin() error {
	if w.dead || w.log.failed.Load() != nil {
		return stopped(w.s.path)
	}
	if err := w.s.same(); err != nil {
		return err
	}
	if err := w.s.patiently(func() error { _, err := w.c.run("BEGIN IMMEDIATE"); return err }); err != nil {
		return fmt.Errorf("begin: %w", err)
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

// commit writes what was put off to the end of the batch and makes it durable.
// It reports whether the chain grew.
func (w *writer) commit() (news bool, err error) {
	m := w.mem
	if !w.wrote && !m.changed {
		return false, w.rollback()
	}
	if err := w.writeSessions(); err != nil {
		return false, err
	}
	if err := w.writeEvents(); err != nil {
		return false, err
	}
	if w.s.beforeCommit != nil {
		if err := w.s.beforeCommit(); err != nil {
			return false, err
		}
	}
	if err := w.s.patiently(func() error { _, err := w.c.run("COMMIT"); return err }); err != nil {
		if unsynced(err) {
			w.dead = true
			return false, unsure(w.s.path, err)
		}
		return false, fmt.Errorf("commit: %w", err)
	}
	w.open = false
	w.commits.Add(1)
	w.log.wrote(len(w.batch))
	m.changed = false
	m.events, m.appended = m.events[:0], 0
	clear(m.touched)
	return true, nil
}

// writeEvents writes the batch's events, and with the last of them, or in its
// own row, the clock and counters.
func (w *writer) writeEvents() error {
	m := w.mem
	if !m.changed {
		return nil
	}
	m.turn++
	kept, err := m.text()
	if err != nil {
		return err
	}
	for i, e := range m.events {
		with := ""
		if i == len(m.events)-1 {
			with = kept
		}
		if _, err := w.c.run(db.InsertEvent, e.Seq, e.Hash, e.ask, text(e.Body), with); err != nil {
			return fmt.Errorf("append event %d: %w", e.Seq, err)
		}
	}
	if len(m.events) > 0 {
		return nil
	}
	n, err := w.c.run(db.SetKept, kept)
	return one(n, err, "keep the clock and the counters")
}

func (w *writer) writeSessions() error {
	for id := range w.mem.touched {
		s := w.mem.sessions[id]
		if _, err := w.c.run(db.PutSession, s.ID, s.HostID, s.Principal, s.Agent, s.Parent,
			s.StartedAt, s.LastAct, s.EndedAt, s.Tree, s.ArmedAt, s.ObservedAt, s.GovernedAt, s.Target, s.Unreadable, s.Told, string(s.Receipts), s.WordsMax, s.Source, s.Clamps); err != nil {
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
