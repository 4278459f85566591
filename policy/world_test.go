package policy

import (
	"errors"
	"testing"

	"nod/digest"
)

// codeOf is the code of a refusal, "" for none.
func codeOf(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var e *digest.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no refusal", err)
	}
	if e.Sentence == "" || e.Hint == "" {
		t.Errorf("%s has no sentence or no hint", e.Code)
	}
	return e.Code
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// read reads a declaration that the test knows to be good.
func read(t *testing.T, text string) *Declaration {
	t.Helper()
	d, err := ReadDeclaration([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

// in gives a scope of one state, with n cleanups owed while it was active.
func in(t *testing.T, state State, n int) Scope {
	t.Helper()
	s := must(NewScope("shop"))
	if state == Inactive {
		return s
	}
	s = must(s.Activate())
	if state != Loading {
		for range n {
			s = must(s.Register(read(t, reversible)))
		}
		s = must(s.Activated(true))
	}
	switch state {
	case Unloading:
		s = must(s.Register(read(t, reversible)))
		s = must(s.Dispose())
	case Failed:
		s = must(s.Register(read(t, reversible)))
		s = must(s.Dispose())
		for s.State == Unloading {
			i, _ := s.Next()
			s = must(must(s.Invoke(i)).Ended(i, Broken))
		}
	}
	if s.State != state {
		t.Fatalf("made %s for %s", s.State, state)
	}
	return s
}

const (
	undo          = `{"tool":"sub.cancel","arguments":{"id":7}}`
	reversible    = `{"effectClass":"reversible","disposer":` + undo + `}`
	compensatable = `{"effectClass":"compensatable","compensation":{"compensate":` + undo +
		`,"idempotencyKey":"k-7","observationalEquivalence":"no reservation 7","journaledBeforeInvoke":true}}`
	irreversible = `{"effectClass":"irreversible","commitBoundary":"publish"}`
)
