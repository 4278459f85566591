package tui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"nod/digest"
	"nod/queue"
	"nod/tui"
)

// What becomes of an ask is said also while the editor, a form or a lens stands
// before its card.
func TestAnAskThatIsGoneIsToldBeforeWhateverCoversIt(t *testing.T) {
	for _, key := range []string{"e", "tab"} {
		w := newWorld(t)
		s := bash("ls")
		s.Edits = true
		ask := w.submit(s)
		c := newConsole(t, w, w.mia, 80, 24)
		c.press("enter")
		c.rest()
		c.press(key)
		c.rest()
		w.decide(ask.Ask, queue.VerdictDeny)
		c.changed()
		c.shows("Gone: night-desk denied it")
	}
	w := newWorld(t)
	ask := w.submit(queue.Submit{Kind: "question", Session: "s1",
		Question: &queue.Question{Text: "Which region?", Schema: []byte(`{"type":"string","enum":["eu-1","us-1"]}`)}})
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.rest()
	c.press("r")
	w.decide(ask.Ask, queue.VerdictDeny)
	c.changed()
	c.shows("Gone: night-desk denied it")
}

// An edit that was not taken is not lost.
func TestAnEditThatIsNotTakenIsKept(t *testing.T) {
	w := newWorld(t)
	s := bash("ls")
	s.Edits = true
	w.submit(s)
	port := &failing{Port: w.mia}
	c := newConsole(t, w, port, 80, 24)
	c.press("enter")
	c.rest()
	c.press("e", "down", "end", "left")
	c.write("x")
	c.press("ctrl+s")
	c.rest()
	port.err = context.DeadlineExceeded
	c.press("y")
	c.shows("Not known:", "e opens it as you left it.")
	port.err = nil
	c.rest()
	c.press("e")
	c.shows("lsx")
	c.press("ctrl+s")
	c.rest()
	c.press("y")
	c.rest()
	c.shows("Edited: the original is denied", "lsx")
}

// failing is a queue that takes no act while it has an error.
type failing struct {
	queue.Port
	err error
}

func (f *failing) Do(ctx context.Context, a queue.Act) (queue.Result, error) {
	if f.err != nil {
		return nil, f.err
	}
	return f.Port.Do(ctx, a)
}

// A claim of somebody else is a change of what is read.
func TestAClaimDisarms(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	if _, err := w.night.Do(t.Context(), queue.Claim{Ask: ask.Ask, ForMS: 60_000}); err != nil {
		t.Fatal(err)
	}
	c.send(tui.Changed())
	c.pass(100)
	c.key("x")
	c.rest()
	c.shows("Too soon: x came", "night-desk looks at it")
	w.mustBe(ask.Ask, queue.StatePending)
}

// What one code cannot decide together is said before anything is read.
func TestWhatIsNoBatchIsSaidBeforeItIsRead(t *testing.T) {
	w := newWorld(t)
	s := bash("make one")
	s.Raise = []string{queue.ReasonRealApproval}
	w.submit(s)
	w.submit(bash("make two"))
	prod := w.q.Port(queue.Conn{Principal: digest.Principal{Agent: "shop-fixer", User: "dev", Host: "claude-code"}, Environment: "prod", Role: queue.RoleRequester, Way: "hook"})
	if _, err := prod.Do(t.Context(), bash("make three")); err != nil {
		t.Fatal(err)
	}
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("space")
	c.shows("Not marked: a call that wants a real approval is answered alone.")
	c.press("j", "space", "j", "space", "B")
	c.shows("No batch: the marked asks are of more than one environment", "[inbox 3]")
}

// A batch says on each card how many of it wait no longer.
func TestABatchSaysWhatLeftIt(t *testing.T) {
	w := newWorld(t)
	var asks []string
	for _, s := range []string{"make one", "make two", "make three"} {
		asks = append(asks, w.submit(bash(s)).Ask)
	}
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("space", "j", "space", "j", "space", "B")
	c.rest()
	w.decide(asks[1], queue.VerdictDeny)
	c.changed()
	c.shows("card 1 of 3 · 1 no longer waits")
}

// What a key does not do is said, also where a lens covers the card, nothing is
// folded, or a line is being written.
func TestKeysThatDoNothingSaySo(t *testing.T) {
	w := newWorld(t)
	w.submit(bash(strings.Repeat("make all\\n", 60)))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("o")
	c.shows("No fold: nothing stands behind the selected row.")
	c.press("5", "o")
	c.shows("No fold: nothing hangs below the selected session.")
	c.press("1", "/")
	c.write("kind:zz")
	c.rest()
	c.shows("search  kind:zz", "No search:")
	c.press("backspace")
	c.hides("No search:")
	c.press("esc", "enter")
	c.rest()
	c.press("w")
	c.send(tea.PasteMsg{Content: strings.Repeat("x", 17<<10)})
	c.shows("Too long: the field holds 16 KiB")
	c.press("esc", "tab")
	for _, key := range []string{"n", "S"} {
		c.press(key)
		c.shows("Not now: the lens covers the card; Tab goes on")
	}
}

// notices opens n notices of one kind.
func (w *world) notices(n int) {
	w.t.Helper()
	for i := range n {
		s := bash(fmt.Sprint("ls ", i))
		s.HostRuns = true
		ask := w.submit(s)
		w.decide(ask.Ask, queue.VerdictAllow)
		begun, err := queue.As[queue.Begun](w.t.Context(), w.agent, queue.Begin{Ask: ask.Ask, Token: ask.Token, Action: ask.Action, Executor: "hook", HostRuns: true})
		if err != nil {
			w.t.Fatal(err)
		}
		other := []byte(strings.Replace(string(ask.Action), `"ls `, `"rm `, 1))
		if _, err := w.agent.Do(w.t.Context(), queue.Report{Attempt: begun.Attempt, Token: begun.Token, Exit: queue.ExitSuccess, Observed: other}); err != nil {
			w.t.Fatal(err)
		}
	}
}

// A held key acts once: what it repeats is about another row each time.
func TestAHeldKeyAcknowledgesOneNotice(t *testing.T) {
	w := newWorld(t)
	w.notices(4)
	c := newConsole(t, w, w.mia, 120, 40)
	c.press("3")
	c.shows("notices 4")
	c.rest()
	c.key("r")
	c.pass(500)
	for range 20 {
		c.key("r")
		c.pass(33)
	}
	c.rest()
	c.shows("notices 3")
	c.press("r")
	c.rest()
	c.shows("notices 2")
}

// A line end in a paste without brackets goes to no other field of a form.
func TestAPasteWithoutBracketsStaysInItsField(t *testing.T) {
	w := newWorld(t)
	w.submit(queue.Submit{Kind: "question", Session: "s1",
		Question: &queue.Question{Text: "What?", Schema: []byte(`{"type":"string"}`)}})
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.rest()
	c.press("r")
	c.pass(100)
	for _, k := range []string{"o", "n", "e", "enter", "x", "enter"} {
		c.key(k)
	}
	c.rest()
	c.shows("Answer: kept for the ask", "one⏎x⏎")
}

// The question of a freeze is about the freeze that stood then.
func TestAnotherFreezeIsNotLifted(t *testing.T) {
	w := newWorld(t)
	do := func(a queue.Act) {
		t.Helper()
		if _, err := w.night.Do(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	do(queue.Freeze{})
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("F")
	c.shows("Unfreeze:")
	c.rest()
	do(queue.Unfreeze{})
	w.now += 1000
	do(queue.Freeze{})
	c.changed()
	c.rest()
	c.press("y")
	c.shows("Changed: it is not the freeze of before", "FROZEN")
}

// Of an act whose answer does not come nobody says that it was not done.
func TestALostAnswerIsNotARefusal(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("ls"))
	port := &failing{Port: w.mia}
	c := newConsole(t, w, port, 80, 24)
	c.press("F")
	c.rest()
	port.err = context.DeadlineExceeded
	c.press("y")
	c.shows("Not known: the queue did not answer in 15 s, so nobody here knows; look again.")
}

// While a denial rests or an answer is on its way, the keys row promises no
// other key.
func TestTheKeysRowIsTrueWhileAnAnswerIsGiven(t *testing.T) {
	_, c, _ := opened(t, 80, 24)
	c.press("x")
	c.shows("any key takes it back  Ctrl+C quit")
	c.hides("q back", "w words")
	c.press("w")
	c.shows("Taken back:", "w words")
	c.rest()
	c.press("x")
	c.hold = true
	c.pass(450)
	c.shows("Sent: ", "no key counts before it is recorded")
	c.hides("q back")
}

// Leaving and coming back is no way around the longer rest.
func TestTheLongerRestOutlivesARestart(t *testing.T) {
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
	c = newConsole(t, w, w.mia, 120, 40)
	c.press("enter")
	c.pass(100)
	c.shows("Slow down:")
	c.pass(700)
	c.press("x")
	c.pass(500)
	c.hides("Denied:")
}

// A narrow screen leaves out nothing of how many asks a key answers.
func TestANarrowBatchSaysHowManyItAnswers(t *testing.T) {
	w := newWorld(t)
	for _, s := range []string{"make one", "make two"} {
		w.submit(bash(s))
	}
	c := newConsole(t, w, w.mia, 60, 16)
	c.press("space", "j", "space", "B")
	for range 12 {
		c.rest()
		if !strings.Contains(c.text(), "Armed: ") {
			c.press("n")
		}
	}
	c.shows("Armed: a approves all 2, x denies all of them.")
}
