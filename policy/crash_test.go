package policy

import (
	"fmt"
	"slices"
	"testing"

	"nod/digest"
)

// host runs a component's life as whoever uses this package does: it keeps the
// next scope before it acts, and may be killed before and after everything.
type host struct {
	journal digest.JSON
	ran     []int // cleanups that ran in the world, in order
	fails   int   // a bit for each cleanup that fails
	left    int   // points it still lives for
	last    Scope // of what was kept
}

type killed struct{}

func (h *host) point() {
	if h.left == 0 {
		panic(killed{})
	}
	h.left--
}

func (h *host) keep(t *testing.T, s Scope) Scope {
	h.point()
	doc, err := s.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	h.journal = doc
	h.point()
	return s
}

func (h *host) life(t *testing.T, cleanups int, activates bool) {
	s := h.keep(t, must(NewScope("shop")))
	s = h.keep(t, must(s.Activate()))
	for i := range cleanups {
		if i == cleanups-1 && activates { // the last one comes when it is active
			s = h.keep(t, must(s.Activated(true)))
		}
		s = h.keep(t, must(s.Register(read(t, []string{reversible, compensatable}[i%2]))))
	}
	if s.State == Loading {
		s = h.keep(t, must(s.Activated(activates)))
	}
	s = h.keep(t, must(s.Dispose()))
	h.drain(t, s)
}

func (h *host) drain(t *testing.T, s Scope) {
	for {
		i, ok := s.Next()
		if !ok {
			h.last = s
			return
		}
		s = h.keep(t, must(s.Invoke(i)))
		h.ran = append(h.ran, i)
		h.point()
		how := Done
		if h.fails>>i&1 == 1 {
			how = Broken
		}
		s = h.keep(t, must(s.Ended(i, how)))
	}
}

func (h *host) recover(t *testing.T) {
	if h.journal == nil {
		return
	}
	s, err := ReadScope(h.journal)
	if err != nil {
		t.Fatalf("%s: %v", h.journal, err)
	}
	s = h.keep(t, s.Recover())
	if again := s.Recover(); string(must(again.Canonical())) != string(h.journal) && s.State != Unloading {
		t.Errorf("recovering twice made %+v of %s", again, h.journal)
	}
	h.drain(t, s)
}

// lives reports whether f came to its end.
func lives(f func()) (ended bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(killed); !ok {
				panic(r)
			}
		}
	}()
	f()
	return true
}

// A crash at every point of a life, then at every point of its recovery: what is
// kept can always be read and gone on from, nothing runs twice, everything that
// was registered is attempted newest first, and no doubt ends as a success.
func TestACrashAtEveryPointOfACleanup(t *testing.T) {
	lost, twice := 0, 0
	for cleanups := range 4 {
		for fails := range 1 << cleanups {
			for _, activates := range []bool{true, false} {
				for first := 0; ; first++ {
					one := &host{fails: fails, left: first}
					if lives(func() { one.life(t, cleanups, activates) }) {
						check(t, one, fmt.Sprint(cleanups, fails, activates, " whole"))
						break
					}
					for second := 0; ; second++ {
						two := *one
						two.ran = slices.Clone(one.ran)
						two.left = second
						if lives(func() { two.recover(t) }) {
							check(t, &two, fmt.Sprint(cleanups, fails, activates, first))
							break
						}
						twice++
						three := two
						three.ran, three.left = slices.Clone(two.ran), 1000
						three.recover(t)
						check(t, &three, fmt.Sprint(cleanups, fails, activates, first, second))
					}
					lost++
				}
			}
		}
	}
	if lost < 300 || twice < 2000 {
		t.Errorf("%d crashes, %d of them twice", lost, twice)
	}
}

func check(t *testing.T, h *host, when string) {
	t.Helper()
	if h.journal == nil {
		return
	}
	s := must(ReadScope(h.journal))
	if s.State != Inactive && s.State != Failed {
		t.Errorf("%s: it ends %s", when, s.State)
	}
	if s.Attempted && s.Result() != s.State {
		t.Errorf("%s: the result is %q of a scope %s", when, s.Result(), s.State)
	}
	if !slices.IsSortedFunc(h.ran, func(a, b int) int { return b - a }) || len(slices.Compact(slices.Clone(h.ran))) != len(h.ran) {
		t.Errorf("%s: they ran %v", when, h.ran)
	}
	failed := s.Unwinding
	for i, c := range s.Cleanups {
		ran := slices.Contains(h.ran, i)
		fails := h.fails>>i&1 == 1
		switch c.State {
		case Done:
			if !ran || fails {
				t.Errorf("%s: %d is done, ran %v, fails %v", when, i, ran, fails)
			}
		case Broken:
			failed = true
			if !ran || !fails {
				t.Errorf("%s: %d failed, ran %v, fails %v", when, i, ran, fails)
			}
		case Uncertain: // it was marked, and nobody can say more
			failed = true
		default:
			t.Errorf("%s: %d is left %s", when, i, c.State)
		}
	}
	if failed != (s.State == Failed) {
		t.Errorf("%s: %s with %+v", when, s.State, s.Cleanups)
	}
	if blocked := slices.ContainsFunc(s.Cleanups, func(c Cleanup) bool { return c.State != Done }); blocked != (len(s.Blocked()) > 0) {
		t.Errorf("%s: blocked %v", when, s.Blocked())
	}
}

// A stored scope that no steps lead to is an error.
func TestAnImpossibleScope(t *testing.T) {
	const c = `{"tool":"x","arguments":null,"state":`
	scope := func(rest string) string { return `{"type":"nod.scope/v1","component":"c",` + rest + `}` }
	for _, good := range []string{
		scope(`"state":"inactive"`),
		scope(`"state":"inactive","attempted":true,"cleanups":[` + c + `"done"}]`),
		scope(`"state":"failed","attempted":true,"unwinding":true`),
		scope(`"state":"failed","attempted":true,"cleanups":[` + c + `"done"},` + c + `"uncertain","acknowledged":true}]`),
		scope(`"state":"unloading","attempted":true,"cleanups":[` + c + `"owed"},` + c + `"invoked"},` + c + `"failed"}]`),
	} {
		if _, err := ReadScope([]byte(good)); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		``, `null`, `[]`, `{}`, scope(`"state":"live"`), scope(`"state":"inactive","note":1`),
		`{"type":"nod.scope/v2","component":"c","state":"inactive"}`,
		`{"type":"nod.scope/v1","component":" c","state":"inactive"}`,
		`{"type":"nod.scope/v1","component":"","state":"inactive"}`,
		scope(`"state":"inactive","cleanups":[` + c + `"done"}]`),
		scope(`"state":"inactive","attempted":true,"cleanups":[` + c + `"failed"}]`),
		scope(`"state":"inactive","attempted":true,"unwinding":true`),
		scope(`"state":"inactive","attempted":false`),
		scope(`"state":"inactive","cleanups":[]`),
		scope(`"state":"active"`),
		scope(`"state":"active","attempted":true,"cleanups":[` + c + `"invoked"}]`),
		scope(`"state":"active","attempted":true,"unwinding":true`),
		scope(`"state":"loading","attempted":true,"cleanups":[` + c + `"done"}]`),
		scope(`"state":"unloading","attempted":true`),
		scope(`"state":"unloading","attempted":true,"cleanups":[` + c + `"done"}]`),
		scope(`"state":"unloading","attempted":true,"cleanups":[` + c + `"invoked"},` + c + `"invoked"}]`),
		scope(`"state":"unloading","attempted":true,"cleanups":[` + c + `"done"},` + c + `"owed"}]`),
		scope(`"state":"unloading","attempted":true,"cleanups":[` + c + `"invoked"},` + c + `"owed"}]`),
		scope(`"state":"failed","attempted":true`),
		scope(`"state":"failed","attempted":true,"cleanups":[` + c + `"done"}]`),
		scope(`"state":"failed","attempted":true,"cleanups":[` + c + `"owed"},` + c + `"failed"}]`),
		scope(`"state":"failed","attempted":true,"cleanups":[` + c + `"done","acknowledged":true},` + c + `"failed"}]`),
		scope(`"state":"failed","attempted":true,"cleanups":[` + c + `"lost"}]`),
		scope(`"state":"failed","attempted":true,"cleanups":[{"tool":"","arguments":null,"state":"failed"}]`),
		scope(`"state":"failed","attempted":true,"cleanups":[{"tool":"x","state":"failed"}]`),
		scope(`"state":"failed","attempted":true,"cleanups":[{"tool":"x","arguments":1,"idempotencyKey":"k","state":"failed"}]`),
		scope(`"state":"failed","attempted":true,"cleanups":[{"tool":"x","arguments":1,"idempotencyKey":" ","observationalEquivalence":" ","state":"failed"}]`),
	} {
		if s, err := ReadScope([]byte(bad)); codeOf(t, err) == "" {
			t.Errorf("%s was read as %+v", bad, s)
		}
	}
}

// FuzzReadScope: what is read is written back byte for byte, and every step of it
// leads to what is read again.
func FuzzReadScope(f *testing.F) {
	f.Add([]byte(`{"attempted":true,"cleanups":[{"arguments":null,"state":"owed","tool":"x"},{"arguments":null,"state":"invoked","tool":"x"},{"arguments":1,"idempotencyKey":"k","observationalEquivalence":"e","state":"failed","tool":"x"}],"component":"c","state":"unloading","type":"nod.scope/v1"}`))
	f.Add([]byte(`{"component":"c","state":"inactive","type":"nod.scope/v1"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := ReadScope(raw)
		if err != nil {
			return
		}
		doc, _ := digest.Canonical(raw, digest.NoLimits())
		if back := must(s.Canonical()); string(back) != string(doc) {
			t.Fatalf("%s became %s", doc, back)
		}
		for name := range steps[Live] {
			after, _ := step(t, s, name)
			if _, err := ReadScope(must(after.Canonical())); err != nil {
				t.Fatalf("%s of %s: %v", name, doc, err)
			}
		}
	})
}
