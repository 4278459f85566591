package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	engine "modernc.org/sqlite"

	"nod/queue"
)

// applicationID marks a file as nod's in the SQLite header: "nod" and 1.
const applicationID = 0x6e6f6401

// pageSize is larger than SQLite's default: an ask of 2 KiB takes 2,945 bytes
// of the file instead of 4,318.
const pageSize = 8192

// Options say how a store is opened. The zero value opens an existing store
// for reading and writing, beside others.
type Options struct {
	Create    bool          // make the store, and its directory, when it is not there
	ReadOnly  bool          // no writer; Do refuses
	Exclusive bool          // hold the store alone: others are refused store_locked
	Patience  time.Duration // how long an act waits for other processes' writing; 0: 10 s
	Readers   int           // connections that read at once; 0: by processors
	MaxPages  int64         // bound on the file's size in pages of 8 KiB; 0: none
}

// Store is a queue.Store on one file.
type Store struct {
	path     string
	opt      Options
	id       string
	key      []byte
	lock     *lockFile
	pool     *sql.DB
	readers  chan *conn
	w        *writer
	watchers watchers
	file     fs.FileInfo // what was opened
	closed   chan struct{}
	closing  sync.Once

	beforeCommit func() error // set by tests, before the first act
}

var _ queue.Store = (*Store)(nil)

// Open opens the store at path. A store that cannot be trusted or used is
// refused with an *Error; nothing in it was changed then.
func Open(ctx context.Context, path string, opt Options) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	if opt.Patience == 0 {
		opt.Patience = 10 * time.Second
	}
	if opt.Readers == 0 {
		opt.Readers = max(4, runtime.GOMAXPROCS(0))
	}
	// Without this any close of the file elsewhere in the process would drop
	// SQLite's locks. Only the first store of a process can switch it on.
	if _, err := engine.OFDLocking(true); err != nil &&
		!errors.Is(err, engine.ErrOFDLockingUnavailable) && !errors.Is(err, engine.ErrOFDLockingTooLate) {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	// As durable as fsync, and cheaper where it is to be had.
	if _, err := engine.Fdatasync(true); err != nil && !errors.Is(err, engine.ErrFdatasyncUnavailable) {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	s := &Store{path: path, opt: opt, closed: make(chan struct{})}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(explain(path, err), s.Close())
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) (err error) {
	if err := s.place(ctx); err != nil {
		return err
	}
	s.lock, err = takeLock(s.path, s.opt.Exclusive)
	if s.opt.ReadOnly && !s.opt.Exclusive && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)) {
		err = nil // a store on read-only media is read without a lock
	}
	if err != nil {
		return err
	}
	if s.file, err = guardFile(s.path); err != nil {
		return err
	}
	if err := guardSidecars(s.path); err != nil {
		return err
	}
	if s.key, err = readKey(s.path); err != nil {
		return err
	}
	if err := s.patiently(func() error { return s.recognise(ctx) }); err != nil {
		return err
	}
	if s.key == nil {
		return fail(CodeMissing, "put the key of your backup back beside it", "the key %s%s is missing", s.path, keySuffix)
	}
	s.pool = sql.OpenDB(&connector{s: s})
	s.pool.SetMaxIdleConns(s.opt.Readers + 2)
	return s.start(ctx)
}

// start opens the connections that stay.
func (s *Store) start(ctx context.Context) error {
	s.readers = make(chan *conn, s.opt.Readers)
	for range s.opt.Readers {
		s.readers <- nil // opened at the first need
	}
	s.watchers.init(s)
	if s.opt.ReadOnly {
		return s.View(ctx, func(tx queue.ReadTx) error {
			head, err := tx.Head()
			s.id = head.StoreID
			return err
		})
	}
	return s.patiently(func() error { return s.startWriter(ctx) })
}

func (s *Store) startWriter(ctx context.Context) error {
	c, err := newConn(ctx, s.pool)
	if err != nil {
		return err
	}
	m, err := ready(c)
	if err != nil {
		return errors.Join(err, c.close())
	}
	s.id = m.head.StoreID
	s.w = &writer{s: s, c: c, log: checkpointer{s: s}, acts: make(chan *act, maxBatch), turn: make(chan struct{}, 1)}
	return nil
}

// ready makes c the writing connection of a WAL database; a restored file is
// none yet. From here on it is this package that waits for others' locks.
func ready(c *conn) (*meta, error) {
	for _, p := range []string{"PRAGMA journal_mode = WAL", "PRAGMA busy_timeout = 20"} {
		if _, err := c.run(p); err != nil {
			return nil, err
		}
	}
	return loadMeta(c)
}

// patiently tries again, after short random waits, what another process's lock
// was in the way of, until the store's patience ends.
func (s *Store) patiently(try func() error) error {
	deadline := time.Now().Add(s.opt.Patience)
	for wait := 200 * time.Microsecond; ; wait = min(2*wait, 8*time.Millisecond) {
		err := try()
		if err == nil || !busy(err) || time.Now().After(deadline) {
			return err
		}
		time.Sleep(wait/2 + rand.N(wait)) //nolint:gosec // spreads retries
	}
}

// place makes directory, store and key when they are not there and may be
// made, and checks the directory.
func (s *Store) place(ctx context.Context) error {
	if s.opt.Create && !s.opt.ReadOnly {
		if err := makeDir(filepath.Dir(s.path)); err != nil {
			return err
		}
	}
	if err := guardDir(filepath.Dir(s.path)); err != nil {
		return err
	}
	switch _, err := os.Lstat(s.path); {
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("look at the store: %w", err)
	case !s.opt.Create || s.opt.ReadOnly:
		return fail(CodeMissing, "nod makes a store when a command first needs one; check the path",
			"there is no store at %s", s.path)
	}
	return create(ctx, s.path)
}

// recognise refuses what is not a sound store of this version, and brings an
// older one up to it. It changes nothing that it does not recognise.
func (s *Store) recognise(ctx context.Context) error {
	raw, err := sql.Open("sqlite", dsn(s.path, true))
	if err != nil {
		return err
	}
	app, version, err := marks(ctx, raw)
	if err := errors.Join(err, raw.Close()); err != nil {
		return s.unreadable(err)
	}
	switch latest := schemaVersion(); {
	case app != applicationID:
		return fail(CodeForeign, "name another path; nod does not touch files that are not its own",
			"%s is a database, but not a store of nod's", s.path)
	case version > latest:
		return fail(CodeNewer, "update nod, or use the version that wrote the store",
			"the store %s was written by a newer nod (schema %d, this one knows %d)", s.path, version, latest)
	case version < latest && s.opt.ReadOnly:
		return fail(CodeReadonly, "open it once with a command that writes",
			"the store %s is of an older version and was opened to read only", s.path)
	case version < latest:
		return s.upgrade(ctx)
	}
	return nil
}

// unreadable tells a damaged store from a file of another kind: nod's store
// has its key beside it.
func (s *Store) unreadable(err error) error {
	if notDatabase(err) && s.key == nil {
		e := fail(CodeForeign, "name another path; nod does not touch files that are not its own",
			"%s is not a store of nod's", s.path)
		e.Err = err
		return e
	}
	return err
}

func marks(ctx context.Context, pool *sql.DB) (app, version int64, err error) {
	if err := pool.QueryRowContext(ctx, "PRAGMA application_id").Scan(&app); err != nil {
		return 0, 0, err
	}
	err = pool.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	return app, version, err
}

// dsn names the file in a form in which no character of the path is SQL or a
// parameter.
func dsn(path string, readOnly bool) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	mode := "rw" // never create: a missing file is an error here
	if readOnly {
		mode = "ro"
	}
	return u.String() + "?mode=" + mode + "&_dqs=0&_defensive=1"
}

// connector opens a connection only on the file that was opened first.
type connector struct{ s *Store }

func (c *connector) Driver() driver.Driver { return &engine.Driver{} }

func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := c.s.same(); err != nil {
		return nil, err
	}
	if err := guardSidecars(c.s.path); err != nil {
		return nil, err
	}
	inner, err := engine.NewConnector(dsn(c.s.path, c.s.opt.ReadOnly))
	if err != nil {
		return nil, err
	}
	dc, err := inner.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := configure(ctx, dc, c.s.opt); err != nil {
		return nil, errors.Join(err, dc.Close())
	}
	return dc, nil
}

// configure sets what holds for a connection.
func configure(ctx context.Context, dc driver.Conn, opt Options) error {
	x, ok := dc.(driver.ExecerContext)
	if !ok {
		return errors.New("sqlite: the driver executes no statements")
	}
	pragmas := []string{
		"busy_timeout = " + strconv.FormatInt(opt.Patience.Milliseconds(), 10), "synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON",
		"temp_store = MEMORY", "cache_size = -16384",
		"wal_autocheckpoint = " + strconv.Itoa(autoCheckpoint), "journal_size_limit = 67108864", "trusted_schema = OFF",
	}
	if opt.MaxPages > 0 {
		pragmas = append(pragmas, "max_page_count = "+strconv.FormatInt(opt.MaxPages, 10))
	}
	for _, p := range pragmas {
		if _, err := x.ExecContext(ctx, "PRAGMA "+p, nil); err != nil {
			return err
		}
	}
	return nil
}

// Path is the store's absolute path.
func (s *Store) Path() string { return s.path }

// ID is the random id that the store got when it was made.
func (s *Store) ID() string { return s.id }

// Key is the store's own secret of 32 bytes, for keyed hashes in events
// (DESIGN §4, Events). The caller must not change it.
func (s *Store) Key() []byte { return s.key }

// Stats counts what the writer did since the store was opened.
type Stats struct {
	Commits int64 // transactions made durable
	Acts    int64 // functions run for callers of Do
}

// Stats is for benchmarks and `nod doctor`.
func (s *Store) Stats() Stats {
	if s.w == nil {
		return Stats{}
	}
	return Stats{Commits: s.w.commits.Load(), Acts: s.w.carried.Load()}
}

// Close ends the store: acts that were not begun are refused, those begun are
// answered first.
func (s *Store) Close() error {
	var errs []error
	s.closing.Do(func() {
		close(s.closed)
		if s.w != nil {
			s.w.turn <- struct{}{} // for good: who has it answers first
			errs = append(errs, s.w.log.close(), s.w.c.close())
		}
		s.watchers.stop()
		for range cap(s.readers) {
			if c := <-s.readers; c != nil {
				errs = append(errs, c.close())
			}
		}
		if s.pool != nil {
			errs = append(errs, s.pool.Close())
		}
		if s.lock != nil {
			errs = append(errs, s.lock.release())
		}
	})
	return errors.Join(errs...)
}
