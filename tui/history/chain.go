package history

import (
	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// Chain is what is known of the chain of events: what the last verification
// found, and when. The zero Chain was never verified.
type Chain struct {
	Running bool   // a verification is on its way
	Events  int64  // that were verified
	Head    string // hash of the newest of them, 64 hex digits
	At      int64  // when, effective Unix ms; 0 for never
	Newest  int64  // event number of the store's newest event now
	Mark    Mark   // the newest signed checkpoint that was compared
	Bad     *Break // what was found instead
	Failed  bool   // it could not be read to the end
	Apart   bool   // this console cannot verify it
}

// Mark is a signed checkpoint that agrees with the chain. The zero Mark is
// none: one that does not agree is a Break.
type Mark struct {
	Events int64
	Time   int64 // of the newest event it covers, effective Unix ms
}

// Break is what is wrong first (audit.Fault).
type Break struct {
	Seq      int64 // of the first bad event; 0 where none is at fault
	Sentence string
}

// Line says it in one row of w cells, shorter where the room is less. It says
// "intact" only of what was verified, and how many events came since.
func (c *Chain) Line(look frame.Look, w int) frame.Line {
	if c.Bad != nil {
		return c.broken(look, w)
	}
	short := c.Head[:min(8, len(c.Head))] + look.Glyphs.Cut
	dot := " " + look.Glyphs.Dot + " "
	var head string
	var role themes.Role
	var rest []string // the last go first
	switch {
	case c.At == 0 && c.Running:
		head, role = "chain: being verified", themes.Muted
	case c.Failed:
		head, role, rest = "chain not verified", themes.Warn, []string{": the store could not be read to its end", "; V tries again"}
	case c.At == 0 && c.Apart:
		head, role, rest = "chain not verified here", themes.Muted, []string{"; nod audit verify does it"}
	case c.At == 0:
		head, role, rest = "chain not verified yet", themes.Muted, []string{"; V verifies it"}
	default:
		head, role = "chain intact", themes.OK
		since := ", " + say.Span(look.Now-c.At) + " ago"
		events := ": " + say.Count(c.Events, "event", "events") + " verified"
		if n := c.Newest - c.Events; n > 0 {
			since += ", " + say.Number(n) + " since"
		}
		rest = []string{events + since, dot + c.Mark.say(look)}
		if c.Mark.Events == 0 {
			rest[1] = dot + "no signed checkpoint to compare with"
		}
		if long := []string{events + " to head " + short + since, rest[1]}; width(head, long[:1]) <= w-2 {
			rest = long
		}
		if c.Running {
			rest = append(rest, dot+"being verified again")
		}
	}
	for len(rest) > 0 && width(head, rest) > w-2 {
		rest = rest[:len(rest)-1]
	}
	line := frame.Line{frame.Gap(1), frame.S(role, head)}
	for _, s := range rest {
		line = append(line, frame.S(themes.Muted, s))
	}
	return line.Fit(w)
}

func (m Mark) say(look frame.Look) string {
	return "signed checkpoint of " + say.Clock(m.Time, look.Now, look.Loc) + ", " + say.Count(m.Events, "event", "events") + ", agrees"
}

func width(head string, rest []string) int {
	n := frame.Width(visible.Drawn(head))
	for _, s := range rest {
		n += frame.Width(visible.Drawn(s))
	}
	return n
}

func (c *Chain) broken(look frame.Look, w int) frame.Line {
	head := "chain broken"
	if c.Bad.Seq > 0 {
		head += " at event " + say.Number(c.Bad.Seq)
	}
	line := frame.Line{frame.Gap(1), frame.S(themes.Danger, head), frame.S(themes.Text, ": ")}
	said := visible.Of(visible.Strict, c.Bad.Sentence)
	return append(line, frame.T(themes.Text, frame.Cut(said, max(w-1-line.Width(), 0), 0, look.Glyphs.Cut))).Fit(w)
}
