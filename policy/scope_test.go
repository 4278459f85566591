package policy

import (
	"strings"
	"testing"
)

func TestAComponentID(t *testing.T) {
	for id, want := range map[string]string{
		"shop":                                "shop",
		" shop\n":                             "shop",
		"\ufeffa b":                           "a b",
		"extension:publisher/2":               "extension:publisher/2",
		strings.Repeat("x", 160):              strings.Repeat("x", 160),
		" " + strings.Repeat("ü", 160) + "\t": strings.Repeat("ü", 160),
		"":                                    "!",
		" \t":                                 "!",
		strings.Repeat("x", 161):              "!",
		"a\nb":                                "!",
		"a\x00":                               "!",
		"a\x7fb":                              "!",
		"a\u0085b":                            "!",
		"\xff":                                "!",
	} {
		got, err := ComponentID(id)
		if err != nil && codeOf(t, err) == CodeComponentID {
			got = "!"
		}
		if got != want {
			t.Errorf("%q: %q", id, got)
		}
		if _, newErr := NewScope(id); (newErr == nil) != (err == nil) {
			t.Errorf("%q: %v", id, newErr)
		}
	}
}

// steps is what each state allows, written out: the state after a step, or "!" for
// a refusal that leaves the scope as it was. Of a cleanup's number 0 is meant.
var steps = map[State]map[string]State{
	Inactive:  {"activate": Loading, "loaded": "!", "broke": "!", "register": "!", "dispose": Inactive, "invoke": "!", "ended": "!", "ack": "!", "recover": Inactive},
	Loading:   {"activate": "!", "loaded": Live, "broke": Unloading, "register": Loading, "dispose": "!", "invoke": "!", "ended": "!", "ack": "!", "recover": Unloading},
	Live:      {"activate": "!", "loaded": "!", "broke": "!", "register": Live, "dispose": Unloading, "invoke": "!", "ended": "!", "ack": "!", "recover": Unloading},
	Unloading: {"activate": "!", "loaded": "!", "broke": "!", "register": "!", "dispose": Unloading, "invoke": Unloading, "ended": "!", "ack": "!", "recover": Unloading},
	Failed:    {"activate": "!", "loaded": "!", "broke": "!", "register": "!", "dispose": Failed, "invoke": "!", "ended": "!", "ack": Failed, "recover": Failed},
}

func step(t *testing.T, s Scope, name string) (Scope, error) {
	switch name {
	case "activate":
		return s.Activate()
	case "loaded":
		return s.Activated(true)
	case "broke":
		return s.Activated(false)
	case "register":
		return s.Register(read(t, compensatable))
	case "dispose":
		return s.Dispose()
	case "invoke":
		return s.Invoke(0)
	case "ended":
		return s.Ended(0, Done)
	case "ack":
		return s.Acknowledge(0)
	case "recover":
		return s.Recover(), nil
	}
	t.Fatal(name)
	return s, nil
}

func TestTheStatesOfAScope(t *testing.T) {
	for state, row := range steps {
		s := in(t, state, 0)
		if state == Loading || state == Live {
			s = must(s.Register(read(t, reversible)))
		}
		before := string(must(s.Canonical()))
		for name, want := range row {
			after, err := step(t, s, name)
			got := after.State
			if err != nil {
				codeOf(t, err)
				if doc := string(must(after.Canonical())); doc != before {
					t.Errorf("%s %s was refused and changed it to %s", state, name, doc)
				}
				got = "!"
			}
			if got != want {
				t.Errorf("%s %s: %s, want %s", state, name, got, want)
			}
			if string(must(s.Canonical())) != before {
				t.Errorf("%s %s changed the scope it was given", state, name)
			}
			if _, err := ReadScope(must(after.Canonical())); err != nil {
				t.Errorf("%s %s: %v", state, name, err)
			}
		}
	}
}

// A scope lives once; disposing again gives the first result.
func TestAScopeLivesOnce(t *testing.T) {
	disposed := must(in(t, Live, 0).Dispose())
	if disposed.State != Inactive || disposed.Result() != Inactive {
		t.Fatalf("%+v", disposed)
	}
	if _, err := disposed.Activate(); codeOf(t, err) != CodeActivated {
		t.Errorf("activated again: %v", err)
	}
	failed := in(t, Failed, 2)
	for _, s := range []Scope{disposed, failed} {
		again, err := s.Dispose()
		if err != nil || again.Result() != s.Result() || string(must(again.Canonical())) != string(must(s.Canonical())) {
			t.Errorf("%+v, %v", again, err)
		}
	}
	if in(t, Inactive, 0).Result() != "" || in(t, Live, 0).Result() != "" || in(t, Unloading, 0).Result() != "" {
		t.Error("a scope that has not ended has a result")
	}
	if broke := must(in(t, Loading, 0).Activated(false)); broke.Result() != Failed {
		t.Errorf("an activation that failed: %+v", broke)
	}
}

// Newest first, marked before it runs, once each; a failed one is not retried, the
// rest are attempted, and the scope ends failed.
func TestCleanupsRunNewestFirst(t *testing.T) {
	s := must(in(t, Live, 3).Dispose())
	for _, want := range []int{2, 1, 0} {
		next, ok := s.Next()
		if !ok || next != want {
			t.Fatalf("next is %d %v, want %d", next, ok, want)
		}
		for _, other := range []int{-1, 0, 1, 2, 3} {
			if other != want {
				if _, err := s.Invoke(other); codeOf(t, err) != CodeOutOfTurn {
					t.Errorf("%d was invoked in %d's turn", other, want)
				}
			}
		}
		if _, err := s.Ended(want, Done); codeOf(t, err) != CodeOutOfTurn {
			t.Error("a cleanup ended that was not invoked")
		}
		s = must(s.Invoke(want))
		if _, ok := s.Next(); ok {
			t.Error("another one is next while one runs")
		}
		if _, err := s.Invoke(want); codeOf(t, err) != CodeOutOfTurn {
			t.Error("it was invoked twice")
		}
		for _, no := range []CleanupState{Owed, Invoked, "", "ok"} {
			if _, err := s.Ended(want, no); codeOf(t, err) != CodeOutOfTurn {
				t.Errorf("a cleanup ended %q", no)
			}
		}
		how := Done
		if want == 1 {
			how = Broken
		}
		s = must(s.Ended(want, how))
		if _, err := s.Ended(want, Done); codeOf(t, err) != CodeOutOfTurn {
			t.Error("it ended twice")
		}
	}
	if s.State != Failed || s.Cleanups[1].State != Broken || s.Cleanups[0].State != Done {
		t.Errorf("%+v", s)
	}
}

// A failed or uncertain cleanup blocks the component until a person acknowledges
// it, which makes no success of it.
func TestAFailedCleanupBlocks(t *testing.T) {
	for _, how := range []CleanupState{Broken, Uncertain} {
		s := must(in(t, Live, 2).Dispose())
		s = must(must(s.Invoke(1)).Ended(1, how))
		s = must(must(s.Invoke(0)).Ended(0, how))
		if _, err := NewScope(" shop ", s); codeOf(t, err) != CodeUnacknowledged {
			t.Errorf("%s: %v", how, err)
		}
		if _, err := NewScope("other", s); err != nil {
			t.Errorf("another component: %v", err)
		}
		s = must(s.Acknowledge(0))
		if _, err := NewScope("shop", s); codeOf(t, err) != CodeUnacknowledged {
			t.Errorf("one of two acknowledged: %v", err)
		}
		if _, err := s.Acknowledge(0); codeOf(t, err) != CodeNothingOpen {
			t.Errorf("acknowledged twice: %v", err)
		}
		s = must(s.Acknowledge(1))
		if s.State != Failed || s.Result() != Failed || s.Cleanups[0].State != how {
			t.Errorf("acknowledging made %+v of it", s)
		}
		if _, err := NewScope("shop", s); err != nil {
			t.Error(err)
		}
	}
	done := must(in(t, Live, 1).Dispose())
	done = must(must(done.Invoke(0)).Ended(0, Done))
	if _, err := done.Acknowledge(0); codeOf(t, err) != CodeNothingOpen {
		t.Errorf("a success was acknowledged: %v", err)
	}
	if _, err := NewScope("shop", done); err != nil {
		t.Error(err)
	}
	for _, state := range []State{Loading, Live, Unloading} {
		if _, err := NewScope("shop", in(t, state, 0)); codeOf(t, err) != CodeScopeState {
			t.Errorf("beside one that is %s: %v", state, err)
		}
	}
}

// A component that was lost while it loaded did not come to life: its scope ends
// failed, though everything it owed was undone. One that was active may end well.
func TestALostComponent(t *testing.T) {
	for _, state := range []State{Loading, Live} {
		s := must(in(t, state, 0).Register(read(t, reversible))).Recover()
		s = must(must(s.Invoke(0)).Ended(0, Done))
		if want := map[State]State{Loading: Failed, Live: Inactive}[state]; s.State != want || s.Blocked() != nil {
			t.Errorf("lost while %s: %+v", state, s)
		}
	}
}

// Two next scopes of one scope share nothing.
func TestAScopeIsAValue(t *testing.T) {
	s := in(t, Live, 3) // a slice of three has room for a fourth
	a := must(s.Register(read(t, reversible)))
	b := must(s.Register(read(t, compensatable)))
	if a.Cleanups[3].Compensates() || !b.Cleanups[3].Compensates() || len(s.Cleanups) != 3 {
		t.Errorf("%+v, %+v", a, b)
	}
}
