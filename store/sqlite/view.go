package sqlite

import (
	"context"
	"errors"

	"nod/queue"
)

// View implements queue.Store: fn reads one committed snapshot on a
// connection of its own and never waits for a writer.
func (s *Store) View(ctx context.Context, fn func(tx queue.ReadTx) error) error {
	var c *conn
	select {
	case <-s.closed:
		return s.closedError()
	default:
	}
	select {
	case c = <-s.readers:
	case <-s.closed:
		return s.closedError()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := s.same(); err != nil {
		s.readers <- c
		return explain(s.path, err)
	}
	if c == nil {
		var err error
		if c, err = newConn(ctx, s.pool); err != nil {
			s.readers <- nil
			return explain(s.path, err)
		}
	}
	defer func() { s.readers <- c }()
	if _, err := c.run("BEGIN"); err != nil {
		return explain(s.path, err)
	}
	err := fn(&reader{c: c})
	if _, end := c.run("COMMIT"); end != nil {
		_ = c.close() // in doubt: the next view opens another
		c = nil
		err = errors.Join(err, end)
	}
	return explain(s.path, err)
}

// headNow is the newest event's number and the turn of the marks.
func (s *Store) headNow(ctx context.Context) (head, marks int64, err error) {
	err = s.View(ctx, func(tx queue.ReadTx) error {
		r, ok := tx.(*reader)
		if !ok {
			return errors.New("a view reads with another reader")
		}
		m, err := r.load()
		if err == nil {
			head, marks = m.head.Seq, m.markTurn
		}
		return err
	})
	return head, marks, err
}
