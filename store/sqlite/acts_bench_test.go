//go:build unix

package sqlite

import (
	"context"
	"testing"

	"nod/queue"
)

// BenchmarkActs: what a submit, its decision and its begin take of a processor, in a
// store without targets. Nothing waits for a disk, so two builds compare.
//
//	go test -run - -bench Acts -benchtime 1x ./store/sqlite
func BenchmarkActs(b *testing.B) {
	const n = 12_000
	for range b.N {
		s := fresh(b, Options{})
		agent, operator := ports(s)
		ctx := context.Background()
		must(b, s.w.c, "PRAGMA synchronous = OFF")
		subs := make([]queue.Submitted, n)
		each := func(name string, act func(i int) error) {
			before := processor(b)
			for i := range subs {
				if err := act(i); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((processor(b)-before).Microseconds())/n, "µs/"+name)
		}
		each("submit", func(i int) (err error) {
			subs[i], err = queue.As[queue.Submitted](ctx, agent, ask(i))
			return err
		})
		each("decide", func(i int) error {
			_, err := operator.Do(ctx, queue.Decide{Ask: subs[i].Ask, Verdict: queue.VerdictAllow,
				ActionDigest: subs[i].ActionDigest, ShownDigest: subs[i].ShownDigest})
			return err
		})
		each("begin", func(i int) error {
			_, err := agent.Do(ctx, queue.Begin{Ask: subs[i].Ask, Token: subs[i].Token, Action: subs[i].Action, Executor: "bench"})
			return err
		})
	}
}
