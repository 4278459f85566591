package cli

import (
	"github.com/spf13/cobra"

	"nod/queue"
)

func (a *app) showCmd() *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Print one ask whole: its card, digests and how it stands", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			v, err := queue.Get[queue.AskView](cmd.Context(), port, queue.QAsk{ID: args[0]})
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(v)
			}
			if err := a.card(&v); err != nil {
				return err
			}
			return a.standing(&v)
		},
	}
}

// card prints the card as it is: it was drawn when it was made.
func (a *app) card(v *queue.AskView) error {
	if v.Card == "" {
		return a.printf("(the contents of this ask were pruned; its digests are kept)\n")
	}
	return a.printf("%s\n", v.Card)
}

func (a *app) standing(v *queue.AskView) error {
	r := &v.Row
	if err := a.printf("\n%s since %s · shown %s · action %s\n", stateOf(r), clock(r.MovedAt, v.Now), r.ShownDigest, r.ActionDigest); err != nil {
		return err
	}
	if d := v.Decision; d != nil {
		words := ""
		if d.Words != "" {
			words = ", with the words \"" + oneLine(d.Words) + "\""
		}
		if err := a.printf("%s by %s %s at %s%s\n", d.Verdict, d.By, oneLine(d.Who), clock(d.At, v.Now), words); err != nil {
			return err
		}
	}
	for i := range v.Attempts {
		t := &v.Attempts[i]
		mismatch := ""
		if t.Mismatch {
			mismatch = " · MISMATCH: what ran is not what was approved"
		}
		if err := a.printf("attempt %d by %s: %s%s, begun %s%s\n", t.Number, oneLine(t.Executor), t.State, exitWord(t.Exit), clock(t.BeganAt, v.Now), mismatch); err != nil {
			return err
		}
	}
	return nil
}

func exitWord(e queue.ExitStatus) string {
	if e == "" {
		return ""
	}
	return " (" + string(e) + ")"
}

// stateOf says an ask's state so that silence is never told as a denial.
func stateOf(r *queue.Row) string {
	if r.State == queue.StateExpired {
		return "expired: no person answered,"
	}
	return string(r.State)
}
