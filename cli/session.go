package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/sessions"
)

func (a *app) sessionCmd() *cobra.Command {
	return group("session", "List agents' sessions as a tree, show one, and register one", a.sessionListCmd(), a.sessionShowCmd(),
		a.sessionRegisterCmd())
}

func (a *app) sessionListCmd() *cobra.Command {
	var limit int64
	cmd := &cobra.Command{
		Use: "list", Short: "List sessions, newest act first, children under their parents", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			got, err := queue.Get[queue.Sessions](cmd.Context(), port, queue.QSessions{Limit: limit})
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(got)
			}
			if len(got.Sessions) == 0 {
				return a.printf("No session yet.\n")
			}
			status, err := queue.Get[queue.Status](cmd.Context(), port, queue.QStatus{})
			if err != nil {
				return err
			}
			for _, b := range sessions.Tree(got.Sessions) {
				if err := a.session(&b.SessionView, b.Depth, status.Now); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().Int64Var(&limit, "limit", 50, "sessions at the most, up to 500")
	takes(cmd, "limit", "N")
	return cmd
}

func (a *app) session(s *queue.SessionView, depth int, now int64) error {
	state := "live"
	switch {
	case s.Frozen:
		state = "frozen"
	case s.EndedAt != 0:
		state = "ended"
	}
	tree := armed(s)
	if tree != "" {
		tree = "  " + tree
	}
	return a.row("%s%s  %-6s  %3d wait  %4s  %s%s", strings.Repeat("  ", min(depth, 8)), s.ID, state, s.Waits, span(now-s.LastAct),
		visible.Of(visible.Name, s.Agent), tree)
}

func (a *app) sessionShowCmd() *cobra.Command {
	return &cobra.Command{
		Use: "show SESSION", Short: "Show one session, its tree and records, and what of it waits", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			got, err := queue.Get[queue.Sessions](cmd.Context(), port, queue.QSessions{Limit: sessions.Page})
			if err != nil {
				return err
			}
			s, err := sessionIn(got.Sessions, args[0])
			if err != nil {
				return err
			}
			records, err := queue.Get[queue.Records](cmd.Context(), port, queue.QRecords{Session: s.ID, Limit: 20})
			if err != nil {
				return err
			}
			page, err := inboxOf(cmd.Context(), port, queue.Filter{Session: s.ID}, 50)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(struct {
					Session *queue.SessionView `json:"session"`
					Records queue.Records      `json:"records"`
					Rows    []queue.Row        `json:"rows"`
					More    bool               `json:"more"`
				}{s, records, page.Rows, page.More})
			}
			return a.sessionWhole(s, got.Sessions, &records, &page)
		},
	}
}

// sessionIn finds a session by its id or a prefix that names one only.
func sessionIn(list []queue.SessionView, id string) (*queue.SessionView, error) {
	var found *queue.SessionView
	for i := range list {
		switch s := &list[i]; {
		case s.ID == id:
			return s, nil
		case len(id) < queue.MinPrefix+2 || !strings.HasPrefix(s.ID, id):
		case found != nil:
			return nil, &fault{Code: queue.CodeAmbiguousID, Sentence: "more than one session begins with this id", Hint: "give more of it"}
		default:
			found = s
		}
	}
	if found == nil {
		return nil, &fault{Code: queue.CodeUnknownID, Sentence: "none of the newest sessions has this id", Hint: "nod session list shows them"}
	}
	return found, nil
}

func (a *app) sessionWhole(s *queue.SessionView, all []queue.SessionView, records *queue.Records, page *queue.Inbox) error {
	if err := a.session(s, 0, page.Now); err != nil {
		return err
	}
	if err := a.row("host's id  %s", visible.Of(visible.Value, s.Host)); err != nil {
		return err
	}
	if err := a.printf("since      %s\n", clock(s.Started, page.Now)); err != nil {
		return err
	}
	if s.Parent != "" {
		if err := a.row("parent     %s", s.Parent); err != nil {
			return err
		}
	}
	for i := range all {
		if all[i].Parent == s.ID {
			if err := a.row("child      %s", all[i].ID); err != nil {
				return err
			}
		}
	}
	if err := a.clamped(s); err != nil {
		return err
	}
	if err := a.tree(s, records, page.Now); err != nil {
		return err
	}
	return a.waiting(page)
}
