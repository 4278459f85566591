package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/queue"
	"nod/store/sqlite/db"
)

// reader is queue.ReadTx on one connection inside a transaction.
type reader struct {
	c    *conn
	meta *meta // read at the first need
}

var _ queue.ReadTx = (*reader)(nil)

// bg is for statements inside a transaction: their number and size are
// bounded, and one cut short would leave the transaction in doubt.
func bg() context.Context { return context.Background() }

func (r *reader) load() (*meta, error) {
	if r.meta != nil {
		return r.meta, nil
	}
	m, err := loadMeta(r.c)
	r.meta = m
	return m, err
}

func (r *reader) Head() (queue.Head, error) {
	m, err := r.load()
	if err != nil {
		return queue.Head{}, err
	}
	return m.head, nil
}

func (r *reader) Clock() (queue.Clock, error) {
	m, err := r.load()
	if err != nil {
		return queue.Clock{}, err
	}
	return m.clock, nil
}

func (r *reader) Counters() (queue.Counters, error) {
	m, err := r.load()
	if err != nil {
		return queue.Counters{}, err
	}
	return m.counters, nil
}

func (r *reader) Freezes() ([]queue.FreezeRow, error) {
	rows, err := r.c.q.Freezes(bg())
	return each(rows, err, freezeOf)
}

func (r *reader) FreezeAfter(session string, since int64) (*queue.FreezeRow, error) {
	row, err := r.c.q.FreezeAfter(bg(), db.FreezeAfterParams{Since: since, Session: session})
	return found(row, err, freezeOf)
}

func (r *reader) Ask(id string) (*queue.Row, error) {
	row, err := r.c.q.AskByID(bg(), id)
	return found(row, err, rowOf)
}

func (r *reader) AskPrefix(prefix string) ([]string, error) {
	// Ids are ASCII: 0x7f follows all of them.
	return r.c.q.AskPrefix(bg(), db.AskPrefixParams{ID: prefix, ID_2: prefix + "\x7f"})
}

func (r *reader) AskByCallKey(key string) (*queue.Row, error) {
	if key == "" {
		return nil, nil
	}
	seqs, err := r.c.ints(db.SeqByCallKey, short(key), key)
	if err != nil || len(seqs) == 0 {
		return nil, err
	}
	row, err := r.c.q.AskBySeq(bg(), seqs[0])
	return found(row, err, rowOf)
}

func (r *reader) AsksLike(session string, action digest.Digest, limit int64) ([]queue.Row, error) {
	seqs, err := r.c.ints(db.SeqsLike, session, short(session, string(action)), string(action), limit)
	if err != nil || len(seqs) == 0 {
		return nil, err
	}
	list := make([]queue.Row, 0, len(seqs))
	for _, seq := range seqs {
		row, err := r.c.q.AskBySeq(bg(), seq)
		if err != nil {
			return nil, err
		}
		list = append(list, rowOf(&row))
	}
	return list, nil
}

// page cuts a list that was read with one row more than its limit.
func page[T any](list []T, err error, limit int64) ([]T, bool, error) {
	if err != nil || int64(len(list)) <= limit {
		return list, false, err
	}
	return list[:limit], true, nil
}

func (r *reader) PendingPage(q queue.QInbox) ([]queue.Row, bool, error) {
	if q.Before == nil {
		rows, err := r.c.q.PendingAfter(bg(), db.PendingAfterParams{
			AfterUrgency: q.After.Urgency, AfterSeq: q.After.Seq, N: q.Limit + 1,
		})
		list, err := each(rows, err, rowOf)
		return page(list, err, q.Limit)
	}
	rows, err := r.c.q.PendingBefore(bg(), db.PendingBeforeParams{
		AfterUrgency: q.Before.Urgency, AfterSeq: q.Before.Seq, N: q.Limit + 1,
	})
	list, err := each(rows, err, rowOf)
	list, more, err := page(list, err, q.Limit)
	slices.Reverse(list)
	return list, more, err
}

func (r *reader) HistoryPage(q queue.QHistory) ([]queue.Row, bool, error) {
	before := q.BeforeSeq
	if before == 0 {
		before = 1<<63 - 1
	}
	if q.State != "" {
		rows, err := r.c.q.HistoryOfState(bg(), db.HistoryOfStateParams{State: string(q.State), Seq: before, N: q.Limit + 1})
		list, err := each(rows, err, rowOf)
		return page(list, err, q.Limit)
	}
	rows, err := r.c.q.HistoryBefore(bg(), db.HistoryBeforeParams{Seq: before, N: q.Limit + 1})
	list, err := each(rows, err, rowOf)
	return page(list, err, q.Limit)
}

func (r *reader) OpenOfSession(session string, limit int64) ([]queue.Row, error) {
	rows, err := r.c.q.OpenOfSession(bg(), db.OpenOfSessionParams{Session: session, N: limit})
	return each(rows, err, rowOf)
}

func (r *reader) PendingOf(agent string) (int64, error) { return r.c.q.PendingOf(bg(), agent) }

func (r *reader) Attempt(id string) (*queue.Attempt, error) {
	row, err := r.c.q.AttemptByID(bg(), id)
	return found(row, err, attemptOf)
}

func (r *reader) AttemptsOf(ask string) ([]queue.Attempt, error) {
	rows, err := r.c.q.AttemptsOf(bg(), ask)
	return each(rows, err, attemptOf)
}

func (r *reader) ExecutingOf(session string) ([]queue.Attempt, error) {
	rows, err := r.c.q.ExecutingOf(bg(), session)
	return each(rows, err, attemptOf)
}

func (r *reader) Session(id string) (*queue.Session, error) {
	row, err := r.c.q.SessionByID(bg(), id)
	return found(row, err, sessionOf)
}

func (r *reader) Sessions(limit int64) ([]queue.Session, error) {
	rows, err := r.c.q.Sessions(bg(), limit)
	return each(rows, err, sessionOf)
}

func (r *reader) ChildrenOf(session string) ([]queue.Session, error) {
	rows, err := r.c.q.ChildrenOf(bg(), session)
	return each(rows, err, sessionOf)
}

func (r *reader) GrantFor(session string, action digest.Digest, now int64) (*queue.Grant, error) {
	row, err := r.c.q.GrantFor(bg(), db.GrantForParams{Session: session, ActionDigest: string(action), UntilMs: now})
	return found(row, err, grantOf)
}

func (r *reader) Grants(now int64) ([]queue.Grant, error) {
	rows, err := r.c.q.Grants(bg(), now)
	return each(rows, err, grantOf)
}

func (r *reader) Notices(q queue.QNotices) ([]queue.Notice, error) {
	if q.Open {
		rows, err := r.c.q.OpenNotices(bg(), q.Limit)
		return each(rows, err, noticeOf)
	}
	rows, err := r.c.q.Notices(bg(), q.Limit)
	return each(rows, err, noticeOf)
}

func (r *reader) Notice(id int64) (*queue.Notice, error) {
	row, err := r.c.q.NoticeByID(bg(), id)
	return found(row, err, noticeOf)
}

func (r *reader) Content(d digest.Digest) ([]byte, error) {
	body, err := r.c.q.AskBody(bg(), db.AskBodyParams{ContentHash: short(string(d)), AskDigest: string(d)})
	if errors.Is(err, sql.ErrNoRows) {
		body, err = r.c.q.ContentBody(bg(), db.ContentBodyParams{Hash: short(string(d)), Digest: string(d)})
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []byte(body), nil
}

func (r *reader) Events(q queue.QEvents) ([]queue.StoredEvent, bool, error) {
	if q.Ask == "" {
		rows, err := r.c.q.EventsAfter(bg(), db.EventsAfterParams{Seq: q.After, N: q.Limit + 1})
		list, err := each(rows, err, func(e *db.EventsAfterRow) queue.StoredEvent {
			return queue.StoredEvent{Seq: e.Seq, Hash: e.Hash, Body: jsontext.Value(e.Body)}
		})
		return page(list, err, q.Limit)
	}
	first, err := r.firstEvent(q)
	if err != nil {
		return nil, false, err
	}
	rows, err := r.c.q.EventsOfAsk(bg(), db.EventsOfAskParams{Ask: q.Ask, Seq: q.After, N: q.Limit + 1})
	list, err := each(rows, err, func(e *db.EventsOfAskRow) queue.StoredEvent {
		return queue.StoredEvent{Seq: e.Seq, Hash: e.Hash, Body: jsontext.Value(e.Body)}
	})
	return page(append(first, list...), err, q.Limit)
}

// firstEvent gives the event of an ask that its row names, which no index
// holds. It comes before all others of the ask.
func (r *reader) firstEvent(q queue.QEvents) ([]queue.StoredEvent, error) {
	seq, err := r.c.q.FirstEventOf(bg(), q.Ask)
	if errors.Is(err, sql.ErrNoRows) || err == nil && seq <= q.After {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	e, err := r.c.q.EventAt(bg(), seq)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	body := jsontext.Value(e.Body)
	if ask, err := askOf(body); err != nil || ask != q.Ask {
		return nil, nil // that event is another ask's: this one's are all indexed
	}
	return []queue.StoredEvent{{Seq: e.Seq, Hash: e.Hash, Body: body}}, nil
}

func (r *reader) DueAsks(now, limit int64) ([]queue.Row, error) {
	rows, err := r.c.q.DueAsks(bg(), db.DueAsksParams{DueAt: now, N: limit})
	return each(rows, err, rowOf)
}

func (r *reader) DueAttempts(now, limit int64) ([]queue.Attempt, error) {
	rows, err := r.c.q.DueAttempts(bg(), db.DueAttemptsParams{Lease: now, N: limit})
	return each(rows, err, attemptOf)
}
