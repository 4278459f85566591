package policy

import "slices"

// CleanupState is what is known of one owed act. A closed set.
type CleanupState string

// States of a cleanup. Invoked is written down before the act runs; it ends in
// one of the last three. Uncertain is one that may or may not have run.
const (
	Owed      CleanupState = "owed"
	Invoked   CleanupState = "invoked"
	Done      CleanupState = "done"
	Broken    CleanupState = "failed"
	Uncertain CleanupState = "uncertain"
)

func (s CleanupState) ended() bool { return s == Done || s == Broken || s == Uncertain }

// Cleanup is an act that a scope owes: the disposer of a reversible effect, or
// the compensation of a compensatable one, which has a key and says what has to
// look the same afterwards. It is numbered by its place in the scope.
type Cleanup struct {
	Undo
	IdempotencyKey string       `json:"idempotencyKey,omitzero"`
	Equivalence    string       `json:"observationalEquivalence,omitzero"`
	State          CleanupState `json:"state"`
	Acknowledged   bool         `json:"acknowledged,omitzero"` // a person looked at what it left behind
}

// Compensates reports whether the act is a compensation: it runs through a call
// that is approved.
func (c Cleanup) Compensates() bool { return c.IdempotencyKey != "" }

// Next is the number of the cleanup to invoke now: of an unloading scope the
// newest that is owed, one at a time. ok is false where there is none.
func (s Scope) Next() (number int, ok bool) {
	if s.State != Unloading {
		return 0, false
	}
	for i, c := range slices.Backward(s.Cleanups) {
		if c.State == Invoked {
			return 0, false
		}
		if c.State == Owed {
			return i, true
		}
	}
	return 0, false
}

// Invoke marks the next cleanup invoked. Only after this was kept may it run, and
// it is never invoked again, whatever becomes of it.
func (s Scope) Invoke(number int) (Scope, error) {
	if next, ok := s.Next(); !ok || next != number {
		return s, refuse(CodeOutOfTurn, "", "this cleanup is not the next one to run")
	}
	return s.set(number, Invoked), nil
}

// Ended says how an invoked cleanup ended: Done, Broken or Uncertain. The others
// are attempted all the same; one that is not Done ends the scope Failed.
func (s Scope) Ended(number int, how CleanupState) (Scope, error) {
	if number < 0 || number >= len(s.Cleanups) || s.Cleanups[number].State != Invoked || !how.ended() {
		return s, refuse(CodeOutOfTurn, "", "this cleanup was not invoked, or has ended")
	}
	return s.set(number, how).settled(), nil
}

// Recover goes on after a crash. A component that was loading or active is gone
// and its scope unloads; a cleanup that was invoked may or may not have run: it
// is Uncertain and not invoked again. Recovering twice is recovering once.
func (s Scope) Recover() Scope {
	switch s.State {
	case Loading:
		s.State, s.Unwinding = Unloading, true
	case Live:
		s.State = Unloading
	case Unloading:
		for i, c := range s.Cleanups {
			if c.State == Invoked {
				s = s.set(i, Uncertain)
			}
		}
	default:
		return s
	}
	return s.settled()
}

// Blocked are the numbers of the cleanups that failed, or may have, and that
// nobody acknowledged. While there is one the component is not used again.
func (s Scope) Blocked() (numbers []int) {
	for i, c := range s.Cleanups {
		if (c.State == Broken || c.State == Uncertain) && !c.Acknowledged {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// Acknowledge says that a person looked at what a failed cleanup left behind. It
// makes no success of it: the scope stays Failed.
func (s Scope) Acknowledge(number int) (Scope, error) {
	if !slices.Contains(s.Blocked(), number) {
		return s, refuse(CodeNothingOpen, "", "no failed cleanup of this number waits for a person")
	}
	s.Cleanups = slices.Clone(s.Cleanups)
	s.Cleanups[number].Acknowledged = true
	return s, nil
}

func (s Scope) set(number int, state CleanupState) Scope {
	s.Cleanups = slices.Clone(s.Cleanups)
	s.Cleanups[number].State = state
	return s
}
