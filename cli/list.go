package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"nod/digest/visible"
	"nod/queue"
)

func (a *app) listCmd() *cobra.Command {
	var limit int64
	var f filtering
	cmd := &cobra.Command{
		Use: "list", Short: "List what waits for an answer, most urgent first",
		Long: `Lists what waits for an answer, most urgent first, and the notices that nobody
has read. What is snoozed is left out, unless words or a session are asked for.
nod show ID prints one ask whole, with its session; --json prints all that a
row holds.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, paths, err := a.load(false)
			if err != nil {
				return err
			}
			st, err := a.open(cmd.Context(), c, paths)
			if err != nil {
				return err
			}
			defer func() { _ = st.Close() }()
			port := st.Port(a.person("command"))
			filter, err := f.filter(a.Edge.WallMS())
			if err != nil {
				return err
			}
			page, err := inboxOf(cmd.Context(), port, filter, limit)
			if err != nil {
				return err
			}
			notices, err := queue.Get[queue.Notices](cmd.Context(), port, queue.QNotices{Open: true, Limit: limit})
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(struct {
					queue.Inbox
					Notices []queue.NoticeView `json:"notices"`
				}{page, notices.Notices})
			}
			if filter != (queue.Filter{}) {
				return a.found(&page)
			}
			if err := a.list(&page, notices.Notices); err != nil {
				return err
			}
			if long := page; page.Counters.Pending > 0 {
				if page.More {
					if long, err = lookLong(cmd.Context(), port); err != nil {
						return err
					}
				}
				if banner := unwatched(paths.Store, &long); banner != "" {
					return a.printf("%s\n", banner)
				}
			}
			return nil
		},
	}
	f.flags(cmd)
	f.waiting(cmd)
	cmd.Flags().Int64Var(&limit, "limit", 50, "rows at the most, up to 500")
	takes(cmd, "limit", "N")
	return cmd
}

func (a *app) list(page *queue.Inbox, notices []queue.NoticeView) error {
	if page.Counters.Pending == 0 && len(notices) == 0 {
		return a.printf("Nothing waits.\n%s%s", onDesk(page.Counters.Unknown), onTheirWay(page.Counters.Undelivered))
	}
	if err := a.waiting(page); err != nil {
		return err
	}
	for i := range notices {
		n := &notices[i]
		if err := a.row("notice %-11d  %-9s  %4s             %s", n.ID, n.Code, span(page.Now-n.At), oneLine(n.Sentence)); err != nil {
			return err
		}
	}
	snoozed := ""
	if page.Snoozed > 0 {
		snoozed = fmt.Sprintf(", %d of them snoozed", page.Snoozed)
	}
	return a.printf("%d wait%s%s\n%s", page.Counters.Pending, snoozed, moreOf(page), onDesk(page.Counters.Unknown)+onTheirWay(page.Counters.Undelivered))
}

// onTheirWay says how many answers did not arrive; nothing where all did.
func onTheirWay(n int64) string {
	if n == 0 {
		return ""
	}
	return count(n, "answer was", "answers were") + " not collected or not carried: nod deliveries --open\n"
}

// onDesk says how many effects want a person; nothing where none does.
func onDesk(n int64) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 effect is on the desk: nod effects\n"
	default:
		return fmt.Sprintf("%d effects are on the desk: nod effects\n", n)
	}
}

// found prints what a filter lets through.
func (a *app) found(page *queue.Inbox) error {
	if len(page.Rows) == 0 {
		return a.printf("Nothing that waits is like that; %d wait.\n", page.Counters.Pending)
	}
	if err := a.waiting(page); err != nil {
		return err
	}
	return a.printf("%d found, %d wait%s\n", len(page.Rows), page.Counters.Pending, moreOf(page))
}

func moreOf(page *queue.Inbox) string {
	if !page.More {
		return ""
	}
	return fmt.Sprintf("; %d shown, more with --limit", len(page.Rows))
}

// waiting prints the rows of a page.
func (a *app) waiting(page *queue.Inbox) error {
	for i := range page.Rows {
		r := &page.Rows[i]
		if err := a.row("%s  %-9s  %4s  %4s left  %s%s", shortID(r.ID), stateWord(r), span(page.Now-r.CreatedAt),
			span(r.AnswerBy-page.Now), what(r), marksOf(r, page.Now)); err != nil {
			return err
		}
	}
	return nil
}

// marksOf says what operators put on a row.
func marksOf(r *queue.Row, now int64) (out string) {
	if r.ClaimedBy != "" {
		out += "  claimed by " + visible.Of(visible.Name, r.ClaimedBy).String() + " for " + span(r.ClaimedUntil-now)
	}
	if r.SnoozedUntil > 0 {
		out += "  snoozed for " + span(r.SnoozedUntil-now)
	}
	return out
}

// shortID is enough of an id to name an ask: the time to the millisecond and
// some of the random part.
func shortID(id string) string {
	if len(id) < 18 {
		return id
	}
	return id[:18]
}

// stateWord is what a row is, in a word: what only a person may answer is said
// before the kind.
func stateWord(r *queue.Row) string {
	switch {
	case r.State != queue.StatePending:
		return string(r.State)
	case r.Mandated:
		return "mandated"
	case r.Kind != "call":
		return r.Kind
	case r.Irreversible:
		return "irrevers."
	default:
		return "call"
	}
}

// what is tool, target and agent, drawn for one line of a terminal.
func what(r *queue.Row) string {
	gist := visible.Row(r.Gist).String()
	if cut := []rune(gist); len(cut) > 60 {
		gist = fmt.Sprintf("%s…+%d", string(cut[:60]), int64(len(cut))-60+r.GistMore)
	} else if r.GistMore > 0 {
		gist = fmt.Sprintf("%s…+%d", gist, r.GistMore)
	}
	out := ""
	for _, part := range []string{visible.Of(visible.Name, r.Tool).String(), gist, "by " + visible.Of(visible.Name, r.Agent).String()} {
		if part == "" {
			continue
		}
		if out != "" {
			out += "  "
		}
		out += part
	}
	return out
}
