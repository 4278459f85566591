package plain

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
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
	mia   queue.Port // the operator of the lines
	night queue.Port // another one
	now   int64      // wall, Unix ms
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
		WallMS: func() int64 { return w.now },
		BootMS: func() int64 { return w.now - began + 1000 },
		NewID:  w.id,
		Token:  func() string { w.ids++; return fmt.Sprintf("token-%d", w.ids) },
	})
	w.agent = w.as("support-bot")
	w.mia, w.night = w.operator("mia"), w.operator("night-desk")
	return w
}

func (w *world) as(agent string) queue.Port {
	return w.q.Port(queue.Conn{Principal: digest.Principal{Agent: agent, User: "ops"},
		Environment: "local", Role: queue.RoleRequester, Way: "hook"})
}

func (w *world) operator(name string) queue.Port {
	return w.q.Port(queue.Conn{Principal: digest.Principal{Agent: "operator", User: name}, Role: queue.RoleOperator, Way: "plain"})
}

// id counts up, as UUIDv7 does.
func (w *world) id() string {
	w.ids++
	return fmt.Sprintf("019ad5e2-%04x-7%03x-8%03x-%012x", w.ids>>24&0xffff, w.ids>>12&0xfff, w.ids&0xfff, w.ids)
}

func call(tool, args string) queue.Submit {
	return queue.Submit{Kind: "call", Session: "s1", Call: &queue.Call{Tool: tool, Arguments: []byte(args), Cwd: "/srv/shop"}}
}

func bash(command string) queue.Submit { return call("Bash", fmt.Sprintf(`{"command":%q}`, command)) }

func (w *world) submit(s queue.Submit) string {
	w.t.Helper()
	got, err := queue.As[queue.Submitted](w.t.Context(), w.agent, s)
	if err != nil {
		w.t.Fatal(err)
	}
	return got.Ask
}

func (w *world) row(id string) queue.Row {
	w.t.Helper()
	v, err := queue.Get[queue.AskView](w.t.Context(), w.mia, queue.QAsk{ID: id})
	if err != nil {
		w.t.Fatal(err)
	}
	return v.Row
}

func (w *world) code(id string) string { return w.row(id).ShownDigest.Hex()[:4] }

func (w *world) mustBe(id string, want queue.State) {
	w.t.Helper()
	if got := w.row(id).State; got != want {
		w.t.Fatalf("the ask is %s, not %s", got, want)
	}
}

func (w *world) withdraw(id string) {
	w.t.Helper()
	if _, err := w.mia.Do(w.t.Context(), queue.Withdraw{Ask: id}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) denyByNight(id string) {
	w.t.Helper()
	r := w.row(id)
	if _, err := w.night.Do(w.t.Context(), queue.Decide{Ask: id, Verdict: queue.VerdictDeny, ActionDigest: r.ActionDigest, ShownDigest: r.ShownDigest}); err != nil {
		w.t.Fatal(err)
	}
}

// typed is one line of a script, ms after its prompt.
type typed struct {
	text  string
	after int64
	// ahead is typed before the prompt, behind right after the line.
	ahead, behind bool
	late          bool   // it comes while the lines look something up
	do            func() // happens before the line is typed
}

// person types a script as a terminal hands it over, and echoes it.
type person struct {
	w      *world
	out    *strings.Builder
	script []typed
	ahead  bool // something waits
}

func (p *person) waits() bool {
	if len(p.script) > 0 && p.script[0].late {
		p.script[0].late = false
		return p.ahead
	}
	return p.ahead || len(p.script) > 0 && p.script[0].ahead
}

func (p *person) forget() {
	p.ahead = false
	if len(p.script) > 0 && p.script[0].ahead {
		p.script = p.script[1:]
	}
}

func (p *person) next(context.Context) (line, error) {
	if len(p.script) == 0 {
		return line{}, io.EOF
	}
	l := p.script[0]
	p.script = p.script[1:]
	if l.do != nil {
		l.do()
	}
	if l.after == 0 {
		l.after = 1500
	}
	p.w.now += l.after
	p.ahead = l.behind
	p.out.WriteString(l.text + "\n")
	return line{l.text, time.UnixMilli(p.w.now)}, nil
}

func (w *world) options() Options {
	return Options{
		Loc: time.UTC, Now: func() time.Time { return time.UnixMilli(w.now) },
		Size:  func() (int, int) { return 80, 40 },
		Pause: func(_ context.Context, d time.Duration) error { w.now += d.Milliseconds(); return nil },
	}
}

// talkTo runs a script and gives what was printed.
func (w *world) talkTo(change func(*Options), script ...typed) string {
	w.t.Helper()
	var out strings.Builder
	o := w.options()
	if change != nil {
		change(&o)
	}
	if err := talk(w.t.Context(), w.mia, o.filled(&out), &person{w: w, out: &out, script: script}, &out); err != nil {
		w.t.Fatal(err)
	}
	return out.String()
}

func lines(texts ...string) []typed {
	out := make([]typed, len(texts))
	for i, s := range texts {
		out[i].text = s
	}
	return out
}

func has(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
