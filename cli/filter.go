package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"nod/queue"
)

// filtering is what of a list is asked for on the command line.
type filtering struct {
	queue.Filter
	verdict, by, state string
	since              time.Duration
}

// flags adds what lists of both kinds can be asked for.
func (f *filtering) flags(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringVar(&f.Find, "find", "", "only with these words in tool, argument, agent, directory or id; letters between are skipped")
	set.StringVar(&f.Kind, "kind", "", "only this kind: call, question, commit")
	set.StringVar(&f.Tool, "tool", "", "only of this tool")
	set.StringVar(&f.Agent, "agent", "", "only of this agent")
	set.StringVar(&f.Session, "session", "", "only of this session, s- and 16 hex digits")
	set.BoolVar(&f.Mandated, "mandated", false, "only what a person alone may answer")
	set.BoolVar(&f.Irreversible, "irreversible", false, "only what cannot be taken back")
	length(cmd, &f.since, "since", "only what was asked in this time, up to now")
	for flag, value := range map[string]string{"find": "WORDS", "kind": "KIND", "tool": "NAME", "agent": "NAME", "session": "SESSION"} {
		takes(cmd, flag, value)
	}
}

// waiting adds what only a list of waiting asks can be asked for.
func (f *filtering) waiting(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.Alone, "alone", false, "only what nobody waits for any more")
	cmd.Flags().BoolVar(&f.Snoozed, "snoozed", false, "only what is snoozed")
}

// past adds what only a history can be asked for.
func (f *filtering) past(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringVar(&f.state, "state", "", "only this state: "+pastStates)
	set.StringVar(&f.verdict, "verdict", "", "only answered so: allow, deny, answer")
	set.StringVar(&f.by, "by", "", "only answered by: person, rule, grant")
	for flag, value := range map[string]string{"state": "STATE", "verdict": "VERDICT", "by": "WHO"} {
		takes(cmd, flag, value)
	}
}

// filter is what is asked for at now.
func (f *filtering) filter(now int64) (queue.Filter, error) {
	out := f.Filter
	out.State, out.Verdict, out.By = queue.State(f.state), queue.Verdict(f.verdict), queue.DecidedBy(f.by)
	switch {
	case f.since < 0:
		return out, &fault{Code: "usage", Sentence: "--since is a time up to now, so it is not negative", Hint: "for the last day: --since 24h"}
	case f.since > 0:
		out.Since = max(1, now-f.since.Milliseconds())
	}
	return out, checkPast(out.State)
}

// maxRows is how many rows a list prints at the most.
const maxRows = 500

// inboxOf reads up to limit rows: a filtered page may end before it has as many
// as it could.
func inboxOf(ctx context.Context, port queue.Port, f queue.Filter, limit int64) (queue.Inbox, error) {
	limit = min(limit, maxRows)
	q := queue.QInbox{Limit: limit, Filter: f}
	var rows []queue.Row
	for {
		page, err := queue.Get[queue.Inbox](ctx, port, q)
		if err != nil {
			return page, err
		}
		rows = append(rows, page.Rows...)
		q.Limit = limit - int64(len(rows))
		if !page.More || page.Reached == nil || q.Limit < 1 {
			page.Rows = rows
			return page, nil
		}
		q.After = *page.Reached
	}
}

// historyOf is inboxOf for the history.
func historyOf(ctx context.Context, port queue.Port, f queue.Filter, limit int64) (queue.History, error) {
	limit = min(limit, maxRows)
	q := queue.QHistory{Limit: limit, Filter: f}
	var rows []queue.Row
	for {
		page, err := queue.Get[queue.History](ctx, port, q)
		if err != nil {
			return page, err
		}
		rows = append(rows, page.Rows...)
		q.Limit = limit - int64(len(rows))
		if !page.More || q.Limit < 1 {
			page.Rows = rows
			return page, nil
		}
		q.BeforeSeq = page.Reached
	}
}
