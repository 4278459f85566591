package tui

import (
	tea "charm.land/bubbletea/v2"

	"nod/themes"
	"nod/tui/frame"
	"nod/tui/gate"
	"nod/tui/keys"
)

// layer takes every key while it is open: a question of the console, a line to
// write, the palette, a form, the editor. No key reaches the gate through one.
type layer interface {
	// press takes a key; ms is when it was read, in the console's clock.
	press(m *Model, k tea.KeyPressMsg, name string, ms int64) tea.Cmd
	paste(m *Model, text string) tea.Cmd
	// foot draws the last rows of the screen and the cell of the cursor in
	// them; at the zero Point it stands elsewhere.
	foot(m *Model, w int) ([]frame.Line, frame.Point)
}

// bodied is a layer that also stands in the body's place.
type bodied interface {
	layer
	body(m *Model, w, h int) ([]frame.Line, frame.Point)
}

// cover opens a layer. What it covers of the card no longer counts as shown.
func (m *Model) cover(l layer) {
	m.stay()
	m.over = l
	if _, ok := l.(bodied); ok && m.open != nil {
		m.open.Forget()
		m.gate(gate.Resize{})
	}
}

// uncover gives the rows back to the gate, which starts its rest anew.
func (m *Model) uncover() {
	m.over = nil
	if m.open != nil && m.open.HasGate() {
		m.gate(gate.Changed{Shown: m.open.Bound()})
	}
}

// gone is the gate's last sentence on an ask that a layer is about, while
// nothing can be decided on it any more.
func (m *Model) gone(ask string) (frame.Line, bool) {
	if m.open == nil || m.open.ID() != ask || !m.open.HasGate() || m.open.Mode() != gate.ModeOver {
		return nil, false
	}
	l := m.open.Line()
	rest := frame.Cut(l.Rest, m.look.W-2-frame.Width(l.Head), 0, m.look.Glyphs.Cut)
	return frame.Line{frame.Gap(1), frame.T(l.Role, l.Head), frame.T(themes.Text, rest)}, true
}

// resting is a layer in which a key counts only after rest.
type resting interface {
	layer
	disturb(ms int64)
}

// disturb breaks the rest of a layer: what is on the screen, or who looks at
// it, is not what it was.
func (m *Model) disturb() {
	if l, ok := m.over.(resting); ok {
		l.disturb(m.ms())
	}
}

// covered reports whether a layer stands in the body's place.
func (m *Model) covered() bool {
	_, ok := m.over.(bodied)
	return ok
}

// own gives a key the name that a layer knows it by: of says which of the
// layer's own keys an intent is, so that the layer follows keys that were bound
// anew. A key of its own that means nothing here any more is "".
func (m *Model) own(place keys.Place, name string, of map[keys.Intent]string) string {
	if b, ok := m.keys.Find(place, name); ok {
		if own, ok := of[b.Intent]; ok {
			return own
		}
	}
	for _, own := range of {
		if own == name {
			return ""
		}
	}
	return name
}

// restMS is how long a yes must have rested: the same as for an answer.
const restMS = 400
