package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"nod/tui/gate"
	"nod/tui/keys"
)

// key is the one way of a key: gate, binding, intent.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	m.touched = true
	ms := m.keyMS()
	name := k.String()
	if name == "ctrl+c" {
		return tea.Quit
	}
	if !m.bigEnough() {
		if name == "q" {
			return tea.Quit
		}
		return nil
	}
	m.burst = ms-m.keyAt < gate.BurstMS
	m.keyAt = ms
	m.dropDelayed()
	if m.over != nil {
		return m.over.press(m, k, name, ms)
	}
	if m.gated() {
		out := m.open.Handle(gate.Key{Name: name, Text: k.Text, Repeat: k.IsRepeat}, ms)
		if cmd := m.outcome(out); cmd != nil || out.Consumed {
			m.note.clear() // the gate speaks again
			return cmd
		}
	}
	b, ok := m.keys.Find(m.place, name)
	if !ok {
		return nil
	}
	if m.burst && m.cardPlace() && !b.Intent.Scrolls() {
		return nil // text that was pasted without its brackets is no command
	}
	if m.cardPlace() || !b.Intent.Scrolls() {
		m.note.clear()
	}
	if reason := m.why(b); reason != "" {
		m.note.warn("Not now", b.Key()+" does nothing here: "+reason+".")
		return nil
	}
	if b.Intent.Delayed() {
		return m.delay(b.Intent)
	}
	return m.do(b.Intent)
}

// delayed is a key that waits for whether a burst follows it: a paste without
// brackets begins with a key like any other.
type delayed struct {
	no     uint64
	intent keys.Intent // keys.None: nothing waits
}

// delayedDue says that no burst came after a delayed key.
type delayedDue struct{ no uint64 }

func (m *Model) delay(i keys.Intent) tea.Cmd {
	m.delayed = delayed{m.delayed.no + 1, i}
	no := m.delayed.no
	return m.opts.Tick((gate.BurstMS+1)*time.Millisecond, func(time.Time) tea.Msg { return delayedDue{no} })
}

// dropDelayed takes a waiting key back when this one came in one burst with
// it. One that the clock has not come to yet counts now.
func (m *Model) dropDelayed() {
	if m.delayed.intent == keys.None || !m.burst {
		return
	}
	m.delayed.intent = keys.None
	m.note.warn("Too fast", "keys came in one burst, so none of them was taken; press one.")
}

func (m *Model) onDelayed(d delayedDue) tea.Cmd {
	i := m.delayed.intent
	if d.no != m.delayed.no || i == keys.None {
		return nil
	}
	m.delayed.intent = keys.None
	for _, b := range m.keys.In(m.place) {
		if b.Intent == i && m.over == nil && m.why(b) == "" {
			return m.do(i)
		}
	}
	return nil
}

// paste is text for a field that the operator opened, and for nothing else.
func (m *Model) paste(text string) tea.Cmd {
	if m.over != nil {
		return m.over.paste(m, text)
	}
	return m.gate(gate.Paste{})
}
