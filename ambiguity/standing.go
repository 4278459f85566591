package ambiguity

import "slices"

// Standing is what an effect's attempts make of the effect: the first of its
// words that holds (DESIGN §5).
type Standing string

// Standings of an effect, the first that holds first.
const (
	StandsExecuting Standing = "executing"
	StandsUnknown   Standing = "unknown"
	StandsCommitted Standing = "committed"
	StandsFree      Standing = "free"
)

// Codes of what a submit or begin of an effect that is not free gets.
const (
	CodeInProgress = "in_progress"
	CodeAmbiguous  = "ambiguous_effect"
	CodeDuplicate  = "duplicate_effect"
)

// Stand gives the standing of an effect with these attempts.
func Stand(attempts []State) Standing {
	switch {
	case slices.Contains(attempts, Executing):
		return StandsExecuting
	case slices.Contains(attempts, Unknown):
		return StandsUnknown
	case slices.Contains(attempts, Committed):
		return StandsCommitted
	default:
		return StandsFree
	}
}

// Refuses gives the code that a submit or begin of the effect gets; "" lets it
// through. over says that the lease of what executes has run out, whether the
// clock came by or not.
func (s Standing) Refuses(over bool) string {
	switch {
	case s == StandsFree:
		return ""
	case s == StandsCommitted:
		return CodeDuplicate
	case s == StandsExecuting && !over:
		return CodeInProgress
	default:
		return CodeAmbiguous
	}
}

// Unlock is what an answer opens.
type Unlock struct {
	Standing Standing // of the effect, after it
	Repeats  string   // the code that repeats get then; "" when one may begin
}

// Unlocks says what the answer to the attempt at index i of an effect opens. An
// approval that is older than the answer opens nothing.
func Unlocks(attempts []State, i int, answer State) Unlock {
	after := slices.Clone(attempts)
	after[i] = answer
	s := Stand(after)
	return Unlock{Standing: s, Repeats: s.Refuses(false)}
}

// Doubles reports whether an answer to the attempt at index i, or what was seen
// of it, may mean that the effect happened twice: it is committed, and a later
// attempt has begun.
func Doubles(attempts []State, i int, answer State) bool {
	return answer == Committed && i < len(attempts)-1
}

// SettledAt is from when on a reading of the provider counts and a person may
// say that it did not happen: lease plus settle time (DESIGN §5). A report that
// the call returned ends the lease; a timeout does not, for what was sent may
// still run; nor does the moment in which the clock found the lease over. Times
// are effective Unix ms.
func SettledAt(ended, lease, settle int64, exit Exit) int64 {
	switch exit {
	case Success, Failure, Blocked:
		return min(ended, lease) + settle
	default:
		return lease + settle
	}
}
