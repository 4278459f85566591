package cli

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"nod/digest"
	"nod/queue"
)

func (a *app) historyCmd() *cobra.Command {
	var limit int64
	var f filtering
	cmd := &cobra.Command{
		Use: "history [ID]", Short: "List what was asked and what became of it; with an id, its events", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			filter, err := f.filter(a.Edge.WallMS())
			if err != nil {
				return err
			}
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			if len(args) == 1 {
				return a.events(cmd, port, args[0])
			}
			h, err := historyOf(cmd.Context(), port, filter, limit)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(h)
			}
			if len(h.Rows) == 0 && filter == (queue.Filter{State: filter.State}) && filter.State != "" {
				return a.printf("Nothing is %s.\n", filter.State)
			}
			if len(h.Rows) == 0 && filter != (queue.Filter{}) {
				return a.printf("Nothing in the history is like that.\n")
			}
			if len(h.Rows) == 0 {
				return a.printf("Nothing was answered yet.\n")
			}
			for i := range h.Rows {
				r := &h.Rows[i]
				if err := a.row("%s  %s  %-9s  %-12s  %s", shortID(r.ID), clock(r.MovedAt, h.Now), answerWord(r), thenWord(r), what(r)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().Int64Var(&limit, "limit", 50, "rows at the most, up to 500")
	takes(cmd, "limit", "N")
	f.flags(cmd)
	f.past(cmd)
	return cmd
}

// pastStates are the states that the history can be asked for.
const pastStates = "allowed, denied, answered, expired, withdrawn, revoked, lapsed, spent"

// checkPast refuses a state that no ask of the history has.
func checkPast(state queue.State) error {
	switch {
	case state == "" || slices.Contains(strings.Split(pastStates, ", "), string(state)):
		return nil
	case state == queue.StatePending:
		return &fault{Code: "usage", Sentence: "what is pending is not history yet", Hint: "nod list prints what waits"}
	default:
		return &fault{Code: "usage", Sentence: "no ask has the state \"" + string(state) + "\"", Hint: "one of: " + pastStates}
	}
}

// answerWord is who answered and how, in a word.
func answerWord(r *queue.Row) string {
	switch {
	case r.Verdict == "":
		return "nobody"
	case r.DecidedBy != queue.ByPerson:
		return "by " + string(r.DecidedBy)
	case r.Verdict == queue.VerdictAllow:
		return "allowed"
	case r.Verdict == queue.VerdictAnswer:
		return "answered"
	default:
		return "denied"
	}
}

// thenWord is what came of it.
func thenWord(r *queue.Row) string {
	switch {
	case r.Mismatch:
		return "MISMATCH"
	case r.State != queue.StateSpent:
		return string(r.State)
	case r.Outcome.Outcome():
		return strings.ReplaceAll(string(r.Outcome), "_", " ")
	case r.Exit != "":
		return "ended: " + string(r.Exit)
	case r.Outcome == queue.AttemptExecuting:
		return "executing"
	default:
		return string(r.Outcome)
	}
}

func (a *app) events(cmd *cobra.Command, port queue.Port, id string) error {
	v, err := askView(cmd.Context(), port, id)
	if err != nil {
		return err
	}
	events, err := eventsOf(cmd.Context(), port, v.Row.ID)
	if err != nil {
		return err
	}
	for i := range events {
		if err := a.event(&events[i], v.Now); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) event(e *queue.StoredEvent, now int64) error {
	if a.json {
		return a.printJSON(e)
	}
	text := func(name string) string {
		v, _ := digest.Lookup(digest.JSON(e.Body), "/"+name)
		if len(v) > 0 && v[0] == '"' {
			t, _ := jsontext.AppendUnquote(nil, []byte(v)) //nolint:errcheck // written by the queue
			return oneLine(string(t))
		}
		return string(v)
	}
	var at int64
	for _, c := range []byte(text("effective_ms")) {
		at = at*10 + int64(c-'0')
	}
	return a.row("%7d  %s  %-10s %-10s %-12s %s  %s", e.Seq, clock(at, now), text("act"), text("to"), text("actor"), text("way"), text("reason"))
}
