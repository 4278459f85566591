//go:build unix

package audit_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"nod/audit"
	"nod/boundary"
	"nod/config/rules"
	"nod/digest"
	"nod/queue"
	"nod/store/sqlite"
)

// player acts at random on a real queue on a real store.
type player struct {
	t               *testing.T
	path            string // of the store's file
	rand            *mathrand.Rand
	wall            int64
	jump            int64 // of the wall clock, against that of the boot
	ids             int
	agent, operator queue.Port
	lab             queue.Port // the agent on a target
	asks            []queue.Submitted
	begun           []queue.Begun
	done            map[string]int // acts that were not refused
}

func newPlayer(t *testing.T, seed uint64) *player {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "nod", "nod.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	set, err := rules.Compile([]rules.Rule{
		{Name: "lists", Tools: []string{"Bash"}, Verdict: "allow", When: `args.command == "c0"`},
		{Name: "removes", Tools: []string{"Bash"}, Verdict: "deny", When: `args.command == "c1"`},
		{Name: "broken", Tools: []string{"Bash"}, Verdict: "allow", When: `args.command == "c2" && args.absent.deeper == 1`},
	})
	if err != nil {
		t.Fatal(err)
	}
	p := &player{t: t, path: store.Path(), rand: mathrand.New(mathrand.NewPCG(seed, 1)), wall: 1_800_000_000_000, done: map[string]int{}}
	s := queue.DefaultSettings()
	s.Targets, s.Posture = []string{"lab-7"}, boundary.MultiTenant
	s.Rules, s.DenyRules, s.ConfigDigest, s.Descriptors = set, set, digest.Of([]byte("configuration")), described(t)
	q := queue.New(store, s, queue.Edge{
		WallMS: func() int64 { return p.wall + p.jump },
		BootMS: func() int64 { return p.wall },
		NewID: func() string {
			p.ids++
			return fmt.Sprintf("019ad5e2-0000-7000-8%03x-%012x", p.ids&0xfff, p.ids)
		},
		Token:   func() string { p.ids++; return fmt.Sprintf("token-%d", p.ids) },
		KeyHash: func(key string) string { return digest.Of([]byte(key)).Hex() },
	})
	p.agent = q.Port(queue.Conn{Principal: digest.Principal{Agent: "claude-code", User: "dev"}, Environment: "local", Role: queue.RoleRequester, Way: "hook"})
	p.lab = q.Port(queue.Conn{Principal: digest.Principal{Agent: "claude-code", User: "dev"}, Environment: "lab-7", Role: queue.RoleRequester, Way: "hook"})
	p.operator = q.Port(queue.Conn{Principal: digest.Principal{Agent: "operator", User: "mia"}, Role: queue.RoleOperator, Way: "console"})
	return p
}

// try does an act; a refusal is as good as a success.
func (p *player) try(port queue.Port, act queue.Act) queue.Result {
	p.t.Helper()
	r, err := port.Do(p.t.Context(), act)
	if err == nil {
		p.done[fmt.Sprintf("%T", act)]++
		return r
	}
	if _, refused := errors.AsType[*queue.Refusal](err); !refused {
		p.t.Fatalf("%T: %v", act, err)
	}
	return nil
}

func (p *player) step() {
	p.wall += []int64{0, 1, 1000, 20_000, 59_000, 400_000, 1_800_000, -5000}[p.rand.IntN(8)]
	var ask queue.Submitted
	if len(p.asks) > 0 {
		ask = p.asks[len(p.asks)-1-p.rand.IntN(min(len(p.asks), 5))]
	}
	session := fmt.Sprintf("host-%d", p.rand.IntN(3))
	switch p.rand.IntN(22) {
	case 0, 1, 2, 3:
		s := queue.Submit{
			Kind: "call", Session: session, CallID: fmt.Sprintf("call-%d", p.rand.IntN(40)), Begin: p.rand.IntN(3) == 0, Executor: "test",
			Edits: p.rand.IntN(2) == 0,
			Call:  &queue.Call{Tool: "Bash", Arguments: fmt.Appendf(nil, `{"command":"c%d"}`, p.rand.IntN(5))},
		}
		if p.rand.IntN(2) == 0 {
			s.Call = p.payment()
		}
		if p.rand.IntN(4) == 0 {
			s.Raise = []string{[]string{queue.ReasonIrreversible, queue.ReasonCrossBoundary, queue.ReasonRealApproval}[p.rand.IntN(3)]}
		}
		port := p.agent
		if p.ids%5 == 0 {
			port = p.lab
		}
		if r, ok := p.try(port, s).(queue.Submitted); ok {
			p.asks = append(p.asks, r)
			if r.Begun != nil {
				p.begun = append(p.begun, *r.Begun)
			}
		}
	case 4, 5, 6:
		view, err := queue.Get[queue.AskView](p.t.Context(), p.operator, queue.QAsk{ID: ask.Ask})
		if err != nil {
			return
		}
		p.try(p.operator, queue.Decide{
			Ask: ask.Ask, Verdict: []queue.Verdict{queue.VerdictAllow, queue.VerdictAllow, queue.VerdictDeny}[p.rand.IntN(3)],
			ActionDigest: view.Row.ActionDigest, ShownDigest: view.Row.ShownDigest, Confirm: view.Confirm,
			HoldMS: int64(p.rand.IntN(2)) * 30_000,
		})
	case 7, 8:
		if r, ok := p.try(p.agent, queue.Begin{Ask: ask.Ask, Token: ask.Token, Action: ask.Action, Executor: "test", HostRuns: p.rand.IntN(2) == 0}).(queue.Begun); ok {
			p.begun = append(p.begun, r)
		}
	case 9:
		if n := len(p.begun); n > 0 {
			b := p.begun[p.rand.IntN(n)]
			p.try(p.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: exits[p.rand.IntN(len(exits))],
				Outcome: outcomes[p.rand.IntN(len(outcomes))], CameBack: "came back", Ref: []string{"", "re_1"}[p.rand.IntN(2)]})
		}
	case 10:
		if p.rand.IntN(2) == 0 {
			p.try(p.agent, queue.Withdraw{Ask: ask.Ask, Token: ask.Token})
			break
		}
		allowed, err := queue.Get[queue.History](p.t.Context(), p.operator, queue.QHistory{State: queue.StateAllowed, Limit: 1})
		if err != nil {
			p.t.Fatal(err)
		}
		for i := range allowed.Rows {
			p.try(p.operator, queue.Revoke{Ask: allowed.Rows[i].ID})
		}
	case 11:
		p.try(p.operator, queue.GrantDigest{Ask: ask.Ask, ShownDigest: ask.ShownDigest, Times: 2, ForMS: 3_000_000})
	case 12:
		if p.try(p.operator, queue.Freeze{}) == nil || p.rand.IntN(2) == 0 {
			p.try(p.operator, queue.Unfreeze{})
		}
	case 13:
		view, err := queue.Get[queue.AskView](p.t.Context(), p.operator, queue.QAsk{ID: ask.Ask})
		if err != nil {
			return
		}
		if r, ok := p.try(p.operator, queue.Edit{
			Ask: ask.Ask, ActionDigest: view.Row.ActionDigest, ShownDigest: view.Row.ShownDigest, Words: []string{"", "so"}[p.rand.IntN(2)],
			Arguments: fmt.Appendf(nil, `{"command":"c%d"}`, p.rand.IntN(5)),
		}).(queue.Edited); ok {
			st, err := queue.Get[queue.Standing](p.t.Context(), p.agent, queue.QStanding{Ask: ask.Ask, Token: ask.Token})
			if err == nil && st.EditedTo != nil {
				p.asks = append(p.asks, queue.Submitted{Ask: r.Ask, Token: ask.Token, Action: st.EditedTo.Action,
					ActionDigest: r.Action, ShownDigest: r.Shown})
			}
		}
	case 14:
		in, err := queue.Get[queue.Inbox](p.t.Context(), p.operator, queue.QInbox{Limit: 3, Filter: queue.Filter{Tool: "Bash"}})
		if err != nil {
			p.t.Fatal(err)
		}
		act := queue.DecideBatch{Verdict: []queue.Verdict{queue.VerdictAllow, queue.VerdictDeny}[p.rand.IntN(2)]}
		var shown []digest.Digest
		for i := range in.Rows {
			r := &in.Rows[i]
			act.Items = append(act.Items, queue.BatchItem{Ask: r.ID, ActionDigest: r.ActionDigest, ShownDigest: r.ShownDigest, LinesSeen: 3, LinesAll: 3})
			shown = append(shown, r.ShownDigest)
		}
		act.Digest = queue.BatchDigest(shown)
		p.try(p.operator, act)
	case 15:
		switch p.rand.IntN(4) {
		case 0:
			p.try(p.agent, queue.EndSession{Session: session})
		case 1:
			p.try(p.agent, queue.RegisterSession{Session: session, Source: []string{"", "resume"}[p.rand.IntN(2)],
				Clamps: []byte([]string{`{"edits":"disabled"}`, `{"autoAllow":false}`, `{"denyRules":["lists"]}`, `{"grants":"maybe"}`}[p.rand.IntN(4)])})
		case 2:
			p.try(p.agent, queue.Screen{Session: session, Decision: []byte([]string{`{"action":"allow"}`, `{"action":"maybe"}`}[p.rand.IntN(2)]),
				Call: &queue.Call{Tool: "Bash", Arguments: fmt.Appendf(nil, `{"command":"c%d"}`, p.rand.IntN(5))}})
		}
	default:
		p.effect()
	}
}

// Whatever happens to a queue, its history verifies at every moment, and each
// checkpoint goes on from the one before.
func TestRealHistoriesVerify(t *testing.T) {
	alone(t)
	done := map[string]int{}
	for seed := range uint64(8) {
		p := newPlayer(t, seed)
		dir := filepath.Join(t.TempDir(), "state")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		k, err := audit.OpenKeeper(dir, os.Getuid(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 400 {
			if seed >= 4 && p.rand.IntN(3) > 0 {
				p.owe()
			} else {
				p.step()
			}
			if n%40 != 39 {
				continue
			}
			c, err := k.Checkpoint(t.Context(), p.operator)
			if err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, n, err)
			}
			marks, err := k.Checkpoints(c.Store)
			if err != nil {
				t.Fatal(err)
			}
			r, err := audit.VerifyStore(t.Context(), p.operator, marks)
			if err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, n, err)
			}
			if r.Events != c.Size || r.Signed != c.Size || r.Checkpoints != len(marks) {
				t.Errorf("report %+v, checkpoint of %d", r, c.Size)
			}
		}
		for act, n := range p.done {
			done[act] += n
		}
	}
	for _, act := range []queue.Act{
		queue.Submit{}, queue.Decide{}, queue.Begin{}, queue.Report{}, queue.Withdraw{}, queue.Revoke{},
		queue.Edit{}, queue.DecideBatch{}, queue.GrantDigest{}, queue.Freeze{}, queue.Unfreeze{}, queue.EndSession{},
		queue.Observe{}, queue.Reconcile{}, queue.AckEffect{}, queue.OpenEffect{}, queue.RegisterSession{}, queue.Screen{},
		queue.AttachPolicy{}, queue.DetachPolicy{}, queue.ActivateScope{}, queue.DisposeScope{}, queue.RecoverScope{}, queue.NextCleanup{},
		queue.EndCleanup{}, queue.AckCleanup{}, queue.SubmitTransaction{}, queue.RestoredTransaction{}, queue.AckTransaction{},
	} {
		if done[fmt.Sprintf("%T", act)] == 0 {
			t.Errorf("%T never went through: these histories show nothing of it", act)
		}
	}
}
