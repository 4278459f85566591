package model

import (
	"context"
	"fmt"

	"nod/descriptor"
	"nod/digest"
	"nod/queue"
	"nod/queue/ledger"
	"nod/queue/model/memory"
)

// The actors. Executor k runs the calls of slot k, in a session of its own.
const (
	ann = iota
	ben
	left
	right
	actors
)

var names = [actors]string{"ann", "ben", "left", "right"}

func executor(slot int) int { return left + slot }

// slots is how many calls there are; both cause one effect.
const slots = 2

// All times are whole steps: the card's deadline is in whole seconds, and a
// second is as good as a millisecond to be just before or after something.
const (
	start  = 1_800_000_000_000
	stepMS = 1000

	answerMS = 3 * stepMS
	useMS    = 2 * stepMS
	leaseMS  = 2 * stepMS
	holdMS   = stepMS
	grantMS  = 2 * stepMS
	settleMS = stepMS
	waiterMS = 3_600_000 // never over: no call here adopts another's ask
)

// position is where the search stands. It is never changed.
type position struct {
	store  *memory.State
	ledger *ledger.Ledger
	wall   int64
	ids    int
	calls  [slots]call
	runs   []run
	pages  []page // of the effects, as an operator reads them now
	before []page // the same at the position before this
	stale  []page // of each the last that was another one
	trail  *trail

	mandated bool // as Options
}

// page is what an operator reads of an effect before an answer.
type page struct {
	digest  digest.Digest
	confirm string
}

// call is what an executor was told of the newest ask of its call.
type call struct {
	id              string // the host's, of the call
	ask, token      string
	action, changed []byte // as it must run, and with other arguments
	digest, shown   digest.Digest
}

// run is what an executor was told of an attempt it began.
type run struct {
	ask, attempt, token string
	slot, by            int
}

// trail is how a position was reached: the number of the step among those of
// the position before.
type trail struct {
	before *trail
	step   int
}

// world is a queue on a memory store, which can be put into any position.
type world struct {
	store *memory.Store
	ports [actors]queue.Port
	wall  int64
	ids   int
}

// The one tool, and the one observer.
const (
	tool     = "refund"
	observer = "books"
)

// described is what the operator says of the tool: what names its effect, how
// long the provider's reads may lag, and who else can look.
func described(watched bool) *descriptor.Set {
	refund := descriptor.Tool{Name: tool, Class: digest.ClassCompensatable, Access: digest.AccessWrite,
		Effect: descriptor.Effect{Family: "refund", Parts: []string{"/payment_id"}, Settle: "1s"}}
	if watched {
		refund.Observer = []descriptor.Observer{{Name: observer, Kind: descriptor.KindFile, Path: "/books", Content: "/payment_id"}}
	}
	set, err := descriptor.Compile([]descriptor.Tool{refund})
	if err != nil {
		panic(err) // it is fixed text
	}
	return set
}

// newWorld makes a world.
func newWorld(o *Options) *world {
	w := &world{store: memory.New("019ad5e2-0000-7000-8000-000000000000")}
	store := queue.Store(w.store)
	if o.Wrap != nil {
		store = o.Wrap(store)
	}
	q := queue.New(store, queue.Settings{AnswerWithinMS: answerMS, UseWithinMS: useMS, LeaseMS: leaseMS, WaiterMS: waiterMS,
		Descriptors: described(!o.Unwatched)}, queue.Edge{
		KeyHash: func(key string) string { return string(digest.Of(digest.JSON(key))) },
		WallMS:  func() int64 { return w.wall },
		BootMS:  func() int64 { return w.wall - start },
		NewID: func() string {
			w.ids++
			return fmt.Sprintf("019ad5e2-0000-7000-8000-%012x", w.ids)
		},
		Token: func() string { w.ids++; return fmt.Sprintf("token-%d", w.ids) },
	})
	for i := range w.ports {
		c := queue.Conn{Principal: digest.Principal{Agent: "operator", User: names[i]}, Role: queue.RoleOperator, Way: "console"}
		if i >= left {
			c = queue.Conn{Principal: digest.Principal{Agent: names[i], User: "dev", Host: "host"}, Environment: "local",
				Role: queue.RoleRequester, Way: "run"}
		}
		w.ports[i] = q.Port(c)
	}
	return w
}

// first is the position before anything happened.
func (w *world) first(o *Options) *position {
	l := ledger.New()
	l.Hasty = true
	p := &position{store: w.store.State(), ledger: l, wall: start, mandated: o.Mandated}
	for k := range p.calls {
		p.calls[k].id = "call"
	}
	return p
}

// enter puts the world into a position.
func (w *world) enter(p *position) {
	w.store.Put(p.store)
	w.wall, w.ids = p.wall, p.ids
}

// read reads what an operator has before them at p. Reading lets the clock do
// what is due, as an act does; p stays.
func (w *world) read(ctx context.Context, p *position) error {
	p.pages = p.pages[:0]
	for _, e := range p.store.Effects {
		w.enter(p)
		d, err := queue.Get[queue.Desk](ctx, w.ports[ann], queue.QEffect{ID: e.ID})
		if err != nil {
			return fmt.Errorf("the page of effect %s does not read: %w", e.ID, err)
		}
		p.pages = append(p.pages, page{d.Digest, d.Confirm})
	}
	stale := make([]page, len(p.pages))
	copy(stale, p.stale)
	for i, was := range p.before {
		if was != p.pages[i] {
			stale[i] = was
		}
	}
	p.stale, p.before = stale, nil
	return nil
}
