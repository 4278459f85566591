// Package detail is one ask, open: its card, how much of it was displayed, and
// the gate before an answer. An effect opens the same way: its page stands in
// the card's place.
//
// The rule it keeps (DESIGN §9): the detail is the card, verbatim, and nothing
// else on the page counts as reading it. What the operator decides is bound to
// the card that this page displays. A page of a batch shows its cards one at a
// time, under one gate.
package detail

import (
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/digest/card"
	"nod/digest/visible"
	"nod/queue"
	"nod/tui/field"
	"nod/tui/gate"
	"nod/tui/say"
)

// Page is one open ask. It belongs to one goroutine.
type Page struct {
	Sheet
	batch  *batch     // nil for one ask
	desk   *desk      // nil for an ask
	gate   *gate.Gate // nil when there was nothing to decide at opening
	keys   gate.Keys
	out    gate.Outcome
	given  *gate.Decision // given out by the gate and not yet fetched
	words  field.Field
	answer string
	terms  Terms
	said   *gate.Message // instead of the gate's, after an act
}

// Terms go with an allow beside the words: how long it is held, and for how
// many more of the same it counts.
type Terms struct {
	HoldMS   int64 // not before, from the decision
	Times    int64 // more of this exact digest in this session; 0 for none
	WithinMS int64 // for so long
}

// String is the terms in a sentence; "" for none.
func (t Terms) String() string {
	var parts []string
	if t.HoldMS > 0 {
		parts = append(parts, "held "+say.Span(t.HoldMS))
	}
	if t.Times > 0 {
		parts = append(parts, "and "+say.Number(t.Times)+" more within "+say.Span(t.WithinMS))
	}
	return strings.Join(parts, ", ")
}

// New opens an ask at ms of the console's clock; k are the keys that the gate
// listens to.
func New(view queue.AskView, k gate.Keys, loc *time.Location, ms int64) *Page {
	p := &Page{Sheet: NewSheet(view), keys: k}
	if view.Row.State != queue.StatePending || view.Card == "" {
		return p
	}
	row := &view.Row
	facts := gate.Facts{
		Keys: k, Ask: row.ID, Shown: row.ShownDigest, Mandated: row.Mandated, Irreversible: row.Irreversible,
		Confirm: view.Confirm, Redescribed: view.Changed, ExpiresMS: ms + row.AnswerBy - view.Now,
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

// What the operator wrote, and how the gate stands.
func (p *Page) WordCount() int       { return p.words.Len() }
func (p *Page) Words() string        { return p.words.Text() }
func (p *Page) Answer() string       { return p.answer }
func (p *Page) Mode() gate.Mode      { return p.out.Mode }
func (p *Page) WakeAt() int64        { return p.out.WakeAt }
func (p *Page) Armed() bool          { return p.out.Armed }
func (p *Page) MayAllow() bool       { return p.out.MayAllow }
func (p *Page) Line() gate.Line      { return p.out.Line }
func (p *Page) Bound() digest.Digest { return p.gate.Shown() }
func (p *Page) HasGate() bool        { return p.gate != nil }
func (p *Page) IsSlow() bool         { return p.gate != nil && p.gate.Slow() }

// Pending reports whether the ask can still be decided here.
func (p *Page) Pending() bool {
	return p.gate != nil && p.out.Mode != gate.ModeOver && p.view.Row.State == queue.StatePending
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
	p.tell(p.count(), ms)
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

// Painted says that the rows which Fit laid out go to the terminal as a frame.
func (p *Page) Painted(id uint64, ms int64) {
	if p.read == nil {
		return
	}
	p.Sheet.Paint(id)
	if p.gate != nil {
		p.tellRead(ms)
		p.Handle(gate.Painted{Frame: id}, ms)
	}
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

// Written reports whether something was written for the answer.
func (p *Page) Written() bool {
	if p.desk != nil {
		return p.desk.draft.Act != ""
	}
	return p.answer != "" || p.words.Len() > 0 || p.terms != Terms{}
}

// SetTerms takes what else goes with an allow.
func (p *Page) SetTerms(t Terms, ms int64) {
	p.terms = t
	p.Handle(gate.Terms{Text: t.String()}, ms)
}

// Terms are what goes with an allow beside the words.
func (p *Page) Terms() Terms { return p.terms }

// Slow makes the whole card be read anew, because answers came too fast to have
// read; rest is the sentence after "Slow down:".
func (p *Page) Slow(rest string, ms int64) {
	if p.gate == nil {
		return
	}
	p.ReadAnew()
	if p.read != nil {
		p.tellRead(ms)
	}
	p.Handle(gate.Slow{Rest: rest}, ms)
}

// Say puts a sentence in the gate row until the next key.
func (p *Page) Say(m gate.Message) { p.said = &m }

// Update takes the ask as it was read again and tells the gate what changed.
func (p *Page) Update(view queue.AskView, loc *time.Location, ms int64) {
	before := p.view.Row
	if p.batch != nil {
		p.updateCard(view, ms)
		return
	}
	if view.Row.ID != before.ID {
		return
	}
	if view.Card == "" || view.Row.ShownDigest != before.ShownDigest {
		view.Card = p.view.Card // what is displayed stays; the gate closes below
	}
	p.view = view
	if n := len(view.Attempts); p.said != nil && n > 0 && before.State == queue.StateAllowed && view.Row.State == queue.StateSpent {
		p.Say(gate.Begun(say.ClockSec(view.Attempts[n-1].BeganAt, view.Now, loc))) // what was said of the allow is so no more
	}
	if p.gate == nil {
		return
	}
	row := &view.Row
	switch {
	case row.ShownDigest != before.ShownDigest:
		p.Handle(gate.Changed{Shown: row.ShownDigest}, ms)
	case row.State == queue.StatePending:
		if row.Waits(view.Now) != before.Waits(view.Now) || row.ClaimedBy != before.ClaimedBy {
			p.Handle(gate.Changed{Shown: row.ShownDigest}, ms)
		}
	case p.out.Mode == gate.ModeSent || p.out.Mode == gate.ModeOver:
		// What became of the answer that was sent is said first.
	case row.State == queue.StateExpired:
		p.Handle(gate.Expired{}, ms)
	default:
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
