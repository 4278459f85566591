package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/queue"
	"nod/store/sqlite/db"
)

// reader is queue.ReadTx on one connection inside a transaction.
type reader struct {
	c    *conn
	meta *meta // read at the first need
	look int   // how many rows a filtered page looks at; 0: lookAt
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

func (r *reader) Ask(id string) (*queue.Row, error) { return r.c.ask(db.AskByID, id) }

func (r *reader) AskPrefix(prefix string) ([]string, error) {
	// Ids are ASCII: 0x7f follows all of them.
	return r.c.q.AskPrefix(bg(), db.AskPrefixParams{ID: prefix, ID_2: prefix + "\x7f"})
}

func (r *reader) AskByCallKey(session, key string) (*queue.Row, error) {
	if key == "" {
		return nil, nil
	}
	seqs, err := r.c.ints(db.SeqByCallKey, session, short(key), key)
	if err != nil || len(seqs) == 0 {
		return nil, err
	}
	return r.c.ask(db.AskBySeq, seqs[0])
}

func (r *reader) AsksLike(session string, action digest.Digest, limit int64) ([]queue.Row, error) {
	seqs, err := r.c.ints(db.SeqsLike, session, short(string(action)), string(action), limit)
	if err != nil || len(seqs) == 0 {
		return nil, err
	}
	list := make([]queue.Row, 0, len(seqs))
	for _, seq := range seqs {
		row, err := r.c.ask(db.AskBySeq, seq)
		if err != nil {
			return nil, err
		}
		list = append(list, *row)
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
		list, err := r.c.asks(db.PendingAfter, q.After.Urgency, q.After.Seq, q.Limit+1)
		return page(list, err, q.Limit)
	}
	list, err := r.c.asks(db.PendingBefore, q.Before.Urgency, q.Before.Seq, q.Limit+1)
	list, more, err := page(list, err, q.Limit)
	slices.Reverse(list)
	return list, more, err
}

func (r *reader) HistoryPage(q queue.QHistory) ([]queue.Row, bool, error) {
	before := q.BeforeSeq
	if before == 0 {
		before = math.MaxInt64
	}
	if q.State != "" {
		list, err := r.c.asks(db.HistoryOfState, string(q.State), before, q.Limit+1)
		return page(list, err, q.Limit)
	}
	list, err := r.c.asks(db.HistoryBefore, before, q.Limit+1)
	return page(list, err, q.Limit)
}

func (r *reader) OpenOfSession(session string, limit int64) ([]queue.Row, error) {
	return r.c.asks(db.OpenOfSession, session, limit)
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

func (r *reader) TreesOf(principal string, since int64) ([]queue.Session, error) {
	rows, err := r.c.q.TreesOf(bg(), db.TreesOfParams{Principal: principal, LastAct: since})
	return each(rows, err, sessionOf)
}

func (r *reader) Records(session string, limit int64) ([]queue.Record, error) {
	rows, err := r.c.q.RecordsOf(bg(), db.RecordsOfParams{Session: session, N: limit})
	return each(rows, err, recordOf)
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

func (r *reader) AskBody(seq int64) ([]byte, error) {
	body, err := r.c.q.AskBody(bg(), seq)
	if errors.Is(err, sql.ErrNoRows) || err == nil && body == "" {
		return nil, nil
	}
	return []byte(body), err
}

func (r *reader) Content(d digest.Digest) ([]byte, error) {
	body, err := r.c.q.ContentBody(bg(), db.ContentBodyParams{Hash: short(string(d)), Digest: string(d)})
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
	list, err := r.namedEvents(q)
	if err != nil {
		return nil, false, err
	}
	rows, err := r.c.q.EventsOfAsk(bg(), db.EventsOfAskParams{Ask: q.Ask, Seq: q.After, N: q.Limit + 1})
	if err != nil {
		return nil, false, err
	}
	for _, e := range rows {
		list = append(list, queue.StoredEvent{Seq: e.Seq, Hash: e.Hash, Body: jsontext.Value(e.Body)})
	}
	slices.SortFunc(list, func(a, b queue.StoredEvent) int { return cmp.Compare(a.Seq, b.Seq) })
	return page(list, nil, q.Limit)
}

// namedEvents gives the events that an ask's row names, which no index holds.
// A number there is what was expected next: one that came to be another ask's
// event is passed over, and the ask's own was indexed.
func (r *reader) namedEvents(q queue.QEvents) (list []queue.StoredEvent, err error) {
	names, err := r.c.q.EventsNamedBy(bg(), q.Ask)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	for name := range strings.FieldsSeq(names) {
		seq, err := strconv.ParseInt(name, 10, 64)
		if err != nil {
			return nil, damaged(err)
		}
		if seq <= q.After {
			continue
		}
		e, err := r.c.q.EventAt(bg(), seq)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, err
		}
		body := jsontext.Value(e.Body)
		if ask, err := askOf(body); err == nil && ask == q.Ask {
			list = append(list, queue.StoredEvent{Seq: e.Seq, Hash: e.Hash, Body: body})
		}
	}
	return list, err
}

func (r *reader) DueAsks(now, limit int64) ([]queue.Row, error) {
	return r.c.asks(db.DueAsks, now, limit)
}

func (r *reader) DueAttempts(now, limit int64) ([]queue.Attempt, error) {
	rows, err := r.c.q.DueAttempts(bg(), db.DueAttemptsParams{Lease: now, N: limit})
	return each(rows, err, attemptOf)
}
