package model

import (
	"context"
	"fmt"
	"strings"
)

// Trace writes the history that breaks the rule: each step, what its actor was
// told, and the events it left.
func (f *Fault) Trace(ctx context.Context, o Options) string {
	var steps []int
	for t := f.trail; t != nil; t = t.before {
		steps = append(steps, t.step)
	}
	var b strings.Builder
	w := newWorld(&o)
	p := w.first()
	for i := len(steps) - 1; i >= 0; i-- {
		if err := w.read(ctx, p); err != nil {
			fmt.Fprintf(&b, "      BROKEN: %v\n", err)
			break
		}
		s := p.steps(nil)[steps[i]]
		next, t, err := w.take(ctx, p, &s)
		fmt.Fprintf(&b, "%2d  %s\n", len(steps)-i, &s)
		switch {
		case t.no != nil:
			fmt.Fprintf(&b, "      refused %s: %s\n", t.no.Code, t.no.Sentence)
		case t.result != nil:
			fmt.Fprintf(&b, "      %T%+v\n", t.result, t.result)
		}
		for j := range t.news {
			e := &t.news[j]
			fmt.Fprintf(&b, "      event %d: %s by %s, %s → %s %s\n", e.Seq, e.Act, e.Actor, e.From, e.To, e.Reason)
		}
		if err != nil {
			fmt.Fprintf(&b, "      BROKEN: %v\n", err)
			break
		}
		p = next
	}
	if err := w.read(ctx, p); err != nil {
		fmt.Fprintf(&b, "      BROKEN: %v\n", err)
	}
	return b.String()
}
