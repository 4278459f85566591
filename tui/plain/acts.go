package plain

import (
	"context"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/query"
	"nod/tui/say"
)

// openItem opens what a number of the list means.
func (s *session) openItem(ctx context.Context, n int) error {
	if n < 1 || n > len(s.list.items) {
		return s.say("No number: the list has " + say.Count(int64(len(s.list.items)), "item", "items") + "; say \"list\".")
	}
	it := s.list.items[n-1]
	if it.notice != nil {
		return s.tell(visible.Concat(visible.Drawn("Notice of "+say.Clock(it.notice.At, s.list.at, s.o.Loc)+"; \"ack "+itoa(n)+"\" acknowledges it: "), s.draw(it.notice.Sentence)))
	}
	if it.delivery != nil {
		return s.aboutDelivery(ctx, n, it.delivery)
	}
	if it.effect != "" {
		return s.openEffect(ctx, it.effect)
	}
	return s.openAsk(ctx, it.ask)
}

// itsEffect opens the effect of the ask that is open.
func (s *session) itsEffect(ctx context.Context) error {
	at := s.open.view.Attempts
	if len(at) == 0 || at[len(at)-1].Effect == "" {
		return s.say("No effect: none is kept of this ask.")
	}
	return s.openEffect(ctx, at[len(at)-1].Effect)
}

// openAsk opens an ask and reads its first lines out.
func (s *session) openAsk(ctx context.Context, id string) error {
	v, err := queue.Get[queue.AskView](ctx, s.port, queue.QAsk{ID: id})
	if err != nil {
		return s.sayFault(err)
	}
	s.open = newPage(v, s.o.ASCII)
	p := s.open
	if p.pending() {
		if err := s.print(standing(&v)); err != nil {
			return err
		}
	} else {
		p.over = visible.Drawn("It is over: nothing is left to decide; \"revoke\" takes an unused allow back.")
		if err := s.past(&v); err != nil {
			return err
		}
	}
	if len(p.lines) > 0 {
		if err := s.print("Card of " + say.Count(int64(len(p.lines)), "line", "lines") + ". Shown digest sha256:" + v.Row.ShownDigest.Hex()[:8] + " (all 64 with \"digest\")."); err != nil {
			return err
		}
	}
	return s.readOn()
}

// standing says how a pending ask stands.
func standing(v *queue.AskView) string {
	r := &v.Row
	out := "Pending."
	switch {
	case r.Mandated:
		out = "Pending, mandated: only a person may answer."
	case r.Irreversible:
		out = "Pending, irreversible."
	}
	if r.Waits(v.Now) {
		out += " 1 waits."
	} else {
		out += " Nobody waits."
	}
	out += " " + span(r.AnswerBy-v.Now) + " to answer"
	if r.Kind != "question" {
		out += ", then " + span(r.UseWithinMS) + " to use"
	}
	out += "."
	if r.ClaimedUntil > v.Now {
		out += " Taken for " + span(r.ClaimedUntil-v.Now) + "."
	}
	return out
}

// past says what became of an ask.
func (s *session) past(v *queue.AskView) error {
	r := &v.Row
	state := r.StateAt(v.Now)
	text := stateOf(r, state) + ", at " + say.ClockSec(r.MovedAt, v.Now, s.o.Loc) + "."
	if state == queue.StateAllowed {
		text += " " + span(r.UseBy()-v.Now) + " left to use."
	}
	if r.Mismatch {
		text += " MISMATCH: what ran is not what was allowed."
	}
	if err := s.print(text); err != nil {
		return err
	}
	if d := v.Decision; d != nil {
		if err := s.write(visible.Concat(visible.Drawn("Decided by a "+string(d.By)+", "+say.Number(d.LinesSeen)+" of "+say.Number(d.LinesAll)+" lines shown: "), s.name(d.Who))); err != nil {
			return err
		}
		if d.Words != "" {
			return s.write(visible.Concat(visible.Own("With the words: "), s.draw(d.Words)))
		}
	}
	return nil
}

// act sends an act that is no decision and says what became of it.
func (s *session) act(ctx context.Context, a queue.Act, done string) error {
	if _, err := s.port.Do(ctx, a); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return s.sayFault(err)
	}
	return s.say(done)
}

// sureAct is act after a yes.
func (s *session) sureAct(ctx context.Context, question string, a queue.Act, done string) error {
	if ok, err := s.sure(ctx, question); err != nil || !ok {
		return err
	}
	return s.act(ctx, a, done)
}

func (s *session) revoke(ctx context.Context) error {
	return s.sureAct(ctx, "Revoke: an allow that was not used yet is taken back.", queue.Revoke{Ask: s.open.row().ID},
		"Revoked: it can no longer begin; nothing to do.")
}

// ack acknowledges a notice of the list.
func (s *session) ack(ctx context.Context, n int) error {
	if n >= 1 && n <= len(s.list.items) && s.list.items[n-1].delivery != nil {
		return s.act(ctx, queue.AckDelivery{Ask: s.list.items[n-1].delivery.Ask}, "Acknowledged: it is out of the inbox; words that are owed stay owed.")
	}
	if n < 1 || n > len(s.list.items) || s.list.items[n-1].notice == nil {
		return s.say("No notice: say \"notices\", then \"ack\" and its number.")
	}
	return s.act(ctx, queue.AckNotice{Notice: s.list.items[n-1].notice.ID}, "Acknowledged: the notice is read; it stays in the events.")
}

// usualSnooze is what the word without a length means.
const usualSnooze = 30 * time.Minute

// length reads a length of time, as "10m"; off is 0.
func length(text string, usual time.Duration) (d time.Duration, ok bool) {
	switch text {
	case "":
		return usual, true
	case "off":
		return 0, true
	}
	d, err := query.Length(text)
	return d, err == nil && d > 0
}

func (s *session) snooze(ctx context.Context, text string) error {
	d, ok := length(text, usualSnooze)
	if !ok {
		return s.say("No time: say \"snooze 30m\", or \"snooze off\".")
	}
	done := "Snoozed: it leaves the list for " + span(d.Milliseconds()) + "; its agent goes on waiting."
	if d == 0 {
		done = "Awake: it is in the list again."
	}
	return s.act(ctx, queue.Snooze{Ask: s.open.row().ID, ForMS: d.Milliseconds()}, done)
}

func (s *session) claim(ctx context.Context, text string) error {
	d, ok := length(text, queue.UsualClaim)
	if !ok {
		return s.say("No time: say \"claim 5m\", or \"claim off\".")
	}
	done := "Claimed: others see that you look at it, for " + span(d.Milliseconds()) + "; it binds nobody."
	if d == 0 {
		done = "Let go: nobody has it."
	}
	return s.act(ctx, queue.Claim{Ask: s.open.row().ID, ForMS: d.Milliseconds()}, done)
}

// hold keeps for how long an allow shall wait before it can begin.
func (s *session) hold(text string) error {
	d, ok := length(text, 0)
	if !ok || text == "" || queue.CheckHold(d.Milliseconds()) != nil {
		return s.say("No time: say \"hold 10m\" before \"approve\", or \"hold off\".")
	}
	s.open.holdMS = d.Milliseconds()
	if d == 0 {
		return s.say("No hold: an allow can begin at once.")
	}
	return s.say("Hold: an allow begins " + span(d.Milliseconds()) + " later at the earliest; \"revoke\" takes it back.")
}

// edit denies the open call and asks anew with other arguments. It is an
// answer, so it wants what a denial wants, and a yes.
func (s *session) edit(ctx context.Context) error {
	p := s.open
	switch {
	case !p.pending():
		return s.tell(p.over)
	case p.row().Kind == "question":
		return s.say("A question has no arguments; say \"answer\".")
	case !p.row().Edits:
		return s.say("No edit: who asks cannot run changed arguments; deny it with words.")
	case slices.Contains(p.view.Clamps, "edits"):
		return s.say("No edit: a clamp of its session allows none; allow or deny it as it is.")
	}
	if err := s.say("Edit: type all arguments as they shall run, JSON on one line."); err != nil {
		return err
	}
	l, err := s.prompt(ctx, "arguments> ")
	if err != nil {
		return err
	}
	if l.text == "" || len(l.text) >= maxLine {
		return s.say("Left: one line of JSON below 4,095 bytes; longer ones need the full console.")
	}
	if ok, err := s.sure(ctx, "Edit: this call is denied, and asked anew with that line."); err != nil || !ok {
		return err
	}
	got, err := queue.As[queue.Edited](ctx, s.port, queue.Edit{
		Ask: p.row().ID, ActionDigest: p.row().ActionDigest, ShownDigest: p.row().ShownDigest,
		Arguments: jsontext.Value(l.text), Words: p.words,
	})
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return s.sayFault(err)
	}
	if err := s.print("Edited: the old call is denied, and this one stands in its place."); err != nil {
		return err
	}
	return s.openAsk(ctx, got.Ask)
}
