//go:build unix

package sqlite

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"nod/queue"
)

// processor is the time that this process has used: on a loaded machine it says
// more than the clock.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// timed does one reading again and again and reports the median, and what one
// takes of a processor.
func timed(b *testing.B, read func() error) {
	b.Helper()
	var took []float64
	before := processor(b)
	for b.Loop() {
		start := time.Now()
		if err := read(); err != nil {
			b.Fatal(err)
		}
		took = append(took, float64(time.Since(start).Microseconds())/1000)
	}
	b.ReportMetric(float64((processor(b)-before).Microseconds())/1000/float64(len(took)), "ms-processor")
	b.ReportMetric(median(took), "ms-median")
	b.ReportMetric(0, "ns/op")
}

// gistAt rewrites one pending ask, so that words find it.
func gistAt(b *testing.B, s *Store, order string) {
	b.Helper()
	must(b, s.w.c, "UPDATE asks SET gist = 'needle in a haystack' WHERE seq = (SELECT seq FROM asks WHERE state = 'pending' ORDER BY "+order+" LIMIT 1)")
}

// BenchmarkFind: a filtered page of the inbox, with the hit at the start, at
// the end and nowhere; one page looks at 10,000 rows, whole goes on to the end.
//
//	go test -run - -bench BenchmarkFind -benchtime 20x -timeout 30m ./store/sqlite
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		if n > 100_000 && testing.Short() {
			continue // makes a store of 4 GB
		}
		s := fresh(b, Options{})
		populate(b, s, n)
		view := func(q queue.QInbox) (p queue.Page, err error) {
			err = s.View(context.Background(), func(tx queue.ReadTx) (err error) {
				p, err = tx.FindPending(q, 2000)
				return err
			})
			return p, err
		}
		find := func(words string, whole bool, want int) func() error {
			return func() error {
				q, got := queue.QInbox{Limit: 50, Filter: queue.Filter{Find: words}}, 0
				for more := true; more; {
					p, err := view(q)
					if err != nil {
						return err
					}
					got += len(p.Rows)
					q.After, more = p.Reached, p.More && whole
				}
				if got != want {
					return fmt.Errorf("%d found, want %d", got, want)
				}
				return nil
			}
		}
		name := func(what string) string { return fmt.Sprintf("pending=%d/%s", n, what) }
		b.Run(name("every row is a hit"), func(b *testing.B) { timed(b, find("bash mk", false, 50)) })
		b.Run(name("none, one page"), func(b *testing.B) { timed(b, find("needle", false, 0)) })
		b.Run(name("none, whole"), func(b *testing.B) { timed(b, find("needle", true, 0)) })
		gistAt(b, s, "urgency, seq")
		b.Run(name("the first, one page"), func(b *testing.B) { timed(b, find("needle hay", false, 1)) })
		must(b, s.w.c, "UPDATE asks SET gist = 'make test' WHERE gist LIKE 'needle%' AND seq < 100")
		gistAt(b, s, "urgency DESC, seq DESC")
		b.Run(name("the last, whole"), func(b *testing.B) { timed(b, find("needle hay", true, 1)) })
		b.Run(name("a tool that is not there, one page"), func(b *testing.B) {
			timed(b, func() error {
				_, err := view(queue.QInbox{Limit: 50, Filter: queue.Filter{Tool: "none"}})
				return err
			})
		})
	}
}

// BenchmarkStats: statistics of 100,000 asks in the span, all of them answered
// by a person; the sessions with what of them waits, of 10,000 sessions and
// 100,000 pending asks; precedents in a history of 100,000. Want ≤ 150 ms for
// statistics.
//
//	go test -run - -bench BenchmarkStats -benchtime 20x ./store/sqlite
func BenchmarkStats(b *testing.B) {
	const n = 100_000
	s := fresh(b, Options{})
	populate(b, s, n)
	_, operator := ports(s)
	now := time.Now().UnixMilli()
	must(b, s.w.c, "UPDATE asks SET session = 's-' || (seq % 10000)")
	must(b, s.w.c, "INSERT INTO sessions (id, host_id, principal, agent, parent, started_at, last_act, ended_at)"+
		" SELECT DISTINCT session, session, '', 'agent', '', 1, seq, 0 FROM asks WHERE seq <= 10000")
	ask := func(name string, q queue.Query) {
		b.Run(name, func(b *testing.B) {
			timed(b, func() error {
				_, err := operator.Read(context.Background(), q)
				return err
			})
		})
	}
	ask("sessions", queue.QSessions{Limit: 50})
	must(b, s.w.c, fmt.Sprintf("UPDATE asks SET state = CASE WHEN seq = %d THEN 'pending' ELSE 'denied' END, due_at = 0, verdict = 'deny', decided_by = 'person',"+
		" tool = 'tool-' || (seq %% 40), created_at = %d + 30 * seq, decided_at = %[2]d + 30 * seq + seq * 7919 %% 100000", n, now-3_500_000))
	stats, err := queue.Get[queue.Stats](context.Background(), operator, queue.QStats{SpanMS: 3_600_000, Cells: 60})
	if err != nil || stats.Outcomes.Denied != n-1 || len(stats.Tools) != 40 {
		b.Fatalf("%+v, %v", stats.Outcomes, err)
	}
	ask("stats", queue.QStats{SpanMS: 3_600_000, Cells: 60})
	b.Run("precedents", func(b *testing.B) {
		timed(b, func() error {
			return s.View(context.Background(), func(tx queue.ReadTx) error {
				rows, err := tx.Answered("tool-7", 0, 20)
				if len(rows) != 20 {
					return fmt.Errorf("%d rows, %w", len(rows), err)
				}
				return err
			})
		})
	})
}
