package notify

import (
	"context"
	"fmt"

	"nod/notify/ladder"
	"nod/queue"
)

// Bounds of one look: of more asks than these the most urgent are looked at.
const (
	lookPage  = 500
	lookPages = 4
)

// look reads what waits.
func look(ctx context.Context, port queue.Port, status *queue.Status) (*sight, *ladder.Facts, error) {
	c := status.Counters
	s := &sight{store: status.StoreID, rows: map[string]*queue.Row{}}
	f := &ladder.Facts{}
	after := queue.Key{}
	for range lookPages {
		page, err := queue.Get[queue.Inbox](ctx, port, queue.QInbox{After: after, Limit: lookPage})
		if err != nil {
			return nil, nil, fmt.Errorf("read what waits: %w", err)
		}
		c, s.now = page.Counters, page.Now
		for i := range page.Rows {
			r := &page.Rows[i]
			after = queue.Key{Urgency: r.Urgency, Seq: r.Seq}
			if r.State != queue.StatePending || s.rows[r.ID] != nil {
				continue
			}
			s.rows[r.ID] = r
			f.Asks = append(f.Asks, ladder.Ask{ID: r.ID, Mandated: r.Mandated, CreatedAt: r.CreatedAt, AnswerBy: r.AnswerBy})
			if s.oldest == 0 || r.CreatedAt < s.oldest {
				s.oldest = r.CreatedAt
			}
		}
		if f.All = !page.More && page.Snoozed == 0; !page.More {
			break
		}
	}
	s.counts = Counts{Pending: c.Pending, Mandated: c.Mandated, Questions: c.Questions, Unknown: c.Unknown, Notices: c.Notices}
	f.Now, f.Pending, f.Unknown = s.now, c.Pending, c.Unknown
	return s, f, nil
}
