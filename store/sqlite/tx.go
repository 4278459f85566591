package sqlite

import (
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"

	"nod/digest"
	"nod/queue"
	"nod/store/sqlite/db"
)

// tx is queue.Tx for one act on the writer's connection. What the writer
// remembers answers before the disk does.
type tx struct {
	reader
	w   *writer
	err error // the first failure: an act that met one is undone, whatever it says

	contents map[digest.Digest][]byte // put, and not yet written with an ask
	named    string                   // the ask last written, whose row names
	next     int64                    // this event as its own
	filing   string                   // the statement, put off, that files an ask with w.args
	torn     bool                     // a statement failed that the engine could not undo alone
}

var _ queue.Tx = (*tx)(nil)

// broke notes err as the reason why the act cannot be kept.
func (t *tx) broke(err error) error {
	if err != nil && t.err == nil {
		t.err = err
	}
	return err
}

func optional(n int64, err error) (int64, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return never, nil
	}
	return n, err
}

func (t *tx) Head() (queue.Head, error)         { return t.w.mem.head, nil }
func (t *tx) Clock() (queue.Clock, error)       { return t.w.mem.clock, nil }
func (t *tx) Counters() (queue.Counters, error) { return t.w.mem.counters, nil }
func (t *tx) Freezes() ([]queue.FreezeRow, error) {
	return append([]queue.FreezeRow(nil), t.w.mem.freezes...), nil
}

func (t *tx) FreezeAfter(session string, since int64) (*queue.FreezeRow, error) {
	if t.w.mem.lastFreeze < since {
		return nil, nil
	}
	return t.reader.FreezeAfter(session, since)
}

func (t *tx) GrantFor(session string, action digest.Digest, now int64) (*queue.Grant, error) {
	if t.w.mem.lastGrant <= now {
		return nil, nil
	}
	return t.reader.GrantFor(session, action, now)
}

func (t *tx) DueAsks(now, limit int64) ([]queue.Row, error) {
	m := t.w.mem
	if now < m.nextAsk {
		return nil, nil
	}
	rows, err := t.reader.DueAsks(now, limit)
	if err == nil && len(rows) == 0 {
		m.nextAsk, err = optional(t.c.q.NextDueAsk(bg()))
	}
	return rows, t.broke(err)
}

func (t *tx) DueAttempts(now, limit int64) ([]queue.Attempt, error) {
	m := t.w.mem
	if now < m.nextAttempt {
		return nil, nil
	}
	rows, err := t.reader.DueAttempts(now, limit)
	if err == nil && len(rows) == 0 {
		m.nextAttempt, err = optional(t.c.q.NextDueAttempt(bg()))
	}
	return rows, t.broke(err)
}

func (t *tx) SetClock(c queue.Clock) error {
	if t.w.mem.clock != c {
		t.w.mem.clock = c
		t.w.mem.changed = true
	}
	return nil
}

func (t *tx) AppendEvent(e queue.StoredEvent) error {
	m := t.w.mem
	if e.Seq != m.head.Seq+1 {
		return t.broke(fmt.Errorf("append event %d: the head is %d", e.Seq, m.head.Seq))
	}
	raw, err := hex.DecodeString(e.Hash)
	if err != nil || len(raw) != len(m.head.Hash) {
		return t.broke(fmt.Errorf("append event %d: its hash is not 64 hex digits", e.Seq))
	}
	ask, err := askOf(e.Body)
	if err != nil {
		return t.broke(fmt.Errorf("append event %d: %w", e.Seq, err))
	}
	if ask == t.named && e.Seq == t.next {
		ask = ""
	}
	m.events = append(m.events, event{StoredEvent: e, ask: ask})
	m.appended++
	m.head.Seq = e.Seq
	copy(m.head.Hash[:], raw)
	m.changed = true
	return nil
}

// Events shows this batch's events, which are not on the disk yet, after those
// that are.
func (t *tx) Events(q queue.QEvents) ([]queue.StoredEvent, bool, error) {
	list, more, err := t.reader.Events(q)
	if err != nil || more {
		return list, more, err
	}
	for _, e := range t.w.mem.events {
		if e.Seq <= q.After {
			continue
		}
		if q.Ask != "" {
			if ask, err := askOf(e.Body); err != nil || ask != q.Ask {
				continue
			}
		}
		list = append(list, e.StoredEvent)
	}
	return page(list, nil, q.Limit)
}

func (t *tx) PutContent(d digest.Digest, body []byte) error {
	if t.contents == nil {
		t.contents = map[digest.Digest][]byte{}
	}
	t.contents[d] = body
	return nil
}

func (t *tx) Content(d digest.Digest) ([]byte, error) {
	if body, ok := t.contents[d]; ok {
		return body, nil
	}
	return t.reader.Content(d)
}

// finish writes what the act put off.
func (t *tx) finish() error {
	for d, body := range t.contents {
		if err := t.change(); err != nil {
			return err
		}
		if _, err := t.c.run(db.InsertContent, short(string(d)), string(d), string(body)); err != nil {
			return t.broke(fmt.Errorf("keep contents: %w", err))
		}
	}
	return t.fileLast()
}

func (t *tx) InsertAttempt(a *queue.Attempt) error {
	if err := t.change(); err != nil {
		return err
	}
	err := t.c.q.InsertAttempt(bg(), db.InsertAttemptParams{
		ID: a.ID, AskID: a.AskID, AttemptNo: a.Number, State: string(a.State), TokenHash: a.TokenHash,
		Executor: a.Executor, HostRuns: flag(a.HostRuns), Session: a.Session, BeganAt: a.BeganAt,
		Lease: a.Lease, LeaseMs: a.LeaseMS, EndedAt: a.EndedAt, ExitStatus: string(a.Exit),
		Observed: string(a.Observed), Mismatch: flag(a.Mismatch), Late: flag(a.Late), Reference: a.Ref, Desk: flag(a.Desk),
		Effect: a.Effect, SettleMs: a.SettleMS, Claims: flag(a.Claims), Watched: flag(a.Watched),
	})
	if err != nil {
		return t.broke(fmt.Errorf("keep an attempt: %w", err))
	}
	t.attemptMoved(a)
	return t.outcome(a)
}

func (t *tx) MoveAttempt(a *queue.Attempt, from queue.AttemptState) (bool, error) {
	if err := t.change(); err != nil {
		return false, err
	}
	n, err := t.c.q.MoveAttempt(bg(), db.MoveAttemptParams{
		State: string(a.State), Lease: a.Lease, EndedAt: a.EndedAt, ExitStatus: string(a.Exit),
		Observed: string(a.Observed), Mismatch: flag(a.Mismatch), Late: flag(a.Late), Reference: a.Ref,
		Desk: flag(a.Desk), ID: a.ID, State_2: string(from),
	})
	if err != nil {
		return false, t.broke(fmt.Errorf("move an attempt: %w", err))
	}
	if n == 0 {
		return false, nil
	}
	t.attemptMoved(a)
	return true, t.outcome(a)
}

// attemptMoved keeps the next due time.
func (t *tx) attemptMoved(a *queue.Attempt) {
	m := t.w.mem
	if a.State == queue.AttemptExecuting {
		m.nextAttempt = min(m.nextAttempt, a.Lease)
	}
}

// outcome copies what lists show of an attempt to its ask's row.
func (t *tx) outcome(a *queue.Attempt) error {
	n, err := t.c.q.SetOutcome(bg(), db.SetOutcomeParams{
		Outcome: string(a.Shown()), ExitStatus: string(a.Exit), Mismatch: flag(a.Mismatch), ID: a.AskID,
	})
	return t.broke(one(n, err, "note an attempt's outcome"))
}

// one wants exactly one row changed.
func one(n int64, err error, act string) error {
	if err == nil && n != 1 {
		err = errors.New("no such row")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", act, err)
	}
	return nil
}

func (t *tx) InsertGrant(g *queue.Grant) error {
	if err := t.change(); err != nil {
		return err
	}
	err := t.c.q.InsertGrant(bg(), db.InsertGrantParams{
		ID: g.ID, ActionDigest: string(g.ActionDigest), Session: g.Session, UsesLeft: g.Left,
		UntilMs: g.Until, GrantedBy: g.By, GrantedAt: g.At,
	})
	if err != nil {
		return t.broke(fmt.Errorf("keep a grant: %w", err))
	}
	t.w.mem.lastGrant = max(t.w.mem.lastGrant, g.Until)
	return nil
}

func (t *tx) UseGrant(id string) error {
	if err := t.change(); err != nil {
		return err
	}
	n, err := t.c.q.UseGrant(bg(), id)
	return t.broke(one(n, err, "use a grant"))
}

func (t *tx) InsertFreeze(f *queue.FreezeRow) error {
	if err := t.change(); err != nil {
		return err
	}
	id, err := t.c.q.InsertFreeze(bg(), db.InsertFreezeParams{
		Session: f.Session, Since: f.Since, FrozenBy: f.By, Reason: f.Reason, LiftedAt: f.LiftedAt,
	})
	if err != nil {
		return t.broke(fmt.Errorf("keep a freeze: %w", err))
	}
	f.ID = id
	t.w.mem.lastFreeze = max(t.w.mem.lastFreeze, f.Since)
	return t.reloadFreezes()
}

func (t *tx) LiftFreeze(id, at int64) error {
	if err := t.change(); err != nil {
		return err
	}
	n, err := t.c.q.LiftFreeze(bg(), db.LiftFreezeParams{LiftedAt: at, ID: id})
	if err := one(n, err, "lift a freeze"); err != nil {
		return t.broke(err)
	}
	return t.reloadFreezes()
}

func (t *tx) reloadFreezes() error {
	rows, err := t.reader.Freezes()
	if err != nil {
		return t.broke(err)
	}
	t.w.mem.freezes = rows
	return nil
}

func (t *tx) InsertNotice(n *queue.Notice) error {
	if err := t.change(); err != nil {
		return err
	}
	id, err := t.c.q.InsertNotice(bg(), db.InsertNoticeParams{
		Code: n.Code, Ask: n.Ask, Session: n.Session, Sentence: n.Sentence,
		RaisedAt: n.At, AckedAt: n.AckedAt, AckedBy: n.AckedBy, Detail: n.Detail,
		Once: n.Once, Owed: n.Owed, Carried: n.Carried, Parent: n.Parent,
	})
	if err != nil {
		return t.broke(fmt.Errorf("keep a notice: %w", err))
	}
	n.ID = id
	if n.AckedAt == 0 {
		t.w.mem.counters.Notices++
		t.w.mem.changed = true
	}
	return nil
}

func (t *tx) AckNotice(id, at int64, by string) error {
	if err := t.change(); err != nil {
		return err
	}
	n, err := t.c.q.AckNotice(bg(), db.AckNoticeParams{AckedAt: at, AckedBy: by, ID: id})
	if err := one(n, err, "acknowledge a notice"); err != nil {
		return t.broke(err)
	}
	t.w.mem.counters.Notices--
	t.w.mem.changed = true
	return nil
}
