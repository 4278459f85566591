package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"nod/queue"
	"nod/tui/say"
)

func (a *app) deliveriesCmd() *cobra.Command {
	var q queue.QDeliveries
	cmd := &cobra.Command{
		Use: "deliveries", Short: "List how far your answers came: decided, handed over, acknowledged, begun, outcome",
		Long: `Lists what became of each answer that a person gave, newest ask first, with its
times, and of the words that went with it. --open leaves what wants you: an
answer that nobody collected, words that were not carried, words sent again.

nod deliveries ack, resend and drop take an ask's id, or the beginning of one.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return page(a, cmd, &q.Limit, &q.Before, func() queue.Query { return q },
				func(page *queue.Deliveries) error { return a.deliveries(page, q.Open) })
		},
	}
	cmd.Flags().BoolVar(&q.Open, "open", false, "only what wants you")
	paged(cmd, "deliveries", &q.Limit, &q.Before)
	cmd.AddCommand(a.deliveryAckCmd(), a.deliveryResendCmd(), a.deliveryDropCmd())
	return cmd
}

func (a *app) deliveries(page *queue.Deliveries, open bool) error {
	if len(page.Deliveries) == 0 {
		if open {
			return a.printf("Every answer was collected.\n")
		}
		return a.printf("No answer was given yet.\n")
	}
	for i := range page.Deliveries {
		d := &page.Deliveries[i]
		if err := a.row("%s  %-12s  %s  %s", shortID(d.Ask), d.Stage, what(&queue.Row{Tool: d.Tool, Gist: d.Gist, GistMore: d.GistMore, Agent: d.Agent}),
			strings.Join(say.Way(d, func(at int64) string { return clock(at, page.Now) }), " · ")); err != nil {
			return err
		}
	}
	return a.more(page.More, len(page.Deliveries), page.Deliveries[len(page.Deliveries)-1].Num)
}

func (a *app) deliveryAckCmd() *cobra.Command {
	return &cobra.Command{
		Use: "ack ID", Short: "Say that you read why a delivery is in the inbox", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.act(cmd, args[0], func(row *queue.Row) queue.Act { return queue.AckDelivery{Ask: row.ID} })
			if err != nil {
				return err
			}
			return a.say(r, "Read: it is out of the inbox. Words that are owed stay owed.")
		},
	}
}

func (a *app) deliveryResendCmd() *cobra.Command {
	return &cobra.Command{
		Use: "resend ID", Short: "Send the words of an answer again, with the next answer that its session collects", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.act(cmd, args[0], func(row *queue.Row) queue.Act { return queue.Resend{Ask: row.ID} })
			if err != nil {
				return err
			}
			ended := r.(queue.Resending).Ended
			return a.say(r, "Owed again: %s", whenSent(ended))
		},
	}
}

// whenSent says when words that are sent again travel.
func whenSent(ended bool) string {
	if ended {
		return "the session is over; they go with its next answer if it starts anew."
	}
	return "they go with the next answer that the session collects."
}

func (a *app) deliveryDropCmd() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "drop ID --reason CODE", Short: "Give words up that did not arrive", Args: cobra.ExactArgs(1),
		Long: "Gives words up that did not arrive. CODE is not_needed, told_elsewhere or mistake.",
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.act(cmd, args[0], func(row *queue.Row) queue.Act { return queue.DropWords{Ask: row.ID, Reason: reason} })
			if err != nil {
				return err
			}
			return a.say(r, "Dropped: nothing of it is owed.")
		},
	}
	dropReason(cmd, &reason)
	return cmd
}

func dropReason(cmd *cobra.Command, reason *string) {
	cmd.Flags().StringVar(reason, "reason", queue.DropReasons()[0], "why: not_needed, told_elsewhere or mistake")
	takes(cmd, "reason", "CODE")
}

// deliveriesOf reads the deliveries whose words a notice told of.
func deliveriesOf(ctx context.Context, port queue.Port, notice int64) ([]queue.DeliveryView, error) {
	page, err := queue.Get[queue.Deliveries](ctx, port, queue.QDeliveries{Notice: notice, Limit: maxRows})
	return page.Deliveries, err
}
