// Package visible draws untrusted strings so that a person sees every
// character of them, and undraws the drawing to the same string.
//
// The rule it keeps: Undraw(m, Draw(m, s)) == s for every valid string in
// every mode, no two strings have one drawing, and a drawing holds no control,
// format, bidirectional or invisible character but the line breaks that Value
// mode makes itself. Nothing is ever stripped. The characters drawn as
// themselves are a checked-in table of Unicode 15.0 and do not change with the
// toolchain. The grammar is docs/spec/card.md.
package visible

import (
	"strconv"
	"unicode/utf8"
)

// Mode says what kind of text is drawn.
type Mode uint8

// The modes of docs/spec/card.md.
const (
	// Value is free text: line feeds break the line, tabs and combining
	// characters are drawn, long runs of spaces and line feeds are counted.
	Value Mode = iota
	// Label is a part of a label: it holds no space and no combining character.
	Label
	// Name is an identity: each non-ASCII character is followed by its code
	// point.
	Name
	// Strict is text left of a divider on the screen: every character outside
	// printable ASCII is escaped, so that its width is beyond dispute.
	Strict
)

// Limits of the grammar.
const (
	maxSpaces = 32 // a longer run of spaces is counted
	maxFeeds  = 8  // a longer run of line feeds is counted
	maxMarks  = 4  // combining characters drawn after one base
)

// Marks that a drawing makes itself; in the input they are escaped.
const (
	markFeed   = "⏎"
	markTab    = "⇥"
	markReturn = "␍"
	markOpen   = "⟨"
	markClose  = "⟩"
	tabDrawing = markTab + "   "
	spaceCount = "×space" + markClose
	feedCount  = "×" + markFeed + markClose
)

// Draw returns the drawing of s. s is valid UTF-8; a byte that is not is drawn
// like U+FFFD, so the drawing is safe to show but does not undraw to s.
func Draw(mode Mode, s string) string {
	if plain(s, 0, mode) == len(s) {
		return s
	}
	return string(AppendDraw(make([]byte, 0, len(s)+len(s)/8+16), mode, s))
}

// ASCII returns the drawing of s in Strict mode: printable ASCII only.
func ASCII(s string) string { return Draw(Strict, s) }

// AppendDraw appends the drawing of s to dst.
func AppendDraw(dst []byte, mode Mode, s string) []byte {
	for i := 0; i < len(s); {
		j := plain(s, i, mode)
		dst = append(dst, s[i:j]...)
		if j == len(s) {
			break
		}
		dst, i = drawOne(dst, mode, s, j)
	}
	return dst
}

// drawOne draws the character or run at s[i:] and returns the index after it.
func drawOne(dst []byte, mode Mode, s string, i int) ([]byte, int) {
	switch c := s[i]; {
	case c == '\\':
		j := runEnd(s, i, '\\')
		dst = append(dst, s[i:j]...)
		if doubles(s, j, mode) {
			dst = append(dst, s[i:j]...)
		}
		return dst, j
	case c == ' ' && mode != Label:
		j := runEnd(s, i, ' ')
		if j-i > maxSpaces && mode != Strict {
			return appendCount(dst, j-i, spaceCount), j
		}
		return append(dst, s[i:j]...), j
	case mode != Value:
	case c == '\n':
		j := runEnd(s, i, '\n')
		if j-i > maxFeeds {
			return append(appendCount(dst, j-i, feedCount), '\n'), j
		}
		for range j - i {
			dst = append(dst, markFeed+"\n"...)
		}
		return dst, j
	case c == '\t':
		return append(dst, tabDrawing...), i + 1
	case c == '\r' && i+1 < len(s) && s[i+1] == '\n':
		return append(dst, markReturn...), i + 1
	}
	r, n := decode(s, i)
	if escaped(s, i, r, mode) {
		return appendEscape(dst, r), i + n
	}
	dst = utf8.AppendRune(dst, r)
	if mode == Name && r >= utf8.RuneSelf {
		dst = append(dst, markOpen+"U+"...)
		dst = appendPoint(dst, r)
		dst = append(dst, markClose...)
	}
	return dst, i + n
}

// plain returns the end of the longest stretch from s[i:] that is drawn as it
// stands and that needs no look at its neighbours. It may stop early.
func plain(s string, i int, mode Mode) int {
	if mode == Label {
		for i < len(s) && s[i] > ' ' && s[i] < 0x7F && s[i] != '\\' {
			i++
		}
		return i
	}
	const (
		ones   = 0x0101010101010101
		highs  = 0x80 * ones
		spaces = ' ' * ones
	)
	from := i
	for ; i+8 <= len(s); i += 8 {
		v := load(s, i)
		slash, del := v^('\\'*ones), v^(0x7F*ones)
		// A set high bit: not ASCII, below a space, a backslash or DEL.
		odd := v | (v-spaces)&^v | (slash-ones)&^slash | (del-ones)&^del
		if odd&highs != 0 {
			break
		}
		if v == spaces { // perhaps part of a run that is counted
			for i > from && s[i-1] == ' ' {
				i--
			}
			return i
		}
	}
	for i < len(s) && s[i] >= ' ' && s[i] < 0x7F && s[i] != '\\' {
		if s[i] == ' ' && i+maxSpaces < len(s) && s[i+1] == ' ' {
			return i // a short stretch before a run that may be counted
		}
		i++
	}
	return i
}

// load reads eight bytes of s at i, the first lowest.
func load(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// doubles says whether a run of backslashes that ends at s[i] is doubled:
// before what reads as an escape and before what is drawn as one.
func doubles(s string, i int, mode Mode) bool {
	if i == len(s) {
		return false
	}
	switch c := s[i]; {
	case c == 'u':
		_, n := readsAsEscape(s[i:])
		return n > 0
	case c > ' ' && c < 0x7F, c == ' ' && mode != Label:
		return false
	case mode == Value && (c == '\n' || c == '\t'):
		return false
	case mode == Value && c == '\r' && i+1 < len(s) && s[i+1] == '\n':
		return false
	}
	r, _ := decode(s, i)
	return escaped(s, i, r, mode)
}

// escaped says whether the character r at s[i:], which is no backslash and not
// one of the line breaks and tabs that Value mode draws, is drawn as an escape.
func escaped(s string, i int, r rune, mode Mode) bool {
	if mode == Strict || r < utf8.RuneSelf {
		return r > '~' || r < ' ' || r == ' ' && mode == Label
	}
	switch classOf(r) {
	case classSymbol, classBase:
		return false
	case classMark:
		return mode != Value || !follows(s, i)
	}
	return true
}

// follows says whether a combining character at s[i:] stands directly after a
// letter or number, or after fewer than maxMarks of its combining characters.
func follows(s string, i int) bool {
	for range maxMarks {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if r == utf8.RuneError && n < 2 {
			return false
		}
		switch classOf(r) {
		case classBase:
			return true
		case classMark:
			i -= n
		default:
			return false
		}
	}
	return false
}

// decode is utf8.DecodeRuneInString at s[i:].
func decode(s string, i int) (rune, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

// runEnd returns the end of the run of c that begins at s[i].
func runEnd(s string, i int, c byte) int {
	for i < len(s) && s[i] == c {
		i++
	}
	return i
}

func appendCount(dst []byte, n int, what string) []byte {
	dst = append(dst, markOpen...)
	dst = strconv.AppendInt(dst, int64(n), 10)
	return append(dst, what...)
}

func appendEscape(dst []byte, r rune) []byte {
	dst = append(dst, `\u{`...)
	dst = appendHex(dst, r, 1)
	return append(dst, '}')
}

// appendPoint appends r as the four to six hex digits that follow "U+".
func appendPoint(dst []byte, r rune) []byte { return appendHex(dst, r, 4) }

func appendHex(dst []byte, r rune, least int) []byte {
	n := 6
	for n > least && r>>(4*(n-1)) == 0 {
		n--
	}
	for n--; n >= 0; n-- {
		dst = append(dst, "0123456789ABCDEF"[r>>(4*n)&15])
	}
	return dst
}
