package tui_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"nod/digest"
	"nod/queue"
	"nod/store/sqlite"
)

// world is a queue on a real store with a clock that the test moves.
type world struct {
	t     *testing.T
	q     *queue.Queue
	agent queue.Port
	mia   queue.Port // the operator of the console
	night queue.Port // another one
	now   int64      // wall, Unix ms
	jump  int64      // added to the wall clock alone
	ids   int
}

// began is 2026-11-30T14:30:12Z.
var began = time.Date(2026, 11, 30, 14, 30, 12, 0, time.UTC).UnixMilli()

func newWorld(t *testing.T, change ...func(*queue.Settings)) *world {
	t.Helper()
	w := &world{t: t, now: began}
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "nod", "nod.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	settings := queue.DefaultSettings()
	for _, f := range change {
		f(&settings)
	}
	w.q = queue.New(store, settings, queue.Edge{
		WallMS: func() int64 { return w.now + w.jump },
		BootMS: func() int64 { return w.now - began + 1000 },
		NewID:  w.id,
		Token:  func() string { w.ids++; return fmt.Sprintf("token-%d", w.ids) },
	})
	w.agent = w.as("shop-fixer")
	w.mia, w.night = w.operator("mia"), w.operator("night-desk")
	return w
}

func (w *world) as(agent string) queue.Port {
	return w.q.Port(queue.Conn{Principal: digest.Principal{Agent: agent, User: "dev", Host: "claude-code"},
		Environment: "local", Role: queue.RoleRequester, Way: "hook"})
}

func (w *world) operator(name string) queue.Port {
	return w.q.Port(queue.Conn{Principal: digest.Principal{Agent: "operator", User: name}, Role: queue.RoleOperator, Way: "console"})
}

// id counts up, as UUIDv7 does.
func (w *world) id() string {
	w.ids++
	return fmt.Sprintf("019ad5e2-%04x-7%03x-8%03x-%012x", w.ids>>24&0xffff, w.ids>>12&0xfff, w.ids&0xfff, w.ids)
}

func bash(command string) queue.Submit {
	return queue.Submit{Kind: "call", Session: "s1", Call: &queue.Call{Tool: "Bash",
		Arguments: fmt.Appendf(nil, `{"command":%q}`, command), Cwd: "/srv/shop"}}
}

func (w *world) submit(s queue.Submit) queue.Submitted {
	w.t.Helper()
	got, err := queue.As[queue.Submitted](w.t.Context(), w.agent, s)
	if err != nil {
		w.t.Fatal(err)
	}
	return got
}

func (w *world) row(id string) queue.Row {
	w.t.Helper()
	v, err := queue.Get[queue.AskView](w.t.Context(), w.mia, queue.QAsk{ID: id})
	if err != nil {
		w.t.Fatal(err)
	}
	return v.Row
}

// decide answers as another operator.
func (w *world) decide(id string, verdict queue.Verdict) {
	w.t.Helper()
	v, err := queue.Get[queue.AskView](w.t.Context(), w.mia, queue.QAsk{ID: id})
	if err != nil {
		w.t.Fatal(err)
	}
	d := queue.Decide{Ask: id, Verdict: verdict, ActionDigest: v.Row.ActionDigest, ShownDigest: v.Row.ShownDigest}
	if verdict == queue.VerdictAllow {
		d.Confirm = v.Confirm
	}
	if _, err := w.night.Do(w.t.Context(), d); err != nil {
		w.t.Fatal(err)
	}
}

// code is what an approval types.
func (w *world) code(id string) string { return w.row(id).ShownDigest.Hex()[:4] }
