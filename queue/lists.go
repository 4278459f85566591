package queue

import (
	"errors"

	"nod/boundary"
	"nod/digest"
)

// inbox gives a page of what waits. Without filter and marks it reads no more
// than the page.
func (q *Queue) inbox(tx ReadTx, a QInbox) (Answer, error) {
	if err := a.Filter.check(false); err != nil {
		return nil, err
	}
	p, err := q.present(tx)
	if err != nil {
		return nil, err
	}
	a.Limit = page(a.Limit)
	out := Inbox{Now: p.now}
	snoozed, wakes, marked, err := tx.Snoozed(p.now)
	if err != nil {
		return nil, err
	}
	out.Snoozed, out.Wakes = snoozed, wakes
	if a.Filter == (Filter{}) && snoozed == 0 {
		out.Rows, out.More, err = tx.PendingPage(a)
		out.Reached = a.reached(out.Rows, out.More)
	} else {
		var found Page
		found, err = tx.FindPending(a, p.now)
		out.Rows, out.More = found.Rows, found.More
		if found.More {
			out.Reached = &found.Reached
		}
	}
	if err != nil {
		return nil, err
	}
	if err := p.fixAll(out.Rows); err != nil {
		return nil, err
	}
	if marked {
		if err := p.mark(out.Rows); err != nil {
			return nil, err
		}
	}
	if out.Counters, err = tx.Counters(); err != nil {
		return nil, err
	}
	head, err := tx.Head()
	out.Event = head.Seq
	return out, err
}

// reached is where the page after, or before, a page of all rows begins.
func (a *QInbox) reached(rows []Row, more bool) *Key {
	if !more || len(rows) == 0 {
		return nil
	}
	last := &rows[len(rows)-1]
	if a.Before != nil {
		last = &rows[0]
	}
	return &Key{Urgency: last.Urgency, Seq: last.Seq}
}

// mark gives pending rows their marks.
func (p *present) mark(rows []Row) error {
	for i := range rows {
		m, err := p.tx.Mark(rows[i].Seq)
		if err != nil {
			return err
		}
		rows[i].put(m, p.now)
	}
	return nil
}

func (q *Queue) history(tx ReadTx, a QHistory) (Answer, error) {
	if a.State != "" && a.Filter.State != "" && a.State != a.Filter.State {
		return nil, badFilter("the history is asked for two states at once")
	}
	if a.Filter.State == "" {
		a.Filter.State = a.State
	}
	if err := a.Filter.check(true); err != nil {
		return nil, err
	}
	p, err := q.present(tx)
	if err != nil {
		return nil, err
	}
	a.Limit = page(a.Limit)
	out := History{Now: p.now}
	if a.Filter == (Filter{State: a.Filter.State}) {
		a.State = a.Filter.State
		if out.Rows, out.More, err = tx.HistoryPage(a); out.More {
			out.Reached = out.Rows[len(out.Rows)-1].Seq
		}
	} else {
		var found Page
		found, err = tx.FindHistory(a, p.now)
		out.Rows, out.More, out.Reached = found.Rows, found.More, found.Reached.Seq
	}
	if err != nil {
		return nil, err
	}
	return out, p.fixAll(out.Rows)
}

func (q *Queue) sessions(tx ReadTx, a QSessions) (Answer, error) {
	rows, err := tx.Sessions(page(a.Limit))
	if err != nil {
		return nil, err
	}
	waits, err := tx.Waiting(maxBriefs)
	if err != nil {
		return nil, err
	}
	freezes, err := tx.Freezes()
	if err != nil {
		return nil, err
	}
	frozen := map[string]bool{}
	for i := range freezes {
		frozen[freezes[i].Session] = true
	}
	var out Sessions
	for i := range rows {
		s := &rows[i]
		root, err := treesOf(tx, s).root(s)
		if err != nil {
			return nil, err
		}
		v := SessionView{ID: s.ID, Host: s.HostID, Parent: s.Parent, Agent: s.Agent,
			Started: s.StartedAt, LastAct: s.LastAct, EndedAt: s.EndedAt, Waits: waits[s.ID], Frozen: frozen[s.ID],
			Armed: root.ArmedAt, Observed: root.ObservedAt, Governed: root.GovernedAt, Target: root.Target, Unreadable: root.Unreadable}
		if root.ID != s.ID {
			v.Tree = root.ID
		}
		v.Source = s.Source
		if s.Clamps != "" {
			v.Declared = []byte(s.Clamps)
		}
		if v.Clamps, v.DenyRules, err = q.holding(tx, s); err != nil {
			return nil, err
		}
		out.Sessions = append(out.Sessions, v)
	}
	return out, nil
}

func (q *Queue) records(tx ReadTx, a QRecords) (Answer, error) {
	s, err := tx.Session(a.Session)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, refuse(CodeUnknownID, "no session has this id").hint("nod session list shows them")
	}
	limit := page(a.Limit)
	rows, err := tx.Records(a.Session, limit+1)
	if err != nil {
		return nil, err
	}
	out := Records{More: int64(len(rows)) > limit}
	for i := range rows[:min(int64(len(rows)), limit)] {
		r := &rows[i]
		t, err := boundary.ReadRecord(r.Body)
		v := RecordView{Run: r.Run, Phase: r.Phase, Bits: t.Bits(), At: r.At}
		if e, ok := errors.AsType[*digest.Error](err); ok {
			v.Unreadable = e.Sentence
		}
		out.Records = append(out.Records, v)
	}
	return out, nil
}
