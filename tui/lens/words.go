package lens

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"znkr.io/diff"

	"nod/digest/visible"
)

// maxWordLine is the longest line, in bytes, whose words are compared; a longer
// one is marked as a whole.
const maxWordLine = 8 << 10

// words parts a line where its drawing can be parted too: the drawing of a line
// is that of its words, one after another. So a run of spaces is one word, a
// character keeps its marks, and backslashes keep what they may double for.
func words(s string) []string {
	var out []string
	for s != "" {
		n := wordLen(s)
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

func wordLen(s string) int {
	switch c := s[0]; {
	case c == ' ':
		return len(s) - len(strings.TrimLeft(s, " "))
	case c == '\\':
		return slashLen(s)
	case c == '\r' && len(s) > 1 && s[1] == '\n':
		return 2
	}
	r, n := utf8.DecodeRuneInString(s)
	if !inWord(r) {
		return n + marksLen(s[n:])
	}
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !inWord(r) && !unicode.Is(unicode.M, r) {
			break
		}
		n += size
	}
	return n
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func marksLen(s string) int {
	n := 0
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !unicode.Is(unicode.M, r) {
			break
		}
		n += size
	}
	return n
}

// escapeReach is the length of the longest escape without its backslash.
const escapeReach = len("u{10FFFF}")

// countedSpaces is the longest run of spaces that visible draws as such.
const countedSpaces = 32

// slashLen is the length of a run of backslashes and of what it may have to be
// drawn with: the character after it, or what reads as an escape.
func slashLen(s string) int {
	n := len(s) - len(strings.TrimLeft(s, `\`))
	if n == len(s) {
		return n
	}
	if spaces := len(s) - n - len(strings.TrimLeft(s[n:], " ")); spaces > 0 {
		if spaces > countedSpaces {
			return n + spaces
		}
		return n
	}
	i := -1
	switch s[n] {
	case 'u':
		i = strings.IndexByte(s[n:min(n+escapeReach, len(s))], '}')
	case '<': // a count of the ASCII twin; how far it reaches, its drawing says
		i = strings.IndexByte(s[n:], '>')
	}
	if i >= 0 {
		return n + i + 1
	}
	_, size := utf8.DecodeRuneInString(s[n:])
	return n + size + marksLen(s[n+size:])
}

// span is a stretch of the words of a line.
type span struct{ from, to int }

// compareWords gives which words of two lines the other does not have, as
// stretches of their words.
func compareWords(a, b []string) (gone, come []span) {
	add := func(list []span, at int) []span {
		if n := len(list); n > 0 && list[n-1].to == at {
			list[n-1].to++
			return list
		}
		return append(list, span{at, at + 1})
	}
	for _, e := range diff.Edits(a, b) {
		switch e.Op {
		case diff.Delete:
			gone = add(gone, e.PosX)
		case diff.Insert:
			come = add(come, e.PosY)
		case diff.Match:
		}
	}
	return gone, come
}

// placed gives the bytes of t, the drawing of a line by p, that stretches of
// its words take. ok is false when the drawing is not that of its words.
func placed(t visible.Text, words []string, stretches []span, p pen) (out []span, ok bool) {
	at, k := 0, 0
	all := t.String()
	for i, w := range words {
		drawn := p.line(w, "").String()
		if !strings.HasPrefix(all[at:], drawn) {
			return nil, false
		}
		if k < len(stretches) && i == stretches[k].from {
			out = append(out, span{at, 0})
		}
		at += len(drawn)
		if k < len(stretches) && i+1 == stretches[k].to {
			out[len(out)-1].to = at
			k++
		}
	}
	return out, true
}
