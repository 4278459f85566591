package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"nod/queue"
)

// closed makes a store with one ask and closes it.
func closed(t testing.TB) (path string) {
	t.Helper()
	s := fresh(t, Options{})
	do(t, s, func(tx queue.Tx) error { return submit(tx, 1, body(1, 10)) })
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return s.Path()
}

// tamper runs SQL on a store behind its back.
func tamper(t testing.TB, path, query string) {
	t.Helper()
	pool, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = pool.ExecContext(context.Background(), query)
	if err := errors.Join(err, pool.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestAStoreThatCannotBeTrustedIsRefused(t *testing.T) {
	swap := func(t *testing.T, path, to string) {
		t.Helper()
		if err := errors.Join(os.Rename(path, to), os.Symlink(to, path)); err != nil {
			t.Fatal(err)
		}
	}
	write := func(t *testing.T, path, text string, mode fs.FileMode) {
		t.Helper()
		if err := errors.Join(os.WriteFile(path, []byte(text), mode), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
	}
	chmod := func(t *testing.T, path string, mode fs.FileMode) {
		t.Helper()
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		code  string
		spoil func(t *testing.T, path string)
	}{
		"untouched":         {"", func(*testing.T, string) {}},
		"missing":           {CodeMissing, func(t *testing.T, p string) { swap(t, p, p+".away"); _ = os.Remove(p) }},
		"no directory":      {CodeMissing, func(t *testing.T, p string) { _ = os.RemoveAll(filepath.Dir(p)) }},
		"linked store":      {CodeLink, func(t *testing.T, p string) { swap(t, p, p+".real") }},
		"linked directory":  {CodeLink, func(t *testing.T, p string) { swap(t, filepath.Dir(p), filepath.Dir(p)+".real") }},
		"linked key":        {CodeLink, func(t *testing.T, p string) { swap(t, p+".key", p+".key.real") }},
		"linked lock":       {CodeLink, func(t *testing.T, p string) { swap(t, p+".lock", p+".lock.real") }},
		"linked wal":        {CodeLink, func(t *testing.T, p string) { write(t, p+".x", "", 0o600); _ = os.Symlink(p+".x", p+"-wal") }},
		"linked shm":        {CodeLink, func(t *testing.T, p string) { write(t, p+".x", "", 0o600); _ = os.Symlink(p+".x", p+"-shm") }},
		"a directory":       {CodeLink, func(t *testing.T, p string) { _ = os.Remove(p); _ = os.Mkdir(p, 0o700) }},
		"open to the group": {CodeLoose, func(t *testing.T, p string) { chmod(t, p, 0o640) }},
		"writable by all":   {CodeLoose, func(t *testing.T, p string) { chmod(t, p, 0o602) }},
		"loose directory":   {CodeLoose, func(t *testing.T, p string) { chmod(t, filepath.Dir(p), 0o755) }},
		"loose key":         {CodeLoose, func(t *testing.T, p string) { chmod(t, p+".key", 0o644) }},
		"loose wal":         {CodeLoose, func(t *testing.T, p string) { write(t, p+"-wal", "", 0o644) }},
		"newer":             {CodeNewer, func(t *testing.T, p string) { tamper(t, p, "PRAGMA user_version = 9999") }},
		"another database":  {CodeForeign, func(t *testing.T, p string) { tamper(t, p, "PRAGMA application_id = 7") }},
		"text":              {CodeCorrupt, func(t *testing.T, p string) { write(t, p, "this is not a database at all, it is a note", 0o600) }},
		"text without key": {CodeForeign, func(t *testing.T, p string) {
			write(t, p, "dear diary, this is no database", 0o600)
			_ = os.Remove(p + ".key")
		}},
		"torn pages":   {CodeCorrupt, func(t *testing.T, p string) { _ = os.Truncate(p, 3*pageSize) }},
		"short key":    {CodeCorrupt, func(t *testing.T, p string) { write(t, p+".key", "short", 0o600) }},
		"no key":       {CodeMissing, func(t *testing.T, p string) { _ = os.Remove(p + ".key") }},
		"no meta":      {CodeCorrupt, func(t *testing.T, p string) { tamper(t, p, "DELETE FROM meta") }},
		"bad counters": {CodeCorrupt, func(t *testing.T, p string) { tamper(t, p, "UPDATE meta SET kept = '1 2 x'") }},
	} {
		t.Run(name, func(t *testing.T) {
			path := closed(t)
			c.spoil(t, path)
			before, _ := os.ReadFile(path) //nolint:errcheck // missing in some cases
			s, err := Open(context.Background(), path, Options{})
			if c.code == "" {
				if err != nil {
					t.Fatal(err)
				}
				_ = s.Close()
				return
			}
			wantCode(t, "open", err, c.code)
			after, _ := os.ReadFile(path) //nolint:errcheck // missing in some cases
			if string(before) != string(after) {
				t.Error("the refused file was changed")
			}
		})
	}
}

func TestAStoreSwappedWhileOpenIsRefused(t *testing.T) {
	s := fresh(t, Options{})
	ctx := context.Background()
	do(t, s, func(tx queue.Tx) error { return submit(tx, 1, body(1, 10)) })
	if err := errors.Join(os.Rename(s.path, s.path+".away"), os.WriteFile(s.path, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	wantCode(t, "act", s.Do(ctx, func(tx queue.Tx) error { return submit(tx, 2, body(2, 10)) }), CodeReplaced)
	wantCode(t, "view", s.View(ctx, func(queue.ReadTx) error { return nil }), CodeReplaced)
	if err := os.Rename(s.path+".away", s.path); err != nil {
		t.Fatal(err)
	}
	do(t, s, func(tx queue.Tx) error { return submit(tx, 2, body(2, 10)) })
}

func TestWhoHoldsAStoreAlone(t *testing.T) {
	path := closed(t)
	one := opened(t, path, Options{})
	_, err := Open(context.Background(), path, Options{Exclusive: true})
	wantCode(t, "alone beside another", err, CodeLocked)
	two := opened(t, path, Options{})
	if err := errors.Join(one.Close(), two.Close()); err != nil {
		t.Fatal(err)
	}
	alone := opened(t, path, Options{Exclusive: true})
	for _, opt := range []Options{{}, {ReadOnly: true}, {Exclusive: true}} {
		_, err = Open(context.Background(), path, opt)
		wantCode(t, "beside the one who is alone", err, CodeLocked)
	}
	if err := alone.Close(); err != nil {
		t.Fatal(err)
	}
	opened(t, path, Options{})
}

func TestReadOnly(t *testing.T) {
	path := closed(t)
	s := opened(t, path, Options{ReadOnly: true})
	wantCode(t, "act", s.Do(context.Background(), func(queue.Tx) error { return nil }), CodeReadonly)
	view(t, s, func(tx queue.ReadTx) error {
		row, err := tx.Ask(pendingRow(1, nil).ID)
		if row == nil {
			t.Error("no ask")
		}
		return err
	})
	if len(s.ID()) != 36 || len(s.Key()) != keySize {
		t.Errorf("id %q, key of %d bytes", s.ID(), len(s.Key()))
	}
	_, err := Open(context.Background(), path+"x", Options{ReadOnly: true, Create: true})
	wantCode(t, "missing", err, CodeMissing)
}

func TestAWriteThatSQLiteRefusesIsReadonly(t *testing.T) {
	s := fresh(t, Options{})
	must(t, s.w.c, "PRAGMA query_only = ON")
	err := s.Do(context.Background(), func(tx queue.Tx) error { return submit(tx, 2, body(2, 10)) })
	wantCode(t, "act", err, CodeReadonly)
}

func TestManyMakeOneStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nod", "nod.db")
	ids := make([]string, 8)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			s, err := Open(context.Background(), path, Options{Create: true})
			if err != nil {
				t.Error(err)
				return
			}
			ids[i] = s.ID() + string(s.Key())
			err = s.Do(context.Background(), func(tx queue.Tx) error { return submit(tx, i, body(i, 10)) })
			if err := errors.Join(err, s.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("several stores or keys were made")
		}
	}
	s := opened(t, path, Options{})
	view(t, s, func(tx queue.ReadTx) error {
		c, err := tx.Counters()
		if c.Pending != int64(len(ids)) {
			t.Errorf("counters %+v", c)
		}
		return err
	})
	left, err := filepath.Glob(path + "*.new-*")
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

func TestPragmas(t *testing.T) {
	s := fresh(t, Options{})
	for query, want := range map[string]string{
		"page_size": strconv.Itoa(pageSize), "journal_mode": "wal", "synchronous": "2", "foreign_keys": "1",
		"application_id": strconv.Itoa(applicationID), "recursive_triggers": "1",
	} {
		var got string
		if err := s.w.c.sc.QueryRowContext(context.Background(), "PRAGMA "+query).Scan(&got); err != nil || got != want {
			t.Errorf("%s = %s, want %s, %v", query, got, want, err)
		}
	}
	tables, err := s.w.c.ints("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version' AND sql NOT LIKE '%STRICT'")
	if err != nil || tables[0] != 0 {
		t.Errorf("%d tables are not STRICT, %v", tables[0], err)
	}
}
