package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"nod/queue"
	"nod/tui/say"
)

func (a *app) showCmd() *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Print one ask whole: its card, digests and how it stands",
		Long: `Prints one ask whole: its card, session, digests and how it stands. ID may be the
beginning of an id. On a terminal the card is laid out at the terminal's width;
a pipe, a file and --json get its bytes, whose SHA-256 is the shown digest.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			v, err := askView(cmd.Context(), port, args[0])
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(v)
			}
			if err := a.paper(v.Card, "the contents of this ask were pruned; its digests are kept"); err != nil {
				return err
			}
			return a.standing(&v)
		},
	}
}

// paper prints a card or a page: to a terminal laid out, else as it is, for it was
// drawn when it was made. gone says why there is none.
func (a *app) paper(text, gone string) error {
	if text == "" {
		return a.printf("(%s)\n", gone)
	}
	if _, _, ok := a.size(); !ok {
		return a.printf("%s\n", text)
	}
	s, err := a.sheet(text)
	if err != nil {
		return err
	}
	return s.whole()
}

func (a *app) standing(v *queue.AskView) error {
	r := &v.Row
	if err := a.printf("\n"); err != nil {
		return err
	}
	if err := a.row("%s since %s · shown %s · action %s", stateOf(r), clock(r.MovedAt, v.Now), r.ShownDigest, r.ActionDigest); err != nil {
		return err
	}
	if err := a.row("session %s", r.Session); err != nil {
		return err
	}
	if d := v.Decision; d != nil {
		words := ""
		if d.Words != "" {
			words = ", with the words \"" + oneLine(d.Words) + "\""
		}
		if err := a.row("%s by %s %s at %s%s", d.Verdict, d.By, oneLine(d.Who), clock(d.At, v.Now), words); err != nil {
			return err
		}
	}
	if d := v.Delivery; d != nil {
		if err := a.row("%s", strings.Join(say.Way(d, func(at int64) string { return clock(at, v.Now) }), " · ")); err != nil {
			return err
		}
	}
	for i := range v.Attempts {
		t := &v.Attempts[i]
		mismatch := ""
		if t.Mismatch {
			mismatch = " · MISMATCH: what ran is not what was approved"
		}
		if err := a.row("attempt %d by %s: %s%s, begun %s%s", t.Number, oneLine(t.Executor), t.State, exitWord(t.Exit), clock(t.BeganAt, v.Now), mismatch); err != nil {
			return err
		}
		if t.Effect != "" {
			if err := a.row("effect %s · nod effects show %s", t.Effect, shortID(t.Effect)); err != nil {
				return err
			}
		}
	}
	e := v.EffectNow
	if e == nil || r.State.Final() {
		return nil
	}
	if code := e.Standing.Refuses(false); code != "" {
		return a.row("its effect is %s, so its begin is refused %s · nod effects show %s", standsWhole(e), code, shortID(e.ID))
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
