// Package help is the screen of a place's keys.
//
// The rule it keeps: it is made from the bindings and says nothing of a key
// that they do not say; what cannot be done now is listed with its reason.
package help

import (
	"strconv"

	"nod/themes"
	"nod/tui/frame"
	"nod/tui/keys"
)

// Page is the help for one place.
type Page struct {
	For keys.Place
	top int
}

// New is the help for the place that was left for it.
func New(place keys.Place) Page { return Page{For: place} }

// Scroll moves by n rows of a body of h rows.
func (p *Page) Scroll(m *keys.Map, why func(keys.Binding) string, w, h, n int) {
	p.top = max(min(p.top+n, len(p.lines(m, why, w))-h), 0)
}

// Render gives at most h rows.
func (p *Page) Render(m *keys.Map, why func(keys.Binding) string, w, h int) []frame.Line {
	all := p.lines(m, why, w)
	top := max(min(p.top, len(all)-h), 0)
	return all[top:min(top+h, len(all))]
}

// More says which rows of the help are on the screen; "" when all are.
func (p *Page) More(m *keys.Map, why func(keys.Binding) string, w, h int) string {
	all := len(p.lines(m, why, w))
	if all <= h {
		return ""
	}
	top := max(min(p.top, all-h), 0)
	return "rows " + strconv.Itoa(top+1) + "-" + strconv.Itoa(top+h) + " of " + strconv.Itoa(all)
}

// twoColumns is the width from which groups stand beside each other.
const twoColumns = 110

func (p *Page) lines(m *keys.Map, why func(keys.Binding) string, w int) []frame.Line {
	var left, right []frame.Line
	for _, g := range []keys.Group{keys.Move, keys.Read, keys.Reply, keys.Aside, keys.Always} {
		block := p.group(m, why, g)
		switch {
		case len(block) == 0:
		case w >= twoColumns && (g == keys.Reply || g == keys.Aside || g == keys.Always):
			right = append(right, block...)
		default:
			left = append(left, block...)
		}
	}
	if w < twoColumns {
		return append(append(left, right...), notes()...)
	}
	n := max(len(left), len(right))
	half := (w - 2) / 2
	out := make([]frame.Line, 0, n+8)
	for i := range n {
		var l, r frame.Line
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		out = append(out, append(l.Fit(half), r...))
	}
	return append(out, notes()...)
}

func (p *Page) group(m *keys.Map, why func(keys.Binding) string, g keys.Group) []frame.Line {
	out := []frame.Line{{frame.S(themes.Muted, "   "+string(g))}}
	for _, b := range m.In(p.For) {
		if b.Group != g {
			continue
		}
		line := frame.Line{frame.Gap(3), frame.Col(themes.Accent, b.Shown, 11)}
		if reason := why(b); reason != "" {
			line = append(line, frame.S(themes.Muted, "("+b.Label()+") "+reason))
		} else {
			line = append(line, frame.S(themes.Text, b.Does))
		}
		out = append(out, line)
	}
	if len(out) == 1 {
		return nil
	}
	return append(out, nil)
}

func notes() []frame.Line {
	text := []string{
		"Never decide: Enter, Space, Esc, Tab, arrows, the mouse,",
		"a paste, a held key, a key that came too soon.",
		"",
		"local: this user's store; decisions are not protected",
		"from your agents.",
	}
	var out []frame.Line
	for _, t := range text {
		out = append(out, frame.Line{frame.S(themes.Muted, "   "+t)})
	}
	return out
}
