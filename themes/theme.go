package themes

// Style is how a role is drawn. The zero Style is the terminal's own text.
type Style struct {
	FG, BG                          Color
	Bold, Underline, Faint, Reverse bool
}

// Plain reports whether s changes nothing.
func (s Style) Plain() bool { return s == Style{} }

// Shape returns s without its colours. What a theme said by a background only
// is said by reversing.
func (s Style) Shape() Style {
	s.Reverse = s.Reverse || !s.BG.Default()
	s.FG, s.BG = Color{}, Color{}
	return s
}

// Theme is a style for every role.
type Theme struct {
	Name string
	// Background is what the theme was made for; the default colour for any.
	Background Color
	styles     [roles]Style
}

// Style returns the style of a role.
func (t *Theme) Style(r Role) Style {
	if r >= roles {
		return Style{}
	}
	return t.styles[r]
}

// NoColor returns the theme for a terminal on which NO_COLOR is set: bold,
// underline and reverse stay, as in the mono theme, and no colour, not even
// the sixteen, is sent (no-color.org, DESIGN §9).
func (t *Theme) NoColor(mono *Theme) *Theme {
	out := &Theme{Name: t.Name}
	for r := range roles {
		s, m := t.styles[r].Shape(), mono.styles[r].Shape()
		s.Bold = s.Bold || m.Bold
		s.Underline = s.Underline || m.Underline
		s.Reverse = s.Reverse || m.Reverse
		s.Faint = false // many terminals draw it as a colour
		out.styles[r] = s
	}
	return out
}
