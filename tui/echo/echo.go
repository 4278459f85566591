// Package echo knows which frame the terminal has certainly painted.
//
// The rule it keeps: a frame counts as painted only when the terminal answered
// a question that was written after the frame's last byte.
//
// Bubble Tea gives no such order by itself. Its renderer goroutine does, at
// each tick, first p.flush (questions and raw sequences that were queued) and
// then renderer.flush (the newest view). A question that is asked together
// with a frame can therefore be written before it, and waiting some frame
// times makes the right order likely, not certain. So every frame is asked
// about twice, the second time only when the first answer has come:
//
//   - The event loop renders the view of an update before it takes the next
//     message, so the first question is queued after the frame is.
//   - The first question is written by p.flush of some tick. The same tick then
//     writes the frame, if an earlier one has not.
//   - The answer proves that this p.flush has run. A question queued now can
//     only be written by the p.flush of a later tick, in the same goroutine, so
//     after the frame. Its answer confirms the frame.
//
// Answers carry no number, so they are matched in order. Each question is
// answered at most once: when an answer is lost, a later one is taken for an
// earlier frame's, which confirms too little, never too much. Questions that
// stay open are forgotten after Forget milliseconds, and the gate falls back
// to its longer wait.
package echo

// Forget is how long, in milliseconds, an answer is waited for.
const Forget = 5000

// limit is how many open questions are kept; beyond it none is asked.
const limit = 8

// Echo matches questions and answers. The zero Echo is ready.
type Echo struct {
	open []question
	mark uint64 // the frame that was asked about last
	done uint64 // the newest confirmed frame
}

type question struct {
	frame  uint64
	second bool
	at     int64
}

// Ask reports whether a question is to be sent about a frame (numbered from 1,
// rising) at now. A frame is asked about once.
func (e *Echo) Ask(frame uint64, now int64) bool {
	if frame <= e.mark {
		return false
	}
	e.forget(now)
	if len(e.open) >= limit {
		return false
	}
	e.mark = frame
	e.open = append(e.open, question{frame: frame, at: now})
	return true
}

// Answer takes the terminal's next answer. again asks for the second question
// about frame current; otherwise confirmed says that frame current is painted.
// An answer that nobody asked for does nothing.
func (e *Echo) Answer(current uint64, now int64) (again, confirmed bool) {
	e.forget(now)
	if len(e.open) == 0 {
		return false, false
	}
	q := e.open[0]
	e.open = e.open[1:]
	if q.frame != current {
		return false, false // that frame is gone
	}
	if q.second {
		e.done = q.frame
		return false, true
	}
	e.open = append(e.open, question{frame: q.frame, second: true, at: now})
	return true, false
}

// Confirmed is the newest confirmed frame, 0 for none.
func (e *Echo) Confirmed() uint64 { return e.done }

func (e *Echo) forget(now int64) {
	for len(e.open) > 0 && now-e.open[0].at > Forget {
		e.open = e.open[1:]
	}
}
