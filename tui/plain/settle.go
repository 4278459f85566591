package plain

import (
	"context"

	"nod/ambiguity"
	"nod/digest/visible"
	"nod/queue"
	"nod/tui/detail"
	"nod/tui/gate"
	"nod/tui/say"
)

// settle asks for the reason and the evidence of an answer to the open effect,
// then for what gives it: "did not happen" wants every line shown, the value and
// the code, the others a yes.
func (s *session) settle(ctx context.Context, l line, act string) error {
	full := act == string(ambiguity.NotExecuted)
	if ok, err := s.counts(ctx, l, 0); err != nil || !ok {
		return err
	}
	if ok, err := s.maySettle(ctx, act, full); err != nil || !ok {
		return err
	}
	a := s.open.answerTo(act)
	if err := s.print(detail.Sentence(*a).String()); err != nil {
		return err
	}
	d, ok, err := s.written(ctx, act)
	if err != nil || !ok {
		return err
	}
	value := ""
	if full {
		if value, ok, err = s.deskValue(ctx); err == nil && ok {
			ok, err = s.typeFour(ctx, "the page's", "answered")
		}
	} else {
		ok, err = s.sure(ctx, "Give it: "+detail.Says(act, a.Correct)+".")
	}
	if err != nil || !ok {
		return err
	}
	if ok, err := s.maySettle(ctx, act, full); err != nil || !ok {
		return err
	}
	return s.give(ctx, d, value)
}

// maySettle reads the effect again and reports whether an answer can be given to
// its page as it was read.
func (s *session) maySettle(ctx context.Context, act string, full bool) (bool, error) {
	changed, err := s.lookDesk(ctx)
	if err != nil {
		return false, s.sayFault(err)
	}
	p := s.open
	a := p.answerTo(act)
	switch {
	case changed:
		return false, s.say(evidenceCame)
	case len(p.lines) == 0:
		return false, s.say("No page: what was sent is pruned, so nothing can be answered here.")
	case a == nil && len(p.desk.Attempts) == 0:
		return false, s.say("Not now: nothing of it began.")
	case a == nil:
		return false, s.say("Not now: that is how it stands already.")
	case !a.Open:
		return false, s.say("Not now: " + s.notNow(a) + ".")
	case full && (!gate.Typeable(p.desk.Confirm) || len(p.desk.Confirm) >= maxLine):
		return false, s.say("No value: no keyboard types the value it wants, so this is not answered here.")
	case full && p.stale > 0:
		return false, s.say("Long rest: no line came for " + say.Count(int64(p.stale), "minute", "minutes") + ", so the page is read anew; say \"more\".")
	case full && p.unread() > 0:
		return false, s.say("Not armed: " + say.Count(int64(p.unread()), "line was", "lines were") + " not shown, so nothing was answered; say \"more\".")
	}
	return true, nil
}

// written asks for reason and evidence. What was written before stands when
// nothing is typed.
func (s *session) written(ctx context.Context, act string) (detail.Draft, bool, error) {
	p := s.open
	d := detail.Draft{Act: act, Attempt: p.attempt}
	ask := func(what, prompt string, kept *string) error {
		t := visible.Drawn(what)
		if *kept != "" {
			t = visible.Concat(t, visible.Own(" Enter keeps what you wrote: "), s.draw(*kept))
		}
		if err := s.tell(t); err != nil {
			return err
		}
		l, err := s.prompt(ctx, prompt)
		if err == nil && l.text != "" {
			*kept = l.text
		}
		return err
	}
	what := "Type your reason, in a line."
	if act == queue.AnswerAcknowledge {
		what = "Type what you make of it, or nothing."
	}
	if err := ask(what, "reason> ", &p.reason); err != nil {
		return d, false, err
	}
	d.Reason = p.reason
	if act != queue.AnswerAcknowledge && act != queue.AnswerOpen {
		what := "Type the evidence: a case, a record, who looked."
		if act == string(ambiguity.Unknown) {
			what = "Type what was looked at so far, or nothing."
		}
		if err := ask(what, "evidence> ", &p.evidence); err != nil {
			return d, false, err
		}
		d.Evidence = p.evidence
	}
	if err := d.Check(); err != nil {
		return d, false, s.tell(visible.Concat(visible.Own("Not kept: "), s.draw(told(err)), visible.Own(".")))
	}
	if d.Evidence == "" {
		return d, true, nil
	}
	if err := s.say("Can the evidence be looked up again? Type yes or no."); err != nil {
		return d, false, err
	}
	l, err := s.prompt(ctx, "durable> ")
	if err != nil {
		return d, false, err
	}
	if l.text != "yes" && l.text != "no" {
		return d, false, s.say("Left: it is yes or no, so nothing was answered.")
	}
	d.Durable = l.text == "yes"
	return d, true, nil
}

func (s *session) deskValue(ctx context.Context) (string, bool, error) {
	p := s.open
	what := "Type the last part of the effect key."
	if p.desk.Confirm == p.desk.Effect.Tool {
		what = "Type the tool's name."
	}
	return s.typeValue(ctx, visible.Drawn(what), p.desk.Confirm, "Wrong value: it is another one, so nothing was answered; say \"not happened\".")
}

// give sends an answer, bound to the page that was read.
func (s *session) give(ctx context.Context, d detail.Draft, value string) error {
	p := s.open
	proof := queue.Reconcile{Confirm: value, LinesSeen: int64(p.shown), LinesAll: int64(len(p.lines))}
	if !p.opened.IsZero() {
		proof.DwellMS = max(s.o.Now().Sub(p.opened).Milliseconds(), 0)
	}
	res, err := s.port.Do(ctx, d.Give(p.desk, p.desk.Digest, proof))
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return s.tell(visible.Concat(visible.Own("Not taken: "), s.draw(told(err)), visible.Own(".")))
	}
	p.reason, p.evidence = "", ""
	if _, err := s.lookDesk(ctx); err != nil {
		return s.sayFault(err)
	}
	switch r := res.(type) {
	case queue.Opened:
		return s.say("Opened: at " + say.ClockSec(r.At, r.At, s.o.Loc) + "; one more may be asked for, and its card says why.")
	case queue.Judged:
		return s.say(s.settled(d.Act, &r))
	}
	return nil
}

// settled says what an answer did.
func (s *session) settled(act string, r *queue.Judged) string {
	at := " at " + say.ClockSec(r.At, r.At, s.o.Loc)
	switch {
	case act == queue.AnswerAcknowledge && r.Open:
		return "Read:" + at + "; it stays on the desk, for an outcome is unknown."
	case act == queue.AnswerAcknowledge:
		return "Read:" + at + "; it leaves the desk, and what happened stays as it is."
	case r.State == queue.AttemptUnknown && r.Mark == ambiguity.Conflict:
		return "Conflict: your answer is kept, and what was seen says otherwise; it stays open."
	case r.State == queue.AttemptUnknown:
		return "Kept:" + at + "; it stays unknown, and repeats are refused as before."
	case r.Standing == ambiguity.StandsFree:
		return "Settled:" + at + "; one new attempt may begin, on a later approval."
	case r.Open:
		return "Settled:" + at + "; it stays open, read what the page says now."
	}
	return "Settled:" + at + "; repeats are refused " + r.Repeats + "."
}
