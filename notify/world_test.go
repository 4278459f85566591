//go:build unix

package notify

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/notify/ladder"
	"nod/queue"
	"nod/store/sqlite"
)

const (
	start  = int64(1_800_000_000_000) // 2027-01-15T08:00:00Z
	second = int64(1000)
	minute = 60 * second
)

// world is a real queue on a real store, with a clock that the test moves, and
// a receiver on the loopback device.
type world struct {
	t        *testing.T
	dir      string
	agent    queue.Port
	operator queue.Port
	mu       sync.Mutex
	wall     int64
	ids      int
	watched  bool
	key      Key
	told     []Report
	hook     *receiver
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: filepath.Join(t.TempDir(), "nod"), wall: start}
	st, err := sqlite.Open(t.Context(), filepath.Join(w.dir, "nod.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	now := func() int64 { w.mu.Lock(); defer w.mu.Unlock(); return w.wall }
	q := queue.New(st, queue.DefaultSettings(), queue.Edge{WallMS: now, BootMS: now, NewID: w.id, Token: w.id})
	w.agent = q.Port(queue.Conn{Principal: digest.Principal{Agent: "shop-fixer", User: "dev", Host: "claude-code"},
		Environment: "local", Role: queue.RoleRequester, Way: "hook"})
	w.operator = q.Port(queue.Conn{Principal: digest.Principal{Agent: "operator", User: "mia"}, Role: queue.RoleOperator, Way: "console"})
	if w.key, err = OpenKey(w.dir, os.Getuid(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	w.hook = newReceiver(t)
	return w
}

func (w *world) id() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids++
	return fmt.Sprintf("019ad5e2-%04x-7%03x-8%03x-%012x", w.ids>>24&0xffff, w.ids>>12&0xfff, w.ids&0xfff, w.ids)
}

// pass lets time go on; a negative one sets the wall clock back.
func (w *world) pass(ms int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wall += ms
}

func (w *world) store() string { return filepath.Join(w.dir, "nod.db") }

// options send to the receiver.
func (w *world) options() Options {
	return Options{
		Store: w.store(), UID: os.Getuid(), Key: w.key,
		Plan:     ladder.Plan{AfterMS: []int64{0, 2 * minute, 10 * minute, 30 * minute}},
		Webhooks: []string{w.hook.URL + "/hook"},
		Watched:  func() (bool, bool) { return w.watched, true },
		WallMS:   func() int64 { w.mu.Lock(); defer w.mu.Unlock(); return w.wall },
		NewID:    w.id,
		Told:     func(r Report) { w.told = append(w.told, r) },
	}
}

// once is a run of the notifier as a process that starts, looks and ends.
func (w *world) once(change ...func(*Options)) {
	w.t.Helper()
	o := w.options()
	for _, c := range change {
		c(&o)
	}
	if err := Once(w.t.Context(), w.operator, o); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) submit(change ...func(*queue.Submit)) string {
	w.t.Helper()
	s := queue.Submit{Kind: "call", Session: "s1", Call: &queue.Call{Tool: "Bash", Arguments: []byte(`{"command":"ls"}`), Cwd: "/srv"}}
	for _, c := range change {
		c(&s)
	}
	got, err := queue.As[queue.Submitted](w.t.Context(), w.agent, s)
	if err != nil {
		w.t.Fatal(err)
	}
	return got.Ask
}

func (w *world) deny(id string) {
	w.t.Helper()
	view, err := queue.Get[queue.AskView](w.t.Context(), w.operator, queue.QAsk{ID: id})
	if err == nil {
		_, err = w.operator.Do(w.t.Context(), queue.Decide{Ask: id, Verdict: queue.VerdictDeny,
			ActionDigest: view.Row.ActionDigest, ShownDigest: view.Row.ShownDigest})
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// request is one that a receiver got.
type request struct {
	method, path string
	header       http.Header
	body         string
	payload      Payload
}

// receiver keeps what it gets and answers what the test wants.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []request
	answer func(w http.ResponseWriter, r *http.Request) // nil for 204
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) serve(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	got := request{method: req.Method, path: req.URL.Path, header: req.Header, body: string(body)}
	_ = json.Unmarshal(body, &got.payload, json.RejectUnknownMembers(true)) // an empty payload fails the test that looks
	r.mu.Lock()
	r.got = append(r.got, got)
	answer := r.answer
	r.mu.Unlock()
	if answer == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	answer(w, req)
}

func (r *receiver) answers(f func(w http.ResponseWriter, r *http.Request)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = f
}

// take gives what came since the last time: event ask#rung ….
func (r *receiver) take() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for i := range r.got {
		text := string(r.got[i].payload.Event)
		for _, a := range r.got[i].payload.Asks {
			text += fmt.Sprintf(" %s#%d", a.ID[len(a.ID)-4:], a.Rung)
		}
		out = append(out, text)
	}
	r.got = nil
	return strings.Join(out, "; ")
}

func (r *receiver) all() []request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]request(nil), r.got...)
}

// failing is a port whose next read fails.
type failing struct {
	queue.Port
	err error
}

func (f failing) Read(context.Context, queue.Query) (queue.Answer, error) { return nil, f.err }

// short is an ask's id as take writes it.
func short(id string) string { return id[len(id)-4:] }
