package sqlite

import (
	"testing"
	"time"
)

// A person's watch looks less often while nothing changes, and at its own pace
// again after a change; a waiter's never rests.
func TestOnlyAPersonsWatchGrowsDrowsy(t *testing.T) {
	for _, c := range []struct {
		every time.Duration
		still time.Duration
		want  time.Duration
	}{
		{50 * time.Millisecond, 0, 50 * time.Millisecond},
		{50 * time.Millisecond, stillFor - time.Second, 50 * time.Millisecond},
		{50 * time.Millisecond, stillFor + time.Second, 200 * time.Millisecond},
		{10 * time.Millisecond, time.Hour, 10 * time.Millisecond},
	} {
		w := &watchers{all: map[chan int64]time.Duration{make(chan int64, 1): c.every}, newAt: time.Now().Add(-c.still)}
		if got, some := w.pace(); got != c.want || !some {
			t.Errorf("every %v, still for %v: %v, want %v", c.every, c.still, got, c.want)
		}
		w.news(w.head+1, 0)
		if got, _ := w.pace(); got != c.every {
			t.Errorf("every %v after a change: %v", c.every, got)
		}
		w.all[make(chan int64, 1)] = 10 * time.Millisecond
		w.newAt = time.Now().Add(-time.Hour)
		if got, _ := w.pace(); got != 10*time.Millisecond {
			t.Errorf("with a waiter: %v", got)
		}
	}
}
