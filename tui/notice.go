package tui

import (
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// noticePane is the selected notice beside the list, whole.
func noticePane(look frame.Look, n *queue.NoticeView, w int) []frame.Line {
	rows := []frame.Line{{frame.S(themes.Faint, " something an operator must read")}}
	if s := n.Says; s != nil {
		for _, text := range []string{s.Headline, s.Happened, s.Means, s.Knows, s.Ids} {
			rows = append(rows, wrapped(visible.Drawn(text), w)...)
		}
	} else {
		rows = append(rows, wrapped(visible.Row(n.Sentence), w)...)
	}
	fact := func(label string, t visible.Text) {
		if t.Len() > 0 {
			rows = append(rows, frame.Line{frame.Gap(2), frame.Col(themes.Muted, label, 9), frame.T(themes.Text, t)})
		}
	}
	rows = append(rows, nil)
	fact("at", visible.Drawn(say.ClockSec(n.At, look.Now, look.Loc)))
	fact("code", visible.Of(visible.Name, n.Code))
	fact("ask", visible.Of(visible.Name, n.Ask))
	fact("session", visible.Of(visible.Name, n.Session))
	return rows
}
