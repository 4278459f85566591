//go:build unix

package hook_test

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"nod/client"
	"nod/client/clienttest"
	"nod/notice"
	"nod/queue"
)

const overEvent = `{"session_id":"94085b22","cwd":"/","hook_event_name":"SessionEnd","reason":"other"}`

// over ends the host's session and gives the notices of words that are open
// then, oldest first.
func (g *gate) over(t *testing.T) []queue.NoticeView {
	t.Helper()
	if r := g.run(t, overEvent); r.exit != 0 {
		t.Fatalf("the end of the session: %+v", r)
	}
	return g.told(t)
}

func (g *gate) told(t *testing.T) []queue.NoticeView {
	t.Helper()
	list := slices.DeleteFunc(g.Notices(t), func(n queue.NoticeView) bool { return n.Says == nil })
	slices.Reverse(list)
	return list
}

// killed asks, is answered, and dies before it hands the answer over.
func (g *gate) killed(t *testing.T, event string, v queue.Verdict, words string) queue.Row {
	t.Helper()
	p := g.start(t, event, "100")
	row := g.Pending(t, 1)[0]
	g.Hold(t, p.cmd.Process)
	g.Decide(t, row, queue.Decide{Verdict: v, Words: words})
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait() // killed
	return row
}

func detailOf(t *testing.T, n *queue.NoticeView) notice.Detail {
	t.Helper()
	d, err := notice.ParseDetail(n.Code, n.Detail)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// one wants exactly one notice of the words of n answers.
func one(t *testing.T, list []queue.NoticeView, n int64, cause, carry string) {
	t.Helper()
	if len(list) != 1 {
		t.Fatalf("%d notices: %+v", len(list), list)
	}
	d := detailOf(t, &list[0])
	if list[0].Code != notice.SteerUndrained || d.Kind != notice.ApprovalFeedback || d.Count != n || d.Cause != cause || string(d.Carry) != carry {
		t.Errorf("it says %+v", d)
	}
}

func (g *gate) delivery(t *testing.T, ask string) queue.DeliveryView {
	t.Helper()
	v := g.Ask(t, ask)
	if v.Delivery == nil {
		t.Fatalf("ask %s has no delivery", ask)
	}
	return *v.Delivery
}

// feedbackCases are the flows of notice/testdata/feedback-notices.jsonl, through
// a queue and real hooks.
var feedbackCases = map[string]func(t *testing.T, g *gate){
	"approve-note-undrained": func(t *testing.T, g *gate) {
		row := g.killed(t, pre("Bash", "toolu_1", bash), queue.VerdictAllow, "only this once")
		one(t, g.over(t), 1, "leg_end", "")
		if d := g.delivery(t, row.ID); d.Text != "only this once" || d.Words != queue.WordsTold {
			t.Errorf("the note is not kept: %+v", d)
		}
		p := g.start(t, pre("Bash", "toolu_2", bash), "100") // not redelivered by itself
		g.Deny(t, "")
		if r := p.wait(t); strings.Contains(r.stdout, "only this once") {
			t.Errorf("it was sent again: %s", r.stdout)
		}
	},
	"carry-refused-too-long": func(t *testing.T, g *gate) {
		p := g.start(t, pre("Bash", "toolu_1", bash), "100")
		row := g.Pending(t, 1)[0]
		if v := g.Ask(t, row.ID); v.WordsMax == 0 || v.WordsMax >= queue.MaxWords || v.Receipts != queue.StageHandedOver {
			t.Errorf("the operator is not told before: %d %s", v.WordsMax, v.Receipts)
		}
		g.Decide(t, row, queue.Decide{Verdict: queue.VerdictDeny, Words: strings.Repeat("long ", 2000)})
		if r := p.wait(t); strings.Contains(r.reason, "long long") || !strings.Contains(r.reason, "longer than this connection carries") {
			t.Errorf("the agent reads %q", r.reason)
		}
		if d := g.delivery(t, row.ID); d.Item != queue.ItemRefused || d.Carry != "steering.invalid_content" || d.Stage != queue.StageHandedOver {
			t.Errorf("%+v", d)
		}
		one(t, g.over(t), 1, "leg_end", "steering.invalid_content")
	},
	"carry-refused-queue-full": func(t *testing.T, g *gate) {
		sub := g.direct(t, "s")
		row := g.Deny(t, "later")
		if _, err := g.Requester.Do(t.Context(), queue.Receipt{Ask: row.ID, Token: sub.Token, Got: queue.StageHandedOver, Refused: "steering.queue_full"}); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Requester.Do(t.Context(), queue.EndSession{Session: "s", Why: "host_gone"}); err != nil {
			t.Fatal(err)
		}
		one(t, g.told(t), 1, "leg_end", "steering.queue_full")
	},
	"row-returned": func(t *testing.T, g *gate) {
		sub := g.direct(t, "94085b22")
		g.Allow(t, "go on")
		if _, err := g.Requester.Do(t.Context(), queue.Withdraw{Ask: sub.Ask, Token: sub.Token, Why: "returned"}); err != nil {
			t.Fatal(err)
		}
		again := g.direct(t, "94085b22")
		if again.State != queue.StatePending || again.Ask == sub.Ask {
			t.Errorf("its person is not asked again: %+v", again)
		}
		if list := g.over(t); len(list) != 0 {
			t.Errorf("announced: %+v", list)
		}
	},
	"crashed": func(t *testing.T, g *gate) {
		sub := g.direct(t, "s")
		g.Allow(t, "one")
		_ = sub
		r := queue.EndLeg{Session: "s", Run: "r-1", Cause: notice.Crashed}
		for range 2 {
			if _, err := g.Requester.Do(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		one(t, g.told(t), 1, "crashed", "")
	},
	"child-run": func(t *testing.T, g *gate) {
		child := strings.Replace(pre("Bash", "toolu_1", bash), `"session_id"`, `"agent_id":"a7","session_id"`, 1)
		g.killed(t, child, queue.VerdictDeny, "not there")
		list := g.over(t)
		if len(list) != 2 {
			t.Fatalf("%+v", list)
		}
		own, copied := detailOf(t, &list[0]), detailOf(t, &list[1])
		if own.Count != 1 || own.ChildSession != "" || copied.ChildSession != own.Session || copied.Run != "" || copied.Count != 1 || own.Run == "" {
			t.Errorf("%+v\n%+v", own, copied)
		}
		status, err := queue.Get[queue.Status](t.Context(), g.Operator, queue.QStatus{})
		if err != nil || status.Counters.Owed != 0 {
			t.Errorf("counted again: %+v, %v", status.Counters, err)
		}
	},
	"three-notes": func(t *testing.T, g *gate) {
		g.killed(t, pre("Bash", "toolu_1", bash), queue.VerdictDeny, "one")
		g.killed(t, pre("Bash", "toolu_2", `{"command":"two"}`), queue.VerdictDeny, "two")
		p := g.start(t, pre("Bash", "toolu_3", `{"command":"three"}`), "100")
		row := g.Deny(t, "three")
		p.wait(t)
		if d := g.delivery(t, row.ID); d.Words != queue.WordsCarried {
			t.Errorf("%+v", d)
		}
		one(t, g.over(t), 2, "leg_end", "")
	},
	"deny-note": func(t *testing.T, g *gate) {
		p := g.start(t, pre("Bash", "toolu_1", bash), "100")
		g.Deny(t, `use "make clean" \ not rm`)
		if r := p.wait(t); !strings.Contains(r.reason, `A person denied this call: "use "make clean" \ not rm"`) {
			t.Errorf("the submitter reads %q", r.reason)
		}
		if list := g.over(t); len(list) != 0 {
			t.Errorf("%+v", list)
		}
	},
	"expired-not-denied": func(t *testing.T, g *gate) {
		r := g.start(t, pre("Bash", "toolu_1", bash), "5").wait(t)
		if r.reason != client.Nobody {
			t.Errorf("%q", r.reason)
		}
	},
	"policy-deny": func(t *testing.T, g *gate) {
		g.mode(t, "deny")
		if r := g.run(t, pre("Bash", "toolu_1", bash)); !strings.Contains(r.reason, `rule "all"`) || strings.Contains(r.reason, "person") {
			t.Errorf("%q", r.reason)
		}
	},
	"empty-note": func(t *testing.T, g *gate) {
		g.killed(t, pre("Bash", "toolu_1", bash), queue.VerdictAllow, "   ")
		if list := g.over(t); len(list) != 0 {
			t.Errorf("%+v", list)
		}
	},
	"note-controls": func(t *testing.T, g *gate) {
		p := g.start(t, pre("Bash", "toolu_1", bash), "100")
		g.Deny(t, "look \x1b[2J\u202Eat it")
		if r := p.wait(t); strings.ContainsAny(r.reason, "\x1b\u202E") || !strings.Contains(r.reason, `look \u{1B}[2J\u{202E}at it`) {
			t.Errorf("the submitter reads %q", r.reason)
		}
	},
	"ack-lost": func(t *testing.T, g *gate) {
		g.killed(t, pre("Bash", "toolu_1", bash), queue.VerdictDeny, "one")
		before := g.over(t)
		again := g.told(t) // as another console reads it
		if len(again) != 1 || again[0].ID != before[0].ID {
			t.Errorf("%+v", again)
		}
	},
	"ack-twice": func(t *testing.T, g *gate) {
		g.killed(t, pre("Bash", "toolu_1", bash), queue.VerdictDeny, "one")
		id := g.over(t)[0].ID
		var group sync.WaitGroup
		errs := make([]error, 2)
		for i := range errs {
			group.Go(func() { _, errs[i] = g.Operator.Do(t.Context(), queue.AckNotice{Notice: id}) })
		}
		group.Wait()
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Errorf("%v", errs)
		}
		events, err := queue.Get[queue.Events](t.Context(), g.Operator, queue.QEvents{Limit: 500})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for i := range events.Events {
			n += bytes.Count(events.Events[i].Body, []byte(`"act":"notice_ack"`))
		}
		if n != 1 {
			t.Errorf("%d records", n)
		}
	},
}

// direct asks on the gate's queue without a hook.
func (g *gate) direct(t *testing.T, session string) queue.Submitted {
	t.Helper()
	s, err := queue.As[queue.Submitted](t.Context(), g.Requester, queue.Submit{Kind: "call", Session: session, CallID: "c1",
		Receipts: queue.StageHandedOver, Call: &queue.Call{Tool: "Bash", Arguments: []byte(`{"command":"ls"}`), Cwd: "/"}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheFeedbackOfTheCorpus(t *testing.T) {
	raw, err := os.ReadFile("../../notice/testdata/feedback-notices.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range bytes.Lines(raw) {
		var c struct {
			ID, Class, Input, Rule string
		}
		if err := json.Unmarshal(line, &c, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		seen++
		t.Run(c.ID, func(t *testing.T) {
			flow := feedbackCases[strings.TrimPrefix(c.Class, "notice/")]
			if flow == nil {
				t.Fatalf("%s: no flow", c.Class)
			}
			flow(t, newGate(t))
		})
	}
	if seen != 14 || len(feedbackCases) != seen {
		t.Errorf("%d cases, %d flows", seen, len(feedbackCases))
	}
}

// A hook that was killed between decision and hand-over: the answer is an item
// of the inbox, its words are owed, and the session's end tells of them once.
func TestKilledBeforeTheHandOver(t *testing.T) {
	g := newGate(t)
	row := g.killed(t, pre("Bash", "toolu_1", bash), queue.VerdictDeny, "not here")
	var open []queue.DeliveryView
	clienttest.Until(t, "the answer that nobody collected", func() bool {
		d, err := queue.Get[queue.Deliveries](t.Context(), g.Operator, queue.QDeliveries{Open: true, Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		open = d.Deliveries
		return len(open) > 0
	})
	if len(open) != 1 || open[0].Ask != row.ID || open[0].Item != queue.ItemUncollected || open[0].Stage != queue.StageDecided {
		t.Fatalf("%+v", open)
	}
	one(t, g.over(t), 1, "leg_end", "")
	one(t, g.over(t), 1, "leg_end", "") // again: once

	// Sent again, they go with the session's next answer, and are acknowledged as far as the host can.
	if _, err := g.Operator.Do(t.Context(), queue.Resend{Ask: row.ID}); err != nil {
		t.Fatal(err)
	}
	p := g.start(t, pre("Bash", "toolu_2", `{"command":"ls"}`), "100")
	g.Allow(t, "this one")
	r := p.wait(t)
	if !strings.Contains(r.context, `The operator sends words again`) || !strings.Contains(r.context, `"not here"`) || !strings.Contains(r.context, `"this one"`) {
		t.Errorf("the agent reads %q", r.context)
	}
	if d := g.delivery(t, row.ID); d.Words != queue.WordsCarried || d.Item != "" {
		t.Errorf("%+v", d)
	}
	if list := g.over(t); len(list) != 1 {
		t.Errorf("%+v", list)
	}
}

// An answer that could not be written is not said to have been.
func TestNoReceiptOfWhatWasNotWritten(t *testing.T) {
	g := newGate(t)
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(g.self, g.args("100")...)
	cmd.Stdin, cmd.Stdout = strings.NewReader(pre("Bash", "toolu_1", bash)), out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	row := g.Pending(t, 1)[0]
	_ = in.Close() // nobody reads the answer
	g.Decide(t, row, queue.Decide{Verdict: queue.VerdictDeny, Words: "not here"})
	_ = cmd.Wait()
	if d := g.delivery(t, row.ID); d.Stage != queue.StageDecided || d.Words != queue.WordsOwed {
		t.Errorf("%+v", d)
	}
	one(t, g.over(t), 1, "leg_end", "")
}
