//go:build unix

package observe_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"nod/client/clienttest"
	"nod/descriptor"
	"nod/digest"
	"nod/observe"
	"nod/queue"
)

// tool compiles one descriptor whose refunds are named by /id.
func tool(t *testing.T, observers ...descriptor.Observer) *descriptor.Set {
	t.Helper()
	set, err := descriptor.Compile([]descriptor.Tool{{
		Name: "refund", Class: "irreversible", Access: "write",
		Effect:   descriptor.Effect{Family: "refund", Parts: []string{"/id"}, Settle: "1s"},
		Observer: observers,
	}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// begin lets one call run and leaves it without a report; it gives the effect.
func begin(t *testing.T, q *clienttest.Queue, args string, operands ...queue.Operand) (effect string, b queue.Begun) {
	t.Helper()
	sub, err := queue.As[queue.Submitted](t.Context(), q.Requester, queue.Submit{Kind: "call", Session: "s",
		Call: &queue.Call{Tool: "refund", Arguments: []byte(args), Operands: operands}})
	if err != nil {
		t.Fatal(err)
	}
	row := q.Pending(t, 1)[0]
	q.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow, Confirm: "refund"})
	if b, err = queue.As[queue.Begun](t.Context(), q.Requester, queue.Begin{Ask: sub.Ask, Token: sub.Token, Action: sub.Action, Executor: "x"}); err != nil {
		t.Fatal(err)
	}
	return q.Effects(t, false)[0].ID, b
}

func report(t *testing.T, q *clienttest.Queue, b queue.Begun, exit queue.ExitStatus) {
	t.Helper()
	if _, err := q.Requester.Do(t.Context(), queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: exit}); err != nil {
		t.Fatal(err)
	}
}

// Which observers are asked, and that what they saw is filed with the effect.
func TestObserversOfAnEffect(t *testing.T) {
	asked := ""
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked += r.URL.Path
		_, _ = fmt.Fprintf(w, `{"amount":4800,"id":"re_%s"}`, r.URL.Path[1:])
	}))
	t.Cleanup(provider.Close)
	see := func(name string, auto bool) descriptor.Observer {
		return descriptor.Observer{Name: name, Kind: descriptor.KindHTTP, Auto: auto, URL: provider.URL + "/" + name,
			Same: map[string]string{"/amount": "/amount"}, Ref: "/id"}
	}
	set := tool(t, see("a", false), see("b", true), see("c", false))
	for name, c := range map[string]struct {
		names []string
		auto  bool
		asked string
		code  string
	}{
		"all":         {nil, false, "/a/b/c", ""},
		"auto":        {nil, true, "/b", ""},
		"named":       {[]string{"c", "a"}, false, "/c/a", ""},
		"named, auto": {[]string{"c"}, true, "/c", ""},
		"unknown":     {[]string{"a", "x"}, true, "", queue.CodeBadInput},
	} {
		t.Run(name, func(t *testing.T) {
			q := clienttest.New(t, clienttest.Options{Settings: queue.Settings{Descriptors: set}})
			id, b := begin(t, q, `{"id":"p1","amount":4800}`)
			report(t, q, b, queue.ExitTimeout)
			asked = ""
			seen, err := observe.Effect(t.Context(), q.Requester, set, id[:13], c.names, c.auto)
			if r, refused := errors.AsType[*queue.Refusal](err); c.code != "" && (!refused || r.Code != c.code) || c.code == "" && err != nil {
				t.Fatalf("error %v, want %q", err, c.code)
			}
			if asked != c.asked || len(seen) != len(c.asked)/2 {
				t.Errorf("asked %q, want %q; %+v", asked, c.asked, seen)
			}
			d := q.Desk(t, id)
			if n := len(d.Facts) - 2; n != len(seen) { // begun, reported
				t.Errorf("%d facts of observers, want %d", n, len(seen))
			}
			for _, s := range seen {
				if s.Observation.Says != "committed" || s.Judged.State != queue.AttemptCommitted || s.Judged.Effect != id {
					t.Errorf("%+v", s)
				}
			}
			if len(seen) > 0 && d.Effect.Ref != "re_"+seen[0].Observer {
				t.Errorf("the effect's reference is %q", d.Effect.Ref)
			}
		})
	}
}

func TestNothingToAsk(t *testing.T) {
	q := clienttest.New(t, clienttest.Options{Settings: queue.Settings{Descriptors: tool(t)}})
	id, _ := begin(t, q, `{"id":"p1"}`)
	if seen, err := observe.Effect(t.Context(), q.Requester, tool(t), id, nil, true); err != nil || seen != nil {
		t.Errorf("by itself: %v, %v", seen, err)
	}
	_, err := observe.Effect(t.Context(), q.Requester, tool(t), id, nil, false)
	if r, ok := errors.AsType[*queue.Refusal](err); !ok || r.Code != queue.CodeBadInput {
		t.Errorf("asked for: %v", err)
	}
	if _, err := observe.Effect(t.Context(), q.Requester, nil, id, nil, true); err != nil {
		t.Errorf("without descriptors: %v", err)
	}
	_, err = observe.Effect(t.Context(), q.Requester, nil, "none-such", nil, true)
	if r, ok := errors.AsType[*queue.Refusal](err); !ok || r.Code != queue.CodeUnknownID {
		t.Errorf("no effect: %v", err)
	}
}

// late is a context whose deadline comes when a test says so.
type late struct {
	context.Context
	done chan struct{}
}

func (l late) Done() <-chan struct{} { return l.done }

func (l late) Err() error {
	select {
	case <-l.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// Who did not answer in the caller's time is filed so; a caller that goes away
// files nothing.
func TestTheCallersTime(t *testing.T) {
	waits := make(chan bool)
	reached := make(chan bool, 1)
	provider := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		reached <- true
		select {
		case <-waits:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(provider.Close)
	t.Cleanup(func() { close(waits) })
	set := tool(t, descriptor.Observer{Name: "a", Kind: descriptor.KindHTTP, URL: provider.URL + "/a", Same: map[string]string{"/amount": "/amount"}})
	q := clienttest.New(t, clienttest.Options{Settings: queue.Settings{Descriptors: set}})
	id, b := begin(t, q, `{"id":"p1","amount":4800}`)
	report(t, q, b, queue.ExitTimeout)

	ctx, stop := context.WithCancel(t.Context())
	go func() { <-reached; stop() }()
	if _, err := observe.Effect(ctx, q.Requester, set, id, nil, false); !errors.Is(err, context.Canceled) {
		t.Errorf("called off: %v", err)
	}
	if n := len(q.Desk(t, id).Facts); n != 2 {
		t.Errorf("%d facts, want begun and reported", n)
	}
	over := late{t.Context(), make(chan struct{})}
	go func() { <-reached; close(over.done) }()
	ctx = over
	if _, err := observe.Effect(ctx, q.Requester, set, id, nil, false); err != nil {
		t.Errorf("late: %v", err)
	}
	f := q.Desk(t, id).Facts
	if len(f) != 3 || f[2].Says != queue.AttemptUnknown || f[2].Why != descriptor.WhyTimeout {
		t.Errorf("facts %+v", f)
	}
}

// The newest attempt is looked for, with its own arguments; what a file held
// before the call comes from that attempt's operands.
func TestTheNewestAttemptsFile(t *testing.T) {
	set := tool(t, descriptor.Observer{Name: "file", Kind: descriptor.KindFile, Path: "{/file_path}", Content: "/content"})
	q := clienttest.New(t, clienttest.Options{Settings: queue.Settings{Descriptors: set}})
	path := filepath.Join(t.TempDir(), "f")
	put := func(text string) digest.Digest {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return digest.Of([]byte(text))
	}
	args := func(content string) string {
		return fmt.Sprintf(`{"id":"p1","file_path":%q,"content":%q}`, path, content)
	}
	look := func(id string) observe.Seen {
		seen, err := observe.Effect(t.Context(), q.Requester, set, id, nil, false)
		if err != nil || len(seen) != 1 {
			t.Fatalf("%v %v", seen, err)
		}
		return seen[0]
	}
	id, b := begin(t, q, args("one"), queue.Operand{Name: "file", Digest: put("old")})
	report(t, q, b, queue.ExitFailure)
	if s := look(id); s.Observation.Says != "not_executed" || s.Judged.State != queue.AttemptUnknown {
		t.Errorf("not written: %+v", s)
	}
	clienttest.Until(t, "the settle time's end", func() bool { d := q.Desk(t, id); return d.Now >= d.SettledAt })
	q.Reconcile(t, id, queue.Reconcile{Outcome: queue.AttemptNotExecuted, Reason: "looked", Evidence: "the file"})
	_, b = begin(t, q, args("two"), queue.Operand{Name: "file", Digest: put("older")})
	report(t, q, b, queue.ExitFailure)
	if s := look(id); s.Observation.Says != "not_executed" {
		t.Errorf("the second one, not written: %+v", s.Observation)
	}
	put("two")
	if s := look(id); s.Observation.Says != "committed" || s.Observation.Divergent {
		t.Errorf("the second one, written: %+v", s.Observation)
	}
}
