package sqlite

import (
	"fmt"
	"math"

	"nod/queue"
	"nod/store/sqlite/db"
)

func (r *reader) Delivery(num int64) (*queue.Delivery, error) {
	row, err := r.c.q.DeliveryOf(bg(), num)
	return found(row, err, deliveryOf)
}

func (r *reader) Deliveries(q queue.QDeliveries) ([]queue.Delivery, bool, error) {
	before := q.Before
	if before == 0 {
		before = math.MaxInt64
	}
	var rows []db.Delivery
	var err error
	switch {
	case q.Notice != 0:
		rows, err = r.c.q.DeliveriesOfNotice(bg(), db.DeliveriesOfNoticeParams{Notice: q.Notice, Num: before, N: q.Limit + 1})
	case q.Open:
		rows, err = r.c.q.OpenDeliveries(bg(), db.OpenDeliveriesParams{Num: before, N: q.Limit + 1})
	default:
		rows, err = r.c.q.Deliveries(bg(), db.DeliveriesParams{Num: before, N: q.Limit + 1})
	}
	list, err := each(rows, err, deliveryOf)
	return page(list, err, q.Limit)
}

func (r *reader) OwedOf(session string, limit int64) ([]queue.Delivery, error) {
	c, err := r.Counters()
	if err != nil {
		return nil, err
	}
	return r.owedOf(c, session, limit)
}

func (r *reader) owedOf(c queue.Counters, session string, limit int64) ([]queue.Delivery, error) {
	if c.Owed == 0 {
		return nil, nil
	}
	rows, err := r.c.q.OwedOf(bg(), db.OwedOfParams{Session: session, N: limit})
	return each(rows, err, deliveryOf)
}

func (r *reader) NoticeOnce(key string) (*queue.Notice, error) {
	if key == "" {
		return nil, nil
	}
	row, err := r.c.q.NoticeOnce(bg(), key)
	return found(row, err, noticeOf)
}

func (r *reader) DueDeliveries(now, limit int64) ([]queue.Delivery, error) {
	rows, err := r.c.q.DueDeliveries(bg(), db.DueDeliveriesParams{DueAt: now, N: limit})
	return each(rows, err, deliveryOf)
}

func (t *tx) OwedOf(session string, limit int64) ([]queue.Delivery, error) {
	return t.owedOf(t.w.mem.counters, session, limit)
}

func (t *tx) DueDeliveries(now, limit int64) ([]queue.Delivery, error) {
	m := t.w.mem
	if now < m.nextDelivery {
		return nil, nil
	}
	rows, err := t.reader.DueDeliveries(now, limit)
	if err == nil && len(rows) == 0 {
		m.nextDelivery, err = optional(t.c.q.NextDueDelivery(bg()))
	}
	return rows, t.broke(err)
}

func (t *tx) PutDelivery(d *queue.Delivery) error {
	old, err := t.Delivery(d.Num)
	if err != nil {
		return t.broke(err)
	}
	if err := t.change(); err != nil {
		return err
	}
	err = t.c.q.PutDelivery(bg(), db.PutDeliveryParams{
		Num: d.Num, Ask: d.Ask, Session: d.Session, Receipts: string(d.Receipts), Stage: string(d.Stage), Words: string(d.Words),
		IsOwed: flag(d.Words.Owed()), Carry: d.Carry, Item: string(d.Item), Notice: d.Notice, DueAt: d.DueAt, DecidedAt: d.DecidedAt,
		HandedAt: d.HandedAt, AckedAt: d.AckedAt, ResentAt: d.ResentAt, ClosedAt: d.ClosedAt, ClosedBy: d.ClosedBy, Reason: d.Reason,
	})
	if err != nil {
		return t.broke(fmt.Errorf("keep a delivery: %w", err))
	}
	m := t.w.mem
	if old != nil {
		m.counters.Deliver(old, -1)
	}
	m.counters.Deliver(d, 1)
	m.changed = true
	if d.DueAt > 0 {
		m.nextDelivery = min(m.nextDelivery, d.DueAt)
	}
	return nil
}

func deliveryOf(d *db.Delivery) queue.Delivery {
	return queue.Delivery{
		Num: d.Num, Ask: d.Ask, Session: d.Session, Receipts: queue.Stage(d.Receipts), Stage: queue.Stage(d.Stage),
		Words: queue.WordsState(d.Words), Carry: d.Carry, Item: queue.Item(d.Item), Notice: d.Notice, DueAt: d.DueAt, DecidedAt: d.DecidedAt,
		HandedAt: d.HandedAt, AckedAt: d.AckedAt, ResentAt: d.ResentAt, ClosedAt: d.ClosedAt, ClosedBy: d.ClosedBy, Reason: d.Reason,
	}
}
