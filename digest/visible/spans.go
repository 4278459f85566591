package visible

import (
	"strings"
	"unicode/utf8"
)

// Kind says what a span of a drawing is.
type Kind uint8

// Kinds of spans.
const (
	KindText   Kind = iota // characters of the string itself
	KindMark               // ⏎ and its line break, ⇥ and its three spaces, ␍
	KindEscape             // \u{H}
	KindCount              // ⟨n×space⟩, ⟨n×⏎⟩ and its line break
	KindPoint              // ⟨U+XXXX⟩ after a character of a name
)

// Span is the bytes from Start up to End of a drawing.
type Span struct {
	Start, End int
	Kind       Kind
}

// Spans splits a drawing, or one line of it, into spans in order, without gaps.
func Spans(drawn string) []Span { return AppendSpans(nil, drawn) }

// AppendSpans appends the spans of a drawing to dst.
func AppendSpans(dst []Span, drawn string) []Span {
	text := 0 // where the text began that has no span yet
	for i := 0; i < len(drawn); {
		start, end, kind := nextMark(drawn, i)
		if kind != KindText {
			if text < start {
				dst = append(dst, Span{text, start, KindText})
			}
			dst = append(dst, Span{start, end, kind})
			text = end
		}
		i = end
	}
	if text < len(drawn) {
		dst = append(dst, Span{text, len(drawn), KindText})
	}
	return dst
}

// Escapes returns how many escapes and counts a drawing holds: places where
// what stands there is not what the string holds.
func Escapes(drawn string) int {
	n := 0
	for i := 0; i < len(drawn); {
		_, end, kind := nextMark(drawn, i)
		if kind == KindEscape || kind == KindCount {
			n++
		}
		i = end
	}
	return n
}

// nextMark returns the next mark, escape or count at or after d[i:], or a
// stretch of text that ends at end.
func nextMark(d string, i int) (start, end int, kind Kind) {
	for i < len(d) && d[i] != '\\' && d[i] < utf8.RuneSelf {
		i++
	}
	if i == len(d) {
		return i, i, KindText
	}
	if d[i] == '\\' {
		j := runEnd(d, i, '\\')
		if _, n := readsAsEscape(d[j:]); n > 0 && (j-i)%2 == 1 {
			return j - 1, j + n, KindEscape
		}
		return i, j, KindText
	}
	rest := d[i:]
	for _, m := range []string{markFeed, markReturn, tabDrawing} {
		if strings.HasPrefix(rest, m) {
			end = i + len(m)
			if m == markFeed && strings.HasPrefix(d[end:], "\n") {
				end++
			}
			return i, end, KindMark
		}
	}
	if strings.HasPrefix(rest, markOpen) {
		if n := strings.Index(rest, markClose); n > 0 {
			end = i + n + len(markClose)
			if strings.HasPrefix(rest[len(markOpen):], "U+") {
				return i, end, KindPoint
			}
			if strings.HasPrefix(d[end:], "\n") {
				end++
			}
			return i, end, KindCount
		}
	}
	_, n := decode(d, i)
	return i, i + n, KindText
}
