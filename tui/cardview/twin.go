package cardview

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"nod/digest/card"
	"nod/digest/visible"
)

// The ASCII twin of a drawing: ⏎ ⇥ ␍ are \n \t \r, the brackets of a count or
// code point \<…> with x for ×, every other character beyond ASCII \u{H}. A
// run of backslashes that stands before one of these, or before text that
// would read as one, is doubled; so the twin says exactly what the card says.

// twin is a line as the ASCII screen draws it.
type twin struct{ label, text visible.Text }

// Twins gives labels and texts of lines as an ASCII screen draws them, for a
// console that lays nothing out.
func Twins(lines []card.Line) (labels, texts []visible.Text) {
	labels, texts = make([]visible.Text, len(lines)), make([]visible.Text, len(lines))
	for i, t := range twinsOf(lines) {
		labels[i], texts[i] = t.label, t.text
	}
	return labels, texts
}

func twinsOf(lines []card.Line) []twin {
	out := make([]twin, len(lines))
	var buf []byte
	for i := range lines {
		ln := &lines[i]
		out[i] = twin{label: ln.Label, text: ln.Text}
		if s := ln.Label.String(); !plainASCII(s) {
			buf = appendTwin(buf[:0], s)
			out[i].label = visible.Drawn(string(buf))
		}
		text := ln.Text.String()
		buf = buf[:0]
		if own, ok := strings.CutPrefix(text, "·"); ok && ln.Form == card.FormOwn {
			buf, text = append(buf, '.'), own
		}
		if len(buf) > 0 || !plainASCII(text) {
			buf = appendTwin(buf, text)
			out[i].text = visible.Drawn(string(buf))
		}
	}
	return out
}

// ASCII returns the ASCII twin of a drawing.
func ASCII(t visible.Text) visible.Text {
	s := t.String()
	if plainASCII(s) {
		return t
	}
	return visible.Drawn(string(appendTwin(nil, s)))
}

// plainASCII reports whether s is its own twin.
func plainASCII(s string) bool { return asciiOnly(s) && strings.IndexByte(s, '\\') < 0 }

func asciiOnly(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// appendTwin appends the twin of a drawing.
func appendTwin(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		plain := i
		for i < len(s) && s[i] < utf8.RuneSelf && s[i] != '\\' {
			i++
		}
		dst = append(dst, s[plain:i]...)
		run := i
		for i < len(s) && s[i] == '\\' {
			i++
		}
		slashes := s[run:i]
		dst = append(dst, slashes...)
		switch {
		case i == len(s):
			return dst
		case s[i] >= utf8.RuneSelf:
			dst = append(dst, slashes...)
			dst, i = appendTwinOf(dst, s, i)
		case len(slashes) > 0 && s[i] != 'u' && escapeLen(s[i:]) > 0:
			// Text that would read as a mark of the twin. What reads as an
			// escape the card has doubled already.
			dst = append(dst, slashes...)
		}
	}
	return dst
}

// appendTwinOf appends the twin of what stands at s[i:] beyond ASCII and
// returns the index after it.
func appendTwinOf(dst []byte, s string, i int) ([]byte, int) {
	r, size := utf8.DecodeRuneInString(s[i:])
	switch r {
	case '⏎':
		return append(dst, `\n`...), i + size
	case '␍':
		return append(dst, `\r`...), i + size
	case '⇥':
		return append(dst, `\t`...), i + size
	case '⟨':
		near := s[i:min(i+tokenReach+len("⟩"), len(s))]
		if n := strings.Index(near, "⟩"); n >= 0 {
			inner := strings.ReplaceAll(strings.ReplaceAll(near[size:n], "×", "x"), "⏎", `\n`)
			if asciiOnly(inner) { // as it always is on a card
				return append(append(append(dst, `\<`...), inner...), '>'), i + n + len("⟩")
			}
		}
	}
	dst = append(dst, `\u{`...)
	start := len(dst)
	dst = strconv.AppendUint(dst, uint64(r), 16)
	for j := start; j < len(dst); j++ {
		if dst[j] >= 'a' {
			dst[j] -= 'a' - 'A'
		}
	}
	return append(dst, '}'), i + size
}

// twinSpans splits a twin as visible.Spans splits a drawing.
func twinSpans(s string) []visible.Span {
	var out []visible.Span
	text := 0
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			i++
			continue
		}
		if i+1 < len(s) && s[i+1] == '\\' {
			i += 2
			continue
		}
		n := escapeLen(s[i+1:])
		if n == 0 {
			i++
			continue
		}
		if text < i {
			out = append(out, visible.Span{Start: text, End: i, Kind: visible.KindText})
		}
		end := i + 1 + n
		out = append(out, visible.Span{Start: i, End: end, Kind: twinKind(s[i+1 : end])})
		i, text = end, end
	}
	if text < len(s) {
		out = append(out, visible.Span{Start: text, End: len(s), Kind: visible.KindText})
	}
	return out
}

func twinKind(s string) visible.Kind {
	switch {
	case strings.HasPrefix(s, "<U+"):
		return visible.KindPoint
	case s[0] == '<':
		return visible.KindCount
	case s[0] == 'u':
		return visible.KindEscape
	default:
		return visible.KindMark
	}
}
