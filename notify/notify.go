package notify

import (
	"context"
	"crypto/x509"
	"errors"
	"time"

	"nod/notify/ladder"
	"nod/queue"
)

// Options are what a notifier needs of its surroundings.
type Options struct {
	Store    string // the store's file; lock and state are beside it
	UID      int    // whose those files are; -1 where a system has no user ids
	Key      Key
	Plan     ladder.Plan
	Webhooks []string // https, or http of this machine: the configuration checks it
	Command  []string // argv, the program by its absolute path
	Env      []string // KEY=value, for the command
	// Watched says whether somebody watches, and whether that is known.
	Watched func() (is, known bool)
	WallMS  func() int64
	NewID   func() string
	Told    func(Report)  // each attempt; nil for nobody
	Every   time.Duration // between looks; 0 for 2 s
	Patient bool          // wait for another notifier to end, instead of ErrRunning

	roots *x509.CertPool // nil for the system's
}

// Report is how one attempt ended, for the operator.
type Report struct {
	ID     string      `json:"id"`
	Event  ladder.Kind `json:"event"`
	Target string      `json:"target"`
	Done   bool        `json:"done"`
	Why    string      `json:"why,omitzero"`
	Again  bool        `json:"again,omitzero"` // it is tried again
	Text   string      `json:"text"`           // what was told
}

// Times of the loop.
const (
	every      = 2 * time.Second
	patience   = 15 * time.Second       // between looks at another notifier's lock
	blink      = 200 * time.Millisecond // a look at the lock, or a child being started, holds it for less
	maxFailing = 5                      // failed looks in a row that end the loop
)

func (o *Options) every() time.Duration {
	if o.Every > 0 {
		return o.Every
	}
	return every
}

// Run tells of what waits until ctx ends, which is no error. Another process
// that tells of this store already is CodeRunning, unless the options say to
// be patient.
func Run(ctx context.Context, port queue.Port, o Options) error {
	for {
		n, err := startNotifier(ctx, port, &o)
		if err == nil {
			return errors.Join(n.loop(ctx), n.release())
		}
		if f, ok := errors.AsType[*Fault](err); !ok || f.Code != CodeRunning || !o.Patient {
			return quiet(ctx, err)
		}
		if !pause(ctx, patience) {
			return nil
		}
	}
}

// Once looks once, tells what is due, and tries again what is due for that.
func Once(ctx context.Context, port queue.Port, o Options) error {
	n, err := startNotifier(ctx, port, &o)
	if err != nil {
		return err
	}
	_, err = n.step(ctx)
	return errors.Join(err, n.release())
}

// Try sends a test to every receiver, once each, and reports how it went.
func Try(ctx context.Context, port queue.Port, o Options) error {
	n := notifier{Options: &o, port: port, targets: o.targets()}
	if len(n.targets) == 0 {
		return Nobody()
	}
	status, err := queue.Get[queue.Status](ctx, port, queue.QStatus{})
	if err != nil {
		return err
	}
	s, _, err := look(ctx, port, &status)
	if err != nil {
		return err
	}
	parcels, err := n.pack([]ladder.Event{{Kind: ladder.Test}}, s)
	if err != nil {
		return err
	}
	for i, out := range n.sendAll(ctx, parcels) {
		n.report(&parcels[i], out, false)
	}
	return nil
}

// notifier is a running one: it holds the lock.
type notifier struct {
	*Options
	port    queue.Port
	targets []target
	state   *state
	release func() error

	// Of the newest look, to leave out looks that would find the same.
	event   int64
	watched bool
	looked  bool
	next    int64 // effective Unix ms; 0 for never
}

func startNotifier(ctx context.Context, port queue.Port, o *Options) (*notifier, error) {
	n := &notifier{Options: o, port: port, targets: o.targets()}
	if len(n.targets) == 0 {
		return nil, Nobody()
	}
	release, taken, err := hold(o.Store, o.UID)
	if err == nil && !taken && pause(ctx, blink) {
		release, taken, err = hold(o.Store, o.UID)
	}
	if err != nil {
		return nil, err
	}
	if !taken {
		return nil, Running()
	}
	n.release = release
	status, err := queue.Get[queue.Status](ctx, port, queue.QStatus{})
	if err == nil {
		n.state, err = load(o.Store, status.StoreID, o.UID)
	}
	if err == nil {
		err = n.recover(status.Now)
	}
	if err != nil {
		return nil, errors.Join(err, release())
	}
	return n, nil
}

// recover gives up what a process that died was sending: it may have arrived.
func (n *notifier) recover(now int64) error {
	kept := n.state.Outbox[:0]
	for _, p := range n.state.Outbox {
		if !p.Begun {
			kept = append(kept, p)
			continue
		}
		n.state.lose(Lost{At: now, Event: p.Event, Target: n.called(p.Target), Why: "nod ended while it was sent"})
	}
	cut := len(n.state.Outbox) - len(kept)
	n.state.Outbox = kept
	if cut == 0 {
		return nil
	}
	return n.state.save(n.Store, n.UID)
}

// loop looks at the queue until ctx ends. It looks by the clock and not by
// Watch, whose own looks at the store's file are a hundred times as many.
func (n *notifier) loop(ctx context.Context) error {
	failing := 0
	for {
		again, err := n.step(ctx)
		switch {
		case ended(ctx):
			return nil
		case err == nil:
			failing = 0
		default:
			if failing++; failing == maxFailing {
				return err
			}
		}
		if !pause(ctx, min(again, n.every())) {
			return nil
		}
	}
}

// quiet is err, unless it is only ctx's end.
func quiet(ctx context.Context, err error) error {
	if ended(ctx) {
		return nil
	}
	return err
}

// ended reports whether ctx is over: what fails then is no failure.
func ended(ctx context.Context) bool { return ctx.Err() != nil }

// pause waits and reports whether ctx goes on.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
