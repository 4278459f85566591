package cli

import (
	"time"

	"github.com/spf13/cobra"

	"nod/queue"
	"nod/tui/query"
)

// lengthOf reads a command's length of time.
func lengthOf(text string) (int64, error) {
	d, err := query.Length(text)
	if err != nil || d < time.Second {
		return 0, &fault{Code: "usage", Sentence: "the length is no time of a second or more", Hint: "write it as 30m or 2h"}
	}
	return d.Milliseconds(), nil
}

func (a *app) snoozeCmd() *cobra.Command {
	var wake bool
	cmd := &cobra.Command{
		Use: "snooze ID LENGTH", Short: "Keep an ask out of the list for a while; with --wake, no longer",
		Long: `Keeps a pending ask out of the list and the console for a while, 24h at the
most and never past five minutes before its deadline. The ask stays pending and
whoever waits for it waits on.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var ms int64
			if wake == (len(args) == 2) {
				return &fault{Code: "usage", Sentence: "a snooze wants a length, or --wake", Hint: "nod snooze ID 30m"}
			}
			if !wake {
				var err error
				if ms, err = lengthOf(args[1]); err != nil {
					return err
				}
			}
			r, err := a.act(cmd, args[0], func(row *queue.Row) queue.Act { return queue.Snooze{Ask: row.ID, ForMS: ms} })
			if err != nil {
				return err
			}
			if wake {
				return a.say(r, "Awake: it is in the list again.")
			}
			return a.say(r, "Snoozed: it stays pending, and is out of the list for %s.", span(ms))
		},
	}
	cmd.Flags().BoolVar(&wake, "wake", false, "back into the list at once")
	return cmd
}

func (a *app) claimCmd() *cobra.Command {
	var release, over bool
	cmd := &cobra.Command{
		Use: "claim ID [LENGTH]", Short: "Say that you look at an ask, for 5 minutes or so long; with --release, no longer",
		Long: `Shows other operators that you look at a pending ask, 1h at the most. It binds
nobody: everybody may still answer.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			ms := queue.UsualClaim.Milliseconds()
			switch {
			case release && len(args) == 2:
				return &fault{Code: "usage", Sentence: "a claim has a length, or is released", Hint: "nod claim ID --release"}
			case release:
				ms = 0
			case len(args) == 2:
				var err error
				if ms, err = lengthOf(args[1]); err != nil {
					return err
				}
			}
			r, err := a.act(cmd, args[0], func(row *queue.Row) queue.Act { return queue.Claim{Ask: row.ID, ForMS: ms, Over: over} })
			if err != nil {
				return err
			}
			if release {
				return a.say(r, "Let go: nobody is said to look at it.")
			}
			return a.say(r, "Claimed: for %s others see that you look at it.", span(ms))
		},
	}
	cmd.Flags().BoolVar(&release, "release", false, "let it go")
	cmd.Flags().BoolVar(&over, "over", false, "also when another operator has claimed it")
	return cmd
}
