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
	since      int64          // when it opened, or the last key came
}

func (m *Model) confirm(head, text string, yes func(m *Model) tea.Cmd) {
	m.cover(&confirm{head: head, text: text, yes: yes, since: m.ms()})
}

func (c *confirm) place() keys.Place { return keys.Confirm }

func (c *confirm) press(m *Model, k tea.KeyPressMsg, name string, ms int64) tea.Cmd {
	rest := ms - c.since
	c.since = ms
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
	case k.IsRepeat || rest < restMS:
		m.note.warn("Too soon", "y came without rest, so nothing was done; rest, then y.")
		return nil
	}
	m.uncover()
	return c.yes(m)
}

// paste breaks the rest.
func (c *confirm) paste(m *Model, _ string) tea.Cmd {
	c.since = m.ms()
	return nil
}

func (c *confirm) foot(m *Model, _ int) ([]frame.Line, frame.Point) {
	yes, no := "y", "n"
	for _, b := range m.keys.In(keys.Confirm) {
		switch b.Intent {
		case keys.Yes:
			yes = b.Key()
		case keys.No:
			no = b.Key()
		}
	}
	return []frame.Line{
		{frame.Gap(1), frame.S(themes.Warn, c.head+": "), frame.S(themes.Text, c.text)},
		{
			frame.Gap(1), frame.S(themes.Accent, yes), frame.S(themes.Muted, " yes, after a moment of rest  "),
			frame.S(themes.Accent, no), frame.S(themes.Muted, " no"),
		},
	}, frame.Point{X: 1, Y: 1}
}
