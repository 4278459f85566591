package demo_test

import (
	"context"
	"strings"
	"testing"

	"nod/ambiguity"
	"nod/cli/demo"
	"nod/client/clienttest"
	"nod/observe"
	"nod/queue"
)

// lost plays the demo until the refund's outcome is unknown and its agent was
// refused a second one; then the newcomer answers. It gives the transcript when
// a line of it says end.
func lost(t *testing.T, answer func(q *clienttest.Queue, shop *demo.Shop, effect string), end string) string {
	t.Helper()
	q, shop := newShop(t, "1s")
	agent := demo.NewAgent(q.Requester, shop, nil)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- agent.Run(ctx) }()
	allow(t, q)
	var e queue.EffectView
	clienttest.Until(t, "the refused repeat", func() bool {
		open := q.Effects(t, true)
		if len(open) == 1 {
			e = open[0]
		}
		return len(open) == 1 && open[0].Repeats == 1
	})
	if e.Standing != ambiguity.StandsUnknown || e.Mark != ambiguity.NotDurable {
		t.Errorf("the effect %+v", e)
	}
	answer(q, shop, e.ID)
	clienttest.Until(t, end, func() bool { return strings.Contains(strings.Join(agent.Transcript(), "\n"), end) })
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	return strings.Join(agent.Transcript(), "\n")
}

// allow lets the refund run and leaves the rest.
func allow(t *testing.T, q *clienttest.Queue) {
	t.Helper()
	clienttest.Until(t, "the refund's ask", func() bool {
		for _, row := range q.Pending(t, 1) {
			if row.Tool == "billing.refund" {
				q.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow, Confirm: "pay_8842"})
				return true
			}
		}
		return false
	})
}

// The newcomer says that it happened, or asks the observer a second time: the
// agent is told, and the refund is there once.
func TestTheRefundHappened(t *testing.T) {
	for name, answer := range map[string]func(q *clienttest.Queue, shop *demo.Shop, effect string){
		"a person says so": func(q *clienttest.Queue, _ *demo.Shop, effect string) {
			q.Reconcile(t, effect, queue.Reconcile{Outcome: queue.AttemptCommitted, Reason: "it is listed", Evidence: "re_19c"})
		},
		"the observer does": func(q *clienttest.Queue, shop *demo.Shop, effect string) {
			seen, err := observe.Effect(t.Context(), q.Requester, shop.Tools, effect, nil, false)
			if err != nil || len(seen) != 1 || !seen[0].Observation.Durable || seen[0].Judged.Standing != ambiguity.StandsCommitted {
				t.Errorf("%+v %v", seen, err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			text := lost(t, answer, "I do not send it twice")
			for _, want := range []string{"timed out refund", `"pending"`, "is unknown, and a person is looking", "of this effect happened (reference re_19c)"} {
				if strings.Count(text, want) != 1 {
					t.Errorf("the transcript does not say %q once:\n%s", want, text)
				}
			}
		})
	}
}

// The newcomer says that it did not happen, and was wrong: one retry runs, and
// the provider has two.
func TestTheRefundIsSaidNotToHaveHappened(t *testing.T) {
	text := lost(t, func(q *clienttest.Queue, _ *demo.Shop, effect string) {
		clienttest.Until(t, "the settle time's end", func() bool { d := q.Desk(t, effect); return d.Now >= d.SettledAt })
		q.Reconcile(t, effect, queue.Reconcile{Outcome: queue.AttemptNotExecuted, Reason: "I see none", Evidence: "none"})
		clienttest.Until(t, "the second ask", func() bool { return len(q.Pending(t, 1)) > 4 })
		allow(t, q)
	}, "lists 2 refunds")
	if strings.Count(text, "asked     refund again") != 1 || strings.Count(text, "begun     refund") != 2 {
		t.Errorf("the transcript:\n%s", text)
	}
}
