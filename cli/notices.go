package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"nod/queue"
)

func (a *app) noticesCmd() *cobra.Command {
	var all bool
	var limit int64
	cmd := &cobra.Command{
		Use: "notices", Short: "List what an operator must read, newest first",
		Long: `Lists the notices that nobody has read, newest first, with what happened and
what it means. Of words that did not arrive it names the answers they went with;
nod notices resend and drop act on all of those.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			list, err := queue.Get[queue.Notices](cmd.Context(), port, queue.QNotices{Open: !all, Limit: min(limit, maxRows)})
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(list)
			}
			return a.notices(cmd.Context(), port, list.Notices, all)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also those that were read")
	cmd.Flags().Int64Var(&limit, "limit", 50, "notices at the most, up to 500")
	takes(cmd, "limit", "N")
	cmd.AddCommand(a.noticeAckCmd(), a.noticeResendCmd(), a.noticeDropCmd())
	return cmd
}

func (a *app) notices(ctx context.Context, port queue.Port, list []queue.NoticeView, all bool) error {
	if len(list) == 0 {
		if all {
			return a.printf("No notice.\n")
		}
		return a.printf("Nothing is to be read.\n")
	}
	now := a.Edge.WallMS()
	for i := range list {
		n := &list[i]
		read := ""
		if n.AckedAt != 0 {
			read = " · read by " + oneLine(n.AckedBy) + " at " + clock(n.AckedAt, now)
		}
		if n.Says == nil {
			if err := a.row("%d  %s  %s  %s%s", n.ID, clock(n.At, now), n.Code, oneLine(n.Sentence), read); err != nil {
				return err
			}
			continue
		}
		for _, line := range []string{
			strconv.FormatInt(n.ID, 10) + "  " + clock(n.At, now) + "  " + n.Code + "  " + n.Says.Headline + read,
			"   " + n.Says.Happened, "   " + n.Says.Means, "   " + n.Says.Knows, "   " + n.Says.Ids,
		} {
			if err := a.row("%s", line); err != nil {
				return err
			}
		}
		of, err := deliveriesOf(ctx, port, n.ID)
		if err != nil {
			return err
		}
		for j := range of {
			d := &of[j]
			if err := a.row("   %s  %s · words %s: \"%s\"", shortID(d.Ask), d.Verdict, d.Words, oneLine(d.Text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// onNotice runs an act on a notice that is named by its number.
func (a *app) onNotice(cmd *cobra.Command, id string, do func(port queue.Port, notice int64) error) error {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || n < 1 {
		return &fault{Code: "usage", Sentence: "a notice is named by its number", Hint: "nod notices shows it"}
	}
	port, done, err := a.operator(cmd.Context(), "command")
	if err != nil {
		return err
	}
	defer done()
	return do(port, n)
}

func (a *app) noticeAckCmd() *cobra.Command {
	return &cobra.Command{
		Use: "ack ID", Short: "Say that you read a notice", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.onNotice(cmd, args[0], func(port queue.Port, id int64) error {
				r, err := port.Do(cmd.Context(), queue.AckNotice{Notice: id})
				if err != nil {
					return err
				}
				return a.say(r, "Read.")
			})
		},
	}
}

// settled is what became of the words that a notice told of.
type settled struct {
	Notice int64    `json:"notice"`
	Asks   []string `json:"asks"`
	Ended  bool     `json:"session_ended,omitzero"`
}

// settle acts on each answer whose words a notice told of, then says that the
// notice was read.
func (a *app) settle(ctx context.Context, port queue.Port, id int64, act func(ask string) queue.Act) (out settled, err error) {
	asks, last, err := queue.SettleTold(ctx, port, id, act)
	if err != nil {
		return out, err
	}
	out.Notice, out.Asks = id, asks
	if r, ok := last.(queue.Resending); ok {
		out.Ended = r.Ended
	}
	if len(out.Asks) == 0 {
		return out, &fault{Code: queue.CodeNothingOpen, Sentence: "of the words that this notice tells of nod holds none, or something was done about each already",
			Hint: "nod deliveries shows words that are to be sent again; nod notices ack says that you read the notice"}
	}
	return out, nil
}

func (a *app) noticeResendCmd() *cobra.Command {
	return &cobra.Command{
		Use: "resend ID", Short: "Send again the words that a notice told of, and say that you read it", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.onNotice(cmd, args[0], func(port queue.Port, id int64) error {
				r, err := a.settle(cmd.Context(), port, id, func(ask string) queue.Act { return queue.Resend{Ask: ask} })
				if err != nil {
					return err
				}
				return a.say(r, "Owed again, of %s: %s", count(int64(len(r.Asks)), "answer", "answers"), whenSent(r.Ended))
			})
		},
	}
}

func (a *app) noticeDropCmd() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "drop ID --reason CODE", Short: "Give the words up that a notice told of, and say that you read it", Args: cobra.ExactArgs(1),
		Long: "Gives the words up that a notice told of. CODE is not_needed, told_elsewhere or mistake.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.onNotice(cmd, args[0], func(port queue.Port, id int64) error {
				r, err := a.settle(cmd.Context(), port, id, func(ask string) queue.Act { return queue.DropWords{Ask: ask, Reason: reason} })
				if err != nil {
					return err
				}
				return a.say(r, "Dropped, of %s: nothing of it is owed.", count(int64(len(r.Asks)), "answer", "answers"))
			})
		},
	}
	dropReason(cmd, &reason)
	return cmd
}
