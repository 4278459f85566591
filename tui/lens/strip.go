package lens

import (
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// Strip is the row that names the lenses of an ask, the current one in
// brackets. escapes is how many escapes and counted runs the card holds. Beside
// the card it is not among the lenses; else it is the first. Names drop from
// the right where there is no room, and what the row says of the card does
// before them.
func Strip(look frame.Look, kinds []Kind, current Kind, escapes, w int) frame.Line {
	all := kinds
	if !look.Split {
		all = append([]Kind{Card}, kinds...)
	}
	right := frame.Line{frame.S(themes.Muted, "only the card is approved")}
	if look.Split {
		right = frame.Line{frame.S(themes.Muted, "only the card, on the right, is approved")}
	}
	var left frame.Line
	for n := len(all); n >= 0; n-- {
		left = names(look, all, n, current, escapes)
		if left.Width()+2+right.Width()+1 <= w {
			return frame.Ends(left, right, w)
		}
		if left.Width() <= w {
			break
		}
	}
	return left.Fit(w)
}

// names writes the first n names and the current one.
func names(look frame.Look, all []Kind, n int, current Kind, escapes int) frame.Line {
	out := frame.Line{frame.Gap(1)}
	hidden := 0
	for i, k := range all {
		if i >= n && k != current {
			hidden++
			continue
		}
		if len(out) > 1 {
			out = append(out, frame.Gap(2))
		}
		word, role := k.String(), themes.Muted
		if k == Escapes {
			word += " " + say.Column(int64(escapes))
		}
		if k == current {
			word, role = "["+word+"]", themes.Accent
		} else if k == Escapes && escapes > 0 {
			role = themes.Warn
		}
		out = append(out, frame.S(role, word))
	}
	if hidden > 0 {
		out = append(out, frame.Gap(2), frame.S(themes.Faint, look.Glyphs.Cut+"+"+say.Number(int64(hidden))))
	}
	return out
}
