package hook

import "testing"

// TestGrantIsOnce: of two that mark one attempt, one has it.
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
	if open, err := a.open("s"); err != nil || len(open) != 0 {
		t.Errorf("%v, %v; want none open", open, err)
	}
	if err := a.remove("s", "c"); err != nil {
		t.Fatal(err)
	}
	if b, err := a.get("s", "c"); b != nil || err != nil {
		t.Errorf("%v, %v; want it gone with its mark", b, err)
	}
}
