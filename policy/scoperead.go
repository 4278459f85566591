package policy

import "nod/digest"

// Canonical is the scope's document, nod.scope/v1: its whole state. It holds
// arguments and idempotency keys: content, and nothing for the chain of events.
func (s Scope) Canonical() (digest.JSON, error) { return digest.Write(s) }

// ReadScope reads a document that Canonical wrote. One that no steps lead to is
// an error, never repaired and never skipped.
func ReadScope(raw []byte) (Scope, error) {
	var s Scope
	if err := digest.Read(raw, &s, digest.NoLimits()); err != nil {
		return Scope{}, err
	}
	if !s.possible() {
		return Scope{}, refuse(CodeBadScope, "", "the stored scope is in a state that no steps lead to")
	}
	return s, nil
}

// possible reports whether steps lead to this scope.
func (s Scope) possible() bool {
	id, err := ComponentID(s.Component)
	if err != nil || id != s.Component || s.Type != TypeScope || s.Cleanups != nil && len(s.Cleanups) == 0 {
		return false
	}
	count := map[CleanupState]int{}
	for i, c := range s.Cleanups {
		if !c.possible() || i > 0 && !mayFollow(s.Cleanups[i-1].State, c.State) {
			return false
		}
		count[c.State]++
	}
	open := count[Owed] + count[Invoked]
	unclean := count[Broken] + count[Uncertain]
	switch s.State {
	case Inactive:
		return !s.Unwinding && open+unclean == 0 && (s.Attempted || len(s.Cleanups) == 0)
	case Loading, Live:
		return s.Attempted && !s.Unwinding && count[Owed] == len(s.Cleanups)
	case Unloading:
		return s.Attempted && open > 0 // that only one is invoked, mayFollow says
	case Failed:
		return s.Attempted && open == 0 && (s.Unwinding || unclean > 0)
	}
	return false
}

// mayFollow reports whether a cleanup may be in a state while the one registered
// just before it is in another: the newer goes first.
func mayFollow(older, newer CleanupState) bool {
	return older == Owed || newer.ended()
}

func (c Cleanup) possible() bool {
	known := c.State == Owed || c.State == Invoked || c.State.ended()
	return known && c.sound() &&
		blank(c.IdempotencyKey) == blank(c.Equivalence) && (c.IdempotencyKey == "" || !blank(c.IdempotencyKey)) &&
		(c.Equivalence == "" || !blank(c.Equivalence)) &&
		(!c.Acknowledged || c.State == Broken || c.State == Uncertain)
}
