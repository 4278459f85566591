package cli

import (
	"github.com/spf13/cobra"

	"nod/config/rules"
)

func (a *app) rulesCmd() *cobra.Command {
	return group("rules", "Work with the configuration's rules", &cobra.Command{
		Use: "test", Short: "Replay the rules over history: what each would have answered, and what a person had denied", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, paths, err := a.load(false)
			if err != nil {
				return err
			}
			if c.Rules().Len() == 0 {
				return &fault{Code: "no_rules", Sentence: "the configuration " + oneLine(paths.Config) + " has no rule",
					Hint: "docs/configuration.md shows how to write one"}
			}
			st, err := a.open(cmd.Context(), c, paths)
			if err != nil {
				return err
			}
			defer func() { _ = st.Close() }()
			r, err := c.Rules().Replay(everyAsk(cmd.Context(), st.Port(a.person("command"))))
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(r)
			}
			return a.replay(&r)
		},
	})
}

func (a *app) replay(r *rules.Replay) error {
	if err := a.printf("%d asks: %d calls judged, %d questions left to people, %d without contents; %d calls no rule answers\n",
		r.Asks, r.Calls, r.Left, r.Missing, r.Nothing); err != nil {
		return err
	}
	for i := range r.Rules {
		p := &r.Rules[i]
		if err := a.printf("%-5s %-24s matches %d, answers %d, withheld %d, errors %d\n", p.Verdict, oneLine(p.Rule), p.Matched, p.Answered, p.Withheld, p.Errors); err != nil {
			return err
		}
		if p.Verdict == "allow" && len(p.PersonDenied) > 0 {
			if err := a.printf("      would have allowed %d that a person denied:\n", len(p.PersonDenied)); err != nil {
				return err
			}
			for _, id := range p.PersonDenied {
				if err := a.printf("        %s\n", id); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
