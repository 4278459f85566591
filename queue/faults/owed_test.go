//go:build unix

package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"nod/policy"
	"nod/policy/transaction"
	"nod/queue"
	"nod/store/sqlite"
)

// envPoint is how many points a host lives for: then it kills itself with
// SIGKILL, as any kill -9 does. Points are before and after all that is done.
const envPoint = "NOD_FAULT_POINT"

const (
	declDisposer = `{"effectClass":"reversible","disposer":{"tool":"undo","arguments":{"n":%d}}}`
	declUndo     = `{"effectClass":"compensatable","compensation":{"compensate":{"tool":"undo","arguments":{"n":%d}},` +
		`"idempotencyKey":"k%d","observationalEquivalence":"it is gone","journaledBeforeInvoke":true}}`
	activation = `{"transactionId":"tx","operation":"activate","targetMode":"active","candidateArtifactId":"new"}`
)

// owing is a host that runs a component, or makes a transaction, in a process of
// its own. The world is a file: a line for each thing that was done in it.
type owing struct {
	ctx      context.Context
	agent    queue.Port
	operator queue.Port
	world    string
	left     int
}

// runOwing is the life of such a host, from wherever the one before it died.
func runOwing(ctx context.Context, name, path string) error {
	store, err := sqlite.Open(ctx, path, sqlite.Options{Create: true})
	if err != nil {
		return err
	}
	left, err := strconv.Atoi(os.Getenv(envPoint))
	if err != nil {
		return err
	}
	q := newQueue(store, queue.Settings{})
	h := &owing{ctx: ctx, agent: q.Port(agentConn()), operator: q.Port(operatorConn("mia")), world: filepath.Join(filepath.Dir(path), "world"), left: left}
	if name == "owing" {
		err = h.component()
	} else {
		err = h.transaction()
	}
	return errors.Join(err, store.Close())
}

func (h *owing) point() {
	if h.left == 0 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	h.left--
}

func (h *owing) do(p queue.Port, act queue.Act) (queue.Result, error) {
	h.point()
	r, err := p.Do(h.ctx, act)
	h.point()
	if err != nil {
		return r, fmt.Errorf("%T: %w", act, err)
	}
	return r, nil
}

// mark does something in the world.
func (h *owing) mark(what string) error {
	h.point()
	f, err := os.OpenFile(h.world, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(what + "\n")
	err = errors.Join(err, f.Sync(), f.Close())
	h.point()
	return err
}

func done(world string) []string {
	b, err := os.ReadFile(world)
	if err != nil {
		return nil
	}
	return strings.Fields(strings.ReplaceAll(string(b), " ", "_"))
}

// call has a call run: asked, allowed by a person, begun, done, reported.
func (h *owing) call(s queue.Submit, what string) error {
	r, err := h.do(h.agent, s)
	if err != nil {
		return err
	}
	got := r.(queue.Submitted)
	if got.State == queue.StatePending {
		view, err := queue.Get[queue.AskView](h.ctx, h.operator, queue.QAsk{ID: got.Ask})
		if err != nil {
			return err
		}
		d := decide(got, queue.VerdictAllow)
		d.Confirm = view.Confirm
		if _, err := h.do(h.operator, d); err != nil {
			return err
		}
	}
	if r, err = h.do(h.agent, begin(got, "host")); err != nil {
		return err
	}
	begun := r.(queue.Begun)
	if err := h.mark(what); err != nil {
		return err
	}
	_, err = h.do(h.agent, queue.Report{Attempt: begun.Attempt, Token: begun.Token, Exit: queue.ExitSuccess})
	return err
}

// effect is a call of the component with what takes it back.
func effect(n int, declaration string) queue.Submit {
	s := call("s", "effect "+strconv.Itoa(n))
	s.CallID, s.Component, s.Declaration = "effect "+strconv.Itoa(n), "shop", []byte(declaration)
	return s
}

func (h *owing) component() error {
	known, err := queue.Get[queue.Cleanups](h.ctx, h.operator, queue.QCleanups{Limit: 9})
	if err != nil {
		return err
	}
	if len(known.Scopes) > 0 { // one before this died
		if _, err := h.do(h.agent, queue.RecoverScope{Component: "shop"}); err != nil {
			return err
		}
		return h.drain()
	}
	for _, act := range []any{
		queue.ActivateScope{Session: "s", Component: "shop"},
		effect(1, fmt.Sprintf(declDisposer, 1)),
		queue.ScopeActivated{Component: "shop"},
		effect(2, fmt.Sprintf(declUndo, 2, 2)),
		effect(3, fmt.Sprintf(declDisposer, 3)),
		queue.DisposeScope{Component: "shop"},
	} {
		switch a := act.(type) {
		case queue.Submit:
			err = h.call(a, "effect "+strings.Fields(a.CallID)[1])
		case queue.Act:
			_, err = h.do(h.agent, a)
		}
		if err != nil {
			return err
		}
	}
	return h.drain()
}

func (h *owing) drain() error {
	for {
		r, err := h.do(h.agent, queue.NextCleanup{Component: "shop"})
		if err != nil {
			return err
		}
		due := r.(queue.CleanupDue)
		what := fmt.Sprintf("cleanup %d", due.Cleanup)
		switch {
		case due.Cleanup == 0:
			return nil
		case due.Compensates:
			err = h.call(queue.Submit{Kind: "call", Session: "s", CallID: what, Owed: &queue.OwedCall{Scope: due.Scope, Cleanup: due.Cleanup},
				Call: &queue.Call{Tool: due.Tool, Operation: due.Operation, Arguments: due.Arguments}}, what)
		default:
			if err = h.mark(what); err == nil {
				_, err = h.do(h.agent, queue.EndCleanup{Component: "shop", Cleanup: due.Cleanup, How: policy.Done})
			}
		}
		if err != nil {
			return err
		}
	}
}

// lives runs a host to one of its points, or to its end.
func lives(t *testing.T, name, path string, points int) (ended bool) {
	t.Helper()
	cmd := role(t, name, path, "")
	cmd.Env = append(cmd.Env, envPoint+"="+strconv.Itoa(points))
	err := cmd.Run()
	if err != nil && cmd.ProcessState.Exited() {
		t.Fatalf("a host ended by itself: %v", err)
	}
	return err == nil
}

// deaths kills a host at every point, the one that recovers after it at some of
// its own, and has a third live to the end.
func deaths(t *testing.T, name string, prepare func(path string), judge func(path, at string)) {
	t.Helper()
	full := os.Getenv("NOD_FAULT_FULL") != ""
	for first := 0; ; first++ {
		again := []int{-1, first % 7}
		if full {
			again = []int{-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
		}
		for _, second := range again {
			path := newStorePath(t)
			prepare(path)
			ended := lives(t, name, path, first)
			if !ended && second >= 0 {
				lives(t, name, path, second)
			}
			if !lives(t, name, path, 1<<30) {
				t.Fatal("the last host died")
			}
			judge(path, fmt.Sprintf("killed at %d, then at %d", first, second))
			if t.Failed() {
				return
			}
			if ended {
				t.Logf("kill -9 at each of %d points", first)
				return
			}
		}
	}
}

// TestKillAtEveryPointOfACleanup: what a component owes is attempted once, the
// newest first, after a kill -9 at any point and again at its recovery; what may
// have run is never called done, and blocks until a person has looked.
func TestKillAtEveryPointOfACleanup(t *testing.T) {
	if testing.Short() {
		t.Skip("one process after the other: nothing races")
	}
	prepare := func(path string) {
		store := openStore(t, path, sqlite.Options{Create: true})
		do[queue.PolicySet](t, newQueue(store, queue.Settings{}).Port(operatorConn("mia")),
			queue.AttachPolicy{Agent: "fixer", Document: []byte(`{"type":"nod.policy/v1","mode":"candidate"}`)})
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	uncertain := 0
	deaths(t, "owing", prepare, func(path, at string) {
		store := openStore(t, path, sqlite.Options{Create: true})
		defer func() { _ = store.Close() }()
		whole(t, store)
		marks := done(filepath.Join(filepath.Dir(path), "world"))
		for i, m := range marks {
			if slices.Contains(marks[:i], m) {
				t.Errorf("%s: %s was done twice: %v", at, m, marks)
			}
		}
		q := newQueue(store, queue.Settings{})
		agent, operator := q.Port(agentConn()), q.Port(operatorConn("mia"))
		known, err := queue.Get[queue.Cleanups](t.Context(), operator, queue.QCleanups{Limit: 9})
		if err != nil || len(known.Scopes) > 1 {
			t.Fatalf("%s: %v, %+v", at, err, known)
		}
		for i := range known.Scopes {
			uncertain += judgeScope(t, at, &known.Scopes[i], marks)
			for _, u := range known.Scopes[i].Cleanups {
				if u.State != policy.Uncertain {
					continue
				}
				if _, err := agent.Do(t.Context(), queue.ActivateScope{Session: "s", Component: "shop"}); codeOf(err) != policy.CodeUnacknowledged {
					t.Errorf("%s: a blocked component was activated: %v", at, err)
				}
				do[queue.ScopeStands](t, operator, queue.AckCleanup{Scope: known.Scopes[i].ID, Cleanup: u.Number})
			}
		}
		do[queue.ScopeStands](t, agent, queue.ActivateScope{Session: "s", Component: "shop"})
		whole(t, store)
	})
	if uncertain == 0 {
		t.Error("no kill came between a cleanup and its end")
	}
}

// judgeScope holds what a scope came to against what was done in the world.
func judgeScope(t *testing.T, at string, s *queue.ScopeView, marks []string) (uncertain int) {
	t.Helper()
	var order []string
	for _, m := range marks {
		if strings.HasPrefix(m, "cleanup_") {
			order = append(order, m)
		}
	}
	if !slices.IsSortedFunc(order, func(a, b string) int { return strings.Compare(b, a) }) {
		t.Errorf("%s: not the newest first: %v", at, order)
	}
	registered := 0
	for _, u := range s.Cleanups {
		registered++
		ran := slices.Contains(marks, fmt.Sprintf("cleanup_%d", u.Number))
		switch u.State {
		case policy.Done:
			if !ran {
				t.Errorf("%s: cleanup %d is done and never ran", at, u.Number)
			}
		case policy.Uncertain:
			uncertain++
		default:
			t.Errorf("%s: cleanup %d is %s", at, u.Number, u.State)
		}
	}
	for _, m := range marks {
		if n, is := strings.CutPrefix(m, "effect_"); is && registered < int(n[0]-'0') {
			t.Errorf("%s: %s happened and nothing is owed for it: %+v", at, m, s.Cleanups)
		}
	}
	well := s.State == policy.Inactive
	if well && uncertain > 0 || !well && s.State != policy.Failed || s.Blocked != (uncertain > 0) {
		t.Errorf("%s: the scope is %s with %+v", at, s.State, s.Cleanups)
	}
	return uncertain
}

func codeOf(err error) string {
	if r, ok := errors.AsType[*queue.Refusal](err); ok {
		return r.Code
	}
	return fmt.Sprint(err)
}

// way is an activation, stage by stage; each is done in the world once.
var way = []transaction.Stage{transaction.Applying, transaction.Applied, transaction.Validating, transaction.Validated,
	transaction.Activating, transaction.Activated, transaction.Draining, transaction.Drained, transaction.CuttingOver,
	transaction.RuntimeCutover, transaction.PointerCutover, transaction.DisposingPrior, transaction.Committed}

// serves is what the world shows.
func serves(world string) *transaction.Observed {
	o := &transaction.Observed{Active: "old"}
	for _, m := range done(world) {
		switch m {
		case string(transaction.RuntimeCutover):
			o = &transaction.Observed{Active: "new", Candidate: true}
		case "reverted":
			o = &transaction.Observed{Active: "old"}
		}
	}
	return o
}

func (h *owing) transaction() error {
	submit := queue.SubmitTransaction{Session: "s", Request: []byte(activation), Serves: "old"}
	r, err := h.do(h.agent, submit)
	if err != nil {
		return err
	}
	switch got := r.(queue.Transacted); got.Answer {
	case transaction.Replay:
		return nil
	case transaction.Unfinished:
		if _, err := h.do(h.agent, queue.RecoverTransaction{Transaction: "tx"}); err != nil {
			return err
		}
		if err := h.mark("reverted"); err != nil {
			return err
		}
		_, err = h.do(h.agent, queue.RestoredTransaction{Transaction: "tx", Seen: serves(h.world)})
		return err
	}
	number := 1
	for _, stage := range way {
		step := transaction.Step{Sequence: number, Stage: stage, Outcome: transaction.EntrySucceeded}
		switch stage {
		case transaction.Applying, transaction.Validating, transaction.Activating, transaction.Draining, transaction.CuttingOver, transaction.DisposingPrior:
			step.Outcome = transaction.EntryStarted
		default:
			if err := h.mark(string(stage)); err != nil {
				return err
			}
		}
		if stage == transaction.RuntimeCutover {
			step.Observed = serves(h.world)
		}
		if _, err := h.do(h.agent, queue.StepTransaction{Transaction: "tx", Step: step}); err != nil {
			return err
		}
		number++
	}
	return nil
}

// TestKillAtEveryPointOfATransaction: whatever a host died of, the transaction
// has succeeded and the candidate serves, or it was taken back and what was
// before does; no stage was done twice.
func TestKillAtEveryPointOfATransaction(t *testing.T) {
	if testing.Short() {
		t.Skip("one process after the other: nothing races")
	}
	seen := map[transaction.Outcome]int{}
	deaths(t, "transaction", func(string) {}, func(path, at string) {
		store := openStore(t, path, sqlite.Options{Create: true})
		defer func() { _ = store.Close() }()
		whole(t, store)
		world := filepath.Join(filepath.Dir(path), "world")
		marks := done(world)
		for i, m := range marks {
			if m != "reverted" && slices.Contains(marks[:i], m) {
				t.Errorf("%s: %s was done twice: %v", at, m, marks)
			}
		}
		q := newQueue(store, queue.Settings{})
		known, err := queue.Get[queue.Transactions](t.Context(), q.Port(operatorConn("mia")), queue.QTransactions{Limit: 9})
		if err != nil || len(known.Transactions) != 1 {
			t.Fatalf("%s: %v, %+v", at, err, known)
		}
		x := &known.Transactions[0]
		seen[x.Outcome]++
		want := map[transaction.Outcome]string{transaction.Succeeded: "new", transaction.Recovered: "old"}[x.Outcome]
		if want == "" || serves(world).Active != want {
			t.Errorf("%s: the transaction %s, and %q serves: %s", at, x.Outcome, serves(world).Active, x.Record)
		}
		var record struct{ Entries []struct{ Sequence int } }
		if err := json.Unmarshal(x.Record, &record); err != nil {
			t.Fatal(err)
		}
		for i, e := range record.Entries {
			if e.Sequence != i {
				t.Errorf("%s: entry %d is numbered %d", at, i, e.Sequence)
			}
		}
		agent := q.Port(agentConn())
		again := do[queue.Transacted](t, agent, queue.SubmitTransaction{Session: "s", Request: []byte(activation), Serves: "old"})
		if again.Answer != transaction.Replay {
			t.Errorf("%s: the same request again is %s", at, again.Answer)
		}
		other := strings.Replace(activation, `"new"`, `"newer"`, 1)
		if _, err := agent.Do(t.Context(), queue.SubmitTransaction{Session: "s", Request: []byte(other), Serves: "old"}); codeOf(err) != queue.CodeKeyReused {
			t.Errorf("%s: the id with another request: %v", at, err)
		}
	})
	if seen[transaction.Succeeded] == 0 || seen[transaction.Recovered] == 0 {
		t.Errorf("the kills left %v", seen)
	}
}
