package notify

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"nod/notify/ladder"
	"nod/queue"
)

// backoff is how long after a failed attempt the next one comes, in ms; after
// the last a telling is given up.
func backoff() []int64 { return []int64{2_000, 10_000, 30_000, 120_000} }

// step looks at the queue, tells what is due and tries again what failed. It
// gives how long the next step can wait.
//
// The order is the rule: what is told is on disk, marked as begun, before it
// is sent; how it ended is on disk after that.
func (n *notifier) step(ctx context.Context) (time.Duration, error) {
	status, err := queue.Get[queue.Status](ctx, n.port, queue.QStatus{})
	if err != nil {
		return n.every(), err
	}
	watched, known := n.Watched()
	if n.looked && status.Event == n.event && watched == n.watched && (n.next == 0 || status.Now < n.next) {
		return n.wait(status.Now), nil
	}
	s, facts, err := look(ctx, n.port, &status)
	if err != nil {
		return n.every(), err
	}
	facts.Watched, facts.Known = watched, known
	before := *n.state // the steps below change no slice of it in place
	climbed, events, next := n.Plan.Step(before.Ladder, facts)
	parcels, err := n.pack(events, s)
	if err != nil {
		return n.every(), err
	}
	n.state.Ladder = climbed
	n.state.Outbox = slices.Concat(n.state.Outbox, parcels)
	due := n.due(s, facts)
	if len(due) > 0 || !same(&before.Ladder, &climbed) {
		if err := n.state.save(n.Store, n.UID); err != nil {
			*n.state = before // nothing was told
			return n.every(), err
		}
	}
	if err := n.deliver(ctx, due, s.now); err != nil {
		return n.every(), err
	}
	n.event, n.watched, n.looked, n.next = status.Event, watched, true, next
	if !facts.All {
		n.sooner(s.now + hiddenMS)
	}
	for i := range n.state.Outbox {
		n.sooner(n.state.Outbox[i].NextAt)
	}
	return n.wait(s.now), nil
}

// hiddenMS is how often it is looked for asks out of sight: a snooze ends
// without an event.
const hiddenMS = 30_000

func (n *notifier) sooner(at int64) {
	if n.next == 0 || at < n.next {
		n.next = at
	}
}

// wait is how long the next step can wait.
func (n *notifier) wait(now int64) time.Duration {
	if n.next == 0 {
		return n.every()
	}
	return max(time.Duration(n.next-now), 1) * time.Millisecond
}

func same(a, b *ladder.State) bool {
	return a.Unknown == b.Unknown && a.AloneSince == b.AloneSince && a.AloneTold == b.AloneTold && slices.Equal(a.Told, b.Told)
}

// pack makes a parcel of every event for every target.
func (n *notifier) pack(events []ladder.Event, s *sight) ([]parcel, error) {
	var out []parcel
	for i := range events {
		e := &events[i]
		p := parcel{ID: n.NewID(), Event: e.Kind, Asks: []string{}}
		body, err := payload(p.ID, e, s)
		if err != nil {
			return nil, err
		}
		p.Body, p.Text = jsontext.Value(body.bytes), body.text
		for _, d := range e.Asks {
			p.Asks = append(p.Asks, d.Ask.ID)
		}
		for _, t := range n.targets {
			p.Target = t.mark()
			out = append(out, p)
		}
	}
	return out, nil
}

// due marks the parcels to be sent now as begun, and drops those that need
// not be sent any more.
func (n *notifier) due(s *sight, f *ladder.Facts) []string {
	var due []string
	kept := n.state.Outbox[:0:0]
	for _, p := range n.state.Outbox {
		answered := len(p.Asks) > 0 && !slices.ContainsFunc(p.Asks, func(id string) bool { return s.rows[id] != nil })
		gone := !slices.ContainsFunc(n.targets, func(t target) bool { return t.mark() == p.Target })
		switch {
		case answered && p.Tries > 0 && f.All, gone:
			continue
		case p.NextAt <= s.now || p.NextAt > s.now+slices.Max(backoff()): // the clock went back
			p.Begun, p.Tries = true, p.Tries+1
			due = append(due, p.key())
		}
		kept = append(kept, p)
	}
	for len(kept) > maxOutbox {
		n.state.lose(Lost{At: s.now, Event: kept[0].Event, Target: n.called(kept[0].Target), Why: "too many others wait"})
		due = slices.DeleteFunc(due, func(k string) bool { return k == kept[0].key() })
		kept = kept[1:]
	}
	n.state.Outbox = kept
	return due
}

func (p *parcel) key() string { return p.ID + " " + p.Target }

// deliver sends the parcels and writes down how each ended.
func (n *notifier) deliver(ctx context.Context, due []string, now int64) error {
	if len(due) == 0 {
		return nil
	}
	var sent, kept []parcel
	for _, p := range n.state.Outbox {
		if slices.Contains(due, p.key()) {
			sent = append(sent, p)
		} else {
			kept = append(kept, p)
		}
	}
	outcomes := n.sendAll(ctx, sent)
	if ended(ctx) {
		return nil // begun and not known how it ended: as if this process had died
	}
	for i, out := range outcomes {
		p := sent[i]
		again := !out.done && out.again && p.Tries <= len(backoff())
		n.report(&p, out, again)
		switch {
		case out.done:
			n.state.SentAt = now
		case again:
			p.Begun, p.NextAt = false, now+backoff()[p.Tries-1]
			kept = append(kept, p)
		default:
			n.state.lose(Lost{At: now, Event: p.Event, Target: n.called(p.Target), Why: out.why})
		}
	}
	n.state.Outbox = kept
	return n.state.save(n.Store, n.UID)
}

// sendAll sends side by side, so that one slow receiver holds up no other.
func (n *notifier) sendAll(ctx context.Context, parcels []parcel) []outcome {
	out := make([]outcome, len(parcels))
	var wait sync.WaitGroup
	for i := range parcels {
		wait.Go(func() { out[i] = n.send(ctx, &parcels[i]) })
	}
	wait.Wait()
	return out
}

func (n *notifier) send(ctx context.Context, p *parcel) outcome {
	for _, t := range n.targets {
		if t.mark() != p.Target {
			continue
		}
		a := attempt{id: p.ID, seconds: n.WallMS() / 1000, body: p.Body, event: string(p.Event), text: p.Text}
		a.signature = n.Key.Sign(a.id, a.seconds, a.body)
		return t.send(ctx, &a)
	}
	return outcome{why: "is not configured any more"}
}

// called is the operator's name of a target.
func (n *notifier) called(mark string) string {
	for _, t := range n.targets {
		if t.mark() == mark {
			return t.name()
		}
	}
	return "a receiver that is not configured any more"
}

func (n *notifier) report(p *parcel, out outcome, again bool) {
	if n.Told != nil {
		n.Told(Report{ID: p.ID, Event: p.Event, Target: n.called(p.Target), Done: out.done, Why: out.why, Again: again, Text: p.Text})
	}
}
