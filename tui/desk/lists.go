package desk

import (
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/inbox"
	"nod/tui/say"
)

// AttemptRows draws the attempts, the newest first.
func AttemptRows(look frame.Look, in In, w int) []frame.Line {
	s := &sheet{look: look, w: w}
	v := in.Desk
	if len(v.Attempts) == 0 {
		s.heading("Nothing of it began.")
	}
	for i := len(v.Attempts) - 1; i >= 0; i-- {
		a := &v.Attempts[i]
		shape, word, role := outcome(look.Glyphs, a.State)
		head := frame.Line{frame.Gap(1), frame.S(role, shape), frame.Gap(1), frame.S(themes.Text, "attempt "+say.Number(a.Number)+"  "), frame.S(role, word)}
		if a.ID == in.Attempt && len(v.Attempts) > 1 {
			head = append(head, frame.S(themes.Accent, "  the answers are about it"))
		}
		s.add(head)
		s.allowed(a, in.Self)
		s.begun(a)
		s.cameBack(v, a)
		if a.EndedAt > 0 {
			s.fact("Ended", themes.Text, visible.Drawn(s.clock(a.EndedAt)+"; from "+s.clock(a.SettledAt)+" on an empty answer counts"))
		}
		s.fact("Ask", themes.Muted, visible.Drawn(a.Ask))
		if i > 0 {
			s.blank()
		}
	}
	return s.rows
}

func outcome(g frame.Glyphs, state queue.AttemptState) (shape, word string, role themes.Role) {
	switch state {
	case queue.AttemptExecuting:
		return g.Call, "executing", themes.Text
	case queue.AttemptCommitted:
		return g.Good, "committed", themes.OK
	case queue.AttemptNotExecuted:
		return g.Over, "not executed", themes.Text
	}
	return g.Unknown, "unknown", themes.Unknown
}

// WaitRows draws who ran into the effect and which asks of its key are open, the
// n-th of them selected; at is the row on which it stands, -1 for none.
func WaitRows(look frame.Look, in In, n, w int) (rows []frame.Line, at int) {
	s := &sheet{look: look, w: w}
	v, at := in.Desk, -1
	s.heading("Refused because of it")
	for i := range v.Repeats {
		r := &v.Repeats[i]
		t := visible.Concat(s.name(r.Agent), visible.Drawn("  "+say.Count(r.Count, "time", "times")+", last "+s.clock(r.Last)+"  "+r.Code+"  "), s.name(r.Session))
		s.hang(frame.Line{frame.Gap(3)}, themes.Text, t)
	}
	if len(v.Repeats) == 0 {
		s.hang(frame.Line{frame.Gap(3)}, themes.Text, visible.Own("nobody so far"))
	}
	s.blank()
	s.heading("Open asks of the same key")
	for i := range v.Waiting {
		r := &v.Waiting[i]
		state, role := string(r.StateAt(look.Now)), themes.Text
		mark := frame.S(themes.Text, " ")
		if i == n {
			mark, at = frame.S(themes.Accent, look.Glyphs.Mark), len(s.rows)
		}
		line := frame.Line{mark, frame.S(role, look.Glyphs.Call), frame.Gap(1), frame.Col(role, state, 9), frame.Gap(1),
			frame.Right(themes.Muted, say.Age(look.Now-r.CreatedAt), 4), frame.Gap(2)}
		line = append(line, inbox.What(look, r, w-line.Width(), themes.Text)...).Fit(w)
		if i == n {
			line = line.Selected()
		}
		s.add(line)
	}
	if len(v.Waiting) == 0 {
		s.hang(frame.Line{frame.Gap(3)}, themes.Text, visible.Own("none"))
	}
	return s.rows, at
}
