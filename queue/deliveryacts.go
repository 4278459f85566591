package queue

import "slices"

// DropReasons are why an operator gives words up.
func DropReasons() []string { return []string{"not_needed", "told_elsewhere", "mistake"} }

// delivery reads the delivery of an ask that an operator names whole.
func (q *Queue) delivery(tx ReadTx, ask string) (*Delivery, *Row, error) {
	row, err := tx.Ask(ask)
	if err != nil || row == nil {
		return nil, nil, orRefusal(unknownID(), err)
	}
	d, err := tx.Delivery(row.Seq)
	if err == nil && d == nil {
		err = refuse(CodeUnknownID, "no person's answer to this ask is on its way").hint("nod deliveries shows those that are")
	}
	return d, row, err
}

// ackDelivery says that an operator read what is in the inbox of a delivery.
func (q *Queue) ackDelivery(tx Tx, m moment, c *Conn, a AckDelivery) (Result, error) {
	d, _, err := q.delivery(tx, a.Ask)
	if err != nil {
		return nil, err
	}
	if d.Item == "" {
		r := refuse(CodeDecided, "nothing of this delivery waits for you")
		switch {
		case d.Words == WordsDropped:
			r.Sentence = "these words were dropped already"
		case d.ClosedAt != 0:
			r.Sentence = "this delivery was acknowledged already"
		}
		r.Who, r.At = d.ClosedBy, d.ClosedAt
		return nil, r
	}
	item := d.Item
	d.Item, d.ClosedAt, d.ClosedBy = "", m.now, c.operator()
	if err := tx.PutDelivery(d); err != nil {
		return nil, err
	}
	return Acked{}, q.append(tx, m, Event{Act: "delivery_ack", Actor: c.operator(), Way: c.Way, Ask: d.Ask, Session: d.Session, Reason: string(item)})
}

// resend makes words owed again. Those that arrived, or are still on their way
// with their own answer, are not sent twice.
func (q *Queue) resend(tx Tx, m moment, c *Conn, a Resend) (Result, error) {
	d, _, err := q.delivery(tx, a.Ask)
	if err != nil {
		return nil, err
	}
	if err := d.unsettled(); err != nil {
		return nil, err
	}
	if d.Words == WordsOwed && d.Item == "" && d.Carry == "" && d.ClosedAt == 0 {
		return nil, refuse(CodeTooSoon, "the words are on their way with their own answer").hint("wait until somebody collected it, or its time is over")
	}
	if d.Words == WordsResent {
		return nil, refuse(CodeDecided, "the words are to be sent again already").hint("they go with the next answer that this session collects")
	}
	d.Words, d.Item, d.Carry, d.ResentAt = WordsResent, ItemResent, "", m.now
	d.ClosedAt, d.ClosedBy = 0, ""
	if d.DueAt, err = q.silentAt(tx, m, d); err != nil {
		return nil, err
	}
	if err := tx.PutDelivery(d); err != nil {
		return nil, err
	}
	s, err := tx.Session(d.Session)
	if err != nil {
		return nil, err
	}
	return Resending{Ask: d.Ask, Session: d.Session, Ended: s == nil || s.EndedAt != 0},
		q.append(tx, m, Event{Act: "resend", Actor: c.operator(), Way: c.Way, Ask: d.Ask, Session: d.Session})
}

// drop gives words up for good.
func (q *Queue) drop(tx Tx, m moment, c *Conn, a DropWords) (Result, error) {
	if !slices.Contains(DropReasons(), a.Reason) {
		return nil, refuse(CodeBadInput, "the reason is no code of words that are dropped").hint("not_needed, told_elsewhere or mistake")
	}
	d, _, err := q.delivery(tx, a.Ask)
	if err != nil {
		return nil, err
	}
	if err := d.unsettled(); err != nil {
		return nil, err
	}
	d.Words, d.Item, d.DueAt, d.Reason, d.ClosedAt, d.ClosedBy = WordsDropped, "", 0, a.Reason, m.now, c.operator()
	if err := tx.PutDelivery(d); err != nil {
		return nil, err
	}
	return Acked{}, q.append(tx, m, Event{Act: "drop_words", Actor: c.operator(), Way: c.Way, Ask: d.Ask, Session: d.Session, Reason: a.Reason})
}

// unsettled says why there is nothing to do about words.
func (d *Delivery) unsettled() error {
	var r *Refusal
	switch d.Words {
	case WordsNone:
		return refuse(CodeBadInput, "no words went with this answer")
	case WordsCarried:
		return refuse(CodeTooLate, "these words arrived")
	case WordsReturned:
		return refuse(CodeTooLate, "the ask went back, and its person is asked again")
	case WordsDropped:
		r = refuse(CodeDecided, "these words were dropped already")
		r.Who, r.At = d.ClosedBy, d.ClosedAt
		return r
	}
	return nil
}
