package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"nod/digest/visible"
	"nod/queue"
)

func (a *app) policyCmd() *cobra.Command {
	return group("policy", "Attach an effect policy to an agent, a session or a run, and take it away",
		a.policyAttachCmd(), a.policyDetachCmd(), a.policyListCmd(), a.policyShowCmd())
}

func (a *app) policyAttachCmd() *cobra.Command {
	var act queue.AttachPolicy
	cmd := &cobra.Command{
		Use: "attach (--agent NAME | --session SESSION [--run]) [FILE]", Short: "Put a policy into force",
		Long: `Reads a nod.policy/v1 document from FILE or standard input and attaches it. From
then on every call of whom it is attached to declares one effect class with its
metadata; what declares nothing is refused, ambient shell too. The narrowest
policy applies: run before session before agent. What was attached to the same
is replaced; a policy's facts never change.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (act.Agent == "") == (act.Session == "") || act.Run && act.Session == "" {
				return &fault{Code: "usage", Sentence: "a policy is attached to one agent or one session", Hint: "give --agent, or --session with or without --run"}
			}
			raw, err := a.input(args)
			if err != nil {
				return err
			}
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			got, err := queue.Get[queue.Sessions](cmd.Context(), port, queue.QSessions{Limit: maxRows})
			if err != nil {
				return err
			}
			if act.Session != "" {
				s, err := sessionIn(got.Sessions, act.Session)
				if err != nil {
					return err
				}
				act.Session = s.ID
			}
			act.Document = raw
			set, err := queue.As[queue.PolicySet](cmd.Context(), port, act)
			if err != nil {
				return err
			}
			more := ""
			if set.Replaced != "" {
				more = "\nIt replaces " + set.Replaced + "."
			}
			of := func(s queue.SessionView) bool { return s.Agent == act.Agent }
			if act.Agent != "" && !slices.ContainsFunc(got.Sessions, of) {
				more += "\nNo session of this agent is known yet: the name has to be exactly the one on its cards."
			}
			return a.say(set, "Attached %s, mode %s, to %s %s: its calls declare what they do from now on.%s", set.Policy, set.Mode, set.Kind, oneLine(set.Target), more)
		},
	}
	cmd.Flags().StringVar(&act.Agent, "agent", "", "the agent's name, exactly as its card shows it")
	cmd.Flags().StringVar(&act.Session, "session", "", "the session's id, or the beginning of it; its child sessions too")
	cmd.Flags().BoolVar(&act.Run, "run", false, "only until this session ends")
	takes(cmd, "agent", "NAME")
	takes(cmd, "session", "SESSION")
	return cmd
}

func (a *app) policyDetachCmd() *cobra.Command {
	return &cobra.Command{
		Use: "detach POLICY", Short: "Take a policy out of force: nothing is asked any more", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			p, err := policyIn(cmd, port, args[0])
			if err != nil {
				return err
			}
			set, err := queue.As[queue.PolicySet](cmd.Context(), port, queue.DetachPolicy{Policy: p.ID})
			if err != nil {
				return err
			}
			return a.say(set, "Detached %s from %s %s.", set.Policy, set.Kind, oneLine(set.Target))
		},
	}
}

// policyIn finds a policy by its id or a beginning that names one only: of those
// that hold, and of the newest that ever did.
func policyIn(cmd *cobra.Command, port queue.Port, id string) (*queue.PolicyView, error) {
	got, err := queue.Get[queue.Policies](cmd.Context(), port, queue.QPolicies{Ever: true, Limit: maxRows})
	if err != nil {
		return nil, err
	}
	hold, err := queue.Get[queue.Policies](cmd.Context(), port, queue.QPolicies{})
	if err != nil {
		return nil, err
	}
	for i := range hold.Policies {
		p := hold.Policies[i]
		if !slices.ContainsFunc(got.Policies, func(o queue.PolicyView) bool { return o.ID == p.ID }) {
			got.Policies = append(got.Policies, p)
		}
	}
	ids := make([]string, len(got.Policies))
	for i := range got.Policies {
		ids[i] = got.Policies[i].ID
	}
	id, err = oneOf(ids, id, "policy", "nod policy list shows them")
	for i := range got.Policies {
		if got.Policies[i].ID == id {
			return &got.Policies[i], err
		}
	}
	return nil, err
}

func (a *app) policyListCmd() *cobra.Command {
	var ever bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the policies that hold", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			got, err := queue.Get[queue.Policies](cmd.Context(), port, queue.QPolicies{Ever: ever, Limit: maxRows})
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(got)
			}
			if len(got.Policies) == 0 {
				return a.printf("No policy is attached: nothing is asked of a call's effects.\n")
			}
			for i := range got.Policies {
				p := &got.Policies[i]
				if err := a.row("%s  %-9s  %-7s  %4s  %s%s", shortID(p.ID), p.Mode, p.Kind, span(got.Now-p.AttachedAt),
					visible.Row(p.Target), detachedWord(p)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&ever, "ever", false, "also those that were detached, newest first")
	return cmd
}

func detachedWord(p *queue.PolicyView) string {
	if p.DetachedAt == 0 {
		return ""
	}
	return "  detached by " + oneLine(p.DetachedBy)
}

func (a *app) policyShowCmd() *cobra.Command {
	return &cobra.Command{
		Use: "show POLICY", Short: "Show one policy: what it is attached to, and its document", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			p, err := policyIn(cmd, port, args[0])
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(p)
			}
			for _, line := range [][2]string{{"policy", p.ID}, {"of", p.Kind + " " + p.Target}, {"mode", string(p.Mode)}, {"digest", string(p.Digest)},
				{"attached", "by " + p.AttachedBy}, {"document", string(p.Document)}} {
				if err := a.row("%-9s  %s", line[0], visible.Row(line[1])); err != nil {
					return err
				}
			}
			if p.DetachedAt != 0 {
				return a.row("%-9s  by %s", "detached", visible.Row(p.DetachedBy))
			}
			return nil
		},
	}
}
