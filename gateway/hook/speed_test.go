package hook_test

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nod/queue"
)

// whole is the time of one hook process from its start to its end, for a call
// that a rule allows: submit, begin, token, answer.
func (g *gate) whole(id string) (time.Duration, error) {
	cmd := exec.Command(g.self, g.args("100")...)
	cmd.Stdin = strings.NewReader(pre("Bash", id, bash))
	begin := time.Now()
	out, err := cmd.Output()
	took := time.Since(begin)
	if err == nil && !strings.Contains(string(out), `"allow"`) {
		err = fmt.Errorf("answered %q", out)
	}
	return took, err
}

func percentile(d []time.Duration, p int) time.Duration {
	slices.Sort(d)
	return d[min(len(d)*p/100, len(d)-1)]
}

// eight starts eight hook processes at once and waits for all.
func (g *gate) eight(round string) (took []time.Duration, err error) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			d, e := g.whole(fmt.Sprintf("%s_%d", round, i))
			mu.Lock()
			defer mu.Unlock()
			took, err = append(took, d), errors.Join(err, e)
		})
	}
	wg.Wait()
	return took, err
}

// TestEightAtOnce: eight hook processes on one store are all answered, each
// call begun once.
func TestEightAtOnce(t *testing.T) {
	g := newGate(t)
	g.mode(t, "allow")
	for round := range 5 {
		if _, err := g.eight(fmt.Sprint(round)); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
	s, err := queue.Get[queue.Status](t.Context(), g.Operator, queue.QStatus{})
	if err != nil || s.Counters.Spent != 40 {
		t.Errorf("%d asks are spent, want 40 (%v)", s.Counters.Spent, err)
	}
}

// BenchmarkEightAtOnce compares, in one run, eight hook processes at once with
// one alone: p99 should be at most 20 times the median of one. Run it on an
// idle machine: go test -run - -bench EightAtOnce -benchtime 25x ./gateway/hook
func BenchmarkEightAtOnce(b *testing.B) {
	g := newGate(b)
	g.mode(b, "allow")
	var alone, together []time.Duration
	for i := range 40 {
		took, err := g.whole(fmt.Sprintf("alone_%d", i))
		if err != nil {
			b.Fatal(err)
		}
		alone = append(alone, took)
	}
	round := 0
	for b.Loop() {
		took, err := g.eight(fmt.Sprint("round_", round))
		if err != nil {
			b.Fatal(err)
		}
		together, round = append(together, took...), round+1
	}
	median, worst := percentile(alone, 50), percentile(together, 99)
	b.ReportMetric(float64(median)/1e6, "ms-one")
	b.ReportMetric(float64(percentile(together, 50))/1e6, "ms-median")
	b.ReportMetric(float64(worst)/1e6, "ms-p99")
	b.ReportMetric(float64(worst)/float64(median), "p99/one")
}

// BenchmarkAnswerArrives measures from a decision in one process to the first
// byte of the answer of a hook that waits in another, its begin included; p99
// should be at most 30 ms. Run it on an idle machine:
// go test -run - -bench AnswerArrives -benchtime 100x ./gateway/hook
func BenchmarkAnswerArrives(b *testing.B) {
	g := newGate(b)
	var took []time.Duration
	for b.Loop() {
		i := len(took)
		cmd := exec.Command(g.self, g.args("100")...)
		cmd.Stdin = strings.NewReader(pre("Bash", fmt.Sprintf("toolu_%d", i), fmt.Sprintf(`{"command":"echo %d"}`, i)))
		out, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		row := g.Pending(b, 1)[0]
		time.Sleep(40 * time.Millisecond) // until it waits
		g.Decide(b, row, queue.Decide{Verdict: queue.VerdictAllow})
		begin := time.Now()
		if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begin))
		if _, err := io.Copy(io.Discard, out); err != nil {
			b.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(percentile(took, 50))/1e6, "ms-median")
	b.ReportMetric(float64(percentile(took, 99))/1e6, "ms-p99")
}
