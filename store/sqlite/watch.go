package sqlite

import (
	"context"
	"sync"
	"time"

	"nod/store/sqlite/db"
)

// pollEvery is how often another process's commits are looked for while
// somebody watches: 4 µs each time, 5.6 ms behind at the median.
const pollEvery = 10 * time.Millisecond

// watchers tells who watches about new events: at once after this process's
// commits, by looking at data_version for those of others.
type watchers struct {
	s    *Store
	mu   sync.Mutex
	all  map[chan int64]struct{}
	head int64         // newest told
	idle chan struct{} // closed by stop
	done chan struct{} // closed when the polling has ended; nil: nobody polls
	once sync.Once
}

func (w *watchers) init(s *Store) {
	w.s = s
	w.all = map[chan int64]struct{}{}
	w.idle = make(chan struct{})
}

// Watch implements queue.Store. The channel holds the newest event number not
// yet received; older ones are folded into it. It gets the number at the
// start too, so that nothing between a look and a Watch is missed.
func (s *Store) Watch(ctx context.Context) (<-chan int64, error) {
	w := &s.watchers
	head, err := s.headNow(ctx)
	if err != nil {
		return nil, err
	}
	ch := make(chan int64, 1)
	ch <- head
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.idle:
		return nil, s.closedError()
	default:
	}
	w.head = max(w.head, head)
	if w.head > head {
		put(ch, w.head)
	}
	w.all[ch] = struct{}{}
	if w.done == nil {
		w.done = make(chan struct{})
		go w.poll(w.done)
	}
	context.AfterFunc(ctx, func() { w.drop(ch) })
	return ch, nil
}

// put replaces what waits in ch by head. Only one goroutine sends at a time.
func put(ch chan int64, head int64) {
	select {
	case <-ch:
	default:
	}
	ch <- head
}

func (w *watchers) tell(head int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if head <= w.head {
		return
	}
	w.head = head
	for ch := range w.all {
		put(ch, head)
	}
}

func (w *watchers) drop(ch chan int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.all[ch]; ok {
		delete(w.all, ch)
		close(ch)
	}
}

// stop closes every channel and waits for the polling to end.
func (w *watchers) stop() {
	if w.idle == nil {
		return
	}
	w.once.Do(func() { close(w.idle) })
	w.mu.Lock()
	for ch := range w.all {
		delete(w.all, ch)
		close(ch)
	}
	done := w.done
	w.mu.Unlock()
	if done != nil {
		<-done
	}
}

// poll looks for other processes' commits on a connection of its own until
// nobody watches.
func (w *watchers) poll(done chan struct{}) {
	defer close(done)
	var c *conn
	defer func() {
		if c != nil {
			_ = c.close() // read only: nothing is lost with it
		}
	}()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	version := int64(-1)
	for {
		select {
		case <-w.idle:
			return
		case <-tick.C:
		}
		if w.alone() {
			return
		}
		if c == nil {
			var err error
			if c, err = newConn(bg(), w.s.pool); err != nil {
				c = nil
				continue
			}
		}
		head, now, err := look(c, version)
		if err != nil {
			_ = c.close()
			c, version = nil, -1
			continue
		}
		if now != version {
			version = now
			w.tell(head)
		}
	}
}

// alone ends the polling when nobody watches any more.
func (w *watchers) alone() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.all) > 0 {
		return false
	}
	w.done = nil
	return true
}

// look gives the data version and, when it is not version, the newest event.
func look(c *conn, version int64) (head, now int64, err error) {
	v, err := c.ints("PRAGMA data_version")
	if err != nil || len(v) != 1 || v[0] == version {
		return 0, version, err
	}
	h, err := c.ints(db.HeadSeq)
	if err != nil || len(h) == 0 { // no event yet
		return 0, v[0], err
	}
	return h[0], v[0], nil
}
