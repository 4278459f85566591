package sqlite

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"database/sql"

	"nod/queue"
	"nod/store/sqlite/db"
)

// meta is the end of the chain, the clock and the kept counters.
type meta struct {
	head     queue.Head
	clock    queue.Clock
	counters queue.Counters
	turn     int64 // grows with each commit
	markTurn int64 // grows with each change of a mark
	marked   int64 // asks with a mark
}

// numbers lists what a kept text holds, in its order.
func (m *meta) numbers() [16]*int64 {
	c := &m.counters
	return [...]*int64{
		&m.turn, &m.clock.LastEffective, &m.clock.OffsetMS, &m.clock.HeldSince,
		&c.Pending, &c.Mandated, &c.Questions, &c.Allowed, &c.Unknown, &c.Notices,
		&c.Asks, &c.Denied, &c.Expired, &c.Spent, &c.Undelivered, &c.Owed,
	}
}

// before is how many numbers a kept text held that was written before deliveries
// were counted; there were none.
const before = 14

// firstCounter is where the numbers begin that are never negative.
const firstCounter = 4

// text is the kept text of m. A counter below zero says that rows and counters
// have parted: that is never written.
func (m *meta) text() (string, error) {
	b := make([]byte, 0, 96)
	for i, n := range m.numbers() {
		if i >= firstCounter && *n < 0 {
			return "", fmt.Errorf("counter %d would be %d", i-firstCounter, *n)
		}
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, *n, 10)
	}
	return string(b), nil
}

// read takes the numbers of a kept text; none is a store without a commit.
func (m *meta) read(text string) error {
	if text == "" {
		return nil
	}
	words := strings.Split(text, " ")
	numbers := m.numbers()
	if len(words) != len(numbers) && len(words) != before {
		return errors.New("the kept counters do not read")
	}
	for i, w := range words {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			return errors.New("the kept counters do not read")
		}
		*numbers[i] = n
	}
	return nil
}

func damaged(err error) error {
	e := fail(CodeCorrupt, "restore a backup with `nod restore`; keep the damaged file for the inquiry",
		"the end of the event chain does not read")
	e.Err = err
	return e
}

func loadMeta(c *conn) (*meta, error) {
	row, err := c.q.ReadMeta(bg())
	if errors.Is(err, sql.ErrNoRows) {
		return nil, damaged(err)
	}
	if err != nil {
		return nil, fmt.Errorf("read the store's head: %w", err)
	}
	return endOf(row, func() (db.LastEventRow, error) { return c.q.LastEvent(bg()) })
}

// endOf joins the meta row with the last event: what was kept later counts.
func endOf(row db.ReadMetaRow, lastEvent func() (db.LastEventRow, error)) (*meta, error) {
	m := &meta{head: queue.Head{StoreID: row.StoreID}, markTurn: row.Turn, marked: row.Marked}
	last, err := lastEvent()
	if errors.Is(err, sql.ErrNoRows) {
		if err := m.read(row.Kept); err != nil {
			return nil, damaged(err)
		}
		return m, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the last event: %w", err)
	}
	m.head.Seq = last.Seq
	raw, err := hex.DecodeString(last.Hash)
	if err != nil || len(raw) != len(m.head.Hash) {
		return nil, damaged(errors.New("the last event's hash is none"))
	}
	copy(m.head.Hash[:], raw)
	var apart meta
	if err := errors.Join(m.read(last.Kept), apart.read(row.Kept)); err != nil {
		return nil, damaged(err)
	}
	if apart.turn > m.turn {
		m.clock, m.counters, m.turn = apart.clock, apart.counters, apart.turn
	}
	return m, nil
}
