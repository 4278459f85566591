package tui

import (
	"strings"

	"nod/themes"
	"nod/tui/frame"
	"nod/tui/gate"
	"nod/tui/keys"
)

// footer is the last row: what the keys do here. What cannot be done now is in
// parentheses. Whole pairs drop until it fits.
func (m *Model) footer(w int) frame.Line {
	if line, ok := m.lineFooter(); ok {
		return line
	}
	var pairs []frame.Line
	var weight []int
	for _, b := range m.keys.In(m.place) {
		if b.Quiet || m.idle(b) {
			continue
		}
		pairs, weight = append(pairs, m.pair(b)), append(weight, weigh(b))
	}
	return fitPairs(pairs, weight, w)
}

// keysOf is the keys row of a layer, with what it takes beside its bindings.
func (m *Model) keysOf(place keys.Place, own ...string) frame.Line {
	var pairs []frame.Line
	var weight []int
	for _, o := range own {
		pairs, weight = append(pairs, frame.Line{frame.S(themes.Muted, o)}), append(weight, 1)
	}
	for _, b := range m.keys.In(place) {
		if !b.Quiet {
			pairs, weight = append(pairs, m.pair(b)), append(weight, 2)
		}
	}
	return fitPairs(pairs, weight, m.look.W)
}

// fitPairs drops whole pairs until the row fits.
func fitPairs(pairs []frame.Line, weight []int, w int) frame.Line {
	for total(pairs) > w-2 && len(pairs) > 1 {
		drop := lightest(weight)
		pairs = append(pairs[:drop], pairs[drop+1:]...)
		weight = append(weight[:drop], weight[drop+1:]...)
	}
	line := frame.Line{frame.Gap(1)}
	for i, p := range pairs {
		if i > 0 {
			line = append(line, frame.Gap(2))
		}
		line = append(line, p...)
	}
	return line
}

// weigh is how long a pair stays when the row is short: the views go first,
// then the moves, the answers last, help never.
func weigh(b keys.Binding) int {
	switch {
	case b.Intent == keys.ShowHelp:
		return 9
	case b.In == keys.Inbox|keys.Detail || b.Group == keys.Aside:
		return 0
	case b.Intent == keys.NextLens:
		return 4
	case b.Intent == keys.Palette:
		return 2
	case b.Intent == keys.ShowInbox, b.Intent == keys.Top, b.Group == keys.Aside:
		return 0
	case b.Intent == keys.Filters:
		return 1
	case b.Intent == keys.Back, b.Intent == keys.Quit, b.Intent == keys.OpenBatch, b.Intent == keys.Acknowledge:
		return 3
	case b.Intent == keys.Approve, b.Intent == keys.Deny:
		return 5
	case b.Group == keys.Reply:
		return 3
	}
	return 2
}

// lightest is the pair to drop: of the lightest the one nearest the middle.
func lightest(weight []int) int {
	at, mid := 0, len(weight)/2
	for i, n := range weight {
		if n < weight[at] || n == weight[at] && abs(i-mid) < abs(at-mid) {
			at = i
		}
	}
	return at
}

func abs(n int) int { return max(n, -n) }

// lineFooter is the keys row while the gate's line is open: its keys are the
// gate's own.
func (m *Model) lineFooter() (frame.Line, bool) {
	if !m.gated() || len(m.open.Line().Fields) == 0 {
		return nil, false
	}
	text := "the fourth decides"
	if m.open.Mode() == gate.ModeSkip {
		text = "the last one skips"
	}
	return frame.Line{
		frame.Gap(1), frame.S(themes.Muted, text+"  "), frame.S(themes.Accent, "Backspace"), frame.Gap(2),
		frame.S(themes.Accent, "Esc"), frame.S(themes.Muted, " takes it back"),
	}, true
}

// idle leaves out what has no sense at all for what is selected or open; it
// stays in the help, with its reason.
func (m *Model) idle(b keys.Binding) bool {
	switch b.Intent {
	case keys.Down:
		return m.place == keys.Inbox && m.list.Empty()
	case keys.Acknowledge:
		return m.list.Selected().Notice == 0
	case keys.Revoke, keys.OpenBatch, keys.NextLens, keys.Edit, keys.Verify:
		return m.why(b) != ""
	case keys.Back:
		return m.place == keys.Inbox && !m.narrowed()
	case keys.Mark:
		return m.list.Empty()
	case keys.Snooze, keys.Claim:
		return m.why(b) != ""
	case keys.Approve, keys.Deny, keys.Words:
		return m.open == nil || !m.open.Pending()
	case keys.NextUnseen, keys.Answer, keys.Open:
		return m.why(b) != ""
	}
	return false
}

func (m *Model) pair(b keys.Binding) frame.Line {
	key, verb := b.Key(), m.verb(b)
	if b.Foot != "" {
		if i := strings.LastIndexByte(b.Foot, ' '); i > 0 {
			key, verb = b.Foot[:i], b.Foot[i+1:]
		}
	}
	if m.why(b) != "" {
		return frame.Line{frame.S(themes.Muted, "("+key+" "+verb+")")}
	}
	return frame.Line{frame.S(themes.Accent, key), frame.Gap(1), frame.S(themes.Muted, verb)}
}

// verb is the binding's, or the other way round where the key turns back what
// it did.
func (m *Model) verb(b keys.Binding) string {
	switch {
	case b.Intent == keys.Freeze && m.frozen(""):
		return "unfreeze…"
	case b.Intent == keys.Approve && m.open != nil && m.open.Row().Kind == "question":
		return "send…"
	case b.Intent == keys.Words && m.open != nil && m.open.WordCount() > 0:
		return "words (" + itoa(m.open.WordCount()) + ")"
	}
	return b.Label()
}

func total(pairs []frame.Line) int {
	n := 2 * (len(pairs) - 1)
	for _, p := range pairs {
		n += p.Width()
	}
	return n
}
