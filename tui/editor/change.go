package editor

import "strings"

// maxKept is how many bytes of changes can be taken back.
const maxKept = 8 << 20

// change is one that can be taken back.
type change struct {
	from     place
	old, new string
	typed    bool // one more typed character joins it
}

func (c *change) bytes() int { return len(c.old) + len(c.new) }

// after is the place behind text that stands at from.
func after(from place, text string) place {
	n := strings.Count(text, "\n")
	if n == 0 {
		return place{from.line, from.col + len(text)}
	}
	return place{from.line + n, len(text) - strings.LastIndexByte(text, '\n') - 1}
}

// change does one and keeps it.
func (e *Editor) change(from, to place, text string, typed bool) {
	if from == to && text == "" {
		return
	}
	old := e.between(from, to)
	if e.size-len(old)+len(text) > maxText {
		e.full = true
		return
	}
	e.at, e.goal = e.replace(from, to, text), -1
	e.undone = nil
	if e.joined(from, old, text, typed) {
		return
	}
	e.done = append(e.done, change{from, old, text, typed})
	for e.kept += len(old) + len(text); e.kept > maxKept && len(e.done) > 1; {
		e.kept -= e.done[0].bytes()
		e.done = e.done[1:]
	}
}

// joined makes one change of characters that were typed or removed one after
// another.
func (e *Editor) joined(from place, old, text string, typed bool) bool {
	if len(e.done) == 0 || !typed {
		return false
	}
	c := &e.done[len(e.done)-1]
	switch {
	case !c.typed:
		return false
	case old == "" && c.old == "" && from == after(c.from, c.new) && text != " ":
		c.new += text
	case text == "" && c.new == "" && after(from, old) == c.from:
		c.old, c.from = old+c.old, from
	default:
		return false
	}
	e.kept += len(old) + len(text)
	return true
}

func (e *Editor) undo() {
	if len(e.done) == 0 {
		return
	}
	c := e.done[len(e.done)-1]
	e.done, e.kept = e.done[:len(e.done)-1], e.kept-c.bytes()
	c.typed = false
	e.at, e.goal = e.replace(c.from, after(c.from, c.new), c.old), -1
	e.undone = append(e.undone, c)
}

func (e *Editor) redo() {
	if len(e.undone) == 0 {
		return
	}
	c := e.undone[len(e.undone)-1]
	e.undone = e.undone[:len(e.undone)-1]
	e.at, e.goal = e.replace(c.from, after(c.from, c.old), c.new), -1
	e.done, e.kept = append(e.done, c), e.kept+c.bytes()
}

// remove takes a key that removes something.
func (e *Editor) remove(name string) bool {
	l, to := e.lines[e.at.line], e.at
	switch name {
	case "backspace", "ctrl+h":
		e.change(e.back(e.at), to, "", true)
	case "delete", "ctrl+d":
		e.change(e.at, e.on(e.at), "", false)
	case "ctrl+u":
		e.change(place{to.line, 0}, to, "", false)
	case "ctrl+k":
		if to.col = len(l); to == e.at {
			to = e.on(e.at)
		}
		e.change(e.at, to, "", false)
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		e.change(e.wordBack(e.at), to, "", false)
	case "alt+d", "ctrl+delete":
		e.change(e.at, e.wordOn(e.at), "", false)
	default:
		return false
	}
	return true
}
