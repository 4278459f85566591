package desk

import (
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// Tab names what stands in the page's place, or beside it.
type Tab uint8

// Tabs, in the order of the strip.
const (
	Summary Tab = iota
	Page        // the page itself
	Diff        // what was allowed against what was seen
	Card        // as it was approved
	Attempts
	Waits // who ran into the effect, and which asks wait
)

// Tabs gives those that say something about an effect. Beside the page it is
// none of them.
func Tabs(v *queue.Desk, split bool) []Tab {
	out := []Tab{Summary}
	if !split {
		out = append(out, Page)
	}
	if v.Allowed != "" || v.Content != "" {
		out = append(out, Diff)
	}
	return append(out, Card, Attempts, Waits)
}

// Name is the word of the strip.
func (t Tab) Name(v *queue.Desk) string {
	switch t {
	case Summary:
		return "desk"
	case Page:
		return "page"
	case Diff:
		return "diff"
	case Card:
		return "card as approved"
	case Attempts:
		return "attempts " + say.Column(int64(len(v.Attempts)))
	}
	return "who waits " + say.Column(int64(len(v.Repeats)+len(v.Waiting)))
}

// Strip is the row that names the tabs, the current one in brackets.
func Strip(look frame.Look, v *queue.Desk, current Tab, w int) frame.Line {
	left := frame.Line{frame.Gap(1)}
	for i, t := range Tabs(v, look.Split) {
		if i > 0 {
			left = append(left, frame.Gap(2))
		}
		word, role := t.Name(v), themes.Muted
		switch t {
		case current:
			word, role = "["+word+"]", themes.Accent
		case Diff:
			role = themes.Danger
		}
		left = append(left, frame.S(role, word))
	}
	right := frame.Line{frame.S(themes.Muted, "an answer is bound to the page")}
	if look.Split {
		right = frame.Line{frame.S(themes.Muted, "an answer is bound to the page, on the right")}
	}
	if left.Width()+2+right.Width()+1 > w {
		return left.Fit(w)
	}
	return frame.Ends(left, right, w)
}
