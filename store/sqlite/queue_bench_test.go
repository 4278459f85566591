package sqlite

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"nod/digest"
	"nod/queue"
)

// engine is the whole queue on a store, as a process runs it.
func engine(s *Store) (agent, operator queue.Port) {
	boot := time.Now()
	settings := queue.DefaultSettings()
	settings.MaxPending = 1 << 40
	q := queue.New(s, settings, queue.Edge{
		WallMS: func() int64 { return time.Now().UnixMilli() },
		BootMS: func() int64 { return time.Since(boot).Milliseconds() },
		NewID:  func() string { return uuid.Must(uuid.NewV7()).String() },
		Token:  rand.Text,
	})
	p := digest.Principal{Agent: "bench", User: "dev", Host: "claude-code"}
	return q.Port(queue.Conn{Principal: p, Environment: "local", Role: queue.RoleRequester, Way: "hook"}),
		q.Port(queue.Conn{Principal: digest.Principal{Agent: "operator", User: "mia"}, Role: queue.RoleOperator, Way: "console"})
}

// engineSubmit is a call whose ask takes about contentSize canonical bytes.
func engineSubmit(i int) queue.Submit {
	return queue.Submit{Kind: "call", Session: fmt.Sprintf("s-%d", i%64), CallID: fmt.Sprintf("call-%d", i),
		Call: &queue.Call{Tool: "Bash", Cwd: "/home/mia/shop",
			Arguments: fmt.Appendf(nil, `{"command":"echo %d %s","timeout":120000}`, i, strings.Repeat("x", contentSize-900))}}
}

// BenchmarkSubmit reports durable submits through the whole queue (digest,
// card, judging, event) beside B measured in the same run. Want ≥ 0.7 with one
// caller, ≥ 2 with 8, ≥ 3.5 with 64, and fewer than 0.2 commits an act with 64.
//
//	go test -run '^$' -bench 'BenchmarkSubmit$' -benchtime 20x ./store/sqlite
func BenchmarkSubmit(b *testing.B) {
	for _, n := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("callers=%d", n), func(b *testing.B) {
			s := fresh(b, Options{})
			agent, _ := engine(s)
			base := newBaseline(b)
			ctx := context.Background()
			var submits, plain float64
			var next atomic.Int64
			before := s.Stats()
			rounds := 0
			for b.Loop() {
				plain += perSecond(b, slice, base.insert)
				submits += callers(b, n, slice, func(int) error {
					_, err := agent.Do(ctx, engineSubmit(int(next.Add(1))))
					return err
				})
				rounds++
			}
			after := s.Stats()
			b.ReportMetric(plain/float64(rounds), "B/s")
			b.ReportMetric(submits/float64(rounds), "submits/s")
			b.ReportMetric(submits/plain, "×B")
			b.ReportMetric(float64(after.Commits-before.Commits)/float64(after.Acts-before.Acts), "commits/act")
		})
	}
}

// BenchmarkDecide reports durable decisions through the whole queue beside the
// matching UPDATE: the same columns of one row, autocommit, one connection.
// Want ≥ 0.7 with one caller, ≥ 2 with 8.
//
//	go test -run '^$' -bench 'BenchmarkDecide$' -benchtime 20x ./store/sqlite
func BenchmarkDecide(b *testing.B) {
	const asks = 400 // a round's
	for _, n := range []int{1, 8} {
		b.Run(fmt.Sprintf("callers=%d", n), func(b *testing.B) {
			s := fresh(b, Options{})
			agent, operator := engine(s)
			base := newBaseline(b)
			ctx := context.Background()
			var decided, plain time.Duration
			next := 0
			for b.Loop() {
				acts := make([]queue.Decide, asks)
				for i := range acts {
					next++
					got, err := queue.As[queue.Submitted](ctx, agent, engineSubmit(next))
					if err != nil {
						b.Fatal(err)
					}
					acts[i] = queue.Decide{Ask: got.Ask, Verdict: queue.VerdictDeny, ActionDigest: got.ActionDigest, ShownDigest: got.ShownDigest, Words: "no"}
					if err := base.insert(); err != nil {
						b.Fatal(err)
					}
				}
				start := time.Now()
				for i := range acts {
					if _, err := base.c.run(baselineUpdate, "denied", int64(0), int64(2000), "deny", "person", "mia", "console", int64(2000), "no", int64(base.i-i)); err != nil {
						b.Fatal(err)
					}
				}
				plain += time.Since(start)
				start = time.Now()
				spread(b, n, asks, func(i int) error {
					_, err := operator.Do(ctx, acts[i])
					return err
				})
				decided += time.Since(start)
			}
			b.ReportMetric(float64(plain)/float64(decided), "×UPDATE")
		})
	}
}

const baselineUpdate = `UPDATE asks SET state = ?, due_at = ?, moved_at = ?, verdict = ?, decided_by = ?, decider = ?, decided_way = ?,
    decided_at = ?, words = ? WHERE seq = ? AND state = 'pending'`

// spread runs f(0..total-1) from n goroutines.
func spread(tb testing.TB, n, total int, f func(i int) error) {
	tb.Helper()
	var next atomic.Int64
	callersDone := make(chan error, n)
	for range n {
		go func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= total {
					callersDone <- nil
					return
				}
				if err := f(i); err != nil {
					callersDone <- err
					return
				}
			}
		}()
	}
	for range n {
		if err := <-callersDone; err != nil {
			tb.Fatal(err)
		}
	}
}
