package visible

import (
	"strings"
	"unicode/utf8"
)

// Clip ends a text before most bytes (at least 4), at a whole character, and says
// so with an ellipsis. The result is valid UTF-8, and as untrusted as s. It is for
// what is kept in a line of evidence, never for what a person approves.
func Clip(s string, most int) string {
	const end = "…"
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= most {
		return s
	}
	cut := most - len(end)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + end
}
