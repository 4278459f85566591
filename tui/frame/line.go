// Package frame holds rows of styled text before they become bytes for a
// terminal: what a view gives back.
//
// The rule it keeps: a row is spans of visible.Text with a role, so no bare
// string can reach the screen and no style can be made by what an agent sent;
// and a row is exactly as wide as it is told to be (ansi.StringWidth).
package frame

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"nod/digest/visible"
	"nod/themes"
)

// Span is text with one role.
type Span struct {
	Text  visible.Text
	Role  themes.Role
	Sel   bool // on the selected row
	Under bool // underlined, whatever the role: a changed word
}

// Line is one row of the screen.
type Line []Span

// T makes a span of drawn text.
func T(role themes.Role, t visible.Text) Span { return Span{Text: t, Role: role} }

// S makes a span of our own words, put together by the program. What cannot
// be shown in it is escaped, so a mistake is ugly, never dangerous.
func S(role themes.Role, s string) Span { return Span{Text: visible.Drawn(s), Role: role} }

// Gap makes n spaces.
func Gap(n int) Span { return S(themes.Text, strings.Repeat(" ", max(n, 0))) }

// Width is the number of cells that t takes.
func Width(t visible.Text) int { return width(t.String()) }

func width(s string) int {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return ansi.StringWidth(s)
		}
	}
	return len(s) // drawn text: ASCII is printable
}

// Width is the number of cells that l takes.
func (l Line) Width() int {
	n := 0
	for _, s := range l {
		n += Width(s.Text)
	}
	return n
}

// Cut gives at most w cells of t. What is cut ends in mark and the number of
// cells that it hides, hidden being those that were left out before.
func Cut(t visible.Text, w int, hidden int64, mark string) visible.Text {
	all := Width(t)
	if all <= w && hidden == 0 {
		return t
	}
	for keep := min(all, w); keep >= 0; keep-- {
		tail := mark + "+" + strconv.FormatInt(int64(all-keep)+hidden, 10)
		if keep+width(tail) > w {
			continue
		}
		if h := head(t, keep); Width(h) == keep {
			return visible.Concat(h, visible.Drawn(tail))
		}
	}
	return visible.Drawn(strings.Repeat(".", max(w, 0)))
}

// head gives the first n cells of t or fewer; an escape is not torn.
func head(t visible.Text, n int) visible.Text {
	s := truncate(t.String(), n)
	if i := strings.LastIndex(s, `\u{`); i >= 0 && len(s) < t.Len() && !strings.Contains(s[i:], "}") {
		s = s[:i]
	}
	return t.Slice(0, len(s))
}

// cellBytes is more bytes than a cell of drawn text takes: a character, its
// marks, its escape.
const cellBytes = 64

// truncate looks at no more of a long text than n cells can hold: ansi.Truncate
// goes through all of it.
func truncate(s string, n int) string {
	if most := cellBytes * (n + 2); len(s) > most {
		for !utf8.RuneStart(s[most]) {
			most--
		}
		if cut := ansi.Truncate(s[:most], n, ""); len(cut) < most {
			return cut
		}
	}
	return ansi.Truncate(s, n, "")
}

// Fit makes l exactly w cells wide: its end is cut or spaces are added.
func (l Line) Fit(w int) Line {
	out := make(Line, 0, len(l)+1)
	left, ascii := w, true
	for _, s := range l {
		n := Width(s.Text)
		if n > left {
			s.Text = head(s.Text, left)
			n = Width(s.Text)
			out = append(out, s)
			left -= n
			break
		}
		out = append(out, s)
		left -= n
		ascii = ascii && n == s.Text.Len()
	}
	if !ascii {
		// A character may join the one before it across two spans: together they
		// take fewer cells than apart.
		left = max(left, w-width(out.Plain()))
	}
	if left > 0 {
		pad := Gap(left)
		pad.Sel = len(l) > 0 && l[len(l)-1].Sel
		out = append(out, pad)
	}
	return out
}

// Selected marks the whole row as the selected one.
func (l Line) Selected() Line {
	out := make(Line, len(l))
	for i, s := range l {
		s.Sel = true
		out[i] = s
	}
	return out
}

// Mute gives every span but the ones that Unknown, Danger and Warn colour the
// muted role: for a pane that is not the one in use.
func (l Line) Mute() Line {
	out := make(Line, len(l))
	for i, s := range l {
		if s.Role == themes.Text || s.Role == themes.Accent {
			s.Role = themes.Muted
		}
		out[i] = s
	}
	return out
}

// Ends puts right at the right edge of a row of w cells, one cell of margin
// after it, and as much of left as fits before it.
func Ends(left, right Line, w int) Line {
	r := right.Width()
	room := max(w-r-2, 0)
	out := left.Fit(room)
	out = append(out, Gap(1))
	out = append(out, right...)
	return append(out, Gap(1)).Fit(w)
}

// Plain is the text of the row.
func (l Line) Plain() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text.String())
	}
	return b.String()
}

// Break gives how many bytes of t go on a row of w cells: up to the last space,
// else up to the edge.
func Break(t visible.Text, w int) int {
	whole := head(t, w).Len()
	if whole == t.Len() {
		return whole
	}
	if i := strings.LastIndexByte(t.String()[:whole], ' '); i > 0 {
		return i + 1
	}
	return whole
}
