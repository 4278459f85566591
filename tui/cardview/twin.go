package cardview

import (
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
		if ln.Form == card.FormOwn {
			out[i].text = visible.Drawn(strings.ReplaceAll(ln.Text.String(), "·", "."))
		} else if s := ln.Text.String(); !plainASCII(s) {
			buf = appendTwin(buf[:0], s)
			out[i].text = visible.Drawn(string(buf))
		}
	}
	return out
}

// plainASCII reports whether s is its own twin.
func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] == '\\' {
			return false
		}
	}
	return true
}

// appendTwin appends the twin of a drawing.
func appendTwin(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		run := i
		for run < len(s) && s[run] == '\\' {
			run++
		}
		slashes := s[i:run]
		i = run
		if i == len(s) {
			return append(dst, slashes...)
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		drawn, used := twinOf(s[i:], r, size)
		switch {
		case drawn == "" && !readsAsTwin(s[i:]):
			dst = append(dst, slashes...)
		case drawn == "" && len(slashes) > 0 && s[i] == 'u':
			// An escape of the card, or text that the card has doubled
			// already: both read alike here.
			dst = append(dst, slashes...)
		default:
			dst = append(append(dst, slashes...), slashes...)
		}
		if drawn == "" {
			drawn, used = s[i:i+1], 1
		}
		dst = append(dst, drawn...)
		i += used
	}
	return dst
}

// twinOf returns how the character at the start of s is drawn, and how many
// bytes of s that covers; "" when it is ASCII and stays.
func twinOf(s string, r rune, size int) (string, int) {
	switch r {
	case '⏎':
		return `\n`, size
	case '␍':
		return `\r`, size
	case '⇥':
		return `\t`, size
	case '⟨':
		if n := strings.Index(s, "⟩"); n >= 0 {
			inner := strings.NewReplacer("×", "x", "⏎", `\n`).Replace(s[size:n])
			return `\<` + inner + `>`, n + len("⟩")
		}
	}
	if r < utf8.RuneSelf {
		return "", size
	}
	return visible.ASCII(string(r)), size
}

// readsAsTwin reports whether s after a backslash would read as part of a twin.
func readsAsTwin(s string) bool { return escapeLen(s) > 0 }

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
