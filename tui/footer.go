package tui

import (
	"strings"

	"nod/themes"
	"nod/tui/frame"
	"nod/tui/keys"
)

// footer is the last row: what the keys do here. What cannot be done now is in
// parentheses. Whole pairs drop from the middle until it fits; help never does.
func (m *Model) footer(w int) frame.Line {
	var pairs []frame.Line
	help := -1
	for _, b := range m.keys.In(m.place) {
		if b.Quiet || m.idle(b) {
			continue
		}
		if b.Intent == keys.ShowHelp {
			help = len(pairs)
		}
		pairs = append(pairs, m.pair(b))
	}
	for total(pairs) > w-2 && len(pairs) > 1 {
		drop := len(pairs) / 2
		if drop == help {
			drop--
		}
		pairs = append(pairs[:drop], pairs[drop+1:]...)
		if drop < help {
			help--
		}
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

// idle leaves out what has no sense at all for what is selected or open; it
// stays in the help, with its reason.
func (m *Model) idle(b keys.Binding) bool {
	switch b.Intent {
	case keys.Acknowledge:
		return m.list.Selected().Notice == 0
	case keys.Revoke:
		return m.why(b) != ""
	case keys.Approve, keys.Deny, keys.Words, keys.NextUnseen:
		return m.open == nil || !m.open.Pending()
	}
	return false
}

func (m *Model) pair(b keys.Binding) frame.Line {
	key, verb := strings.Fields(b.Shown)[0], m.verb(b)
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
	case b.Intent == keys.Freeze && m.frozen():
		return "unfreeze…"
	case b.Intent == keys.Approve && m.open != nil && m.open.Row().Kind == "question":
		return "answer…"
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
