package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"nod/digest/visible"
	"nod/policy"
	"nod/queue"
)

func (a *app) cleanupsCmd() *cobra.Command {
	return group("cleanups", "What components owe: acts that take effects back, and those that failed", a.cleanupsListCmd(), a.cleanupsAckCmd())
}

func (a *app) cleanupsListCmd() *cobra.Command {
	var all bool
	var q queue.QCleanups
	cmd := &cobra.Command{
		Use: "list", Short: "List components that owe something or are blocked, newest first",
		Long: `Lists the scopes of components that live, that are gone and still owe cleanups,
or that are blocked by a cleanup that failed. A cleanup is attempted once; one
that failed, or may have run, blocks its component until nod cleanups ack.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			q.Open = !all
			return page(a, cmd, &q.Limit, &q.Before, func() queue.Query { return q }, func(got *queue.Cleanups) error {
				if len(got.Scopes) == 0 {
					return a.printf("No component owes anything.\n")
				}
				for i := range got.Scopes {
					if err := a.scope(&got.Scopes[i], got.Now); err != nil {
						return err
					}
				}
				return a.more(got.More, len(got.Scopes), got.Scopes[len(got.Scopes)-1].Num)
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also those that are over")
	paged(cmd, "scopes", &q.Limit, &q.Before)
	return cmd
}

// scope prints one component with its cleanups.
func (a *app) scope(s *queue.ScopeView, now int64) error {
	word := string(s.State)
	switch {
	case s.Blocked:
		word = "blocked"
	case s.Due:
		word = "owes"
	}
	if err := a.row("%s  %-9s  %4s  %s  by %s", shortID(s.ID), word, span(now-s.MovedAt), visible.Row(s.Component), visible.Of(visible.Name, s.Agent)); err != nil {
		return err
	}
	for i := range s.Cleanups {
		c := &s.Cleanups[i]
		state := string(c.State)
		if c.Acknowledged {
			state += ", acknowledged"
		}
		call := c.Tool
		if c.Operation != "" {
			call += " " + c.Operation
		}
		if err := a.row("  %d  %s  %s  %s", c.Number, state, visible.Row(call), visible.Row(string(c.Arguments))); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) cleanupsAckCmd() *cobra.Command {
	var act queue.AckCleanup
	cmd := &cobra.Command{
		Use: "ack SCOPE NUMBER", Short: "Say that you looked at what a failed cleanup left behind",
		Long: `Acknowledges one cleanup that failed or may have run. It makes no success of it;
the component may be used again when none is left. With --give-up it also ends
the next cleanup of a component that is gone, which nobody will run, as failed.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := strconv.ParseInt(args[1], 10, 32)
			if err != nil || number < 1 {
				return &fault{Code: "usage", Sentence: "the cleanup is not a number from 1", Hint: "nod cleanups list shows scope and number"}
			}
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			var ids []string
			for q, more := (queue.QCleanups{Limit: maxRows}), true; more; {
				got, err := queue.Get[queue.Cleanups](cmd.Context(), port, q)
				if err != nil {
					return err
				}
				for i := range got.Scopes {
					ids, q.Before = append(ids, got.Scopes[i].ID), got.Scopes[i].Num
				}
				more = got.More
			}
			if act.Scope, err = oneOf(ids, args[0], "scope", "nod cleanups list shows them"); err != nil {
				return err
			}
			act.Cleanup = number
			stands, err := queue.As[queue.ScopeStands](cmd.Context(), port, act)
			if err != nil {
				return err
			}
			return a.say(stands, "Acknowledged.%s", scopeNow(&stands))
		},
	}
	cmd.Flags().BoolVar(&act.GiveUp, "give-up", false, "nobody will run it: it ends as failed")
	return cmd
}

// scopeNow says what is left of a scope.
func scopeNow(s *queue.ScopeStands) string {
	switch {
	case len(s.Blocked) > 0:
		return " The component is still blocked by " + count(int64(len(s.Blocked)), "cleanup", "cleanups") + "."
	case s.State == policy.Unloading:
		return " It still owes " + count(s.Owed, "cleanup", "cleanups") + "."
	}
	return " The component may be used again."
}

// oneOf finds an id by itself or by a beginning that names one only.
func oneOf(ids []string, prefix, what, hint string) (string, error) {
	found := ""
	for _, id := range ids {
		switch {
		case id == prefix:
			return id, nil
		case len(prefix) < queue.MinPrefix || !strings.HasPrefix(id, prefix):
		case found != "":
			return "", &fault{Code: queue.CodeAmbiguousID, Sentence: "more than one " + what + " begins with this id", Hint: "give more of it"}
		default:
			found = id
		}
	}
	if found == "" {
		return "", &fault{Code: queue.CodeUnknownID, Sentence: "no " + what + " has this id", Hint: hint}
	}
	return found, nil
}
