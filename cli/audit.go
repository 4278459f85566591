package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"iter"

	"github.com/spf13/cobra"

	"nod/audit"
	"nod/config"
	"nod/queue"
)

func (a *app) auditCmd() *cobra.Command {
	return group("audit", "Prove that the history is the one that was written", &cobra.Command{
		Use: "verify", Short: "Verify every event, row and card and the checkpoints; then sign a new one", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.verify(cmd.Context()) },
	})
}

func (a *app) verify(ctx context.Context) error {
	c, paths, err := a.load(false)
	if err != nil {
		return err
	}
	st, err := a.Open(ctx, Opening{Path: paths.Store, Settings: c.Settings()})
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	port := st.Port(a.person("command"))
	keeper, marks, err := a.kept(ctx, port, &paths)
	if err != nil {
		return err
	}
	v, err := audit.VerifyStore(ctx, port, marks)
	if err != nil {
		return err
	}
	if v.Events > 0 {
		if _, err := keeper.Checkpoint(ctx, port); err != nil {
			return err
		}
	}
	return a.say(v, "Intact: %d events verified to head %.8s…, %d cards equal their digests, %d checkpoints agree.\nCheckpoint key: %s",
		v.Events, v.Head, v.Cards, v.Checkpoints, keeper.VerifierKey())
}

// kept opens the checkpoints that are kept outside the store, and gives those
// of this one.
func (a *app) kept(ctx context.Context, port queue.Port, paths *config.Paths) (*audit.Keeper, []audit.Checkpoint, error) {
	if err := config.PrivateDir(paths.StateDir, a.Person.UID); err != nil {
		return nil, nil, err
	}
	keeper, err := audit.OpenKeeper(paths.StateDir, a.Person.UID, rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	status, err := queue.Get[queue.Status](ctx, port, queue.QStatus{})
	if err != nil {
		return nil, nil, err
	}
	marks, err := keeper.Checkpoints(status.StoreID)
	return keeper, marks, err
}

// eventsOf reads all events of one ask.
func eventsOf(ctx context.Context, port queue.Port, ask string) ([]queue.StoredEvent, error) {
	return audit.EventsOf(ctx, port, ask)
}

// everyAsk reads all asks whole, those that wait first.
func everyAsk(ctx context.Context, port queue.Port) iter.Seq2[queue.AskView, error] {
	return func(yield func(queue.AskView, error) bool) {
		for row, err := range audit.Rows(ctx, port) {
			if err != nil {
				yield(queue.AskView{}, err)
				return
			}
			v, err := queue.Get[queue.AskView](ctx, port, queue.QAsk{ID: row.ID})
			if r, ok := errors.AsType[*queue.Refusal](err); ok {
				r.Sentence += " (ask " + row.ID + ")"
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}
