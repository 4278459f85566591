package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nod/queue"
	"nod/store/sqlite/db"
)

// contentSize is about what an ask's canonical bytes take.
const contentSize = 3000

// baseline is B of the issue: an autocommit INSERT of one row that holds the
// same canonical bytes, into a table with the store's columns and indexes of
// an ask, with its driver, page size and pragmas, on one connection.
type baseline struct {
	c    *conn
	path string
	i    int
}

func newBaseline(tb testing.TB) *baseline {
	tb.Helper()
	ctx := context.Background()
	path := filepath.Join(tb.TempDir(), "b.db")
	if err := build(ctx, path, schemaVersion()); err != nil {
		tb.Fatal(err)
	}
	pool := sql.OpenDB(&connector{s: &Store{path: path, file: mustFile(tb, path)}})
	tb.Cleanup(func() { _ = pool.Close() })
	c, err := newConn(ctx, pool)
	if err != nil {
		tb.Fatal(err)
	}
	return &baseline{c: c, path: path}
}

func (b *baseline) insert(content []byte) error {
	b.i++
	row := pendingRow(b.i, content)
	_, err := b.c.run(db.InsertPending, int64(b.i), int64(b.i)/stretch, row.ID, row.Kind, string(row.State), row.Urgency,
		string(row.ActionDigest), string(row.ShownDigest), string(row.AskDigest),
		row.Session, short(string(row.ActionDigest)), strconv.Itoa(b.i),
		row.CallKey, short(row.CallKey), row.Agent, row.User, row.Host, row.Tool, row.Gist, row.GistMore, row.Cwd,
		"default", int64(0), int64(0), row.CreatedAt, row.AnswerBy, row.UseWithinMS, row.DueAt(), row.MovedAt,
		row.WaiterHash, row.WaiterUntil, row.Rule, row.Grant, row.Replaces, int64(0), "", string(content))
	return err
}

// update is the matching UPDATE of a decide.
func (b *baseline) update(i int) error {
	row := pendingRow(i, body(i, contentSize))
	allowed(row)
	n, err := b.c.run(db.MoveAsk, moveArgs(row, queue.StatePending, 2000, " 7")...)
	return one(n, err, "update")
}

// slice is how long B and the store run in turn: short, so that both meet the
// same load of the machine, and long beside the start and end of 64 callers;
// the median of the slices' ratios counts.
const slice = 350 * time.Millisecond

// perSecond runs f from n goroutines at once for one slice and gives the rate.
func perSecond(tb testing.TB, n int, f func() error) float64 {
	tb.Helper()
	var wg sync.WaitGroup
	var done atomic.Int64
	start := time.Now()
	for range n {
		wg.Go(func() {
			for time.Since(start) < slice {
				if err := f(); err != nil {
					tb.Error(err)
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	return float64(done.Load()) / time.Since(start).Seconds()
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// compare reports what n callers of act reach beside plain, in turn.
func compare(b *testing.B, s *Store, n int, plain, act func() error) {
	b.Helper()
	var base, rate, ratio []float64
	before := s.Stats()
	for b.Loop() {
		base = append(base, perSecond(b, 1, plain))
		rate = append(rate, perSecond(b, n, act))
		ratio = append(ratio, rate[len(rate)-1]/base[len(base)-1])
	}
	after := s.Stats()
	b.ReportMetric(median(base), "B/s")
	b.ReportMetric(median(rate), "acts/s")
	b.ReportMetric(median(ratio), "×B")
	b.ReportMetric(float64(after.Commits-before.Commits)/float64(after.Acts-before.Acts), "commits/act")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkSubmitShape: durable submits, as the store sees them, beside B.
// Want ×B ≥ 0.7 with one caller, ≥ 2 with 8, ≥ 3.5 with 64, and fewer than
// 0.2 commits (each one fsync; copying the log adds two each 1,000 pages)
// an act with 64.
//
//	go test -run - -bench SubmitShape -benchtime 30x ./store/sqlite
func BenchmarkSubmitShape(b *testing.B) {
	for _, n := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("callers=%d", n), func(b *testing.B) {
			s := fresh(b, Options{})
			base := newBaseline(b)
			var next atomic.Int64
			compare(b, s, n,
				func() error { return base.insert(body(base.i, contentSize)) },
				func() error {
					i := int(next.Add(1))
					content := body(i, contentSize)
					return s.Do(context.Background(), func(tx queue.Tx) error { return submit(tx, i, content) })
				})
		})
	}
}

// BenchmarkDecideShape: durable decisions beside the matching UPDATE. Want ×B
// ≥ 0.7 with one caller, ≥ 2 with 8.
//
//	go test -run - -bench DecideShape -benchtime 10x ./store/sqlite
func BenchmarkDecideShape(b *testing.B) {
	for _, n := range []int{1, 8} {
		b.Run(fmt.Sprintf("callers=%d", n), func(b *testing.B) {
			const rows = 60_000
			s := fresh(b, Options{})
			populate(b, s, rows)
			base := newBaseline(b)
			must(b, base.c, "BEGIN")
			for range rows {
				if err := base.insert(body(base.i+1, contentSize)); err != nil {
					b.Fatal(err)
				}
			}
			must(b, base.c, "COMMIT")
			var next, plain atomic.Int64
			compare(b, s, n,
				func() error { return base.update(int(plain.Add(1))) },
				func() error {
					return s.Do(context.Background(), func(tx queue.Tx) error { return decide(tx, int(next.Add(1))) })
				})
		})
	}
}

// populate puts n pending asks into s without waiting for the disk.
func populate(tb testing.TB, s *Store, n int) {
	tb.Helper()
	must(tb, s.w.c, "PRAGMA synchronous = OFF")
	defer must(tb, s.w.c, "PRAGMA synchronous = FULL")
	ctx := context.Background()
	const each = 5000
	for from := 1; from <= n; from += each {
		err := s.Do(ctx, func(tx queue.Tx) error {
			for i := from; i < from+each && i <= n; i++ {
				if err := submit(tx, i, body(i, contentSize)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
}

func must(tb testing.TB, c *conn, query string) {
	tb.Helper()
	if _, err := c.run(query); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkFirstPage: the first page of 50 pending asks with the counters.
// Want ≤ 1 ms at 100,000 pending, and 1,000,000 ≤ 1.5 × 10,000.
//
//	go test -run - -bench FirstPage ./store/sqlite
func BenchmarkFirstPage(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("pending=%d", n), func(b *testing.B) {
			if n > 100_000 && testing.Short() {
				b.Skip("makes a store of 4 GB")
			}
			s := fresh(b, Options{})
			populate(b, s, n)
			var took []float64
			for b.Loop() {
				start := time.Now()
				err := s.View(context.Background(), func(tx queue.ReadTx) error {
					rows, more, err := tx.PendingPage(queue.QInbox{Limit: 50})
					if err != nil || len(rows) != 50 || !more {
						return fmt.Errorf("%d rows, more %v, %w", len(rows), more, err)
					}
					c, err := tx.Counters()
					if err != nil || c.Pending != int64(n) {
						return fmt.Errorf("counters %+v, %w", c, err)
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
				took = append(took, float64(time.Since(start).Microseconds()))
			}
			b.ReportMetric(median(took), "µs-median")
		})
	}
}
