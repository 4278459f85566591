package tui_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/tui"
	"nod/tui/keys"
)

// behind presses a key whose reading takes until later is called.
func (c *console) behind(name string) (later func()) {
	c.pass(103)
	c.hold = true
	c.key(name)
	late := c.held
	c.hold, c.held = false, nil
	late = slices.DeleteFunc(late, func(msg tea.Msg) bool {
		switch msg.(type) {
		case tickMsg, askMsg:
			c.send(msg)
			return true
		}
		return false
	})
	return func() {
		for _, msg := range late {
			c.send(msg)
		}
	}
}

// two is a console with the first of two asks open, read and armed.
func two(t *testing.T, change ...func(*tui.Options)) (w *world, c *console, first, second string) {
	t.Helper()
	w = newWorld(t)
	first, second = w.submit(bash("make one")).Ask, w.submit(bash("make two")).Ask
	c = newConsole(t, w, w.mia, 120, 40, change...)
	c.press("enter")
	c.readToEnd()
	c.rest()
	c.shows("call 1 of 2")
	return w, c, first, second
}

// What is written goes with the ask that it was written for, however late
// another one that was asked for before comes.
func TestWhatIsWrittenStaysWithItsAsk(t *testing.T) {
	for key, want := range map[string]string{"w": "your words 3m", "h": "your allow is held 3 min", "p": "and 3 more within"} {
		w, c, first, second := two(t)
		later := c.behind("J")
		c.press(key)
		if key == "p" {
			c.write("3")
		} else {
			c.write("3m")
		}
		later()
		c.press("enter")
		c.rest()
		c.shows("call 1 of 2", "make one", want)
		c.press("a")
		c.pass(100)
		c.write(w.code(first))
		c.rest()
		w.mustBe(first, queue.StateAllowed)
		w.mustBe(second, queue.StatePending)
	}
}

// A decision stays on the screen of its ask until it is known what became of
// it: what it says is about the card that stands there.
func TestADecisionIsToldOnItsOwnCard(t *testing.T) {
	w, c, first, _ := two(t)
	later := c.behind("J")
	c.rest()
	c.press("x")
	c.pass(450)
	later()
	c.rest()
	w.mustBe(first, queue.StateDenied)
	c.shows("inbox / call 1 of 1", `"make one"`, "Denied: at", "▌✗ denied")
}

// A card that comes late never stands over what was opened since.
func TestNothingOpensUnderALayer(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 120, 40)
	later := c.behind("enter")
	c.press(":")
	later()
	c.press("esc")
	c.rest()
	c.shows("[inbox 1]")
	later = c.behind("enter")
	c.press("?")
	later()
	c.shows("help for the inbox")
}

// An ask that is open follows the queue also after another one was begun to be
// opened and then given up.
func TestABatchFollowsTheQueueAfterAnOpeningGivenUp(t *testing.T) {
	w := newWorld(t)
	first, second := w.submit(bash("make one")).Ask, w.submit(bash("make two")).Ask
	c := newConsole(t, w, w.mia, 120, 40)
	c.press("space", "j", "space")
	later := c.behind("enter")
	c.press("B")
	later()
	c.rest()
	c.shows("batch of 2")
	w.decide(first, queue.VerdictDeny)
	w.decide(second, queue.VerdictDeny)
	c.changed()
	c.shows("Gone:")
}

// A key acts on the row under the hand when it was pressed.
func TestAKeyIsAboutTheRowItWasPressedOn(t *testing.T) {
	w := newWorld(t)
	first, second := w.submit(bash("make one")).Ask, w.submit(bash("make two")).Ask
	c := newConsole(t, w, w.mia, 120, 40)
	c.rest()
	c.key("c")
	c.pass(15) // no burst, and the clock has not come to it
	c.key("j")
	c.rest()
	if w.row(first).ClaimedBy != "mia" || w.row(second).ClaimedBy != "" {
		t.Errorf("claimed are %q and %q", w.row(first).ClaimedBy, w.row(second).ClaimedBy)
	}
}

// A yes counts after rest, and what breaks the rest of the gate breaks it too.
func TestAYesRestsAfterFocusAndResize(t *testing.T) {
	for name, broken := range map[string]func(c *console){
		"focus":   func(c *console) { c.send(tea.BlurMsg{}); c.rest(); c.send(tea.FocusMsg{}) },
		"blurred": func(c *console) { c.rest(); c.send(tea.BlurMsg{}) },
		"resize":  func(c *console) { c.send(tea.WindowSizeMsg{Width: 70, Height: 20}) },
		"tiny": func(c *console) {
			c.send(tea.WindowSizeMsg{Width: 50, Height: 10})
			c.rest()
			c.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		},
		"resume": func(c *console) { c.send(tea.ResumeMsg{}) },
		"paste":  func(c *console) { c.send(tea.PasteMsg{Content: "y"}) },
	} {
		w := newWorld(t)
		w.submit(bash("ls"))
		c := newConsole(t, w, w.mia, 80, 24)
		c.press("F")
		c.rest()
		broken(c)
		c.press("y")
		if st, err := queue.Get[queue.Status](t.Context(), w.mia, queue.QStatus{}); err != nil || len(st.Freezes) != 0 {
			t.Fatalf("%s: frozen %v, %v", name, st.Freezes, err)
		}
		c.shows("Freeze:", "Too soon: ")
	}
}

// A yes that came too soon is told where the question stands.
func TestAnEarlyYesIsDiscardedWithAWord(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 60, 16)
	c.press("F", "y")
	c.shows("Freeze:", "Too soon: nothing was done; rest, then y.")
	c.rest()
	c.press("y")
	c.shows("Frozen: at 14:30")
}

// While answers come too fast to have read, rest is longer on every card, also
// on one that is opened once more.
func TestTheLongerRestOutlivesReopening(t *testing.T) {
	w := newWorld(t)
	for range 7 {
		w.submit(bash("ls"))
	}
	c := newConsole(t, w, w.mia, 120, 40)
	c.press("o")
	for range 5 {
		c.press("enter")
		c.pass(500)
		c.press("x")
		c.pass(450)
		c.press("q")
		c.rest()
	}
	c.press("enter")
	c.pass(2500)
	c.press("q", "enter")
	c.pass(700)
	c.press("up")
	c.shows("Not armed: it arms 2 s after the last key or change; rest.")
	c.press("x")
	c.pass(500)
	c.hides("Denied:")
	c.pass(2200)
	c.press("x")
	c.pass(500)
	c.shows("Denied:")
}

// The keys of a batch are those that its table says, also where they differ
// from those of a single ask.
func TestTheGateOfABatchListensToItsOwnKeys(t *testing.T) {
	table, err := keys.Rebind(keys.Table(), map[string]string{
		"detail.deny": "d", "batch.deny": "v", "batch.words": "d", "batch.approve": "A", "batch.copy-id": "S",
	})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	var asks []string
	for _, s := range []string{"make one", "make two"} {
		asks = append(asks, w.submit(bash(s)).Ask)
	}
	c := newConsole(t, w, w.mia, 120, 40, func(o *tui.Options) { o.Keys = table })
	c.press("space", "j", "space", "B")
	for range 8 {
		c.rest()
		if !strings.Contains(c.text(), "Armed: ") {
			c.press("n")
		}
	}
	c.shows("Armed: A approves all 2, v denies all of them.")
	c.press("S")
	c.shows("to the terminal")
	c.rest()
	c.press("d")
	c.rest()
	c.shows("Enter keeps")
	c.press("esc")
	c.rest()
	w.mustBe(asks[0], queue.StatePending)
	c.press("v")
	c.pass(500)
	w.mustBe(asks[0], queue.StateDenied)
	w.mustBe(asks[1], queue.StateDenied)
}

// race is a queue in which somebody takes an ask back just before a decision,
// and whose answer is lost.
type race struct {
	queue.Port
	before func()
	err    error
}

func (r *race) Do(ctx context.Context, a queue.Act) (queue.Result, error) {
	if _, ok := a.(queue.Decide); ok && r.before != nil {
		r.before()
		return nil, r.err
	}
	return r.Port.Do(ctx, a)
}

// What became of an ask while a decision on it was on its way is said when the
// decision comes back untaken: the gate does not go on as if it waited.
func TestAnUntakenDecisionLeavesNoGateOnADecidedAsk(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	port := &race{Port: w.mia, err: context.DeadlineExceeded}
	c := newConsole(t, w, port, 80, 24)
	c.press("enter")
	c.readToEnd()
	c.rest()
	port.before = func() {
		if _, err := w.agent.Do(t.Context(), queue.Withdraw{Ask: ask.Ask, Token: ask.Token}); err != nil {
			t.Fatal(err)
		}
	}
	c.press("x")
	c.hold = true
	c.pass(450)
	late := c.held
	c.hold, c.held = false, nil
	c.changed() // is read while the decision is on its way
	for _, msg := range late {
		c.send(msg)
	}
	c.rest()
	c.shows("Gone: it was withdrawn")
	c.hides("a approve", "Armed:")
}

// What of the marked asks no longer waits is named when the batch opens.
func TestABatchNamesWhatItLeavesOut(t *testing.T) {
	w := newWorld(t)
	var asks []string
	for _, s := range []string{"make one", "make two", "make three"} {
		asks = append(asks, w.submit(bash(s)).Ask)
	}
	c := newConsole(t, w, w.mia, 120, 40)
	c.press("space", "j", "space", "j", "space")
	w.decide(asks[1], queue.VerdictDeny)
	c.press("B")
	c.shows("batch of 2", "Left out: "+asks[1][len(asks[1])-4:]+" no longer waits, so it is left out of the batch.")
}

func TestTheClocksQuestionNamesTheBoundKey(t *testing.T) {
	table, err := keys.Rebind(keys.Table(), map[string]string{"yes": "Y"})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.submit(bash("ls"))
	w.jump = 3 * 24 * 3_600_000
	w.submit(bash("pwd"))
	c := newConsole(t, w, w.mia, 120, 40, func(o *tui.Options) { o.Keys = table })
	c.shows("clock held")
	c.press("3")
	c.rest()
	c.press("r")
	c.rest()
	c.shows("Clock: it jumped; Y: it is right, what was due falls due.")
	c.hides(" y:")
	c.rest()
	c.press("Y")
	c.rest()
	c.hides("clock held", "clock.jump")
	c.shows("notices 0")
}

// Sentences name the keys that are bound, and none where none is.
func TestSentencesNameTheBoundKeys(t *testing.T) {
	table, err := keys.Rebind(keys.Table(), map[string]string{
		"words": "W", "next-unseen": "U", "page-down": "ctrl+n", "top": "t", "stats.order": "O", "mark": "m", "quit": "Q", "next-lens": "f2", "keep": "f3",
		"leave": "f4", "filters": "I", "freeze": "Z", "open": "f5",
	})
	if err != nil {
		t.Fatal(err)
	}
	bound := func(o *tui.Options) { o.Keys = table }
	w := newWorld(t)
	w.submit(bash(strings.Repeat("make all\n", 60)))
	c := newConsole(t, w, w.mia, 80, 24, bound)
	c.press("B")
	c.shows("nothing is marked; m marks")
	c.press("m", "B")
	c.shows("one ask is no batch; F5 opens it", "Q quit")
	c.press("f5")
	c.rest()
	c.shows("Ctrl+N or U shows them.")
	c.press("W")
	c.shows("F3 keeps", "F4 drops")
	c.press("f4", "f2")
	c.rest()
	c.shows("no key answers; F2 goes on.")
	c.press("x")
	c.shows("the lens covers the card; F2 goes on to the")
	c.send(tea.WindowSizeMsg{Width: 50, Height: 10})
	c.shows("Q quits")
	c.press("q")
	if c.quit {
		t.Error("q quits")
	}
	c.press("Q")
	if !c.quit {
		t.Error("Q does not quit")
	}
	table, err = keys.Rebind(keys.Table(), map[string]string{"words": "", "next-unseen": "", "mark": "", "back": "L"})
	if err != nil {
		t.Fatal(err)
	}
	c = newConsole(t, w, w.mia, 80, 24, bound)
	c.press("enter")
	c.rest()
	c.shows("have not been on the screen; PgDn shows them.")
	c.readToEnd()
	c.rest()
	c.shows("Armed: a approves, x denies.")
	c.press("L", "B")
	c.shows("nothing is marked.")
	c.press("/")
	c.write("nothing")
	c.press("enter")
	c.shows("nothing matches; L shows all")
}
