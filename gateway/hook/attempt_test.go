package hook

import (
	"io/fs"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

// TestGrantIsOnce: of all that take one attempt, one has it, also when the others
// read it before and the call was reported since.
func TestGrantIsOnce(t *testing.T) {
	a, err := openAttempts(t.TempDir() + "/state")
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	if err := a.put("s", "c", begun{Ask: "a", Action: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	open, err := a.open("s")
	if err != nil || len(open) != 1 {
		t.Fatalf("%v, %v; want one attempt", open, err)
	}
	for name := range open {
		for i, want := range []bool{true, false, false} {
			if mine, err := a.grant(name); err != nil || mine != want {
				t.Errorf("mark %d: %v, %v", i, mine, err)
			}
		}
	}
	if b, err := a.get("s", "c"); err != nil || b == nil || b.Ask != "a" {
		t.Errorf("%v, %v; want the granted attempt for its report", b, err)
	}
	slow := open
	if open, err := a.open("s"); err != nil || len(open) != 0 {
		t.Errorf("%v, %v; want none open", open, err)
	}
	if err := a.remove("s", "c"); err != nil {
		t.Fatal(err)
	}
	if b, err := a.get("s", "c"); b != nil || err != nil {
		t.Errorf("%v, %v; want it gone with its mark", b, err)
	}
	for name := range slow {
		if mine, err := a.grant(name); mine || err != nil {
			t.Errorf("a slow request after the report: %v, %v", mine, err)
		}
	}
	if left, err := fs.ReadDir(a.root.FS(), SessionFile("s")); err != nil || len(left) != 0 {
		t.Errorf("%v, %v; want nothing left", left, err)
	}
}

// TestGrantAtOnce: of many at once one has it.
func TestGrantAtOnce(t *testing.T) {
	a, err := openAttempts(t.TempDir() + "/state")
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	for round := range 20 {
		call := strconv.Itoa(round)
		if err := a.put("s", call, begun{Ask: "a", Action: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
		dir, name := fileNames("s", call)
		var mine atomic.Int32
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if ok, err := a.grant(dir + "/" + name); err != nil {
					t.Error(err)
				} else if ok {
					mine.Add(1)
				}
			})
		}
		all.Wait()
		if n := mine.Load(); n != 1 {
			t.Errorf("%d of 8 have it, want 1", n)
		}
	}
}
