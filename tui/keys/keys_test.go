package keys

import "testing"

func TestTheTableHolds(t *testing.T) {
	if err := Check(Table()); err != nil {
		t.Fatal(err)
	}
}

func TestKeysPressedWithoutThoughtNeverDecide(t *testing.T) {
	for _, k := range []string{"enter", "space", "esc", "tab", "up", "down", "pgdown", "home", "backspace", "ctrl+a", "alt+a", "j", "k", "G", "q", "ａ", "а", " ", "f3"} {
		for _, in := range []Intent{Approve, Deny, Revoke, Freeze, Yes, SkipUnseen, Happened, NotHappened, StillUnknown, Distinct, SeenOpen} {
			table := []Binding{{In: Detail, Keys: []string{k}, Shown: k, Verb: "v", Does: "d", Intent: in}}
			if Check(table) == nil {
				t.Errorf("Check accepts %q for intent %d", k, in)
			}
		}
	}
	if err := Check([]Binding{{In: Detail, Keys: []string{"enter"}, Shown: "Enter", Verb: "v", Does: "d", Intent: Open}}); err != nil {
		t.Errorf("Enter may open: %v", err)
	}
}

func TestOneKeyOneMeaningInAPlace(t *testing.T) {
	b := Binding{In: Detail | Inbox, Keys: []string{"a"}, Shown: "a", Verb: "v", Does: "d", Intent: Approve}
	c := Binding{In: Inbox, Keys: []string{"z", "a"}, Shown: "z", Verb: "w", Does: "d", Intent: Open}
	if Check([]Binding{b, c}) == nil {
		t.Error("one key with two meanings is accepted")
	}
	c.In = History
	if err := Check([]Binding{b, c}); err != nil {
		t.Errorf("the same key elsewhere: %v", err)
	}
}

func TestFindKnowsThePlace(t *testing.T) {
	m, err := New(Table())
	if err != nil {
		t.Fatal(err)
	}
	if b, ok := m.Find(Detail, "n"); !ok || b.Intent != NextUnseen {
		t.Errorf("n in a detail: %v %v", b.Intent, ok)
	}
	if b, ok := m.Find(Confirm, "n"); !ok || b.Intent != No {
		t.Errorf("n in a question: %v %v", b.Intent, ok)
	}
	for _, k := range []string{"Y", "ｙ", "у", "alt+y", "enter"} {
		if b, ok := m.Find(Confirm, k); ok {
			t.Errorf("%q answers a question: %v", k, b.Verb)
		}
	}
	if _, ok := m.Find(Line, "a"); ok {
		t.Error("a letter is a binding inside a field")
	}
}
