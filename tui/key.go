package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"nod/tui/gate"
	"nod/tui/inbox"
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
		if b, ok := m.keys.Find(keys.Inbox, name); ok && b.Intent == keys.Quit {
			return tea.Quit
		}
		return nil
	}
	m.burst = ms-m.keyAt < gate.BurstMS
	m.held = k.IsRepeat || name == m.keyName && ms-m.keyAt < gate.HeldMS
	m.keyAt, m.keyName = ms, name
	waited := m.undelay()
	return tea.Batch(waited, m.pressed(k, name, ms))
}

// pressed gives a key to the layer, else to the gate, else to its binding.
func (m *Model) pressed(k tea.KeyPressMsg, name string, ms int64) tea.Cmd {
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
		m.note.warn("Not now", reason+".")
		return nil
	}
	if b.Intent.Delayed() && m.held && !m.burst {
		m.note.warn("Held down", b.Key()+" repeats by itself, so it was taken once at most; let go.")
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
	on     hand
}

// hand is what a key is about: the place, what is under the hand of its list
// and what is open.
type hand struct {
	place   keys.Place
	key     inbox.Key
	ask     string
	session string
}

// aboutRow reports whether a delayed intent is about what is under the hand.
func aboutRow(i keys.Intent) bool {
	switch i {
	case keys.Quit, keys.Suspend, keys.Freeze, keys.OpenBatch:
		return false
	}
	return true
}

func (m *Model) hand() hand {
	h := hand{place: m.place}
	if m.place == keys.Inbox {
		h.key = m.list.Selected()
	}
	if row, ok := m.handRow(); ok {
		h.ask = row.ID
	}
	if s, ok := m.sessions.Selected(); ok && m.place == keys.Sessions {
		h.session = s.ID
	}
	return h
}

// delayedDue says that no burst came after a delayed key.
type delayedDue struct{ no uint64 }

func (m *Model) delay(i keys.Intent) tea.Cmd {
	m.delayed = delayed{m.delayed.no + 1, i, m.hand()}
	no := m.delayed.no
	wait := gate.BurstMS
	if i.Acts() {
		wait = gate.HeldMS // the first repeat of a held key is told by the second
	}
	return m.opts.Tick(time.Duration(wait+1)*time.Millisecond, func(time.Time) tea.Msg { return delayedDue{no} })
}

// undelay takes a waiting key back when this one came in one burst with it, or
// is the same one, held down.
// One that the clock has not come to yet counts now, before this one.
func (m *Model) undelay() tea.Cmd {
	if m.delayed.intent == keys.None {
		return nil
	}
	if !m.burst && !m.held {
		return m.onDelayed(delayedDue{m.delayed.no})
	}
	m.delayed.intent = keys.None
	if !m.burst {
		return nil // the binding of this key says so
	}
	m.note.warn("Too fast", "keys came in one burst, so none of them was taken; press one.")
	return nil
}

func (m *Model) onDelayed(d delayedDue) tea.Cmd {
	i := m.delayed.intent
	if d.no != m.delayed.no || i == keys.None {
		return nil
	}
	m.delayed.intent = keys.None
	if m.over != nil {
		return nil
	}
	if now := m.hand(); now.place != m.delayed.on.place || now != m.delayed.on && aboutRow(i) {
		m.note.warn("Changed", "another row came under your hand with the key, so nothing was done.")
		return nil
	}
	for _, b := range m.keys.In(m.place) {
		if b.Intent == i && m.why(b) == "" {
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
