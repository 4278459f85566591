package echo

import "testing"

func TestTheSecondAnswerConfirms(t *testing.T) {
	var e Echo
	if !e.Ask(1, 0) || e.Ask(1, 1) {
		t.Fatal("a frame is asked about once")
	}
	if again, ok := e.Answer(1, 10); !again || ok {
		t.Fatal("the first answer asks again and confirms nothing")
	}
	if again, ok := e.Answer(1, 20); again || !ok || e.Confirmed() != 1 {
		t.Fatal("the second answer confirms")
	}
}

func TestAnAnswerNobodyAskedForDoesNothing(t *testing.T) {
	var e Echo
	if again, ok := e.Answer(1, 0); again || ok {
		t.Fatal("confirmed from nothing")
	}
}

func TestAFrameThatIsGoneIsNotConfirmed(t *testing.T) {
	var e Echo
	e.Ask(1, 0)
	e.Ask(2, 5)
	if again, ok := e.Answer(2, 10); again || ok { // it is frame 1's
		t.Fatal("the first frame's answer counts for the second")
	}
	if again, _ := e.Answer(2, 11); !again {
		t.Fatal("the second frame is not asked about again")
	}
	e.Ask(3, 12)
	if _, ok := e.Answer(3, 13); ok { // frame 2's second
		t.Fatal("an answer for frame 2 confirms frame 3")
	}
}

func TestALostAnswerConfirmsTooLittleNeverTooMuch(t *testing.T) {
	var e Echo
	e.Ask(1, 0) // its answer is lost
	e.Ask(2, 10)
	for i := range 3 {
		if _, ok := e.Answer(2, int64(20+i)); ok && i < 2 {
			t.Fatalf("answer %d confirms", i)
		}
	}
}

func TestASilentTerminalIsNotAskedWithoutEnd(t *testing.T) {
	var e Echo
	asked := 0
	for f := uint64(1); f < 100; f++ {
		if e.Ask(f, int64(f)) {
			asked++
		}
	}
	if asked != limit {
		t.Errorf("%d open questions", asked)
	}
	if !e.Ask(100, Forget+200) {
		t.Error("never asked again")
	}
}
