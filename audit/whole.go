package audit

import (
	"context"
	"errors"
	"fmt"

	"nod/queue"
)

// Whole is what a verified store comes to: its history and its rows.
type Whole struct {
	Report
	Cards  int64 `json:"cards"`  // read again and equal to their digests
	Pruned int64 `json:"pruned"` // whose contents are gone, digests kept
}

// readings is how often what changes under the reading is read again before a
// difference counts.
const readings = 5

// VerifyStore verifies the history like Verify, and then that every row the
// store shows is as the events and the asks' documents say, and that none is
// missing. Others may go on writing to the store.
func VerifyStore(ctx context.Context, port queue.Port, marks []Checkpoint) (Whole, error) {
	report, c, err := verify(ctx, port, marks)
	if err != nil {
		return Whole{}, err
	}
	w := walk{ctx: ctx, port: port, chain: c, whole: Whole{Report: report},
		lineage: lineage{filed: map[string]bool{}, parent: map[string]string{}}}
	for r, err := range Rows(ctx, port) {
		if err != nil {
			return Whole{}, fmt.Errorf("read the asks: %w", err)
		}
		if err := w.visit(r.ID); err != nil {
			return Whole{}, err
		}
	}
	if err := w.rest(); err != nil {
		return Whole{}, err
	}
	if err := w.effects(); err != nil {
		return Whole{}, err
	}
	if err := w.desk(); err != nil {
		return Whole{}, err
	}
	return w.whole, nil
}

// walk goes over a store's rows behind its verified chain.
type walk struct {
	ctx     context.Context
	port    queue.Port
	chain   *chain
	lineage lineage
	whole   Whole
}

// catchUp verifies the events that came meanwhile.
func (w *walk) catchUp() (queue.Status, error) {
	s, err := queue.Get[queue.Status](w.ctx, w.port, queue.QStatus{})
	if err != nil {
		return s, fmt.Errorf("read the store's status: %w", err)
	}
	return s, w.chain.follow(w.ctx, w.port, s.Event, nil)
}

// visit checks one ask, once.
func (w *walk) visit(id string) error {
	life := w.chain.life
	if t := life.trails[id]; t != nil && t.seen {
		return nil
	}
	for n := 1; ; n++ {
		f, err := w.look(id)
		if err != nil {
			return err
		}
		if f == nil {
			life.trails[id].seen = true
			return nil
		}
		if n == readings {
			return f
		}
		if _, err := w.catchUp(); err != nil {
			return err
		}
	}
}

// look reads one ask with its events and compares.
func (w *walk) look(id string) (*Fault, error) {
	v, err := queue.Get[queue.AskView](w.ctx, w.port, queue.QAsk{ID: id})
	if r, ok := errors.AsType[*queue.Refusal](err); ok {
		if r.Code == queue.CodeUnknownID {
			return fault(CodeRowMissing, 0, "the ask %s has events and no row", id), nil
		}
		r.Sentence += " (ask " + id + ")"
	}
	if err != nil {
		return nil, err
	}
	events, err := EventsOf(w.ctx, w.port, id)
	if err != nil {
		return nil, fmt.Errorf("read the events of ask %s: %w", id, err)
	}
	if f := CheckAsk(&v, events); f != nil {
		return f, nil
	}
	life := w.chain.life
	switch t := life.trails[id]; {
	case t == nil || t.events != int64(len(events)):
		return fault(CodeRow, 0, "the ask %s is not listed with all its events", id), nil
	case life.checkDelivery(&v) != nil:
		return life.checkDelivery(&v), nil
	case life.overdue(&v.Row):
		return fault(CodeRow, 0, "the ask %s is shown as allowed, and a freeze came after its allow", id), nil
	}
	w.lineage.add(&v)
	if v.Card == "" {
		w.whole.Pruned++
	} else {
		w.whole.Cards++
	}
	return nil, nil
}

// rest visits the asks of the events whose rows no list showed: they came while
// the lists were read, or are missing.
func (w *walk) rest() error {
	var unseen []string
	for id, t := range w.chain.life.trails {
		if !t.seen {
			unseen = append(unseen, id)
		}
	}
	for _, id := range sorted(unseen) {
		if err := w.visit(id); err != nil {
			return err
		}
	}
	return nil
}
