package frame

import (
	"strings"

	"nod/digest/visible"
	"nod/themes"
)

// Col is our own word in a column of w cells, at its left end.
func Col(role themes.Role, s string, w int) Span {
	sp := S(role, s)
	if n := w - Width(sp.Text); n > 0 {
		sp.Text = visible.Concat(sp.Text, visible.Drawn(strings.Repeat(" ", n)))
	}
	return sp
}

// Right is our own word at the right end of a column of w cells.
func Right(role themes.Role, s string, w int) Span {
	sp := S(role, s)
	if n := w - Width(sp.Text); n > 0 {
		sp.Text = visible.Concat(visible.Drawn(strings.Repeat(" ", n)), sp.Text)
	}
	return sp
}
