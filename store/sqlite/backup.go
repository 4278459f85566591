package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"nod/store/sqlite/db"
)

// Backup writes a consistent copy of the store to dst, which must be free,
// and of its key to dst.key, while others go on writing. It returns when both
// are durable.
func (s *Store) Backup(ctx context.Context, dst string) error {
	dst, err := filepath.Abs(dst)
	if err != nil {
		return fmt.Errorf("back the store up: %w", err)
	}
	return explain(dst, copyStore(ctx, s.pool, s.key, dst))
}

// Restore makes a store at dst, which must be free, from the backup at src
// and its key. The copy is whole, of nod's kind and no newer than this build,
// or it is refused; that the events are the ones that were written is for
// `nod audit verify` to say.
func Restore(ctx context.Context, src, dst string) (err error) {
	if src, err = filepath.Abs(src); err != nil {
		return fmt.Errorf("restore the store: %w", err)
	}
	if dst, err = filepath.Abs(dst); err != nil {
		return fmt.Errorf("restore the store: %w", err)
	}
	s := &Store{path: src, opt: Options{ReadOnly: true, Readers: 1}}
	if s.file, err = guardFile(src); err != nil {
		return err
	}
	if err := guardSidecars(src); err != nil {
		return err
	}
	if s.key, err = readKey(src); err != nil {
		return err
	}
	if err := s.sound(ctx); err != nil {
		return explain(src, err)
	}
	if err := makeDir(filepath.Dir(dst)); err != nil {
		return explain(dst, err)
	}
	if err := guardDir(filepath.Dir(dst)); err != nil {
		return err
	}
	pool, err := sql.Open("sqlite", dsn(src, true))
	if err != nil {
		return err
	}
	return explain(dst, errors.Join(copyStore(ctx, pool, s.key, dst), pool.Close()))
}

// sound checks a store that is about to be restored.
func (s *Store) sound(ctx context.Context) (err error) {
	pool, err := sql.Open("sqlite", dsn(s.path, true))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	app, version, err := marks(ctx, pool)
	switch {
	case err != nil:
		return s.unreadable(err)
	case app != applicationID:
		return fail(CodeForeign, "name a file that `nod backup` wrote", "%s is not a backup of nod's", s.path)
	case version > schemaVersion():
		return fail(CodeNewer, "update nod", "the backup %s was written by a newer nod (schema %d, this one knows %d)",
			s.path, version, schemaVersion())
	case s.key == nil:
		return fail(CodeMissing, "put the key that was backed up with it beside it",
			"the key %s%s is missing", s.path, keySuffix)
	}
	var verdict string
	if err := pool.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fail(CodeCorrupt, "restore another backup", "the backup %s is damaged: %s", s.path, verdict)
	}
	q := db.New(pool)
	row, err := q.ReadMeta(ctx)
	if err != nil {
		return damaged(err)
	}
	_, err = endOf(row, func() (db.LastEventRow, error) { return q.LastEvent(ctx) })
	return err
}

// copyStore writes the database at pool and its key to dst.
func copyStore(ctx context.Context, pool *sql.DB, key []byte, dst string) error {
	for _, name := range append(sidecars(dst), dst, dst+keySuffix) {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			if err != nil {
				return fmt.Errorf("look at %s: %w", name, err)
			}
			return fail(CodeExists, "name a path that is free; nod overwrites nothing", "%s is there already", name)
		}
	}
	tmp := randomName(dst)
	f, err := newFile(tmp)
	if err != nil {
		return fmt.Errorf("copy the store: %w", err)
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := fill(ctx, pool, tmp); err != nil {
		return errors.Join(fmt.Errorf("copy the store: %w", err), discard(tmp))
	}
	if err := writeKey(dst, key); err != nil {
		return errors.Join(err, discard(tmp))
	}
	first, err := settle(tmp, dst)
	if err == nil && !first {
		err = fail(CodeExists, "name a path that is free; nod overwrites nothing", "%s is there already", dst)
	}
	return err
}

// fill writes one snapshot of pool into the empty file tmp. The copy is a
// single file: it becomes a WAL database when a store is opened on it.
func fill(ctx context.Context, pool *sql.DB, tmp string) error {
	_, err := pool.ExecContext(ctx, "VACUUM INTO ?", tmp)
	return err
}
