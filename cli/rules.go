package cli

import (
	"github.com/spf13/cobra"

	"nod/digest"
	"nod/queue"
)

func (a *app) rulesCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "rules", Short: "Work with the configuration's rules"}
	cmd.AddCommand(&cobra.Command{
		Use: "test", Short: "Replay the rules over history: what each would have answered, and what a person had denied", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.rulesTest(cmd) },
	})
	return cmd
}

var _ = digest.Digest("")
var _ queue.State
