package stats

import (
	"strings"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/frame"
	"nod/tui/say"
)

// Span is how far back the view looks.
type Span uint8

// Spans.
const (
	Day Span = iota
	Week
	Month
)

// spans are the spans' words, lengths and cells.
var spans = [...]struct {
	word, length, cell string
	ms, cells          int64
}{
	Day:   {"day", "24 hours", "an hour", say.Day, 24},
	Week:  {"week", "7 days", "6 hours", say.Week, 28},
	Month: {"month", "30 days", "a day", 30 * say.Day, 30},
}

// Order says which of the two tables stands first.
type Order uint8

// Orders.
const (
	ByVerdict Order = iota
	ByTool
)

// Page is the view's state. The zero Page looks at a day and has read nothing.
type Page struct {
	stats    queue.Stats
	counters queue.Counters
	loaded   bool
	span     Span
	order    Order
	sel      string // key of the row under the hand; "" is the first one
	scroll   frame.Scroll
	pace     pace
}

type pace struct{ n, half, limit int64 }

// Query reads what the view shows.
func (p *Page) Query() queue.QStats {
	return queue.QStats{SpanMS: spans[p.span].ms, Cells: spans[p.span].cells}
}

// Loaded reports whether the numbers of the span came.
func (p *Page) Loaded() bool { return p.loaded }

// Show takes the answer to q. One that was asked for another span is dropped.
func (p *Page) Show(q queue.QStats, s queue.Stats) {
	if q != p.Query() {
		return
	}
	p.stats, p.loaded = s, true
	for i := range s.Tools {
		if p.sel == toolKey(&s.Tools[i]) {
			return
		}
	}
	if !strings.HasPrefix(p.sel, verdictKey) {
		p.sel = ""
		p.scroll.Reset()
	}
}

// Counters gives the kept counters: the unknown outcomes are among them.
func (p *Page) Counters(c queue.Counters) { p.counters = c }

// Span is how far back the view looks.
func (p *Page) Span() Span { return p.span }

// SetSpan looks further or less far back. What was read is forgotten: Query
// must be asked anew.
func (p *Page) SetSpan(s Span) {
	if s != p.span && int(s) < len(spans) {
		p.span, p.loaded = s, false
	}
}

// Order says which table stands first.
func (p *Page) Order() Order { return p.order }

// SetOrder puts the other table first.
func (p *Page) SetOrder(o Order) {
	if o != p.order {
		p.order, p.sel = o, ""
		p.scroll.Reset()
	}
}

// PaceMS is the time over which a pace is counted.
const PaceMS = 10 * say.Minute

// SetPace says how fast this operator answered in the last PaceMS: n answers,
// half of them within halfMS. Below limitMS a card is asked for again.
func (p *Page) SetPace(n, halfMS, limitMS int64) { p.pace = pace{n, halfMS, limitMS} }

// Selected is the tool under the hand; "" with true is the questions.
func (p *Page) Selected() (tool string, ok bool) {
	if t := p.selected(); t != nil {
		return t.Tool, true
	}
	return "", false
}

func (p *Page) selected() *queue.ToolStat {
	for i := range p.stats.Tools {
		if p.loaded && p.stats.Tools[i].Tool == strings.TrimPrefix(p.key(), toolsKey) && strings.HasPrefix(p.key(), toolsKey) {
			return &p.stats.Tools[i]
		}
	}
	return nil
}

// key is the key of the row under the hand.
func (p *Page) key() string {
	switch {
	case p.sel != "":
		return p.sel
	case p.order == ByTool && len(p.stats.Tools) > 0:
		return toolKey(&p.stats.Tools[0])
	}
	return verdictKey + "0"
}

// Filter is the history of the row under the hand over the span, and its
// name. False where the history has none: what still waits is in the inbox.
func (p *Page) Filter() (f queue.Filter, name visible.Text, ok bool) {
	if !p.loaded {
		return queue.Filter{}, visible.Text{}, false
	}
	f.Since = p.stats.From
	if t := p.selected(); t != nil {
		if t.Tool == "" {
			f.Kind = "question"
			return f, visible.Own("questions"), true
		}
		f.Tool = t.Tool
		return f, visible.Concat(visible.Own("tool "), visible.Row(t.Tool)), true
	}
	switch p.key() {
	case verdictKey + "0":
		f.By, f.Verdict = queue.ByPerson, queue.VerdictAllow
		return f, visible.Own("allowed by a person"), true
	case verdictKey + "1":
		f.By = queue.ByRule
		return f, visible.Own("answered by a rule"), true
	case verdictKey + "2":
		f.Verdict = queue.VerdictDeny
		return f, visible.Own("denied"), true
	case verdictKey + "3":
		f.State = queue.StateWithdrawn
		return f, visible.Own("withdrawn"), true
	case verdictKey + "4":
		f.State = queue.StateExpired
		return f, visible.Own("nobody answered"), true
	}
	return queue.Filter{}, visible.Text{}, false
}

// Move moves the selection by n rows; w and h are what Render is given.
func (p *Page) Move(n int, look frame.Look, w, h int) {
	if !p.loaded {
		return
	}
	lines := p.tables(look, w)
	from := at(lines, p.key())
	to := from
	for i, step := from, sign(n); n != 0; {
		i += step
		if i < 0 || i >= len(lines) {
			break
		}
		if lines[i].key != "" {
			to, n = i, n-step
		}
	}
	p.sel = lines[to].key
	h -= len(p.above(look, w))
	p.scroll.Move(from, lead(lines, from), to, len(lines), max(h, 1))
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// Top goes to the first row.
func (p *Page) Top(look frame.Look, w, h int) { p.Move(-maxRows, look, w, h) }

// End goes to the last row.
func (p *Page) End(look frame.Look, w, h int) { p.Move(maxRows, look, w, h) }

// maxRows is more rows than the tables have.
const maxRows = 1000

// Keys of rows.
const (
	toolsKey   = "t"
	verdictKey = "v"
)

func toolKey(t *queue.ToolStat) string { return toolsKey + t.Tool }
