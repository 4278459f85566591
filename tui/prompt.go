package tui

import (
	"nod/themes"
	"nod/tui/field"
	"nod/tui/frame"
)

// promptKind says what the console asks the operator for.
type promptKind uint8

const (
	askFreeze promptKind = iota + 1
	askUnfreeze
	askRevoke
	askClock
	writeWords
	writeAnswer
)

// prompt is a question of the console, or a line to write. It takes the last
// two rows.
type prompt struct {
	kind  promptKind
	ask   string // the ask that revoke is about
	about int64  // the notice that the clock's question is about
	field field.Field
	since int64 // when it opened, or the last key came, in ms of the console's clock
}

// line reports whether the prompt is a field.
func (p *prompt) line() bool { return p.kind == writeWords || p.kind == writeAnswer }

// restMS is how long a yes must have rested: the same as for an answer.
const restMS = 400

// rows draws the prompt and the cell of its cursor.
func (p *prompt) rows(w int) ([2]frame.Line, frame.Point) {
	if !p.line() {
		head, text := "Freeze", "nothing begins; older allows are never spent."
		switch p.kind {
		case askUnfreeze:
			head, text = "Unfreeze", "new approvals may begin; older ones may not."
		case askClock:
			head, text = "Clock", "it jumped; y: it is right, what was due falls due."
		case askRevoke:
			head, text = "Revoke", "this allow is taken back; the call never runs."
		}
		line := frame.Line{frame.Gap(1), frame.S(themes.Warn, head+": "), frame.S(themes.Text, text)}
		foot := frame.Line{
			frame.Gap(1), frame.S(themes.Accent, "y"), frame.S(themes.Muted, " yes, after a moment of rest  "),
			frame.S(themes.Accent, "n"), frame.S(themes.Muted, " no"),
		}
		return [2]frame.Line{line, foot}, frame.Point{X: 1, Y: 1}
	}
	label, does := "words  ", " keeps them, for either answer"
	if p.kind == writeAnswer {
		label, does = "answer  ", " keeps it; nothing is sent yet"
	}
	text, at := p.field.Render(w - 2 - len(label))
	line := frame.Line{frame.Gap(1), frame.S(themes.Muted, label), text}
	foot := frame.Line{frame.Gap(1), frame.S(themes.Accent, "Enter"), frame.S(themes.Muted, does)}
	if p.field.Len() > 0 {
		foot = append(foot, frame.Gap(2), frame.S(themes.Accent, "Ctrl+U"), frame.S(themes.Muted, " empties"))
	}
	foot = append(foot, frame.Gap(2), frame.S(themes.Accent, "Esc"), frame.S(themes.Muted, " drops the change"))
	return [2]frame.Line{line, foot}, frame.Point{X: 1 + len(label) + at, Y: 0}
}
