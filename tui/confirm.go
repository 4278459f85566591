package tui

import (
	tea "charm.land/bubbletea/v2"

	"nod/themes"
	"nod/tui/frame"
	"nod/tui/keys"
)

// confirm is a question of the console that y answers after rest.
type confirm struct {
	head, text string
	yes        func(m *Model) tea.Cmd
	no         func(m *Model) // where no goes instead of back; nil for back
	since      int64          // when it opened, or the last key or disturbance came
	early      bool           // the last key was a yes that did not count
}

func (m *Model) confirm(head, text string, yes func(m *Model) tea.Cmd) {
	m.cover(&confirm{head: head, text: text, yes: yes, since: m.ms()})
}

func (c *confirm) press(m *Model, k tea.KeyPressMsg, name string, ms int64) tea.Cmd {
	rest := ms - c.since
	c.since, c.early = max(ms, c.since), false
	b, ok := m.keys.Find(keys.Confirm, name)
	switch {
	case !ok:
		return nil
	case b.Intent == keys.No:
		m.uncover()
		if c.no != nil {
			c.no(m)
			return nil
		}
		m.note.tell("Left alone", "nothing was changed.")
		return nil
	case b.Intent != keys.Yes:
		return m.do(b.Intent)
	case k.IsRepeat || rest < restMS || !m.focused:
		c.early = true
		return nil
	}
	m.uncover()
	return c.yes(m)
}

// disturb breaks the rest.
func (c *confirm) disturb(ms int64) { c.since, c.early = ms, false }

// paste breaks the rest.
func (c *confirm) paste(m *Model, _ string) tea.Cmd {
	c.disturb(m.ms())
	return nil
}

func (c *confirm) foot(m *Model, w int) ([]frame.Line, frame.Point) {
	yes, no := m.keys.Shown(keys.Confirm, keys.Yes), m.keys.Shown(keys.Confirm, keys.No)
	last := frame.Line{
		frame.Gap(1), frame.S(themes.Accent, yes), frame.S(themes.Muted, " yes, after a moment of rest  "),
		frame.S(themes.Accent, no), frame.S(themes.Muted, " no"),
	}
	if c.early {
		text := yes + " came without rest, so nothing was done; rest, then " + yes + "."
		if w < narrowW {
			text = "nothing was done; rest, then " + yes + "."
		}
		last = frame.Line{frame.Gap(1), frame.S(themes.Warn, "Too soon: "), frame.S(themes.Text, text)}
	}
	return []frame.Line{{frame.Gap(1), frame.S(themes.Warn, c.head+": "), frame.S(themes.Text, c.text)}, last}, frame.Point{X: 1, Y: 1}
}

// narrowW is the width below which a sentence is said shorter.
const narrowW = 80
