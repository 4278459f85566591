//go:build unix

package faults

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"nod/queue"
	"nod/queue/ledger"
	"nod/store/sqlite"
)

// tally is what a run of kills came to.
type tally struct {
	cycles, started              int
	acts, acked, open, refusedNo int
	events, batches              int
	codes                        map[string]int
}

// TestKillAtRandomMoments kills processes under load and judges what they
// left: I1, I2, I3, I7, I9, I10, everything acknowledged there, nothing
// invented. The store stays and grows; a last look judges it from its first
// event.
func TestKillAtRandomMoments(t *testing.T) {
	n := rounds(t, "NOD_FAULT_CYCLES", 1000, 40)
	path := newStorePath(t)
	l := ledger.New()
	sum := tally{codes: map[string]int{}}
	for cycle := 0; cycle < n || cycle < 4*n && sum.lacks(l) != ""; cycle++ { // a slow machine does fewer acts before each kill
		j := killed(t, path, cycle, 1+cycle%4/3)
		if err := judge(t.Context(), path, l, j, &sum); err != nil {
			t.Fatalf("cycle %d: %v", cycle, err)
		}
	}
	store := openStore(t, path, sqlite.Options{Create: true})
	if end := whole(t, store); end.Head != l.Head || end.Seq != l.Seq {
		t.Errorf("the last look ends with event %d, the cycles with %d", end.Seq, l.Seq)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	sameFile(t, l, path)
	c := l.Counts
	t.Logf("kill -9: %d cycles (%d processes acting when killed), %d acts tried: %d acknowledged and there, %d unanswered, %d refused and traceless; "+
		"0 lost, 0 invented; %d events, %d asks, %d begins, %d freezes, %d grants, %d edits, %d batches; chain, rows, counters and file agree",
		sum.cycles, sum.started, sum.acts, sum.acked, sum.open, sum.refusedNo, l.Seq, c.Asks, len(l.Runs), len(l.Freezes), len(l.Grants), l.Edits, sum.batches)
	t.Logf("kill -9: refusals seen: %v", sum.codes)
	if lacks := sum.lacks(l); lacks != "" {
		t.Errorf("the load had no %s: %+v, %+v", lacks, c, sum)
	}
}

// lacks names what the load did not come to in all the cycles so far; "" for
// nothing.
func (s *tally) lacks(l *ledger.Ledger) string {
	switch {
	case l.Counts.Spent == 0:
		return "begin"
	case len(l.Freezes) == 0:
		return "freeze"
	case len(l.Grants) == 0:
		return "grant"
	case l.Edits == 0:
		return "edit"
	case s.batches == 0:
		return "batch"
	case s.open == 0:
		return "act without an answer"
	}
	return ""
}

// killed runs load processes on the store, kills each at a random moment and
// gives what they said.
func killed(t *testing.T, path string, cycle, processes int) *journal {
	t.Helper()
	all := newJournal()
	var mu sync.Mutex
	var running sync.WaitGroup
	for i := range processes {
		cmd := role(t, "load", path, fmt.Sprintf("c%dp%d", cycle, i))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill := sync.OnceFunc(func() { _ = cmd.Process.Kill() }) // SIGKILL
		after := rand.N(150 * time.Millisecond)
		switch rand.N(10) {
		case 0: // while it opens the store
			time.AfterFunc(rand.N(60*time.Millisecond), kill)
		case 1: // long enough for checkpoints of the log
			after = rand.N(time.Second)
		}
		running.Go(func() {
			j := newJournal()
			err := j.read(out, func() { time.AfterFunc(after, kill) })
			_ = cmd.Wait() // killed: that is no news
			mu.Lock()
			defer mu.Unlock()
			if err != nil || cmd.ProcessState.Exited() {
				t.Errorf("cycle %d: the load ended by itself: %s, %v", cycle, cmd.ProcessState, err)
			}
			all.merge(j)
			if j.ready {
				all.ready = true
			}
		})
	}
	running.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return all
}

// judge opens the store again and holds it against the ledger and the journal.
func judge(ctx context.Context, path string, l *ledger.Ledger, j *journal, sum *tally) (err error) {
	store, err := sqlite.Open(ctx, path, sqlite.Options{Create: true})
	if err != nil {
		return fmt.Errorf("open the store again: %w", err)
	}
	defer func() {
		if e := store.Close(); err == nil {
			err = e
		}
	}()
	news, err := l.Follow(ctx, store)
	if err != nil {
		return err
	}
	sum.cycles++
	sum.events += len(news)
	if j.ready {
		sum.started++
	}
	for _, a := range j.acts {
		sum.acts++
		switch a.end {
		case acked:
			sum.acked++
			if _, is := a.act.(queue.DecideBatch); is {
				sum.batches++
			}
		case open:
			sum.open++
		default:
			sum.refusedNo++
		}
	}
	for c, n := range j.codes {
		sum.codes[c] += n
	}
	return store.View(ctx, func(tx queue.ReadTx) error {
		return (&auditor{j: j, l: l, tx: tx, news: news}).run()
	})
}

// TestKillWhileTheStoreIsMade: whoever comes next finds a whole store or none,
// and works with it.
func TestKillWhileTheStoreIsMade(t *testing.T) {
	n := rounds(t, "NOD_FAULT_BIRTHS", 200, 15)
	dir := t.TempDir()
	there := 0
	for i := range n {
		path := filepath.Join(dir, fmt.Sprint(i), "nod.db")
		cmd := role(t, "load", path, "x")
		cmd.Stdout = nil
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(120 * time.Millisecond))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if _, err := os.Stat(path); err == nil {
			there++
		}
		store, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
		if err != nil {
			t.Fatalf("after kill %d: %v", i, err)
		}
		p := newQueue(store, queue.Settings{}).Port(agentConn())
		do[queue.Submitted](t, p, call("s", "after"))
		whole(t, store)
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("kill -9 while a store is made: %d times, the store was there %d times; each opened and took an ask", n, there)
}
