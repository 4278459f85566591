//go:build unix

package hook_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"nod/ambiguity"
	"nod/client/clienttest"
	"nod/descriptor"
	"nod/queue"
)

const (
	refund   = "mcp__shop__refund"
	refunded = `{"payment_id":"pay_8842","amount":4800}`
)

// refundTool describes the refund; an observer that runs by itself looks at
// url.
func refundTool(url string) descriptor.Tool {
	d := descriptor.Tool{Name: refund, Class: "irreversible", Access: "write", Confirm: "/payment_id",
		Effect: descriptor.Effect{Family: "refund", Parts: []string{"/payment_id"}, Lease: "20m", Settle: "1s"}}
	if url != "" {
		d.Observer = []descriptor.Observer{{Name: "refunds", Kind: descriptor.KindHTTP, Auto: true, URL: url + "/refunds?payment={/payment_id}",
			Candidates: "/data", Same: map[string]string{"/amount": "/amount"}, Ref: "/id"}}
	}
	return d
}

// refunds lets one refund begin and gives its ask and effect.
func (g *gate) refunds(t *testing.T, call string) (ask string, e queue.EffectView) {
	t.Helper()
	p := g.start(t, pre(refund, call, refunded), "100")
	row := g.Pending(t, 1)[0]
	g.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow, Confirm: "pay_8842"})
	if r := p.wait(t); r.decision != "allow" {
		t.Fatalf("got %+v, want an allow", r)
	}
	return row.ID, g.Effects(t, false)[0]
}

// A host that stopped waiting for a refund says nothing of the money: the agent
// is told, and its next try is refused with words that it can act on.
func TestARepeatIsRefused(t *testing.T) {
	g := newGate(t)
	g.describe(t, refundTool(""))
	ask, e := g.refunds(t, "toolu_1")
	if at := g.Desk(t, e.ID).Attempts[0]; at.Lease-at.BeganAt != (20 * time.Minute).Milliseconds() {
		t.Errorf("its lease is %d ms, want the descriptor's 20 min", at.Lease-at.BeganAt)
	}
	again := func(code string, says ...string) {
		t.Helper()
		r := g.run(t, pre(refund, "toolu_again_"+code, refunded))
		for _, want := range append(says, "did not run", "first "+refund+" of this effect") {
			if r.exit != 0 || r.decision != "deny" || !strings.Contains(r.reason, want) {
				t.Errorf("%s: %+v, want a denial that says %q", code, r, want)
			}
		}
	}
	again("while it runs", "still running", "do not retry with a new key")
	r := g.run(t, post("PostToolUseFailure", refund, "toolu_1", refunded, `,"error":"request timed out after 30000 ms","is_interrupt":true`))
	if r.exit != 0 || !strings.Contains(r.context, "not known whether the effect of this call happened") || !strings.Contains(r.context, "(reference "+ask+")") {
		t.Errorf("the agent is told %+v", r)
	}
	d := g.Desk(t, e.ID)
	if f := d.Facts[1]; f.Exit != queue.ExitTimeout || f.Seen != "request timed out after 30000 ms" || d.Effect.Standing != ambiguity.StandsUnknown {
		t.Errorf("filed %+v", f)
	}
	again("unknown", "is unknown, and a person is looking (reference "+ask+")", "do not retry, also not with a new key")
	g.Reconcile(t, e.ID, queue.Reconcile{Outcome: queue.AttemptCommitted, Reason: "it is in the books", Evidence: "case 1"})
	again("committed", "happened (reference "+ask+")", "do not do it again")
	if n := g.Desk(t, e.ID).Effect.Repeats; n != 3 {
		t.Errorf("%d repeats are kept, want 3", n)
	}
	if in, err := queue.Get[queue.Inbox](t.Context(), g.Operator, queue.QInbox{Limit: 10}); err != nil || len(in.Rows) != 0 {
		t.Errorf("they wait for a person: %+v, %v", in.Rows, err)
	}
}

// An approval from before the answer is worth nothing after it.
func TestAnApprovalOlderThanTheAnswer(t *testing.T) {
	g := newGate(t)
	g.describe(t, refundTool(""))
	early := g.start(t, pre(refund, "toolu_0", refunded), "100")
	approved := g.Pending(t, 1)[0]
	g.Hold(t, early.cmd.Process) // so that it begins after the answer
	other := g.start(t, strings.Replace(pre(refund, "toolu_1", refunded), "94085b22", "other", 1), "100")
	g.Decide(t, g.Pending(t, 2)[1], queue.Decide{Verdict: queue.VerdictAllow, Confirm: "pay_8842"})
	other.wait(t)
	g.run(t, strings.Replace(post("PostToolUseFailure", refund, "toolu_1", refunded, `,"error":"refused"`), "94085b22", "other", 1))
	g.Decide(t, approved, queue.Decide{Verdict: queue.VerdictAllow, Confirm: "pay_8842"})
	id := g.Effects(t, true)[0].ID
	clienttest.Until(t, "the settle time's end", func() bool { d := g.Desk(t, id); return d.Now >= d.SettledAt })
	g.Reconcile(t, id, queue.Reconcile{Outcome: queue.AttemptNotExecuted, Reason: "support finds none", Evidence: "case 1"})
	if err := early.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if r := early.wait(t); r.decision != "deny" || !strings.Contains(r.reason, "older than the last answer on its effect") {
		t.Errorf("got %+v", r)
	}
}

// A call whose effect the descriptor cannot name does not run.
func TestAnEffectWithoutAName(t *testing.T) {
	g := newGate(t)
	g.describe(t, refundTool(""))
	for _, input := range []string{`{"amount":4800}`, `{"payment_id":"","amount":1}`, `{"payment_id":8842,"amount":1}`, `{"payment_id":" pay_8842","amount":1}`} {
		r := g.run(t, pre(refund, "toolu_1", input))
		if r.decision != "deny" || !strings.Contains(r.reason, "cannot tell repeats of this call from others") || strings.Contains(r.reason, "8842") {
			t.Errorf("%s: %+v", input, r)
		}
	}
}

// The tool's own word is read from a structured result and nowhere else.
func TestWhatAToolSaysOfItsOutcome(t *testing.T) {
	const committed = `{"effect_outcome":"committed","refund":"re_1"}`
	for name, c := range map[string]struct {
		response string
		says     queue.AttemptState
		mark     ambiguity.Mark
		refused  bool
	}{
		"an object":        {committed, "committed", ambiguity.NotDurable, false},
		"a text of one":    {fmt.Sprintf("%q", committed), "committed", ambiguity.NotDurable, false},
		"with its id":      {`{"effect_outcome":"committed","effect_id":"pay_8842"}`, "committed", ambiguity.NotDurable, false},
		"not executed":     {`{"effect_outcome":"not_executed"}`, "not_executed", ambiguity.NotConfirmed, false},
		"another's id":     {`{"effect_outcome":"committed","effect_id":"pay_1"}`, "", ambiguity.NotConfirmed, true},
		"another's digest": {`{"effect_outcome":"committed","action_digest":"sha256:` + strings.Repeat("0", 64) + `"}`, "", ambiguity.NotConfirmed, true},
		"another word":     {`{"effect_outcome":"done"}`, "", ambiguity.NotConfirmed, true},
		"another type":     {`{"effect_outcome":true}`, "", ambiguity.NotConfirmed, true},
		"twice":            {`{"effect_outcome":"unknown","effect_outcome":"committed"}`, "", ambiguity.NotConfirmed, false},
		"deeper":           {`{"result":` + committed + `}`, "", ambiguity.NotConfirmed, false},
		"in a list":        {`[` + committed + `]`, "", ambiguity.NotConfirmed, false},
		"in text content":  {`[{"type":"text","text":` + fmt.Sprintf("%q", committed) + `}]`, "", ambiguity.NotConfirmed, false},
		"nothing":          {`null`, "", ambiguity.NotConfirmed, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGate(t)
			g.describe(t, refundTool(""))
			_, e := g.refunds(t, "toolu_1")
			r := g.run(t, post("PostToolUse", refund, "toolu_1", refunded, `,"tool_response":`+c.response))
			if r.exit != 0 || strings.Contains(r.message, "does not count") != c.refused {
				t.Errorf("got %+v", r)
			}
			d := g.Desk(t, e.ID)
			if f := d.Facts[1]; f.Says != c.says || f.Exit != queue.ExitSuccess || d.Effect.Mark != c.mark {
				t.Errorf("filed %+v, the effect %+v", f, d.Effect)
			}
		})
	}
}

func TestWhatACallGaveBack(t *testing.T) {
	for name, c := range map[string]struct{ event, more, want string }{
		"output":       {"PostToolUse", `"tool_response":{"stdout":"one\ntwo\n","stderr":"x"}`, "two"},
		"errors":       {"PostToolUse", `"tool_response":{"stdout":"","stderr":"warning: y\n"}`, "warning: y"},
		"no output":    {"PostToolUse", `"tool_response":{"stdout":"","stderr":"","interrupted":false}`, ""},
		"a text":       {"PostToolUse", `"tool_response":"a\nb"`, "b"},
		"an object":    {"PostToolUse", `"tool_response":{"b":1,"a":"x\ny"}`, `{"a":"x\ny","b":1}`},
		"absent":       {"PostToolUse", `"x":1`, ""},
		"not readable": {"PostToolUse", `"tool_response":{"a":1,"a":"\ud800"}`, `{"a":1,"a":"\ud800"}`},
		"large":        {"PostToolUse", `"tool_response":{"a":"` + strings.Repeat("0", 2<<20) + `"}`, `{"a":"` + strings.Repeat("0", 1015) + "…"},
		"a failure":    {"PostToolUseFailure", `"error":"Exit code 3\nmore\noops"`, "Exit code 3: oops"},
		"one line":     {"PostToolUseFailure", `"error":"timed out"`, "timed out"},
		"hostile":      {"PostToolUseFailure", `"error":"x\u001b[2J\ud800"`, "x\x1b[2J\uFFFD"},
		"no text":      {"PostToolUseFailure", `"error":7`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGate(t)
			g.describe(t, refundTool(""))
			_, e := g.refunds(t, "toolu_1")
			if r := g.run(t, post(c.event, refund, "toolu_1", refunded, ","+c.more)); r.exit != 0 || r.message != "" {
				t.Errorf("got %+v", r)
			}
			if f := g.Desk(t, e.ID).Facts; len(f) != 2 || f[1].Seen != c.want {
				t.Errorf("filed %+v, want %q", f, c.want)
			}
		})
	}
}

// An observer that runs by itself does so after the report, and no longer than
// the host waits for that.
func TestObserversAfterAReport(t *testing.T) {
	data := `{"data":[{"id":"re_19c","amount":4800}]}`
	for name, c := range map[string]struct {
		answer   func(w http.ResponseWriter, r *http.Request)
		standing ambiguity.Standing
		mark     ambiguity.Mark
		told     string
		why      string
	}{
		"matched": {func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, data) }, "committed", "", "", ""},
		"other content": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprint(w, strings.Replace(data, "4800", "48000", 1))
		},
			"committed", ambiguity.Divergent, "other content than was allowed", ""},
		"unavailable": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
			"unknown", ambiguity.NotConfirmed, "not known whether", descriptor.WhyUnavailable},
		"no answer": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			"unknown", ambiguity.NotConfirmed, "not known whether", descriptor.WhyTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			provider := httptest.NewServer(http.HandlerFunc(c.answer))
			t.Cleanup(provider.Close)
			g := newGate(t)
			g.describe(t, refundTool(provider.URL))
			_, e := g.refunds(t, "toolu_1")
			r := g.run(t, post("PostToolUse", refund, "toolu_1", refunded, `,"tool_response":"ok"`))
			if r.exit != 0 || r.message != "" || !strings.Contains(r.context, c.told) || (r.context == "") != (c.told == "") {
				t.Errorf("got %+v, want %q", r, c.told)
			}
			d := g.Desk(t, e.ID)
			if d.Effect.Standing != c.standing || d.Effect.Mark != c.mark || len(d.Facts) != 3 || d.Facts[2].Why != c.why {
				t.Errorf("the effect %+v, filed %+v", d.Effect, d.Facts)
			}
			if r := g.run(t, pre(refund, "toolu_2", refunded)); r.decision != "deny" {
				t.Errorf("a repeat: %+v", r)
			}
		})
	}
}
