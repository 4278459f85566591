package cli

import (
	"github.com/spf13/cobra"

	"nod/queue"
)

// paged adds the flags of a list that comes by key, the newest first.
func paged(cmd *cobra.Command, what string, limit, before *int64) {
	cmd.Flags().Int64Var(limit, "limit", 50, what+" at the most, up to 500")
	cmd.Flags().Int64Var(before, "before", 0, "go on before this number, as the end of a page says it")
	takes(cmd, "limit", "N")
	takes(cmd, "before", "N")
}

// page reads a page of such a list and prints it, whole as JSON or by show.
func page[A queue.Answer](a *app, cmd *cobra.Command, limit, before *int64, q func() queue.Query, show func(page *A) error) error {
	if *limit < 1 || *before < 0 {
		return &fault{Code: "usage", Sentence: "a page has at least one row, and goes on before a number of the list", Hint: "leave --limit and --before out for the first page"}
	}
	*limit = min(*limit, maxRows)
	port, done, err := a.operator(cmd.Context(), "command")
	if err != nil {
		return err
	}
	defer done()
	got, err := queue.Get[A](cmd.Context(), port, q())
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(got)
	}
	return show(&got)
}

// more ends a page: where to go on.
func (a *app) more(more bool, shown int, last int64) error {
	if !more {
		return nil
	}
	return a.printf("%d shown, more with --before %d\n", shown, last)
}
