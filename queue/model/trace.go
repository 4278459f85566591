package model

import (
	"context"
	"fmt"
	"strings"

	"nod/queue"
)

// begin takes the steps that come before a search, and tells see of each.
func (w *world) begin(ctx context.Context, o *Options, see func(*step, *took)) (*position, error) {
	p := w.first(o)
	for _, words := range o.Begin {
		s, err := w.named(ctx, p, words)
		if err != nil {
			return nil, err
		}
		next, t, err := w.take(ctx, p, s)
		if see != nil {
			see(s, &t)
		}
		if err == nil && t.no != nil {
			err = t.no
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", words, err)
		}
		p = next
	}
	return p, nil
}

// named gives the first step at p whose words begin so.
func (w *world) named(ctx context.Context, p *position, words string) (*step, error) {
	if err := w.read(ctx, p); err != nil {
		return nil, err
	}
	steps := p.steps(nil)
	for i := range steps {
		if strings.HasPrefix(steps[i].String(), words) {
			return &steps[i], nil
		}
	}
	return nil, fmt.Errorf("nothing there begins with %q", words)
}

// Trace writes the history that breaks the rule: each step, what its actor was
// told, and the events it left.
func (f *Fault) Trace(ctx context.Context, o Options) string {
	var b strings.Builder
	n := 0
	see := func(s *step, t *took) {
		n++
		fmt.Fprintf(&b, "%2d  %s\n", n, s)
		switch {
		case t.no != nil:
			fmt.Fprintf(&b, "      refused %s: %s\n", t.no.Code, t.no.Sentence)
		case t.result != nil:
			fmt.Fprintf(&b, "      %s\n", short(t.result))
		}
		for i := range t.news {
			e := &t.news[i]
			fmt.Fprintf(&b, "      event %d: %s by %s, %s → %s %s\n", e.Seq, e.Act, e.Actor, e.From, e.To, e.Reason)
		}
	}
	var numbers []int
	for t := f.trail; t != nil; t = t.before {
		numbers = append(numbers, t.step)
	}
	w := newWorld(&o)
	p, err := w.begin(ctx, &o, see)
	for i := len(numbers) - 1; i >= 0 && err == nil; i-- {
		if err = w.read(ctx, p); err != nil {
			break
		}
		s := &p.steps(nil)[numbers[i]]
		var t took
		p, t, err = w.take(ctx, p, s)
		see(s, &t)
	}
	if err == nil {
		err = w.read(ctx, p)
	}
	fmt.Fprintf(&b, "      BROKEN: %v\n", err)
	return b.String()
}

// short is a result as it is sent, up to a length that a line holds.
func short(r queue.Result) string {
	const most = 240
	b, err := queue.EncodeResult(r)
	if err != nil {
		return err.Error()
	}
	if len(b) > most {
		return string(b[:most]) + " …"
	}
	return string(b)
}
