package tui

import (
	"fmt"
	"slices"

	"nod/themes"
	"nod/themes/paint"
)

// painterOf makes the painter of a theme, without its colours where the
// environment asks for none.
func painterOf(name string, noColour bool) (*paint.Painter, error) {
	t, err := themes.Builtin(name)
	if err != nil {
		return nil, err
	}
	if noColour {
		mono, err := themes.Builtin("mono")
		if err != nil {
			return nil, fmt.Errorf("draw without colours: %w", err)
		}
		t = t.NoColor(mono)
	}
	return paint.New(t), nil
}

// nextTheme goes to the next built-in theme.
func (m *Model) nextTheme() {
	names := themes.Names()
	name := names[(slices.Index(names, m.paint.Theme().Name)+1)%len(names)]
	p, err := painterOf(name, m.opts.noColour)
	if err != nil {
		m.note.fault("No theme", err)
		return
	}
	m.paint = p
	m.note.tell("Theme", name+"; T goes on to the next.")
}
