package editor

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxText is the longest text in bytes: the JSON of a call with its indents and
// escapes.
const maxText = 4 << 20

// place is a place in the text: a line, and a byte of it.
type place struct{ line, col int }

// Editor is the text, the cursor, and what was done to it.
type Editor struct {
	lines []string // one at least; plain characters only
	size  int      // bytes, line breaks counted
	ascii bool     // no character outside ASCII
	was   string   // the text to begin with

	at   place
	goal int // the cell that up and down keep to, -1 for where the cursor is
	top  row // the first one shown
	w, h int // cells and rows, for keys that move by rows
	last wrapped
	full bool // something did not fit

	done, undone []change
	kept         int // bytes of done
}

// New edits a text; with ascii no character outside ASCII stands in it. Size
// has to follow before the first key.
func New(text string, ascii bool) *Editor {
	text = clean(text, ascii)
	whole := len(text) <= maxText
	if !whole {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	return &Editor{lines: strings.Split(text, "\n"), size: len(text), ascii: ascii, was: text, goal: -1, w: 80, h: 20, full: !whole}
}

// Size tells how many cells and rows Render will be given.
func (e *Editor) Size(w, h int) {
	e.w, e.h = w, max(h, 1)
	e.top = e.follow(e.top, e.textCells(e.w), e.h)
}

// Text is what stands in the editor.
func (e *Editor) Text() string { return strings.Join(e.lines, "\n") }

// Changed reports whether the text is another than to begin with.
func (e *Editor) Changed() bool {
	if e.size != len(e.was) {
		return true
	}
	rest := e.was
	for i, l := range e.lines {
		if i > 0 {
			if rest[0] != '\n' {
				return true
			}
			rest = rest[1:]
		}
		if !strings.HasPrefix(rest, l) {
			return true
		}
		if rest = rest[len(l):]; rest == "" && i < len(e.lines)-1 {
			return true
		}
	}
	return false
}

// Full reports whether the last key or paste was left out, because the text
// would have become larger than 4 MiB.
func (e *Editor) Full() bool { return e.full }

// Cursor gives line and column, from 1 and in characters.
func (e *Editor) Cursor() (line, col int) {
	return e.at.line + 1, utf8.RuneCountInString(e.lines[e.at.line][:e.at.col]) + 1
}

// Goto takes the cursor to a line and a column, from 1 and in characters.
func (e *Editor) Goto(line, col int) {
	e.at.line = max(min(line-1, len(e.lines)-1), 0)
	l := e.lines[e.at.line]
	e.at.col = 0
	for range col - 1 {
		e.at.col = next(l, e.at.col)
	}
	e.goal = -1
	e.top = e.follow(e.top, e.textCells(e.w), e.h)
}

// Key takes one key by its name, with the text that it types; false when it is
// none of the editor's, as Esc.
func (e *Editor) Key(name, text string) bool {
	e.full = false
	switch {
	case e.move(name), e.remove(name):
	case name == "enter", name == "alt+enter", name == "shift+enter", name == "ctrl+j":
		l := e.lines[e.at.line][:e.at.col]
		e.put("\n"+l[:len(l)-len(strings.TrimLeft(l, " "))], false)
	case name == "tab":
		e.put("  ", false)
	case name == "ctrl+_", name == "ctrl+/", name == "alt+u":
		e.undo()
	case name == "ctrl+y", name == "alt+r":
		e.redo()
	case text != "":
		e.put(clean(text, e.ascii), true)
	default:
		return false
	}
	e.top = e.follow(e.top, e.textCells(e.w), e.h)
	return true
}

// Paste puts text at the cursor. Inside a JSON string it becomes text of that
// string: quotes, backslashes, tabs and line breaks are escaped. Elsewhere it
// is JSON text as if it were typed.
func (e *Editor) Paste(text string) {
	e.full = false
	if e.inString() {
		text = within(text, e.ascii)
	} else {
		text = clean(text, e.ascii)
	}
	e.put(text, false)
	e.top = e.follow(e.top, e.textCells(e.w), e.h)
}

// inString reports whether the cursor stands inside a string of its line; no
// string of JSON goes over a line's end.
func (e *Editor) inString() bool {
	l, in := e.lines[e.at.line][:e.at.col], false
	for i := 0; i < len(l); i++ {
		switch {
		case l[i] == '"':
			in = !in
		case l[i] == '\\' && in:
			i++
		}
	}
	return in
}

func (e *Editor) put(text string, typed bool) {
	e.change(e.at, e.at, text, typed)
}

// between is the text from one place up to another.
func (e *Editor) between(from, to place) string {
	if from.line == to.line {
		return e.lines[from.line][from.col:to.col]
	}
	var b strings.Builder
	b.WriteString(e.lines[from.line][from.col:])
	for _, l := range e.lines[from.line+1 : to.line] {
		b.WriteByte('\n')
		b.WriteString(l)
	}
	b.WriteByte('\n')
	b.WriteString(e.lines[to.line][:to.col])
	return b.String()
}

// replace puts text in the place of what stands between two places, and gives
// the place behind it.
func (e *Editor) replace(from, to place, text string) place {
	head, tail := e.lines[from.line][:from.col], e.lines[to.line][to.col:]
	if from.line == to.line && !strings.Contains(text, "\n") {
		e.size += len(text) - (to.col - from.col)
		e.lines[from.line] = head + text + tail
		return place{from.line, from.col + len(text)}
	}
	for i := from.line; i <= to.line; i++ {
		e.size -= len(e.lines[i])
	}
	parts := strings.Split(text, "\n")
	end := place{from.line + len(parts) - 1, len(parts[len(parts)-1])}
	if len(parts) == 1 {
		end.col += len(head)
	}
	parts[0] = head + parts[0]
	parts[len(parts)-1] += tail
	for _, l := range parts {
		e.size += len(l)
	}
	e.size += len(parts) - 1 - (to.line - from.line)
	e.lines = slices.Replace(e.lines, from.line, to.line+1, parts...)
	return end
}

// next and prev pass one character of a line.
func next(l string, i int) int {
	_, n := utf8.DecodeRuneInString(l[i:])
	return i + n
}

func prev(l string, i int) int {
	_, n := utf8.DecodeLastRuneInString(l[:i])
	return i - n
}
