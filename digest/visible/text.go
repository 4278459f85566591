package visible

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text is text that may be put on the screen as it is: it was drawn, or it is
// our own constant. Only this package makes one, so a view that takes a Text
// cannot be given a bare string (DESIGN §9). The zero Text is empty.
type Text struct{ s string }

// Of draws an untrusted string.
func Of(mode Mode, s string) Text { return Text{Draw(mode, s)} }

// Row draws an untrusted string in Value mode on one row: the marks of line
// breaks stay, the breaks themselves do not.
func Row(s string) Text { return Text{strings.ReplaceAll(Draw(Value, s), "\n", "")} }

// constant can be written outside this package only as an untyped constant.
type constant string

// Own makes a Text of our own words: a string constant of the program, so that
// nothing untrusted can pass here.
func Own(s constant) Text { return Text{string(s)} }

// Number writes n in decimal.
func Number(n int64) Text { return Text{strconv.FormatInt(n, 10)} }

// Drawn takes text that was drawn before, such as a row of a card, and our own
// text that a program put together. It is returned as it is, but for every
// character that no drawing holds: that one is escaped. A line break is such a
// character.
func Drawn(s string) Text {
	for i := 0; i < len(s); {
		if s[i] >= ' ' && s[i] < 0x7F {
			i++
			continue
		}
		r, n := decode(s, i)
		if !mayShow(s, i, r) || r == utf8.RuneError && n < 2 {
			return Text{drawRest(s, i)}
		}
		i += n
	}
	return Text{s}
}

// drawRest is Drawn for text whose first character to escape is at s[i:].
func drawRest(s string, i int) string {
	out := append(make([]byte, 0, len(s)+16), s[:i]...)
	for i < len(s) {
		r, n := decode(s, i)
		if mayShow(s, i, r) {
			out = utf8.AppendRune(out, r)
		} else {
			out = appendEscape(out, r)
		}
		i += n
	}
	return string(out)
}

// mayShow says whether a drawing may hold r at s[i:].
func mayShow(s string, i int, r rune) bool {
	switch r {
	case '⏎', '⇥', '␍', '│', '·', '⟨', '⟩':
		return true
	}
	return !escaped(s, i, r, Value)
}

// Concat joins texts.
func Concat(texts ...Text) Text {
	if len(texts) == 1 {
		return texts[0]
	}
	var b strings.Builder
	for _, t := range texts {
		b.WriteString(t.s)
	}
	return Text{b.String()}
}

// String returns the text for the screen.
func (t Text) String() string { return t.s }

// Len returns the length in bytes.
func (t Text) Len() int { return len(t.s) }

// Slice returns the bytes from i up to j as a Text.
func (t Text) Slice(i, j int) Text { return Text{t.s[i:j]} }

// Spans returns the spans of the text.
func (t Text) Spans() []Span { return Spans(t.s) }
