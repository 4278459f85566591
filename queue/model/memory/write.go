package memory

import (
	"encoding/hex"
	"errors"
	"fmt"

	"nod/digest"
	"nod/queue"
)

// tx is queue.Tx on a State that is not yet the store's.
type tx struct {
	reader
	wrote bool
	err   error // the first failure: an act that met one is undone, whatever it says
}

var _ queue.Tx = (*tx)(nil)

// broke notes err as the reason why the act cannot be kept.
func (t *tx) broke(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if t.err == nil {
		t.err = err
	}
	return err
}

var errNoRow = errors.New("no such row")

func (t *tx) SetClock(c queue.Clock) error {
	t.wrote = t.wrote || t.s.Clock != c
	t.s.Clock = c
	return nil
}

func (t *tx) AppendEvent(e queue.StoredEvent) error {
	if e.Seq != t.s.Head.Seq+1 {
		return t.broke("append event %d: the head is %d", e.Seq, t.s.Head.Seq)
	}
	raw, err := hex.DecodeString(e.Hash)
	if err != nil || len(raw) != len(t.s.Head.Hash) {
		return t.broke("append event %d: its hash is not 64 hex digits", e.Seq)
	}
	t.s.events = &link{e, t.s.events}
	t.s.Head.Seq = e.Seq
	copy(t.s.Head.Hash[:], raw)
	t.wrote = true
	return nil
}

func (t *tx) PutContent(d digest.Digest, body []byte) error {
	if _, known := t.s.contents[d]; known {
		return nil
	}
	c := map[digest.Digest][]byte{d: body}
	for k, v := range t.s.contents {
		c[k] = v
	}
	t.s.contents, t.wrote = c, true
	return nil
}

func (t *tx) InsertAsk(row *queue.Row, body []byte) error {
	if _, same := find(t.s.Asks, func(r *queue.Row) bool { return r.ID == row.ID }); same != nil {
		return t.broke("keep an ask: the id %s is there", row.ID)
	}
	row.Seq = int64(len(t.s.Asks)) + 1
	kept := copied(row)
	kept.EffectKey = ""
	t.s.Asks, t.s.bodies, t.s.keys = and(t.s.Asks, kept), and(t.s.bodies, body), and(t.s.keys, row.EffectKey)
	t.s.Counters.Asks++
	t.moved("", row)
	return nil
}

// decides reports whether to is an answer to a pending ask.
func decides(from, to queue.State) bool {
	return from == queue.StatePending && (to == queue.StateAllowed || to == queue.StateDenied || to == queue.StateAnswered)
}

func (t *tx) MoveAsk(row *queue.Row, from queue.State, now int64) (bool, error) {
	i, old := find(t.s.Asks, func(r *queue.Row) bool { return r.ID == row.ID })
	if old == nil || old.State != from || old.ActionDigest != row.ActionDigest || old.ShownDigest != row.ShownDigest ||
		decides(from, row.State) && now >= old.AnswerBy {
		return false, nil
	}
	c := *old
	c.State, c.MovedAt, c.Verdict, c.DecidedBy, c.Decider = row.State, row.MovedAt, row.Verdict, row.DecidedBy, row.Decider
	c.DecidedWay, c.DecidedAt, c.NotBefore, c.Words, c.Answer = row.DecidedWay, row.DecidedAt, row.NotBefore, row.Words, row.Answer
	c.DwellMS, c.LinesSeen, c.LinesAll, c.Rule, c.Grant = row.DwellMS, row.LinesSeen, row.LinesAll, row.Rule, row.Grant
	c.RevokeReason, c.UseWithinMS, c.EditedTo = row.RevokeReason, row.UseWithinMS, row.EditedTo
	t.s.Asks = with(t.s.Asks, i, &c)
	t.moved(from, &c)
	if from == queue.StatePending && c.State != from {
		return true, t.PutMark(c.Seq, queue.Mark{})
	}
	return true, nil
}

// moved keeps the counters after a row left from ("" for a new one).
func (t *tx) moved(from queue.State, row *queue.Row) {
	t.wrote = true
	t.count(from, row, -1)
	t.count(row.State, row, 1)
}

func (t *tx) count(s queue.State, row *queue.Row, d int64) {
	c := &t.s.Counters
	switch s {
	case queue.StatePending:
		c.Pending += d
		if row.Mandated {
			c.Mandated += d
		}
		if row.Kind == digest.KindQuestion {
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

func (t *tx) SetWaiter(id, hash string, until int64, key string) error {
	return t.changeAsk(id, "note a waiter", func(row *queue.Row) {
		row.WaiterHash, row.WaiterUntil = hash, until
		if key != "" {
			row.CallKey = key
		}
	})
}

func (t *tx) changeAsk(id, what string, change func(*queue.Row)) error {
	i, old := find(t.s.Asks, func(r *queue.Row) bool { return r.ID == id })
	if old == nil {
		return t.broke("%s: %w", what, errNoRow)
	}
	c := *old
	change(&c)
	t.s.Asks, t.wrote = with(t.s.Asks, i, &c), true
	return nil
}

func (t *tx) PutMark(seq int64, m queue.Mark) error {
	if t.s.marks[seq] != m {
		t.s.marks, t.wrote = holding(t.s.marks, seq, m), true
	}
	return nil
}

func (t *tx) InsertAttempt(a *queue.Attempt) error {
	if _, same := find(t.s.Attempts, func(b *queue.Attempt) bool { return b.ID == a.ID }); same != nil {
		return t.broke("keep an attempt: the id %s is there", a.ID)
	}
	t.s.Attempts = and(t.s.Attempts, copied(a))
	return t.outcome(a)
}

func (t *tx) MoveAttempt(a *queue.Attempt, from queue.AttemptState) (bool, error) {
	i, old := find(t.s.Attempts, func(b *queue.Attempt) bool { return b.ID == a.ID })
	if old == nil || old.State != from {
		return false, nil
	}
	c := *old
	c.State, c.Lease, c.EndedAt, c.Exit, c.Observed = a.State, a.Lease, a.EndedAt, a.Exit, a.Observed
	c.Mismatch, c.Late, c.Ref, c.Desk = a.Mismatch, a.Late, a.Ref, a.Desk
	t.s.Attempts = with(t.s.Attempts, i, &c)
	return true, t.outcome(a)
}

// outcome copies what lists show of an attempt to its ask's row.
func (t *tx) outcome(a *queue.Attempt) error {
	return t.changeAsk(a.AskID, "note an attempt's outcome", func(row *queue.Row) {
		row.Outcome, row.Exit, row.Mismatch = a.Shown(), a.Exit, a.Mismatch
	})
}

func (t *tx) PutSession(s *queue.Session) error {
	t.wrote = true
	if i, old := find(t.s.Sessions, func(o *queue.Session) bool { return o.ID == s.ID }); old != nil {
		t.s.Sessions = with(t.s.Sessions, i, copied(s))
		return nil
	}
	t.s.Sessions = and(t.s.Sessions, copied(s))
	return nil
}

func (t *tx) InsertRecord(r *queue.Record) error {
	t.s.Records, t.wrote = and(t.s.Records, copied(r)), true
	return nil
}

func (t *tx) InsertGrant(g *queue.Grant) error {
	t.s.Grants, t.wrote = and(t.s.Grants, copied(g)), true
	return nil
}

func (t *tx) UseGrant(id string) error {
	i, old := find(t.s.Grants, func(g *queue.Grant) bool { return g.ID == id && g.Left > 0 })
	if old == nil {
		return t.broke("use a grant: %w", errNoRow)
	}
	c := *old
	c.Left--
	t.s.Grants, t.wrote = with(t.s.Grants, i, &c), true
	return nil
}

func (t *tx) InsertFreeze(f *queue.FreezeRow) error {
	f.ID = int64(len(t.s.Freezes)) + 1
	t.s.Freezes, t.wrote = and(t.s.Freezes, copied(f)), true
	return nil
}

func (t *tx) LiftFreeze(id, at int64) error {
	i, old := find(t.s.Freezes, func(f *queue.FreezeRow) bool { return f.ID == id && f.LiftedAt == 0 })
	if old == nil {
		return t.broke("lift a freeze: %w", errNoRow)
	}
	c := *old
	c.LiftedAt = at
	t.s.Freezes, t.wrote = with(t.s.Freezes, i, &c), true
	return nil
}

func (t *tx) InsertNotice(n *queue.Notice) error {
	n.ID = int64(len(t.s.Notices)) + 1
	t.s.Notices, t.wrote = and(t.s.Notices, copied(n)), true
	if n.AckedAt == 0 {
		t.s.Counters.Notices++
	}
	return nil
}

func (t *tx) AckNotice(id, at int64, by string) error {
	i, old := find(t.s.Notices, func(n *queue.Notice) bool { return n.ID == id && n.AckedAt == 0 })
	if old == nil {
		return t.broke("acknowledge a notice: %w", errNoRow)
	}
	c := *old
	c.AckedAt, c.AckedBy = at, by
	t.s.Notices, t.wrote = with(t.s.Notices, i, &c), true
	t.s.Counters.Notices--
	return nil
}
