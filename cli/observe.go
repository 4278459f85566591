package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"nod/ambiguity"
	"nod/descriptor"
	"nod/observe"
	"nod/queue"
)

// seenView is what one observer saw, for a list.
type seenView struct {
	Observer string             `json:"observer"`
	Says     queue.AttemptState `json:"effect_outcome"`
	Durable  bool               `json:"durable,omitzero"`
	Diverges bool               `json:"divergent,omitzero"`
	Why      string             `json:"why,omitzero"`
	Seen     string             `json:"seen,omitzero"`
	Ref      string             `json:"ref,omitzero"`
	Judged   queue.Judged       `json:"judged"`
}

func (a *app) observeCmd() *cobra.Command {
	var names []string
	cmd := &cobra.Command{
		Use: "observe EFFECT", Short: "Ask the observers of an effect's descriptor what became of it",
		Long: `Asks the observers of the tool's descriptor about the newest attempt, and files
what each saw: that it could not see, too. What is seen may close the effect to
committed; that it did not happen only a person says (nod reconcile).`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			port, c, done, err := a.configured(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			d, err := deskOf(cmd.Context(), port, args[0])
			if err != nil {
				return err
			}
			seen, err := observe.Effect(cmd.Context(), port, c.Descriptors(), d.Effect.ID, names, false)
			if err != nil && len(seen) == 0 {
				return err
			}
			return errors.Join(a.seen(&d, seen), err)
		},
	}
	cmd.Flags().StringArrayVar(&names, "observer", nil, "only this one; may be given again")
	takes(cmd, "observer", "NAME")
	return cmd
}

// seen prints what was filed, and how the effect stands with it.
func (a *app) seen(d *queue.Desk, list []observe.Seen) error {
	views := make([]seenView, len(list))
	for i := range list {
		s := &list[i]
		o := &s.Observation
		views[i] = seenView{Observer: s.Observer, Says: queue.AttemptState(o.Says), Durable: o.Durable, Diverges: o.Divergent,
			Why: o.Why, Seen: o.Seen, Ref: o.Ref, Judged: s.Judged}
	}
	if a.json {
		return a.printJSON(views)
	}
	for i := range list {
		if err := a.row("%s: %s  %s", oneLine(list[i].Observer), sawWord(&list[i].Observation), oneLine(list[i].Observation.Seen)); err != nil {
			return err
		}
	}
	j := &list[len(list)-1].Judged
	e := queue.EffectView{Standing: j.Standing, Mark: j.Mark}
	if j.Standing == ambiguity.StandsUnknown {
		return a.printf("It is %s: a person says what became of it.\nnod reconcile %s\n", standsWhole(&e), d.Effect.ID)
	}
	return a.printf("It is %s.%s\n", standsWhole(&e), repeatsGet(j))
}

// sawWord is what an observer saw, in words.
func sawWord(o *descriptor.Observation) string {
	switch {
	case o.Divergent:
		return "it happened, with other content than was allowed"
	case o.Says == descriptor.Committed && o.Durable:
		return "it happened"
	case o.Says == descriptor.Committed:
		return "seen, not durable"
	case o.Says == descriptor.NotExecuted:
		return "nothing is there"
	case o.Why != "":
		return "unknown (" + o.Why + ")"
	default:
		return "unknown"
	}
}
