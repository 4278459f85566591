package detail

import (
	"nod/ambiguity"
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/gate"
	"nod/tui/say"
)

// standDesk is how the effect stands: what kind of unknown, which attempt, who
// runs into it.
func (p *Page) standDesk(look frame.Look, brief int) frame.Line {
	v := &p.desk.view
	line := frame.Line{frame.Gap(1)}
	add := func(role themes.Role, s string) {
		if len(line) > 1 {
			line = append(line, frame.S(themes.Muted, " "+look.Glyphs.Dot+" "))
		}
		line = append(line, frame.S(role, s))
	}
	line = append(line, standing(look, v, brief)...)
	if v.Effect.Ordinal > 1 {
		add(themes.Warn, "effect "+say.Number(v.Effect.Ordinal)+" of its key")
	}
	if a := p.Attempt(); a != nil && brief < briefest {
		text := "attempt " + say.Number(a.Number)
		if n := len(v.Attempts); n > 1 {
			text += " of " + say.Number(int64(n))
		}
		add(themes.Text, text)
	}
	if n := v.Effect.Repeats; n > 0 && brief < briefest {
		text := say.Count(n, "repeat refused", "repeats refused")
		if brief > 0 {
			text = say.Number(n) + " refused"
		}
		add(themes.Text, text)
	}
	if n := blocked(v); n > 0 && brief < briefest-1 {
		text := say.Count(n, "agent blocked", "agents blocked")
		if brief > 0 {
			text = say.Number(n) + " blocked"
		}
		add(themes.Text, text)
	}
	return line
}

// blocked is how many agents ran into the effect or wait with an ask of its key.
func blocked(v *queue.Desk) int64 {
	agents := map[string]bool{}
	for i := range v.Repeats {
		agents[v.Repeats[i].Agent] = true
	}
	for i := range v.Waiting {
		agents[v.Waiting[i].Agent] = true
	}
	return int64(len(agents))
}

// standing is the first part of the state row, in the words that part what is
// unknown: not confirmed, seen but not durable, a conflict.
func standing(look frame.Look, v *queue.Desk, brief int) frame.Line {
	e := &v.Effect
	one := func(role themes.Role, word, rest string) frame.Line {
		out := frame.Line{frame.S(role, word)}
		if rest != "" {
			out = append(out, frame.S(themes.Text, rest))
		}
		return out
	}
	since := ""
	if at := unknownSince(v); at > 0 && brief < 2 {
		since = " for " + say.About(look.Now-at)
	}
	switch e.Standing {
	case ambiguity.StandsExecuting:
		rest := ""
		if n := len(v.Attempts); n > 0 && brief < 2 {
			rest = ", lease until " + say.ClockSec(v.Attempts[n-1].Lease, look.Now, look.Loc)
		}
		return one(themes.Text, "executing", rest)
	case ambiguity.StandsUnknown:
		return one(themes.Unknown, "unknown"+since, ": "+wording(e.Mark))
	case ambiguity.StandsCommitted:
		switch {
		case e.Mark == ambiguity.Divergent && e.Open:
			return one(themes.Danger, "divergent", ": it happened, with other content than allowed")
		case e.Double:
			return one(themes.Danger, "possible double", ": committed, and a later attempt began")
		}
		return one(themes.OK, "committed", "")
	}
	if e.Double {
		return one(themes.Danger, "possible double", "")
	}
	if e.Attempts == 0 {
		return one(themes.Text, "opened", ": nothing of it began yet")
	}
	return one(themes.Text, "did not happen", ": one new attempt may begin")
}

func wording(m ambiguity.Mark) string {
	switch m {
	case ambiguity.NotDurable:
		return "seen, not durable"
	case ambiguity.Conflict:
		return "statements conflict"
	}
	return "not confirmed"
}

// unknownSince is when the first attempt that is unknown ended; 0 for none.
func unknownSince(v *queue.Desk) int64 {
	for i := range v.Attempts {
		if a := &v.Attempts[i]; a.State == queue.AttemptUnknown {
			return a.EndedAt
		}
	}
	return 0
}

// draftRows are the rows between position and gate while an answer is written:
// what it says and unlocks, and what was written for it. While the line is open
// the gate says the first of them itself.
func (p *Page) draftRows(look frame.Look, w int) []frame.Line {
	if p.desk == nil || p.desk.draft.Act == "" {
		return nil
	}
	d := &p.desk.draft
	var rows []frame.Line
	if mode := p.out.Mode; mode != gate.ModeValue && mode != gate.ModeCode {
		a, _ := p.AnswerTo(d.Act)
		rows = append(rows, wrap(look, Sentence(a), w)...)
	}
	reason, evidence := visible.Row(d.Reason), visible.Row(d.Evidence)
	durable := " " + look.Glyphs.Dot + " not durable"
	if d.Durable {
		durable = " " + look.Glyphs.Dot + " durable"
	}
	if d.Evidence == "" {
		durable = ""
	}
	field := func(label string, t visible.Text, tail string) frame.Line {
		room := max(w-2-10-len([]rune(tail)), 0)
		return frame.Line{frame.Gap(1), frame.Col(themes.Muted, label, 10), frame.T(themes.Text, frame.Cut(t, room, 0, look.Glyphs.Cut)), frame.S(themes.Muted, tail)}
	}
	if look.H < small {
		if d.Evidence != "" {
			reason = visible.Concat(reason, visible.Drawn(" "+look.Glyphs.Dot+" "), evidence)
		}
		return append(rows, field("you wrote", reason, durable))
	}
	rows = append(rows, field("reason", reason, ""))
	if d.Evidence != "" {
		rows = append(rows, field("evidence", evidence, durable))
	}
	return rows
}
