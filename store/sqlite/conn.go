package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"nod/queue"
	"nod/store/sqlite/db"
)

// conn is one pinned connection with the statements it has prepared. It is
// used by one goroutine at a time. Generated queries go through database/sql;
// the few statements that every submit runs go to the driver directly, which
// costs about half.
type conn struct {
	sc    *sql.Conn
	q     *db.Queries
	stmts map[string]*sql.Stmt
	hot   map[string]driver.Stmt
	named []driver.NamedValue
	late  func() error // a write that was put off; it goes before any other statement
}

func newConn(ctx context.Context, pool *sql.DB) (*conn, error) {
	sc, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	c := &conn{sc: sc, stmts: map[string]*sql.Stmt{}, hot: map[string]driver.Stmt{}}
	c.q = db.New(c)
	return c, nil
}

func (c *conn) close() error {
	var errs []error
	for _, s := range c.stmts {
		errs = append(errs, s.Close())
	}
	errs = append(errs, c.sc.Raw(func(any) error {
		var errs []error
		for _, s := range c.hot {
			errs = append(errs, s.Close())
		}
		return errors.Join(errs...)
	}))
	return errors.Join(append(errs, c.sc.Close())...)
}

// catchUp does the write that was put off.
func (c *conn) catchUp() error {
	late := c.late
	if late == nil {
		return nil
	}
	c.late = nil
	return late()
}

func (c *conn) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	if err := c.catchUp(); err != nil {
		return nil, err
	}
	if s := c.stmts[query]; s != nil {
		return s, nil
	}
	s, err := c.sc.PrepareContext(ctx, positional(query))
	if err != nil {
		return nil, err
	}
	c.stmts[query] = s
	return s, nil
}

// ExecContext, PrepareContext, QueryContext and QueryRowContext are db.DBTX;
// statements are prepared at their first use.
func (c *conn) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	s, err := c.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

// PrepareContext is part of db.DBTX.
func (c *conn) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return c.sc.PrepareContext(ctx, query)
}

// QueryContext is part of db.DBTX.
func (c *conn) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := c.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// QueryRowContext is part of db.DBTX.
func (c *conn) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	s, err := c.prepared(ctx, query)
	if err != nil {
		// It reports the same error; a late write that failed has undone its act.
		return c.sc.QueryRowContext(ctx, query, args...)
	}
	return s.QueryRowContext(ctx, args...)
}

// hotStmt gives the driver's own statement for query. It must be called, and
// its result used, inside sc.Raw.
func (c *conn) hotStmt(dc any, query string) (driver.Stmt, error) {
	if s := c.hot[query]; s != nil {
		return s, nil
	}
	p, ok := dc.(driver.ConnPrepareContext)
	if !ok {
		return nil, errors.New("sqlite: the driver prepares no statements")
	}
	s, err := p.PrepareContext(context.Background(), positional(query))
	if err != nil {
		return nil, err
	}
	c.hot[query] = s
	return s, nil
}

func (c *conn) bind(args []driver.Value) []driver.NamedValue {
	c.named = c.named[:0]
	for i, v := range args {
		c.named = append(c.named, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	return c.named
}

// run executes a statement at the driver and gives the rows it changed.
func (c *conn) run(query string, args ...driver.Value) (n int64, err error) {
	if err := c.catchUp(); err != nil {
		return 0, err
	}
	err = c.sc.Raw(func(dc any) error {
		s, err := c.hotStmt(dc, query)
		if err != nil {
			return err
		}
		x, ok := s.(driver.StmtExecContext)
		if !ok {
			return errors.New("sqlite: the driver executes no statements")
		}
		res, err := x.ExecContext(context.Background(), c.bind(args))
		if err != nil {
			return err
		}
		n, err = res.RowsAffected()
		return err
	})
	return n, err
}

// query gives each row of a query at the driver to row; dest holds it until
// the next one.
func (c *conn) query(query string, dest []driver.Value, row func() error, args ...driver.Value) error {
	if err := c.catchUp(); err != nil {
		return err
	}
	return c.sc.Raw(func(dc any) (err error) {
		s, err := c.hotStmt(dc, query)
		if err != nil {
			return err
		}
		x, ok := s.(driver.StmtQueryContext)
		if !ok {
			return errors.New("sqlite: the driver queries no statements")
		}
		rows, err := x.QueryContext(context.Background(), c.bind(args))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for {
			switch err := rows.Next(dest); {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return err
			}
			if err := row(); err != nil {
				return err
			}
		}
	})
}

// ints reads the one whole number of each row.
func (c *conn) ints(query string, args ...driver.Value) (list []int64, err error) {
	var dest [1]driver.Value
	err = c.query(query, dest[:], func() error {
		n, ok := dest[0].(int64)
		if !ok {
			return fmt.Errorf("sqlite: %T where a whole number was asked for", dest[0])
		}
		list = append(list, n)
		return nil
	}, args...)
	return list, err
}

// asks reads the rows of a query for asks.
func (c *conn) asks(query string, args ...driver.Value) (list []queue.Row, err error) {
	var dest [askColumns]driver.Value
	err = c.query(query, dest[:], func() error {
		r, err := rowOf(&dest)
		list = append(list, r)
		return err
	}, args...)
	return list, err
}

// ask reads the first row of a query for asks; nil when there is none.
func (c *conn) ask(query string, args ...driver.Value) (*queue.Row, error) {
	list, err := c.asks(query, args...)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// positional turns $1 … $N into ? when each is used once and in order: the
// driver looks up the name of each named parameter at each execution.
func positional(query string) string {
	if i := strings.Index(query, "\n"); strings.HasPrefix(query, "-- name:") && i > 0 {
		query = query[i+1:]
	}
	var b strings.Builder
	next := 1
	for rest := query; ; {
		i := strings.IndexByte(rest, '$')
		if i < 0 {
			b.WriteString(rest)
			return b.String()
		}
		end := i + 1
		for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
			end++
		}
		if rest[i+1:end] != strconv.Itoa(next) {
			return query
		}
		b.WriteString(rest[:i])
		b.WriteByte('?')
		rest = rest[end:]
		next++
	}
}
