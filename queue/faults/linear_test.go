//go:build unix

package faults

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"nod/queue"
)

// move is one act on one ask as several processes tried it at once, and what
// each was told.
type move struct {
	act  string // allow, deny, begin, revoke, withdraw, look
	told string // ok, a refusal's code, or the state seen
}

// one ask as a machine of one thread: DESIGN §4's table without clock.
var asksLife = porcupine.Model{
	Init: func() any { return queue.StatePending },
	Step: func(state, _, output any) (bool, any) {
		s, m := state.(queue.State), output.(move)
		after, told := lifeStep(s, m.act)
		if m.told != told {
			return false, s
		}
		return true, after
	},
	DescribeOperation: func(_, output any) string { return fmt.Sprintf("%+v", output) },
}

// lifeStep says what an act makes of an ask in state s, and what its caller is
// told.
func lifeStep(s queue.State, act string) (after queue.State, told string) {
	lost := map[queue.State]string{queue.StateSpent: queue.CodeSpent, queue.StateWithdrawn: queue.CodeTooLate,
		queue.StateDenied: queue.CodeDecided, queue.StateRevoked: queue.CodeDecided, queue.StateAllowed: queue.CodeDecided}[s]
	switch {
	case act == "look":
		return s, string(s)
	case act == "allow" && s == queue.StatePending:
		return queue.StateAllowed, "ok"
	case act == "deny" && s == queue.StatePending:
		return queue.StateDenied, "ok"
	case act == "withdraw" && !s.Final():
		return queue.StateWithdrawn, "ok"
	case act == "begin" && s == queue.StateAllowed:
		return queue.StateSpent, "ok"
	case act == "revoke" && s == queue.StateAllowed:
		return queue.StateRevoked, "ok"
	case s == queue.StatePending:
		return s, queue.CodeNotAllowedYet
	default:
		return s, lost
	}
}

// TestHistoriesAreLinearizable: what several processes were told about one ask
// is what they would have been told one after the other, in an order that
// agrees with the clock on the wall.
func TestHistoriesAreLinearizable(t *testing.T) {
	const processes = 4
	n := rounds(t, "NOD_FAULT_LINEAR", 1000, 60)
	a := newArena(t, processes)
	asks := submitAll(t, a.agent, "linear", n)
	told := map[move]int{}
	for i, s := range asks {
		var history []porcupine.Operation
		type going struct {
			act string
			at  time.Time
			ch  <-chan reply
		}
		for range 3 { // three waves, each of acts at the same time
			var wave []going
			for range processes + rand.N(processes) { //nolint:gosec // a load
				act := []string{"allow", "deny", "begin", "begin", "revoke", "withdraw", "look", "allow"}[rand.N(8)] //nolint:gosec // a load
				who, what := linearAct(act, s)
				p := a.peers[rand.N(processes)] //nolint:gosec // a load
				at := time.Now()
				wave = append(wave, going{act, at, p.start(who, what)})
			}
			for _, g := range wave {
				r := <-g.ch
				m := move{act: g.act}
				switch {
				case r.refusal != nil:
					m.told = r.refusal.Code
				case r.err != nil:
					t.Fatalf("ask %d: %s: %v", i, g.act, r.err)
				case g.act == "look":
					m.told = string(r.result.(queue.Standing).State)
				default:
					m.told = "ok"
				}
				told[m]++
				// The other process's clock is this machine's.
				history = append(history, porcupine.Operation{ClientId: len(history), Input: g.act, Output: m,
					Call: r.begun.UnixNano(), Return: r.end.UnixNano()})
			}
		}
		if !porcupine.CheckOperations(asksLife, history) {
			t.Fatalf("ask %d: no order of these gives these answers: %v", i, history)
		}
	}
	whole(t, a.store)
	t.Logf("linearizable: %d asks, %d kinds of act and answer seen over %d processes: %v", n, len(told), processes, told)
	if told[move{"begin", "ok"}] == 0 || told[move{"revoke", "ok"}] == 0 || told[move{"allow", queue.CodeDecided}] == 0 {
		t.Errorf("the histories are too tame: %v", told)
	}
}

func linearAct(name string, s queue.Submitted) (who string, act queue.Act) {
	switch name {
	case "allow":
		return "ann", decide(s, queue.VerdictAllow)
	case "deny":
		return "ben", decide(s, queue.VerdictDeny)
	case "begin":
		return agent, begin(s, "linear")
	case "revoke":
		return "ben", queue.Revoke{Ask: s.Ask}
	case "withdraw":
		return agent, queue.Withdraw{Ask: s.Ask, Token: s.Token}
	default:
		return agent, queue.Wait{Ask: s.Ask, Token: s.Token}
	}
}
