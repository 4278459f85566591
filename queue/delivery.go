package queue

import (
	"nod/notice"
)

// Stage is how far a person's answer came on its way to whoever asked. What it
// began, and how that ended, its attempt says.
type Stage string

// Stages. As a gateway's declaration, the last one that it can say; "" is none.
const (
	StageDecided      Stage = "decided"
	StageHandedOver   Stage = "handed_over"  // written to where the agent reads
	StageAcknowledged Stage = "acknowledged" // the agent's side said that it has it
)

func (s Stage) rank() int {
	switch s {
	case StageHandedOver:
		return 1
	case StageAcknowledged:
		return 2
	default:
		return 0
	}
}

// WordsState is what became of the words that went with an answer.
type WordsState string

// States of words.
const (
	WordsNone     WordsState = ""
	WordsOwed     WordsState = "owed"
	WordsResent   WordsState = "resent"   // owed again, with the session's next answer
	WordsCarried  WordsState = "carried"  // arrived, as far as the gateway can say
	WordsTold     WordsState = "told"     // did not arrive, and a notice said so
	WordsDropped  WordsState = "dropped"  // by an operator
	WordsReturned WordsState = "returned" // the ask went back: its person is asked again
)

// Owed reports whether the words still have to arrive.
func (w WordsState) Owed() bool { return w == WordsOwed || w == WordsResent }

// Item is why a delivery is in the inbox.
type Item string

// Items.
const (
	ItemUncollected Item = "uncollected" // decided, and nobody collected it
	ItemRefused     Item = "refused"     // its words were not carried
	ItemResent      Item = "resent"      // waits for the session's next answer
)

// Delivery is the way of one person's answer, as the store keeps it. Times are
// effective Unix ms, 0 for not yet.
type Delivery struct {
	Num      int64 // the ask's Seq
	Ask      string
	Session  string
	Receipts Stage // what its gateway declared when it was decided
	Stage    Stage
	Words    WordsState
	Carry    string // why the carrier refused the words: steering.invalid_content, steering.queue_full
	Item     Item
	Notice   int64 // that told of its words
	DueAt    int64 // when settle looks at it next

	DecidedAt int64
	HandedAt  int64
	AckedAt   int64
	ResentAt  int64
	ClosedAt  int64 // when an operator was done with it
	ClosedBy  string
	Reason    string // a code, of dropped words
}

// Deliver counts d, n times.
func (c *Counters) Deliver(d *Delivery, n int64) {
	if d.Item != "" {
		c.Undelivered += n
	}
	if d.Words.Owed() {
		c.Owed += n
	}
}

// delivers opens the ledger's row of a person's answer. The decision's event is
// its event.
func (q *Queue) delivers(tx Tx, m moment, row *Row) error {
	s, err := tx.Session(row.Session)
	if err != nil {
		return err
	}
	d := &Delivery{Num: row.Seq, Ask: row.ID, Session: row.Session, Stage: StageDecided, DecidedAt: m.now}
	if s != nil {
		d.Receipts = s.Receipts
	}
	if notice.IsOwed(row.Words) {
		d.Words = WordsOwed
	}
	switch {
	case row.EditedTo == "":
		// Whoever comes back has a waiter's time for it.
		d.DueAt = max(row.WaiterUntil, m.now+q.settings.WaiterMS)
	case d.Words == WordsNone:
		return nil // what is in its place is decided and collected
	default:
		if d.DueAt, err = q.silentAt(tx, m, d); err != nil {
			return err
		}
	}
	return tx.PutDelivery(d)
}

// silentAt is when the session of owed words will have been silent for so long
// that it is over; 0 where nothing is owed, or it is over.
func (q *Queue) silentAt(tx ReadTx, m moment, d *Delivery) (int64, error) {
	if !d.Words.Owed() {
		return 0, nil
	}
	s, err := tx.Session(d.Session)
	switch {
	case err != nil || s == nil:
		return 0, err
	case s.EndedAt != 0 && d.Words == WordsResent: // it may start anew
		return m.now + q.settings.SessionMS + 1, nil
	case s.EndedAt != 0:
		return 0, nil
	}
	return s.LastAct + q.settings.SessionMS + 1, nil
}

// settleDelivery is the clock's act on one delivery: an answer that nobody
// collected comes into the inbox, and a session that is silent for too long
// while words are owed to it ends.
func (q *Queue) settleDelivery(tx Tx, m moment, d *Delivery) error {
	row, err := tx.Ask(d.Ask)
	if err != nil {
		return err
	}
	d.DueAt = 0
	if row != nil && d.Stage == StageDecided && d.Item == "" && d.ClosedAt == 0 && row.collectable(d) {
		if row.Waits(m.now) {
			d.DueAt = row.WaiterUntil
		} else {
			d.Item = ItemUncollected
			err := q.append(tx, m, Event{Act: "uncollected", Actor: actorClock, Ask: d.Ask, Session: d.Session, Words: d.Words.Owed()})
			if err != nil {
				return err
			}
		}
	}
	silent, err := q.silentAt(tx, m, d)
	switch {
	case err != nil:
		return err
	case silent == 0 || d.DueAt != 0 && d.DueAt < silent:
		return tx.PutDelivery(d)
	case silent > m.now:
		d.DueAt = silent
		return tx.PutDelivery(d)
	}
	if err := tx.PutDelivery(d); err != nil {
		return err
	}
	s, err := tx.Session(d.Session)
	if err != nil {
		return err
	}
	_, err = q.end(tx, m, s, actorClock, endSilent)
	return err
}

// collectable reports whether row's answer is one that somebody still has to
// get. A gateway without receipts never says so: there a begin shows it, and
// somebody who waited when it was decided is taken at that.
func (r *Row) collectable(d *Delivery) bool {
	if r.EditedTo != "" {
		return false
	}
	switch r.State {
	case StateRevoked, StateWithdrawn, StatePending, StateExpired:
		return false
	case StateSpent:
		return d.Receipts != ""
	case StateAllowed, StateLapsed:
		return true
	default:
		return d.Receipts != "" || r.WaiterUntil <= r.DecidedAt
	}
}

// returns says of words that their ask went back: its person is asked again, so
// nothing is owed. That covers the words of the edits that made it.
func (q *Queue) returns(tx Tx, row *Row) error {
	chain, err := q.chainOf(tx, row)
	for i := 0; err == nil && i < len(chain); i++ {
		if d := &chain[i]; d.Words.Owed() {
			d.Words, d.Item, d.DueAt = WordsReturned, "", 0
			err = tx.PutDelivery(d)
		}
	}
	return err
}

// chainOf gives the deliveries of an ask and of those that it was edited from,
// newest first.
func (q *Queue) chainOf(tx ReadTx, row *Row) ([]Delivery, error) {
	var out []Delivery
	for {
		d, err := tx.Delivery(row.Seq)
		if err != nil {
			return nil, err
		}
		if d != nil {
			out = append(out, *d)
		}
		if row.DerivedFrom == "" {
			return out, nil
		}
		was, err := tx.Ask(row.DerivedFrom)
		if err != nil {
			return nil, err
		}
		if was == nil || was.Seq >= row.Seq {
			return nil, torn(row.ID)
		}
		row = was
	}
}

// collected takes an answer out of the inbox whose begin shows that somebody
// has it: only where the gateway gives no receipt, which would say more.
func (q *Queue) collected(tx Tx, row *Row) (event string, err error) {
	if row.DecidedBy != ByPerson {
		return "", nil
	}
	d, err := tx.Delivery(row.Seq)
	if err != nil || d == nil || d.Receipts != "" || d.Item != ItemUncollected {
		return "", err
	}
	d.Item = ""
	return stageBegun, tx.PutDelivery(d)
}

// stageBegun is what the event of a begin says that took its answer out of the
// inbox.
const stageBegun = "begun"
