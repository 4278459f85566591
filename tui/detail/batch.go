package detail

import (
	"time"

	"nod/digest"
	"nod/queue"
	"nod/tui/gate"
	"nod/tui/say"
)

// batch is a page's further cards: one gate stands before all of them, and one
// of them is displayed at a time (DESIGN §9, Batch).
type batch struct {
	cards []Sheet // the displayed one is kept in Page.Sheet meanwhile
	at    int
	dwell []int64 // ms on the screen, each
	since int64   // when the displayed one came
	left  []bool  // was decided or changed elsewhere: the queue will skip it
}

// NewBatch opens several asks under one gate. Its code is of
// queue.BatchDigest over their shown digests in this order.
func NewBatch(views []queue.AskView, k gate.Keys, loc *time.Location, ms int64) *Page {
	p := &Page{Sheet: NewSheet(views[0]), keys: k}
	b := &batch{cards: make([]Sheet, len(views)), dwell: make([]int64, len(views)), left: make([]bool, len(views)), since: ms}
	facts := gate.Facts{Keys: k, Batch: len(views)}
	shown := make([]digest.Digest, len(views))
	for i := range views {
		v := &views[i]
		b.cards[i] = NewSheet(*v)
		shown[i] = v.Row.ShownDigest
		if by := ms + v.Row.AnswerBy - v.Now; by > facts.ExpiresMS {
			facts.ExpiresMS, facts.AnswerBy = by, say.Clock(v.Row.AnswerBy, v.Now, loc)
		}
	}
	facts.Shown = queue.BatchDigest(shown)
	p.batch, p.gate = b, gate.New(facts, ms)
	p.tellRead(ms)
	return p
}

// Cards is how many asks the page answers at once; 1 for an ordinary one.
func (p *Page) Cards() int {
	if p.batch == nil {
		return 1
	}
	return len(p.batch.cards)
}

// Go displays the card n places on; false when there is none.
func (p *Page) Go(n int, ms int64) bool {
	b := p.batch
	if b == nil || b.at+n < 0 || b.at+n >= len(b.cards) {
		return false
	}
	p.Sheet.Forget()
	b.cards[b.at] = p.Sheet
	b.dwell[b.at] += ms - b.since
	b.at, b.since = b.at+n, ms
	p.Sheet = b.cards[b.at]
	p.Handle(gate.Changed{Shown: p.gate.Shown()}, ms)
	return true
}

// card is the i-th of a batch's sheets.
func (p *Page) card(i int) *Sheet {
	if i == p.batch.at {
		return &p.Sheet
	}
	return &p.batch.cards[i]
}

// Unseen is how many lines of all the page's cards were not displayed.
func (p *Page) Unseen() int {
	if p.batch == nil {
		return p.Unread()
	}
	r := p.count()
	return r.All - r.Seen
}

// ToUnseen goes to the next line that was not displayed, in a later card when
// this one has none.
func (p *Page) ToUnseen(ms int64) bool {
	if p.ToUnread() || p.batch == nil {
		return p.batch == nil
	}
	n := len(p.batch.cards)
	for i := 1; i < n; i++ {
		to := (p.batch.at + i) % n
		if p.batch.cards[to].Unread() > 0 {
			return p.Go(to-p.batch.at, ms)
		}
	}
	return false
}

// Items are the asks of a batch as they were displayed.
func (p *Page) Items(ms int64) []queue.BatchItem {
	b := p.batch
	out := make([]queue.BatchItem, len(b.cards))
	for i := range b.cards {
		s, dwell := p.card(i), b.dwell[i]
		if i == b.at {
			dwell += ms - b.since
		}
		seen, all := s.Seen()
		out[i] = queue.BatchItem{Ask: s.ID(), ActionDigest: s.view.Row.ActionDigest, ShownDigest: s.view.Row.ShownDigest,
			DwellMS: dwell, LinesSeen: int64(seen), LinesAll: int64(all)}
	}
	return out
}

// IDs are the whole ids of the page's asks.
func (p *Page) IDs() []string {
	if p.batch == nil {
		return []string{p.ID()}
	}
	out := make([]string, len(p.batch.cards))
	for i := range p.batch.cards {
		out[i] = p.batch.cards[i].ID()
	}
	return out
}

// Left is how many asks of a batch were answered or changed elsewhere since.
func (p *Page) Left() int {
	n := 0
	if p.batch != nil {
		for _, l := range p.batch.left {
			if l {
				n++
			}
		}
	}
	return n
}

// updateCard takes one ask of a batch as it was read again: what changed on
// the screen disarms, what left the batch is skipped by the queue and named.
func (p *Page) updateCard(view queue.AskView, ms int64) {
	for i := range p.batch.cards {
		s := p.card(i)
		before := s.view.Row
		if before.ID != view.Row.ID {
			continue
		}
		if view.Card == "" || view.Row.ShownDigest != before.ShownDigest {
			// What was displayed stays: the queue skips it by its digests.
			view.Card, view.Row.ShownDigest, view.Row.ActionDigest = s.view.Card, before.ShownDigest, before.ActionDigest
			p.batch.left[i] = true
		}
		s.view = view
		if view.Row.State != queue.StatePending {
			p.batch.left[i] = true
		}
		if view.Row.State != before.State || view.Row.Waits(view.Now) != before.Waits(view.Now) {
			p.Handle(gate.Changed{Shown: p.gate.Shown()}, ms)
		}
	}
	if p.Left() == len(p.batch.cards) && p.out.Mode != gate.ModeSent && p.out.Mode != gate.ModeOver {
		p.Handle(gate.DecidedElsewhere{Verb: "answered"}, ms)
	}
}

// TakenBatch says what the queue did with each ask of the batch.
func (p *Page) TakenBatch(results []queue.BatchResult, ms int64) {
	for i := range p.batch.cards {
		s := p.card(i)
		for _, r := range results {
			if r.Ask == s.ID() && r.Decided != nil {
				s.view.Row.State, s.view.Decision = r.Decided.State, &r.Decided.Decision
			}
		}
	}
	p.Handle(gate.DecidedElsewhere{Verb: "answered"}, ms)
}

// count adds up what was displayed of all the page's cards.
func (p *Page) count() gate.Read {
	if p.batch == nil {
		return gate.Read{Seen: p.read.Seen(), All: p.read.All(), Skipped: p.read.Skipped()}
	}
	var r gate.Read
	for i := range p.batch.cards {
		s := p.card(i)
		seen, all := s.Seen()
		r.Seen, r.All = r.Seen+seen, r.All+all
	}
	return r
}
