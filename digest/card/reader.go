package card

import (
	"strings"

	"nod/digest/visible"
)

// reader reads the lines of a card or of a desk page.
type reader struct {
	most int // bytes that counts may add to the strings
	raw  int // and have added so far
}

// lines gives member the label and the text of each value below the head.
func (r *reader) lines(head, text string, member func(stem, pointer, text string) bool) bool {
	first, rest, more := strings.Cut(text, "\n")
	if first != head || !more {
		return false
	}
	for rest != "" {
		end := lineEnd(rest)
		if !r.line(rest[:end], member) {
			return false
		}
		rest = strings.TrimPrefix(rest[end:], "\n")
	}
	return true
}

// lineEnd returns the end of the line at the start of s and its continuations.
func lineEnd(s string) int {
	end := 0
	for {
		n := strings.IndexByte(s[end:], '\n')
		if n < 0 {
			return len(s)
		}
		end += n
		if _, ok := continuation(s[end+1:]); !ok {
			return end
		}
		end++
	}
}

// continuation returns the text of a continuation line.
func continuation(line string) (string, bool) {
	return strings.CutPrefix(strings.TrimLeft(line, " "), contMark+bar)
}

// line reads one line and its continuations.
func (r *reader) line(s string, member func(stem, pointer, text string) bool) bool {
	lab, text, ok := strings.Cut(s, bar)
	if !ok {
		return false
	}
	if strings.Contains(text, "\n") {
		parts := strings.Split(text, "\n")
		for i := range parts[1:] {
			parts[i+1], _ = continuation(parts[i+1])
		}
		text = strings.Join(parts, "\n")
	}
	stem, pointer := splitLabel(strings.TrimRight(lab, " "))
	pointer, ok = r.undraw(visible.Label, pointer)
	return ok && member(stem, pointer, text)
}

// splitLabel parts the stem, which holds no slash, from the drawn pointer.
func splitLabel(lab string) (stem, pointer string) {
	if i := strings.IndexByte(lab, '/'); i >= 0 {
		return lab[:i], lab[i:]
	}
	return lab, ""
}

// set files a quoted string.
func (r *reader) set(into *string, mode visible.Mode, text string) (ok bool) {
	*into, ok = r.text(mode, text)
	return ok
}

// text undraws a quoted string.
func (r *reader) text(mode visible.Mode, text string) (string, bool) {
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return "", false
	}
	return r.undraw(mode, text[1:len(text)-1])
}

// undraw undraws within the bound on all strings of a card.
func (r *reader) undraw(mode visible.Mode, drawn string) (string, bool) {
	s, err := visible.Undraw(mode, drawn)
	if err != nil {
		return "", false
	}
	// A counted run is the only way to a text longer than its drawing.
	if grown := len(s) - len(drawn); grown > 0 {
		r.raw += grown
	}
	return s, r.raw <= r.most
}
