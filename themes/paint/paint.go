// Package paint turns a theme into Lip Gloss styles.
//
// The rule it keeps: it is the one place where a role becomes an escape
// sequence, and it adds nothing to a theme: same role, same style, everywhere.
package paint

import (
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"nod/themes"
)

// Painter draws text in the roles of one theme. It is immutable.
type Painter struct {
	theme    *themes.Theme
	styles   [2][]lipgloss.Style // off and on the selected row
	prefixes [2][]string
	under    [2][]string // the same, underlined
}

// New prepares the styles of a theme.
func New(t *themes.Theme) *Painter {
	p := &Painter{theme: t}
	sel := t.Style(themes.Selection)
	for _, r := range themes.Roles() {
		s := t.Style(r)
		on := s
		if r != themes.Selection {
			on = over(s, sel)
		}
		for i, s := range []themes.Style{s, on} {
			p.styles[i] = append(p.styles[i], Style(s))
			p.prefixes[i] = append(p.prefixes[i], prefix(s))
			s.Underline = true
			p.under[i] = append(p.under[i], prefix(s))
		}
	}
	return p
}

// over draws s on the selected row: the selection gives the background, and
// its reverse or colour where the role has none of its own.
func over(s, sel themes.Style) themes.Style {
	if !sel.BG.Default() {
		s.BG = sel.BG
	}
	if s.FG.Default() {
		s.FG = sel.FG
	}
	s.Reverse = s.Reverse != sel.Reverse
	s.Bold = s.Bold || sel.Bold
	s.Underline = s.Underline || sel.Underline
	if sel.Reverse {
		s.Faint = false // faint reversed is a grey bar that hides the word
	}
	return s
}

// Theme returns the theme that p draws.
func (p *Painter) Theme() *themes.Theme { return p.theme }

// Style returns the style of a role, on the selected row or off it.
func (p *Painter) Style(r themes.Role, selected bool) lipgloss.Style {
	if int(r) >= len(p.styles[0]) {
		return lipgloss.NewStyle()
	}
	return p.styles[row(selected)][r]
}

// Paint draws a piece of one row. It only sets a sequence before the text and
// the reset after it, which Lip Gloss does not: it draws underlined text rune
// by rune.
func (p *Painter) Paint(r themes.Role, selected bool, text string) string {
	return around(p.prefixes[row(selected)], r, text)
}

// Underlined is Paint with an underline, whatever the role says.
func (p *Painter) Underlined(r themes.Role, selected bool, text string) string {
	return around(p.under[row(selected)], r, text)
}

func around(prefixes []string, r themes.Role, text string) string {
	if text == "" || int(r) >= len(prefixes) {
		return text
	}
	before := prefixes[r]
	if before == "" {
		return text
	}
	return before + text + ansi.ResetStyle
}

func row(selected bool) int {
	if selected {
		return 1
	}
	return 0
}

// prefix returns the sequence that begins a style, "" for none.
func prefix(s themes.Style) string {
	if s.Plain() {
		return ""
	}
	var out ansi.Style
	if s.Bold {
		out = out.Bold()
	}
	if s.Faint {
		out = out.Faint()
	}
	if s.Underline {
		out = out.Underline(true)
	}
	if s.Reverse {
		out = out.Reverse(true)
	}
	if !s.FG.Default() {
		out = out.ForegroundColor(lipgloss.Color(s.FG.String()))
	}
	if !s.BG.Default() {
		out = out.BackgroundColor(lipgloss.Color(s.BG.String()))
	}
	return out.String()
}

// Style is the Lip Gloss form of a theme's style.
func Style(s themes.Style) lipgloss.Style {
	out := lipgloss.NewStyle().TabWidth(lipgloss.NoTabConversion)
	if !s.FG.Default() {
		out = out.Foreground(lipgloss.Color(s.FG.String()))
	}
	if !s.BG.Default() {
		out = out.Background(lipgloss.Color(s.BG.String()))
	}
	if s.Bold {
		out = out.Bold(true)
	}
	if s.Underline {
		out = out.Underline(true)
	}
	if s.Faint {
		out = out.Faint(true)
	}
	if s.Reverse {
		out = out.Reverse(true)
	}
	return out
}
