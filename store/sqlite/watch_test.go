package sqlite

import (
	"context"
	"testing"
	"time"

	"nod/queue"
)

// pollEvery is how often the tests' watchers look.
const pollEvery = 10 * time.Millisecond

// tick waits for the next number of a watch.
func tick(t *testing.T, ch <-chan int64) int64 {
	t.Helper()
	select {
	case n, open := <-ch:
		if !open {
			t.Fatal("the channel is closed")
		}
		return n
	case <-time.After(10 * time.Second):
		t.Fatal("no tick")
		return 0
	}
}

func TestWatchStartsWithWhatIsThere(t *testing.T) {
	s := fresh(t, Options{})
	do(t, s, func(tx queue.Tx) error { return submit(tx, 1, body(1, 10)) })
	ch, err := s.Watch(t.Context(), pollEvery)
	if err != nil {
		t.Fatal(err)
	}
	if n := tick(t, ch); n != 1 {
		t.Errorf("first %d", n)
	}
}

func TestTicksAreFoldedNeverLost(t *testing.T) {
	s := fresh(t, Options{})
	ch, err := s.Watch(t.Context(), pollEvery)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		do(t, s, func(tx queue.Tx) error { return submit(tx, i, body(i, 10)) })
	}
	if n := tick(t, ch); n != 50 {
		t.Errorf("a slow watcher reads %d", n)
	}
	select {
	case n := <-ch:
		t.Errorf("and then %d", n)
	case <-time.After(5 * pollEvery):
	}
}

func TestAnUndoneActTicksNobody(t *testing.T) {
	s := fresh(t, Options{})
	ch, err := s.Watch(t.Context(), pollEvery)
	if err != nil {
		t.Fatal(err)
	}
	tick(t, ch)
	_ = s.Do(t.Context(), func(tx queue.Tx) error {
		if err := submit(tx, 1, body(1, 10)); err != nil {
			return err
		}
		return context.Canceled
	})
	select {
	case n := <-ch:
		t.Errorf("tick %d", n)
	case <-time.After(5 * pollEvery):
	}
}

func TestWatchEndsWithItsContext(t *testing.T) {
	s := fresh(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	ch, err := s.Watch(ctx, pollEvery)
	if err != nil {
		t.Fatal(err)
	}
	stays, err := s.Watch(t.Context(), pollEvery)
	if err != nil {
		t.Fatal(err)
	}
	tick(t, ch)
	tick(t, stays)
	cancel()
	select {
	case _, open := <-ch:
		if open {
			t.Error("a tick after the end")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("not closed")
	}
	do(t, s, func(tx queue.Tx) error { return submit(tx, 1, body(1, 10)) })
	if n := tick(t, stays); n != 1 {
		t.Errorf("the other watcher got %d", n)
	}
}

func TestNobodyWatchesNobodyPolls(t *testing.T) {
	s := fresh(t, Options{})
	polls := func() bool {
		s.watchers.mu.Lock()
		defer s.watchers.mu.Unlock()
		return s.watchers.done != nil
	}
	if polls() {
		t.Error("polls from the start")
	}
	for range 2 { // it starts again
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := s.Watch(ctx, pollEvery); err != nil {
			t.Fatal(err)
		}
		if !polls() {
			t.Error("does not poll for a watcher")
		}
		cancel()
		for end := time.Now().Add(10 * time.Second); polls(); time.Sleep(pollEvery) {
			if time.Now().After(end) {
				t.Fatal("polls for nobody")
			}
		}
	}
}

func TestAnotherStoresCommitTicks(t *testing.T) {
	s := fresh(t, Options{})
	other := opened(t, s.Path(), Options{})
	ch, err := s.Watch(t.Context(), pollEvery)
	if err != nil {
		t.Fatal(err)
	}
	tick(t, ch)
	for i := range 5 {
		do(t, other, func(tx queue.Tx) error { return submit(tx, i, body(i, 10)) })
		if n := tick(t, ch); n != int64(i+1) {
			t.Errorf("tick %d after event %d", n, i+1)
		}
	}
}

// TestTheMostHurriedSetsThePace: who wants to know late is told with the first
// of those who want to know soon, and not before when there are none.
func TestTheMostHurriedSetsThePace(t *testing.T) {
	s := fresh(t, Options{})
	other := opened(t, s.Path(), Options{})
	late, err := s.Watch(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	tick(t, late)
	do(t, other, func(tx queue.Tx) error { return submit(tx, 1, body(1, 10)) })
	select {
	case n := <-late:
		t.Fatalf("tick %d within an hour", n)
	case <-time.After(10 * pollEvery):
	}
	ctx, cancel := context.WithCancel(t.Context())
	soon, err := s.Watch(ctx, pollEvery)
	if err != nil {
		t.Fatal(err)
	}
	if n := tick(t, soon); n != 1 {
		t.Errorf("first %d", n)
	}
	if n := tick(t, late); n != 1 {
		t.Errorf("the late one gets %d", n)
	}
	do(t, other, func(tx queue.Tx) error { return submit(tx, 2, body(2, 10)) })
	if a, b := tick(t, soon), tick(t, late); a != 2 || b != 2 {
		t.Errorf("ticks %d and %d", a, b)
	}
	cancel()
	for range soon { // until it is closed
	}
	time.Sleep(10 * pollEvery)
	do(t, other, func(tx queue.Tx) error { return submit(tx, 3, body(3, 10)) })
	select {
	case n := <-late:
		t.Errorf("tick %d after the hurried one left", n)
	case <-time.After(10 * pollEvery):
	}
	do(t, s, func(tx queue.Tx) error { return submit(tx, 4, body(4, 10)) })
	if n := tick(t, late); n != 4 {
		t.Errorf("this process's commit: %d", n)
	}
}

// TestManyWhoComeDoNotDelay: who comes to watch does not put the next look off.
func TestManyWhoComeDoNotDelay(t *testing.T) {
	s := fresh(t, Options{})
	other := opened(t, s.Path(), Options{})
	ch, err := s.Watch(t.Context(), 5*pollEvery)
	if err != nil {
		t.Fatal(err)
	}
	tick(t, ch)
	do(t, other, func(tx queue.Tx) error { return submit(tx, 1, body(1, 10)) })
	for end := time.Now().Add(100 * pollEvery); ; time.Sleep(pollEvery) {
		if time.Now().After(end) {
			t.Fatal("no tick while others come")
		}
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := s.Watch(ctx, 5*pollEvery); err != nil {
			t.Fatal(err)
		}
		cancel()
		select {
		case <-ch:
			return
		default:
		}
	}
}
