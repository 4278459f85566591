package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"nod/digest/visible"
	"nod/queue"
)

func (a *app) listCmd() *cobra.Command {
	var limit int64
	cmd := &cobra.Command{
		Use: "list", Short: "List what waits for an answer, most urgent first",
		Long: `Lists what waits for an answer, most urgent first, and the notices that nobody
has read. nod show ID prints one ask whole, with its session; --json prints all
that a row holds.`,
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
			page, err := queue.Get[queue.Inbox](cmd.Context(), port, queue.QInbox{Limit: limit})
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
			if err := a.list(page, notices.Notices); err != nil {
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
	cmd.Flags().Int64Var(&limit, "limit", 50, "rows at the most, up to 500")
	takes(cmd, "limit", "N")
	return cmd
}

func (a *app) list(page queue.Inbox, notices []queue.NoticeView) error {
	if page.Counters.Pending == 0 && len(notices) == 0 {
		return a.printf("Nothing waits.\n")
	}
	for i := range page.Rows {
		r := &page.Rows[i]
		if err := a.row("%s  %-9s  %4s  %4s left  %s", shortID(r.ID), stateWord(r), span(page.Now-r.CreatedAt),
			span(r.AnswerBy-page.Now), what(r)); err != nil {
			return err
		}
	}
	for i := range notices {
		n := &notices[i]
		if err := a.row("notice %-11d  %-9s  %4s             %s", n.ID, n.Code, span(page.Now-n.At), oneLine(n.Sentence)); err != nil {
			return err
		}
	}
	more := ""
	if page.More {
		more = fmt.Sprintf("; %d shown, more with --limit", len(page.Rows))
	}
	return a.printf("%d wait%s\n", page.Counters.Pending, more)
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
