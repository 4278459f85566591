package audit

import (
	"context"
	"iter"

	"nod/queue"
)

// rowPage is how many rows one read of the port brings.
const rowPage = 200

// Rows reads the rows of all asks: those that wait, most urgent first, then the
// others, newest first. One that is answered meanwhile may come twice.
func Rows(ctx context.Context, port queue.Port) iter.Seq2[*queue.Row, error] {
	return func(yield func(*queue.Row, error) bool) {
		var after queue.Key
		for more := true; more; {
			page, err := queue.Get[queue.Inbox](ctx, port, queue.QInbox{After: after, Limit: rowPage})
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page.Rows {
				r := &page.Rows[i]
				after = queue.Key{Urgency: r.Urgency, Seq: r.Seq}
				if !yield(r, nil) {
					return
				}
			}
			more = page.More
		}
		var before int64
		for more := true; more; {
			page, err := queue.Get[queue.History](ctx, port, queue.QHistory{BeforeSeq: before, Limit: rowPage})
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page.Rows {
				before = page.Rows[i].Seq
				if !yield(&page.Rows[i], nil) {
					return
				}
			}
			more = page.More
		}
	}
}

// EventsOf reads all events of one ask, oldest first.
func EventsOf(ctx context.Context, port queue.Port, ask string) ([]queue.StoredEvent, error) {
	var all []queue.StoredEvent
	for page := (queue.QEvents{Ask: ask, Limit: rowPage}); ; {
		got, err := queue.Get[queue.Events](ctx, port, page)
		if err != nil {
			return nil, err
		}
		all = append(all, got.Events...)
		if !got.More || len(got.Events) == 0 {
			return all, nil
		}
		page.After = all[len(all)-1].Seq
	}
}
