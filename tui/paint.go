package tui

import "nod/themes"

// painter draws roles in the theme in use.
type painter struct{ name string }

func newPainter(o Options) (painter, error) { return painter{o.Theme}, nil }

// Paint implements frame.Painter.
func (p painter) Paint(role themes.Role, selected bool, text string) string {
	on := ""
	switch role {
	case themes.Faint:
		on = "2"
	case themes.Accent:
		on = "36"
	case themes.OK:
		on = "32"
	case themes.Warn:
		on = "33"
	case themes.Danger:
		on = "31"
	case themes.Unknown:
		on = "35"
	}
	if selected {
		on = "7;" + on
	}
	if on == "" {
		return text
	}
	return "\x1b[" + on + "m" + text + "\x1b[m"
}

func (m *Model) nextTheme() { m.note.tell("Theme", m.paint.name) }
