package tui_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/tui"
)

// editable is a call whose requester can run changed arguments.
func editable(command string) queue.Submit {
	s := bash(command)
	s.Edits = true
	return s
}

func TestSearchNarrowsAndComesBack(t *testing.T) {
	w := newWorld(t)
	for i := range 30 {
		s := bash(fmt.Sprintf("make target-%d", i))
		if i == 17 {
			s.Call.Tool = "Deploy"
		}
		w.submit(s)
	}
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("/")
	c.write("deploy")
	c.rest()
	c.shows("filter: search deploy", "Deploy  make target-17")
	c.hides("target-16")
	c.press("enter")
	c.rest()
	c.shows("filter: search deploy")
	c.press("esc")
	c.rest()
	c.shows("target-16")
	c.hides("filter:")
	c.press("/")
	c.write("tool:Deploy")
	c.press("enter")
	c.rest()
	c.shows("Deploy  make target-17")
	c.hides("target-16")
	c.press("esc")
	c.press("/")
	c.write("kind:nothing")
	c.press("enter")
	c.shows("No search: a kind is call, question or commit.")
	c.press("/", "ctrl+u")
	c.write("zzqq")
	c.press("enter")
	c.rest()
	c.hides("Nothing waits.")
	c.shows("nothing matches")
}

func TestAFilterIsChosenByName(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("ls"))
	w.submit(queue.Submit{Kind: "question", Session: "s1", Question: &queue.Question{Text: "Which?", Schema: []byte(`{"type":"string"}`)}})
	c := newConsole(t, w, w.mia, 80, 24, func(o *tui.Options) { o.Filters = []tui.Saved{{Name: "shells", Query: "tool:Bash"}} })
	c.press("f")
	c.write("quest")
	c.press("enter")
	c.rest()
	c.shows("filter: questions", "Which?")
	c.hides("Bash  ls")
	c.press("f")
	c.write("shells")
	c.press("enter")
	c.rest()
	c.shows("filter: shells", "Bash  ls")
	c.hides("Which?")
}

func TestSnoozeTakesItOutForAWhile(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	w.submit(bash("pwd"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("z")
	c.shows("snooze for")
	c.write("5m")
	c.press("enter")
	c.rest()
	c.shows("Snoozed: for 5 min")
	c.press("g")
	c.rest()
	c.hides("Bash  ls")
	c.shows("1 snoozed", "Bash  pwd")
	w.mustBe(ask.Ask, queue.StatePending)
	c.press("f")
	c.write("snoozed")
	c.press("enter")
	c.rest()
	c.shows("Bash  ls")
	c.press("z", "y")
	c.rest()
	c.press("z")
	c.rest()
	c.press("y")
	c.rest()
	c.press("esc", "g")
	c.rest()
	c.shows("Bash  ls", "Bash  pwd")
	c.press("z")
	c.write("soon")
	c.press("enter")
	c.shows("No snooze: it is a time like 10m")
}

func TestAClaimIsSeenByOthers(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("ls"))
	mia := newConsole(t, w, w.mia, 80, 24, func(o *tui.Options) { o.Name = "mia" })
	night := newConsole(t, w, w.night, 80, 24, func(o *tui.Options) { o.Name = "night-desk" })
	mia.press("c")
	mia.rest()
	mia.shows("Claimed: others see for 5 min", " mine ")
	night.changed()
	night.shows(" taken ")
	night.press("enter")
	night.shows("mia looks at it")
	mia.press("c")
	mia.rest()
	mia.shows("Let go:")
	mia.hides(" mine ")
}

func TestABatchIsReadThenDecidedByOneCode(t *testing.T) {
	for _, deny := range []bool{false, true} {
		w := newWorld(t)
		var asks []string
		for i := range 3 {
			asks = append(asks, w.submit(bash(fmt.Sprintf("make %d", i))).Ask)
		}
		c := newConsole(t, w, w.mia, 120, 40)
		c.press("B")
		c.shows("Not now: nothing is marked")
		c.press("space", "j", "space", "j", "space")
		c.shows("3 marked")
		c.press("B")
		c.rest()
		c.shows("batch of 3", "card 1 of 3")
		c.press("a")
		c.shows("lines have not been on the screen")
		for range 8 {
			c.rest()
			if !strings.Contains(c.text(), "Armed: ") {
				c.press("n")
			}
		}
		c.shows("Armed: a approves all 3, x denies all of them.")
		want := queue.StateAllowed
		if deny {
			want = queue.StateDenied
			c.press("x")
			c.pass(500)
		} else {
			w.decide(asks[1], queue.VerdictDeny) // while it is read
			c.changed()
			c.rest()
			c.press("a")
			c.pass(100)
			c.shows("Approve all 3, each once:", "batch sha256:[")
			text := c.text()
			i := strings.Index(text, "sha256:[") + len("sha256:[")
			c.write(w.code(asks[0]))
			c.rest()
			w.mustBe(asks[0], queue.StatePending)
			c.rest()
			c.press("a")
			c.pass(100)
			c.write(text[i : i+4])
			c.pass(50)
			c.shows("Allowed: 2 asks, 1 was skipped:")
		}
		w.mustBe(asks[0], want)
		w.mustBe(asks[2], want)
		w.mustBe(asks[1], queue.StateDenied)
	}
}

func TestWhatIsMandatedIsNeverMarked(t *testing.T) {
	w := newWorld(t)
	s := bash("x")
	s.Raise = []string{"cross_boundary"}
	w.submit(s)
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("space")
	c.shows("Not marked: a mandated call is answered alone.")
	c.hides("1 marked")
}

func TestAnEditDeniesAndAsksAnew(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(editable("rm -rf /srv/shop"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.rest()
	c.press("e")
	c.shows(`"command": "rm -rf /srv/shop"`)
	c.press("down", "end", "backspace")
	c.press("ctrl+s")
	c.shows("Not read:")
	c.write(`"`)
	c.press("backspace", "backspace")
	c.write(`/tmp"`)
	c.press("ctrl+s")
	c.rest()
	c.shows("edited", "Edit: deny the call as it was asked")
	w.mustBe(ask.Ask, queue.StatePending)
	c.press("n")
	c.shows(`rm -rf /srv/sho/tmp"`)
	c.press("ctrl+s")
	c.rest()
	c.press("y")
	c.rest()
	w.mustBe(ask.Ask, queue.StateDenied)
	c.shows("Edited: the original is denied")
	to := w.row(ask.Ask).EditedTo
	w.mustBe(to, queue.StatePending)
	c.shows(w.code(to))
	c.readToEnd()
	c.rest()
	c.press("a")
	c.pass(100)
	c.write(w.code(to))
	c.pass(50)
	w.mustBe(to, queue.StateAllowed)
	st, err := queue.As[queue.Standing](t.Context(), w.agent, queue.Wait{Ask: ask.Ask, Token: ask.Token})
	if err != nil || st.EditedTo == nil || st.State != queue.StateAllowed || !strings.Contains(string(st.EditedTo.Action), "/srv/sho/tmp") {
		t.Errorf("the waiter gets %+v %v", st, err)
	}
}

func TestAnEditThatIsLeftChangesNothing(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(editable("ls"))
	plain := w.submit(bash("pwd"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.rest()
	c.press("e", "down", "x")
	c.press("esc")
	c.shows("Leave: what you changed is thrown away.")
	c.press("n")
	c.shows(`"command"`)
	c.press("esc")
	c.rest()
	c.press("y")
	c.rest()
	c.shows("nod card v1")
	w.mustBe(ask.Ask, queue.StatePending)
	c.press("J")
	c.rest()
	c.press("e")
	c.shows("its gateway cannot run changed arguments")
	w.mustBe(plain.Ask, queue.StatePending)
}

// A clamp of the session disables the keys of what it forbids, and they say so.
func TestAClampDisablesEditAndGrant(t *testing.T) {
	w := newWorld(t)
	if _, err := w.agent.Do(t.Context(), queue.RegisterSession{Session: editable("ls").Session, Clamps: []byte(`{"edits":"disabled","grants":"disabled"}`)}); err != nil {
		t.Fatal(err)
	}
	ask := w.submit(editable("ls"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.rest()
	c.press("e")
	c.shows("a clamp of its session allows no edit")
	c.rest()
	c.press("p")
	c.shows("a clamp of its session allows no grant")
	w.mustBe(ask.Ask, queue.StatePending)
}

func TestAHoldGoesWithTheAllowAndIsTakenBackByOneKey(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	c.press("h")
	c.write("5m")
	c.press("enter")
	c.shows("your allow is held 5 min")
	c.rest()
	c.press("a")
	c.pass(100)
	c.shows("Approve once, held 5 min: type the four in brackets")
	c.write(w.code(ask.Ask))
	c.pass(50)
	w.mustBe(ask.Ask, queue.StateAllowed)
	if row := w.row(ask.Ask); row.NotBefore-row.DecidedAt != 300_000 {
		t.Errorf("held %d ms", row.NotBefore-row.DecidedAt)
	}
	c.press("b")
	c.rest()
	c.press("y")
	c.rest()
	w.mustBe(ask.Ask, queue.StateRevoked)
}

func TestAHoldIsNeverNothingByAccident(t *testing.T) {
	_, c, _ := opened(t, 80, 24)
	for _, text := range []string{"100us", "24h1s", "-5m", "5"} {
		c.press("h")
		c.write(text)
		c.press("enter")
		c.shows("No hold:")
		c.rest()
		c.hides("your allow is held")
	}
}

func TestAGrantGoesWithTheAllow(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	c.press("p")
	c.write("many")
	c.press("enter")
	c.shows("No grant:")
	c.press("p")
	c.write("2 30m")
	c.press("enter")
	c.shows("your allow is and 2 more within 30 min")
	c.rest()
	c.press("a")
	c.pass(100)
	c.shows("Approve once, and 2 more within 30 min: type the four")
	grants := func() []queue.GrantView {
		g, err := queue.Get[queue.Grants](t.Context(), w.mia, queue.QGrants{})
		if err != nil {
			t.Fatal(err)
		}
		return g.Grants
	}
	if len(grants()) != 0 {
		t.Fatal("granted before the allow")
	}
	c.write(w.code(ask.Ask))
	c.pass(50)
	if g := grants(); len(g) != 1 || g[0].Left != 2 {
		t.Errorf("grants %+v", g)
	}
}

func TestALensIsNoCard(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	c.press("tab")
	c.rest()
	c.shows("not part of what you approve", "Covered:")
	c.hides("nod card v1")
	for _, k := range []string{"a", "x", "S"} {
		c.press(k)
		c.rest()
		w.mustBe(ask.Ask, queue.StatePending)
		c.hides("type the four", "Denying")
	}
	c.press("shift+tab")
	c.pass(30)
	c.press("a") // the card has only just come back
	c.hides("type the four")
	c.rest()
	c.press("a")
	c.shows("type the four")
}

func TestALensBesideTheCardLeavesTheGateAlone(t *testing.T) {
	w, c, ask := opened(t, 120, 40)
	c.press("tab")
	c.rest()
	c.shows("not part of what you approve", "arguments/command")
	c.press("a")
	c.pass(100)
	c.write(w.code(ask.Ask))
	c.pass(50)
	w.mustBe(ask.Ask, queue.StateAllowed)
}

func TestThePaletteNeverAnswers(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	c.press(":")
	c.write("approve")
	c.press("enter")
	c.rest()
	c.shows("By key only: press a yourself; the palette never answers.")
	c.press(":")
	c.write("deny")
	c.press("enter")
	c.pass(900)
	w.mustBe(ask.Ask, queue.StatePending)
	c.press(":")
	c.write("the history")
	c.press("enter")
	c.rest()
	c.shows("[history]")
}

func TestAPastedPaletteChoosesNothing(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 80, 24)
	for _, r := range ":claim\r" {
		c.key(map[rune]string{'\r': "enter"}[r] + strings.TrimSpace(string(r)))
	}
	c.rest()
	c.hides("Claimed")
	if row := w.row(w.first(t)); row.ClaimedBy != "" {
		t.Errorf("claimed by %s", row.ClaimedBy)
	}
}

func (w *world) first(t *testing.T) string {
	t.Helper()
	page, err := queue.Get[queue.Inbox](t.Context(), w.mia, queue.QInbox{Limit: 1})
	if err != nil || len(page.Rows) == 0 {
		t.Fatal(err)
	}
	return page.Rows[0].ID
}

func TestSessionsFreezeAndOpenTheirAsks(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("ls"))
	other := bash("pwd")
	other.Session = "s2"
	w.submit(other)
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("5")
	c.rest()
	c.shows("[sessions]", "s1", "s2")
	c.press("enter")
	c.rest()
	c.shows("[inbox", "filter:")
	c.press("esc", "5")
	c.rest()
	c.press("F")
	c.shows("Freeze: nothing of this session begins")
	c.rest()
	c.press("y")
	c.rest()
	c.shows("frozen")
	c.press("F")
	c.shows("Unfreeze:")
}

func TestStatsSpanOrderAndHistoryOfARow(t *testing.T) {
	w := newWorld(t)
	for i := range 4 {
		w.decide(w.submit(bash(fmt.Sprint("ls ", i))).Ask, queue.VerdictDeny)
	}
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("6")
	c.rest()
	c.shows("[day]", "Bash", "denied")
	c.press("d")
	c.rest()
	c.shows("[week]")
	c.press("t", "enter")
	c.rest()
	c.shows("[history]", "filter: tool Bash", "denied")
	c.press("esc", "q")
	c.rest()
	c.shows("[stats]")
}

func TestVerifyAndEvents(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	w.decide(ask.Ask, queue.VerdictAllow)
	c := newConsole(t, w, w.mia, 120, 40)
	c.press("4")
	c.rest()
	c.shows("chain not verified here; nod audit verify does it", "Events of the selected row", "submit", "decide", "replay of the card")
	c.press("V")
	c.shows("Not now: this console cannot reach the events whole")
}

func TestCopyingSaysOnlyWhatIsKnown(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("Y")
	c.shows("Sent: the whole shown digest went to the terminal")
	c.hides("copied")
}

// Too fast to have read: five answers within a second each, then the next card
// is asked for anew and keys rest longer.
func TestTooFastIsAskedToReadAgain(t *testing.T) {
	w := newWorld(t)
	for i := range 7 {
		w.submit(bash(fmt.Sprint("ls ", i)))
	}
	c := newConsole(t, w, w.mia, 120, 40, func(o *tui.Options) { o.Name = "mia" })
	for range 5 {
		c.press("enter")
		c.pass(500)
		c.press("x")
		c.pass(450)
		c.press("q")
		c.rest()
	}
	c.press("enter")
	c.pass(100)
	c.shows("Slow down:")
	c.pass(600)
	c.press("x")
	c.pass(500)
	c.shows("inbox / call")
	c.hides("Denied:")
	c.pass(2200)
	c.press("x")
	c.pass(500)
	c.shows("Denied:")
}

func TestKeysMeantForAClosedLineDoNothing(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	c.press("a")
	c.pass(100)
	code := w.code(ask.Ask)
	c.write(code[:2])
	c.send(tea.WindowSizeMsg{Width: 82, Height: 24})
	for _, r := range "e4b" { // what is left of a code
		c.pass(150)
		c.key(string(r))
	}
	c.rest()
	c.shows("inbox / call 1 of 1", "Line closed:")
	c.hides("Revoke", `"command":`)
	w.mustBe(ask.Ask, queue.StatePending)
}

// A filter that is chosen over an open ask leaves it as every other way does.
func TestAFilterChosenOverAnAskKeepsWhatWasWritten(t *testing.T) {
	_, c, _ := opened(t, 80, 24)
	c.press("w")
	c.write("not today")
	c.press("enter")
	c.rest()
	c.press(":")
	c.write("mandated")
	c.press("enter")
	c.rest()
	c.shows("[inbox", "Kept: what you wrote for that ask")
	c.press("esc")
	c.rest()
	c.press("enter")
	c.rest()
	c.shows("your words not today")
}

// The statistics name the limit that the console holds its operator to.
func TestTheStatisticsNameTheConfiguredLimit(t *testing.T) {
	w := newWorld(t)
	w.decide(w.submit(bash("ls")).Ask, queue.VerdictDeny)
	c := newConsole(t, w, w.mia, 120, 40, func(o *tui.Options) { o.Name, o.Pace.SlowBelowMS = "night-desk", 7000 })
	c.press("6")
	c.rest()
	c.press("end")
	c.shows("below 7 s the whole card is asked for again")
}

func TestWhatWasWrittenIsThereWhenTheAskIsOpenedAgain(t *testing.T) {
	w := newWorld(t)
	first := w.submit(bash("ls"))
	second := w.submit(bash("pwd"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.rest()
	c.press("w")
	c.write("not today")
	c.press("enter")
	c.press("J")
	c.rest()
	c.shows("Kept: what you wrote for that ask")
	c.hides("not today")
	c.press("x")
	c.pass(500)
	w.mustBe(second.Ask, queue.StateDenied)
	if words := w.row(second.Ask).Words; words != "" {
		t.Errorf("the words went to another ask: %q", words)
	}
	c.press("q")
	c.rest()
	c.press("g", "enter")
	c.rest()
	c.shows("your words not today")
	c.press("x")
	c.pass(500)
	if words := w.row(first.Ask).Words; words != "not today" {
		t.Errorf("%q", words)
	}
}
