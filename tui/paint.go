package tui

import (
	"fmt"
	"slices"

	"nod/themes"
	"nod/themes/paint"
)

// painterOf makes the painter of a theme, without its colours where the
// environment asks for none.
func painterOf(t *themes.Theme, noColour bool) (*paint.Painter, error) {
	if noColour {
		mono, err := themes.Builtin("mono")
		if err != nil {
			return nil, fmt.Errorf("draw without colours: %w", err)
		}
		t = t.NoColor(mono)
	}
	return paint.New(t), nil
}

// onBackground takes the terminal's answer to what its background is.
func (m *Model) onBackground(dark bool) {
	if !m.themes.Asks() || m.paint.Theme().Name != m.themes.Start().Name {
		return // nobody asked, or T went on since
	}
	if p, err := painterOf(m.themes.Answer(dark, m.ms()), m.opts.noColour); err == nil {
		m.paint = p
	}
}

// nextTheme goes to the next theme.
func (m *Model) nextTheme() {
	names := m.opts.Themes.Names()
	name := names[(slices.Index(names, m.paint.Theme().Name)+1)%len(names)]
	t, err := m.opts.Themes.Theme(name)
	var p *paint.Painter
	if err == nil {
		p, err = painterOf(t, m.opts.noColour)
	}
	if err != nil {
		m.note.fault("No theme", err)
		return
	}
	m.paint = p
	m.note.tell("Theme", name+"; T goes on to the next.")
}
