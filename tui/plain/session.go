package plain

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/pace"
)

// session is one talk with the operator.
type session struct {
	port queue.Port
	o    Options
	kb   keyboard
	out  io.Writer

	pace     *pace.Meter
	last     visible.Text // the sentence that an empty line repeats
	promptAt time.Time    // of the newest prompt
	list     list         // what the numbers mean
	open     *page        // the ask that is open
}

// errQuit ends the talk.
var errQuit = errors.New("quit")

// talk reads out the list and then does what is said, until quit.
func talk(ctx context.Context, port queue.Port, o Options, kb keyboard, out io.Writer) error {
	s := &session{port: port, o: o, kb: kb, out: out, pace: pace.New(o.Pace)}
	err := s.start(ctx)
	for err == nil {
		err = s.turn(ctx)
	}
	switch {
	case errors.Is(err, errQuit), errors.Is(err, io.EOF), ctx.Err() != nil:
		return nil //nolint:nilerr // that is the end of the talk; what waits goes on waiting
	}
	return err
}

func (s *session) start(ctx context.Context) error {
	if s.o.Name != "" {
		st, err := queue.Get[queue.Status](ctx, s.port, queue.QStatus{})
		if err != nil {
			return err
		}
		h, err := queue.Get[queue.History](ctx, s.port, s.pace.Query(st.Now))
		if err != nil {
			return err
		}
		s.pace.Seed(h.Rows, s.o.Name, "console", "plain")
	}
	if err := s.inbox(ctx); err != nil {
		return s.sayFault(err)
	}
	return nil
}

// turn is one line at the main prompt.
func (s *session) turn(ctx context.Context) error {
	if err := s.announce(ctx); err != nil {
		return err
	}
	l, err := s.prompt(ctx, "nod> ")
	if err != nil {
		return err
	}
	return s.do(ctx, l)
}

// prompt asks for a line. What was typed before it is thrown away, with a
// word; reaching it is what makes the lines before it count as shown.
func (s *session) prompt(ctx context.Context, text string) (line, error) {
	for early := s.kb.waits(); ; early = true {
		if early {
			s.kb.forget()
			if err := s.print(thrownAway); err != nil {
				return line{}, err
			}
		}
		if _, err := io.WriteString(s.out, text); err != nil {
			return line{}, err
		}
		if !s.kb.waits() {
			break
		}
		if _, err := io.WriteString(s.out, "\n"); err != nil {
			return line{}, err
		}
	}
	s.kb.forget()
	s.promptAt = s.o.Now()
	s.reached()
	l, err := s.kb.next(ctx)
	if err == nil && s.open != nil {
		s.open.rested(l.at.Sub(s.promptAt))
	}
	if errors.Is(err, io.EOF) {
		_, _ = io.WriteString(s.out, "\n") // the terminal may be gone; nothing was decided
	}
	return l, err
}

const thrownAway = "Thrown away: it was typed before this question, so it does not count."

// say prints a sentence of ours and keeps it to be repeated.
func (s *session) say(text string) error { return s.tell(visible.Drawn(text)) }

// tell prints a sentence that may end with drawn text, and keeps it.
func (s *session) tell(t visible.Text) error {
	s.last = t
	return s.write(t)
}

// print prints a line that is not kept.
func (s *session) print(text string) error { return s.write(visible.Drawn(text)) }

// write prints one line, wrapped so that the terminal wraps nothing: a row
// that goes on begins with two spaces, and so no text of an agent's begins
// one.
func (s *session) write(t visible.Text) error {
	w, _ := s.o.Size()
	var b strings.Builder
	for i, row := range wrap(t.String(), w) {
		if i > 0 {
			b.WriteString(hang)
		}
		b.WriteString(row + "\n")
	}
	_, err := io.WriteString(s.out, b.String())
	return err
}

// sayFault says what an act or a query was refused with. The talk goes on.
func (s *session) sayFault(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return s.tell(visible.Concat(visible.Own("Not done: "), s.draw(told(err)), visible.Own(".")))
}

// words splits a line into its first word, without case, and the rest.
func words(text string) (verb, rest string) {
	verb, rest, _ = strings.Cut(strings.TrimSpace(text), " ")
	return strings.ToLower(verb), strings.TrimSpace(rest)
}
