package plain

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"nod/ambiguity"
	"nod/descriptor"
	"nod/digest/visible"
	"nod/queue"
	"nod/tui/frame/frametest"
)

const minute = 60_000

func refunds(t *testing.T) func(*queue.Settings) {
	t.Helper()
	set, err := descriptor.Compile([]descriptor.Tool{{
		Name: "billing.refund", Class: "compensatable", Access: "write",
		Effect: descriptor.Effect{Family: "refund", Parts: []string{"/payment_id"}, Settle: "10m", Lease: "5m",
			Provider: descriptor.Provider{KeyLifetime: "24 h", Changed: "refused", Cached: "its first answer"}},
		Observer: []descriptor.Observer{{Name: "refunds", Kind: "http", URL: "http://127.0.0.1:1/refunds?payment={/payment_id}", Status: 200,
			Candidates: "/data", Same: map[string]string{"/amount": "/amount"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return func(s *queue.Settings) { s.Descriptors = set }
}

// lost makes an effect whose call timed out, and a repeat of it that was refused.
func (w *world) lost(agent queue.Port, s queue.Submit, cameBack string) queue.Begun {
	w.t.Helper()
	ask, err := queue.As[queue.Submitted](w.t.Context(), agent, s)
	if err != nil {
		w.t.Fatal(err)
	}
	v, err := queue.Get[queue.AskView](w.t.Context(), w.night, queue.QAsk{ID: ask.Ask})
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.night.Do(w.t.Context(), queue.Decide{Ask: ask.Ask, Verdict: queue.VerdictAllow, ActionDigest: v.Row.ActionDigest, ShownDigest: v.Row.ShownDigest, Confirm: v.Confirm}); err != nil {
		w.t.Fatal(err)
	}
	b, err := queue.As[queue.Begun](w.t.Context(), agent, queue.Begin{Ask: ask.Ask, Token: ask.Token, Action: ask.Action, Executor: "nod hook", HostRuns: true})
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := agent.Do(w.t.Context(), queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitTimeout, CameBack: cameBack}); err != nil {
		w.t.Fatal(err)
	}
	return b
}

func refund(payment string) queue.Submit {
	return call("billing.refund", fmt.Sprintf(`{"payment_id":%q,"amount":4800}`, payment))
}

func (w *world) lostRefund() queue.Begun {
	w.t.Helper()
	b := w.lost(w.agent, refund("pay_8842"), "request timed out after 30000 ms")
	if _, err := w.agent.Do(w.t.Context(), refund("pay_8842")); err == nil {
		w.t.Fatal("a repeat was let through")
	}
	return b
}

func (w *world) effect() queue.Desk {
	w.t.Helper()
	list, err := queue.Get[queue.Effects](w.t.Context(), w.mia, queue.QEffects{Limit: 1})
	if err != nil || len(list.Effects) == 0 {
		w.t.Fatal(err)
	}
	d, err := queue.Get[queue.Desk](w.t.Context(), w.mia, queue.QEffect{ID: list.Effects[0].ID})
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

func (w *world) stands(want ambiguity.Standing) queue.Desk {
	w.t.Helper()
	d := w.effect()
	if d.Effect.Standing != want {
		w.t.Errorf("it stands %s, not %s", d.Effect.Standing, want)
	}
	return d
}

func (w *world) pageCode() string { return w.effect().Digest.Hex()[:4] }

// TestDeskTranscript is an effect from the list to the answer, word for word.
func TestDeskTranscript(t *testing.T) {
	w := newWorld(t, refunds(t))
	w.lostRefund()
	w.now += 4 * minute
	early := w.talkTo(nil, lines("1", "not happened", "answers")...)
	has(t, early, "Not now: lease and settle time are not over, from 14:45:12 on.", `"not happened": not now, lease and settle time are not over, from 14:45:12 on.`)
	w.now += 20 * minute
	code := w.pageCode()
	out := w.talkTo(nil, lines("1", "summary", "answers", "waits", "not happened", "more", "more", "not happened", "support finds no refund", "case 55120", "yes",
		"pay_8843", "not happened", "", "", "no", "pay_8842", "zzzz", "not happened", "", "", "no", "pay_8842", code, "effects", "quit")...)
	golden.RequireEqual(t, []byte(out))
	d := w.stands(ambiguity.StandsFree)
	f := d.Facts[len(d.Facts)-1]
	if f.Reason != "support finds no refund" || f.Seen != "case 55120" || f.Durable {
		t.Errorf("%+v", f)
	}
}

func TestTheOtherAnswersWantAYes(t *testing.T) {
	for verb, c := range map[string]struct {
		stands ambiguity.Standing
		says   string
	}{
		"happened":  {ambiguity.StandsCommitted, "Settled: at 14:30:2"},
		"committed": {ambiguity.StandsCommitted, "repeats are refused duplicate_effect."},
		"unknown":   {ambiguity.StandsUnknown, "Kept: at 14:30:2"},
	} {
		w := newWorld(t, refunds(t))
		w.lostRefund()
		for _, not := range [][]string{{"no"}, {""}, {"y"}, {"happened"}} {
			w.talkTo(nil, lines(append([]string{"1", verb, "I saw it", "case 1", "yes"}, not...)...)...)
			if n := len(w.stands(ambiguity.StandsUnknown).Facts); n != 2 {
				t.Errorf("%q after %s: %d facts", not, verb, n)
			}
		}
		w.talkTo(nil, append(lines("1", verb, "I saw it", "case 1", "yes"), typed{text: "yes", after: 200})...)
		w.talkTo(nil, append(lines("1", verb, "I saw it", "case 1", "yes"), typed{text: "yes", behind: true})...)
		if n := len(w.stands(ambiguity.StandsUnknown).Facts); n != 2 {
			t.Errorf("an early or pasted yes after %s: %d facts", verb, n)
		}
		w.now = began + 1000
		out := w.talkTo(nil, lines("1", verb, "I saw it", "case 1", "yes", "yes")...)
		has(t, out, "nod> "+verb, c.says)
		d := w.stands(c.stands)
		if f := d.Facts[len(d.Facts)-1]; f.Reason != "I saw it" || f.Seen != "case 1" || !f.Durable || f.By != "mia" {
			t.Errorf("%+v", f)
		}
	}
}

// Evidence that comes in at any line refuses the answer; what was written is
// there again.
func TestEvidenceBetweenTheLines(t *testing.T) {
	for at, name := range []string{"", "before the word", "at the reason", "at the evidence", "at durable", "at the yes"} {
		if at == 0 {
			continue
		}
		w := newWorld(t, refunds(t))
		b := w.lostRefund()
		script := lines("1", "happened", "I saw it", "case 1", "yes", "yes")
		script[at].do = func() {
			if _, err := w.mia.Do(t.Context(), queue.Observe{Attempt: b.Attempt, Observer: "refunds", Outcome: "unknown", Why: "timeout"}); err != nil {
				t.Fatal(err)
			}
		}
		out := w.talkTo(nil, script...)
		has(t, out, "Changed: evidence came in")
		if d := w.stands(ambiguity.StandsUnknown); len(d.Facts) != 3 {
			t.Errorf("%s: %d facts", name, len(d.Facts))
		}
	}
	w := newWorld(t, refunds(t))
	b := w.lostRefund()
	script := lines("1", "happened", "I saw it", "case 1", "yes", "yes", "happened", "", "", "no", "yes")
	script[5].do = func() {
		if _, err := w.mia.Do(t.Context(), queue.Observe{Attempt: b.Attempt, Observer: "refunds", Outcome: "unknown", Why: "timeout"}); err != nil {
			t.Fatal(err)
		}
	}
	has(t, w.talkTo(nil, script...), "Enter keeps what you wrote: I saw it", "Settled: ")
	w.stands(ambiguity.StandsCommitted)
}

func TestCorrectAcknowledgeAndDistinct(t *testing.T) {
	w := newWorld(t, refunds(t))
	b := w.lostRefund()
	if _, err := w.mia.Do(t.Context(), queue.Observe{Attempt: b.Attempt, Observer: "refunds", Outcome: "committed", Durable: true, Divergent: true,
		Allowed: "4800\n", Content: "9900\n"}); err != nil {
		t.Fatal(err)
	}
	out := w.talkTo(nil, lines("1", "diff", "acknowledge", "finance knows", "yes", "list", "effects", "1", "distinct", "paid twice", "yes", "effects", "1")...)
	has(t, out, "Happened, with other content than allowed, ", "1 removed: 4800", "1 added: 9900", "Read: at ", "Nothing waits.", "0 effects are on the desk.",
		"Opened: at ", "Opened on purpose, nothing began")
	if d := w.stands(ambiguity.StandsFree); d.Effect.Ordinal != 2 {
		t.Errorf("%+v", d.Effect)
	}
	w = newWorld(t, refunds(t))
	w.lostRefund()
	out = w.talkTo(nil, lines("1", "happened", "I saw it", "case 1", "yes", "yes", "unknown", "not sure", "it lags", "no", "yes", "attempt 1", "attempt 7", "ask", "effect", "approve", "happened now")...)
	has(t, out, "Correction, still unknown: repeats stay blocked", "Attempt 1: the answers are about it now.", "No attempt: it has 1 attempt.",
		"An effect: say \"happened\"", "Unknown, not confirmed.")
	if d := w.stands(ambiguity.StandsUnknown); d.Facts[len(d.Facts)-1].Kind != ambiguity.Correction {
		t.Errorf("%+v", d.Facts)
	}
}

func TestObserversAreAsked(t *testing.T) {
	w := newWorld(t, refunds(t))
	b := w.lostRefund()
	has(t, w.talkTo(nil, lines("1", "observe")...), "No observer: this console cannot ask them.")
	out := w.talkTo(func(o *Options) {
		o.Observe = func(context.Context, string) (int, error) {
			_, err := w.mia.Do(t.Context(), queue.Observe{Attempt: b.Attempt, Observer: "refunds", Outcome: "committed", Durable: true})
			return 1, err
		}
	}, lines("1", "observe")...)
	has(t, out, "Observed: 1 observer answered. Happened.")
}

func TestNothingButDrawnTextIsPrintedOfEffects(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the corpora through, in one goroutine")
	}
	w := newWorld(t)
	n := 0
	for i, text := range frametest.Hostile(t, "../testdata") {
		if i%3 != 0 || len(text) > 800 {
			continue
		}
		s := call("T"+text, `{"a":1}`)
		s.Session, s.Call.Effect = text, &queue.Effect{Class: "compensatable"}
		if _, err := queue.As[queue.Submitted](t.Context(), w.as("a"+text), s); err != nil {
			continue
		}
		w.lost(w.as("b"+text), s, text)
		n++
		line := strings.NewReplacer("\n", " ", "\r", " ").Replace(text)
		ascii := n%2 == 0
		out := w.talkTo(func(o *Options) { o.ASCII = ascii }, lines("effects", "1", "more", "more", "summary", "answers", "waits", "happened", "r"+line, "e"+line, "yes", "no", "more", "digest", "line 2")...)
		for _, row := range strings.Split(out, "\n") {
			if _, echo, is := strings.Cut(row, "> "); is && strings.Contains(echo, line) {
				continue // what the terminal echoes is the operator's
			}
			if visible.Drawn(row).String() != row {
				t.Fatalf("%q is not drawn text", row)
			}
			if ascii && strings.ContainsFunc(row, func(r rune) bool { return r > '~' }) {
				t.Fatalf("%q is not ASCII", row)
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d effects", n)
	}
}
