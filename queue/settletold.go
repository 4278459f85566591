package queue

import (
	"context"
	"errors"
)

// SettleTold does one act on each answer whose words a notice told of and nobody
// did anything about since, however many, then says that the notice was read. It
// gives those answers' asks and the last result; none is no error, and then the
// notice is not read. What another console did in between stands.
func SettleTold(ctx context.Context, p Port, notice int64, act func(ask string) Act) (asks []string, last Result, err error) {
	q := QDeliveries{Notice: notice, Limit: maxPage}
	for more := true; more; {
		page, err := Get[Deliveries](ctx, p, q)
		if err != nil {
			return asks, last, err
		}
		for i := range page.Deliveries {
			d := &page.Deliveries[i]
			q.Before = d.Num
			if d.Words != WordsTold {
				continue
			}
			r, err := p.Do(ctx, act(d.Ask))
			switch {
			case wasFirst(err):
				continue
			case err != nil:
				return asks, last, err
			}
			asks, last = append(asks, d.Ask), r
		}
		more = page.More
	}
	if len(asks) == 0 {
		return nil, nil, nil
	}
	if _, err = p.Do(ctx, AckNotice{Notice: notice}); wasFirst(err) {
		err = nil // it was read before
	}
	return asks, last, err
}

// wasFirst reports whether somebody else did an act before.
func wasFirst(err error) bool {
	r, ok := errors.AsType[*Refusal](err)
	return ok && r.Code == CodeDecided
}
