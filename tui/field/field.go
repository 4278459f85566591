// Package field is a line the operator types into: words for the agent, an
// answer to a question.
//
// The rule it keeps: what is typed or pasted is text and never a key, it is
// drawn like any untrusted text (a paste may hold anything), and it is cut
// nowhere: a long line scrolls under the cursor.
package field

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
)

// Max is the longest text in bytes.
const Max = 16 << 10

// Field is the text and the place of the cursor in it. The zero Field is empty.
type Field struct {
	text []rune
	at   int
}

// Text is what stands in the field.
func (f *Field) Text() string { return string(f.text) }

// Len is the number of characters.
func (f *Field) Len() int { return len(f.text) }

// Set replaces the text.
func (f *Field) Set(s string) {
	f.text, f.at = nil, 0
	f.Insert(s)
}

// Insert puts text at the cursor; false when it does not all fit. Bytes that
// are not UTF-8 become U+FFFD; nothing else is changed.
func (f *Field) Insert(s string) bool {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD")
	s = strings.ReplaceAll(s, "\r", "\n")
	whole := true
	if room := Max - len(string(f.text)); len(s) > room {
		for room = max(room, 0); room > 0 && !utf8.RuneStart(s[room]); {
			room--
		}
		s, whole = s[:room], false
	}
	in := []rune(s)
	text := make([]rune, 0, len(f.text)+len(in))
	text = append(append(append(text, f.text[:f.at]...), in...), f.text[f.at:]...)
	f.text, f.at = text, f.at+len(in)
	return whole
}

// Key does what an editing key asks for; false when the key is none.
func (f *Field) Key(key string) bool {
	switch key {
	case "left", "ctrl+b":
		f.at = max(f.at-1, 0)
	case "right", "ctrl+f":
		f.at = min(f.at+1, len(f.text))
	case "home", "ctrl+a":
		f.at = 0
	case "end", "ctrl+e":
		f.at = len(f.text)
	case "backspace", "ctrl+h":
		f.cut(max(f.at-1, 0), f.at)
	case "delete", "ctrl+d":
		f.cut(f.at, min(f.at+1, len(f.text)))
	case "ctrl+u":
		f.cut(0, f.at)
	case "ctrl+k":
		f.cut(f.at, len(f.text))
	case "ctrl+w", "alt+backspace":
		i := f.at
		for i > 0 && unicode.IsSpace(f.text[i-1]) {
			i--
		}
		for i > 0 && !unicode.IsSpace(f.text[i-1]) {
			i--
		}
		f.cut(i, f.at)
	case "alt+enter", "shift+enter", "ctrl+j":
		f.Insert("\n")
	default:
		return false
	}
	return true
}

func (f *Field) cut(from, to int) {
	f.text = append(f.text[:from:from], f.text[to:]...)
	f.at = from
}

// Render draws the field in at most w cells and gives the cell of the cursor.
func (f *Field) Render(w int) (frame.Span, int) { return f.draw(w, visible.Row) }

// RenderIn is Render for a look: where only ASCII is drawn, the text is drawn in
// ASCII before it is measured.
func (f *Field) RenderIn(look frame.Look, w int) (frame.Span, int) {
	if look.Glyphs.ASCII {
		return f.draw(w, func(s string) visible.Text { return visible.Of(visible.Strict, s) })
	}
	return f.draw(w, visible.Row)
}

func (f *Field) draw(w int, row func(string) visible.Text) (frame.Span, int) {
	w = max(w, 1)
	before := row(string(f.text[:f.at]))
	from := 0
	for frame.Width(before) > w-1 && from < f.at { // scroll so that the cursor shows
		from += max((frame.Width(before)-w)/4, 1)
		from = min(from, f.at)
		before = row(string(f.text[from:f.at]))
	}
	all := row(string(f.text[from:]))
	line := frame.Line{frame.T(themes.Text, all)}.Fit(w)
	return line[0], min(frame.Width(before), w-1)
}
