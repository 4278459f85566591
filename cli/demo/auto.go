package demo

import (
	"context"

	"nod/digest/visible"
	"nod/queue"
)

// Auto runs the script and answers by itself, as a careful person would: it
// allows what the script's agent may do and denies the call that lies. show
// gets each line as it happens.
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
	return nil
}
