package ledger

import (
	"errors"
	"fmt"
	"slices"

	"nod/notice"
	"nod/queue"
)

// Delivery is what the events say of the way of one person's answer.
type Delivery struct {
	Session string
	Stage   queue.Stage
	Words   queue.WordsState
	Carry   string
	Item    queue.Item
	Edit    bool // of an edit: what is in the ask's place is collected
}

// decidesWords opens the delivery of a decision or an edit.
func (l *Ledger) decidesWords(e *Event) error {
	d := &Delivery{Session: e.Session, Stage: queue.StageDecided, Edit: e.Act == "edit"}
	if e.Words {
		d.Words = queue.WordsOwed
	}
	if (e.Words || !d.Edit) != (e.Delivery == string(queue.StageDecided)) {
		return errors.New("I8: the decision says wrongly whether it is on its way")
	}
	if e.Delivery != "" {
		l.Deliveries[e.Ask] = d
	}
	return nil
}

// returns says of an ask, and of the edits that made it, that nothing is owed:
// its person is asked again.
func (l *Ledger) returns(ask string) {
	for ask != "" {
		if d := l.Deliveries[ask]; d != nil && d.Words.Owed() {
			next := *d
			next.Words, next.Item = queue.WordsReturned, ""
			l.Deliveries[ask] = &next
		}
		ask = l.Asks[ask].From
	}
}

// delivers applies an event of the delivery ledger.
func (l *Ledger) delivers(e *Event) error {
	if e.Act == "receipt" { // one receipt is of all that was said with an answer
		changed := false
		for ask := e.Ask; ask != ""; ask = l.Asks[ask].From {
			if l.Asks[ask] == nil {
				return errors.New("I7: nothing submitted this ask")
			}
			d := l.Deliveries[ask]
			if d == nil {
				continue
			}
			next := *d
			next.got(e)
			changed = changed || next != *d
			l.Deliveries[ask] = &next
		}
		if !changed && e.Delivery == "" {
			return errors.New("a receipt that says nothing")
		}
		return nil
	}
	d := l.Deliveries[e.Ask]
	if d == nil || d.Session != e.Session {
		return errors.New("I8: nobody decided this")
	}
	next := *d
	ok := false
	switch e.Act {
	case "uncollected":
		ok = d.Stage == queue.StageDecided && d.Item == "" && !d.Edit
		next.Item = queue.ItemUncollected
	case "delivery_ack":
		ok = d.Item != "" && string(d.Item) == e.Reason
		next.Item = ""
	case "resend":
		ok = d.Words == queue.WordsTold || d.Words == queue.WordsOwed
		next.Words, next.Item, next.Carry = queue.WordsResent, queue.ItemResent, ""
	case "drop_words":
		ok = d.Words == queue.WordsTold || d.Words.Owed()
		next.Words, next.Item = queue.WordsDropped, ""
	case "returned":
		ok = d.Words.Owed() || d.Words == queue.WordsCarried
		next.Words, next.Item = queue.WordsReturned, ""
	case "uncarried":
		ok = d.Words.Owed() || d.Words == queue.WordsCarried && d.Stage != queue.StageAcknowledged
		next.Carry = e.Reason
		if d.Words == queue.WordsCarried {
			next.Words = queue.WordsOwed
		}
	}
	if !ok {
		return fmt.Errorf("I8: no %s leads on from %+v", e.Act, *d)
	}
	l.Deliveries[e.Ask] = &next
	return nil
}

func (d *Delivery) got(e *Event) {
	if e.Delivery == string(queue.StageAcknowledged) || d.Stage == queue.StageDecided {
		d.Stage = queue.Stage(e.Delivery)
	}
	if d.Item == queue.ItemUncollected {
		d.Item = ""
	}
	switch {
	case e.Reason != "" && (d.Words.Owed() || d.Words == queue.WordsCarried):
		d.Words, d.Carry, d.Item = queue.WordsOwed, e.Reason, queue.ItemRefused
	case e.Words && d.Words.Owed():
		d.Words, d.Carry, d.Item = queue.WordsCarried, "", ""
	}
}

// tells applies a notice of words that did not arrive: all that were owed to the
// session are told by it, and it counts them (I8).
func (l *Ledger) tells(e *Event) error {
	if e.Notice != notice.SteerUndrained || e.Kind != string(notice.ApprovalFeedback) || e.ChildSession != "" {
		return nil
	}
	n := int64(0)
	for ask, d := range l.Deliveries {
		if d.Session == e.Session && d.Words.Owed() {
			next := *d
			next.Words, next.Item = queue.WordsTold, ""
			l.Deliveries[ask] = &next
			n++
		}
	}
	if e.Count < n {
		return fmt.Errorf("I8: a notice counts %d words, %d were owed", e.Count, n)
	}
	return nil
}

// ends holds I8 for the end of a session: nothing is owed to it that nobody was
// told of.
func (l *Ledger) ends(session string) error {
	for ask, d := range l.Deliveries {
		if d.Session == session && d.Words.Owed() {
			return fmt.Errorf("I8: the session ends, and the words of ask %s are owed", ask)
		}
	}
	return nil
}

// sameDeliveries holds the ledger's rows against the events, and its counters.
func (l *Ledger) sameDeliveries(tx queue.ReadTx) error {
	seen := 0
	var undelivered, owed int64
	for before, more := int64(0), true; more; {
		rows, next, err := tx.Deliveries(queue.QDeliveries{Before: before, Limit: 500})
		if err != nil {
			return err
		}
		for i := range rows {
			if err := l.sameDelivery(tx, &rows[i]); err != nil {
				return err
			}
			if rows[i].Item != "" {
				undelivered++
			}
			if rows[i].Words.Owed() {
				owed++
			}
		}
		seen += len(rows)
		if more = next; more {
			before = rows[len(rows)-1].Num
		}
	}
	if seen != len(l.Deliveries) {
		return fmt.Errorf("I7: the store has %d deliveries, the events make %d", seen, len(l.Deliveries))
	}
	c, err := tx.Counters()
	if err == nil && (c.Undelivered != undelivered || c.Owed != owed) {
		err = fmt.Errorf("I7: %d deliveries are in the inbox and %d owe words, the counters say %d and %d", undelivered, owed, c.Undelivered, c.Owed)
	}
	return err
}

func (l *Ledger) sameDelivery(tx queue.ReadTx, row *queue.Delivery) error {
	d := l.Deliveries[row.Ask]
	if d == nil {
		return fmt.Errorf("I7: the delivery of ask %s is in the store and nobody decided it", row.Ask)
	}
	got := Delivery{Session: row.Session, Stage: row.Stage, Words: row.Words, Carry: row.Carry, Item: row.Item, Edit: d.Edit}
	if got.Words != d.Words {
		return fmt.Errorf("I8: the words of ask %s are %q, their events make them %q", row.Ask, got.Words, d.Words)
	}
	if got != *d {
		return fmt.Errorf("I7: the delivery of ask %s is %+v, its events make %+v", row.Ask, got, *d)
	}
	ask, err := tx.Ask(row.Ask)
	if err != nil || ask == nil || ask.Seq != row.Num {
		return fmt.Errorf("the delivery of ask %s stands under another number: %w", row.Ask, err)
	}
	// I8: what was handed over as its gateway can say, was told, or is open.
	switch {
	case notice.IsOwed(ask.Words) != (row.Words != ""):
		return fmt.Errorf("I8: the words of ask %s and its delivery differ", row.Ask)
	case row.Words == queue.WordsCarried && (row.Stage == queue.StageDecided || row.Receipts == queue.StageAcknowledged && row.Stage != row.Receipts):
		return fmt.Errorf("I8: the words of ask %s count as arrived, and nobody said so", row.Ask)
	case row.Words == queue.WordsTold:
		n, err := tx.Notice(row.Notice)
		if err != nil || n == nil || n.Session != row.Session || n.Code != notice.SteerUndrained {
			return fmt.Errorf("I8: the words of ask %s were told of, and no notice says so: %w", row.Ask, err)
		}
	case row.Words.Owed():
		s, err := tx.Session(row.Session)
		if err != nil || s == nil {
			return err
		}
		over := s.EndedAt != 0 && row.Words == queue.WordsOwed // re-sent words are an open item
		if over || s.EndedAt == 0 && row.DueAt == 0 || row.Words == queue.WordsResent && row.Item == "" && row.ClosedAt == 0 {
			return fmt.Errorf("I8: the words of ask %s are owed, and nobody will be told: %+v", row.Ask, row)
		}
	}
	if !slices.Contains([]queue.Item{"", queue.ItemUncollected, queue.ItemRefused, queue.ItemResent}, row.Item) {
		return fmt.Errorf("the delivery of ask %s is in the inbox for nothing known", row.Ask)
	}
	return nil
}
