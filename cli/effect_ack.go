package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"nod/queue"
)

func (a *app) effectsAckCmd() *cobra.Command {
	w := &answering{app: a}
	cmd := &cobra.Command{
		Use: "ack EFFECT", Short: "Say that you read what stays open though it happened: other content, or a possible double",
		Long: "Takes an effect off the desk that happened and wants to be read." + answeringHelp, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := w.open(cmd, args[0])
			if err != nil {
				return err
			}
			defer d.close()
			page, err := w.read(cmd, d, queue.AnswerAcknowledge, "To say that you read it")
			if err != nil {
				return err
			}
			got, err := queue.As[queue.Judged](cmd.Context(), d.port, queue.AckEffect{Effect: d.desk.Effect.ID, Page: page, Reason: w.reason})
			if err != nil {
				return err
			}
			return a.say(got, "Read: it is off the desk; what happened stands.%s", repeatsGet(&got))
		},
	}
	w.flags(cmd, "what you make of it, for the next reader")
	return cmd
}

func (a *app) effectsOpenCmd() *cobra.Command {
	w := &answering{app: a}
	cmd := &cobra.Command{
		Use: "open EFFECT --reason TEXT", Short: "Open a distinct effect beside one that happened: the same once more, on purpose",
		Long: `Opens a distinct effect beside one that happened, linked to it: a call of its key
may be asked for once more. Your reason stands on that call's card, and only a
person allows it.` + answeringHelp,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(w.reason) == "" {
				return &fault{Code: "usage", Sentence: "a distinct effect wants --reason", Hint: "it stands on the card of the next call"}
			}
			d, err := w.open(cmd, args[0])
			if err != nil {
				return err
			}
			defer d.close()
			page, err := w.read(cmd, d, queue.AnswerOpen, "To open it")
			if err != nil {
				return err
			}
			got, err := queue.As[queue.Opened](cmd.Context(), d.port, queue.OpenEffect{Effect: d.desk.Effect.ID, Page: page, Reason: w.reason})
			if err != nil {
				return err
			}
			return a.say(got, "Opened: number %d of its key may begin once, on an approval given after this.\nnod effects show %s", got.Ordinal, got.Effect)
		},
	}
	w.flags(cmd, "why it happens once more; it stands on the card of the next call")
	return cmd
}

// repeatsGet says what a repeat of the effect gets now.
func repeatsGet(j *queue.Judged) string {
	switch {
	case j.Repeats == "":
		return " One new attempt may begin, on an approval given after this."
	case j.Repeats == queue.CodeDuplicateEffect && j.Ref != "":
		return " Repeats are refused duplicate_effect, with the reference " + oneLine(j.Ref) + "."
	default:
		return " Repeats are refused " + j.Repeats + "."
	}
}
