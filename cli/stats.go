package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"nod/digest/visible"
	"nod/queue"
)

func (a *app) statsCmd() *cobra.Command {
	long, cells := 24*time.Hour, int64(24)
	cmd := &cobra.Command{
		Use: "stats", Short: "Count what was asked and answered, and how long it took", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			s, err := queue.Get[queue.Stats](cmd.Context(), port, queue.QStats{SpanMS: long.Milliseconds(), Cells: cells})
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(s)
			}
			status, err := queue.Get[queue.Status](cmd.Context(), port, queue.QStatus{})
			if err != nil {
				return err
			}
			if err := a.stats(&s, plainly(long)); err != nil {
				return err
			}
			return a.printf("%s", onDesk(status.Counters.Unknown))
		},
	}
	length(cmd, &long, "span", "how far back, from 1h to 744h (31 days)")
	cmd.Flags().Int64Var(&cells, "cells", cells, "parts of the span in the JSON, up to 100")
	takes(cmd, "cells", "N")
	return cmd
}

func (a *app) stats(s *queue.Stats, long string) error {
	asks, answers := int64(0), int64(0)
	for _, c := range s.Cells {
		asks, answers = asks+c.Asks, answers+c.Answers
	}
	least := ""
	if s.Unread {
		least = " (at least: there is more than was looked at)"
	}
	waits := fmt.Sprintf("%d wait", s.Waiting)
	if s.Waiting > 0 {
		waits += ", the oldest for " + span(s.OldestMS)
	}
	took := ""
	if answers > 0 {
		took = fmt.Sprintf(": half within %s, 95 %% within %s", span(s.HalfMS), span(s.MostMS))
	}
	o := &s.Outcomes
	if err := a.printf("%d asked within %s%s; %s\n%d answered by persons%s\n"+
		"allowed by persons %d, by rules and grants %d; denied %d; taken back %d; expired %d; pending %d\n",
		asks, long, least, waits, answers, took,
		o.AllowedByPerson, o.AllowedByRule, o.Denied, o.Withdrawn, o.Expired, o.Pending); err != nil {
		return err
	}
	for _, t := range s.Tools {
		name := visible.Of(visible.Name, t.Tool).String()
		if t.Tool == "" {
			name = "(questions)"
		}
		half := ""
		if t.HalfMS > 0 {
			half = "half within " + span(t.HalfMS)
		}
		if err := a.row("%7d asked  %6d denied  %-16s  %s", t.Asks, t.Denied, half, name); err != nil {
			return err
		}
	}
	return nil
}
