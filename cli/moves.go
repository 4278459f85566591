package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"nod/queue"
)

// act runs one operator's act on an ask that is named by id or prefix.
func (a *app) act(cmd *cobra.Command, id string, make func(row *queue.Row) queue.Act) (queue.Result, error) {
	port, done, err := a.operator(cmd.Context(), "command")
	if err != nil {
		return nil, err
	}
	defer done()
	if id == "" {
		return port.Do(cmd.Context(), make(nil))
	}
	v, err := askView(cmd.Context(), port, id)
	if err != nil {
		return nil, err
	}
	return port.Do(cmd.Context(), make(&v.Row))
}

func (a *app) withdrawCmd() *cobra.Command {
	return &cobra.Command{
		Use: "withdraw ID", Short: "Take an ask out of the queue unanswered", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.act(cmd, args[0], func(row *queue.Row) queue.Act { return queue.Withdraw{Ask: row.ID} })
			if err != nil {
				return err
			}
			return a.say(r, "Withdrawn: it was not answered and does not run.")
		},
	}
}

func (a *app) revokeCmd() *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID", Short: "Take an allow back before it is used", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.act(cmd, args[0], func(row *queue.Row) queue.Act { return queue.Revoke{Ask: row.ID} })
			if err != nil {
				return err
			}
			return a.say(r, "Revoked: it can no longer begin.")
		},
	}
}

func (a *app) freezeCmd() *cobra.Command {
	var session, reason string
	cmd := &cobra.Command{
		Use: "freeze", Short: "Stop every begin, of everything or of one session", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := a.act(cmd, "", func(*queue.Row) queue.Act { return queue.Freeze{Session: session, Reason: reason} })
			if no, ok := errors.AsType[*queue.Refusal](err); ok && no.Code == queue.CodeUnknownID {
				return &fault{Code: no.Code, Sentence: no.Sentence, Hint: "nod show ID prints the session of an ask, s- and 16 hex digits"}
			}
			if err != nil {
				return err
			}
			return a.say(r, "Frozen: nothing begins, and what was allowed before is never used.")
		},
	}
	cmd.Flags().StringVar(&session, "session", "", "only this session, s- and 16 hex digits as nod show prints it")
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the next reader")
	takes(cmd, "session", "SESSION")
	takes(cmd, "reason", "TEXT")
	return cmd
}

func (a *app) unfreezeCmd() *cobra.Command {
	var session string
	cmd := &cobra.Command{
		Use: "unfreeze", Short: "Lift a freeze", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := a.act(cmd, "", func(*queue.Row) queue.Act { return queue.Unfreeze{Session: session} })
			if err != nil {
				return err
			}
			return a.say(r, "Lifted: new approvals may begin; those from before the freeze stay revoked.")
		},
	}
	cmd.Flags().StringVar(&session, "session", "", "lift only the freeze of this session")
	takes(cmd, "session", "SESSION")
	return cmd
}
