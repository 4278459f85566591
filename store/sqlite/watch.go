package sqlite

import (
	"context"
	"sync"
	"time"

	"nod/store/sqlite/db"
)

// leastEvery bounds how often another process's commits are looked for. A look
// is 4 µs of SQLite, and with the timer and the change of goroutine some 50 µs
// of a processor.
const leastEvery = time.Millisecond

// Where only persons watch and nothing has changed for stillFor, looks come
// drowsy times as far apart: what an idle console costs is waking up, and the
// first change after a pause may take a moment longer to be seen. From unhurried
// on a watcher is a person's.
const (
	unhurried = 50 * time.Millisecond
	stillFor  = 10 * time.Second
	drowsy    = 4
)

// watchers tells who watches about new events and marks: at once after this
// process's commits, by looking at data_version for those of others, as often
// as the most hurried of them wants.
type watchers struct {
	s     *Store
	mu    sync.Mutex
	all   map[chan int64]time.Duration // how often each wants others' commits looked for
	newAt time.Time                    // when something was last told
	head  int64                        // newest told
	marks int64                        // newest turn of the marks told
	haste chan struct{}                // somebody more hurried has come
	idle  chan struct{}                // closed by stop
	done  chan struct{}                // closed when the polling has ended; nil: nobody polls
	once  sync.Once
}

func (w *watchers) init(s *Store) {
	w.s = s
	w.all = map[chan int64]time.Duration{}
	w.haste = make(chan struct{}, 1)
	w.idle = make(chan struct{})
}

// Watch implements queue.Store. The channel holds the newest event number not
// yet received; older ones are folded into it. It gets the number at the
// start too, so that nothing between a look and a Watch is missed.
func (s *Store) Watch(ctx context.Context, every time.Duration) (<-chan int64, error) {
	w := &s.watchers
	head, marks, err := s.headNow(ctx)
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
	w.news(head, marks) // what this watcher found is news to the others
	if w.head > head {
		put(ch, w.head)
	}
	w.all[ch] = max(every, leastEvery)
	w.hurry()
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

func (w *watchers) tell(head, marks int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.news(head, marks)
}

// news tells everybody that the chain or the marks grew, when they did.
func (w *watchers) news(head, marks int64) {
	if head <= w.head && marks <= w.marks {
		return
	}
	w.head, w.marks, w.newAt = max(w.head, head), max(w.marks, marks), time.Now()
	head = w.head
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
	w.hurry()
}

// hurry makes the polling think about its pace again.
func (w *watchers) hurry() {
	select {
	case w.haste <- struct{}{}:
	default:
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
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	version, looked := int64(-1), time.Now()
	for {
		every, some := w.pace()
		if !some {
			return
		}
		timer.Reset(max(0, every-time.Since(looked)))
		select {
		case <-w.idle:
			return
		case <-w.haste:
			continue
		case <-timer.C:
		}
		looked = time.Now()
		if c == nil {
			var err error
			if c, err = newConn(bg(), w.s.pool); err != nil {
				c = nil
				continue
			}
		}
		head, marks, now, err := look(c, version)
		if err != nil {
			_ = c.close()
			c, version = nil, -1
			continue
		}
		if now != version {
			version = now
			w.tell(head, marks)
		}
	}
}

// pace is how long to wait for the next look. It ends the polling when nobody
// watches any more.
func (w *watchers) pace() (every time.Duration, some bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range w.all {
		if !some || d < every {
			every, some = d, true
		}
	}
	if !some {
		w.done = nil
	}
	if every >= unhurried && time.Since(w.newAt) > stillFor {
		every *= drowsy
	}
	return every, some
}

// look gives the data version and, when it is not version, the newest event
// and the turn of the marks.
func look(c *conn, version int64) (head, marks, now int64, err error) {
	v, err := c.ints("PRAGMA data_version")
	if err != nil || len(v) != 1 || v[0] == version {
		return 0, 0, version, err
	}
	h, err := c.ints(db.HeadSeq)
	if err != nil {
		return 0, 0, version, err
	}
	if len(h) > 0 { // there is an event
		head = h[0]
	}
	m, err := c.ints(db.MarkTurn)
	if err != nil || len(m) != 1 {
		return 0, 0, version, err
	}
	return head, m[0], v[0], nil
}
