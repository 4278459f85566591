package queue

import (
	"strings"
	"unicode/utf8"

	"nod/digest/visible"
	"nod/notice"
)

// Notice codes that the queue itself opens.
const (
	// NoticeMismatch: what the host says it ran is not what was approved.
	NoticeMismatch = "host.mismatch"
	// NoticeUnasked: a host ran a call that has no attempt here.
	NoticeUnasked = "host.unasked"
	// NoticeLateReport: a report that can change nothing any more.
	NoticeLateReport = "effect.late_report"
	// NoticeClockJump: a forward jump of the clock holds settle.
	NoticeClockJump = "clock.jump"
)

// notify opens a notice and writes its event.
func (q *Queue) notify(tx Tx, m moment, n *Notice) error {
	n.At = m.now
	if err := tx.InsertNotice(n); err != nil {
		return err
	}
	e := Event{Act: "notice", Actor: actorQueue, Ask: n.Ask, Session: n.Session, Notice: n.Code}
	if n.Once != "" {
		d, err := notice.ParseDetail(n.Code, []byte(n.Detail))
		if err != nil {
			return err
		}
		e.Count, e.Kind, e.Reason, e.ChildSession = d.Count, string(d.Kind), d.Cause, d.ChildSession
	}
	return q.append(tx, m, e)
}

// maxUnasked is how many open notices of calls that nobody was asked about there
// are at the most: the agent names the sessions.
const maxUnasked = 20

// maxOpen is how many open notices are looked through for one of the same kind.
const maxOpen = 500

func (q *Queue) unasked(tx Tx, m moment, c *Conn, a Unasked) (Result, error) {
	if !utf8.ValidString(a.Tool) || len(a.Tool) > maxName || len(a.Session) > maxName || strings.TrimSpace(a.Session) == "" {
		return nil, refuse(CodeBadInput, "the message names no session, or a tool that is not UTF-8")
	}
	session := sessionID(&c.Principal, a.Session)
	open, err := tx.Notices(QNotices{Open: true, Limit: maxOpen})
	if err != nil {
		return nil, err
	}
	count := 0
	for i := range open {
		if open[i].Code != NoticeUnasked {
			continue
		}
		if count++; open[i].Session == session || count == maxUnasked {
			return Acked{}, nil // it is known, or enough of it is
		}
	}
	return Acked{}, q.notify(tx, m, &Notice{Code: NoticeUnasked, Session: session,
		Sentence: "A host ran a call that was never let begin here: something goes around the gate. Its tool: " +
			visible.Draw(visible.Name, a.Tool)})
}

func (q *Queue) ackNotice(tx Tx, m moment, c *Conn, a AckNotice) (Result, error) {
	n, err := tx.Notice(a.Notice)
	switch {
	case err != nil:
		return nil, err
	case n == nil:
		return nil, refuse(CodeUnknownID, "no notice has this number").hint("nod notices shows those that are open")
	case n.AckedAt != 0:
		r := refuse(CodeDecided, "this notice was acknowledged already")
		r.Who, r.At = n.AckedBy, n.AckedAt
		return nil, r
	}
	if err := tx.AckNotice(n.ID, m.now, c.operator()); err != nil {
		return nil, err
	}
	if err := q.append(tx, m, Event{Act: "notice_ack", Actor: c.operator(), Way: c.Way, Ask: n.Ask, Session: n.Session, Notice: n.Code}); err != nil {
		return nil, err
	}
	if err := q.ackOwed(tx, m, c, n); err != nil {
		return nil, err
	}
	clock, err := tx.Clock()
	if err != nil || n.Code != NoticeClockJump || clock.HeldSince == 0 {
		return Acked{}, err
	}
	return q.confirmClock(tx, m, c) // reading that notice is confirming the time
}

func (q *Queue) confirmClock(tx Tx, m moment, c *Conn) (Result, error) {
	clock, err := tx.Clock()
	if err != nil {
		return nil, err
	}
	if clock.HeldSince == 0 {
		return nil, refuse(CodeBadAct, "the clock is not held")
	}
	clock.HeldSince = 0
	if err := tx.SetClock(clock); err != nil {
		return nil, err
	}
	return Acked{}, q.append(tx, m, Event{Act: "clock_confirm", Actor: c.operator(), Way: c.Way})
}

// says words a notice whose code has a detail.
func (n *Notice) says() *Says {
	d, err := notice.ParseDetail(n.Code, []byte(n.Detail))
	if err != nil {
		return nil
	}
	s := (&notice.Notice{Code: n.Code, Detail: d, Owed: n.Owed, Carried: n.Carried, Parent: n.Parent}).Say()
	return &Says{Headline: s.Headline, Happened: s.Happened, Means: s.Means, Knows: s.Knows, Ids: s.Ids}
}
