package themes

// LeastContrast is what text needs to be read (WCAG 2.2, 1.4.3).
const LeastContrast = 4.5

// Ratio is the contrast of one role. A ratio is 0 where one of the two colours
// is the terminal's, which nobody here knows.
type Ratio struct {
	Role         Role
	OnBackground float64
	OnSelection  float64
}

// Weak reports whether a ratio that is known is too low to be read.
func (r Ratio) Weak() bool {
	low := func(v float64) bool { return v > 0 && v < LeastContrast }
	return low(r.OnBackground) || low(r.OnSelection)
}

// Known reports whether the theme fixes both colours somewhere.
func (r Ratio) Known() bool { return r.OnBackground > 0 || r.OnSelection > 0 }

// Ratios returns the contrast of every role but the selection, which is a
// background: on the background that the theme was made for, and on the
// selected row.
func (t *Theme) Ratios() []Ratio {
	sel := t.Style(Selection)
	var out []Ratio
	for _, r := range Roles() {
		if r == Selection {
			continue
		}
		s := t.Style(r)
		on := func(fg, bg Color) float64 {
			c, _ := Contrast(fg, bg) // 0 where it is not known
			return c
		}
		back := t.Background
		if !s.BG.Default() {
			back = s.BG
		}
		fg, selected := s.FG, sel.BG
		if fg.Default() {
			fg = sel.FG
		}
		if selected.Default() {
			selected = back // a selection that only reverses changes no ratio
		}
		out = append(out, Ratio{Role: r, OnBackground: on(s.FG, back), OnSelection: on(fg, selected)})
	}
	return out
}
