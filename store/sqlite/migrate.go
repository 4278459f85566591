package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/pressly/goose/v3"

	"nod/store/sqlite/db"
)

//go:embed migrations/*.sql
var embedded embed.FS

// migrations names the embedded files as goose wants them.
func migrations() (fs.FS, error) { return fs.Sub(embedded, "migrations") }

// schemaVersion is the newest version this build knows; PRAGMA user_version
// repeats it in the file, so that opening a store of this version runs no
// migration at all.
func schemaVersion() int64 {
	names, err := fs.Glob(embedded, "migrations/*.sql")
	if err != nil {
		return 0
	}
	var newest int64
	for _, name := range names {
		digits, _, _ := strings.Cut(path.Base(name), "_")
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
			newest = max(newest, n)
		}
	}
	return newest
}

// migrate brings the database at pool up to version to.
func migrate(ctx context.Context, pool *sql.DB, to int64) error {
	files, err := migrations()
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, pool, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	if to > 0 {
		if _, err := p.UpTo(ctx, to); err != nil {
			return fmt.Errorf("migrate the store: %w", err)
		}
	}
	if err := name(ctx, pool, to); err != nil {
		return fmt.Errorf("name the store: %w", err)
	}
	_, err = pool.ExecContext(ctx, "PRAGMA user_version = "+strconv.FormatInt(to, 10))
	return err
}

// name gives a store that has just got its first tables its id. One that lost
// its row later is damaged and stays so.
func name(ctx context.Context, pool *sql.DB, to int64) error {
	_, before, err := marks(ctx, pool)
	if err != nil || before > 0 || to == 0 {
		return err
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return err
	}
	return db.New(pool).InsertMeta(ctx, db.InsertMetaParams{StoreID: id.String()})
}

// upgrade brings an older store up to this version, alone.
func (s *Store) upgrade(ctx context.Context) error {
	if err := s.lock.hold(true); err != nil {
		return err
	}
	pool, err := sql.Open("sqlite", dsn(s.path, false))
	if err != nil {
		return err
	}
	err = migrate(ctx, pool, schemaVersion())
	return errors.Join(err, pool.Close(), s.lock.hold(s.opt.Exclusive))
}

// create makes a store beside its name and moves it there when it is whole, so
// that nobody ever opens half of one. When two processes do it at once, the
// first one's store counts.
func create(ctx context.Context, name string) error {
	if err := writeKey(name, newKey()); err != nil {
		return err
	}
	tmp := randomName(name)
	if err := build(ctx, tmp, schemaVersion()); err != nil {
		return errors.Join(fmt.Errorf("make the store: %w", err), discard(tmp))
	}
	_, err := settle(tmp, name)
	return err
}

// discard removes an unfinished file and what SQLite left beside it.
func discard(tmp string) error {
	var errs []error
	for _, name := range append(sidecars(tmp), tmp) {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// build makes an empty store of the given version at tmp.
func build(ctx context.Context, tmp string, version int64) (err error) {
	f, err := newFile(tmp)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	pool, err := sql.Open("sqlite", dsn(tmp, false))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	pool.SetMaxOpenConns(1)
	// page_size counts only before the first page is written, and is ignored
	// in a DSN. The file is synced as a whole when it is done.
	for _, p := range []string{
		"page_size = " + strconv.Itoa(pageSize), "synchronous = OFF", "journal_mode = MEMORY",
		"application_id = " + strconv.Itoa(applicationID),
	} {
		if _, err := pool.ExecContext(ctx, "PRAGMA "+p); err != nil {
			return err
		}
	}
	if err := migrate(ctx, pool, version); err != nil {
		return err
	}
	_, err = pool.ExecContext(ctx, "PRAGMA journal_mode = WAL")
	return err
}
