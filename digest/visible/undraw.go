package visible

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// MaxText is the longest text, in bytes, that Undraw gives back: a drawing
// counts long runs, so a short forged one could otherwise ask for any length.
const MaxText = 16 << 20

// ErrNotDrawn is returned for text that Draw does not make.
var ErrNotDrawn = errors.New("text is not a drawing")

// Undraw returns the string whose drawing in mode is drawn. It draws the result
// again and refuses, with ErrNotDrawn, whatever is not the drawing byte for
// byte.
func Undraw(mode Mode, drawn string) (string, error) {
	if plain(drawn, 0, mode) == len(drawn) {
		return drawn, nil
	}
	out := make([]byte, 0, len(drawn))
	for i := 0; i < len(drawn); {
		j := literalEnd(drawn, i)
		out = append(out, drawn[i:j]...)
		if j == len(drawn) {
			break
		}
		var ok bool
		if out, i, ok = undrawOne(out, mode, drawn, j); !ok || len(out) > MaxText {
			return "", ErrNotDrawn
		}
	}
	s := string(out)
	if len(s) > MaxText || !utf8.ValidString(s) || Draw(mode, s) != drawn {
		return "", ErrNotDrawn
	}
	return s, nil
}

// literalEnd returns the end of the ASCII text at d[i:] that stands for itself.
func literalEnd(d string, i int) int {
	for i < len(d) && d[i] < utf8.RuneSelf && d[i] != '\\' && d[i] != '\n' {
		i++
	}
	return i
}

// undrawOne undraws the character, escape or count at d[i:]. What is out of
// place but harmless passes here and is found by drawing again.
func undrawOne(out []byte, mode Mode, d string, i int) ([]byte, int, bool) {
	rest := d[i:]
	switch {
	case rest[0] == '\\':
		j := runEnd(d, i, '\\')
		k := j - i
		r, n := readsAsEscape(d[j:])
		switch {
		case n == 0:
			return append(out, d[i:j]...), j, true
		case k%2 == 0:
			return append(out, d[i:i+k/2]...), j, true
		case !utf8.ValidRune(r):
			return out, i, false
		}
		return utf8.AppendRune(append(out, d[i:i+k/2]...), r), j + n, true
	case strings.HasPrefix(rest, markFeed+"\n"):
		return append(out, '\n'), i + len(markFeed) + 1, true
	case strings.HasPrefix(rest, tabDrawing):
		return append(out, '\t'), i + len(tabDrawing), true
	case strings.HasPrefix(rest, markReturn):
		return append(out, '\r'), i + len(markReturn), true
	case strings.HasPrefix(rest, markOpen):
		return undrawCount(out, d, i)
	}
	r, n := decode(d, i)
	if r < utf8.RuneSelf || r == utf8.RuneError && n < 2 {
		return out, i, false // a bare line feed, or bad UTF-8
	}
	out = append(out, d[i:i+n]...)
	i += n
	if mode == Name {
		tag := appendPoint([]byte(markOpen+"U+"), r)
		tag = append(tag, markClose...)
		if !strings.HasPrefix(d[i:], string(tag)) {
			return out, i, false
		}
		i += len(tag)
	}
	return out, i, true
}

// undrawCount undraws a counted run.
func undrawCount(out []byte, d string, i int) ([]byte, int, bool) {
	i += len(markOpen)
	n := 0
	for ; i < len(d) && d[i] >= '0' && d[i] <= '9'; i++ {
		if n = n*10 + int(d[i]-'0'); n > MaxText-len(out) {
			return out, i, false
		}
	}
	c := byte(' ')
	switch rest := d[i:]; {
	case strings.HasPrefix(rest, spaceCount):
		i += len(spaceCount)
	case strings.HasPrefix(rest, feedCount+"\n"):
		c = '\n'
		i += len(feedCount) + 1
	default:
		return out, i, false
	}
	for range n {
		out = append(out, c)
	}
	return out, i, true
}

// readsAsEscape says whether s begins with what reads as an escape after a
// backslash, u\{[0-9A-F]{1,6}\}: its number and length, or length zero.
func readsAsEscape(s string) (rune, int) {
	if len(s) < 4 || s[0] != 'u' || s[1] != '{' {
		return 0, 0
	}
	var r rune
	for i := 2; i < len(s) && i < 9; i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		case c == '}' && i > 2:
			return r, i + 1
		default:
			return 0, 0
		}
	}
	return 0, 0
}
