package cli

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"nod/config"
	"nod/digest/visible"
	"nod/queue"
)

func (a *app) sessionRegisterCmd() *cobra.Command {
	var act queue.RegisterSession
	var clamps, gateway string
	cmd := &cobra.Command{
		Use: "register SESSION [FILE]", Short: "Register a session before it acts: its parent, its clamps, its conversation",
		Long: `Says what a host knows of a session: who started it, what its level clamps, and
in FILE (or standard input, with -) the entries of the conversation that it goes on
with, one JSON document a line. Clamps of its parents hold for it whatever it
states; registering again only tightens.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			act.Session, act.Clamps = args[0], jsontext.Value(clamps)
			if len(args) == 2 {
				raw, err := a.input(args[1:])
				if err != nil {
					return err
				}
				for line := range bytes.Lines(raw) {
					if line = bytes.TrimSpace(line); len(line) > 0 {
						act.Branch = append(act.Branch, string(line))
					}
				}
			}
			c, paths, err := a.load(true)
			if err != nil {
				return err
			}
			if _, known := c.Gateway[gateway]; !known {
				return &fault{Code: "usage", Sentence: "there is no such gateway", Hint: "ask, run or claude-code: whose sessions it is one of"}
			}
			st, err := a.open(cmd.Context(), c, paths)
			if err != nil {
				return err
			}
			defer func() { _ = st.Close() }()
			got, err := queue.As[queue.Registered](cmd.Context(), st.Port(a.requester(c, gateway, "command")), act)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(got)
			}
			return a.registered(&got)
		},
	}
	cmd.Flags().StringVar(&act.Parent, "parent", "", "the host's id of the session that started it")
	cmd.Flags().StringVar(&act.Source, "source", "", "where it comes from, in one short word")
	cmd.Flags().StringVar(&clamps, "clamps", "", "what its level declares, as JSON")
	cmd.Flags().StringVar(&gateway, "gateway", config.GatewayAsk, "whose sessions it is one of: ask, run or claude-code")
	takes(cmd, "parent", "ID")
	takes(cmd, "source", "WORD")
	takes(cmd, "clamps", "JSON")
	takes(cmd, "gateway", "NAME")
	return cmd
}

func (a *app) registered(r *queue.Registered) error {
	if err := a.row("session    %s", r.Session); err != nil {
		return err
	}
	for _, l := range []struct{ label, value string }{
		{"clamps", string(r.Clamps)}, {"travels", string(r.Travels)}, {"loosened", strings.Join(r.Loosened, ", ")},
		{"branch", string(r.Standing)}, {"bits", strings.Join(r.Bits, " ")}, {"strictest", r.Unreadable},
	} {
		if l.value == "" || l.value == "{}" {
			continue
		}
		if l.label == "loosened" {
			l.value += " (not honoured)"
		}
		if err := a.row("%-9s  %s", l.label, visible.Draw(visible.Value, l.value)); err != nil {
			return err
		}
	}
	return nil
}

// clamped prints what a session was registered with and what holds for it.
func (a *app) clamped(s *queue.SessionView) error {
	if s.Source != "" {
		if err := a.row("source     %s", visible.Of(visible.Name, s.Source)); err != nil {
			return err
		}
	}
	if len(s.Clamps) > 0 {
		if err := a.row("clamps     %s", strings.Join(s.Clamps, ", ")); err != nil {
			return err
		}
	}
	for _, r := range s.DenyRules {
		if err := a.row("denied by  rule %s", visible.Of(visible.Name, r)); err != nil {
			return err
		}
	}
	return nil
}
