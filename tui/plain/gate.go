package plain

import (
	"context"
	"fmt"
	"time"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/gate"
	"nod/tui/say"
)

// rest is how long a line that decides has to come after its prompt, and how
// long nothing may follow a denial. quiet is how long nothing may follow a
// code or a yes, so that a paste of several lines shows itself.
const (
	rest  = gate.RestMS * time.Millisecond
	quiet = 100 * time.Millisecond
)

// counts reports whether a line may decide: it came after a rest, and nothing
// follows it for a while. If not it says so.
func (s *session) counts(ctx context.Context, l line, after time.Duration) (bool, error) {
	if took := l.at.Sub(s.promptAt); took < rest {
		s.kb.forget()
		return false, s.say(fmt.Sprintf("Too soon: the line came %d ms after its prompt, so nothing was decided.", max(took.Milliseconds(), 0)))
	}
	if err := s.o.Pause(ctx, after); err != nil {
		return false, err
	}
	if s.kb.waits() {
		s.kb.forget()
		return false, s.say("Pasted: more came right behind that line, so nothing was decided; type it.")
	}
	return true, nil
}

// sure asks for a yes before an act that is no decision on a card.
func (s *session) sure(ctx context.Context, question string) (bool, error) {
	if err := s.say(question + " Type yes to do it."); err != nil {
		return false, err
	}
	l, err := s.prompt(ctx, "yes> ")
	if err != nil {
		return false, err
	}
	if l.text != "yes" {
		return false, s.say("Left: nothing was changed.")
	}
	return s.counts(ctx, l, quiet)
}

// armed reports whether the open ask can be allowed or answered now, and says
// why not.
func (s *session) armed(ctx context.Context) (bool, error) {
	p := s.open
	if err := s.look(ctx); err != nil || !p.pending() {
		if err == nil {
			err = s.tell(p.over)
		}
		return false, err
	}
	if why := p.refuses(); why != "" {
		return false, s.say(why)
	}
	if s.pace.Anew(p.row().ID, p.view.Now) {
		p.forgetReading()
		n, _ := s.pace.Standing(p.view.Now)
		return false, s.say("Slow down: " + say.Count(int64(n), "answer", "answers") + " came too fast, so this card is read anew; say \"more\".")
	}
	if p.stale > 0 {
		return false, s.say("Long rest: no line came for " + say.Count(int64(p.stale), "minute", "minutes") + ", so the card is read anew; say \"more\".")
	}
	if n := p.unread(); n > 0 {
		lines := say.Count(int64(n), "line was", "lines were")
		return false, s.say("Not armed: " + lines + " not shown, so nothing was decided; say \"more\".")
	}
	return true, nil
}

// look reads the open ask again: who was first, and whether its time is over.
func (s *session) look(ctx context.Context) error {
	p := s.open
	if p.over.Len() > 0 {
		return nil
	}
	v, err := queue.Get[queue.AskView](ctx, s.port, queue.QAsk{ID: p.row().ID})
	if err != nil {
		return err
	}
	was := p.view
	v.Card, v.Ask = was.Card, was.Ask
	p.view = v
	if v.Row.ShownDigest != was.Row.ShownDigest {
		p.over = visible.Own("Changed: another card stands here now, so nothing can be decided; open it anew.")
		return nil
	}
	if state := v.Row.StateAt(v.Now); state != queue.StatePending && was.Row.StateAt(was.Now) == queue.StatePending {
		p.over = s.gone(&v, state)
	}
	return nil
}

// gone says what became of an ask while it was open.
func (s *session) gone(v *queue.AskView, state queue.State) visible.Text {
	at := say.ClockSec(v.Row.MovedAt, v.Now, s.o.Loc)
	switch {
	case state == queue.StateExpired:
		return visible.Drawn("Expired: no person answered by " + say.Clock(v.Row.AnswerBy, v.Now, s.o.Loc) + ", so it never ran; say \"list\".")
	case state == queue.StateWithdrawn:
		return visible.Drawn("Gone: its requester took it back at " + at + ", so it never runs; say \"list\".")
	case v.Decision != nil:
		verb := map[queue.Verdict]string{queue.VerdictAllow: "allowed", queue.VerdictDeny: "denied", queue.VerdictAnswer: "answered"}[v.Decision.Verdict]
		return visible.Concat(visible.Drawn("Gone: it was "+verb+" at "+say.ClockSec(v.Decision.At, v.Now, s.o.Loc)+", so you decided nothing; by "),
			s.name(v.Decision.Who), visible.Own("."))
	}
	return visible.Drawn("Gone: it is over since " + at + ", so you decided nothing; say \"list\".")
}
