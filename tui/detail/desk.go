package detail

import (
	"slices"
	"strings"
	"time"

	"nod/ambiguity"
	"nod/digest"
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/gate"
)

// Draft is an answer to an effect that was written and is not given.
type Draft struct {
	Act      string // of queue.AnswerView: committed, not_executed, unknown, acknowledge, open
	Attempt  string // that it is about; "" for the effect as a whole
	Reason   string
	Evidence string
	Durable  bool
}

// Give is the draft as an act on the effect, bound to the page with this digest;
// proof are the members that say how a person proved it.
func (d Draft) Give(v *queue.Desk, page digest.Digest, proof queue.Reconcile) queue.Act {
	switch d.Act {
	case queue.AnswerAcknowledge:
		return queue.AckEffect{Effect: v.Effect.ID, Page: page, Reason: d.Reason}
	case queue.AnswerOpen:
		return queue.OpenEffect{Effect: v.Effect.ID, Page: page, Reason: d.Reason}
	}
	proof.Attempt, proof.Outcome, proof.Page = d.Attempt, queue.AttemptState(d.Act), page
	proof.Reason, proof.Evidence, proof.Durable = d.Reason, d.Evidence, d.Durable
	if a := v.Answer(d.Act, d.Attempt); a != nil {
		proof.Correct = a.Correct
	}
	return proof
}

// desk is what a page of an effect holds beside its text: the page that an
// answer is bound to is the card of the sheet (DESIGN §5).
type desk struct {
	view    queue.Desk
	attempt string // that the answers are about
	chosen  bool   // by the operator
	draft   Draft
	key     string // of the draft, as the bindings have it
	hint    gate.Message
	toldAt  int64 // when what was said of an answer was so, effective Unix ms
}

// NewDesk opens an effect at ms of the console's clock. Of k the keys that its
// sentences name count: which key gives an answer comes with the answer.
func NewDesk(view queue.Desk, k gate.Keys, _ *time.Location, ms int64) *Page {
	p := &Page{Sheet: NewSheet(CardOf(&view)), keys: k, desk: &desk{view: view}}
	p.desk.attempt = view.Usual()
	if view.Page == "" {
		return p
	}
	is := "the last part of the effect key"
	if view.Confirm == view.Effect.Tool {
		is = "the tool's name"
	}
	p.gate = gate.New(gate.Facts{Keys: k, Kind: gate.Desk, Ask: view.Effect.ID, Shown: view.Digest, Confirm: view.Confirm, ConfirmIs: is}, ms)
	return p
}

// CardOf is the page in the form in which a sheet takes a card.
func CardOf(view *queue.Desk) queue.AskView {
	e := &view.Effect
	return queue.AskView{Card: view.Page, Now: view.Now, Row: queue.Row{ID: e.ID, ShownDigest: view.Digest, Tool: e.Tool, Session: e.Session}}
}

// Desk is the effect as it was last read; nil for an ask.
func (p *Page) Desk() *queue.Desk {
	if p.desk == nil {
		return nil
	}
	return &p.desk.view
}

// Attempt is the attempt that the answers are about; nil where nothing began.
func (p *Page) Attempt() *queue.DeskAttempt {
	return p.desk.view.Attempt(p.desk.attempt)
}

// NextAttempt makes the answers be about the attempt before, or the newest after
// the first; false where there is only one.
func (p *Page) NextAttempt() bool {
	all := p.desk.view.Attempts
	if len(all) < 2 {
		return false
	}
	at := slices.IndexFunc(all, func(a queue.DeskAttempt) bool { return a.ID == p.desk.attempt })
	if at--; at < 0 {
		at = len(all) - 1
	}
	p.desk.attempt, p.desk.chosen = all[at].ID, true
	return true
}

// AnswerTo is what the queue says of an answer now; false where it is none that
// the effect could get.
func (p *Page) AnswerTo(act string) (queue.AnswerView, bool) {
	if a := p.desk.view.Answer(act, p.desk.attempt); a != nil {
		return *a, true
	}
	return queue.AnswerView{}, false
}

// Draft is the answer that is written; its zero value is none.
func (p *Page) Draft() Draft { return p.desk.draft }

// Drafted reports whether words for an answer are there, for one that cannot be
// given any more too.
func (p *Page) Drafted() bool {
	return p.desk != nil && (p.desk.draft.Reason != "" || p.desk.draft.Evidence != "")
}

// SetDraft takes an answer that was written, which key gives; the zero Draft
// takes it away.
func (p *Page) SetDraft(d Draft, key string, ms int64) {
	p.desk.draft, p.desk.key = d, key
	if d.Attempt != "" {
		p.desk.attempt = d.Attempt
	}
	p.tellDraft(ms)
}

func (p *Page) tellDraft(ms int64) {
	d := p.desk.draft
	if d.Act == "" {
		p.Handle(gate.Draft{}, ms)
		return
	}
	a, _ := p.AnswerTo(d.Act)
	p.Handle(gate.Draft{Verdict: gate.Verdict(d.Act), Key: p.desk.key, Full: d.Act == string(ambiguity.NotExecuted),
		Says: Says(d.Act, a.Correct), Opens: unlocks(a)}, ms)
}

// Says is an answer in our own words, the head of a sentence.
func Says(act string, correct bool) string {
	say := map[string]string{
		string(ambiguity.Committed): "It happened", string(ambiguity.NotExecuted): "It did not happen",
		string(ambiguity.Unknown): "Still unknown", queue.AnswerAcknowledge: "Read", queue.AnswerOpen: "One more, on purpose",
	}[act]
	if correct {
		return "Correction, " + lower(say)
	}
	return say
}

func lower(s string) string {
	if s == "" {
		return s
	}
	return string(s[0]|0x20) + s[1:]
}

// unlocks is what an answer opens, as the rest of a sentence.
func unlocks(a queue.AnswerView) string {
	switch { // the queue's own sentence is longer than one row
	case a.Act == string(ambiguity.NotExecuted) && a.Repeats == "":
		return "opens one new attempt, on an approval given after this."
	case a.Act == string(ambiguity.Unknown):
		return "repeats stay blocked; your reason is here for the next reader."
	}
	text := a.Unlocks
	for _, nothing := range []string{"Nothing: ", "Nothing yet: "} {
		text = strings.TrimPrefix(text, nothing)
	}
	return lower(text)
}

// SetHint is what the row of the gate says while no answer is written.
func (p *Page) SetHint(m gate.Message) { p.desk.hint = m }

// Tell is Say of what was so at that time: it goes with the first thing that was
// said or begun since.
func (p *Page) Tell(m gate.Message, at int64) {
	p.Say(m)
	p.desk.toldAt = at
}

// since reports whether anything of the effect happened after a time.
func since(v *queue.Desk, at int64) bool {
	return slices.ContainsFunc(v.Facts, func(f queue.FactView) bool { return f.At > at }) ||
		slices.ContainsFunc(v.Attempts, func(a queue.DeskAttempt) bool { return a.BeganAt > at })
}

// UpdateDesk takes the effect as it was read again. Another page disarms, says
// so and is to be read anew; what was written is kept.
func (p *Page) UpdateDesk(view queue.Desk, ms int64) {
	d := p.desk
	if view.Effect.ID != d.view.Effect.ID {
		return
	}
	changed, sent := view.Digest != d.view.Digest, p.out.Mode == gate.ModeSent
	was, _ := p.AnswerTo(d.draft.Act)
	d.view = view
	if since(&view, d.toldAt) {
		p.said = nil
	}
	if !d.chosen && d.draft.Act == "" || p.Attempt() == nil {
		d.attempt = view.Usual()
	}
	if p.gate != nil && d.draft.Act != "" && !sent {
		// It is settled by now, so or otherwise: the words stay for another answer. A
		// correction is none that anybody wrote.
		if is, ok := p.AnswerTo(d.draft.Act); !ok || is.Correct != was.Correct {
			d.draft.Act, d.draft.Attempt = "", ""
		}
		p.tellDraft(ms)
	}
	if changed && view.Page != "" {
		p.Sheet.Replace(CardOf(&view))
		if p.gate != nil {
			p.Handle(gate.Changed{Shown: view.Digest}, ms)
		}
	}
}

// Gone says that the answer was taken: nothing is written any more.
func (p *Page) Gone(ms int64) { p.SetDraft(Draft{}, "", ms) }

// Due reports whether an answer that was not open when the effect was read may be
// open now.
func (p *Page) Due(now int64) bool {
	if p.desk == nil {
		return false
	}
	return slices.ContainsFunc(p.desk.view.Answers, func(a queue.AnswerView) bool { return !a.Open && a.At > 0 && a.At <= now })
}

// Check refuses what no answer takes, as the queue would.
func (d Draft) Check() error {
	switch d.Act {
	case queue.AnswerAcknowledge:
		return nil
	case queue.AnswerOpen:
		return queue.CheckReason(queue.AttemptUnknown, d.Reason, "")
	}
	return queue.CheckReason(queue.AttemptState(d.Act), d.Reason, d.Evidence)
}

// Sentence is an answer and what it unlocks.
func Sentence(a queue.AnswerView) gate.Message {
	role := themes.Text
	if a.Act == string(ambiguity.NotExecuted) {
		role = themes.Danger
	}
	return gate.Message{Head: visible.Drawn(Says(a.Act, a.Correct) + ":"), Rest: visible.Drawn(" " + unlocks(a)), Role: role}
}

// Wrap sets a sentence in rows of w cells.
func Wrap(look frame.Look, m gate.Message, w int) []frame.Line { return wrap(look, m, w) }
