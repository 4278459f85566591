package queue

import (
	"context"

	"nod/digest/card"
)

// maxPage bounds a page.
const maxPage = 500

// MinPrefix is how much of an id names an ask at the least.
const MinPrefix = 4

func (p *port) Read(ctx context.Context, query Query) (Answer, error) {
	if s, ok := query.(QStanding); ok && p.conn.Role&RoleRequester != 0 {
		return p.q.view(ctx, func(tx ReadTx) (Answer, error) { return p.q.standingOf(tx, s) })
	}
	if e, ok := query.(QEffect); ok && p.conn.Role&RoleObserver != 0 {
		return p.q.view(ctx, func(tx ReadTx) (Answer, error) { return p.q.desk(tx, e) })
	}
	if p.conn.Role&RoleOperator == 0 {
		return nil, refuse(CodeNotAllowed, "this connection's role may not read that").hint("operators read the queue")
	}
	switch query.(type) {
	case QInbox, QHistory, QStatus, QSessions, QStats, QEffects, QEffect, QDeliveries, QNotices:
		p.q.settleDue(ctx)
	}
	return p.q.view(ctx, func(tx ReadTx) (Answer, error) { return p.q.answer(tx, query) })
}

// settleDue lets the clock do what is due before an operator's list is read,
// so that lists and counters agree with what each row says of itself. A store
// that cannot be written is read as it is.
func (q *Queue) settleDue(ctx context.Context) {
	due := false
	err := q.store.View(ctx, func(tx ReadTx) error {
		c, err := tx.Clock()
		if err != nil || c.HeldSince != 0 {
			return err
		}
		now := q.readNow(c)
		asks, err := tx.DueAsks(now, 1)
		if err != nil {
			return err
		}
		attempts, err := tx.DueAttempts(now, 1)
		if err != nil {
			return err
		}
		deliveries, err := tx.DueDeliveries(now, 1)
		due = len(asks)+len(attempts)+len(deliveries) > 0
		return err
	})
	if err != nil || !due {
		return
	}
	_ = q.store.Do(ctx, func(tx Tx) error { //nolint:errcheck // the answer shows the computed state all the same
		m, err := q.tick(tx)
		if err != nil {
			return err
		}
		return q.settle(tx, m)
	})
}

func (q *Queue) view(ctx context.Context, fn func(tx ReadTx) (Answer, error)) (a Answer, err error) {
	err = q.store.View(ctx, func(tx ReadTx) error {
		a, err = fn(tx)
		return err
	})
	if err != nil {
		return nil, asRefusal(err)
	}
	return a, nil
}

func (q *Queue) answer(tx ReadTx, query Query) (Answer, error) {
	switch a := query.(type) {
	case QInbox:
		return q.inbox(tx, a)
	case QHistory:
		return q.history(tx, a)
	case QAsk:
		return q.ask(tx, a)
	case QEffects:
		return q.effects(tx, a)
	case QEffect:
		return q.desk(tx, a)
	case QEvents:
		events, more, err := tx.Events(QEvents{After: a.After, Ask: a.Ask, Limit: page(a.Limit)})
		return Events{Events: events, More: more}, err
	case QStatus:
		return q.status(tx)
	case QNotices:
		return q.notices(tx, a)
	case QSessions:
		return q.sessions(tx, a)
	case QRecords:
		return q.records(tx, a)
	case QGrants:
		return q.grants(tx)
	case QPrecedent:
		return q.precedents(tx, a)
	case QDeliveries:
		return q.deliveries(tx, a)
	case QStats:
		return q.stats(tx, a)
	case QPolicies:
		return q.policies(tx, a)
	case QCleanups:
		return q.cleanups(tx, a)
	case QTransactions:
		return q.transactions(tx, a)
	default:
		return nil, refuse(CodeBadAct, "the queue knows no such query")
	}
}

func page(limit int64) int64 {
	if limit < 1 {
		return 50
	}
	return min(limit, maxPage)
}

// present gives rows the state they have now, whether settle came by or not.
type present struct {
	tx   ReadTx
	now  int64
	held bool
}

func (q *Queue) present(tx ReadTx) (present, error) {
	c, err := tx.Clock()
	if err != nil {
		return present{}, err
	}
	return present{tx: tx, now: q.readNow(c), held: c.HeldSince != 0}, nil
}

func (p *present) fix(row *Row) error {
	if row.State == StateAllowed {
		f, err := p.tx.FreezeAfter(row.Session, row.DecidedAt)
		if err != nil {
			return err
		}
		if f != nil {
			row.State, row.RevokeReason = StateRevoked, CodeFrozen
			return nil
		}
	}
	if !p.held {
		row.State = row.StateAt(p.now)
	}
	return nil
}

func (p *present) fixAll(rows []Row) error {
	for i := range rows {
		if err := p.fix(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// find resolves a whole id or an unambiguous prefix.
func find(tx ReadTx, prefix string) (*Row, error) {
	id, err := resolve(prefix, tx.AskPrefix, unknownID(), "ask", "nod list shows the ids")
	if err != nil {
		return nil, err
	}
	return tx.Ask(id)
}

// resolve gives the whole id that begins so, where one only does; ids gives at
// most two. what is what has such ids, and list says where they are shown.
func resolve(prefix string, ids func(string) ([]string, error), none *Refusal, what, list string) (string, error) {
	if len(prefix) < MinPrefix {
		return "", refuse(CodeShortID, "an id needs at least four characters").hint(list)
	}
	found, err := ids(prefix)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", none
	case len(found) > 1 && found[0] != prefix:
		return "", refuse(CodeAmbiguousID, "more than one %s begins with this id", what).hint("give more of it")
	}
	return found[0], nil
}

func (q *Queue) ask(tx ReadTx, a QAsk) (Answer, error) {
	p, err := q.present(tx)
	if err != nil {
		return nil, err
	}
	row, err := find(tx, a.ID)
	if err != nil {
		return nil, err
	}
	if err := p.fix(row); err != nil {
		return nil, err
	}
	if row.State == StatePending {
		mark, err := tx.Mark(row.Seq)
		if err != nil {
			return nil, err
		}
		row.put(mark, p.now)
	}
	v := AskView{Row: *row, Decision: row.decision(), Now: p.now}
	if err := p.carrier(&v); err != nil {
		return nil, err
	}
	attempts, err := tx.AttemptsOf(row.ID)
	if err != nil {
		return nil, err
	}
	for i := range attempts {
		v.Attempts = append(v.Attempts, attempts[i].view())
	}
	ask, body, err := readAsk(tx, row)
	if r, ok := err.(*Refusal); ok && r.Code == CodeContentMissing { //nolint:errorlint // made here
		return v, nil // pruned: the digests are kept
	}
	if err != nil {
		return nil, err
	}
	text, err := card.Render(ask)
	if err != nil {
		return nil, err
	}
	if card.ShownDigest(text) != row.ShownDigest {
		return nil, refuse(CodeContentChanged, "the card of this ask is not the one it was filed with").hint("run nod audit verify")
	}
	v.Ask, v.Card = body, string(text)
	want := q.confirm(row, ask)
	v.Confirm, v.ConfirmAt, v.Changed = want.value, want.at, q.changed(ask)
	s, err := tx.Session(row.Session)
	if err == nil && s != nil {
		v.Clamps, _, err = q.holding(tx, s)
	}
	if err != nil {
		return nil, err
	}
	e, err := tx.EffectByKey(keyOf(ask.Action))
	if e != nil {
		now := e.view()
		v.EffectNow = &now
	}
	return v, err
}

func (a *Attempt) view() AttemptView {
	return AttemptView{ID: a.ID, Number: a.Number, Effect: a.Effect, State: a.State, Exit: a.Exit, Executor: a.Executor, BeganAt: a.BeganAt,
		EndedAt: a.EndedAt, Lease: a.Lease, Observed: a.Observed, Mismatch: a.Mismatch, Late: a.Late}
}

func (q *Queue) standingOf(tx ReadTx, a QStanding) (Answer, error) {
	p, err := q.present(tx)
	if err != nil {
		return nil, err
	}
	row, err := tx.Ask(a.Ask)
	switch {
	case err != nil:
		return nil, err
	case row == nil:
		return nil, unknownID()
	}
	if row, err = inPlace(tx, row); err != nil {
		return nil, err
	}
	if row.WaiterHash != tokenHash(a.Token) {
		return nil, notYours()
	}
	if err := p.fix(row); err != nil {
		return nil, err
	}
	s := row.standing(p.now)
	s.State = row.State
	if s.EditedTo, err = q.editedCall(tx, row); err == nil {
		s.Resent, err = q.carries(tx, row, s.State)
	}
	return s, err
}

func (q *Queue) status(tx ReadTx) (Answer, error) {
	c, err := tx.Clock()
	if err != nil {
		return nil, err
	}
	head, err := tx.Head()
	if err != nil {
		return nil, err
	}
	s := Status{Event: head.Seq, Head: hashText(head.Hash), StoreID: head.StoreID, Now: q.readNow(c), OffsetMS: c.OffsetMS, Held: c.HeldSince != 0}
	if s.Counters, err = tx.Counters(); err != nil {
		return nil, err
	}
	freezes, err := tx.Freezes()
	for i := range freezes {
		f := &freezes[i]
		s.Freezes = append(s.Freezes, FreezeView{Session: f.Session, Since: f.Since, By: f.By, Reason: f.Reason})
	}
	return s, err
}

func (q *Queue) notices(tx ReadTx, a QNotices) (Answer, error) {
	rows, err := tx.Notices(QNotices{Open: a.Open, Limit: page(a.Limit)})
	var out Notices
	for i := range rows {
		n := &rows[i]
		v := NoticeView{ID: n.ID, Code: n.Code, Ask: n.Ask, Session: n.Session,
			Sentence: n.Sentence, At: n.At, AckedAt: n.AckedAt, AckedBy: n.AckedBy}
		if n.Detail != "" {
			v.Detail, v.Says = []byte(n.Detail), n.says()
		}
		out.Notices = append(out.Notices, v)
	}
	return out, err
}

func (q *Queue) grants(tx ReadTx) (Answer, error) {
	c, err := tx.Clock()
	if err != nil {
		return nil, err
	}
	rows, err := tx.Grants(q.readNow(c))
	var out Grants
	for i := range rows {
		g := &rows[i]
		out.Grants = append(out.Grants, GrantView{ID: g.ID, ActionDigest: g.ActionDigest, Session: g.Session, Left: g.Left,
			Until: g.Until, By: g.By})
	}
	return out, err
}
