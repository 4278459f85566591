//go:build unix

package audit_test

import (
	"testing"

	"nod/audit"
	"nod/queue"
)

// read gives every ask of the player's queue with its events.
func (p *player) read(f func(v *queue.AskView, events []queue.StoredEvent)) (n int) {
	p.t.Helper()
	seen := map[string]bool{}
	for _, s := range p.asks {
		if seen[s.Ask] {
			continue
		}
		seen[s.Ask] = true
		v, err := queue.Get[queue.AskView](p.t.Context(), p.operator, queue.QAsk{ID: s.Ask})
		if err != nil {
			p.t.Fatal(err)
		}
		e, err := queue.Get[queue.Events](p.t.Context(), p.operator, queue.QEvents{Ask: s.Ask, Limit: 500})
		if err != nil {
			p.t.Fatal(err)
		}
		f(&v, e.Events)
		n++
	}
	return n
}

func TestRowsAreAsTheirEventsSay(t *testing.T) {
	alone(t)
	for seed := range uint64(3) {
		p := newPlayer(t, 900+seed)
		for range 300 {
			p.step()
		}
		n := p.read(func(v *queue.AskView, events []queue.StoredEvent) {
			if f := audit.CheckAsk(v, events); f != nil {
				t.Errorf("%v\n%+v", f, v.Row)
			}
		})
		if n < 20 {
			t.Errorf("only %d asks", n)
		}
	}
}

func TestAChangedRowIsFound(t *testing.T) {
	p := newPlayer(t, 1)
	s := p.try(p.agent, queue.Submit{Kind: "call", Session: "s", Call: &queue.Call{Tool: "Bash", Arguments: []byte(`{"command":"ls"}`)}}).(queue.Submitted)
	p.asks = append(p.asks, s)
	p.try(p.operator, queue.Decide{Ask: s.Ask, Verdict: queue.VerdictDeny, ActionDigest: s.ActionDigest, ShownDigest: s.ShownDigest, Words: "no", LinesSeen: 3, LinesAll: 3, DwellMS: 9})
	for name, change := range map[string]func(r *queue.Row){
		"state":      func(r *queue.Row) { r.State = queue.StateAllowed },
		"verdict":    func(r *queue.Row) { r.Verdict = queue.VerdictAllow },
		"no verdict": func(r *queue.Row) { r.Verdict = "" },
		"words":      func(r *queue.Row) { r.Words = "yes" },
		"no words":   func(r *queue.Row) { r.Words = "" },
		"answer":     func(r *queue.Row) { r.Answer = `"x"` },
		"decider":    func(r *queue.Row) { r.Decider = "eve" },
		"by":         func(r *queue.Row) { r.DecidedBy = queue.ByRule },
		"time":       func(r *queue.Row) { r.DecidedAt++ },
		"reading":    func(r *queue.Row) { r.LinesSeen = 2 },
		"dwell":      func(r *queue.Row) { r.DwellMS = 0 },
		"action":     func(r *queue.Row) { r.ActionDigest = r.ShownDigest },
		"shown":      func(r *queue.Row) { r.ShownDigest = r.ActionDigest },
		"tool":       func(r *queue.Row) { r.Tool = "Read" },
		"session":    func(r *queue.Row) { r.Session = "s-1" },
		"deadline":   func(r *queue.Row) { r.AnswerBy++ },
	} {
		p.read(func(v *queue.AskView, events []queue.StoredEvent) {
			if f := audit.CheckAsk(v, events); f != nil {
				t.Fatalf("unchanged: %v", f)
			}
			change(&v.Row)
			if f := audit.CheckAsk(v, events); f == nil || f.Code != audit.CodeRow {
				t.Errorf("%s: %v", name, f)
			}
		})
	}
}
