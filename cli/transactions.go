package cli

import (
	"github.com/spf13/cobra"

	"nod/digest/visible"
	"nod/policy/transaction"
	"nod/queue"
)

func (a *app) transactionsCmd() *cobra.Command {
	return group("transactions", "What hosts report of activating, rolling back and repairing", a.transactionsListCmd(), a.transactionsShowCmd(), a.transactionsAckCmd())
}

func (a *app) transactionsListCmd() *cobra.Command {
	var all bool
	var q queue.QTransactions
	cmd := &cobra.Command{
		Use: "list", Short: "List transactions that are unfinished, diverged or block an artifact, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			q.Open = !all
			return page(a, cmd, &q.Limit, &q.Before, func() queue.Query { return q }, func(got *queue.Transactions) error {
				if len(got.Transactions) == 0 {
					return a.printf("No transaction is open.\n")
				}
				for i := range got.Transactions {
					t := &got.Transactions[i]
					if err := a.row("%s  %-11s  %-15s  %4s  %s  by %s%s", shortID(t.ID), t.Outcome, t.Stage, span(got.Now-t.MovedAt),
						visible.Row(t.HostID), visible.Of(visible.Name, t.Agent), blockedWord(t)); err != nil {
						return err
					}
				}
				return a.more(got.More, len(got.Transactions), got.Transactions[len(got.Transactions)-1].Num)
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also those that are over")
	paged(cmd, "transactions", &q.Limit, &q.Before)
	return cmd
}

func blockedWord(t *queue.TransactionView) string {
	out := ""
	for _, artifact := range t.Blocked {
		out += "  blocks " + oneLine(artifact)
	}
	return out
}

// transactionIn finds a transaction by Nod's id, the beginning of it, or the
// host's id where only one has it.
func transactionIn(cmd *cobra.Command, port queue.Port, id string) (*queue.TransactionView, int64, error) {
	var got queue.Transactions
	for q, more := (queue.QTransactions{Limit: maxRows}), true; more; {
		page, err := queue.Get[queue.Transactions](cmd.Context(), port, q)
		if err != nil {
			return nil, 0, err
		}
		got.Transactions, got.Now, more = append(got.Transactions, page.Transactions...), page.Now, page.More
		if more {
			q.Before = page.Transactions[len(page.Transactions)-1].Num
		}
	}
	ids := make([]string, len(got.Transactions))
	var named []*queue.TransactionView
	for i := range got.Transactions {
		t := &got.Transactions[i]
		ids[i] = t.ID
		if t.HostID == id {
			named = append(named, t)
		}
	}
	if len(named) == 1 {
		return named[0], got.Now, nil
	}
	id, err := oneOf(ids, id, "transaction", "nod transactions list --all shows them")
	for i := range got.Transactions {
		if got.Transactions[i].ID == id {
			return &got.Transactions[i], got.Now, err
		}
	}
	return nil, 0, err
}

func (a *app) transactionsShowCmd() *cobra.Command {
	return &cobra.Command{
		Use: "show TRANSACTION", Short: "Show one transaction with its entries", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			t, now, err := transactionIn(cmd, port, args[0])
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(t)
			}
			r, err := transaction.Read(t.Record)
			if err != nil {
				return err
			}
			for _, line := range [][2]string{{"transaction", t.HostID}, {"id", t.ID}, {"operation", string(r.Operation) + ", to " + string(r.Mode)},
				{"candidate", r.Candidate}, {"before it", r.Prior}, {"stands", string(t.Outcome) + ", at " + string(t.Stage)},
				{"why", string(r.FailureCode)}, {"digest", string(t.Digest)}} {
				if line[1] == "" {
					continue
				}
				if err := a.row("%-11s  %s", line[0], visible.Row(line[1])); err != nil {
					return err
				}
			}
			for i := range r.Entries {
				e := &r.Entries[i]
				if err := a.row("%3d  %s  %s %s %s", e.Sequence, clock(e.At, now), e.Stage, e.Outcome, e.FailureCode); err != nil {
					return err
				}
			}
			for _, artifact := range t.Blocked {
				if err := a.row("blocks       %s: nod transactions ack %s --artifact …", visible.Row(artifact), shortID(t.ID)); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (a *app) transactionsAckCmd() *cobra.Command {
	var artifact string
	cmd := &cobra.Command{
		Use: "ack TRANSACTION [--artifact NAME]", Short: "Say that you looked at what an artifact's failed cleanups left behind",
		Long: `Acknowledges an artifact that a transaction blocks: it may be made to serve, or be
gone back to, again. Where it blocks one only, that is meant.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			t, _, err := transactionIn(cmd, port, args[0])
			if err != nil {
				return err
			}
			if artifact == "" && len(t.Blocked) == 1 {
				artifact = t.Blocked[0]
			}
			if artifact == "" {
				return &fault{Code: queue.CodeNothingOpen, Sentence: "the transaction blocks no artifact, or more than one", Hint: "nod transactions show names them; say --artifact"}
			}
			got, err := queue.As[queue.Transacted](cmd.Context(), port, queue.AckTransaction{Transaction: t.ID, Artifact: artifact})
			if err != nil {
				return err
			}
			return a.say(got, "Acknowledged: %s may be used again.", oneLine(artifact))
		},
	}
	cmd.Flags().StringVar(&artifact, "artifact", "", "the artifact that it blocks")
	takes(cmd, "artifact", "NAME")
	return cmd
}
