package history

import (
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// Events is the pane of one ask's events. The zero Events shows none.
type Events struct {
	ask    string
	self   string
	events []told
	more   bool
	loaded bool
}

// EventPage is how many of an ask's events are read.
const EventPage = 50

// SetSelf says who the operator is, as decisions name him.
func (e *Events) SetSelf(name string) { e.self = name }

// Of is the ask whose events are shown.
func (e *Events) Of() string { return e.ask }

// Query reads an ask's events.
func Query(ask string) queue.QEvents { return queue.QEvents{Ask: ask, Limit: EventPage} }

// Expect forgets the events of another ask than this one.
func (e *Events) Expect(ask string) {
	if ask != e.ask {
		*e = Events{ask: ask, self: e.self}
	}
}

// Show takes an ask's events as they are stored.
func (e *Events) Show(ask string, page queue.Events) {
	e.Expect(ask)
	e.events = make([]told, 0, len(page.Events))
	for i := range page.Events {
		e.events = append(e.events, read(&page.Events[i]))
	}
	e.more, e.loaded = page.More, true
}

// Rows is how many rows all of it takes, its heading among them.
func (e *Events) Rows() int {
	n := 1 + len(e.events)
	if e.more || len(e.events) == 0 {
		n++
	}
	return n
}

// Columns of an event left of its last one: the words' are as wide as the
// longest of the ask's events, and no wider than most.
const (
	seqCells  = 8
	mostCells = 12
	gapCells  = 2
)

// widths are the cells of the two columns of words, with the gaps after them.
func (e *Events) widths() (act, to int) {
	for i := range e.events {
		t := &e.events[i]
		act, to = max(act, len(visible.ASCII(t.act))), max(to, len(visible.ASCII(t.to)))
	}
	return min(act, mostCells) + gapCells, min(to, mostCells) + gapCells
}

// Render gives at most h rows of w cells. Where there are more events the
// newest are shown, and how many are not is said.
func (e *Events) Render(look frame.Look, w, h int) []frame.Line {
	if h <= 0 {
		return nil
	}
	rows := []frame.Line{{frame.S(themes.Muted, "   Events of the selected row")}}
	note := func(s string) { rows = append(rows, frame.Line{frame.S(themes.Muted, s)}) }
	events := e.events
	switch {
	case e.ask == "":
		note("   nothing is selected")
	case !e.loaded:
		note("   reading…")
	case len(events) == 0:
		note("   the store has no event of it")
	}
	if room := h - 1; e.more || len(events) > room {
		room = max(room-1, 0)
		hidden := max(len(events)-room, 0)
		events = events[hidden:]
		switch {
		case e.more:
			note("   " + say.Number(int64(hidden)) + " earlier ones are not shown, and there are later ones")
		case hidden > 0:
			note("   " + say.Count(int64(hidden), "earlier one is", "earlier ones are") + " not shown")
		}
	}
	for i := range events {
		rows = append(rows, e.draw(look, &events[i], w))
	}
	rows = rows[:min(len(rows), h)]
	for i := range rows {
		rows[i] = rows[i].Fit(w)
	}
	return rows
}

func (e *Events) draw(look frame.Look, t *told, w int) frame.Line {
	line := frame.Line{frame.Right(themes.Muted, say.Column(t.seq), seqCells), frame.Gap(2)}
	if t.fault != "" {
		line = append(line, frame.S(themes.Danger, t.fault))
		room := max(w-1-line.Width(), 0)
		return append(line, frame.T(themes.Muted, frame.Cut(t.rest, room, 0, look.Glyphs.Cut)))
	}
	clock := say.ClockSec(t.at, look.Now, look.Loc)
	line = append(line, frame.Col(themes.Muted, clock, 8), frame.Gap(2))
	act, to := e.widths()
	line = append(line, cell(look, t.act, act)...)
	line = append(line, cell(look, t.to, to)...)
	room := max(w-1-line.Width(), 0)
	return append(line, frame.T(themes.Muted, frame.Cut(t.last(e.self), room, 0, look.Glyphs.Cut)))
}

// cell draws a word of the document in a column that others stand right of:
// nothing in it but ASCII, cut so that the gap follows.
func cell(look frame.Look, s string, w int) frame.Line {
	if s == "" {
		return frame.Line{frame.Col(themes.Faint, look.Glyphs.None, w)}
	}
	t := frame.Cut(visible.Of(visible.Strict, s), w-gapCells, 0, look.Glyphs.Cut)
	return frame.Line{frame.T(themes.Muted, t), frame.Gap(w - frame.Width(t))}
}
