package tui_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/tui"
	"nod/tui/keys"
)

// opened is a console with one ordinary ask open, read and armed.
func opened(t *testing.T, width, height int) (*world, *console, queue.Submitted) {
	t.Helper()
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, width, height)
	c.press("enter")
	c.readToEnd()
	c.rest()
	return w, c, ask
}

func (w *world) mustBe(id string, s queue.State) {
	w.t.Helper()
	if got := w.row(id).State; got != s {
		w.t.Fatalf("the ask is %s, not %s", got, s)
	}
}

func TestAQuestionIsAnsweredInItsOwnWords(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(queue.Submit{Kind: "question", Session: "s1",
		Question: &queue.Question{Text: "Which region?", Schema: []byte(`{"type":"string","enum":["eu-1","us-1"]}`)}})
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.readToEnd()
	c.rest()
	c.press("a")
	c.shows("No answer: nothing is filled in")
	c.rest()
	c.press("r")
	c.rest()
	c.press("ctrl+s")
	c.shows("Not kept:")
	c.press("space", "enter") // Enter is the next field, and after the last one back
	c.rest()
	c.shows(`your answer "eu-1"`)
	w.mustBe(ask.Ask, queue.StatePending)
	c.press("a")
	c.write(w.code(ask.Ask))
	c.pass(50)
	w.mustBe(ask.Ask, queue.StateAnswered)
	if got := w.row(ask.Ask).Answer; got != `"eu-1"` {
		t.Errorf("answer %s", got)
	}
	c.shows("Answered: at 14:30")
}

func TestAMandatedAskWantsItsValueTyped(t *testing.T) {
	w := newWorld(t)
	s := bash("x")
	s.Raise, s.Call.Tool = []string{"cross_boundary"}, "crm.update"
	ask := w.submit(s)
	for _, size := range [][2]int{{60, 16}, {80, 24}} {
		c := newConsole(t, w, w.mia, size[0], size[1])
		c.press("enter")
		c.readToEnd()
		c.rest()
		c.press("a")
		c.pass(100)
		c.shows("the value of the marked line", "▸", "["+w.code(ask.Ask)+"]")
		c.write(w.code(ask.Ask)) // the code alone is not enough
		c.rest()
		w.mustBe(ask.Ask, queue.StatePending)
		c.press("esc")
	}
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.readToEnd()
	c.rest()
	c.press("a")
	c.pass(100)
	c.write("crm.update" + w.code(ask.Ask))
	c.pass(50)
	w.mustBe(ask.Ask, queue.StateAllowed)
}

func TestPasteNeverDecides(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	c.send(tea.PasteMsg{Content: "x"})
	c.rest()
	w.mustBe(ask.Ask, queue.StatePending)
	c.rest()
	c.press("a")
	c.pass(200)
	c.send(tea.PasteMsg{Content: w.code(ask.Ask)})
	c.shows("Pasted: text came from the clipboard")
	c.rest()
	w.mustBe(ask.Ask, queue.StatePending)
	c.press("esc")
	c.rest()
	c.press("w")
	c.send(tea.PasteMsg{Content: "because\nof \x1b[2J"})
	c.shows(`words  because⏎of \u{1B}[2J`)
	c.press("enter")
	c.shows("your words because⏎of")
}

func TestAnUnbracketedPasteNeverDecides(t *testing.T) {
	for _, text := range []string{"yes please approve\r", "x", "a" + "0123", strings.Repeat("x", 40), "ax"} {
		w, c, ask := opened(t, 80, 24)
		if text == "a0123" {
			text = "a" + w.code(ask.Ask)
		}
		for _, r := range text + "\r" {
			c.key(map[rune]string{'\r': "enter", ' ': "space"}[r] + strings.TrimSpace(string(r)))
		}
		c.rest()
		w.mustBe(ask.Ask, queue.StatePending)
	}
}

func TestAPastedWordIsNoCommand(t *testing.T) {
	_, c, _ := opened(t, 80, 24)
	for _, k := range []string{"4", "1", "q", "b", "F", "w"} {
		c.rest()
		c.key("z") // the paste's first letter
		c.key(k)
		c.rest()
		c.shows("inbox / call 1 of 1", "Too fast: keys came in one burst")
		c.hides("Freeze:", "Enter keeps")
	}
	c.rest()
	c.key("4")
	c.shows("[history]")
}

func TestKeysThatNeverDecide(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	for _, k := range []string{"enter", "esc", "tab", "up", "down", "Y", "y", "ａ", "а", "alt+a", "alt+x", "ctrl+a", "X", "A", "f3"} {
		c.rest()
		if k == "esc" {
			continue // goes back
		}
		c.press(k)
		c.rest()
		w.mustBe(ask.Ask, queue.StatePending)
		c.hides("type the four")
	}
	c.send(tea.MouseClickMsg{})
	c.rest()
	w.mustBe(ask.Ask, queue.StatePending)
}

func TestAHeldKeyDecidesNothing(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	c.send(tea.KeyPressMsg{Code: 'x', Text: "x", IsRepeat: true})
	c.rest()
	w.mustBe(ask.Ask, queue.StatePending)
	c.shows("Held down")
	for range 30 { // and where the terminal does not say so
		c.key("x")
		c.pass(30)
	}
	c.rest()
	w.mustBe(ask.Ask, queue.StatePending)
}

func TestNoKeyCountsJustAfterFocus(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	c.send(tea.BlurMsg{})
	c.pass(5000)
	c.press("x")
	c.rest()
	w.mustBe(ask.Ask, queue.StatePending)
	c.send(tea.FocusMsg{})
	c.pass(200)
	c.key("x")
	c.shows("New focus")
	c.rest()
	w.mustBe(ask.Ask, queue.StatePending)
	c.rest()
	c.press("x")
	c.rest()
	w.mustBe(ask.Ask, queue.StateDenied)
}

func TestATerminalThatAnswersNothingTakesLonger(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 120, 40)
	c.silent = true
	c.press("enter")
	c.pass(1000)
	c.shows("not shown yet")
	c.key("x")
	c.pass(450)
	w.mustBe(ask.Ask, queue.StatePending)
	c.pass(2500)
	c.shows("all shown", "x deny")
	c.press("x")
	c.rest()
	w.mustBe(ask.Ask, queue.StateDenied)
}

func TestOnlyAFrameThatTheTerminalConfirmedTwiceIsRead(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 120, 40)
	c.pass(120)
	c.key("enter")
	c.pass(echoAfter) // the first answer
	c.shows("░", "not shown yet")
	c.pass(echoAfter) // the second
	c.shows("all shown")
	c.hides("░")
	asked := c.asked
	c.pass(5000) // clock ticks change no row of the card
	if c.asked != asked {
		t.Errorf("%d questions for frames that show the same rows", c.asked-asked)
	}
}

func TestAResizeArmsAnew(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	c.send(tea.WindowSizeMsg{Width: 100, Height: 30})
	c.key("x")
	c.rest()
	w.mustBe(ask.Ask, queue.StatePending)
	c.send(tea.WindowSizeMsg{Width: 50, Height: 14})
	c.shows("nod needs 60x16, this is 50x14; 1 wait; q quits.")
	c.rest()
	c.press("x")
	c.rest()
	w.mustBe(ask.Ask, queue.StatePending)
	c.press("q")
	if !c.quit {
		t.Error("q does not quit")
	}
}

func TestAResizeClosesTheOpenLine(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	c.press("a")
	c.shows("type the four")
	c.send(tea.WindowSizeMsg{Width: 82, Height: 24})
	c.pass(100)
	c.shows("Line closed: a resize came in between")
	c.write(w.code(ask.Ask))
	w.mustBe(ask.Ask, queue.StatePending)
}

func TestQuitLeavesEverythingPending(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	c.press("a")
	c.press("ctrl+c")
	if !c.quit {
		t.Fatal("no quit")
	}
	w.mustBe(ask.Ask, queue.StatePending)
}

func TestAKeyFromTheListNeverReachesTheNextAsk(t *testing.T) {
	w := newWorld(t)
	one, two := w.submit(bash("one")), w.submit(bash("two"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.readToEnd()
	c.rest()
	c.press("x")
	c.rest()
	w.mustBe(one.Ask, queue.StateDenied)
	c.press("x", "x", "a")
	c.rest()
	c.press("J")
	c.shows("two")
	c.key("x")
	c.rest()
	w.mustBe(two.Ask, queue.StatePending)
}

func TestNoColourAndDumbTerminals(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("rm -rf \u202E\"x\""))
	for _, env := range [][]string{{"TERM=xterm", "NO_COLOR=yes"}, {"TERM=xterm", "NO_COLOR=0"}, {"TERM=dumb"}} {
		c := newConsole(t, w, w.mia, 80, 24, func(o *tui.Options) { o.Env = env })
		c.press("enter")
		c.rest()
		styled := c.m.View().Content
		for _, colour := range []string{"[3", "[4", "[9", "38;", "48;"} {
			for _, seq := range strings.Split(styled, "\x1b")[1:] {
				if i := strings.IndexByte(seq, 'm'); strings.HasPrefix(seq, colour) && i > 2 && seq[:i] != "[3" && seq[:i] != "[4" {
					t.Fatalf("%v: a colour in %q", env, seq[:i+1])
				}
			}
		}
		if env[0] == "TERM=dumb" {
			for _, r := range c.text() {
				if r > 0x7E {
					t.Fatalf("%q on a dumb terminal:\n%s", r, c.text())
				}
			}
		}
	}
}

func TestLeavingAFieldIsAChange(t *testing.T) {
	for _, out := range []string{"enter", "esc"} {
		w, c, ask := opened(t, 80, 24)
		c.press("w")
		c.write("because")
		c.press(out)
		c.pass(100)
		c.key("x")
		c.shows("Too soon")
		c.rest()
		w.mustBe(ask.Ask, queue.StatePending)
	}
}

func TestACoveredFrameIsNotRead(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 120, 40)
	c.pass(120)
	c.key("enter")
	c.pass(2*echoAfter - 1) // the second answer is on its way
	c.key("?")
	c.rest()
	c.shows("help for the detail")
	c.pass(120)
	c.key("q")
	c.shows("20 not shown yet")
	c.pass(100)
	c.shows("all shown")
}

func TestAnAnswerToAnOldQuestionIsDropped(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("one"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.hold = true
	c.press("g")
	old := c.held
	c.held = nil
	w.submit(bash("two"))
	c.press("g")
	c.hold = false
	for _, msg := range append(c.held, old...) { // the newer answer comes first
		c.send(msg)
	}
	c.shows("[inbox 2]", "two")
}

func TestAWaiterThatRenewsIsSeenWithoutAChange(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 80, 24)
	for range 6 {
		c.pass(9_000)
		if _, err := w.agent.Do(t.Context(), queue.Wait{Ask: ask.Ask, Token: ask.Token}); err != nil {
			t.Fatal(err)
		}
		c.pass(2_000)
	}
	c.shows("● call")
	c.pass(60_000)
	c.shows("○ call")
}

func TestAfterALongRestTheCardIsDrawnAnew(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	c.pass(31 * 60_000)
	c.key("x")
	c.shows("Long rest: no key came for 31 min")
	c.rest()
	w.mustBe(ask.Ask, queue.StatePending)
	c.rest()
	c.press("x")
	c.rest()
	w.mustBe(ask.Ask, queue.StateDenied)
}

func TestTheGateListensToTheKeysOfTheTable(t *testing.T) {
	table := keys.Table()
	for i := range table {
		if table[i].Intent == keys.Deny {
			table[i].Keys, table[i].Shown = []string{"d"}, "d"
		}
	}
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 80, 24, func(o *tui.Options) { o.Keys = table })
	c.press("enter")
	c.rest()
	c.press("x")
	c.rest()
	w.mustBe(ask.Ask, queue.StatePending)
	c.press("d")
	c.rest()
	w.mustBe(ask.Ask, queue.StateDenied)
	for i := range table {
		if table[i].Intent == keys.Approve {
			table[i].Keys = []string{"enter"}
		}
	}
	if _, err := tui.NewModel(t.Context(), w.mia, tui.Options{Keys: table}); err == nil {
		t.Error("Enter is accepted as a key that approves")
	}
}
