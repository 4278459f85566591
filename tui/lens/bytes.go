package lens

import (
	"strings"
	"unicode/utf8"
)

func utf8Both(a, b string) bool { return utf8.ValidString(a) && utf8.ValidString(b) }

// escapeBytes draws bytes that are no text: printable ASCII and line feeds
// stand, a backslash is doubled, every other byte is \xHH. No two strings have
// one drawing.
func escapeBytes(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			b.WriteString(`\\`)
		case c == '\n' || c >= ' ' && c <= '~':
			b.WriteByte(c)
		default:
			b.WriteString(`\x`)
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}
