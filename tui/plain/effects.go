package plain

import (
	"context"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/frame"
	"nod/tui/inbox"
	"nod/tui/say"
)

// effects reads out the effects that are on the desk, and from before on (0: the
// newest) those that were settled.
func (s *session) effects(ctx context.Context, before int64) error {
	s.open = nil
	all, err := queue.Get[queue.Effects](ctx, s.port, queue.QEffects{Before: before, Limit: listLines})
	if err != nil {
		return s.sayFault(err)
	}
	if before == 0 {
		s.list = list{at: all.Now}
		open, err := queue.Get[queue.Effects](ctx, s.port, queue.QEffects{Open: true, Limit: inbox.MostEffects})
		if err != nil {
			return s.sayFault(err)
		}
		if len(open.Effects)+len(all.Effects) == 0 {
			return s.say("No outcome is unknown, and nothing was settled yet.")
		}
		head := say.Count(int64(len(open.Effects)), "effect is", "effects are") + " on the desk."
		if open.More {
			head = "The newest " + head
		}
		if err := s.print(head); err != nil {
			return err
		}
		if err := s.openEffects(open.Effects, all.Now); err != nil {
			return err
		}
		if err := s.print("Settled, newest first."); err != nil {
			return err
		}
	}
	s.list.effects = 0
	for i := range all.Effects {
		e := &all.Effects[i]
		if s.list.effects = e.Num; e.Open {
			continue
		}
		if err := s.effectRow(e, all.Now); err != nil {
			return err
		}
	}
	if !all.More {
		s.list.effects = 0
	}
	return s.askNumber(all.More)
}

// openEffects reads the items of the desk out, those first that somebody ran
// into.
func (s *session) openEffects(open []queue.EffectView, now int64) error {
	for _, blocks := range []bool{true, false} {
		for i := range open {
			if (open[i].Repeats > 0) != blocks {
				continue
			}
			if err := s.effectRow(&open[i], now); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *session) effectRow(e *queue.EffectView, now int64) error {
	s.list.items = append(s.list.items, item{effect: e.ID})
	text := standsSay(e) + ", " + age(now-e.MovedAt)
	if e.Repeats > 0 && e.Open {
		text += ", blocks an agent"
	}
	return s.numbered(visible.Concat(visible.Drawn(text+": "), s.what(&queue.Row{Tool: e.Tool, Gist: e.Gist, GistMore: e.GistMore, Agent: e.Agent})))
}

// standsSay is how an effect stands, in words. What is unknown is told apart.
func standsSay(e *queue.EffectView) string {
	_, word, _ := inbox.StandAtLength(frame.ASCII(), e)
	switch word {
	case "not confirmed":
		return "Unknown, not confirmed"
	case "seen, not durable":
		return "Unknown, seen but not durable"
	case "conflict":
		return "Unknown, statements conflict"
	case "divergent":
		return "Happened, with other content than allowed"
	case "possible double":
		return "Possibly happened twice"
	case "begun":
		return "Executing"
	case "committed":
		return "Happened"
	case "opened":
		return "Opened on purpose, nothing began"
	}
	return "Did not happen"
}

// waits reads out who ran into the open effect, and lists its open asks.
func (s *session) waits() error {
	v := s.open.desk
	for i := range v.Repeats {
		r := &v.Repeats[i]
		text := "Refused " + say.Count(r.Count, "time", "times") + ", last at " + say.ClockSec(r.Last, v.Now, s.o.Loc) + ", " + r.Code + ": "
		if err := s.write(visible.Concat(visible.Drawn(text), s.name(r.Agent))); err != nil {
			return err
		}
	}
	if len(v.Waiting) == 0 {
		return s.say("No open ask has its key.")
	}
	s.list = list{at: v.Now}
	for i := range v.Waiting {
		r := &v.Waiting[i]
		s.list.items = append(s.list.items, item{ask: r.ID})
		if err := s.numbered(visible.Concat(visible.Drawn(describe(r, v.Now)), s.what(r))); err != nil {
			return err
		}
	}
	return s.say("Say a number to open that ask, or answer the effect.")
}
