package tui

import (
	"nod/digest/card"
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/cardview"
	"nod/tui/detail"
	"nod/tui/frame"
	"nod/tui/say"
)

// preview is the card of the selected row beside the list. It counts as
// nothing: nobody has opened it.
type preview struct {
	want string // the ask that is on its way
	id   string
	view queue.AskView
	fail string
	opts cardview.Options
	lay  *cardview.Layout
}

func (p *preview) clear() { *p = preview{} }

// has reports whether the preview shows row as it stands, or will.
func (p *preview) has(row *queue.Row) bool {
	if p.want == row.ID {
		return true
	}
	return p.id == row.ID && p.view.Row.State == row.State && p.view.Row.Outcome == row.Outcome
}

func (p *preview) expect(id string) { p.want = id }

func (p *preview) take(r askRead) {
	if r.id != p.want {
		return
	}
	*p = preview{id: r.id, view: r.view}
	if r.err != nil {
		p.fail, _ = said(r.err)
	}
}

// shown is the ask whose card is in the pane; false while none is.
func (p *preview) shown() (*queue.AskView, bool) {
	return &p.view, p.id != "" && p.fail == ""
}

// render draws h rows of w cells.
func (p *preview) render(head string, look frame.Look, w, h int) []frame.Line {
	rows := []frame.Line{{frame.S(themes.Faint, " "+head)}}
	switch {
	case p.fail != "":
		return append(rows, frame.Line{frame.Gap(1), frame.T(themes.Warn, visible.Row(p.fail))})
	case p.id == "":
		return rows
	case p.view.Card == "":
		return append(rows, frame.Line{frame.S(themes.Muted, " The card was pruned; its digest is kept:")},
			frame.Line{frame.Gap(1), frame.T(themes.Text, visible.Row(string(p.view.Row.ShownDigest)))})
	}
	if opts := detail.Options(look, true); p.lay == nil || p.lay.Width() != w || p.opts != opts {
		p.opts = opts
		p.lay = cardview.New(card.Lines([]byte(p.view.Card)), w, opts)
	}
	body := max(h-2, 0)
	for _, row := range p.lay.Window(0, body) {
		rows = append(rows, cardLine(row))
	}
	for len(rows) < h-1 {
		rows = append(rows, nil)
	}
	first, last, ok := p.lay.Whole(0, body)
	if !ok {
		last = -1
	}
	at := " lines " + say.Number(int64(first+1)) + "-" + say.Number(int64(last+1)) + " of " + say.Number(int64(p.lay.Lines()))
	return append(rows, frame.Line{frame.S(themes.Faint, at)})
}

// cardLine is a row of a card in the theme's roles.
func cardLine(row cardview.Row) frame.Line {
	line := make(frame.Line, 0, len(row.Spans)+1)
	line = append(line, frame.Gap(1)) // in the gutter's place: nothing is counted here
	for _, s := range row.Spans {
		line = append(line, frame.T(s.Role.Theme(), s.Text))
	}
	return line
}
