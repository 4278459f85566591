package queue

import "sync"

// jumpMS is how far the wall may run ahead of the boot clock, seen inside one
// process, before settle waits for an operator (DESIGN §4, Time).
const jumpMS = 3_600_000

// watch remembers the last pair of readings, to see a forward jump.
type watch struct {
	mu         sync.Mutex
	wall, boot int64
	seen       bool
	far        bool // a jump was seen, and no commit has held settle for it yet
}

// jumped takes a pair of readings and reports whether the wall ran ahead. It
// goes on reporting a jump until it is told that the store holds settle: the
// act that saw it first may have been undone.
func (w *watch) jumped(wall, boot int64, held bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.far = w.far && !held || w.seen && (wall-w.wall)-(boot-w.boot) > jumpMS
	w.wall, w.boot, w.seen = wall, boot, true
	return w.far
}

// moment is one act's time: effective now = wall + offset.
type moment struct {
	now, wall int64
	held      bool // settle waits for ConfirmClock
}

// tick reads the time for one act. When the wall is behind the last effective
// time the offset grows, so that time goes on and nothing revives.
func (q *Queue) tick(tx Tx) (moment, error) {
	c, err := tx.Clock()
	if err != nil {
		return moment{}, err
	}
	wall, boot := q.edge.WallMS(), q.edge.BootMS()
	m := moment{now: wall + c.OffsetMS, wall: wall, held: c.HeldSince != 0}
	jumped := q.watch.jumped(wall, boot, c.HeldSince != 0)
	if m.now < c.LastEffective {
		c.OffsetMS += c.LastEffective - m.now
		m.now = c.LastEffective
		if err := tx.SetClock(c); err != nil {
			return m, err
		}
	}
	if jumped && c.HeldSince == 0 {
		c.HeldSince, c.LastEffective, m.held = m.now, m.now, true
		if err := tx.SetClock(c); err != nil {
			return m, err
		}
		if err := q.notify(tx, m, &Notice{Code: NoticeClockJump,
			Sentence: "The clock ran more than an hour ahead, so nothing expires until you confirm the time."}); err != nil {
			return m, err
		}
	}
	q.offset.Store(c.OffsetMS)
	return m, nil
}

// readNow is tick for a reader: it changes nothing.
func (q *Queue) readNow(c Clock) int64 { return max(q.edge.WallMS()+c.OffsetMS, c.LastEffective) }

// append writes one event at m and moves the clock's last effective time.
func (q *Queue) append(tx Tx, m moment, e Event) error {
	head, err := tx.Head()
	if err != nil {
		return err
	}
	e.Effective, e.Wall, e.Config = m.now, m.wall, q.settings.ConfigDigest
	if err := tx.AppendEvent(e.chain(head)); err != nil {
		return err
	}
	c, err := tx.Clock()
	if err != nil || c.LastEffective >= m.now {
		return err
	}
	c.LastEffective = m.now
	return tx.SetClock(c)
}
