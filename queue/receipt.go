package queue

import (
	"slices"

	"nod/notice"
)

// maxResent is how many words that were re-sent go with one answer.
const maxResent = 8

// ResentWords are words of an earlier answer that an operator re-sent. They go
// to the agent framed as the operator's, and get a receipt of their own.
type ResentWords struct {
	Ask   string  `json:"ask"` // whose answer they went with first
	Tool  string  `json:"tool,omitzero"`
	Said  Verdict `json:"verdict"`
	Words string  `json:"words"`
}

// carries gives the words that were re-sent to row's session and travel with
// row's answer; none before there is one.
func (q *Queue) carries(tx ReadTx, row *Row, state State) ([]ResentWords, error) {
	if state == StatePending {
		return nil, nil
	}
	owed, err := tx.OwedOf(row.Session, settleBatch)
	var out []ResentWords
	for i := 0; err == nil && i < len(owed) && len(out) < maxResent; i++ {
		d := &owed[i]
		if d.Words != WordsResent || d.Ask == row.ID {
			continue
		}
		var was *Row
		if was, err = tx.Ask(d.Ask); err == nil && was != nil {
			out = append(out, ResentWords{Ask: was.ID, Tool: was.Tool, Said: was.Verdict, Words: was.Words})
		}
	}
	return out, err
}

func (a *Receipt) check() error {
	switch {
	case a.Got != StageHandedOver && a.Got != StageAcknowledged:
		return refuse(CodeBadInput, "what a receipt says is none of handed_over, acknowledged").hint("send it after the answer was written")
	case a.Refused != "" && a.Refused != string(notice.InvalidContent) && a.Refused != string(notice.QueueFull):
		return refuse(CodeBadInput, "what the carrier refused is none of steering.invalid_content, steering.queue_full")
	}
	return nil
}

// receipt notes that an answer was handed over, or acknowledged, with its words
// or without.
func (q *Queue) receipt(tx Tx, m moment, c *Conn, a Receipt) (Result, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	by := a.Via
	if by == "" {
		by = a.Ask
	}
	row, err := q.loadInPlace(tx, m, by)
	if err != nil {
		return nil, err
	}
	switch {
	case row.WaiterHash == "" || row.WaiterHash != tokenHash(a.Token):
		return nil, notYours()
	case row.State == StatePending:
		return nil, refuse(CodeNotAllowedYet, "nobody has answered it yet").hint("send the receipt after the answer")
	}
	var list []Delivery
	if a.Via == "" {
		list, err = q.chainOf(tx, row)
	} else {
		list, err = q.resentTo(tx, row, a.Ask)
	}
	if err != nil {
		return nil, err
	}
	result := Receipted{Ask: a.Ask}
	carried := false
	can := StageDecided
	for i := range list { // one receipt is of all, so all arrived or none
		if r := list[i].Receipts; r.rank() > can.rank() {
			can = r
		}
	}
	for i := range list {
		d := &list[i]
		result.Stage = d.Stage
		was := *d
		d.got(m.now, a.Got, a.Refused, can)
		if *d == was {
			continue
		}
		if d.DueAt, err = q.silentAt(tx, m, d); err != nil {
			return nil, err
		}
		if err := tx.PutDelivery(d); err != nil {
			return nil, err
		}
		result.Changed, result.Stage = true, d.Stage
		carried = carried || d.Words == WordsCarried && was.Words != WordsCarried
	}
	if !result.Changed {
		return result, nil
	}
	id := row.ID
	if a.Via != "" {
		id = a.Ask
	}
	return result, q.append(tx, m, Event{Act: "receipt", Actor: c.Principal.Agent, Way: c.Way, Ask: id, Session: row.Session,
		Delivery: string(a.Got), Reason: a.Refused, Words: carried})
}

// resentTo gives the delivery of an ask whose words were re-sent, and went with
// row's answer.
func (q *Queue) resentTo(tx ReadTx, row *Row, ask string) ([]Delivery, error) {
	was, err := tx.Ask(ask)
	if err != nil || was == nil {
		return nil, orRefusal(unknownID(), err)
	}
	d, err := tx.Delivery(was.Seq)
	switch {
	case err != nil:
		return nil, err
	case d == nil || d.Session != row.Session || d.ResentAt == 0:
		return nil, refuse(CodeNotYours, "no words of this ask were re-sent to this session")
	}
	return []Delivery{*d}, nil
}

// got is what a receipt makes of a delivery. It takes nothing back but words
// that a carrier refuses afterwards: a caller only makes the account stricter.
// can is the last stage that the gateways of what was said declared.
func (d *Delivery) got(now int64, got Stage, refused string, can Stage) {
	if got.rank() > d.Stage.rank() {
		d.Stage = got
	}
	if d.HandedAt == 0 {
		d.HandedAt = now
	}
	if got == StageAcknowledged && d.AckedAt == 0 {
		d.AckedAt = now
	}
	if d.Item == ItemUncollected {
		d.Item = ""
	}
	switch {
	case refused != "" && slices.Contains([]WordsState{WordsOwed, WordsResent, WordsCarried}, d.Words):
		d.Words, d.Carry, d.Item = WordsOwed, refused, ItemRefused
	case refused == "" && d.Words.Owed() && d.Stage.rank() > 0 && d.Stage.rank() >= can.rank():
		d.Words, d.Carry, d.Item = WordsCarried, "", ""
	}
}

// replaces says of the ask that a new one replaces that its person is asked
// again.
func (q *Queue) replaces(tx Tx, id string) error {
	row, err := tx.Ask(id)
	if err != nil || row == nil {
		return err
	}
	return q.returns(tx, row)
}

// collects gives whoever asks again for an answered ask the token that its
// receipt needs, where nobody said yet that the answer was handed over. Who
// began it has that token.
func (q *Queue) collects(tx Tx, m moment, row *Row, r Submitted) (Result, error) {
	d, err := tx.Delivery(row.Seq)
	if err != nil || row.State == StateSpent || (d == nil || d.Stage != StageDecided) && len(r.Resent) == 0 {
		return r, err
	}
	r.Token = q.edge.Token()
	return r, tx.SetWaiter(row.ID, tokenHash(r.Token), m.now+q.settings.WaiterMS, "")
}
