package effects

import (
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/inbox"
	"nod/tui/say"
)

// Widths of the columns, and where something is dropped (SCREENS, grammar).
const (
	stateCells = 17
	timesCells = 7
	wideEnough = 72 // below it the count goes
	headsNeed  = 20 // rows of the screen
	airy       = 24 // from which there are blank rows
)

// Headings.
const (
	groupOpen = "On the desk"
	groupPast = "Settled lately"
)

// item is a row of the list: a heading, a blank, or an effect.
type item struct {
	text   string
	effect *queue.EffectView
}

func (l *List) items(look frame.Look) []item {
	out := make([]item, 0, len(l.open)+len(l.past)+4)
	group := func(name string, rows []queue.EffectView, more bool) {
		if len(rows) == 0 {
			return
		}
		if len(out) > 0 && look.H >= airy {
			out = append(out, item{})
		}
		out = append(out, item{text: name})
		for i := range rows {
			out = append(out, item{effect: &rows[i]})
		}
		if more && len(l.open)+len(l.past) >= Most {
			out = append(out, item{text: "older ones: nod effects lists them"})
		}
	}
	group(groupOpen, l.open, false)
	group(groupPast, l.past, l.pastMore)
	return out
}

func index(items []item, id string) int {
	for i := range items {
		if items[i].effect != nil && items[i].effect.ID == id {
			return i
		}
	}
	return -1
}

// lead counts the headings and blank rows directly above an item.
func lead(items []item, at int) int {
	n := 0
	for at-n-1 >= 0 && items[at-n-1].effect == nil {
		n++
	}
	return n
}

// Body is how many rows of the list fit when Render is given h.
func Body(look frame.Look, h int) int {
	if look.H >= headsNeed && h > 1 {
		h--
	}
	return max(h, 1)
}

// Render gives h rows of the list in w cells, and the row on which the selected
// effect stands (-1 for none).
func (l *List) Render(look frame.Look, w, h int) (rows []frame.Line, cursor int) {
	cursor = -1
	if h <= 0 {
		return nil, cursor
	}
	if look.H >= headsNeed && h > 1 {
		rows = append(rows, heads(look, w))
	}
	h = Body(look, h)
	items := l.items(look)
	at := index(items, l.sel)
	if at < 0 {
		said := "   reading" + look.Glyphs.Cut
		if l.loaded {
			said = "   No outcome is unknown, and nothing was settled yet."
		}
		return append(rows, frame.Line{frame.S(themes.Muted, said)}.Fit(w)), cursor
	}
	top := l.scroll.Top(at, lead(items, at), len(items), h)
	for range l.scroll.Pad(at, h) {
		rows = append(rows, frame.Line(nil).Fit(w))
		h--
	}
	for i := top; i < len(items) && i < top+h; i++ {
		if items[i].effect == nil {
			rows = append(rows, frame.Line{frame.S(themes.Muted, "   "+items[i].text)}.Fit(w))
			continue
		}
		line := draw(look, items[i].effect, w, i == at)
		if i == at {
			cursor = len(rows)
			line = line.Selected()
		}
		rows = append(rows, line)
	}
	return rows, cursor
}

func brief(look frame.Look, w int) bool { return w < wideEnough && !look.Split || w < wideEnough-20 }

func heads(look frame.Look, w int) frame.Line {
	text := "   state               age  refused  what"
	if brief(look, w) {
		text = "   state               age  what"
	}
	return frame.Line{frame.S(themes.Faint, text)}.Fit(w)
}

func draw(look frame.Look, e *queue.EffectView, w int, selected bool) frame.Line {
	shape, word, role := inbox.StandAtLength(look.Glyphs, e)
	mark := frame.S(themes.Text, " ")
	if selected {
		mark = frame.S(themes.Accent, look.Glyphs.Mark)
	}
	line := frame.Line{mark, frame.S(role, shape), frame.Gap(1), frame.Col(role, word, stateCells), frame.Gap(2),
		frame.Right(themes.Muted, say.Age(look.Now-e.MovedAt), 4)}
	if !brief(look, w) {
		refused, many := themes.Muted, look.Glyphs.None
		if e.Repeats > 0 {
			refused, many = themes.Text, say.Column(e.Repeats)
		}
		line = append(line, frame.Gap(2), frame.Right(refused, many, timesCells))
	}
	line = append(line, frame.Gap(2))
	text := themes.Text
	if !e.Open {
		text = themes.Muted
	}
	return append(line, inbox.WhatEffect(look, e, w-line.Width(), text)...).Fit(w)
}
