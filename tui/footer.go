package tui

import (
	"strings"

	"nod/themes"
	"nod/tui/frame"
	"nod/tui/gate"
	"nod/tui/inbox"
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
		if m.quiet(b) || m.idle(b) {
			continue
		}
		pairs, weight = append(pairs, m.pair(b)), append(weight, m.weigh(b))
	}
	return fitPairs(pairs, weight, w)
}

// quiet reports that a pair does not stand on the row: the theme's only where
// there is nothing else to do (SCREENS §14).
func (m *Model) quiet(b keys.Binding) bool {
	if b.Intent == keys.Theme && m.place == keys.Inbox && m.list.Empty(m.look) {
		return false
	}
	return b.Quiet
}

// keysOf is the keys row of a layer, with what it takes beside its bindings.
func (m *Model) keysOf(place keys.Place, own ...string) frame.Line {
	var pairs []frame.Line
	var weight []int
	for _, o := range own {
		pairs, weight = append(pairs, frame.Line{frame.S(themes.Muted, o)}), append(weight, usual)
	}
	for _, b := range m.keys.In(place) {
		if !b.Quiet {
			pairs, weight = append(pairs, m.pair(b)), append(weight, weigh(b, place))
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

// helpStays weighs more than all others: the help is never dropped.
const helpStays = 100

// weights are how long a pair stays when the row is short (SCREENS, the keys
// rows of §1-3 and §13): what is there everywhere goes first, what the place is
// for stays longest.
var weights = map[keys.Intent]int{
	keys.Top: 0, keys.ShowInbox: 1, keys.Claim: 1, keys.Mark: 2, keys.Snooze: 3,
	keys.NextUnseen: 4, keys.Filters: 4, keys.Down: 5, keys.PageDown: 7, keys.Verify: 4,
	keys.Edit: 6, keys.Search: 8, keys.Palette: 8, keys.Back: 6, keys.Quit: 9, keys.NextLens: 8,
	keys.Open: 9, keys.Words: 8, keys.Answer: 9, keys.Revoke: 9, keys.OpenBatch: 10, keys.Acknowledge: 10, keys.Resend: 10, keys.DropWords: 9,
	keys.Happened: 12, keys.NotHappened: 12, keys.StillUnknown: 11, keys.Observe: 9, keys.Distinct: 9, keys.SeenOpen: 12,
	keys.Rewrite: 9, keys.DropWritten: 6, keys.NextAttempt: 6, keys.CopyID: 3, keys.ToEffect: 3,
	keys.Approve: 12, keys.Deny: 12, keys.ShowHelp: helpStays,
	keys.PrevField: 1, keys.NextOrKeep: 8, keys.NextField: 4, keys.Leave: 9, keys.Keep: 10, keys.Choice: 7,
}

const usual = 5

// weigh is a pair's weight here: who marked one ask looks for the next, and
// what is not shown yet is read before it is answered.
func (m *Model) weigh(b keys.Binding) int {
	switch {
	case b.Intent == keys.Mark && len(m.list.Marked()) > 0:
		return weights[keys.OpenBatch]
	case m.gated() && m.open.Unread() > 0 && (b.Intent == keys.PageDown && !m.open.AtEnd() || b.Intent == keys.NextUnseen && m.open.AtEnd()):
		return weights[keys.Approve]
	}
	return weigh(b, m.place)
}

// weigh is a pair's weight in a place: over a card the palette gives way to
// what reads and answers.
func weigh(b keys.Binding, place keys.Place) int {
	if place&keys.Cards != 0 && b.Intent == keys.Palette {
		return 2
	}
	if n, ok := weights[b.Intent]; ok {
		return n
	}
	return usual
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
	if !m.gated() {
		return nil, false
	}
	whole := func(text string) frame.Line {
		return frame.Line{frame.Gap(1), frame.S(themes.Muted, text+"  "), frame.S(themes.Accent, "Ctrl+C"), frame.S(themes.Muted, " quit")}
	}
	switch {
	case m.open.Mode() == gate.ModeSent:
		return whole("no key counts before it is recorded"), true
	case m.open.Mode() == gate.ModeDenying:
		return whole("any key takes it back"), true
	case len(m.open.Line().Fields) == 0:
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
	case keys.Down, keys.Top, keys.Search, keys.Filters:
		return m.place == keys.Inbox && m.list.Empty(m.look)
	case keys.Acknowledge:
		return m.list.Selected().Notice == 0 && m.list.Selected().Delivery == ""
	case keys.Resend, keys.DropWords:
		return m.why(b) != ""
	case keys.Revoke, keys.OpenBatch, keys.NextLens, keys.Edit, keys.Verify, keys.Distinct, keys.SeenOpen, keys.Rewrite, keys.DropWritten,
		keys.NextAttempt, keys.ToEffect:
		return m.why(b) != ""
	case keys.Back:
		return m.place == keys.Inbox && !m.narrowed()
	case keys.Mark:
		return m.list.Selected() == (inbox.Key{}) || m.list.Selected().Effect != ""
	case keys.Observe:
		return m.open == nil || m.open.Desk() == nil || len(m.open.Desk().Observers) == 0
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
	case b.Intent.Settles() && m.givesWith(b.Intent):
		return "give it"
	case b.Intent == keys.Freeze && m.frozenAt("") != 0:
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
