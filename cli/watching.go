package cli

import (
	"context"
	"fmt"

	"nod/queue"
)

// maxLooked is how many rows of the inbox are looked at for the oldest.
const maxLooked = 500

// unwatched is the banner for a store that has asks while no console is open
// on it; "" where somebody watches, nothing waits, or it cannot be told.
func unwatched(store string, page *queue.Inbox) string {
	is, known := watched(store)
	if is || !known || page.Counters.Pending == 0 || len(page.Rows) == 0 {
		return ""
	}
	oldest := page.Rows[0].CreatedAt
	for i := range page.Rows {
		oldest = min(oldest, page.Rows[i].CreatedAt)
	}
	least := ""
	if page.More {
		least = "at least "
	}
	return fmt.Sprintf("nobody watches: %d wait%s, the oldest %s%s; run nod",
		page.Counters.Pending, map[bool]string{true: "s"}[page.Counters.Pending == 1], least, span(page.Now-oldest))
}

// lookLong reads as much of the inbox as one page holds.
func lookLong(ctx context.Context, port queue.Port) (queue.Inbox, error) {
	return queue.Get[queue.Inbox](ctx, port, queue.QInbox{Limit: maxLooked})
}
