package policy

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"nod/digest"
)

// TypeScope names the document of a scope.
const TypeScope = "nod.scope/v1"

// maxComponentID bounds a component's id, in characters.
const maxComponentID = 160

// State is where a component's life is. A closed set.
type State string

// States of a scope.
const (
	Inactive  State = "inactive"
	Loading   State = "loading"
	Live      State = "active"
	Unloading State = "unloading"
	Failed    State = "failed"
)

// Scope owns what undoes the effects of one component, from its activation to its
// end. It is a value: a step gives the next scope, or an error and the scope as
// it was. Whoever takes a step keeps the next scope before acting on it.
type Scope struct {
	Type      string    `json:"type"`
	Component string    `json:"component"`
	State     State     `json:"state"`
	Attempted bool      `json:"attempted,omitzero"` // it was activated: a scope lives once
	Unwinding bool      `json:"unwinding,omitzero"` // its activation did not come to an end: it ends failed
	Cleanups  []Cleanup `json:"cleanups,omitzero"`  // in order of registration
}

// ComponentID checks a component's id and gives it without the blanks at its
// ends: 1 to 160 characters, no controls.
func ComponentID(id string) (string, error) {
	id = trim(id)
	if id == "" || utf8.RuneCountInString(id) > maxComponentID || !utf8.ValidString(id) || contains(id, unicode.IsControl) {
		return "", refuse(CodeComponentID, "/component", "the component's id is empty, too long or holds a control character")
	}
	return id, nil
}

func contains(s string, f func(rune) bool) bool { return slices.ContainsFunc([]rune(s), f) }

// NewScope is an inactive scope of a component. earlier are the scopes that this
// component had: one that still lives, or that left a failed cleanup nobody
// acknowledged, refuses.
func NewScope(component string, earlier ...Scope) (Scope, error) {
	id, err := ComponentID(component)
	if err != nil {
		return Scope{}, err
	}
	for _, e := range earlier {
		if e.Component != id {
			continue
		}
		if len(e.Blocked()) > 0 {
			return Scope{}, refuse(CodeUnacknowledged, "", "a cleanup of this component failed, and nobody has acknowledged it")
		}
		if e.State != Inactive && e.State != Failed {
			return Scope{}, e.refused("")
		}
	}
	return Scope{Type: TypeScope, Component: id, State: Inactive}, nil
}

// Activate begins the component's life. A scope is activated once, whatever
// became of it.
func (s Scope) Activate() (Scope, error) {
	if s.Attempted || s.State != Inactive {
		return s, refuse(CodeActivated, "", "the scope was activated before; it is "+string(s.State)+" now")
	}
	s.Attempted, s.State = true, Loading
	return s, nil
}

// Activated says how the activation ended. One that failed unwinds: what was
// registered so far is undone, and the scope ends failed.
func (s Scope) Activated(ok bool) (Scope, error) {
	if s.State != Loading {
		return s, s.refused("")
	}
	if ok {
		s.State = Live
		return s, nil
	}
	s.State, s.Unwinding = Unloading, true
	return s.settled(), nil
}

// Register adds what undoes a declared effect to what the scope owes. A scope
// that is not loading or active refuses.
func (s Scope) Register(d *Declaration) (Scope, error) {
	if err := d.check(); err != nil {
		return s, err
	}
	if s.State != Loading && s.State != Live {
		return s, s.refused(CodeScopeRequired)
	}
	c := Cleanup{State: Owed}
	switch d.Class {
	case digest.ClassReversible:
		c.Undo = *d.Disposer
	case digest.ClassCompensatable:
		c.Undo = d.Compensation.Compensate
		c.IdempotencyKey, c.Equivalence = d.Compensation.IdempotencyKey, d.Compensation.Equivalence
	default:
		return s, refuse(CodeMetadataRequired, "/effectClass", "an irreversible effect has nothing that undoes it")
	}
	s.Cleanups = append(slices.Clip(s.Cleanups), c)
	return s, nil
}

// Dispose ends the component's life. Disposing again changes nothing: Result
// keeps the first one.
func (s Scope) Dispose() (Scope, error) {
	switch s.State {
	case Live:
		s.State = Unloading
		return s.settled(), nil
	case Loading:
		return s, s.refused("")
	}
	return s, nil
}

// Result is how the scope ended: Inactive when everything it owed was undone,
// Failed, or "" as long as it has not ended (or never began).
func (s Scope) Result() State {
	if s.State == Failed || s.State == Inactive && s.Attempted {
		return s.State
	}
	return ""
}

// settled ends an unloading scope that owes nothing any more.
func (s Scope) settled() Scope {
	failed := s.Unwinding
	for _, c := range s.Cleanups {
		if !c.State.ended() {
			return s
		}
		failed = failed || c.State != Done
	}
	s.State = Inactive
	if failed {
		s.State = Failed
	}
	return s
}

func (s Scope) refused(code string) *digest.Error {
	if code == "" {
		code = CodeScopeState
	}
	return refuse(code, "", "the component's scope is "+string(s.State))
}
