package queue_test

import (
	"errors"
	"strings"
	"testing"

	"nod/digest"
	"nod/queue"
)

func TestBadFilters(t *testing.T) {
	w := newWorld(t)
	w.submit(call("one"))
	for name, c := range map[string]struct {
		q    queue.Query
		code string
	}{
		"kind":            {queue.QInbox{Filter: queue.Filter{Kind: "Call"}}, queue.CodeBadInput},
		"bytes":           {queue.QInbox{Filter: queue.Filter{Find: strings.Repeat("é", 128) + "x"}}, queue.CodeBadInput},
		"words":           {queue.QInbox{Filter: queue.Filter{Find: strings.Repeat("a ", 17)}}, queue.CodeBadInput},
		"UTF-8":           {queue.QInbox{Filter: queue.Filter{Find: "a\xff"}}, digest.CodeBadUTF8},
		"tool UTF-8":      {queue.QHistory{Filter: queue.Filter{Tool: "\xc3"}}, digest.CodeBadUTF8},
		"long agent":      {queue.QInbox{Filter: queue.Filter{Agent: strings.Repeat("x", 5000)}}, digest.CodeTooLarge},
		"since":           {queue.QInbox{Filter: queue.Filter{Since: -1}}, queue.CodeBadInput},
		"inbox state":     {queue.QInbox{Filter: queue.Filter{State: queue.StateDenied}}, queue.CodeBadInput},
		"inbox verdict":   {queue.QInbox{Filter: queue.Filter{Verdict: queue.VerdictDeny}}, queue.CodeBadInput},
		"inbox by":        {queue.QInbox{Filter: queue.Filter{By: queue.ByRule}}, queue.CodeBadInput},
		"history snoozed": {queue.QHistory{Filter: queue.Filter{Snoozed: true}}, queue.CodeBadInput},
		"history pending": {queue.QHistory{Filter: queue.Filter{State: queue.StatePending}}, queue.CodeBadInput},
		"history verdict": {queue.QHistory{Filter: queue.Filter{Verdict: "yes"}}, queue.CodeBadInput},
		"history by":      {queue.QHistory{Filter: queue.Filter{By: "cat"}}, queue.CodeBadInput},
		"two states":      {queue.QHistory{State: queue.StateDenied, Filter: queue.Filter{State: queue.StateSpent}}, queue.CodeBadInput},
		"stats span":      {queue.QStats{SpanMS: 3_599_999, Cells: 1}, queue.CodeBadInput},
		"stats long":      {queue.QStats{SpanMS: 31*24*3_600_000 + 1, Cells: 1}, queue.CodeBadInput},
		"stats cells":     {queue.QStats{SpanMS: 3_600_000, Cells: 101}, queue.CodeBadInput},
		"stats no cell":   {queue.QStats{SpanMS: 3_600_000}, queue.CodeBadInput},
		"precedents":      {queue.QPrecedent{Ask: "x", Limit: 21}, queue.CodeBadInput},
		"no precedent":    {queue.QPrecedent{Ask: "x"}, queue.CodeBadInput},
		"whose":           {queue.QPrecedent{Ask: "x", Limit: 1}, queue.CodeUnknownID},
	} {
		_, err := w.operator.Read(t.Context(), c.q)
		if no, ok := errors.AsType[*queue.Refusal](err); !ok || no.Code != c.code || no.Sentence == "" {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
		if _, err := w.agent.Read(t.Context(), c.q); err == nil {
			t.Errorf("%s: an agent may read it", name)
		}
	}
	if rows := w.inbox(queue.Filter{Find: strings.Repeat("é", 128)}).Rows; len(rows) != 0 {
		t.Errorf("%v", listed(rows))
	}
	if rows := w.inbox(queue.Filter{Find: strings.TrimSpace(strings.Repeat("b ", 16)) + "   "}).Rows; len(rows) != 1 {
		t.Errorf("16 words: %v", listed(rows))
	}
}

// TestPagesThroughThePort: a page says where the next one begins, filtered or
// not, and each ask is on one page.
func TestPagesThroughThePort(t *testing.T) {
	w := newWorld(t)
	for i := range 7 {
		w.submit(call(strings.Repeat("x", i+1)))
	}
	for name, f := range map[string]queue.Filter{"plain": {}, "filtered": {Find: "ba xx"}} {
		seen := map[string]bool{}
		q := queue.QInbox{Limit: 2, Filter: f}
		for more := true; more; {
			page := must[queue.Inbox](t)(queue.Get[queue.Inbox](t.Context(), w.operator, q))
			for _, id := range listed(page.Rows) {
				if seen[id] {
					t.Errorf("%s: %s twice", name, id)
				}
				seen[id] = true
			}
			if more = page.More; more {
				if page.Reached == nil {
					t.Fatalf("%s: more, and no place to go on from", name)
				}
				q.After = *page.Reached
			}
		}
		if want := map[string]int{"plain": 7, "filtered": 6}[name]; len(seen) != want {
			t.Errorf("%s: %d rows, want %d", name, len(seen), want)
		}
		up := map[string]bool{}
		q = queue.QInbox{Limit: 2, Before: &queue.Key{Urgency: 9}, Filter: f}
		for more := true; more; {
			page := must[queue.Inbox](t)(queue.Get[queue.Inbox](t.Context(), w.operator, q))
			for _, id := range listed(page.Rows) {
				up[id] = true
			}
			if more = page.More; more {
				q.Before = page.Reached
			}
		}
		if len(up) != len(seen) {
			t.Errorf("%s: upwards %d rows", name, len(up))
		}
	}
	for _, id := range listed(w.inbox(queue.Filter{}).Rows) {
		w.decide(id, queue.VerdictDeny)
	}
	for name, f := range map[string]queue.Filter{"plain": {}, "state": {State: queue.StateDenied}, "filtered": {By: queue.ByPerson, Find: "xx"}} {
		seen := map[string]bool{}
		q := queue.QHistory{Limit: 2, Filter: f}
		for more := true; more; {
			page := must[queue.History](t)(queue.Get[queue.History](t.Context(), w.operator, q))
			for _, id := range listed(page.Rows) {
				seen[id] = true
			}
			if more = page.More; more {
				q.BeforeSeq = page.Reached
			}
		}
		if want := map[string]int{"plain": 7, "state": 7, "filtered": 6}[name]; len(seen) != want {
			t.Errorf("history %s: %d rows, want %d", name, len(seen), want)
		}
	}
}
