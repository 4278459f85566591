package queue_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"nod/ambiguity"
	"nod/descriptor"
	"nod/queue"
	"nod/store/sqlite"
)

var updateOutcomes = flag.Bool("update-outcomes", false, "write the table of outcomes in docs/effects.md anew")

const (
	outcomesDoc   = "../docs/effects.md"
	outcomesBegin = "<!-- outcomes -->\n"
	outcomesEnd   = "<!-- /outcomes -->"
)

// outcome is one case of the corpus: what comes in, the rule, in Nod's words
// what is asserted of it, and the history that shows it.
type outcome struct {
	says string
	play func(o *outcomes)
}

type corpusCase struct {
	ID    string `json:"id"`
	Class string `json:"class"`
	Input string `json:"input"`
	Rule  string `json:"rule"`
}

func corpusCases(t *testing.T) (cases []corpusCase) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "effect-outcomes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c corpusCase
		if err := json.Unmarshal(lines.Bytes(), &c, json.RejectUnknownMembers(true)); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// Every case of the corpus is played on a real queue on a real store.
func TestTheOutcomesOfTheCorpus(t *testing.T) {
	alone(t)
	cases := corpusCases(t)
	if len(cases) != len(outcomeCases) {
		t.Errorf("%d cases, %d are played", len(cases), len(outcomeCases))
	}
	for _, c := range cases {
		t.Run(strings.TrimPrefix(c.ID, "effect-outcomes-"), func(t *testing.T) {
			played, there := outcomeCases[c.ID]
			if !there {
				t.Fatalf("nobody plays %s: %s", c.Input, c.Rule)
			}
			played.play(newOutcomes(t))
		})
	}
}

// The table of the page on effects is that of the cases that are played.
func TestTheTableOfOutcomesIsTrue(t *testing.T) {
	alone(t)
	var b strings.Builder
	b.WriteString("| case | what comes in | what Nod makes of it |\n|---|---|---|\n")
	for _, c := range corpusCases(t) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", strings.TrimPrefix(c.ID, "effect-outcomes-"), c.Input, outcomeCases[c.ID].says)
	}
	text, err := os.ReadFile(outcomesDoc)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), outcomesBegin)
	got, after, ok2 := strings.Cut(rest, outcomesEnd)
	if !ok || !ok2 {
		t.Fatal("the page has no place for the outcomes")
	}
	if *updateOutcomes {
		if err := os.WriteFile(outcomesDoc, []byte(before+outcomesBegin+b.String()+outcomesEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != b.String() {
		t.Error("the table of outcomes is not the tests': go test ./queue -run TableOfOutcomes -update-outcomes")
	}
}

// outcomes is a world with a refund that can be looked up.
type outcomes struct{ *world }

// settleMS is how long after its lease a refund's provider may lag.
const settleMS = 600_000

// unseen has no observer, and a result that says that it did not happen.
func unseen(t *testing.T, change ...func(*descriptor.Tool)) func(*queue.Settings) {
	return refunds(t, append([]func(*descriptor.Tool){unwatched, func(t *descriptor.Tool) {
		t.Effect.NotExecuted = descriptor.Result{At: "/error/code", Is: "card_declined"}
	}}, change...)...)
}

func newOutcomes(t *testing.T) *outcomes { return &outcomes{newWorld(t, unseen(t))} }

// observed configures an observer for what begins from now on.
func (o *outcomes) observed() { o.configure(refunds(o.t)) }

// pay submits, allows and begins one refund.
func (o *outcomes) pay() queue.Begun {
	o.t.Helper()
	o.pass(1)
	return o.begin(o.allowed(refundCall("")))
}

func (o *outcomes) report(b queue.Begun, r queue.Report) queue.Reported {
	o.t.Helper()
	o.pass(1)
	r.Attempt, r.Token = b.Attempt, b.Token
	return must[queue.Reported](o.t)(queue.As[queue.Reported](o.t.Context(), o.agent, r))
}

// stands expects how the newest effect stands, and that a repeat gets code.
func (o *outcomes) stands(s ambiguity.Standing, m ambiguity.Mark, code string) queue.Desk {
	o.t.Helper()
	d := o.desk()
	if d.Effect.Standing != s || d.Effect.Mark != m {
		o.t.Fatalf("it stands %s %q, want %s %q", d.Effect.Standing, d.Effect.Mark, s, m)
	}
	if d.Effect.Open != (m != "") {
		o.t.Errorf("open is %v with the mark %q", d.Effect.Open, m)
	}
	again := refundCall("")
	again.Session = "s2"
	if code == "" {
		if got := o.submit(again); got.State != queue.StatePending {
			o.t.Errorf("a repeat is %s", got.State)
		}
		return d
	}
	no := o.refused(o.agent, again, code, 1)
	if no.Effect != d.Effect.ID || no.Ref == "" || no.Hint == "" {
		o.t.Errorf("the refusal does not say what it ran into: %+v", no)
	}
	return o.desk()
}

// unsure expects an outcome that nobody confirmed, and that blocks repeats.
func (o *outcomes) unsure() queue.Desk {
	o.t.Helper()
	return o.stands(ambiguity.StandsUnknown, ambiguity.NotConfirmed, queue.CodeAmbiguousEffect)
}

// late lets lease and settle time pass.
func (o *outcomes) late() { o.pass(300_000 + settleMS + 1) }

func (o *outcomes) answered(s queue.AttemptState) queue.Judged {
	o.t.Helper()
	o.pass(1)
	return o.ok(o.operator, o.answer(s), 1).(queue.Judged)
}

// refuses expects a refusal that leaves this many events.
func (o *outcomes) refuses(p queue.Port, act queue.Act, code string, events int64) {
	o.t.Helper()
	w := o.world
	w.refused(p, act, code, events)
}

// notice expects an open notice of this kind.
func (o *outcomes) notice(code string) {
	o.t.Helper()
	list := must[queue.Notices](o.t)(queue.Get[queue.Notices](o.t.Context(), o.operator, queue.QNotices{Open: true, Limit: 10}))
	for _, n := range list.Notices {
		if n.Code == code {
			return
		}
	}
	o.t.Errorf("no notice %s", code)
}

// ended is a call that ended so, with nothing said of the effect: unknown.
func ended(r queue.Report) func(*outcomes) {
	return func(o *outcomes) {
		b := o.pay()
		if got := o.report(b, r); got.State != queue.AttemptUnknown {
			o.t.Errorf("it is %s", got.State)
		}
		o.unsure()
	}
}

var outcomeCases = map[string]outcome{
	"effect-outcomes-001": {"unknown; a second submit of the key is refused `ambiguous_effect`, it does not wait",
		ended(queue.Report{Exit: queue.ExitTimeout, CameBack: "request timed out after 30000 ms"})},
	"effect-outcomes-002": {"a caller's `not_executed` is evidence and leaves it unknown; Nod's own executor that never started it (`blocked`) proves it", func(o *outcomes) {
		b := o.pay()
		if got := o.report(b, queue.Report{Exit: queue.ExitFailure, Outcome: queue.AttemptNotExecuted, CameBack: "connection refused"}); got.State != queue.AttemptUnknown {
			o.t.Errorf("a caller's word makes it %s", got.State)
		}
		d := o.unsure()
		if f := d.Facts[1]; f.Says != queue.AttemptNotExecuted || f.Source != ambiguity.ByTool {
			o.t.Errorf("kept as %+v", f)
		}
		o.late()
		o.answered(queue.AttemptNotExecuted)
		o.runs()
		if got := o.report(o.pay(), queue.Report{Exit: queue.ExitBlocked}); got.State != queue.AttemptNotExecuted {
			o.t.Errorf("blocked is %s", got.State)
		}
		o.stands(ambiguity.StandsFree, "", "")
	}},
	"effect-outcomes-003": {"unknown", ended(queue.Report{Exit: queue.ExitFailure, CameBack: "502 Bad Gateway"})},
	"effect-outcomes-004": {"unknown until an observer that looks it up sees it; then committed", func(o *outcomes) {
		o.observed()
		o.report(o.pay(), queue.Report{Exit: queue.ExitFailure, CameBack: "500 Internal Server Error"})
		o.unsure()
		o.observe(queue.Observe{Outcome: queue.AttemptCommitted, Durable: true, Ref: "re_19c"})
		if d := o.stands(ambiguity.StandsCommitted, "", queue.CodeDuplicateEffect); d.Effect.Ref != "re_19c" {
			o.t.Errorf("its reference is %q", d.Effect.Ref)
		}
	}},
	"effect-outcomes-005": {"unknown", ended(queue.Report{Exit: queue.ExitFailure, CameBack: "409 a request with this key is running"})},
	"effect-outcomes-006": {"refused by the key, whatever else the call says; it makes no second effect", func(o *outcomes) {
		o.report(o.pay(), queue.Report{Exit: queue.ExitFailure, CameBack: "422 key reused with other parameters"})
		o.otherAmount()
	}},
	"effect-outcomes-007": {"`not_executed` only where the descriptor names the result that says so and Nod received it itself (`nod run`)", func(o *outcomes) {
		declined := []byte(`{"error":{"code":"card_declined"}}`)
		if got := o.report(o.pay(), queue.Report{Exit: queue.ExitFailure, Result: declined}); got.State != queue.AttemptUnknown {
			o.t.Errorf("from a hook it is %s", got.State)
		}
		o.unsure()
		o.late()
		o.answered(queue.AttemptNotExecuted)
		o.agent = o.q.Port(queue.Conn{Principal: agentConn("shop-fixer").Principal, Environment: "local", Role: queue.RoleRequester, Way: queue.WayRun})
		if got := o.report(o.pay(), queue.Report{Exit: queue.ExitFailure, Result: []byte(`{"error":{"code":"bad_amount"}}`)}); got.State != queue.AttemptUnknown {
			o.t.Errorf("an error that the descriptor does not name makes it %s", got.State)
		}
		o.late()
		o.answered(queue.AttemptNotExecuted)
		if got := o.report(o.pay(), queue.Report{Exit: queue.ExitFailure, Result: declined}); got.State != queue.AttemptNotExecuted {
			o.t.Errorf("the result that it names makes it %s", got.State)
		}
		o.stands(ambiguity.StandsFree, "", "")
	}},
	"effect-outcomes-008": {"unknown", ended(queue.Report{Exit: queue.ExitFailure, CameBack: "exit status 1"})},
	"effect-outcomes-009": {"unknown", ended(queue.Report{Exit: queue.ExitFailure, CameBack: "exit status 137"})},
	"effect-outcomes-010": {"unknown, never committed, unless the descriptor says `success_claims` and has no observer", func(o *outcomes) {
		ended(queue.Report{Exit: queue.ExitSuccess})(o)
		o.late()
		o.answered(queue.AttemptNotExecuted)
		o.configure(unseen(o.t, func(t *descriptor.Tool) { t.Effect.SuccessClaims = descriptor.ClaimsCommitted }))
		o.report(o.pay(), queue.Report{Exit: queue.ExitSuccess})
		o.stands(ambiguity.StandsCommitted, "", queue.CodeDuplicateEffect)
	}},
	"effect-outcomes-011": {"committed for repeats and `divergent`: it stays open until a person acknowledges it", func(o *outcomes) {
		o.observed()
		o.report(o.pay(), queue.Report{Exit: queue.ExitSuccess, Outcome: queue.AttemptCommitted, Durable: true, Ref: "re_19c"})
		o.observe(queue.Observe{Outcome: queue.AttemptCommitted, Durable: true, Divergent: true, Allowed: "4800\n", Content: "9600\n"})
		d := o.stands(ambiguity.StandsCommitted, ambiguity.Divergent, queue.CodeDuplicateEffect)
		if d.Allowed != "4800\n" || d.Content != "9600\n" {
			o.t.Errorf("it shows %q against %q", d.Allowed, d.Content)
		}
		o.ok(o.operator, queue.AckEffect{Effect: d.Effect.ID, Page: d.Digest, Reason: "known"}, 1)
		if d := o.desk(); d.Effect.Open || d.Effect.Standing != ambiguity.StandsCommitted {
			o.t.Errorf("acknowledged, it is %+v", d.Effect)
		}
	}},
	// The corpus lets a claim stand with a mark. Here a configured observer is the
	// only one who can say it, and one that is unavailable is never a pass.
	"effect-outcomes-012": {"unknown: where an observer is configured, a claim waits for it, and one that is unreachable is never a pass (the corpus would let the claim stand, marked)", func(o *outcomes) {
		o.observed()
		o.report(o.pay(), queue.Report{Exit: queue.ExitSuccess, Outcome: queue.AttemptCommitted, Durable: true, Ref: "re_19c"})
		o.unsure()
		o.observe(queue.Observe{Outcome: queue.AttemptUnknown, Why: "unavailable"})
		if d := o.unsure(); d.Facts[len(d.Facts)-1].Why != "unavailable" {
			o.t.Errorf("kept as %+v", d.Facts)
		}
	}},
	"effect-outcomes-013": {"the first stands; the second is kept as evidence, `late`, and opens the notice `effect.late_report`", func(o *outcomes) {
		b := o.pay()
		o.report(b, queue.Report{Exit: queue.ExitSuccess, Outcome: queue.AttemptCommitted, Durable: true, Ref: "re_19c"})
		if got := o.report(b, queue.Report{Exit: queue.ExitSuccess, Outcome: queue.AttemptNotExecuted}); !got.Late || got.State != queue.AttemptCommitted {
			o.t.Errorf("the second makes it %+v", got)
		}
		d := o.stands(ambiguity.StandsCommitted, "", queue.CodeDuplicateEffect)
		if f := d.Facts[2]; f.Says != queue.AttemptNotExecuted || !f.Late {
			o.t.Errorf("kept as %+v", f)
		}
		o.notice(queue.NoticeLateReport)
	}},
	"effect-outcomes-014": {"kept as evidence, `late`; it does not move the state, and opens the notice `effect.late_report`", func(o *outcomes) {
		b := o.pay()
		o.late()
		o.answered(queue.AttemptNotExecuted)
		if got := o.report(b, queue.Report{Exit: queue.ExitSuccess, Outcome: queue.AttemptCommitted}); !got.Late || got.State != queue.AttemptNotExecuted {
			o.t.Errorf("it makes it %+v", got)
		}
		o.notice(queue.NoticeLateReport)
		o.stands(ambiguity.StandsFree, "", "")
	}},
	"effect-outcomes-015": {"refused `wrong_digest`; the attempt stays executing", func(o *outcomes) {
		b := o.pay()
		o.refuses(o.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Outcome: queue.AttemptCommitted, ActionDigest: o.desk().Digest}, queue.CodeWrongDigest, 0)
		o.stands(ambiguity.StandsExecuting, "", queue.CodeInProgress)
	}},
	"effect-outcomes-016": {"refused `not_yours`: there is no attempt to report on; a host that ran it opens the notice `host.unasked`", func(o *outcomes) {
		s := o.submit(refundCall(""))
		o.refuses(o.agent, queue.Report{Attempt: o.id(), Token: s.Token, Outcome: queue.AttemptCommitted}, queue.CodeNotYours, 0)
		o.ok(o.agent, queue.Unasked{Session: "s1", Tool: "billing.refund"}, 1)
		o.notice(queue.NoticeUnasked)
		if o.state(s.Ask) != queue.StatePending {
			o.t.Error("the ask changed")
		}
	}},
	"effect-outcomes-017": {"refused `ambiguous_effect` until a person reconciles it; the desk counts who waits", func(o *outcomes) {
		o.report(o.pay(), queue.Report{Exit: queue.ExitTimeout})
		again := refundCall("")
		again.CallID = "another request"
		o.refuses(o.agent, again, queue.CodeAmbiguousEffect, 1)
		if d := o.unsure(); d.Effect.Repeats != 2 || len(d.Repeats) != 2 {
			o.t.Errorf("the desk says %+v", d.Repeats)
		}
		o.late()
		o.answered(queue.AttemptNotExecuted)
		o.submit(again)
	}},
	"effect-outcomes-018": {"another key is another effect; its card says that it looks like one whose outcome is unknown", func(o *outcomes) {
		mail := queue.Submit{Kind: "call", Session: "s1", Call: &queue.Call{Tool: "mail.send", Arguments: []byte(`{"to":"all"}`),
			Effect: &queue.Effect{ID: []byte(`"a"`), Class: "irreversible"}}}
		s := o.allowed(mail)
		b := must[queue.Begun](o.t)(queue.As[queue.Begun](o.t.Context(), o.agent, begin(s)))
		o.report(b, queue.Report{Exit: queue.ExitTimeout})
		mail.Call.Effect.ID = []byte(`"b"`)
		if v := o.see(o.submit(mail).Ask); !strings.Contains(v.Card, "It looks like an effect whose outcome is unknown") {
			o.t.Errorf("the card does not say so:\n%s", v.Card)
		}
	}},
	"effect-outcomes-019": {"refused by the key while its outcome is unknown, and once it happened: other arguments do not make another effect", func(o *outcomes) {
		o.report(o.pay(), queue.Report{Exit: queue.ExitTimeout})
		o.otherAmount()
		o.answered(queue.AttemptCommitted)
		o.refuses(o.agent, otherAmount(), queue.CodeDuplicateEffect, 1)
	}},
	"effect-outcomes-020": {"refused `bad_input`: an answer wants a reason, and one that leaves unknown wants evidence", func(o *outcomes) {
		o.report(o.pay(), queue.Report{Exit: queue.ExitTimeout})
		o.late()
		for _, s := range []queue.AttemptState{queue.AttemptCommitted, queue.AttemptNotExecuted} {
			a := o.answer(s)
			a.Evidence = " "
			o.refuses(o.operator, a, queue.CodeBadInput, 0)
			a = o.answer(s)
			a.Reason = "\t"
			o.refuses(o.operator, a, queue.CodeBadInput, 0)
		}
		o.unsure()
	}},
	"effect-outcomes-021": {"one answer wins; the other is refused `already_reconciled` and told who was first and when", func(o *outcomes) {
		o.report(o.pay(), queue.Report{Exit: queue.ExitTimeout})
		o.late()
		answers := []queue.Reconcile{o.answer(queue.AttemptCommitted), o.answer(queue.AttemptNotExecuted)}
		var group sync.WaitGroup
		errs := make([]error, len(answers))
		for i, a := range answers {
			group.Go(func() { _, errs[i] = o.operator.Do(o.t.Context(), a) })
		}
		group.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			if no, ok := errors.AsType[*queue.Refusal](err); !ok || no.Code != queue.CodeReconciled || no.Who != "mia" || no.At != o.wall {
				o.t.Errorf("the loser is told %v", err)
			}
		}
		if won != 1 {
			o.t.Errorf("%d answers won: %v", won, errs)
		}
	}},
	"effect-outcomes-022": {"refused `not_allowed`: no requester reconciles, observes, acknowledges or opens", func(o *outcomes) {
		o.report(o.pay(), queue.Report{Exit: queue.ExitTimeout})
		o.late()
		d := o.desk()
		for _, act := range []queue.Act{o.answer(queue.AttemptCommitted), queue.Observe{Attempt: d.Attempts[0].ID, Observer: "refunds", Outcome: queue.AttemptCommitted},
			queue.AckEffect{Effect: d.Effect.ID, Page: d.Digest}, queue.OpenEffect{Effect: d.Effect.ID, Page: d.Digest, Reason: "x"}} {
			o.refuses(o.agent, act, queue.CodeNotAllowed, 0)
		}
		o.unsure()
	}},
	// The process that dies is a real one in queue/faults; here all that it knew is
	// gone, and another queue stands on the store.
	"effect-outcomes-023": {"still allowed, and begins once", func(o *outcomes) {
		s := o.allowed(refundCall(""))
		o.reopen(0)
		if o.state(s.Ask) != queue.StateAllowed {
			o.t.Errorf("it is %s", o.state(s.Ask))
		}
		o.ok(o.agent, begin(s), 1)
		o.refuses(o.agent, begin(s), queue.CodeSpent, 0)
	}},
	"effect-outcomes-024": {"executing until its lease ends, then unknown", func(o *outcomes) { o.died() }},
	"effect-outcomes-025": {"the same: nothing here tells the two apart, so unknown, never free", func(o *outcomes) {
		o.died()
		o.late()
		o.unsure()
	}},
	"effect-outcomes-026": {"one begins; the other is refused", func(o *outcomes) {
		s := o.allowed(refundCall(""))
		other := o.q.Port(agentConn("shop-fixer"))
		var group sync.WaitGroup
		errs := make([]error, 2)
		for i, p := range []queue.Port{o.agent, other} {
			group.Go(func() { _, errs[i] = p.Do(o.t.Context(), begin(s)) })
		}
		group.Wait()
		if (errs[0] == nil) == (errs[1] == nil) {
			o.t.Errorf("%v", errs)
		}
		if n := len(o.desk().Attempts); n != 1 {
			o.t.Errorf("%d attempts", n)
		}
	}},
	"effect-outcomes-027": {"refused: the ask has lapsed, and no effect is there", func(o *outcomes) {
		s := o.allowed(refundCall(""))
		o.pass(600_000)
		o.refuses(o.agent, begin(s), queue.CodeTooLate, 2) // nobody collected it, and it lapsed
		list := must[queue.Effects](o.t)(queue.Get[queue.Effects](o.t.Context(), o.operator, queue.QEffects{Limit: 1}))
		if o.state(s.Ask) != queue.StateLapsed || len(list.Effects) != 0 {
			o.t.Errorf("the ask is %s, effects %+v", o.state(s.Ask), list.Effects)
		}
	}},
	"effect-outcomes-028": {"the caller is told `disk_full`; it stays executing, and is unknown when the lease ends", func(o *outcomes) {
		b := o.pay()
		o.reopen(o.pages() + 1)
		full := false
		for range 2000 { // the smallest acts, until not even one fits
			_, err := o.operator.Do(o.t.Context(), queue.Freeze{})
			if err == nil {
				_, err = o.operator.Do(o.t.Context(), queue.Unfreeze{})
			}
			if full = err != nil; full {
				break
			}
		}
		_, err := o.agent.Do(o.t.Context(), queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitSuccess,
			Outcome: queue.AttemptCommitted, CameBack: strings.Repeat("x", 1000)})
		if !full || !strings.Contains(fmt.Sprint(err), sqlite.CodeDiskFull) {
			o.t.Fatalf("the caller is told %v", err)
		}
		o.reopen(0)
		if d := o.desk(); d.Effect.Standing != ambiguity.StandsExecuting || len(d.Facts) != 1 {
			o.t.Errorf("it stands %s on %d facts", d.Effect.Standing, len(d.Facts))
		}
		o.pass(300_000)
		o.refuses(o.agent, refundCall(""), queue.CodeAmbiguousEffect, 2) // the clock's event too
		o.unsure()
	}},
	"effect-outcomes-029": {"absent: unknown", ended(queue.Report{Exit: queue.ExitSuccess, Outcome: ""})},
	"effect-outcomes-030": {"refused `bad_input`; the attempt stays executing", func(o *outcomes) {
		b := o.pay()
		o.refuses(o.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Outcome: "done"}, queue.CodeBadInput, 0)
		o.stands(ambiguity.StandsExecuting, "", queue.CodeInProgress)
	}},
}

func otherAmount() queue.Submit {
	s := refundCall("")
	s.Call.Arguments = []byte(`{"payment_id":"pay_8842","amount":9600}`)
	return s
}

// otherAmount asks for the same payment with another amount.
func (o *outcomes) otherAmount() {
	o.t.Helper()
	o.refuses(o.agent, otherAmount(), queue.CodeAmbiguousEffect, 1)
	list := must[queue.Effects](o.t)(queue.Get[queue.Effects](o.t.Context(), o.operator, queue.QEffects{Limit: 10}))
	if len(list.Effects) != 1 {
		o.t.Errorf("%d effects", len(list.Effects))
	}
}

// died lets the executor die right after its begin.
func (o *outcomes) died() {
	o.t.Helper()
	o.pay()
	o.reopen(0)
	o.stands(ambiguity.StandsExecuting, "", queue.CodeInProgress)
	o.pass(300_000)
	o.refuses(o.agent, refundCall(""), queue.CodeAmbiguousEffect, 2) // the clock's event too
	o.unsure()
}

// reopen opens the store's file anew, with room for so many pages where it is
// not 0.
func (o *outcomes) reopen(pages int64) {
	o.t.Helper()
	path := o.store.Path()
	if err := o.store.Close(); err != nil {
		o.t.Fatal(err)
	}
	store, err := sqlite.Open(o.t.Context(), path, sqlite.Options{MaxPages: pages})
	if err != nil {
		o.t.Fatal(err)
	}
	o.store = store
	o.configure(unseen(o.t))
}

// pageSize is of a store's pages, in bytes.
const pageSize = 8 << 10

// pages is how large the store's file is.
func (o *outcomes) pages() int64 {
	o.t.Helper()
	path := o.store.Path()
	if err := o.store.Close(); err != nil { // what is in the log goes into the file
		o.t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		o.t.Fatal(err)
	}
	store, err := sqlite.Open(o.t.Context(), path, sqlite.Options{})
	if err != nil {
		o.t.Fatal(err)
	}
	o.store = store
	o.configure(unseen(o.t))
	return info.Size() / pageSize
}
