package queue_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nod/notice"
	"nod/queue"
	"nod/queue/ledger"
)

// waits is a call of a gateway that says when an answer was handed over.
func waits(command string) queue.Submit {
	s := call(command)
	s.Receipts = queue.StageHandedOver
	return s
}

// posted is a world whose history and rows are held against each other at the end.
func posted(t *testing.T, change ...func(*queue.Settings)) *world {
	t.Helper()
	w := newWorld(t, change...)
	t.Cleanup(func() {
		l := ledger.New()
		if _, err := l.Follow(context.Background(), w.store); err != nil {
			t.Error(err)
		}
		if err := l.SameRows(context.Background(), w.store); err != nil {
			t.Error(err)
		}
	})
	return w
}

// say answers with words.
func (w *world) say(id string, v queue.Verdict, words string) {
	w.t.Helper()
	d := w.decision(id, v)
	d.Words = words
	w.ok(w.operator, d, 1)
}

// answered submits, and answers with words.
func (w *world) answered(s queue.Submit, v queue.Verdict, words string) queue.Submitted {
	w.t.Helper()
	got := w.submit(s)
	w.say(got.Ask, v, words)
	return got
}

func (w *world) deliveries(q queue.QDeliveries) []queue.DeliveryView {
	w.t.Helper()
	q.Limit = 500
	return must[queue.Deliveries](w.t)(queue.Get[queue.Deliveries](w.t.Context(), w.operator, q)).Deliveries
}

func (w *world) delivery(ask string) queue.DeliveryView {
	w.t.Helper()
	for _, d := range w.deliveries(queue.QDeliveries{}) {
		if d.Ask == ask {
			return d
		}
	}
	w.t.Fatalf("ask %s has no delivery", ask)
	return queue.DeliveryView{}
}

// told lists the open notices of words, oldest first: code, detail.
func (w *world) told() (list []string) {
	w.t.Helper()
	open := must[queue.Notices](w.t)(queue.Get[queue.Notices](w.t.Context(), w.operator, queue.QNotices{Open: true, Limit: 500})).Notices
	for _, n := range slices.Backward(open) {
		list = append(list, n.Code+" "+string(n.Detail))
		if n.Says == nil || n.Says.Headline == "" || n.Says.Happened == "" {
			w.t.Errorf("%s is not worded: %+v", n.Code, n.Says)
		}
	}
	return list
}

func (w *world) wants(list ...string) {
	w.t.Helper()
	got := strings.Join(w.told(), "\n")
	if want := strings.Join(list, "\n"); got != want {
		w.t.Errorf("the notices are\n%s\nwant\n%s", got, want)
	}
}

func (w *world) counts(undelivered, owed int64) {
	w.t.Helper()
	c := must[queue.Status](w.t)(queue.Get[queue.Status](w.t.Context(), w.operator, queue.QStatus{})).Counters
	if c.Undelivered != undelivered || c.Owed != owed {
		w.t.Errorf("%d undelivered and %d owed, want %d and %d", c.Undelivered, c.Owed, undelivered, owed)
	}
}

// feedback is the notice of the words of n answers of session one.
func (w *world) feedback(n int, cause, more string) string {
	id := w.sessionID()
	return fmt.Sprintf(`steering.undrained {%s"cause":%q,"count":%d,"kind":"approval_feedback","runId":"%s.%d","sessionId":%q}`, more, cause, n, id, int64(start), id)
}

func (w *world) sessionID() string {
	for _, s := range must[queue.Sessions](w.t)(queue.Get[queue.Sessions](w.t.Context(), w.operator, queue.QSessions{Limit: 99})).Sessions {
		if s.Host == "s1" {
			return s.ID
		}
	}
	return ""
}

func (w *world) end() queue.Ended {
	w.t.Helper()
	return must[queue.Ended](w.t)(queue.As[queue.Ended](w.t.Context(), w.agent, queue.EndSession{Session: "s1", Why: "host"}))
}

func handed(s queue.Submitted) queue.Receipt {
	return queue.Receipt{Ask: s.Ask, Token: s.Token, Got: queue.StageHandedOver}
}

func TestAnAnswerGoesItsWay(t *testing.T) {
	alone(t)
	w := posted(t)
	s := w.answered(waits("ls"), queue.VerdictAllow, "mind the gap")
	w.counts(0, 1)
	w.pass(1000)
	begun := w.begin(s)
	w.pass(1000)
	w.ok(w.agent, handed(s), 1)
	w.ok(w.agent, handed(s), 0) // a repeat changes nothing
	w.pass(1000)
	w.report(begun, func(r *queue.Report) { r.Exit = queue.ExitSuccess })
	d := w.delivery(s.Ask)
	if d.Stage != queue.StageHandedOver || d.Words != queue.WordsCarried || d.Text != "mind the gap" || d.Item != "" ||
		d.DecidedAt != start || d.BegunAt != start+1000 || d.HandedAt != start+2000 || d.OutcomeAt != start+3000 || d.AckedAt != 0 || d.Exit != queue.ExitSuccess {
		t.Errorf("%+v", d)
	}
	w.counts(0, 0)
	w.end()
	w.wants()
	if v := w.see(s.Ask); v.Delivery == nil || v.Delivery.Stage != queue.StageHandedOver || v.Receipts != queue.StageHandedOver {
		t.Errorf("the ask says %+v", v.Delivery)
	}
}

// A gateway that can acknowledge owes the words until it did.
func TestAcknowledgedWhereTheGatewayCan(t *testing.T) {
	alone(t)
	for got, told := range map[queue.Stage]bool{queue.StageHandedOver: true, queue.StageAcknowledged: false} {
		w := posted(t)
		c := call("ls")
		c.Receipts = queue.StageAcknowledged
		s := w.answered(c, queue.VerdictDeny, "not now")
		w.ok(w.agent, queue.Receipt{Ask: s.Ask, Token: s.Token, Got: got}, 1)
		w.end()
		if told {
			w.wants(w.feedback(1, "leg_end", ""))
		} else {
			w.wants()
		}
		if d := w.delivery(s.Ask); (d.AckedAt != 0) == told || d.HandedAt == 0 {
			t.Errorf("%s: %+v", got, d)
		}
	}
}

// What blanks say is nothing, and nothing is kept of them.
func TestBlanksOweNothing(t *testing.T) {
	alone(t)
	w := posted(t)
	s := w.answered(waits("ls"), queue.VerdictAllow, " \n\t ")
	w.counts(0, 0)
	if v := w.see(s.Ask); v.Row.Words != "" || v.Delivery.Words != queue.WordsNone {
		t.Errorf("%+v", v.Row)
	}
	w.end()
	w.wants()
}

func TestTheEndOfALegTellsOnce(t *testing.T) {
	alone(t)
	for why, cause := range map[string]string{"host": "leg_end", "": "leg_end", "command_end": "leg_end", "host_gone": "crashed"} {
		w := posted(t)
		w.answered(waits("ls"), queue.VerdictAllow, "one")
		w.answered(waits("rm"), queue.VerdictDeny, "two")
		w.ok(w.agent, handed(w.answered(waits("cp"), queue.VerdictDeny, "three")), 1)
		w.answered(waits("mv"), queue.VerdictDeny, "")
		w.ok(w.agent, queue.EndSession{Session: "s1", Why: why}, 3) // the allowed one is withdrawn, the notice, the end
		w.ok(w.agent, queue.EndSession{Session: "s1", Why: why}, 0)
		w.wants(w.feedback(2, cause, ""))
		w.counts(0, 0)
		n := must[queue.Notices](t)(queue.Get[queue.Notices](t.Context(), w.operator, queue.QNotices{Open: true, Limit: 9})).Notices[0]
		if got := w.deliveries(queue.QDeliveries{Notice: n.ID}); len(got) != 2 || got[0].Words != queue.WordsTold || got[0].Text != "two" {
			t.Errorf("the notice tells of %+v", got)
		}
	}
}

// A session that is silent for too long is over, whether it comes back or not.
func TestASilentSessionIsToldOf(t *testing.T) {
	alone(t)
	w := posted(t)
	w.answered(waits("ls"), queue.VerdictDeny, "one")
	w.pass(25 * hour)
	w.wants(w.feedback(1, "crashed", ""))
	w.pass(hour)
	w.submit(waits("back"))
	w.wants(w.feedback(1, "crashed", ""))
}

func TestWhatNobodyCollectedIsInTheInbox(t *testing.T) {
	alone(t)
	w := posted(t)
	s := w.answered(waits("ls"), queue.VerdictDeny, "not here")
	w.pass(29_999)
	if got := w.deliveries(queue.QDeliveries{Open: true}); len(got) != 0 {
		t.Fatalf("too early: %+v", got)
	}
	w.pass(1)
	got := w.deliveries(queue.QDeliveries{Open: true})
	if len(got) != 1 || got[0].Ask != s.Ask || got[0].Item != queue.ItemUncollected || got[0].Words != queue.WordsOwed {
		t.Fatalf("%+v", got)
	}
	w.counts(1, 1)
	w.ok(w.operator, queue.AckDelivery{Ask: s.Ask}, 1)
	no := w.refused(w.operator, queue.AckDelivery{Ask: s.Ask}, queue.CodeDecided, 0) // the second console
	if no.Who != "mia" || no.At == 0 {
		t.Errorf("the loser is told %+v", no)
	}
	w.counts(0, 1)
	w.end() // to have read it is not to have sent it
	w.wants(w.feedback(1, "leg_end", ""))
}

// Whoever asks again collects it.
func TestALateCallerCollects(t *testing.T) {
	alone(t)
	w := posted(t)
	c := waits("ls")
	c.CallID = "c1"
	w.answered(c, queue.VerdictDeny, "not here")
	w.pass(40_000)
	w.counts(1, 1)
	again := w.submit(c)
	if again.State != queue.StateDenied || again.Decision.Words != "not here" || again.Token == "" {
		t.Fatalf("%+v", again)
	}
	w.ok(w.agent, handed(again), 1)
	w.counts(0, 0)
	w.refused(w.agent, queue.Receipt{Ask: again.Ask, Token: "none", Got: queue.StageHandedOver}, queue.CodeNotYours, 0)
}

// While somebody waits for a hold to end, and renews, nobody is missing.
func TestAWaiterOfAHoldIsThere(t *testing.T) {
	alone(t)
	w := posted(t)
	s := w.submit(waits("ls"))
	d := w.decision(s.Ask, queue.VerdictAllow)
	d.HoldMS = 120_000
	w.ok(w.operator, d, 1)
	for range 12 {
		w.pass(10_000)
		w.ok(w.agent, queue.Wait{Ask: s.Ask, Token: s.Token}, 0)
		w.counts(0, 0)
	}
	w.pass(40_000)
	w.counts(1, 0)
}

func TestAnAskThatWentBackOwesNothing(t *testing.T) {
	alone(t)
	w := posted(t)
	c := waits("ls")
	c.CallID = "c1"
	s := w.answered(c, queue.VerdictAllow, "go on")
	w.ok(w.agent, queue.Withdraw{Ask: s.Ask, Token: s.Token, Why: "returned"}, 1)
	w.counts(0, 0)
	if d := w.delivery(s.Ask); d.Words != queue.WordsReturned {
		t.Errorf("%+v", d)
	}
	again := w.submit(c) // its person is asked again
	if again.State != queue.StatePending || again.Ask == s.Ask {
		t.Fatalf("%+v", again)
	}
	w.end()
	w.wants()

	// A new ask that replaces one which was not used returns it, too.
	w = posted(t)
	s = w.answered(c, queue.VerdictAllow, "go on")
	w.pass(11 * minute)
	w.submit(c)
	w.counts(0, 0)
	w.end()
	w.wants()
}

func TestACarrierRefuses(t *testing.T) {
	alone(t)
	for _, code := range []string{"steering.invalid_content", "steering.queue_full"} {
		w := posted(t)
		s := w.answered(waits("ls"), queue.VerdictAllow, "much")
		r := handed(s)
		r.Refused = code
		w.ok(w.agent, r, 1)
		d := w.delivery(s.Ask)
		if d.Item != queue.ItemRefused || d.Carry != code || d.Words != queue.WordsOwed || d.Stage != queue.StageHandedOver {
			t.Fatalf("%+v", d)
		}
		w.ok(w.agent, queue.EndSession{Session: "s1", Why: "host_gone"}, 3)
		w.wants(w.feedback(1, "leg_end", fmt.Sprintf(`"carry":%q,`, code))) // its cause stays leg_end
	}
	w := posted(t)
	s := w.answered(waits("ls"), queue.VerdictDeny, "much")
	r := handed(s)
	r.Refused = "too long"
	w.refused(w.agent, r, queue.CodeBadInput, 0)
	r.Refused, r.Got = "", "read"
	w.refused(w.agent, r, queue.CodeBadInput, 0)
	p := w.submit(waits("pending"))
	w.refused(w.agent, handed(p), queue.CodeNotAllowedYet, 0)
}

func TestAParentGetsACopy(t *testing.T) {
	alone(t)
	w := posted(t)
	w.submit(waits("parent's"))
	parent := w.sessionID()
	c := waits("ls")
	c.Session, c.Parent = "child", "s1"
	w.answered(c, queue.VerdictDeny, "no")
	w.ok(w.agent, queue.EndSession{Session: "child"}, 3)
	got := w.told()
	if len(got) != 2 || !strings.Contains(got[1], `"childSessionId":"s-`) || !strings.Contains(got[1], `"sessionId":"`+parent+`"`) ||
		strings.Contains(got[1], "runId") || strings.Contains(got[0], "childSessionId") {
		t.Errorf("%q", got)
	}
	w.end() // counted once: the parent owes nothing of its own
	if again := w.told(); len(again) != 2 {
		t.Errorf("%q", again)
	}
}

// A session's gateways may say different things of answers. One receipt of an
// edit and its answer is of both or of none.
func TestTheWordsOfAnEditThroughTwoGateways(t *testing.T) {
	for got, told := range map[queue.Stage]int{queue.StageHandedOver: 2, queue.StageAcknowledged: 0} {
		w := posted(t)
		c := waits("rm -rf build")
		c.Edits, c.Receipts = true, queue.StageAcknowledged
		s := w.submit(c)
		change := w.change(s.Ask, `{"command":"make clean"}`)
		change.Words = "gently"
		edited := w.ok(w.operator, change, 2).(queue.Edited)
		w.submit(waits("another gateway"))
		w.say(edited.Ask, queue.VerdictAllow, "now")
		w.ok(w.agent, queue.Receipt{Ask: s.Ask, Token: s.Token, Got: got}, 1)
		w.counts(0, int64(told))
		w.end()
	}
}

// The words of an edit go with the answer to what is in its place.
func TestTheWordsOfAnEdit(t *testing.T) {
	alone(t)
	w := posted(t)
	c := waits("rm -rf build")
	c.Edits = true
	s := w.submit(c)
	change := w.change(s.Ask, `{"command":"make clean"}`)
	change.Words = "gently"
	got := w.ok(w.operator, change, 2).(queue.Edited)
	w.counts(0, 1)
	w.say(got.Ask, queue.VerdictAllow, "now")
	w.counts(0, 2)
	w.ok(w.agent, handed(s), 1) // one receipt is of all that was said
	w.counts(0, 0)

	s = w.submit(c)
	change = w.change(s.Ask, `{"command":"make clean"}`)
	change.Words = "gently"
	w.ok(w.operator, change, 2)
	w.end()
	w.wants(w.feedback(1, "leg_end", ""))
}

func TestAHostsAccountOfALeg(t *testing.T) {
	alone(t)
	w := posted(t)
	s := w.answered(waits("ls"), queue.VerdictDeny, "one")
	id := w.sessionID()
	leg := queue.EndLeg{Session: "s1", Run: "r-4", Task: "t-88", Cause: notice.LegEnd, Accounts: []queue.Account{
		{Family: notice.Steer, Owed: 3, Carried: 1}, {Family: notice.FollowUp, Owed: 1, Carried: 1},
		{Family: notice.Steer, Kind: notice.ApprovalFeedback, Owed: 1}, // the one that Nod knows of
	}}
	w.ok(w.agent, leg, 2)
	want := []string{
		fmt.Sprintf(`steering.undrained {"cause":"leg_end","count":2,"runId":"r-4","sessionId":%q,"taskId":"t-88"}`, id),
		fmt.Sprintf(`steering.undrained {"cause":"leg_end","count":1,"kind":"approval_feedback","runId":"r-4","sessionId":%q,"taskId":"t-88"}`, id),
	}
	w.wants(want...)
	w.ok(w.agent, leg, 0) // told once
	leg.Cause = notice.Crashed
	w.ok(w.agent, leg, 0)
	w.end()
	w.wants(want...)
	if d := w.delivery(s.Ask); d.Words != queue.WordsTold {
		t.Errorf("%+v", d)
	}
}

// What the host says of one answer's words is held against the ledger.
func TestAHostsAccountOfOneAnswer(t *testing.T) {
	alone(t)
	account := func(s queue.Submitted, owed, carried int64) queue.EndLeg {
		return queue.EndLeg{Session: "s1", Run: "r", Cause: notice.LegEnd, Accounts: []queue.Account{
			{Family: notice.Steer, Kind: notice.ApprovalFeedback, Ask: s.Ask, Owed: owed, Carried: carried}}}
	}
	w := posted(t)
	s := w.answered(waits("ls"), queue.VerdictDeny, "one")
	w.ok(w.agent, account(s, 1, 1), 1) // it was carried
	w.counts(0, 0)
	w.end()
	w.wants()

	w = posted(t)
	s = w.answered(waits("ls"), queue.VerdictDeny, "one")
	w.ok(w.agent, handed(s), 1)
	w.ok(w.agent, account(s, 1, 0), 2) // handed over, and never read
	if got := w.told(); len(got) != 1 {
		t.Errorf("%q", got)
	}

	w = posted(t)
	s = w.answered(waits("ls"), queue.VerdictDeny, "one")
	bad := account(s, 0, 1)
	w.refused(w.agent, bad, notice.CodeBadAccount, 0)
	bad = account(s, 1, 0)
	bad.Accounts[0].Ask = "019ad5e2-none"
	w.refused(w.agent, bad, queue.CodeNotYours, 0)
	bad = account(s, 1, 0)
	bad.Session = "unknown"
	w.refused(w.agent, bad, queue.CodeUnknownID, 0)
	bad = account(s, 1, 0)
	bad.Cause = "gone"
	w.refused(w.agent, bad, queue.CodeBadInput, 0)
}

// A run that was told of, and goes on, is told of what came afterwards.
func TestWordsAfterALegWasTold(t *testing.T) {
	alone(t)
	w := posted(t)
	w.answered(waits("ls"), queue.VerdictDeny, "one")
	w.ok(w.agent, queue.EndLeg{Session: "s1", Cause: notice.Crashed}, 1)
	w.answered(waits("rm"), queue.VerdictDeny, "two")
	w.end()
	w.wants(w.feedback(1, "crashed", ""), w.feedback(1, "leg_end", ""))
}

// Where a gateway says nothing, its words are told of, and a begin collects.
func TestAGatewayWithoutReceipts(t *testing.T) {
	alone(t)
	w := posted(t)
	s := w.answered(call("ls"), queue.VerdictAllow, "one")
	w.pass(31_000)
	w.counts(1, 1)
	w.begin(s)
	w.counts(0, 1)
	w.answered(call("rm"), queue.VerdictDeny, "") // somebody waited when it was decided
	w.pass(31_000)
	w.counts(0, 1)
	w.end()
	w.wants(w.feedback(1, "leg_end", ""))
}

// A child's words are told of when its parent ends, also where that one never
// asked anything itself.
func TestTheChildOfASessionThatNeverAsked(t *testing.T) {
	alone(t)
	w := posted(t)
	c := waits("ls")
	c.Session, c.Parent = "child", "s1"
	w.answered(c, queue.VerdictDeny, "no")
	w.ok(w.agent, queue.EndSession{Session: "s1"}, 3)
	if got := w.told(); len(got) != 2 {
		t.Errorf("%q", got)
	}
	w.refused(w.agent, queue.EndSession{Session: "s3"}, queue.CodeUnknownID, 0)
}
