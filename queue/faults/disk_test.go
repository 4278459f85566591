//go:build unix

package faults

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"nod/queue"
	"nod/store/sqlite"
)

// crowd is many callers at once on one store; it keeps what they were told.
type crowd struct {
	store     *sqlite.Store
	agent     queue.Port
	operator  queue.Port
	mu        sync.Mutex
	submitted []queue.Submitted
	decided   map[string]queue.Decided
	next      int
}

func newCrowd(t *testing.T, path string, opt sqlite.Options) *crowd {
	t.Helper()
	opt.Create = true
	c := &crowd{store: openStore(t, path, opt), decided: map[string]queue.Decided{}}
	c.ports()
	return c
}

func (c *crowd) ports() {
	q := newQueue(c.store, queue.Settings{})
	c.agent, c.operator = q.Port(agentConn()), q.Port(operatorConn("ann"))
}

// one is a caller's turn: it files an ask and decides it.
func (c *crowd) one(ctx context.Context) error {
	c.mu.Lock()
	c.next++
	n := c.next
	c.mu.Unlock()
	s, err := queue.As[queue.Submitted](ctx, c.agent, call("crowd", fmt.Sprintf("crowd-%d-%01500d", n, n)))
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.submitted = append(c.submitted, s)
	c.mu.Unlock()
	d, err := queue.As[queue.Decided](ctx, c.operator, decide(s, queue.VerdictDeny))
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.decided[s.Ask] = d
	c.mu.Unlock()
	return nil
}

// press lets callers act until each of them met an error, and gives the errors.
func (c *crowd) press(ctx context.Context, callers int) []error {
	errs := make([]error, callers)
	var running sync.WaitGroup
	for i := range callers {
		running.Go(func() {
			for end := time.Now().Add(time.Minute); errs[i] == nil && time.Now().Before(end); {
				errs[i] = c.one(ctx)
			}
		})
	}
	running.Wait()
	return errs
}

// typed wants every caller refused with one of these codes, a sentence and a hint.
func typed(t *testing.T, errs []error, codes ...string) (seen map[string]int) {
	t.Helper()
	seen = map[string]int{}
	for i, err := range errs {
		e, ok := errors.AsType[*sqlite.Error](err)
		if !ok {
			t.Fatalf("caller %d got %v, want an error with a code", i, err)
		}
		known := false
		for _, code := range codes {
			known = known || e.Code == code
		}
		if !known || e.Sentence == "" || e.Hint == "" {
			t.Errorf("caller %d got %q, %q, hint %q; want one of %v", i, e.Code, e.Sentence, e.Hint, codes)
		}
		seen[e.Code]++
	}
	return seen
}

// kept judges the store from its first event: what was acknowledged is there,
// and nothing else.
func (c *crowd) kept(t *testing.T) {
	t.Helper()
	l := whole(t, c.store)
	decided := 0
	for _, s := range c.submitted {
		a := l.Asks[s.Ask]
		d, was := c.decided[s.Ask]
		switch {
		case a == nil || a.Action != s.ActionDigest:
			t.Fatalf("ask %s was acknowledged and is lost", s.Ask)
		case was && (a.State != d.State || a.DecidedAt != d.Decision.At):
			t.Fatalf("the decision on %s was acknowledged and is lost: %+v", s.Ask, a)
		case !was && a.State != queue.StatePending:
			t.Fatalf("the decision on %s was refused and is there: %+v", s.Ask, a)
		case was:
			decided++
		}
	}
	if len(l.Asks) != len(c.submitted) || l.Seq != int64(len(c.submitted)+decided) {
		t.Fatalf("%d asks and %d events for %d acknowledged asks and %d decisions", len(l.Asks), l.Seq, len(c.submitted), decided)
	}
}

// goesOn wants the same callers served again.
func (c *crowd) goesOn(t *testing.T) {
	t.Helper()
	each(t, 64, 16, func(int) error { return c.one(t.Context()) })
	c.kept(t)
}

// TestTheStoreReachesItsBound: at its greatest size it refuses every caller by
// disk_full, still reads, and loses nothing; opened with more room it goes on.
func TestTheStoreReachesItsBound(t *testing.T) {
	path := newStorePath(t)
	c := newCrowd(t, path, sqlite.Options{MaxPages: 200})
	errs := c.press(t.Context(), 16)
	seen := typed(t, errs, sqlite.CodeDiskFull)
	c.kept(t)
	typed(t, c.press(t.Context(), 1), sqlite.CodeDiskFull) // a single act may still have had room
	before := len(c.submitted)
	c.kept(t)
	if err := c.store.Close(); err != nil {
		t.Fatal(err)
	}
	c.store = openStore(t, path, sqlite.Options{})
	c.ports()
	c.goesOn(t)
	t.Logf("store at its bound: 16 callers told %v; %d asks and %d decisions acknowledged before, all there; went on with more room", seen, before, len(c.decided))
}
