package tui

import (
	"context"
	"errors"

	"nod/digest"
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
)

// note is the one message of the console: a head that can be heard alone and
// a sentence. It stays until the next act.
type note struct {
	head string
	role themes.Role
	text visible.Text
}

func (n *note) clear() { *n = note{} }

func (n *note) tell(head, text string) {
	*n = note{head: head, role: themes.Text, text: visible.Drawn(text)}
}

func (n *note) ok(head, text string) {
	*n = note{head: head, role: themes.OK, text: visible.Drawn(text)}
}

func (n *note) warn(head, text string) {
	*n = note{head: head, role: themes.Warn, text: visible.Drawn(text)}
}

// fault tells an error of the queue: its own sentence and hint when it has
// one. What it says may hold drawn data and is drawn again here.
func (n *note) fault(head string, err error) {
	sentence, hint := said(err)
	text := visible.Row(sentence)
	if r, ok := errors.AsType[*queue.Refusal](err); ok && r.Who != "" {
		text = visible.Concat(text, visible.Own("; first: "), visible.Of(visible.Name, r.Who))
	}
	if hint != "" {
		text = visible.Concat(text, visible.Own("; "), visible.Row(hint))
	}
	*n = note{head: head, role: themes.Warn, text: visible.Concat(text, visible.Own("."))}
}

// undone tells an act that was not done, or of which nobody here knows.
func (n *note) undone(head string, err error) {
	if errors.Is(err, context.DeadlineExceeded) {
		n.warn("Not known", "the queue did not answer in 15 s, so nobody here knows; look again.")
		return
	}
	n.fault(head, err)
}

// said finds the operator's sentence in an error.
func said(err error) (sentence, hint string) {
	var r *queue.Refusal
	if errors.As(err, &r) {
		return r.Sentence, r.Hint
	}
	var d *digest.Error
	if errors.As(err, &d) {
		return d.Sentence, d.Hint
	}
	return err.Error(), ""
}

// rows draws the message on one row, on two when it is longer.
func (n *note) rows(g frame.Glyphs, w int) []frame.Line {
	if n.head == "" && n.text.Len() == 0 {
		return []frame.Line{nil}
	}
	first := frame.Line{frame.Gap(1)}
	if n.head != "" {
		first = append(first, frame.S(n.role, n.head+": "))
	}
	room := w - 1 - first.Width()
	if frame.Width(n.text) <= room {
		return []frame.Line{append(first, frame.T(themes.Text, n.text))}
	}
	cut := frame.Break(n.text, room)
	rest := frame.Cut(n.text.Slice(cut, n.text.Len()), w-2, 0, g.Cut)
	return []frame.Line{
		append(first, frame.T(themes.Text, n.text.Slice(0, cut))),
		{frame.Gap(1), frame.T(themes.Text, rest)},
	}
}
