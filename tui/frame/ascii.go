package frame

import (
	"strings"

	"nod/digest/visible"
)

// ASCII gives the row without a character outside ASCII: our own marks as
// their twins, the rest as escapes. A card is laid out in its own twin before
// and has nothing left to change.
func (l Line) ASCII() Line {
	out := make(Line, len(l))
	for i, s := range l {
		s.Text = twin(s.Text)
		out[i] = s
	}
	return out
}

func twin(t visible.Text) visible.Text {
	s := t.String()
	at := strings.IndexFunc(s, func(r rune) bool { return r > '~' })
	if at < 0 {
		return t
	}
	var b strings.Builder
	b.WriteString(s[:at])
	for _, r := range s[at:] {
		switch r {
		case '…':
			b.WriteByte('~')
		case '↓':
			b.WriteByte('v')
		case '↑':
			b.WriteByte('^')
		case '–':
			b.WriteByte('-')
		case '⏎':
			b.WriteString(`\n`)
		default:
			b.WriteString(visible.ASCII(string(r)))
		}
	}
	return visible.Drawn(b.String())
}
