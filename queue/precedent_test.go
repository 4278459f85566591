package queue_test

import (
	"slices"
	"strings"
	"testing"

	"nod/queue"
)

func (w *world) precedents(ask string, limit int64) []queue.Precedent {
	w.t.Helper()
	return must[queue.Precedents](w.t)(queue.Get[queue.Precedents](w.t.Context(), w.operator, queue.QPrecedent{Ask: ask, Limit: limit})).Before
}

func before(list []queue.Precedent) (ids []string) {
	for i := range list {
		ids = append(ids, list[i].Row.ID)
	}
	return ids
}

func TestPrecedents(t *testing.T) {
	w := newWorld(t)
	allowed, denied := w.allowed(call("one")), w.submit(call("two"))
	w.decide(denied.Ask, queue.VerdictDeny)
	other := call("three")
	other.Call.Tool = "Edit"
	w.allowed(other)
	back := w.submit(call("nobody answered"))
	w.ok(w.agent, queue.Withdraw{Ask: back.Ask, Token: back.Token}, 1)
	question := w.submit(queue.Submit{Kind: "question", Session: "s1", Question: &queue.Question{Text: "which?", Schema: []byte(`{"type":"string"}`)}})
	now := w.submit(call("four"))
	got := w.precedents(now.Ask, 5)
	if !slices.Equal(before(got), []string{denied.Ask, allowed.Ask}) {
		t.Fatalf("%v", before(got))
	}
	if !strings.Contains(string(got[1].Ask), `"one"`) || got[0].Row.Verdict != queue.VerdictDeny || got[1].Row.State != queue.StateAllowed {
		t.Errorf("%s\n%+v", got[1].Ask, got[0].Row)
	}
	if one := w.precedents(now.Ask, 1); len(one) != 1 || one[0].Row.ID != denied.Ask {
		t.Errorf("the newest only: %v", before(one))
	}
	if none := w.precedents(question.Ask, 5); len(none) != 0 {
		t.Errorf("a question's: %v", before(none))
	}
	// Of an answered ask: what was answered before it, never itself.
	w.decide(now.Ask, queue.VerdictDeny)
	if list := w.precedents(denied.Ask, 5); !slices.Equal(before(list), []string{allowed.Ask}) {
		t.Errorf("of an answered one: %v", before(list))
	}
	if list := w.precedents(allowed.Ask, 5); len(list) != 0 {
		t.Errorf("of the first: %v", before(list))
	}
}

// TestPrecedentsAreBounded: documents beyond 4 MiB together are left out, their
// rows are not.
func TestPrecedentsAreBounded(t *testing.T) {
	alone(t)
	w := newWorld(t)
	for i := range 7 {
		w.allowed(call(strings.Repeat("x", 800_000) + string(rune('a'+i))))
	}
	got := w.precedents(w.submit(call("now")).Ask, 20)
	size, without := 0, 0
	for i := range got {
		size += len(got[i].Ask)
		if len(got[i].Ask) == 0 {
			without++
		}
	}
	if len(got) != 7 || size > 4<<20 || size < 3<<20 || without != 2 {
		t.Errorf("%d precedents, %d bytes, %d without", len(got), size, without)
	}
}
