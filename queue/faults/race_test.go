//go:build unix

package faults

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"nod/queue"
	"nod/store/sqlite"
)

// arena is one store with several processes on it, and this one's agent.
type arena struct {
	store *sqlite.Store
	agent queue.Port
	peers []*peer
}

func newArena(t testing.TB, processes int) *arena {
	t.Helper()
	path := newStorePath(t)
	a := &arena{store: openStore(t, path, sqlite.Options{Create: true})}
	a.agent = newQueue(a.store, queue.Settings{}).Port(agentConn())
	for range processes {
		a.peers = append(a.peers, startPeer(t, path))
	}
	return a
}

// racer is what one process does in a race.
type racer struct {
	who string
	act queue.Act
}

// race lets the processes act at once, in an order of starting that changes,
// and gives their answers in the order of the acts.
func (a *arena) race(acts ...racer) []reply {
	going := make([]<-chan reply, len(acts))
	for _, i := range rand.Perm(len(acts)) { //nolint:gosec // an order
		going[i] = a.peers[i].start(acts[i].who, acts[i].act)
	}
	out := make([]reply, len(acts))
	for i := range going {
		out[i] = <-going[i]
	}
	return out
}

// eventsOf gives what the chain says of one ask, in words.
func (a *arena) eventsOf(ctx context.Context, ask string) (acts []string, err error) {
	err = a.store.View(ctx, func(tx queue.ReadTx) error {
		events, _, err := tx.Events(queue.QEvents{Ask: ask, Limit: 500})
		for i := range events {
			_, rest, _ := strings.Cut(string(events[i].Body), `"act":"`)
			act, _, _ := strings.Cut(rest, `"`)
			acts = append(acts, act)
		}
		return err
	})
	return acts, err
}

// told checks that a loser was told who won and when.
func told(r *queue.Refusal, code, who string, at int64) error {
	if r.Code != code || r.Who != who || r.At != at || r.Sentence == "" {
		return fmt.Errorf("the loser was told %+v, want %s by %q at %d", *r, code, who, at)
	}
	return nil
}

// TestTwoProcessesDecideOneAsk: one winner, one event, and the loser is told
// who won and when.
func TestTwoProcessesDecideOneAsk(t *testing.T) {
	n := rounds(t, "NOD_FAULT_DECIDE", 10_000, 500)
	a := newArena(t, 2)
	asks := submitAll(t, a.agent, "decide", n)
	names := []string{"ann", "ben"}
	won := make([]int, n)
	each(t, n, 4, func(i int) error {
		verdicts := []queue.Verdict{queue.VerdictAllow, queue.VerdictDeny}
		if i%3 == 0 { // also two who agree
			verdicts[1] = queue.VerdictAllow
		}
		rs := a.race(racer{names[0], decide(asks[i], verdicts[0])}, racer{names[1], decide(asks[i], verdicts[1])})
		w, l := 0, 1
		if rs[0].err != nil {
			w, l = 1, 0
		}
		if rs[w].err != nil || rs[l].refusal == nil {
			return fmt.Errorf("not one winner and one refused: %v, %v", rs[0].err, rs[1].err)
		}
		won[i] = w
		d := rs[w].result.(queue.Decided).Decision
		if d.Who != names[w] || d.Verdict != verdicts[w] {
			return fmt.Errorf("%s decided %s and got %+v", names[w], verdicts[w], d)
		}
		if err := told(rs[l].refusal, queue.CodeDecided, names[w], d.At); err != nil {
			return err
		}
		acts, err := a.eventsOf(t.Context(), asks[i].Ask)
		if err == nil && strings.Join(acts, " ") != "submit decide" {
			err = fmt.Errorf("events: %v", acts)
		}
		return err
	})
	second := 0
	for _, w := range won {
		second += w
	}
	l := whole(t, a.store)
	if l.Seq != int64(2*n) {
		t.Errorf("%d events, want %d", l.Seq, 2*n)
	}
	t.Logf("two processes decide one ask: %d rounds, one winner each (%d to %d), %d decide events, every loser told who and when", n, n-second, second, l.Seq-int64(n))
	if second == 0 || second == n {
		t.Errorf("one process won every round: that is no race")
	}
}

// TestEightProcessesBeginOneAsk: one of them runs it.
func TestEightProcessesBeginOneAsk(t *testing.T) {
	const processes = 8
	n := rounds(t, "NOD_FAULT_BEGIN", 1000, 60)
	a := newArena(t, processes)
	asks := submitAll(t, a.agent, "begin", n)
	winners := map[int]int{}
	for i := range n {
		at := do[queue.Decided](t, newQueue(a.store, queue.Settings{}).Port(operatorConn("ann")), decide(asks[i], queue.VerdictAllow))
		acts := make([]racer, processes)
		for p := range acts {
			acts[p] = racer{agent, begin(asks[i], fmt.Sprintf("process-%d", p))}
		}
		won, spentAt := -1, int64(0)
		rs := a.race(acts...)
		for p, r := range rs {
			switch {
			case r.err == nil && won < 0:
				won = p
			case r.err == nil:
				t.Fatalf("round %d: processes %d and %d both began", i, won, p)
			case r.refusal == nil:
				t.Fatalf("round %d: process %d: %v", i, p, r.err)
			}
		}
		if won < 0 {
			t.Fatalf("round %d: nobody began: %v", i, rs[0].err)
		}
		winners[won]++
		for _, r := range rs {
			if r.err == nil {
				continue
			}
			if spentAt == 0 {
				spentAt = r.refusal.At
			}
			if err := told(r.refusal, queue.CodeSpent, at.Decision.Who, spentAt); err != nil || spentAt < at.Decision.At {
				t.Fatalf("round %d: %v (spent at %d, allowed at %d)", i, err, spentAt, at.Decision.At)
			}
		}
	}
	l := whole(t, a.store)
	if len(l.Runs) != n || l.Seq != int64(3*n) {
		t.Errorf("%d attempts and %d events for %d asks", len(l.Runs), l.Seq, n)
	}
	t.Logf("eight processes begin one allowed ask: %d rounds, %d attempts, wins by process %v, every loser told", n, len(l.Runs), winners)
	if len(winners) < 2 {
		t.Errorf("one process won every round: that is no race")
	}
}

// TestTheInstantOfBegin races begin against what takes an allow away. Whoever
// is first, the other is refused: an effect never runs beside a "no" that its
// person was told had held (revoke, deny, withdraw, freeze).
func TestTheInstantOfBegin(t *testing.T) {
	n := rounds(t, "NOD_FAULT_INSTANT", 2000, 150)
	a := newArena(t, 3)
	operator := newQueue(a.store, queue.Settings{}).Port(operatorConn("ann"))
	for _, against := range []string{"revoke", "withdraw", "freeze", "deny"} {
		t.Run(against, func(t *testing.T) {
			asks := submitAll(t, a.agent, against, n)
			began := 0
			for i, s := range asks {
				ran, err := a.instant(t, operator, against, s)
				if err != nil {
					t.Fatalf("round %d: %v", i, err)
				}
				if ran {
					began++
				}
			}
			t.Logf("%s at the instant of begin: %d rounds, %d began first, %d were stopped, never both", against, n, began, n-began)
			if began == 0 || began == n {
				t.Errorf("one side won every round: that is no race")
			}
		})
	}
	whole(t, a.store)
}

// instant is one round: it reports whether the call ran.
func (a *arena) instant(t *testing.T, operator queue.Port, against string, s queue.Submitted) (ran bool, err error) {
	run := racer{agent, begin(s, "test")}
	stop := racer{"ben", queue.Revoke{Ask: s.Ask}}
	switch against {
	case "withdraw":
		stop = racer{agent, queue.Withdraw{Ask: s.Ask, Token: s.Token}}
	case "freeze":
		stop = racer{"ben", queue.Freeze{}}
	case "deny": // the third process allows at the same moment
		rs := a.race(run, racer{"ben", decide(s, queue.VerdictDeny)}, racer{"ann", decide(s, queue.VerdictAllow)})
		if rs[1].err == nil == (rs[2].err == nil) {
			return false, fmt.Errorf("not one decision: %v, %v", rs[1].err, rs[2].err)
		}
		denied := rs[1].err == nil
		if rs[0].err != nil { // too early, or denied: now that all is said
			rs[0] = a.peers[0].do(run.who, run.act)
		}
		if ran = rs[0].err == nil; ran == denied {
			return ran, fmt.Errorf("denied %v, ran %v (%v)", denied, ran, rs[0].err)
		}
		return ran, nil
	}
	do[queue.Decided](t, operator, decide(s, queue.VerdictAllow))
	rs := a.race(run, stop)
	ran = rs[0].err == nil
	if against == "freeze" {
		if rs[1].err != nil {
			return ran, rs[1].err
		}
		again := a.peers[0].do(run.who, run.act)
		do[queue.Frozen](t, operator, queue.Unfreeze{})
		late := a.peers[0].do(run.who, run.act)
		if again.err == nil || late.err == nil {
			return ran, errors.New("it began under the freeze, or after it")
		}
		return ran, nil
	}
	if ran == (rs[1].err == nil) {
		return ran, fmt.Errorf("begin %v, %s %v", rs[0].err, against, rs[1].err)
	}
	if ran {
		at := rs[1].refusal.At
		if begun := rs[0].end.UnixMilli(); at <= 0 || at > begun {
			return ran, fmt.Errorf("the loser was told %d, it began before %d", at, begun)
		}
		return ran, told(rs[1].refusal, queue.CodeSpent, "ann", at)
	}
	if rs[0].refusal == nil {
		return ran, rs[0].err
	}
	return ran, nil
}
