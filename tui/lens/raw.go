package lens

import (
	"bytes"
	"strconv"
	"strings"

	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// rawSheet shows bytes: offset, hex, and what is printable ASCII of them.
type rawSheet struct{ b []byte }

func newRaw(in In) sheet { return &rawSheet{b: in.Raw} }

func (s *rawSheet) heads(p pen, _ frame.Look) []frame.Line {
	return []frame.Line{p.head("raw", say.Count(int64(len(s.b)), "byte of the ask", "bytes of the ask"))}
}

func (s *rawSheet) foot(p pen) frame.Line {
	if len(s.b) == 0 {
		return frame.Line{frame.S(themes.Warn, "The ask's bytes were not read.")}
	}
	return frame.Line{frame.S(themes.Muted, p.dots("RFC 8785 form", "a dot is a byte beyond printable ASCII"))}
}

// rawHead is margin, six digits of an offset, two blanks: an ask is smaller
// than 16 MiB.
const rawHead = 9

// perRow is how many bytes stand on a row: the largest power of two that fits,
// a byte taking two digits, a blank, and its character.
func perRow(w int) int {
	n := 16
	for n > 2 && rawHead+4*n+2 > w {
		n /= 2
	}
	return n
}

func (s *rawSheet) rows(w int) int {
	n := perRow(w)
	return (len(s.b) + n - 1) / n
}

func (s *rawSheet) part(i, w int) (from int, row []byte) {
	n := perRow(w)
	return i * n, s.b[i*n : min((i+1)*n, len(s.b))]
}

func (s *rawSheet) text(i int, _ pen, w int) (visible.Text, int) {
	const hex = "0123456789abcdef"
	_, row := s.part(i, w)
	n := perRow(w)
	out := bytes.Repeat([]byte{' '}, 3*n+1)
	for j, c := range row {
		out[3*j], out[3*j+1] = hex[c>>4], hex[c&15]
		if c < ' ' || c > '~' {
			c = '.'
		}
		out = append(out, c)
	}
	return visible.Drawn(string(out)), rawHead
}

func (s *rawSheet) dress(i int, _ pen, w int, _ visible.Text) dressed {
	from, _ := s.part(i, w)
	digits := strconv.FormatInt(int64(from), 16)
	pad := max(6-len(digits), 0)
	return dressed{head: frame.Line{frame.Gap(1), frame.S(themes.Faint, strings.Repeat("0", pad)+digits), frame.Gap(2)}}
}
