//go:build unix

package faults

import (
	"database/sql"
	"fmt"
	"testing"

	_ "modernc.org/sqlite" // reads the file behind the store's back

	"nod/queue"
	"nod/queue/ledger"
)

// sameFile reads the closed store's file with SQLite alone: it is sound, holds
// as many rows as the events make.
func sameFile(t testing.TB, l *ledger.Ledger, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	one := func(query string) string {
		var got string
		if err := db.QueryRowContext(t.Context(), query).Scan(&got); err != nil {
			t.Errorf("%s: %v", query, err)
		}
		return got
	}
	left := int64(0)
	for _, g := range l.Grants {
		left += g.Left
	}
	open := 0
	for i := range l.Freezes {
		if !l.Freezes[i].Lifted {
			open++
		}
	}
	for query, want := range map[string]any{
		"PRAGMA integrity_check":                                       "ok",
		"SELECT count(*) FROM pragma_foreign_key_check":                0,
		"SELECT count(*) FROM asks":                                    len(l.Asks),
		"SELECT count(*) FROM attempts":                                len(l.Runs),
		"SELECT count(DISTINCT ask_id) FROM attempts":                  len(l.Runs),
		"SELECT count(*) FROM events":                                  l.Seq,
		"SELECT count(*) FROM freezes":                                 len(l.Freezes),
		"SELECT count(*) FROM freezes WHERE lifted_at = 0":             open,
		"SELECT count(*) FROM grants":                                  len(l.Grants),
		"SELECT CAST(COALESCE(sum(uses_left), 0) AS TEXT) FROM grants": left,
		"SELECT count(*) FROM asks WHERE state = 'pending'":            l.Counts.Pending,
	} {
		if got := one(query); got != fmt.Sprint(want) {
			t.Errorf("%s: %s, want %v", query, got, want)
		}
	}
}

// whole judges a store from its first event, by a reader that has seen nothing.
func whole(t testing.TB, store queue.Store) *ledger.Ledger {
	t.Helper()
	l := ledger.New()
	if _, err := l.Follow(t.Context(), store); err != nil {
		t.Fatal(err)
	}
	if err := l.SameRows(t.Context(), store); err != nil {
		t.Fatal(err)
	}
	return l
}
