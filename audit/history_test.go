package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/queue"
)

// history is a store that the test can tamper with.
type history struct {
	store  string
	events []queue.StoredEvent
	kept   queue.Counters
	head   string
}

func (h *history) Do(context.Context, queue.Act) (queue.Result, error) { panic("an audit acts") }

func (h *history) Watch(context.Context) (<-chan int64, error) { panic("an audit watches") }

func (h *history) Read(_ context.Context, q queue.Query) (queue.Answer, error) {
	switch q := q.(type) {
	case queue.QStatus:
		return queue.Status{StoreID: h.store, Event: int64(len(h.events)), Head: h.head, Counters: h.kept}, nil
	case queue.QEvents:
		rest := h.events[min(q.After, int64(len(h.events))):]
		n := min(q.Limit, int64(len(rest)), 7) // small pages, so that tests cross them
		return queue.Events{Events: rest[:n], More: n < int64(len(rest))}, nil
	}
	return nil, fmt.Errorf("unexpected query %T", q)
}

// clone copies h so that tampering with one leaves the other.
func (h *history) clone() *history {
	c := *h
	c.events = make([]queue.StoredEvent, len(h.events))
	for i, e := range h.events {
		e.Body = append([]byte(nil), e.Body...)
		c.events[i] = e
	}
	return &c
}

// ev is one event's own members; add puts in what every event has.
type ev map[string]any

const beginning = 1_800_000_000_000

// add appends an event one second after the one before it, unless it has a
// time of its own.
func (h *history) add(t testing.TB, e ev) {
	t.Helper()
	n := len(h.events) + 1
	doc := ev{
		"type": queue.TypeEvent, "store": h.store, "seq": n, "prev": genesis,
		"effective_ms": beginning + 1000*n, "wall_ms": beginning + 1000*n,
	}
	if n > 1 {
		doc["prev"] = h.events[n-2].Hash
	}
	for k, v := range e {
		doc[k] = v
	}
	raw, err := json.Marshal(map[string]any(doc))
	if err != nil {
		t.Fatal(err)
	}
	body, err := digest.Canonical(raw, digest.NoLimits())
	if err != nil {
		t.Fatal(err)
	}
	h.events = append(h.events, stored(int64(n), body))
	h.head = h.events[n-1].Hash
}

func stored(seq int64, body []byte) queue.StoredEvent {
	sum := sha256.Sum256(body)
	return queue.StoredEvent{Seq: seq, Hash: hex.EncodeToString(sum[:]), Body: body}
}

var (
	actionOne = string(digest.Of([]byte("action")))
	shownOne  = string(digest.Of([]byte("card")))
)

const session = "s-0123456789abcdef"

func submit(id, to string, more ...ev) ev {
	e := ev{
		"act": "submit", "ask": id, "to": to, "session": session, "ask_digest": string(digest.Of([]byte(id))),
		"action_digest": actionOne, "shown_digest": shownOne, "answer_by": beginning + 500_000, "use_within_ms": 100_000,
	}
	return with(e, more...)
}

func move(act, id, from, to string, more ...ev) ev {
	return with(ev{"act": act, "ask": id, "from": from, "to": to, "action_digest": actionOne, "shown_digest": shownOne, "session": session}, more...)
}

func with(e ev, more ...ev) ev {
	for _, m := range more {
		for k, v := range m {
			if v == nil {
				delete(e, k)
				continue
			}
			e[k] = v
		}
	}
	return e
}

// honest is a history with every act in it.
func honest(t testing.TB) *history {
	t.Helper()
	h := &history{store: "store-1", head: genesis}
	person := ev{"by": "person"}
	for _, e := range []ev{
		submit("a", "pending"),
		move("decide", "a", "pending", "allowed", person),
		move("begin", "a", "allowed", "spent", person, ev{"attempt": "t1", "attempt_number": 1}),
		{"act": "report", "ask": "a", "attempt": "t1", "attempt_number": 1, "from": "executing", "to": "unknown", "exit_status": "success"},
		submit("b", "pending"),
		move("decide", "b", "pending", "denied", person),
		{"act": "grant", "ask": "a", "grant": "g1", "grant_left": 1, "grant_until": beginning + 900_000, "action_digest": actionOne, "session": session},
		submit("c", "allowed", ev{"by": "grant", "grant": "g1"}),
		move("begin", "c", "allowed", "spent", ev{"by": "grant", "grant": "g1", "attempt": "t2", "attempt_number": 1}),
		{"act": "lease_over", "ask": "c", "attempt": "t2", "attempt_number": 1, "from": "executing", "to": "unknown"},
		{"act": "report", "ask": "c", "attempt": "t2", "attempt_number": 1, "from": "unknown", "to": "unknown", "late": true},
		{"act": "freeze", "freeze": "all"},
		{"act": "unfreeze", "freeze": "all"},
		submit("d", "allowed", ev{"by": "rule", "rule": "reads"}),
		move("withdraw", "d", "allowed", "withdrawn"),
		submit("e", "pending", ev{"replaces": "d"}),
		{"act": "adopt", "ask": "e", "session": session, "action_digest": actionOne},
		{"act": "notice", "notice": "mismatch"},
		{"act": "session_end", "session": session},
		submit("f", "denied", ev{"by": "rule", "rule": "no"}),
	} {
		h.add(t, e)
	}
	h.kept = queue.Counters{Asks: 6, Pending: 1, Denied: 2, Spent: 2, Notices: 1}
	return h
}
