package cli

import (
	"context"
	"errors"
	"strings"

	"nod/queue"
)

// namedMost is how many asks the hint of an ambiguous id names.
const namedMost = 5

// askView reads one ask by its id or the beginning of it. Where that names more
// than one, the refusal names them.
func askView(ctx context.Context, port queue.Port, id string) (queue.AskView, error) {
	v, err := queue.Get[queue.AskView](ctx, port, queue.QAsk{ID: id})
	if no, ok := errors.AsType[*queue.Refusal](err); ok && no.Code == queue.CodeAmbiguousID {
		if hint := matches(ctx, port, id); hint != "" {
			return v, &fault{Code: no.Code, Sentence: no.Sentence, Hint: hint}
		}
	}
	return v, err
}

// matches names the first asks whose id begins so, each with as much of it as
// it takes to tell them apart.
func matches(ctx context.Context, port queue.Port, id string) string {
	const page = 500
	inbox, err := queue.Get[queue.Inbox](ctx, port, queue.QInbox{Limit: page})
	if err != nil {
		return ""
	}
	past, err := queue.Get[queue.History](ctx, port, queue.QHistory{Limit: page})
	if err != nil {
		return ""
	}
	var found []*queue.Row
	for _, rows := range [][]queue.Row{inbox.Rows, past.Rows} {
		for i := range rows {
			if strings.HasPrefix(rows[i].ID, id) {
				found = append(found, &rows[i])
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	size := apart(found)
	var named []string
	for _, r := range found[:min(len(found), namedMost)] {
		named = append(named, r.ID[:min(size, len(r.ID))]+" ("+string(r.State)+")")
	}
	more := ""
	if len(found) > namedMost {
		more = " …"
	}
	return "give more of it: " + strings.Join(named, ", ") + more
}

// apart is how much of the ids tells rows apart; never less than a list shows.
func apart(rows []*queue.Row) int {
	for size := len(shortID(rows[0].ID)); size < len(rows[0].ID); size++ {
		seen := map[string]bool{}
		for _, r := range rows {
			seen[r.ID[:min(size, len(r.ID))]] = true
		}
		if len(seen) == len(rows) {
			return size
		}
	}
	return len(rows[0].ID)
}
