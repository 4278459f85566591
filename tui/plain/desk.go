package plain

import (
	"context"
	"strconv"
	"strings"

	"nod/ambiguity"
	"nod/digest/visible"
	"nod/queue"
	"nod/tui/desk"
	"nod/tui/detail"
	"nod/tui/frame"
	"nod/tui/lens"
	"nod/tui/say"
)

// openEffect opens an effect and reads its state and the first lines of its page
// out.
func (s *session) openEffect(ctx context.Context, id string) error {
	v, err := queue.Get[queue.Desk](ctx, s.port, queue.QEffect{ID: id})
	if err != nil {
		return s.sayFault(err)
	}
	s.open = newPage(detail.CardOf(&v), s.o.ASCII)
	s.open.desk, s.open.attempt = &v, v.Usual()
	if err := s.print(s.deskState()); err != nil {
		return err
	}
	if len(s.open.lines) > 0 {
		if err := s.print("Page of " + say.Count(int64(len(s.open.lines)), "line", "lines") + ". Its digest sha256:" + v.Digest.Hex()[:8] + " (all 64 with \"digest\")."); err != nil {
			return err
		}
	}
	return s.readOn()
}

func (s *session) deskState() string {
	v := s.open.desk
	out := standsSay(&v.Effect) + "."
	if a := s.open.attemptNow(); a != nil {
		out += " Attempt " + say.Number(a.Number)
		if n := len(v.Attempts); n > 1 {
			out += " of " + say.Number(int64(n))
		}
		out += "."
	}
	if n := v.Effect.Repeats; n > 0 {
		out += " " + say.Count(n, "repeat", "repeats") + " refused."
	}
	if n := len(v.Waiting); n > 0 {
		out += " " + say.Count(int64(n), "ask waits", "asks wait") + "."
	}
	return out
}

func (p *page) attemptNow() *queue.DeskAttempt { return p.desk.Attempt(p.attempt) }

// answerTo is what may be said of the attempt that is answered for; nil for an
// answer that the effect could not get.
func (p *page) answerTo(act string) *queue.AnswerView { return p.desk.Answer(act, p.attempt) }

// lookDesk reads the open effect again. Another page is to be read anew; what
// was written is kept. It reports whether the page changed.
func (s *session) lookDesk(ctx context.Context) (changed bool, err error) {
	p := s.open
	v, err := queue.Get[queue.Desk](ctx, s.port, queue.QEffect{ID: p.desk.Effect.ID})
	if err != nil {
		return false, err
	}
	if v.Digest == p.desk.Digest {
		p.desk = &v
		return false, nil
	}
	next := newPage(detail.CardOf(&v), s.o.ASCII)
	next.desk, next.attempt, next.reason, next.evidence = &v, p.attempt, p.reason, p.evidence
	s.open = next
	if next.attemptNow() == nil {
		next.attempt = v.Usual()
	}
	return true, nil
}

// evidenceCame says that the page is another one.
const evidenceCame = "Changed: evidence came in, so nothing was answered; say \"more\" to read the page anew."

// doDesk carries out a line about the effect that is open; done is false for a
// word that is about none.
func (s *session) doDesk(ctx context.Context, l line, verb, rest string) (done bool, err error) {
	p := s.open
	switch verb {
	case "happened", "committed":
		return true, s.settle(ctx, l, string(ambiguity.Committed))
	case "not":
		return true, s.settle(ctx, l, string(ambiguity.NotExecuted))
	case "unknown":
		return true, s.settle(ctx, l, string(ambiguity.Unknown))
	case "distinct":
		return true, s.settle(ctx, l, queue.AnswerOpen)
	case "acknowledge":
		return true, s.settle(ctx, l, queue.AnswerAcknowledge)
	case "answers":
		return true, s.answers()
	case "observe":
		return true, s.observe(ctx)
	case "waits":
		return true, s.waits()
	case "summary":
		return true, s.summary()
	case "diff":
		return true, s.diff()
	case "ask":
		a := p.attemptNow()
		if a == nil {
			return true, s.say("No ask: nothing of it began.")
		}
		return true, s.openAsk(ctx, a.Ask)
	case "attempt":
		n, _ := strconv.ParseInt(rest, 10, 64) // 0 is no attempt
		for i := range p.desk.Attempts {
			if p.desk.Attempts[i].Number == n {
				p.attempt = p.desk.Attempts[i].ID
				return true, s.say("Attempt " + say.Number(n) + ": the answers are about it now.")
			}
		}
		return true, s.say("No attempt: it has " + say.Count(int64(len(p.desk.Attempts)), "attempt", "attempts") + ".")
	case "approve", "deny", "answer", "words", "skip", "hold", "edit", "revoke", "snooze", "claim":
		return true, s.say("An effect: say \"happened\", \"not happened\" or \"unknown\"; \"answers\" says what each unlocks.")
	}
	return false, nil
}

// answers reads out what may be said now, and what it opens.
func (s *session) answers() error {
	p := s.open
	for _, w := range []struct{ word, act string }{
		{"happened", string(ambiguity.Committed)}, {"not happened", string(ambiguity.NotExecuted)}, {"unknown", string(ambiguity.Unknown)},
		{"distinct", queue.AnswerOpen}, {"acknowledge", queue.AnswerAcknowledge},
	} {
		a := p.answerTo(w.act)
		if a == nil {
			continue
		}
		text := "\"" + w.word + "\": " + a.Unlocks
		if a.Correct {
			text = "\"" + w.word + "\", a correction: " + a.Unlocks
		}
		if !a.Open {
			text = "\"" + w.word + "\": not now, " + s.notNow(a) + "."
		}
		if err := s.print(text); err != nil {
			return err
		}
	}
	return s.say("An answer is appended, never edited; a later one corrects it.")
}

func (s *session) notNow(a *queue.AnswerView) string {
	if a.At > s.open.desk.Now {
		return a.Why + ", from " + say.ClockSec(a.At, s.open.desk.Now, s.o.Loc) + " on"
	}
	return a.Why
}

// summaryCells is a width at which a row of the summary is one line.
const summaryCells = 400

// summary reads the desk out: what was allowed, what came back, who says what.
func (s *session) summary() error {
	look := frame.Look{Glyphs: frame.ASCII(), Now: s.open.desk.Now, Loc: s.o.Loc, W: summaryCells, H: 24}
	if !s.o.ASCII {
		look.Glyphs = frame.Unicode()
	}
	if err := s.print("A summary; an answer is bound to the page."); err != nil {
		return err
	}
	for _, row := range desk.Rows(look, desk.In{Desk: s.open.desk, Attempt: s.open.attempt, Self: s.o.Name}, summaryCells) {
		if text := strings.Join(strings.Fields(row.Plain()), " "); text != "" {
			if err := s.write(visible.Drawn(text)); err != nil {
				return err
			}
		}
	}
	return s.say("Say \"answers\" for what may be said.")
}

// diff reads out what was allowed against what was seen.
func (s *session) diff() error {
	v := s.open.desk
	if v.Allowed == "" && v.Content == "" {
		return s.say("No diff: nothing was seen that differs from what was allowed.")
	}
	look := frame.Look{Glyphs: frame.Unicode(), Now: v.Now, Loc: s.o.Loc}
	if s.o.ASCII {
		look.Glyphs = frame.ASCII()
	}
	for _, row := range lens.Observed(v.Allowed, v.Content).Plain(look) {
		if err := s.write(row); err != nil {
			return err
		}
	}
	return s.say("\"acknowledge\" says that you read it.")
}

// observe asks the observers of the effect's tool.
func (s *session) observe(ctx context.Context) error {
	switch {
	case len(s.open.desk.Observers) == 0:
		return s.say("No observer is configured for this tool.")
	case s.o.Observe == nil:
		return s.say("No observer: this console cannot ask them.")
	}
	if err := s.print("Asking: it may take a while."); err != nil {
		return err
	}
	n, err := s.o.Observe(ctx, s.open.desk.Effect.ID)
	if err != nil {
		return s.sayFault(err)
	}
	if _, err := s.lookDesk(ctx); err != nil {
		return s.sayFault(err)
	}
	if err := s.print("Observed: " + say.Count(int64(n), "observer", "observers") + " answered. " + s.deskState()); err != nil {
		return err
	}
	return s.say("Say \"summary\", or \"more\" to read the page anew.")
}
