package tui_test

import (
	"fmt"
	"testing"

	"nod/descriptor"
	"nod/queue"
	"nod/tui"
)

const minute = 60_000

// refunds describes a tool whose effect has a name, a settle time and an
// observer.
func refunds(t *testing.T) func(*queue.Settings) {
	t.Helper()
	set, err := descriptor.Compile([]descriptor.Tool{{
		Name: "billing.refund", Class: "compensatable", Access: "write",
		Effect: descriptor.Effect{Family: "refund", Parts: []string{"/payment_id"}, Settle: "10m", Lease: "5m",
			Provider: descriptor.Provider{KeyLifetime: "24 h", Changed: "refused", Cached: "its first answer"}},
		Reading: []descriptor.Reading{{At: "/amount", As: "money", Currency: "EUR"}},
		Observer: []descriptor.Observer{{Name: "refunds", Kind: "http", URL: "http://127.0.0.1:1/refunds?payment={/payment_id}", Status: 200,
			Candidates: "/data", Same: map[string]string{"/amount": "/amount"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return func(s *queue.Settings) { s.Descriptors = set }
}

func refund(payment string) queue.Submit {
	return queue.Submit{Kind: "call", Session: "s1", Call: &queue.Call{Tool: "billing.refund",
		Arguments: fmt.Appendf(nil, `{"payment_id":%q,"amount":4800}`, payment)}}
}

// begin lets an ask be allowed and begun.
func (w *world) begin(s queue.Submit) queue.Begun {
	w.t.Helper()
	ask := w.submit(s)
	w.decide(ask.Ask, queue.VerdictAllow)
	b, err := queue.As[queue.Begun](w.t.Context(), w.agent, queue.Begin{Ask: ask.Ask, Token: ask.Token, Action: ask.Action, Executor: "nod hook", HostRuns: true})
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}

// lost makes an effect of which nobody knows whether it happened: its call timed
// out, and a repeat was refused.
func (w *world) lost(payment string) queue.Begun {
	w.t.Helper()
	b := w.begin(refund(payment))
	w.now += 30_000
	if _, err := w.agent.Do(w.t.Context(), queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitTimeout, CameBack: "request timed out after 30000 ms"}); err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.as("support-bot").Do(w.t.Context(), refund(payment)); err == nil {
		w.t.Fatal("a repeat of an unknown effect was let through")
	}
	return b
}

// effect is the newest effect, whole.
func (w *world) effect() queue.Desk {
	w.t.Helper()
	list, err := queue.Get[queue.Effects](w.t.Context(), w.mia, queue.QEffects{Limit: 1})
	if err != nil || len(list.Effects) == 0 {
		w.t.Fatalf("no effect: %v", err)
	}
	d, err := queue.Get[queue.Desk](w.t.Context(), w.mia, queue.QEffect{ID: list.Effects[0].ID})
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

// saw files what an observer saw.
func (w *world) saw(b queue.Begun, o queue.Observe) {
	w.t.Helper()
	o.Attempt, o.Observer = b.Attempt, "refunds"
	if _, err := w.mia.Do(w.t.Context(), o); err != nil {
		w.t.Fatal(err)
	}
}

// pageCode is what "did not happen" types last.
func (w *world) pageCode() string { return w.effect().Digest.Hex()[:4] }

// atDesk is a console with the newest effect open.
func (w *world) atDesk(width, height int, change ...func(*tui.Options)) *console {
	w.t.Helper()
	c := newConsole(w.t, w, w.mia, width, height, change...)
	c.press("2", "enter")
	c.rest()
	return c
}
