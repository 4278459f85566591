package queue

import (
	"strconv"

	"nod/ambiguity"
	"nod/digest"
	"nod/digest/card"
)

// deskRows bounds what the desk shows of who waits.
const deskRows = 50

// page of the desk, and what it was made from.
type deskRead struct {
	digest   digest.Digest
	text     []byte
	ask      *digest.Ask // of the newest attempt; nil: pruned
	attempts []Attempt
	facts    []Fact
	views    []DeskAttempt
}

// deskPage writes the page that an answer is bound to: all that is known of the
// effect, and nothing that is not evidence.
func (q *Queue) deskPage(tx ReadTx, e *EffectRow) (*deskRead, error) {
	d := &deskRead{}
	var err error
	if d.attempts, err = tx.AttemptsOfEffect(e.ID); err != nil {
		return nil, err
	}
	if d.facts, err = tx.Facts(e.ID); err != nil {
		return nil, err
	}
	page := card.Desk{Effect: e.ID, State: string(e.Standing), Mark: string(e.Mark), Key: digest.JSON(e.Key), Ordinal: e.Ordinal,
		Links: e.Links, Tool: e.Tool, Class: e.Class, Agent: e.Agent}
	if e.Key == "" {
		page.Key = nil
	}
	for i := range d.attempts {
		at := &d.attempts[i]
		row, err := tx.Ask(at.AskID)
		if err != nil {
			return nil, err
		}
		if row == nil {
			return nil, unknownID()
		}
		v := DeskAttempt{AttemptView: at.view(), Ask: at.AskID, SettledAt: at.settledAt(), DecidedBy: row.DecidedBy, Decider: row.Decider,
			DecidedAt: row.DecidedAt, DwellMS: row.DwellMS, LinesSeen: row.LinesSeen, LinesAll: row.LinesAll, ShownDigest: row.ShownDigest}
		d.views = append(d.views, v)
		page.SettledAt = v.SettledAt
		page.Attempts = append(page.Attempts, card.DeskAttempt{ID: at.ID, Number: at.Number, Ask: at.AskID, ActionDigest: row.ActionDigest,
			ShownDigest: row.ShownDigest, DecidedBy: string(row.DecidedBy), Decider: row.Decider, DecidedAt: row.DecidedAt,
			LinesSeen: row.LinesSeen, LinesAll: row.LinesAll, DwellMS: row.DwellMS, Executor: at.Executor, HostRuns: at.HostRuns,
			BeganAt: at.BeganAt, Lease: at.Lease, EndedAt: at.EndedAt, State: string(at.State), Exit: string(at.Exit),
			Mismatch: at.Mismatch, Late: at.Late})
		if i == len(d.attempts)-1 {
			if err := d.sent(tx, row, &page); err != nil {
				return nil, err
			}
		}
	}
	for i := range d.facts {
		f := &d.facts[i]
		page.Facts = append(page.Facts, card.Fact{Attempt: f.Attempt, At: f.At, Kind: string(f.Kind), Source: string(f.Source), By: f.By,
			Says: string(f.Says), Durable: f.Durable, Divergent: f.Divergent, Late: f.Late, Why: f.Why, Exit: string(f.Exit),
			Observed: f.Observed, Seen: f.Seen, Ref: f.Ref, Reason: f.Reason, Page: f.Page})
	}
	if p := q.provider(e.Tool); p != nil {
		shown := card.Provider(*p)
		page.Provider = &shown
	}
	if d.text, err = card.RenderDesk(&page); err != nil {
		return nil, err
	}
	d.digest = card.ShownDigest(d.text)
	return d, nil
}

// sent fills what the newest attempt was allowed to send: an earlier one is over,
// and may have sent something else. Pruned contents leave it out; their digests
// stand with the attempt.
func (d *deskRead) sent(tx ReadTx, row *Row, page *card.Desk) error {
	ask, _, err := readAsk(tx, row)
	if r, ok := err.(*Refusal); ok && r.Code == CodeContentMissing { //nolint:errorlint // made here
		return nil
	}
	if err != nil || ask.Action == nil {
		return err
	}
	d.ask = ask
	a := ask.Action
	page.Operation, page.Environment, page.Arguments = a.Operation, a.Environment.Name, a.Arguments
	page.Agent, page.User, page.Host = a.Principal.Agent, a.Principal.User, a.Principal.Host
	if a.Effect != nil { // a row may say what its ask does not
		page.Access = a.Effect.Access
	}
	if ask.Descriptor != nil {
		page.Descriptor, page.Readings = ask.Descriptor.Digest, ask.Descriptor.Readings
	}
	return nil
}

// provider is the provider's contract as the operator states it now.
func (q *Queue) provider(tool string) *Provider {
	d := q.settings.Descriptors.Tool(tool)
	if d == nil {
		return nil
	}
	p := Provider(d.Provider())
	if p == (Provider{}) {
		return nil
	}
	return &p
}

func (q *Queue) effects(tx ReadTx, a QEffects) (Answer, error) {
	p, err := q.present(tx)
	if err != nil {
		return nil, err
	}
	rows, more, err := tx.Effects(QEffects{Open: a.Open, Before: a.Before, Limit: page(a.Limit)})
	out := Effects{Effects: make([]EffectView, 0, len(rows)), More: more, Now: p.now}
	for i := range rows {
		out.Effects = append(out.Effects, rows[i].view())
	}
	return out, err
}

// findEffect resolves a whole id or an unambiguous prefix.
func findEffect(tx ReadTx, prefix string) (*EffectRow, error) {
	id, err := resolve(prefix, tx.EffectPrefix, unknownEffect(), "effect", "nod effects shows the ids")
	if err != nil {
		return nil, err
	}
	return tx.Effect(id)
}

func (q *Queue) desk(tx ReadTx, a QEffect) (Answer, error) {
	p, err := q.present(tx)
	if err != nil {
		return nil, err
	}
	e, err := findEffect(tx, a.ID)
	if err != nil {
		return nil, err
	}
	read, err := q.deskPage(tx, e)
	if err != nil {
		return nil, err
	}
	counts := e // of its key
	if e.Key != "" {
		if counts, err = tx.EffectByKey(e.Key); err != nil {
			return nil, err
		}
	}
	v := Desk{Effect: e.view(), Page: string(read.text), Digest: read.digest, Attempts: read.views, Provider: q.provider(e.Tool),
		Confirm: e.confirm(), Answers: q.answers(e, counts, read, p.now, p.held), Now: p.now}
	if n := len(read.views); n > 0 {
		v.SettledAt = read.views[n-1].SettledAt
	}
	for i := range read.facts {
		v.Facts = append(v.Facts, read.facts[i].view())
	}
	repeats, err := tx.Repeats(e.ID, deskRows)
	if err != nil {
		return nil, err
	}
	for _, r := range repeats {
		v.Repeats = append(v.Repeats, RepeatView{Session: r.Session, Agent: r.Agent, Code: r.Code, Count: r.Count, First: r.First, Last: r.Last})
	}
	if e.Key != "" {
		if v.Waiting, err = tx.OpenOfKey(e.Key, deskRows); err != nil {
			return nil, err
		}
		if err := p.fixAll(v.Waiting); err != nil {
			return nil, err
		}
	}
	if read.ask != nil {
		v.Arguments = []byte(read.ask.Action.Arguments)
		for _, o := range read.ask.Action.Operands {
			v.Operands = append(v.Operands, Operand{Name: o.Name, Digest: o.Digest})
		}
		if read.ask.Descriptor != nil {
			for _, r := range read.ask.Descriptor.Readings {
				v.Readings = append(v.Readings, DeskReading(r))
			}
		}
	}
	if d := q.settings.Descriptors.Tool(e.Tool); d != nil {
		for _, o := range d.Observers() {
			v.Observers = append(v.Observers, ObserverView{Name: o.Name, Kind: o.Kind, Auto: o.Auto})
		}
	}
	v.Allowed, v.Content, err = divergence(tx, read.facts)
	return v, err
}

// divergence reads the two contents of the newest divergence.
func divergence(tx ReadTx, facts []Fact) (allowed, content string, err error) {
	for i := len(facts) - 1; i >= 0; i-- {
		f := &facts[i]
		if !f.Divergent || f.Content == "" {
			continue
		}
		a, err := tx.Content(f.Allowed)
		if err != nil {
			return "", "", err
		}
		c, err := tx.Content(f.Content)
		return string(a), string(c), err
	}
	return "", "", nil
}

func (f *Fact) view() FactView {
	return FactView{Attempt: f.Attempt, At: f.At, Kind: f.Kind, Source: f.Source, By: f.By, Says: f.Says, Durable: f.Durable,
		Divergent: f.Divergent, Late: f.Late, Early: f.Early, Why: f.Why, Exit: f.Exit, Observed: f.Observed, Seen: f.Seen,
		Ref: f.Ref, Reason: f.Reason, Page: f.Page, Proof: f.Proof, Allowed: f.Allowed, Content: f.Content}
}

// answers lists what an operator can do with an effect, now or later; counts is
// the effect of its key that counts.
func (q *Queue) answers(e, counts *EffectRow, read *deskRead, now int64, held bool) []AnswerView {
	var out []AnswerView
	states := make([]ambiguity.State, len(read.attempts))
	for i := range read.attempts {
		states[i] = read.attempts[i].State
	}
	for i := len(states) - 1; i >= 0; i-- {
		at := &read.attempts[i]
		for _, answer := range [...]ambiguity.State{ambiguity.Committed, ambiguity.NotExecuted, ambiguity.Unknown} {
			if answer == at.State && at.State != AttemptUnknown {
				continue
			}
			u := ambiguity.Unlocks(states, i, answer)
			v := AnswerView{Act: string(answer), Attempt: at.ID, Correct: at.State != AttemptUnknown, Open: true,
				Standing: u.Standing, Repeats: u.Repeats, Unlocks: unlocks(answer, u)}
			switch {
			case at.State == AttemptExecuting:
				v.Open, v.Why, v.At = false, "it is executing, and may yet be reported", at.Lease
			case answer == AttemptNotExecuted && held:
				v.Open, v.Why = false, "the time is not confirmed"
			case answer == AttemptNotExecuted && now < at.settledAt():
				v.Open, v.Why, v.At = false, "lease and settle time are not over", at.settledAt()
			}
			out = append(out, v)
		}
	}
	ack := AnswerView{Act: AnswerAcknowledge, Open: e.Open && (e.Double || e.Mark == ambiguity.Divergent), Standing: e.Standing,
		Repeats: e.Standing.Refuses(false), Unlocks: "Nothing: it only says that you read what stays open."}
	if !ack.Open {
		ack.Why = "nothing waits to be acknowledged"
	}
	open := AnswerView{Act: AnswerOpen, Open: e.Key != "" && e.Standing == ambiguity.StandsCommitted && counts != nil && counts.ID == e.ID,
		Unlocks: "Lets a second one be asked for on purpose, linked to this one, with your reason on its card."}
	switch {
	case e.Key == "":
		open.Why = "it has no key, so nothing of it is blocked"
	case counts != nil && counts.ID != e.ID:
		open.Why = "another effect of its key counts: number " + strconv.FormatInt(counts.Ordinal, 10)
	case !open.Open:
		open.Why = "only beside an effect that happened another one opens"
	}
	return append(out, ack, open)
}

// unlocks is one sentence on what an answer opens.
func unlocks(answer ambiguity.State, u ambiguity.Unlock) string {
	switch {
	case answer == ambiguity.Unknown:
		return "Nothing: repeats stay blocked; your reason stands here for the next reader."
	case u.Repeats == "":
		return "One new attempt may begin, on an approval given after this answer."
	case u.Repeats == CodeDuplicateEffect:
		return "Repeats are refused duplicate_effect with the first reference."
	default:
		return "Nothing yet: another attempt of this effect keeps its repeats blocked (" + u.Repeats + ")."
	}
}
