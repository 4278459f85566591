// Package detail is one ask, open: its card, how much of it was displayed, and
// the gate before an answer.
//
// The rule it keeps (DESIGN §9): the detail is the card, verbatim, and nothing
// else on the page counts as reading it. What the operator decides is bound to
// the card that this page displays; a page never shows a second ask.
package detail

import (
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/digest/card"
	"nod/digest/visible"
	"nod/queue"
	"nod/tui/cardview"
	"nod/tui/field"
	"nod/tui/frame"
	"nod/tui/gate"
	"nod/tui/say"
)

// Page is one open ask. It belongs to one goroutine.
type Page struct {
	view   queue.AskView
	lines  []card.Line
	opts   cardview.Options
	lay    *cardview.Layout
	read   *cardview.Reading
	gate   *gate.Gate // nil when there was nothing to decide at opening
	out    gate.Outcome
	given  *gate.Decision // given out by the gate and not yet fetched
	top    int
	shown  painting
	asked  int // the card's line whose value an approval types; -1 for none
	words  field.Field
	answer string
	said   *gate.Message // instead of the gate's, after an act
}

// painting is what the newest frame shows of the card.
type painting struct {
	lay         *cardview.Layout
	top, height int
}

// New opens an ask at ms of the console's clock; k are the keys that the gate
// listens to.
func New(view queue.AskView, k gate.Keys, loc *time.Location, ms int64) *Page {
	p := &Page{view: view, asked: -1, lines: card.Lines([]byte(view.Card))}
	if view.Row.State != queue.StatePending || view.Card == "" {
		return p
	}
	row := &view.Row
	facts := gate.Facts{
		Keys: k, Ask: row.ID, Shown: row.ShownDigest, Mandated: row.Mandated, Irreversible: row.Irreversible,
		Confirm: view.Confirm, ExpiresMS: ms + row.AnswerBy - view.Now,
		AnswerBy: say.Clock(row.AnswerBy, view.Now, loc),
		UseBy:    say.Clock(view.Now+row.UseWithinMS, view.Now, loc),
	}
	switch row.Kind {
	case "question":
		facts.Kind = gate.Question
	case "commit":
		facts.Kind = gate.Commit
	}
	p.gate = gate.New(facts, ms)
	return p
}

// ID is the ask's whole id, Row the ask as last read.
func (p *Page) ID() string      { return p.view.Row.ID }
func (p *Page) Row() *queue.Row { return &p.view.Row }
func (p *Page) WordCount() int  { return p.words.Len() }
func (p *Page) Words() string   { return p.words.Text() }
func (p *Page) Answer() string  { return p.answer }
func (p *Page) Mode() gate.Mode { return p.out.Mode }
func (p *Page) WakeAt() int64   { return p.out.WakeAt }
func (p *Page) Armed() bool     { return p.out.Armed }
func (p *Page) MayAllow() bool  { return p.out.MayAllow }
func (p *Page) Card() string    { return p.view.Card }
func (p *Page) Unread() int     { return p.unread() }
func (p *Page) Line() gate.Line { return p.out.Line }
func (p *Page) HasGate() bool   { return p.gate != nil }

// Pending reports whether the ask can still be decided here.
func (p *Page) Pending() bool {
	return p.gate != nil && p.out.Mode != gate.ModeOver && p.view.Row.State == queue.StatePending
}

func (p *Page) unread() int {
	if p.read == nil {
		return 0
	}
	return p.read.Unread()
}

// Handle gives an event that came in at ms to the gate and lets reading know
// what follows from it.
func (p *Page) Handle(ev gate.Event, ms int64) gate.Outcome {
	if p.gate == nil {
		if c, ok := ev.(gate.Confirmed); ok && p.read != nil {
			p.read.Confirm(c.Frame)
		}
		return gate.Outcome{}
	}
	if _, ok := ev.(gate.Key); ok {
		p.said = nil
	}
	out := p.tell(ev, ms)
	if p.read == nil {
		return out
	}
	if out.Frame != 0 {
		p.read.Confirm(out.Frame)
	}
	if out.Skip != 0 {
		p.read.Skip(out.Skip)
	}
	if out.Frame != 0 || out.Skip != 0 {
		p.tellRead(ms)
	}
	p.mark()
	return out
}

func (p *Page) tellRead(ms int64) {
	p.tell(gate.Read{Seen: p.read.Seen(), All: p.read.All(), Skipped: p.read.Skipped()}, ms)
}

// tell gives the gate an event. Any event may be the one at which what was
// typed counts, so the decision is kept until it is fetched.
func (p *Page) tell(ev gate.Event, ms int64) gate.Outcome {
	p.out = p.gate.Handle(ev, ms)
	if p.out.Decision != nil {
		p.given = p.out.Decision
	}
	return p.out
}

// Decision fetches what the gate gave out; nil for nothing.
func (p *Page) Decision() *gate.Decision {
	d := p.given
	p.given = nil
	return d
}

// mark finds the line whose value the open line asks for and brings it into
// view.
func (p *Page) mark() {
	if p.out.Mode != gate.ModeValue && p.out.Mode != gate.ModeCode || p.view.Confirm == "" || p.lay == nil {
		p.asked = -1
		return
	}
	if p.asked >= 0 {
		return
	}
	want, at := "tool", p.view.ConfirmAt
	switch {
	case p.view.Row.Kind == "commit":
		want = "commit boundary"
	case at != "":
		want = "arguments"
	}
	p.asked = slices.IndexFunc(p.lines, func(l card.Line) bool { return l.Stem == want && l.Pointer == at && !l.Continued })
	if p.asked >= 0 && p.shown.height > 0 {
		first, last := p.lay.FirstRow(p.asked), p.lay.LastRow(p.asked)
		if first < p.top || last >= p.top+p.shown.height {
			p.top = p.lay.Clamp(first-1, p.shown.height)
		}
	}
}

// Options are how a card is laid out on a screen.
func Options(look frame.Look, beside bool) cardview.Options {
	o := cardview.Options{ASCII: look.Glyphs.ASCII, Indent: 1, Groups: look.H >= 30}
	if beside {
		o.Indent = 0
	}
	if look.W >= wideLabels {
		o.Labels = wideLabelCells
	}
	return o
}

// From wideLabels columns on the labels get more room than SCREENS' 13 cells,
// so that the members of a call's arguments stand beside their values.
const (
	wideLabels     = 80
	wideLabelCells = 20
)

// Fit lays the card out for a pane and keeps the same words at the top. It
// reports whether the rows that the pane shows are others than before.
func (p *Page) Fit(look frame.Look, w, h int, beside bool) bool {
	if p.view.Card == "" {
		return false
	}
	if p.lay == nil || p.opts != Options(look, beside) || p.lay.Width() != w {
		p.opts = Options(look, beside)
		lay := cardview.New(p.lines, w, p.opts)
		if p.lay != nil {
			p.top = lay.RowOf(p.lay.PlaceOf(p.top))
		}
		p.lay = lay
		if p.read == nil {
			p.read = cardview.NewReading(lay)
		}
	}
	p.top = p.lay.Clamp(p.top, h)
	now := painting{p.lay, p.top, h}
	if now == p.shown {
		return false
	}
	p.shown = now
	return true
}

// Painted says that the rows which Fit laid out go to the terminal as a frame.
func (p *Page) Painted(id uint64, ms int64) {
	if p.read == nil {
		return
	}
	p.read.Painted(id, p.shown.lay, p.shown.top, p.shown.height)
	if p.gate != nil {
		p.tellRead(ms)
		p.Handle(gate.Painted{Frame: id}, ms)
	}
}

// Forget drops what waits for its confirmation: the page was covered, or its
// size changed.
func (p *Page) Forget() {
	p.shown = painting{}
	if p.read != nil {
		p.read.Drop()
	}
}

// Scroll moves by rows; the top is clamped by the next Fit.
func (p *Page) Scroll(n int) {
	if p.lay != nil {
		p.top = p.lay.Clamp(p.top+n, max(p.shown.height, 1))
	}
}

// Body is how many rows of the card are on the screen.
func (p *Page) Body() int { return max(p.shown.height, 1) }

// ToTop and ToEnd go to the card's ends.
func (p *Page) ToTop() { p.top = 0 }
func (p *Page) ToEnd() { p.Scroll(1 << 40) }

// ToUnread goes to the next line that was not displayed; false when all were.
func (p *Page) ToUnread() bool {
	if p.read == nil || p.lay == nil {
		return false
	}
	from := 0
	if _, last, ok := p.lay.Whole(p.top, p.shown.height); ok {
		from = last + 1
	}
	n, ok := p.read.NextUnread(from)
	if !ok {
		return false
	}
	row := p.lay.RowOf(p.read.Gap(n)) // in a line longer than the screen: go on in it
	if row < p.top || row >= p.top+p.shown.height {
		p.top = p.lay.Clamp(row, p.shown.height)
	}
	return true
}

// SetWords takes the words that go with either answer.
func (p *Page) SetWords(s string, ms int64) {
	p.words.Set(s)
	p.Handle(gate.Words{Text: s}, ms)
}

// SetAnswer takes the answer to a question, JSON.
func (p *Page) SetAnswer(json string, ms int64) {
	p.answer = json
	p.Handle(gate.Answer{JSON: json}, ms)
}

// Say puts a sentence in the gate row until the next key.
func (p *Page) Say(m gate.Message) { p.said = &m }

// Update takes the ask as it was read again and tells the gate what changed.
func (p *Page) Update(view queue.AskView, loc *time.Location, ms int64) {
	before := p.view.Row
	if view.Row.ID != before.ID {
		return
	}
	if view.Card == "" || view.Row.ShownDigest != before.ShownDigest {
		view.Card = p.view.Card // what is displayed stays; the gate closes below
	}
	p.view = view
	if p.gate == nil {
		return
	}
	row := &view.Row
	switch {
	case row.ShownDigest != before.ShownDigest:
		p.Handle(gate.Changed{Shown: row.ShownDigest}, ms)
	case row.State == before.State:
		if row.Waits(view.Now) != before.Waits(view.Now) {
			p.Handle(gate.Changed{Shown: row.ShownDigest}, ms)
		}
	case row.State == queue.StateExpired:
		p.Handle(gate.Expired{}, ms)
	case row.State != queue.StatePending && p.out.Mode != gate.ModeSent:
		p.Handle(gate.DecidedElsewhere{
			Who: visible.Of(visible.Name, row.Decider), Verb: verb(row), At: say.ClockSec(row.MovedAt, view.Now, loc),
		}, ms)
	}
}

func verb(row *queue.Row) string {
	switch row.State {
	case queue.StateWithdrawn:
		return "withdrew"
	case queue.StateAllowed, queue.StateSpent, queue.StateLapsed, queue.StateRevoked:
		return "allowed"
	case queue.StateAnswered:
		return "answered"
	}
	return "denied"
}

// Taken says that the queue took the decision which the gate gave out.
func (p *Page) Taken(r queue.Decided, ms int64) {
	p.view.Row.State = r.State
	p.view.Decision = &r.Decision
	if p.gate != nil {
		p.Handle(gate.DecidedElsewhere{Verb: verb(&p.view.Row), At: ""}, ms)
	}
}

// WantsString reports whether the question's schema asks for a plain string,
// so that what is typed is taken as text even where it reads as JSON.
func (p *Page) WantsString() bool {
	ask, err := digest.ParseAsk(p.view.Ask, digest.Limits{})
	if err != nil || ask.Question == nil {
		return false
	}
	var schema struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(ask.Question.Schema, &schema); err != nil {
		return false // the queue validates; here it only decides about quotes
	}
	return schema.Type == "string"
}
