package editor

import (
	"unicode"
	"unicode/utf8"
)

// move takes a key that moves the cursor.
func (e *Editor) move(name string) bool {
	goal := -1
	switch name {
	case "left", "ctrl+b":
		e.at = e.back(e.at)
	case "right", "ctrl+f":
		e.at = e.on(e.at)
	case "home", "ctrl+a":
		e.at.col = 0
	case "end", "ctrl+e":
		e.at.col = len(e.lines[e.at.line])
	case "ctrl+home":
		e.at = place{}
	case "ctrl+end":
		e.at = place{len(e.lines) - 1, len(e.lines[len(e.lines)-1])}
	case "alt+left", "ctrl+left", "alt+b":
		e.at = e.wordBack(e.at)
	case "alt+right", "ctrl+right", "alt+f":
		e.at = e.wordOn(e.at)
	case "up", "ctrl+p":
		goal = e.rows(-1)
	case "down", "ctrl+n":
		goal = e.rows(1)
	case "pgup":
		goal = e.rows(-max(e.h-1, 1))
	case "pgdown":
		goal = e.rows(max(e.h-1, 1))
	default:
		return false
	}
	e.goal = goal
	return true
}

// rows moves the cursor by rows of the screen and gives the cell to keep to.
func (e *Editor) rows(n int) (goal int) {
	tw := e.textCells(e.w)
	r, cell := e.rowOf(e.at, tw)
	if goal = e.goal; goal < 0 {
		goal = cell
	}
	to := e.walk(r, n, tw)
	if to == r {
		e.at.col = 0
		if n > 0 {
			e.at.col = len(e.lines[e.at.line])
		}
		return goal
	}
	l := e.lines[to.line]
	starts := e.starts(to.line, tw)
	from, end := starts[to.n], len(l)
	if to.n+1 < len(starts) {
		end = prev(l, starts[to.n+1])
	}
	i, used := from, 0
	for i < end {
		r, n := utf8.DecodeRuneInString(l[i:])
		if used += cells(r); used > goal {
			break
		}
		i += n
	}
	e.at = place{to.line, i}
	return goal
}

// back is the place one character before p.
func (e *Editor) back(p place) place {
	switch {
	case p.col > 0:
		p.col = prev(e.lines[p.line], p.col)
	case p.line > 0:
		p.line--
		p.col = len(e.lines[p.line])
	}
	return p
}

// on is the place one character after p.
func (e *Editor) on(p place) place {
	switch {
	case p.col < len(e.lines[p.line]):
		p.col = next(e.lines[p.line], p.col)
	case p.line < len(e.lines)-1:
		p = place{p.line + 1, 0}
	}
	return p
}

// wordBack passes spaces, then one word or one run of other characters.
func (e *Editor) wordBack(p place) place {
	l := e.lines[p.line]
	if p.col == 0 {
		return e.back(p)
	}
	kind := -1
	for p.col > 0 {
		r, n := utf8.DecodeLastRuneInString(l[:p.col])
		k := wordKind(r)
		if kind > 0 && k != kind {
			break
		}
		kind = max(kind, k)
		p.col -= n
	}
	return p
}

func (e *Editor) wordOn(p place) place {
	l := e.lines[p.line]
	if p.col == len(l) {
		return e.on(p)
	}
	kind := -1
	for p.col < len(l) {
		r, n := utf8.DecodeRuneInString(l[p.col:])
		k := wordKind(r)
		if kind > 0 && k != kind {
			break
		}
		kind = max(kind, k)
		p.col += n
	}
	return p
}

// wordKind tells spaces, other characters and those of words apart.
func wordKind(r rune) int {
	switch {
	case r == ' ':
		return 0
	case unicode.IsLetter(r), unicode.IsNumber(r), r == '_':
		return 2
	}
	return 1
}
