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

// ports is the whole queue on a store, as a process runs it.
func ports(s *Store) (agent, operator queue.Port) {
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

// ask is a call whose canonical ask takes about contentSize bytes.
func ask(i int) queue.Submit {
	return queue.Submit{Kind: "call", Session: fmt.Sprintf("s-%d", i%64), CallID: fmt.Sprintf("call-%d", i),
		Call: &queue.Call{Tool: "Bash", Cwd: "/home/mia/shop",
			Arguments: fmt.Appendf(nil, `{"command":"echo %d %s","timeout":120000}`, i, strings.Repeat("x", contentSize-1000))}}
}

// BenchmarkSubmit: durable submits through the whole queue (strict reading,
// digests, card, judging, event) beside B, which inserts the bytes of such an
// ask. Want ×B ≥ 0.7 with one caller, ≥ 2 with 8, ≥ 3.5 with 64.
//
//	go test -run - -bench 'BenchmarkSubmit$' -benchtime 30x ./store/sqlite
func BenchmarkSubmit(b *testing.B) {
	for _, n := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("callers=%d", n), func(b *testing.B) {
			s := fresh(b, Options{})
			agent, operator := ports(s)
			ctx := context.Background()
			got, err := queue.As[queue.Submitted](ctx, agent, ask(0))
			if err != nil {
				b.Fatal(err)
			}
			v, err := queue.Get[queue.AskView](ctx, operator, queue.QAsk{ID: got.Ask})
			if err != nil {
				b.Fatal(err)
			}
			base := newBaseline(b)
			var next atomic.Int64
			compare(b, s, n,
				func() error { return base.insert(v.Ask) },
				func() error {
					_, err := agent.Do(ctx, ask(int(next.Add(1))))
					return err
				})
			b.ReportMetric(float64(len(v.Ask)), "bytes/ask")
		})
	}
}

// BenchmarkDecide: durable decisions through the whole queue beside the
// matching UPDATE. Want ×B ≥ 0.7 with one caller, ≥ 2 with 8.
//
//	go test -run - -bench 'BenchmarkDecide$' -benchtime 10x ./store/sqlite
func BenchmarkDecide(b *testing.B) {
	for _, n := range []int{1, 8} {
		b.Run(fmt.Sprintf("callers=%d", n), func(b *testing.B) {
			const rows = 40_000
			s := fresh(b, Options{})
			agent, operator := ports(s)
			ctx := context.Background()
			must(b, s.w.c, "PRAGMA synchronous = OFF")
			acts := make([]queue.Decide, rows)
			base := newBaseline(b)
			must(b, base.c, "BEGIN")
			for i := range acts {
				got, err := queue.As[queue.Submitted](ctx, agent, ask(i))
				if err != nil {
					b.Fatal(err)
				}
				acts[i] = queue.Decide{Ask: got.Ask, Verdict: queue.VerdictAllow, ActionDigest: got.ActionDigest, ShownDigest: got.ShownDigest}
				if err := base.insert(body(base.i+1, contentSize)); err != nil {
					b.Fatal(err)
				}
			}
			must(b, base.c, "COMMIT")
			must(b, s.w.c, "PRAGMA synchronous = FULL")
			var next, plain atomic.Int64
			compare(b, s, n,
				func() error { return base.update(int(plain.Add(1))) },
				func() error {
					_, err := operator.Do(ctx, acts[next.Add(1)-1])
					return err
				})
		})
	}
}
