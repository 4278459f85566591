package queue_test

import (
	"strings"
	"testing"

	"nod/queue"
)

func TestARepeatFindsTheEdit(t *testing.T) {
	w := newWorld(t)
	a := editable("one")
	s := w.submit(a)
	got := w.edit(s.Ask, `{"command":"two"}`)
	got = w.edit(got.Ask, `{"command":"three"}`)

	again := w.submit(a)
	if !again.Repeat || again.Ask != got.Ask || again.State != queue.StatePending || again.EditedTo == nil || again.EditedTo.Ask != got.Ask ||
		again.ActionDigest != got.Action || !strings.Contains(string(again.Action), "three") || again.Token == s.Token {
		t.Fatalf("the repeat is %+v", again)
	}
	w.refused(w.agent, queue.Wait{Ask: s.Ask, Token: s.Token}, queue.CodeNotYours, 0) // the old token died
	if st := w.wait(again); st.Ask != got.Ask || st.EditedTo == nil {
		t.Errorf("waiting by the edit's own id: %+v", st)
	}

	other := a
	other.Call = call("two").Call // the middle one was never submitted
	w.refused(w.agent, other, queue.CodeKeyReused, 0)
	blind := a
	blind.Edits = false
	w.refused(w.agent, blind, queue.CodeNoEdits, 0)

	w.decide(got.Ask, queue.VerdictAllow)
	again = w.submit(a)
	if again.State != queue.StateAllowed || again.Ask != got.Ask {
		t.Fatalf("the repeat after the allow is %+v", again)
	}
	w.ok(w.agent, begin(again), 1)
	if again = w.submit(a); again.State != queue.StateSpent || again.Ask != got.Ask || again.EditedTo == nil {
		t.Errorf("the repeat after the begin is %+v", again)
	}
	if w.state(s.Ask) != queue.StateDenied {
		t.Error("the original was opened again")
	}
}

func TestARepeatAfterAnEditThatEnded(t *testing.T) {
	w := newWorld(t)
	a := editable("one")
	s := w.submit(a)
	got := w.edit(s.Ask, `{"command":"two"}`)
	w.decide(got.Ask, queue.VerdictDeny)
	if again := w.submit(a); again.State != queue.StateDenied || again.Ask != got.Ask || again.Decision.Verdict != queue.VerdictDeny {
		t.Errorf("the repeat of a denied edit is %+v", again)
	}

	b := editable("b")
	s = w.submit(b)
	got = w.edit(s.Ask, `{"command":"b2"}`)
	w.ok(w.agent, queue.Withdraw{Ask: s.Ask, Token: s.Token}, 1)
	again := w.submit(b)
	row := w.see(again.Ask).Row
	if again.Ask == got.Ask || again.ActionDigest != s.ActionDigest || row.Replaces != got.Ask || row.DerivedFrom != "" {
		t.Errorf("the repeat of a withdrawn edit is %+v", row)
	}
	if card := w.see(again.Ask).Card; !strings.Contains(card, "A person changed the arguments of the same call in this session before.") ||
		strings.Contains(card, "denied the same call") {
		t.Errorf("the card of the call that was edited before:\n%s", card)
	}
}

func TestAnAbandonedEditIsAdopted(t *testing.T) {
	w := newWorld(t)
	a := editable("one")
	s := w.submit(a)
	got := w.edit(s.Ask, `{"command":"two"}`)

	next := a
	next.CallID = "c-next"
	other := w.submit(next)
	if other.Adopted {
		t.Fatalf("somebody waits, and it was adopted: %+v", other)
	}
	w.ok(w.agent, queue.Withdraw{Ask: other.Ask, Token: other.Token}, 1)
	w.pass(31_000) // nobody waits any more
	blind := next
	blind.CallID, blind.Edits = "c-blind", false
	if other = w.submit(blind); other.Adopted || other.EditedTo != nil || other.ActionDigest != s.ActionDigest {
		t.Fatalf("a requester that runs no edits got one: %+v", other)
	}
	w.ok(w.agent, queue.Withdraw{Ask: other.Ask, Token: other.Token}, 1)
	w.decide(got.Ask, queue.VerdictAllow)
	next.CallID = "c-third"
	taken := w.submit(next)
	if !taken.Adopted || taken.Ask != got.Ask || taken.EditedTo == nil || taken.State != queue.StateAllowed {
		t.Fatalf("the edit was not adopted: %+v", taken)
	}
	// The first call's id names it no more.
	if first := w.submit(a); first.Repeat || first.Ask == got.Ask {
		t.Errorf("the edit was taken from whoever adopted it: %+v", first)
	}
	w.wait(taken)
	w.refused(w.agent, queue.Begin{Ask: got.Ask, Token: s.Token, Action: taken.Action, Executor: "test"}, queue.CodeNotYours, 0)
	w.refused(w.agent, queue.Begin{Ask: got.Ask, Token: taken.Token, Action: s.Action, Executor: "test"}, queue.CodeWrongDigest, 0)
	if again := w.submit(next); !again.Repeat || again.Ask != got.Ask {
		t.Errorf("the adopted edit is not found by its new call id: %+v", again)
	} else {
		w.ok(w.agent, begin(again), 1)
	}
}
