package plain

import (
	"fmt"
	"io"
	"strings"
	"time"

	"nod/digest"
	"nod/digest/card"
	"nod/digest/visible"
	"nod/queue"
	"nod/tui/cardview"
	"nod/tui/gate"
	"nod/tui/say"
)

// pageLines is how many lines of a card are read out at once.
const pageLines = 20

// page is the ask that is open, or the effect: its page stands in the card's
// place.
type page struct {
	view  queue.AskView
	desk  *queue.Desk // nil for an ask
	lines []card.Line
	texts []visible.Text // the lines, unaligned

	at, off int // the next line to print, and how much of it was printed
	printed int // lines printed to their end, from the first on
	shown   int // of those, the ones after which a prompt was reached
	skipped int // lines that the operator confirmed to skip

	opened time.Time // when the first lines were printed
	stale  int       // minutes of a rest after which the card has to be read anew
	words  string
	holdMS int64
	over   visible.Text // why nothing can be decided here any more

	// Of an effect: the attempt that the answers are about, and what was written.
	attempt, reason, evidence string
}

func newPage(v queue.AskView, ascii bool) *page {
	p := &page{view: v}
	if v.Card == "" {
		return p
	}
	p.lines = card.Lines([]byte(v.Card))
	p.texts = make([]visible.Text, len(p.lines))
	bar := visible.Own(" │ ")
	labels, texts := make([]visible.Text, len(p.lines)), make([]visible.Text, len(p.lines))
	for i := range p.lines {
		labels[i], texts[i] = p.lines[i].Label, p.lines[i].Text
	}
	if ascii {
		bar = visible.Own(" | ")
		labels, texts = cardview.Twins(p.lines)
	}
	for i := range p.lines {
		l := &p.lines[i]
		switch {
		case l.Bar == l.Start: // the first line has no label
			p.texts[i] = texts[i]
		case l.Continued:
			dot := visible.Own("·")
			if ascii {
				dot = visible.Own(".")
			}
			p.texts[i] = visible.Concat(dot, bar, texts[i])
		default:
			p.texts[i] = visible.Concat(labels[i], bar, texts[i])
		}
	}
	return p
}

func (p *page) row() *queue.Row { return &p.view.Row }

// pending reports whether the ask still wants an answer.
func (p *page) pending() bool {
	return p.desk == nil && p.over.Len() == 0 && p.row().StateAt(p.view.Now) == queue.StatePending
}

// unread is how many lines were neither shown nor skipped.
func (p *page) unread() int { return len(p.lines) - p.shown - p.skipped }

// refuses says why this ask cannot be allowed here, whatever was read; "" for
// no reason.
func (p *page) refuses() string {
	r := p.row()
	needs := r.Mandated || r.Irreversible || r.Kind == digest.KindCommit
	switch {
	case len(p.lines) == 0:
		return "No card: its contents were pruned, so nothing can be decided; go back."
	case p.view.Changed && needs:
		return "Changed: the tool's descriptor is not the ask's, so only a deny counts."
	case needs && p.view.Confirm == "":
		return "No value: this kind wants a typed value and has none, so only a deny counts."
	case p.view.Confirm != "" && (!gate.Typeable(p.view.Confirm) || len(p.view.Confirm) >= maxLine):
		return "No value: no keyboard types the value it wants, so only a deny counts."
	}
	return ""
}

// reached makes the lines that were printed count as shown.
func (s *session) reached() {
	if s.open != nil {
		s.open.shown = max(s.open.shown, s.open.printed)
	}
}

// readOn prints the next lines of the card, at most a page, and says where
// they stand. A line that is longer than a page goes on with the next one.
func (s *session) readOn() error {
	p := s.open
	if len(p.lines) == 0 {
		if p.desk != nil {
			return s.say("No page: what was sent is pruned, so nothing can be answered here.")
		}
		return s.say("No card: its contents were pruned; its digests are kept.")
	}
	p.stale = 0
	if p.opened.IsZero() {
		p.opened = s.o.Now()
	}
	if p.at >= len(p.lines) {
		return s.say("That was the last line. Say \"top\" to read the card again.")
	}
	w, h := s.o.Size()
	if w < leastCells {
		return s.say("Narrow: the card wants 20 columns, so it is not shown; widen the window.")
	}
	budget := max(h-4, 4)
	from, rowsUsed := p.at, 0
	var b strings.Builder
	for p.at < len(p.lines) && p.at-from < pageLines && rowsUsed < budget {
		text := p.texts[p.at].Slice(p.off, p.texts[p.at].Len()).String()
		indent := 0
		if p.off > 0 {
			indent = len(hang)
		}
		rows, n := wrapMost(text, w, indent, budget-rowsUsed)
		whole := n == len(text)
		if !whole && rowsUsed > 0 {
			break // it begins the next page
		}
		for i, row := range rows {
			if i > 0 || p.off > 0 {
				b.WriteString(hang)
			}
			b.WriteString(row + "\n")
		}
		rowsUsed += len(rows)
		if !whole {
			p.off += n
			break
		}
		p.at, p.off = p.at+1, 0
		p.printed = max(p.printed, p.at)
	}
	if _, err := io.WriteString(s.out, b.String()); err != nil {
		return err
	}
	return s.say(p.where(from))
}

// where says which lines were just printed and how many are left.
func (p *page) where(from int) string {
	all := int64(len(p.lines))
	goesOn := ""
	last := p.at
	if p.off > 0 {
		last++
		goesOn = ", which goes on"
	}
	out := fmt.Sprintf("Lines %s to %s of %s%s; ", say.Number(int64(from+1)), say.Number(int64(last)), say.Number(all), goesOn)
	if from+1 == last {
		out = fmt.Sprintf("Line %s of %s%s; ", say.Number(int64(last)), say.Number(all), goesOn)
	}
	left := len(p.lines) - max(p.printed, p.shown) - p.skipped
	switch {
	case left > 0:
		return out + say.Number(int64(left)) + " not shown yet. Say \"more\"."
	case p.desk != nil:
		out += "all shown. \"answers\" says what may be said."
	case !p.pending():
		out += "all shown."
	case p.refuses() != "":
		out += "all shown. It can only be denied."
	default:
		out += "all shown. Armed."
	}
	if p.at < len(p.lines) {
		out += " Say \"more\" to read on."
	}
	return out
}

// confirmLine is the line of the card whose value an allow types, from 0; -1
// for none.
func (p *page) confirmLine() int {
	stem, at := "tool", p.view.ConfirmAt
	switch {
	case p.row().Kind == digest.KindCommit:
		stem, at = "commit boundary", ""
	case at != "":
		stem = "arguments"
	}
	for i := range p.lines {
		if l := &p.lines[i]; l.Stem == stem && l.Pointer == at && !l.Continued {
			return i
		}
	}
	return -1
}

// code is what an allow types: the first characters of the shown digest.
func (p *page) code() string { return p.row().ShownDigest.Hex()[:codeLen] }

const codeLen = 4

// idle is how long nothing may be typed before a card is read anew.
const idle = gate.IdleMS * time.Millisecond

// rested makes the card unread again when nothing was typed for long.
func (p *page) rested(d time.Duration) {
	if d >= idle && p.shown+p.skipped > 0 {
		p.forgetReading()
		p.stale = int(d.Minutes())
	}
}

// forgetReading makes every line unread again.
func (p *page) forgetReading() {
	p.at, p.off, p.printed, p.shown, p.skipped = 0, 0, 0, 0, 0
}
