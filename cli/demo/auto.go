package demo

import (
	"context"

	"nod/ambiguity"
	"nod/digest/visible"
	"nod/queue"
)

// Auto runs the script and answers by itself, as a careful person would: it
// allows what the script's agent may do, denies the call that lies, and says
// what became of the refund. show gets each line as it happens.
func (a *Agent) Auto(ctx context.Context, operator queue.Port, show func(line string) error) error {
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	ticks, err := operator.Watch(ctx)
	if err != nil {
		return err
	}
	printed := 0
	flush := func() error {
		lines := a.Transcript()
		for ; printed < len(lines); printed++ {
			if err := show(lines[printed]); err != nil {
				return err
			}
		}
		return nil
	}
	for {
		if err := a.answerAll(ctx, operator); err != nil {
			return err
		}
		if err := flush(); err != nil {
			return err
		}
		select {
		case err := <-ended:
			if err != nil {
				return err
			}
			return flush()
		case <-ticks:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (a *Agent) answerAll(ctx context.Context, operator queue.Port) error {
	page, err := queue.Get[queue.Inbox](ctx, operator, queue.QInbox{Limit: 50})
	if err != nil {
		return err
	}
	for i := range page.Rows {
		row := &page.Rows[i]
		v, err := queue.Get[queue.AskView](ctx, operator, queue.QAsk{ID: row.ID})
		if err != nil {
			return err
		}
		act := queue.Decide{Ask: row.ID, Verdict: queue.VerdictAllow, ActionDigest: v.Row.ActionDigest,
			ShownDigest: v.Row.ShownDigest, Confirm: v.Confirm}
		switch {
		case row.Kind == "question":
			act.Verdict, act.Answer = queue.VerdictAnswer, []byte(`"eu-west"`)
		case visible.Escapes(visible.Draw(visible.Value, row.Gist)) > 0:
			act.Verdict, act.Words = queue.VerdictDeny, "This command hides what it does."
		}
		if _, err := operator.Do(ctx, act); err != nil {
			return err
		}
	}
	return a.settleAll(ctx, operator)
}

// settleAll says of the refund that it happened, when an agent ran into it: the
// provider lists it, and Nod alone does not go by a refund that is pending.
func (a *Agent) settleAll(ctx context.Context, operator queue.Port) error {
	open, err := queue.Get[queue.Effects](ctx, operator, queue.QEffects{Open: true, Limit: 10})
	if err != nil {
		return err
	}
	for _, e := range open.Effects {
		if e.Standing != ambiguity.StandsUnknown || e.Repeats == 0 {
			continue
		}
		d, err := queue.Get[queue.Desk](ctx, operator, queue.QEffect{ID: e.ID})
		if err != nil {
			return err
		}
		_, err = operator.Do(ctx, queue.Reconcile{Attempt: d.Attempts[len(d.Attempts)-1].ID, Outcome: queue.AttemptCommitted, Page: d.Digest,
			Reason: "The provider lists a refund of this payment.", Evidence: "the observer's answer"})
		if err != nil {
			return err
		}
	}
	return nil
}
