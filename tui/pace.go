package tui

import (
	"nod/queue"
	"nod/tui/keys"
)

// kept takes an answer that was just given into the account of the pace.
func (m *Model) kept(d queue.Decision) { m.pace.Add(d.At, d.DwellMS) }

// slowDown makes the card that was just opened be read anew, with a longer
// rest, while the operator answers too fast to have read: every time it is
// opened, or opening it twice would be the way around.
func (m *Model) slowDown() {
	if m.open == nil || !m.open.HasGate() || !m.pace.Slow(m.look.Now) {
		return
	}
	_, rest := m.pace.Sentence(m.look.Now, m.keys.Shown(keys.Detail, keys.Top))
	m.open.Slow(rest, m.ms())
}
