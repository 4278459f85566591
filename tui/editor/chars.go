package editor

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"nod/digest/visible"
)

// plain reports whether r may stand in the text: it is drawn as itself wherever
// it stands, and takes its cells alone.
func plain(r rune, ascii bool) bool {
	if r < utf8.RuneSelf {
		return r >= ' ' && r <= '~'
	}
	return !ascii && !joins(r) && drawnAlone(r)
}

// drawnAlone reports whether a drawing shows r as itself after anything: a
// combining character is shown only after a letter.
func drawnAlone(r rune) bool {
	s := string(r)
	return visible.Draw(visible.Value, s) == s
}

// joins reports whether a terminal may draw r in the cells of its neighbour:
// flags, skin tones, the parts of Hangul syllables, and letters that Unicode
// joins to the one before or after them.
func joins(r rune) bool {
	switch {
	case 0x1F1E6 <= r && r <= 0x1F1FF, 0x1F3FB <= r && r <= 0x1F3FF,
		0x1100 <= r && r <= 0x11FF, 0xA960 <= r && r <= 0xA97F, 0xD7B0 <= r && r <= 0xD7FF:
		return true
	case r == 0xE33, r == 0xEB3, r == 0xFF9E, r == 0xFF9F, r == 0xD4E, r == 0x111C2, r == 0x111C3, r == 0x1193F, r == 0x11941,
		0x11A84 <= r && r <= 0x11A89, r == 0x11D46, r == 0x11F02:
		return true
	}
	return false
}

// cells is how many cells r takes.
func cells(r rune) int {
	switch {
	case r < 0x1100:
		return 1
	case 0x4E00 <= r && r <= 0x9FFF, 0xAC00 <= r && r <= 0xD7A3:
		return 2
	}
	return ansi.StringWidth(string(r))
}

// clean makes text that may stand in the editor: line breaks stay, a tab is two
// spaces, every other character that is not plain is its escape.
func clean(s string, ascii bool) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if tidy(s, ascii) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	s = strings.ReplaceAll(s, "\r\n", "\n")
	for _, r := range s {
		switch {
		case r == '\n', r == '\r':
			b.WriteByte('\n')
		case r == '\t':
			b.WriteString("  ")
		case plain(r, ascii):
			b.WriteRune(r)
		default:
			writeEscape(&b, r)
		}
	}
	return b.String()
}

// tidy reports whether clean changes nothing.
func tidy(s string, ascii bool) bool {
	for _, r := range s {
		if r != '\n' && !plain(r, ascii) {
			return false
		}
	}
	return true
}

// within writes pasted text as the inside of a JSON string, plain characters
// only. A terminal pastes a line break as a carriage return.
func within(s string, ascii bool) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	writeWithin(&b, strings.ToValidUTF8(s, "\uFFFD"), ascii)
	return b.String()
}

// maxSpaces is the longest run of spaces that a drawing shows as spaces.
const maxSpaces = 32

func writeWithin(b *strings.Builder, s string, ascii bool) {
	spaces := 0
	for i, r := range s {
		if r != ' ' {
			spaces = 0
		}
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '"':
			b.WriteString(`\"`)
		case r == '\\' && strings.HasPrefix(s[i+1:], "u{"):
			writeEscape(b, r) // else it reads like an escape of a drawing
		case r == '\\':
			b.WriteString(`\\`)
		case r == ' ' && spaces == maxSpaces:
			writeEscape(b, r)
			spaces = 0
		case plain(r, ascii):
			b.WriteRune(r)
			if r == ' ' {
				spaces++
			}
		default:
			writeEscape(b, r)
		}
	}
}

func writeEscape(b *strings.Builder, r rune) {
	if r > 0xFFFF {
		high, low := utf16.EncodeRune(r)
		writeEscape(b, high)
		writeEscape(b, low)
		return
	}
	const hex = "0123456789abcdef"
	b.WriteString(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		b.WriteByte(hex[r>>shift&15])
	}
}
