package detail

import (
	"strconv"

	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// State is the second row: how the ask stands, who waits, what is left, and
// the shown digest on the right. What has no room is said shorter, never cut
// in the middle.
func (p *Page) State(look frame.Look, w int) frame.Line {
	short := p.view.Row.ShownDigest.Hex()
	word := "shown "
	if p.desk != nil {
		word = "page "
	}
	right := frame.Line{frame.S(themes.Muted, word), frame.S(themes.Text, short[:min(8, len(short))]+look.Glyphs.Cut)}
	room := w - right.Width() - 3
	var left frame.Line
	for brief := 0; brief <= briefest; brief++ {
		left = p.stand(look, brief)
		if left.Width() <= room {
			break
		}
	}
	return frame.Ends(left, right, w)
}

// briefest is how often a state can be said shorter.
const briefest = 3

func (p *Page) stand(look frame.Look, brief int) frame.Line {
	if p.desk != nil {
		return p.standDesk(look, brief)
	}
	var parts []frame.Span
	if p.view.Row.StateAt(look.Now) == queue.StatePending {
		parts = p.pending(look, brief)
	} else {
		parts = p.past(look, brief)
	}
	line := frame.Line{frame.Gap(1)}
	if p.batch != nil {
		of := []frame.Span{frame.S(themes.Text, "card "+strconv.Itoa(p.batch.at+1)+" of "+strconv.Itoa(p.Cards()))}
		if n := p.Left(); n > 0 && p.Pending() {
			of = append(of, frame.S(themes.Warn, strconv.Itoa(n)+" no longer waits"))
		}
		parts = append(of, parts...)
	}
	for i, s := range parts {
		if i > 0 {
			line = append(line, frame.S(themes.Muted, " "+look.Glyphs.Dot+" "))
		}
		line = append(line, s)
	}
	return line
}

func (p *Page) pending(look frame.Look, brief int) (parts []frame.Span) {
	add := func(role themes.Role, s string) { parts = append(parts, frame.S(role, s)) }
	row := &p.view.Row
	if p.batch == nil || brief < briefest { // with the cards of a batch there may be no room for it
		add(themes.Muted, "pending")
	}
	switch {
	case row.Kind == "commit":
		add(themes.Danger, "commit")
	case row.Irreversible:
		add(themes.Danger, "irreversible")
	case row.Mandated:
		add(themes.Warn, "mandated")
	}
	if row.Waits(look.Now) {
		add(themes.Text, "1 waits")
	} else {
		add(themes.Warn, "nobody waits")
	}
	if row.ClaimedUntil > look.Now && brief < briefest {
		parts = append(parts, frame.T(themes.Warn, visible.Concat(visible.Of(visible.Name, row.ClaimedBy), visible.Own(" looks at it"))))
	}
	left := row.AnswerBy - look.Now
	role := themes.Text
	if left < 15*say.Minute {
		role = themes.Warn
	}
	question := row.Kind == "question"
	switch {
	case brief == 0 && !question:
		add(role, say.Span(left)+" to answer, then "+say.Span(row.UseWithinMS)+" to use")
	case brief == 1 && !question:
		add(role, say.Span(left)+" to answer")
	case brief <= 1:
		add(role, say.Span(left)+" to answer")
	default:
		add(role, say.About(left)+" left")
	}
	return parts
}

func (p *Page) past(look frame.Look, brief int) (parts []frame.Span) {
	add := func(role themes.Role, s string) { parts = append(parts, frame.S(role, s)) }
	row := &p.view.Row
	state := row.StateAt(look.Now)
	clock := func(ms int64) string { return say.ClockSec(ms, look.Now, look.Loc) }
	if d := p.view.Decision; d != nil {
		switch d.Verdict {
		case queue.VerdictAllow:
			add(themes.OK, "allowed")
		case queue.VerdictAnswer:
			add(themes.OK, "answered")
		default:
			add(themes.Text, "denied")
		}
		by := visible.Own("by ")
		switch d.By {
		case queue.ByRule:
			by = visible.Own("by rule ")
		case queue.ByGrant:
			by = visible.Own("by grant ")
		}
		at := visible.Drawn(" at " + clock(d.At))
		if brief > 1 {
			at = visible.Text{}
		}
		if brief < briefest {
			parts = append(parts, frame.T(themes.Text, visible.Concat(by, visible.Of(visible.Name, d.Who), at)))
		}
		if d.By == queue.ByPerson && d.LinesAll > 0 && brief == 0 {
			add(themes.Muted, say.Number(d.LinesSeen)+" of "+say.Number(d.LinesAll)+" lines, "+say.Span(d.DwellMS))
		}
	}
	if d := p.view.Delivery; d != nil {
		p.way(d, brief, add)
	}
	switch state {
	case queue.StateExpired:
		add(themes.Text, "expired")
		add(themes.Muted, "no person answered by "+clock(row.AnswerBy))
	case queue.StateWithdrawn:
		add(themes.Text, "withdrawn")
		add(themes.Muted, "taken back at "+clock(row.MovedAt))
	case queue.StateRevoked:
		add(themes.Warn, "revoked")
		if row.RevokeReason == queue.ReasonFrozen {
			add(themes.Muted, "by a freeze")
		}
	case queue.StateLapsed:
		add(themes.Text, "lapsed")
	case queue.StateAllowed:
		add(themes.Text, "not begun, "+say.Span(row.UseBy()-look.Now)+" left")
	case queue.StateSpent:
		p.outcome(add)
	}
	return parts
}

// way is how far a person's answer came, where nothing later says it.
func (p *Page) way(d *queue.DeliveryView, brief int, add func(themes.Role, string)) {
	switch {
	case d.Item == queue.ItemUncollected:
		add(themes.Warn, "nobody collected it")
	case brief > 1:
	case d.Stage == queue.StageAcknowledged:
		add(themes.Muted, "acknowledged")
	case d.Stage == queue.StageHandedOver:
		add(themes.Muted, "handed over")
	}
	if d.Words != queue.WordsNone && d.Words != queue.WordsCarried {
		add(themes.Warn, say.Words(d))
	}
}

func (p *Page) outcome(add func(themes.Role, string)) {
	if n := len(p.view.Attempts); n > 0 && p.view.Attempts[n-1].Mismatch {
		add(themes.Danger, "MISMATCH")
	}
	switch p.view.Row.Outcome {
	case queue.AttemptExecuting:
		add(themes.Text, "begun")
	case queue.AttemptCommitted:
		add(themes.OK, "committed")
	case queue.AttemptNotExecuted:
		add(themes.Text, "not executed")
	default:
		if n := len(p.view.Attempts); n > 0 && p.view.Attempts[n-1].Effect != "" { // what it did is not what the call returned
			add(themes.Unknown, "outcome unknown")
		} else if p.view.Row.Exit != "" {
			add(themes.Text, "call ended: "+string(p.view.Row.Exit))
		} else {
			add(themes.Unknown, "outcome unknown")
		}
	}
}

// Second is the row under the state: what of the page is approved; of a past
// ask its attempts and words.
func (p *Page) Second(look frame.Look, w int) frame.Line {
	if p.Pending() {
		left := frame.Line{frame.Gap(1), frame.S(themes.Accent, "[card]")}
		if p.answer != "" {
			left = append(left, frame.Gap(2), frame.S(themes.Muted, "your answer "), frame.T(themes.Text, visible.Row(p.answer)))
		} else if t := p.terms.String(); t != "" {
			left = append(left, frame.Gap(2), frame.S(themes.Muted, "your allow is "), frame.S(themes.Text, t))
		} else if p.words.Len() > 0 {
			left = append(left, frame.Gap(2), frame.S(themes.Muted, "your words "), frame.T(themes.Text, visible.Row(p.words.Text())))
		}
		return frame.Ends(left, frame.Line{frame.S(themes.Faint, "only the card is approved")}, w)
	}
	line := frame.Line{frame.Gap(1), frame.S(themes.Faint, "the card as it was shown; its digest is equal")}
	if n := len(p.view.Attempts); n > 0 {
		a := &p.view.Attempts[n-1]
		text := "attempt " + strconv.FormatInt(a.Number, 10) + " begun " + say.ClockSec(a.BeganAt, look.Now, look.Loc)
		if a.EndedAt > 0 {
			text += ", ended " + say.ClockSec(a.EndedAt, look.Now, look.Loc)
		}
		line = frame.Line{frame.Gap(1), frame.S(themes.Muted, text+", by "), frame.T(themes.Text, visible.Row(a.Executor))}
	}
	if d := p.view.Decision; d != nil && d.Words != "" {
		line = append(line, frame.S(themes.Muted, "  words "), frame.T(themes.Text, visible.Row(d.Words)))
	}
	if d := p.view.Decision; d != nil && len(d.Answer) > 0 {
		line = append(line, frame.S(themes.Muted, "  answer "), frame.T(themes.Text, visible.Row(string(d.Answer))))
	}
	return line
}
