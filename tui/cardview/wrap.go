package cardview

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// labelIndent is what "↳ " takes from the second row of a label.
const labelIndent = 2

// wrap finds the rows of all lines.
func (l *Layout) wrap() {
	bytes := 0
	for i := range l.card {
		bytes += l.text(i).Len()
	}
	l.lines = make([]line, len(l.card))
	l.rows = make([]uint32, 0, len(l.card)+bytes/l.cells)
	whole := l.width - 2 - l.opts.Indent
	for i := range l.lines {
		ln, from := &l.lines[i], &l.card[i]
		ln.row = uint32(len(l.rows))
		if l.opts.Groups && i > 0 && from.Group != l.card[i-1].Group {
			l.rows = append(l.rows, 0)
			ln.blank = 1
		}
		cells := l.cells
		if from.Value < 0 {
			cells = whole
		} else if label := l.label(i).String(); l.ownRow(label) {
			before := len(l.rows)
			l.wrapPart(label, whole-labelIndent)
			ln.labels = uint32(len(l.rows) - before)
		}
		l.wrapPart(l.text(i).String(), cells)
	}
}

// ownRow reports whether a label is too long for the field, or not plain ASCII.
func (l *Layout) ownRow(label string) bool {
	return len(label) > l.field || !asciiOnly(label)
}

// wrapPart appends the rows of s; nothing still takes one row.
func (l *Layout) wrapPart(s string, cells int) {
	for from := 0; ; {
		l.rows = append(l.rows, uint32(from))
		from += rowLen(s[from:], cells)
		if from >= len(s) {
			return
		}
	}
}

// Break returns how many bytes of drawn text, or of its twin, go on a row of
// that many cells, as the card's own rows are broken: at least one character.
func Break(s string, cells int) int { return rowLen(s, cells) }

// rowLen returns how many bytes of s go on a row of that many cells: up to
// the last space that something stands before, else up to the edge. A space
// may hang in the margin. A character keeps its marks, and an escape or count
// that fits on a row is not torn.
func rowLen(s string, cells int) int {
	if len(s) <= cells && len(s) > 0 {
		// Every character takes at least one byte a cell, so it fits unless
		// a two-byte character is wide; none is.
		return len(s)
	}
	if n := asciiRow(s, cells); n > 0 {
		return n
	}
	used, space, solid := 0, 0, false
	for n := 0; n < len(s); {
		c, size, w := s[n], 1, 1
		if c >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(s[n:])
			w = cellsOf(r)
		}
		if used+w > cells {
			if c == ' ' && solid {
				return n + 1
			}
			if space > 0 {
				return space
			}
			return edge(s, n)
		}
		used += w
		n += size
		if c != ' ' {
			solid = true
		} else if solid {
			space = n
		}
	}
	return len(s)
}

// asciiRow is rowLen for a row of ASCII, which most are; 0 where it is not
// one, or has to be broken at the edge.
func asciiRow(s string, cells int) int {
	row := s[:min(cells, len(s))]
	var all byte
	for i := range len(row) {
		all |= row[i]
	}
	if all >= utf8.RuneSelf || len(s) <= cells {
		return 0
	}
	solid := len(row) - len(strings.TrimLeft(row, " "))
	if solid == len(row) {
		return 0
	}
	if s[cells] == ' ' {
		return cells + 1
	}
	if i := strings.LastIndexByte(row, ' '); i > solid {
		return i + 1
	}
	return 0
}

// tokenReach is how far before an edge the longest unbreakable token begins:
// ⟨16777216×space⟩ in bytes.
const tokenReach = 24

// edge moves a break at s[n:] to the left, out of a character with its marks
// or a token that it would tear; where that leaves nothing it stays.
func edge(s string, n int) int {
	from := max(0, n-tokenReach)
	for from > 0 && from < n && !utf8.RuneStart(s[from]) {
		from++
	}
	for from > 0 && s[from-1] == '\\' {
		from--
	}
	for at := from; at < n; {
		end := tokenEnd(s, at)
		if end > n {
			if at > 0 {
				return at
			}
			break
		}
		at = end
	}
	if n > 0 {
		return n
	}
	_, size := utf8.DecodeRuneInString(s)
	return max(size, 1)
}

// tokenEnd returns the end of the token at s[at:]: a pair of backslashes, an
// escape, a count in brackets, or a character with its marks.
func tokenEnd(s string, at int) int {
	if s[at] == '\\' {
		if at+1 < len(s) && s[at+1] == '\\' {
			return at + 2
		}
		return at + 1 + escapeLen(s[at+1:])
	}
	r, size := utf8.DecodeRuneInString(s[at:])
	end := at + size
	if r == '⟨' {
		for i := end; i < len(s) && i < end+tokenReach; i++ {
			if strings.HasPrefix(s[i:], "⟩") {
				return i + len("⟩")
			}
		}
		return end
	}
	for end < len(s) && s[end] >= utf8.RuneSelf {
		m, n := utf8.DecodeRuneInString(s[end:])
		if !unicode.Is(unicode.M, m) {
			break
		}
		end += n
	}
	return end
}

// escapeLen returns the length of what follows an escaping backslash: u{H},
// or in the ASCII twin n, t, r or <…>; 0 for nothing of that.
func escapeLen(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case 'n', 't', 'r':
		return 1
	case '<':
		if n := strings.IndexByte(s[:min(len(s), tokenReach)], '>'); n > 1 {
			return n + 1
		}
	case 'u':
		if len(s) < 4 || s[1] != '{' {
			return 0
		}
		i := 2
		for i < len(s) && i < 8 && (s[i] >= '0' && s[i] <= '9' || s[i] >= 'A' && s[i] <= 'F') {
			i++
		}
		if i > 2 && i < len(s) && s[i] == '}' {
			return i + 1
		}
	}
	return 0
}

// cellsOf returns the most cells that a terminal gives r on its own. Terminals
// disagree on marks, flags and joined emoji; the sum over a text's characters
// is never less than what any of them takes for the whole.
func cellsOf(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		return 1
	case r < 0x300:
		return 1
	case 0x4E00 <= r && r < 0xA000, 0xAC00 <= r && r < 0xD7A4: // ideographs, Hangul
		return 2
	case strings.ContainsRune("⏎⇥·⟨⟩␍×", r):
		return 1
	}
	return max(displaywidth.Rune(r), 1)
}
