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
		Use: "verify", Short: "Verify every event, every card and the checkpoints; then sign a new one", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.verify(cmd.Context()) },
	})
}

// verified is what nod audit verify found.
type verified struct {
	audit.Report
	Cards  int64 `json:"cards"`  // read again and equal to their digests
	Pruned int64 `json:"pruned"` // whose contents are gone, digests kept
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
	if err := config.PrivateDir(paths.StateDir, a.Person.UID); err != nil {
		return err
	}
	keeper, err := audit.OpenKeeper(paths.StateDir, a.Person.UID, rand.Reader)
	if err != nil {
		return err
	}
	status, err := queue.Get[queue.Status](ctx, port, queue.QStatus{})
	if err != nil {
		return err
	}
	marks, err := keeper.Checkpoints(status.StoreID)
	if err != nil {
		return err
	}
	var v verified
	if v.Report, err = audit.Verify(ctx, port, marks); err != nil {
		return err
	}
	for view, err := range everyAsk(ctx, port) {
		if err != nil {
			return err
		}
		if view.Card == "" {
			v.Pruned++
		} else {
			v.Cards++
		}
		events, err := eventsOf(ctx, port, view.Row.ID)
		if err != nil {
			return err
		}
		if f := audit.CheckAsk(&view, events); f != nil {
			return f
		}
	}
	if v.Events > 0 {
		if _, err := keeper.Checkpoint(ctx, port); err != nil {
			return err
		}
	}
	return a.say(v, "Intact: %d events verified to head %.8s…, %d cards equal their digests, %d checkpoints agree.\nCheckpoint key: %s",
		v.Events, v.Head, v.Cards, v.Checkpoints, keeper.VerifierKey())
}

// eventsOf reads all events of one ask.
func eventsOf(ctx context.Context, port queue.Port, ask string) ([]queue.StoredEvent, error) {
	var all []queue.StoredEvent
	for page := (queue.QEvents{Ask: ask, Limit: rowPage}); ; {
		got, err := queue.Get[queue.Events](ctx, port, page)
		if err != nil {
			return nil, err
		}
		all = append(all, got.Events...)
		if !got.More {
			return all, nil
		}
		page.After = all[len(all)-1].Seq
	}
}

// everyAsk reads all asks whole, those that wait first.
func everyAsk(ctx context.Context, port queue.Port) iter.Seq2[queue.AskView, error] {
	return func(yield func(queue.AskView, error) bool) {
		for row, err := range everyRow(ctx, port) {
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

// rowPage is how many rows one read brings.
const rowPage = 200

func everyRow(ctx context.Context, port queue.Port) iter.Seq2[queue.Row, error] {
	return func(yield func(queue.Row, error) bool) {
		var after queue.Key
		for more := true; more; {
			page, err := queue.Get[queue.Inbox](ctx, port, queue.QInbox{After: after, Limit: rowPage})
			if err != nil {
				yield(queue.Row{}, err)
				return
			}
			for i := range page.Rows {
				r := &page.Rows[i]
				after = queue.Key{Urgency: r.Urgency, Seq: r.Seq}
				if !yield(*r, nil) {
					return
				}
			}
			more = page.More
		}
		var before int64
		for more := true; more; {
			page, err := queue.Get[queue.History](ctx, port, queue.QHistory{BeforeSeq: before, Limit: rowPage})
			if err != nil {
				yield(queue.Row{}, err)
				return
			}
			for i := range page.Rows {
				before = page.Rows[i].Seq
				if !yield(page.Rows[i], nil) {
					return
				}
			}
			more = page.More
		}
	}
}
