package plain

import (
	"context"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"nod/boundary"
	"nod/digest"
	"nod/digest/visible"
	"nod/queue"
	"nod/tui/gate"
	"nod/tui/say"
)

// approve is the two acts: the word, and the line with the code. A value is
// typed before the code where one is asked.
func (s *session) approve(ctx context.Context, l line) error {
	p := s.open
	if p.row().Kind == digest.KindQuestion {
		return s.say("A question: it is answered, not approved; say \"answer\".")
	}
	if ok, err := s.counts(ctx, l, 0); err != nil || !ok {
		return err
	}
	if ok, err := s.armed(ctx); err != nil || !ok {
		return err
	}
	value, ok, err := s.value(ctx)
	if err != nil || !ok {
		return err
	}
	if ok, err := s.typeCode(ctx); err != nil || !ok {
		return err
	}
	return s.decide(ctx, queue.Decide{Verdict: queue.VerdictAllow, Confirm: value, HoldMS: p.holdMS})
}

// value asks for the value that an allow types besides the code.
func (s *session) value(ctx context.Context) (value string, ok bool, err error) {
	p := s.open
	if p.view.Confirm == "" {
		return "", true, nil
	}
	why := visible.Own("Mandated: only a person may allow this, so its value is typed as well.")
	switch held := s.held(); {
	case p.row().Kind == digest.KindCommit:
		why = visible.Own("Commit: what it begins cannot be taken back, so its boundary is typed as well.")
	case p.row().Irreversible:
		why = visible.Own("Irreversible: it cannot be taken back, so its value is typed as well.")
	case !p.row().Mandated:
		why = visible.Own("Confirmed: the tool's descriptor wants its value typed as well.")
	case held.Len() > 0:
		why = visible.Concat(visible.Own("Mandated: "), held, visible.Own("."))
	}
	if err := s.write(why); err != nil {
		return "", false, err
	}
	what := visible.Own("the tool's name")
	switch {
	case p.row().Kind == digest.KindCommit:
		what = visible.Own("the commit boundary")
	case p.view.ConfirmAt != "":
		what = visible.Concat(visible.Own("the value of "), s.name(p.view.ConfirmAt))
	}
	where := visible.Own(".")
	if i := p.confirmLine(); i >= 0 {
		where = visible.Drawn(", on line " + say.Number(int64(i+1)) + " of the card.")
	}
	return s.typeValue(ctx, visible.Concat(visible.Own("Type "), what, where), p.view.Confirm,
		"Wrong value: it is not that line's, so nothing was decided; say \"approve\".")
}

// held says what the ask's tree holds; empty where it is no tree that wants a person.
func (s *session) held() visible.Text {
	ask, err := digest.ParseAsk(s.open.view.Ask, digest.NoLimits())
	if err != nil {
		return visible.Text{}
	}
	return visible.Row(boundary.Heard(ask.Why))
}

// typeValue asks for a value by what it is; wrong says that it is another one.
func (s *session) typeValue(ctx context.Context, what visible.Text, want, wrong string) (value string, ok bool, err error) {
	if err := s.tell(what); err != nil {
		return "", false, err
	}
	l, err := s.prompt(ctx, "value> ")
	if err != nil {
		return "", false, err
	}
	if ok, err := s.counts(ctx, l, quiet); err != nil || !ok {
		return "", false, err
	}
	if l.text != want {
		return "", false, s.say(wrong)
	}
	return l.text, true, nil
}

// typeCode asks for the first characters of the shown digest. The ask is
// looked at again after it: it may have gone while they were typed.
func (s *session) typeCode(ctx context.Context) (bool, error) {
	if ok, err := s.typeFour(ctx, "the shown", "decided"); err != nil || !ok {
		return false, err
	}
	return s.armed(ctx)
}

// typeFour asks for the first characters of whose digest; done is what a wrong
// code leaves undone.
func (s *session) typeFour(ctx context.Context, whose, done string) (bool, error) {
	if err := s.say("Type the first four characters of " + whose + " digest."); err != nil {
		return false, err
	}
	l, err := s.prompt(ctx, "code> ")
	if err != nil {
		return false, err
	}
	if ok, err := s.counts(ctx, l, quiet); err != nil || !ok {
		return false, err
	}
	if l.text != s.open.code() {
		typed := []rune(l.text)
		return false, s.tell(visible.Concat(visible.Drawn("Wrong code: nothing was "+done+", say it again; it is not "),
			s.draw(string(typed[:min(len(typed), 20)])), visible.Own(".")))
	}
	return true, nil
}

// deny is one act: it counts when nothing follows it for a while.
func (s *session) deny(ctx context.Context, l line, words string) error {
	p := s.open
	if ok, err := s.counts(ctx, l, rest); err != nil || !ok {
		return err
	}
	if err := s.look(ctx); err != nil {
		return s.sayFault(err)
	}
	if !p.pending() {
		return s.tell(p.over)
	}
	if words != "" {
		p.words = words
	}
	return s.decide(ctx, queue.Decide{Verdict: queue.VerdictDeny})
}

// decide sends a decision, bound to both digests of the card that was read.
func (s *session) decide(ctx context.Context, d queue.Decide) error {
	p := s.open
	d.Ask, d.ActionDigest, d.ShownDigest = p.row().ID, p.row().ActionDigest, p.row().ShownDigest
	d.Words, d.LinesSeen, d.LinesAll = p.words, int64(p.shown), int64(len(p.lines))
	if !p.opened.IsZero() {
		d.DwellMS = max(s.o.Now().Sub(p.opened).Milliseconds(), 0)
	}
	got, err := queue.As[queue.Decided](ctx, s.port, d)
	if err != nil {
		var r *queue.Refusal
		if errors.As(err, &r) && r.Who != "" {
			if e := s.look(ctx); e == nil && p.over.Len() > 0 {
				return s.tell(p.over)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return s.tell(visible.Concat(visible.Own("Not taken: "), s.draw(told(err)), visible.Own(".")))
	}
	s.pace.Add(got.Decision.At, got.Decision.DwellMS)
	now := got.Decision.At
	at := say.ClockSec(got.Decision.At, now, s.o.Loc)
	var m gate.Message
	switch {
	case got.Decision.Verdict == queue.VerdictAnswer:
		m = gate.Answered(at)
	case got.Decision.Verdict == queue.VerdictDeny:
		m = gate.Denied(at)
	case got.Decision.NotBefore > now:
		p.over = visible.Drawn("Held: nothing runs before " + say.ClockSec(got.Decision.NotBefore, now, s.o.Loc) + "; \"revoke\" takes it back.")
		return s.tell(p.over)
	default:
		m = gate.Allowed(at, say.Clock(got.Decision.UseBy, now, s.o.Loc))
	}
	p.over = visible.Drawn(m.String())
	return s.tell(p.over)
}

// skip lets the lines that were not shown count as skipped, once their number
// is typed. The decision records how many were shown.
func (s *session) skip(ctx context.Context) error {
	p := s.open
	n := p.unread()
	if n <= 0 {
		return s.say("All shown: no line is left, so there is nothing to skip.")
	}
	if err := s.say("Skip: type how many lines were not shown; the decision records it."); err != nil {
		return err
	}
	l, err := s.prompt(ctx, "lines> ")
	if err != nil {
		return err
	}
	if ok, err := s.counts(ctx, l, quiet); err != nil || !ok {
		return err
	}
	if l.text != itoa(n) {
		return s.say("Wrong count: it is not how many are left, so nothing was skipped.")
	}
	p.skipped = n
	return s.say("Skipped: " + say.Count(int64(n), "line", "lines") + " were not shown, and that is recorded. Armed.")
}

// setWords keeps the operator's words for either answer, or reads them out.
func (s *session) setWords(text string) error {
	p := s.open
	switch {
	case text == "" && p.words == "":
		return s.say("No words: say \"words\" and what the agent shall read.")
	case text == "":
		return s.tell(visible.Concat(visible.Own("Your words: "), s.draw(p.words)))
	case text == "-":
		p.words = ""
		return s.say("Your words: none.")
	case len(text) > queue.MaxWords:
		return s.say("Too long: your words are more than 16 KiB, so they were not kept.")
	}
	if err := p.view.CarryWords(text); err != nil {
		return s.sayFault(err)
	}
	p.words = strings.ToValidUTF8(text, "\uFFFD")
	return s.say("Words: they go with your answer, whichever it is; \"words -\" drops them.")
}

// answerJSON sends an answer to a question, through the same gate.
func (s *session) answerJSON(ctx context.Context, value string) error {
	if err := s.tell(visible.Concat(visible.Own("Your answer: "), s.draw(value))); err != nil {
		return err
	}
	if ok, err := s.armed(ctx); err != nil || !ok {
		return err
	}
	if ok, err := s.typeCode(ctx); err != nil || !ok {
		return err
	}
	return s.decide(ctx, queue.Decide{Verdict: queue.VerdictAnswer, Answer: jsontext.Value(value)})
}
