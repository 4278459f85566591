package cli

import (
	"github.com/spf13/cobra"

	"nod/run"
)

// declaring are the flags that state something for an effect policy.
type declaring struct{ declaration, component, transaction, operation string }

func (f *declaring) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.declaration, "declaration", "", "the effect's class with its metadata, as JSON; asked where a policy is attached (docs/policy.md)")
	cmd.Flags().StringVar(&f.component, "component", "", "the component whose scope owns what takes the effect back")
	cmd.Flags().StringVar(&f.transaction, "transaction", "", "your id of the transaction that it is part of")
	cmd.Flags().StringVar(&f.operation, "transaction-operation", "", "that transaction's operation: activate, rollback or repair")
	takes(cmd, "declaration", "JSON")
	takes(cmd, "component", "NAME")
	takes(cmd, "transaction", "ID")
	takes(cmd, "transaction-operation", "WORD")
}

func (f *declaring) stated() run.Stated {
	return run.Stated{Declaration: []byte(f.declaration), Component: f.component, Transaction: f.transaction, Operation: f.operation}
}
