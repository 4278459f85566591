package inbox

import (
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
)

// Outcome is what became of an ask that is not pending: its shape, one word
// and its role. Allowed, begun and committed are different words.
func Outcome(g frame.Glyphs, r *queue.Row, now int64) (shape, word string, role themes.Role) {
	state := r.StateAt(now)
	if state != queue.StateSpent {
		return ended(g, r, state)
	}
	if r.Mismatch {
		return g.Bad, "MISMATCH", themes.Danger
	}
	switch r.Outcome {
	case queue.AttemptExecuting:
		return g.Call, "begun", themes.Text
	case queue.AttemptCommitted:
		return g.Good, "committed", themes.OK
	case queue.AttemptNotExecuted:
		return g.Over, "not run", themes.Text
	case queue.AttemptUnknown:
		return g.Unknown, "unknown", themes.Unknown
	}
	// A call's status tells about the call. Where there is one, the call came
	// to an end; where there is none, nobody can prove what happened.
	switch r.Exit {
	case queue.ExitSuccess:
		return g.Good, "ended", themes.Text
	case queue.ExitFailure:
		return g.Bad, "failed", themes.Text
	case queue.ExitBlocked:
		return g.Over, "blocked", themes.Text
	}
	return g.Unknown, "unknown", themes.Unknown
}
