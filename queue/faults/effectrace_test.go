//go:build unix

package faults

import (
	"fmt"
	"testing"

	"nod/ambiguity"
	"nod/queue"
)

// TestEightProcessesBeginOneEffect: eight asks of one effect, each allowed, and
// eight processes that begin them at once: one runs, the others are told which.
// Half the winners never start what they began, so that the effect is free
// again; then one of the others runs as attempt 2, and no third.
func TestEightProcessesBeginOneEffect(t *testing.T) {
	const processes = 8
	n := rounds(t, "NOD_FAULT_EFFECT", 1000, 40)
	a := newArena(t, processes)
	operator := newQueue(a.store, queue.Settings{}).Port(operatorConn("ann"))
	winners := map[int]int{}
	begins := 0
	for i := range n {
		asks := make([]queue.Submitted, processes)
		for p := range asks {
			sub := call("effect", fmt.Sprintf("effect-%d-%d", i, p))
			sub.Call.Effect = &queue.Effect{ID: fmt.Appendf(nil, `"effect-%d"`, i)}
			asks[p] = do[queue.Submitted](t, a.agent, sub)
			do[queue.Decided](t, operator, decide(asks[p], queue.VerdictAllow))
		}
		won := a.beginAll(t, i, asks, 1)
		begins++
		winners[won.process]++
		if i%2 == 0 {
			continue
		}
		do[queue.Reported](t, a.agent, queue.Report{Attempt: won.begun.Attempt, Token: won.begun.Token, Exit: queue.ExitBlocked})
		again := a.beginAll(t, i, append(asks[:won.process:won.process], asks[won.process+1:]...), 2)
		begins++
		do[queue.Reported](t, a.agent, queue.Report{Attempt: again.begun.Attempt, Token: again.begun.Token, Exit: queue.ExitTimeout})
	}
	l := whole(t, a.store)
	if len(l.Runs) != begins {
		t.Errorf("%d attempts, want %d", len(l.Runs), begins)
	}
	for p := range processes {
		if n >= 100 && winners[p] == 0 {
			t.Errorf("process %d never won: that is no race", p)
		}
	}
	t.Logf("eight processes begin one effect: %d rounds, %d attempts, one at a time; won by %v", n, begins, winners)
}

// won is the one process that began.
type won struct {
	process int
	begun   queue.Begun
}

// beginAll lets as many processes as there are asks begin at once.
func (a *arena) beginAll(t *testing.T, round int, asks []queue.Submitted, number int64) won {
	t.Helper()
	acts := make([]racer, len(asks))
	for p := range acts {
		acts[p] = racer{agent, begin(asks[p], fmt.Sprintf("process-%d", p))}
	}
	w := won{process: -1}
	rs := a.race(acts...)
	for p, r := range rs {
		if r.err != nil {
			continue
		}
		if w.process >= 0 {
			t.Fatalf("round %d: processes %d and %d both began", round, w.process, p)
		}
		w = won{p, r.result.(queue.Begun)}
	}
	if w.process < 0 || w.begun.Number != number {
		t.Fatalf("round %d: %+v, want attempt %d: %v", round, w, number, rs[0].err)
	}
	for p, r := range rs {
		if p != w.process && (r.refusal == nil || r.refusal.Code != ambiguity.CodeInProgress || r.refusal.Effect == "") {
			t.Fatalf("round %d: process %d was told %+v, %v", round, p, r.refusal, r.err)
		}
	}
	return w
}
