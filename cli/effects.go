package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"nod/ambiguity"
	"nod/digest/visible"
	"nod/queue"
)

func (a *app) effectsCmd() *cobra.Command {
	var all bool
	var q queue.QEffects
	cmd := &cobra.Command{
		Use: "effects", Short: "List effects whose outcome wants a person, newest first",
		Long: `Lists the effects on the desk: those whose outcome nobody can prove, and those
that happened and want to be read. While one is unknown its repeats are refused.

nod effects show EFFECT prints one whole, nod observe asks its observers, nod
reconcile answers. EFFECT is an id, or the beginning of one.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			q.Open = !all
			return page(a, cmd, &q.Limit, &q.Before, func() queue.Query { return q },
				func(page *queue.Effects) error { return a.effects(page, all) })
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also those that nobody has to look at")
	paged(cmd, "effects", &q.Limit, &q.Before)
	cmd.AddCommand(a.effectsShowCmd(), a.effectsAckCmd(), a.effectsOpenCmd())
	return cmd
}

func (a *app) effects(page *queue.Effects, all bool) error {
	if len(page.Effects) == 0 {
		if all {
			return a.printf("No effect.\n")
		}
		return a.printf("No effect waits for an answer.\n")
	}
	for i := range page.Effects {
		e := &page.Effects[i]
		if err := a.row("%s  %-17s  %4s  %s%s", shortID(e.ID), standsWord(e), span(page.Now-e.MovedAt), whatEffect(e), triedWord(e)); err != nil {
			return err
		}
	}
	return a.more(page.More, len(page.Effects), page.Effects[len(page.Effects)-1].Num)
}

// standsWord is how an effect stands: what makes it look different comes first.
func standsWord(e *queue.EffectView) string {
	switch e.Mark {
	case ambiguity.NotConfirmed:
		return "not confirmed"
	case ambiguity.NotDurable:
		return "seen, not durable"
	case ambiguity.PossibleDouble:
		return "possible double"
	case "":
	default:
		return string(e.Mark)
	}
	switch {
	case e.Standing == ambiguity.StandsFree && e.Attempts == 0:
		return "opened" // as distinct, and nothing of it began
	case e.Standing == ambiguity.StandsFree:
		return "not executed"
	}
	return string(e.Standing)
}

// standsWhole is the standing with the mark that says why it is on the desk.
func standsWhole(e *queue.EffectView) string {
	if word := standsWord(e); word != string(e.Standing) && e.Standing != ambiguity.StandsFree {
		return string(e.Standing) + " (" + word + ")"
	}
	return standsWord(e)
}

func whatEffect(e *queue.EffectView) string {
	return what(&queue.Row{Tool: e.Tool, Gist: e.Gist, GistMore: e.GistMore, Agent: e.Agent})
}

func triedWord(e *queue.EffectView) (out string) {
	if e.Ordinal > 1 {
		out += fmt.Sprintf(" · number %d of its key", e.Ordinal)
	}
	if e.Attempts != 1 {
		out += fmt.Sprintf(" · %d attempts", e.Attempts)
	}
	if e.Repeats > 0 {
		out += " · " + count(e.Repeats, "repeat", "repeats") + " refused"
	}
	return out
}

// count is so many of something.
func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// deskOf reads one effect by its id or the beginning of it. Where that names
// more than one, the refusal names them.
func deskOf(ctx context.Context, port queue.Port, id string) (queue.Desk, error) {
	d, err := queue.Get[queue.Desk](ctx, port, queue.QEffect{ID: id})
	no, ok := errors.AsType[*queue.Refusal](err)
	if !ok || no.Code != queue.CodeAmbiguousID {
		return d, err
	}
	page, lost := queue.Get[queue.Effects](ctx, port, queue.QEffects{Limit: maxRows})
	if lost != nil {
		return d, err
	}
	var named []string
	for i := range page.Effects {
		if e := &page.Effects[i]; strings.HasPrefix(e.ID, id) {
			if len(named) == namedMost {
				named = append(named, "…")
				break
			}
			named = append(named, e.ID+" ("+standsWord(e)+")")
		}
	}
	if len(named) == 0 {
		return d, err
	}
	return d, &fault{Code: no.Code, Sentence: no.Sentence, Hint: "give more of it: " + strings.Join(named, ", ")}
}

// keyWord is an effect's key for one line.
func keyWord(e *queue.EffectView) string {
	if len(e.Key) == 0 {
		return "no key: repeats are not recognised"
	}
	return visible.Row(string(e.Key)).String()
}
