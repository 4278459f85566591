package queue_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"nod/digest"
	"nod/queue"
	"nod/store/sqlite"
)

// world is a queue on a real store with a clock that the test moves.
type world struct {
	t        *testing.T
	q        *queue.Queue
	store    *sqlite.Store
	agent    queue.Port
	operator queue.Port
	wall     int64
	boot     int64
	ids      int
}

// alone leaves a test out under the race detector's short run: it acts from one
// goroutine, one act after the other.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("acts from one goroutine")
	}
}

const start = 1_800_000_000_000 // 2027-01-15T08:00:00Z

func newWorld(t *testing.T, change ...func(*queue.Settings)) *world {
	t.Helper()
	w := &world{t: t, wall: start, boot: 1000}
	var err error
	w.store, err = sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "nod", "nod.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.store.Close(); err != nil {
			t.Error(err)
		}
	})
	w.configure(change...)
	return w
}

// configure opens the queue anew, as a process with another configuration.
func (w *world) configure(change ...func(*queue.Settings)) {
	s := queue.DefaultSettings()
	for _, c := range change {
		c(&s)
	}
	w.q = queue.New(w.store, s, queue.Edge{
		WallMS: func() int64 { return w.wall },
		BootMS: func() int64 { return w.boot },
		NewID:  w.id,
		Token:  func() string { w.ids++; return fmt.Sprintf("token-%d", w.ids) },
	})
	w.agent = w.q.Port(agentConn("shop-fixer"))
	w.operator = w.q.Port(queue.Conn{Principal: digest.Principal{Agent: "operator", User: "mia"}, Role: queue.RoleOperator, Way: "console"})
}

func agentConn(name string) queue.Conn {
	return queue.Conn{Principal: digest.Principal{Agent: name, User: "dev", Host: "claude-code"}, Environment: "local",
		Role: queue.RoleRequester, Way: "hook"}
}

// runs has the agent's calls run by Nod itself.
func (w *world) runs() {
	c := agentConn("shop-fixer")
	c.Way = queue.WayRun
	w.agent = w.q.Port(c)
}

// id counts up, as UUIDv7 does.
func (w *world) id() string {
	w.ids++
	return fmt.Sprintf("019ad5e2-%04x-7%03x-8%03x-%012x", w.ids>>24&0xffff, w.ids>>12&0xfff, w.ids&0xfff, w.ids)
}

// pass lets time go on, on both clocks.
func (w *world) pass(ms int64) { w.wall += ms; w.boot += ms }

func call(command string) queue.Submit {
	return queue.Submit{Kind: "call", Session: "s1", Call: &queue.Call{Tool: "Bash",
		Arguments: fmt.Appendf(nil, `{"command":%q}`, command), Cwd: "/home/mia/shop"}}
}

func must[R any](t *testing.T) func(r R, err error) R {
	return func(r R, err error) R {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

func (w *world) submit(s queue.Submit) queue.Submitted {
	w.t.Helper()
	return must[queue.Submitted](w.t)(queue.As[queue.Submitted](w.t.Context(), w.agent, s))
}

func (w *world) see(id string) queue.AskView {
	w.t.Helper()
	return must[queue.AskView](w.t)(queue.Get[queue.AskView](w.t.Context(), w.operator, queue.QAsk{ID: id}))
}

// decision is a decision with everything that binds it.
func (w *world) decision(id string, v queue.Verdict) queue.Decide {
	w.t.Helper()
	view := w.see(id)
	d := queue.Decide{Ask: id, Verdict: v, ActionDigest: view.Row.ActionDigest, ShownDigest: view.Row.ShownDigest}
	if v == queue.VerdictAllow {
		d.Confirm = view.Confirm
	}
	return d
}

func (w *world) decide(id string, v queue.Verdict) queue.Decided {
	w.t.Helper()
	return must[queue.Decided](w.t)(queue.As[queue.Decided](w.t.Context(), w.operator, w.decision(id, v)))
}

func begin(s queue.Submitted) queue.Begin {
	return queue.Begin{Ask: s.Ask, Token: s.Token, Action: s.Action, Executor: "test"}
}

// allowed submits and allows.
func (w *world) allowed(s queue.Submit) queue.Submitted {
	w.t.Helper()
	got := w.submit(s)
	w.decide(got.Ask, queue.VerdictAllow)
	return got
}

func (w *world) state(id string) queue.State {
	w.t.Helper()
	return w.see(id).Row.State
}

// event is the newest event's number, read past the queue: its own reads let
// the clock do what is due.
func (w *world) event() int64 {
	w.t.Helper()
	var head queue.Head
	err := w.store.View(w.t.Context(), func(tx queue.ReadTx) (err error) {
		head, err = tx.Head()
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return head.Seq
}

// refused expects a refusal with this code, and that the act left nothing:
// the number of new events is what the clock alone had due.
func (w *world) refused(p queue.Port, act queue.Act, code string, due int64) *queue.Refusal {
	w.t.Helper()
	before := w.event()
	_, err := p.Do(context.Background(), act)
	r, ok := errors.AsType[*queue.Refusal](err)
	if !ok {
		w.t.Fatalf("%T: got %v, want the refusal %s", act, err, code)
	}
	if r.Code != code {
		w.t.Fatalf("%T: refused %s (%s), want %s", act, r.Code, r.Sentence, code)
	}
	if r.Sentence == "" {
		w.t.Errorf("%T: %s has no sentence", act, code)
	}
	if got := w.event() - before; got != due {
		w.t.Errorf("%T: refused %s and left %d events, want %d", act, code, got, due)
	}
	return r
}

// ok does an act and expects n new events.
func (w *world) ok(p queue.Port, act queue.Act, n int64) queue.Result {
	w.t.Helper()
	before := w.event()
	r := must[queue.Result](w.t)(p.Do(w.t.Context(), act))
	if got := w.event() - before; got != n {
		w.t.Errorf("%T wrote %d events, want %d", act, got, n)
	}
	return r
}
