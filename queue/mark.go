package queue

import "time"

// Mark is what operators put on a pending ask for themselves: it changes no
// state, writes no event and binds nobody (DESIGN §4). It goes with the ask's
// answer.
type Mark struct {
	SnoozedUntil int64
	ClaimedBy    string
	ClaimedUntil int64
}

// Bounds of snooze and claim.
const (
	maxSnoozeMS   = 24 * 3_600_000
	maxClaimMS    = 3_600_000
	snoozeEndsMS  = 5 * 60_000 // before the deadline: a snooze never hides an ask to its end
	hintSnoozeFor = "snooze it for less, or answer it"
)

// UsualClaim is what every console and command means by a claim without a length.
const UsualClaim = 5 * time.Minute

// put gives r the marks that hold at now.
func (r *Row) put(m Mark, now int64) {
	if m.SnoozedUntil > now {
		r.SnoozedUntil = m.SnoozedUntil
	}
	if m.ClaimedUntil > now {
		r.ClaimedBy, r.ClaimedUntil = m.ClaimedBy, m.ClaimedUntil
	}
}

// pending reads an ask for a mark, with the mark it has.
func (q *Queue) pending(tx Tx, m moment, id string) (*Row, Mark, error) {
	row, err := q.load(tx, m, id)
	if err != nil {
		return nil, Mark{}, err
	}
	if row.State != StatePending {
		return nil, Mark{}, final(row)
	}
	mark, err := tx.Mark(row.Seq)
	return row, mark, err
}

func (q *Queue) snooze(tx Tx, m moment, a Snooze) (Result, error) {
	if a.ForMS < 0 || a.ForMS > maxSnoozeMS {
		return nil, refuse(CodeBadInput, "a snooze is at most 24 hours").hint("0 wakes the ask")
	}
	row, mark, err := q.pending(tx, m, a.Ask)
	if err != nil {
		return nil, err
	}
	mark.SnoozedUntil = 0
	if a.ForMS > 0 {
		mark.SnoozedUntil = m.now + a.ForMS
		if last := row.AnswerBy - snoozeEndsMS; mark.SnoozedUntil > last {
			no := refuse(CodeSnoozedTooLong, "a snooze ends five minutes before the ask's deadline at the latest").hint(hintSnoozeFor)
			no.At = last
			return nil, no
		}
	}
	return Acked{}, tx.PutMark(row.Seq, mark.at(m.now))
}

func (q *Queue) claim(tx Tx, m moment, c *Conn, a Claim) (Result, error) {
	if a.ForMS < 0 || a.ForMS > maxClaimMS {
		return nil, refuse(CodeBadInput, "a claim is at most one hour").hint("0 lets go")
	}
	row, mark, err := q.pending(tx, m, a.Ask)
	if err != nil {
		return nil, err
	}
	me := c.operator()
	if mark.ClaimedUntil > m.now && mark.ClaimedBy != me && !a.Over {
		no := refuse(CodeClaimed, "another operator looks at this ask").hint("take it over if they are away; a claim binds nobody")
		no.Who, no.At = mark.ClaimedBy, mark.ClaimedUntil
		return nil, no
	}
	mark.ClaimedBy, mark.ClaimedUntil = "", 0
	if a.ForMS > 0 {
		mark.ClaimedBy, mark.ClaimedUntil = me, m.now+a.ForMS
	}
	return Acked{}, tx.PutMark(row.Seq, mark.at(m.now))
}

// at is m without what is over.
func (m Mark) at(now int64) Mark {
	if m.SnoozedUntil <= now {
		m.SnoozedUntil = 0
	}
	if m.ClaimedUntil <= now {
		m.ClaimedBy, m.ClaimedUntil = "", 0
	}
	return m
}
