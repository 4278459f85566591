package client_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"nod/client"
	"nod/client/clienttest"
	"nod/queue"
)

func submit(t *testing.T, q *clienttest.Queue, s queue.Submit) queue.Submitted {
	t.Helper()
	s.Kind, s.Session = "call", "s"
	if s.Call == nil {
		s.Call = &queue.Call{Tool: "Bash", Arguments: jsontext.Value(`{"command":"ls"}`)}
	}
	sub, err := queue.As[queue.Submitted](t.Context(), q.Requester, s)
	if err != nil {
		t.Fatalf("submit: %v", err)
	}
	return sub
}

// TestAnswerBeforeWaiting decides before the waiter waits: no answer is lost.
func TestAnswerBeforeWaiting(t *testing.T) {
	q := clienttest.New(t, clienttest.Options{})
	for range 50 {
		sub := submit(t, q, queue.Submit{})
		q.Allow(t, "go")
		st, err := client.Await(t.Context(), q.Requester, sub)
		if err != nil || st.State != queue.StateAllowed || st.Decision.Words != "go" {
			t.Fatalf("Await = %+v, %v; want the allow", st, err)
		}
		if _, err := q.Operator.Do(t.Context(), queue.Revoke{Ask: sub.Ask}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnswerWhileWaiting(t *testing.T) {
	q := clienttest.New(t, clienttest.Options{})
	sub := submit(t, q, queue.Submit{})
	got := make(chan queue.Standing, 1)
	go func() {
		st, err := client.Await(t.Context(), q.Requester, sub)
		if err != nil {
			t.Errorf("Await: %v", err)
		}
		got <- st
	}()
	select {
	case st := <-got:
		t.Fatalf("waiting ended without an answer: %+v", st)
	case <-time.After(200 * time.Millisecond):
	}
	q.Deny(t, "no")
	if st := <-got; st.State != queue.StateDenied || st.Decision.Words != "no" {
		t.Errorf("got %+v, want the denial", st)
	}
}

func TestDeadlineEndsTheWait(t *testing.T) {
	q := clienttest.New(t, clienttest.Options{})
	sub := submit(t, q, queue.Submit{AnswerInMS: 1500})
	st, err := client.Await(t.Context(), q.Requester, sub)
	if err != nil || st.State != queue.StateExpired {
		t.Errorf("Await = %+v, %v; want expired, by itself", st, err)
	}
}

// TestHold waits out a decision's not_before, and sees an approval that is
// taken back meanwhile.
func TestHold(t *testing.T) {
	q := clienttest.New(t, clienttest.Options{})
	sub := submit(t, q, queue.Submit{})
	row := q.Pending(t, 1)[0]
	q.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow, HoldMS: 700})
	begin := time.Now()
	st, err := client.Await(t.Context(), q.Requester, sub)
	if err != nil || st.State != queue.StateAllowed || st.Now < st.Decision.NotBefore {
		t.Errorf("Await = %+v, %v; want allowed after its hold", st, err)
	}
	if took := time.Since(begin); took < 500*time.Millisecond {
		t.Errorf("the hold was not waited for: %s", took)
	}

	sub = submit(t, q, queue.Submit{Call: &queue.Call{Tool: "Other", Arguments: jsontext.Value(`{}`)}})
	row = q.Pending(t, 1)[0]
	q.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow, HoldMS: 60_000})
	go func() {
		time.Sleep(100 * time.Millisecond)
		if _, err := q.Operator.Do(context.Background(), queue.Revoke{Ask: sub.Ask}); err != nil {
			t.Errorf("revoke: %v", err)
		}
	}()
	if st, err := client.Await(t.Context(), q.Requester, sub); err != nil || st.State != queue.StateRevoked {
		t.Errorf("Await = %+v, %v; want revoked during the hold", st, err)
	}
}

func TestAnotherWaiter(t *testing.T) {
	q := clienttest.New(t, clienttest.Options{})
	sub := submit(t, q, queue.Submit{CallID: "c"})
	again := submit(t, q, queue.Submit{CallID: "c"})
	if !again.Repeat || again.Ask != sub.Ask {
		t.Fatalf("the repeat is another ask: %+v", again)
	}
	_, err := client.Await(t.Context(), q.Requester, sub)
	if r, ok := errors.AsType[*queue.Refusal](err); !ok || r.Code != queue.CodeNotYours {
		t.Errorf("the old token: %v, want not_yours", err)
	}
}

func TestEndOfContext(t *testing.T) {
	q := clienttest.New(t, clienttest.Options{})
	sub := submit(t, q, queue.Submit{})
	cause := errors.New("the host is gone")
	ctx, stop := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { stop(cause) })
	if st, err := client.Await(ctx, q.Requester, sub); !errors.Is(err, cause) || st.State != "" {
		t.Errorf("Await = %+v, %v; want the cause and no state", st, err)
	}
	if v := q.Ask(t, sub.Ask); v.Row.State != queue.StatePending {
		t.Errorf("the ask is %s; it stays for whoever asks again", v.Row.State)
	}
}
