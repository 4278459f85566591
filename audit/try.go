package audit

import "nod/queue"

// try is an attempt as its events tell it: all but the executor's name.
type try struct {
	queue.AttemptView
	length int64 // of its lease; renewals, which have no event, add it to their own time
}

// follow plays one event of an ask on its attempts, oldest first.
func follow(tries []try, e *event) ([]try, bool) {
	switch {
	case e.Act == "begin":
		return append(tries, try{length: e.Lease - e.Effective, AttemptView: queue.AttemptView{
			ID: e.Attempt, Number: e.Number, Effect: e.Effect, State: queue.AttemptExecuting, BeganAt: e.Effective, Lease: e.Lease,
		}}), true
	case !ofAttempt(e.Act):
		return tries, true
	}
	for i := range tries {
		t := &tries[i]
		if t.ID != e.Attempt {
			continue
		}
		if t.State == queue.AttemptExecuting && e.To != e.From {
			t.EndedAt = e.Effective
		}
		t.State = queue.AttemptState(e.To)
		if e.Act == "report" && t.Exit == "" { // a later one is evidence, and the first stands
			t.Exit, t.Observed, t.Mismatch, t.Late = e.Exit, e.Observed, e.Mismatch, e.Late
		}
		return tries, true
	}
	return tries, false
}

// ofAttempt reports whether an act moves an attempt, not its ask.
func ofAttempt(act string) bool {
	return act == "report" || act == "lease_over" || act == "observe" || act == "reconcile" || act == "correct"
}

// checkTries compares the attempts that the store shows, and what the ask's row
// shows of the newest; it answers "" or what differs.
func checkTries(v *queue.AskView, tries []try) string {
	if len(v.Attempts) != len(tries) {
		return "attempts"
	}
	var newest queue.AttemptView
	for i := range tries {
		t, got := &tries[i], v.Attempts[i]
		until := t.EndedAt
		if until == 0 {
			until = max(v.Now, t.BeganAt)
		}
		if got.Lease < t.Lease || got.Lease > until+t.length {
			return "lease"
		}
		t.Executor, t.Lease = got.Executor, got.Lease
		if t.Effect == "" && got.Effect == got.ID { // begun before events named effects
			t.Effect = got.Effect
		}
		if got != t.AttemptView {
			return "attempts"
		}
		newest = t.AttemptView
	}
	shown := newest.State
	if newest.Effect == "" && shown == queue.AttemptUnknown && newest.Exit != "" { // the call ended, and has no effect
		shown = ""
	}
	if r := &v.Row; r.Outcome != shown || r.Exit != newest.Exit || r.Mismatch != newest.Mismatch {
		return "outcome"
	}
	return ""
}
