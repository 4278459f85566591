package queue

import (
	"context"
	"errors"
	"slices"

	"nod/digest"
)

// How many asks one batch decides.
const (
	minBatch = 2
	maxBatch = 64
)

func (q *Queue) prepareBatch(ctx context.Context, c *Conn, a DecideBatch) (job, error) {
	switch {
	case a.Verdict != VerdictAllow && a.Verdict != VerdictDeny:
		return nil, refuse(CodeBadInput, "the verdict of a batch is neither allow nor deny").hint("answer questions one by one")
	case len(a.Items) < minBatch || len(a.Items) > maxBatch:
		return nil, refuse(CodeBadInput, "a batch is of 2 to 64 asks").hint("decide one ask by itself")
	}
	if err := CheckWords(a.Words); err != nil {
		return nil, err
	}
	shown := make([]digest.Digest, len(a.Items))
	named := map[string]bool{}
	for i := range a.Items {
		item := &a.Items[i]
		shown[i] = item.ShownDigest
		switch {
		case named[item.Ask]:
			return nil, refuse(CodeBadInput, "the batch names an ask twice").hint("name each once")
		case !item.ActionDigest.Valid() || !item.ShownDigest.Valid():
			return nil, refuse(CodeWrongDigest, "a decision names the action digest and the shown digest whole").
				hint("nod show prints both")
		case item.DwellMS < 0 || item.LinesSeen < 0 || item.LinesAll < 0:
			return nil, refuse(CodeBadInput, "a number of the decision is out of range").hint("times and lines are not negative")
		}
		named[item.Ask] = true
	}
	if BatchDigest(shown) != a.Digest {
		return nil, refuse(CodeWrongDigest, "the digest is not that of the cards of this batch, in their order").hint("read the cards again")
	}
	if err := q.alike(ctx, &a); err != nil {
		return nil, err
	}
	return func(tx Tx, m moment) (Result, error) { return q.decideBatch(tx, m, c, &a) }, nil
}

// alike refuses a batch of asks that one code may not decide together. What an
// ask is never changes while its shown digest is the one that was displayed, so
// this is looked at before the transaction; the others are skipped there.
func (q *Queue) alike(ctx context.Context, a *DecideBatch) error {
	return q.store.View(ctx, func(tx ReadTx) error {
		var first *digest.Action
		for i := range a.Items {
			row, err := tx.Ask(a.Items[i].Ask)
			if err != nil {
				return err
			}
			if row == nil || row.ShownDigest != a.Items[i].ShownDigest || row.State != StatePending {
				continue
			}
			crosses, err := q.wants(tx, row)
			if err != nil {
				return err
			}
			if crosses || row.Kind != digest.KindCall || row.Mandated || row.Irreversible || slices.Contains(row.Reasons, ReasonRealApproval) {
				return refuse(CodeNeedsPerson, "the ask %s is one that a person decides by itself, so nothing was decided", row.ID).
					hint("leave it out of the batch")
			}
			ask, _, err := readAsk(tx, row)
			if err != nil {
				return err
			}
			switch now := ask.Action; {
			case first == nil:
				first = now
			case now.Tool != first.Tool || now.Environment.Name != first.Environment.Name:
				return refuse(CodeUnlike, "the ask %s is of another tool or environment than the first, so nothing was decided", row.ID).
					hint("a batch is of one tool in one environment")
			}
		}
		return nil
	})
}

// decideBatch decides each ask by itself, and says of each that it skips why.
func (q *Queue) decideBatch(tx Tx, m moment, c *Conn, a *DecideBatch) (Result, error) {
	out := BatchDecided{Results: make([]BatchResult, len(a.Items))}
	for i := range a.Items {
		item := &a.Items[i]
		r := &out.Results[i]
		r.Ask = item.Ask
		got, err := q.decide(tx, m, c, Decide{
			Ask: item.Ask, Verdict: a.Verdict, ActionDigest: item.ActionDigest, ShownDigest: item.ShownDigest, Words: a.Words,
			DwellMS: item.DwellMS, LinesSeen: item.LinesSeen, LinesAll: item.LinesAll,
		}, nil, int64(len(a.Items)))
		if no, skipped := errors.AsType[*Refusal](err); skipped {
			r.Code, r.Sentence = no.Code, no.Sentence
			continue
		}
		if err != nil {
			return nil, err
		}
		decided := got.(Decided)
		r.Decided = &decided
	}
	return out, nil
}
