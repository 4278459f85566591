package memory

import (
	"cmp"
	"math"
	"slices"

	"nod/queue"
)

func (r *reader) Delivery(num int64) (*queue.Delivery, error) {
	_, d := find(r.s.Deliveries, func(d *queue.Delivery) bool { return d.Num == num })
	return copied(d), nil
}

func (r *reader) Deliveries(q queue.QDeliveries) ([]queue.Delivery, bool, error) {
	before := q.Before
	if before == 0 {
		before = math.MaxInt64
	}
	rows := some(r.s.Deliveries, -1, func(d *queue.Delivery) bool {
		return d.Num < before && (q.Notice == 0 || d.Notice == q.Notice) && (q.Notice != 0 || !q.Open || d.Item != "")
	})
	slices.SortFunc(rows, func(a, b queue.Delivery) int { return cmp.Compare(b.Num, a.Num) })
	if int64(len(rows)) <= q.Limit {
		return rows, false, nil
	}
	return rows[:q.Limit], true, nil
}

func (r *reader) OwedOf(session string, limit int64) ([]queue.Delivery, error) {
	rows := some(r.s.Deliveries, -1, func(d *queue.Delivery) bool { return d.Session == session && d.Words.Owed() })
	slices.SortFunc(rows, func(a, b queue.Delivery) int { return cmp.Compare(a.Num, b.Num) })
	return rows[:min(int64(len(rows)), limit)], nil
}

func (r *reader) DueDeliveries(now, limit int64) ([]queue.Delivery, error) {
	rows := some(r.s.Deliveries, -1, func(d *queue.Delivery) bool { return d.DueAt > 0 && d.DueAt <= now })
	slices.SortFunc(rows, func(a, b queue.Delivery) int {
		return cmp.Or(cmp.Compare(a.DueAt, b.DueAt), cmp.Compare(a.Num, b.Num))
	})
	return rows[:min(int64(len(rows)), limit)], nil
}

func (r *reader) NoticeOnce(key string) (*queue.Notice, error) {
	_, n := find(r.s.Notices, func(n *queue.Notice) bool { return key != "" && n.Once == key })
	return copied(n), nil
}

func (t *tx) PutDelivery(d *queue.Delivery) error {
	t.wrote = true
	t.s.Counters.Deliver(d, 1)
	i, old := find(t.s.Deliveries, func(o *queue.Delivery) bool { return o.Num == d.Num })
	if old == nil {
		t.s.Deliveries = and(t.s.Deliveries, copied(d))
		return nil
	}
	t.s.Counters.Deliver(old, -1)
	c := copied(d)
	c.Ask, c.Session, c.Receipts, c.DecidedAt = old.Ask, old.Session, old.Receipts, old.DecidedAt
	t.s.Deliveries = with(t.s.Deliveries, i, c)
	return nil
}
