package tui_test

import (
	"strings"
	"testing"

	"nod/queue"
)

func TestApproveWithTheCode(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("go test ./..."))
	c := newConsole(t, w, w.mia, 80, 24)
	c.shows("[inbox 1]", "Bash  go test ./...")
	c.press("enter")
	c.shows("inbox / call 1 of 1", "pending", "1 waits")
	c.press("a")
	c.hides("type the four")
	c.readToEnd()
	c.rest()
	c.shows("Armed: a approves, x denies")
	c.press("a")
	c.shows("type the four in brackets", "["+w.code(ask.Ask)+"]")
	c.write(w.code(ask.Ask))
	c.pass(50)
	if got := w.row(ask.Ask); got.State != queue.StateAllowed || got.DecidedBy != queue.ByPerson || got.LinesSeen != got.LinesAll || got.LinesAll == 0 {
		t.Fatalf("%+v", got)
	}
	c.shows("Allowed: at 14:30", "so the gate is open once until")
	c.press("esc")
	c.shows("[inbox 0]")
}

func TestDenyWithWords(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("rm -rf build"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.rest()
	c.press("w")
	c.write("use make clean")
	c.press("enter")
	c.rest()
	c.press("x")
	c.shows("Denying")
	if w.row(ask.Ask).State != queue.StatePending {
		t.Fatal("denied without rest")
	}
	c.rest()
	if got := w.row(ask.Ask); got.State != queue.StateDenied || got.Words != "use make clean" {
		t.Fatalf("%+v", got)
	}
	c.shows("Denied: at 14:30", "never runs")
}

func TestAKeyAfterDenyTakesItBack(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("rm -rf build"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.rest()
	c.press("x", "j")
	c.rest()
	if w.row(ask.Ask).State != queue.StatePending {
		t.Fatal("a word that began with x denied")
	}
}

func TestAnEarlyKeyIsDiscardedWithAWord(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 120, 40)
	c.press("enter")
	c.rest()
	c.press("j")
	c.press("a")
	c.shows("Too soon: a came")
	c.rest()
	if w.row(ask.Ask).State != queue.StatePending {
		t.Fatal("decided")
	}
	c.hides("type the four")
}

func TestAWrongCodeDecidesNothing(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.readToEnd()
	c.rest()
	c.press("a")
	wrong := []byte(w.code(ask.Ask))
	wrong[3] = "0123456789abcdef0"[strings.IndexByte("0123456789abcdef", wrong[3])+1]
	c.write(string(wrong))
	c.shows("Wrong code: " + string(wrong) + " is not it")
	c.rest()
	if w.row(ask.Ask).State != queue.StatePending {
		t.Fatal("decided")
	}
}

func TestAnAskExpiresWhileItIsOpen(t *testing.T) {
	w := newWorld(t)
	s := bash("ls")
	s.AnswerInMS = 30_000
	ask := w.submit(s)
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.readToEnd()
	c.pass(31_000)
	c.shows("Expired: no person answered by 14:30, so it never ran")
	c.press("a")
	c.write(w.code(ask.Ask))
	c.rest()
	if w.row(ask.Ask).State != queue.StateExpired {
		t.Fatalf("%+v", w.row(ask.Ask))
	}
}

func TestDecidedElsewhereWhileItIsOpen(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.readToEnd()
	c.press("a")
	w.decide(ask.Ask, queue.VerdictDeny)
	c.changed()
	c.shows("Gone: night-desk denied it at 14:30", "so your key did nothing")
	c.write(w.code(ask.Ask))
	c.rest()
	if got := w.row(ask.Ask); got.State != queue.StateDenied || got.Decider != "night-desk" {
		t.Fatalf("%+v", got)
	}
}

func TestTheLoserOfARaceIsToldWhoWon(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("enter")
	c.readToEnd()
	c.press("a")
	code := w.code(ask.Ask)
	c.write(code[:3])
	w.decide(ask.Ask, queue.VerdictDeny) // and the console has not heard of it
	c.write(code[3:])
	c.pass(50)
	c.shows("Gone: night-desk")
	if got := w.row(ask.Ask); got.Decider != "night-desk" {
		t.Fatalf("%+v", got)
	}
}

func TestFreezeAsksAndRests(t *testing.T) {
	w := newWorld(t)
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("F")
	c.shows("Freeze: nothing begins; older allows are never spent.")
	c.press("y")
	c.shows("Freeze:", "Too soon: y came without rest, so nothing was done") // 120 ms
	c.press("enter", "space")
	c.rest()
	c.press("y")
	c.shows("FROZEN 14:30", "Frozen: at 14:30")
	c.press("F")
	c.rest()
	c.press("n")
	c.shows("FROZEN")
	c.press("F")
	c.rest()
	c.press("y")
	c.hides("FROZEN")
}

func TestRevokeFromTheHistory(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	w.decide(ask.Ask, queue.VerdictAllow)
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("4")
	c.shows("[history]", "allowed  not begun")
	c.press("b")
	c.shows("Revoke: this allow is taken back; the call never runs.")
	c.rest()
	c.press("y")
	if got := w.row(ask.Ask).State; got != queue.StateRevoked {
		t.Fatal(got)
	}
	c.shows("Revoked: at 14:30")
	c.press("b")
	c.shows("Not now: only an allow that has not begun")
}

func TestANoticeIsReadAndAcknowledged(t *testing.T) {
	w := newWorld(t)
	s := bash("ls")
	s.HostRuns = true
	ask := w.submit(s)
	w.decide(ask.Ask, queue.VerdictAllow)
	begun, err := queue.As[queue.Begun](t.Context(), w.agent, queue.Begin{Ask: ask.Ask, Token: ask.Token, Action: ask.Action, Executor: "hook", HostRuns: true})
	if err != nil {
		t.Fatal(err)
	}
	other := []byte(strings.Replace(string(ask.Action), `"ls"`, `"rm"`, 1))
	if _, err := w.agent.Do(t.Context(), queue.Report{Attempt: begun.Attempt, Token: begun.Token, Exit: queue.ExitSuccess, Observed: other}); err != nil {
		t.Fatal(err)
	}
	w.submit(bash("pwd"))
	narrow := newConsole(t, w, w.mia, 60, 16) // where the row cuts the sentence it is shown whole first
	narrow.press("3", "r")
	narrow.pass(70)
	narrow.shows("Read first: MISMATCH: what the host says it ran is not", "! notice")
	c := newConsole(t, w, w.mia, 120, 40)
	c.shows("notices 1", "! notice", "✗ MISMATCH")
	c.press("r")
	c.shows("Not now: the selected row is no notice.") // the selected row is an ask
	c.press("3")
	c.shows("something an operator must read", "host.mismatch")
	c.press("enter")
	c.shows("MISMATCH", "inbox / call")
	c.press("q", "3", "r")
	c.pass(60) // it was not held down
	c.shows("Acknowledged: the notice is read", "notices 0")
	c.hides("! notice")
}

func TestRowsComeInUntilAHandIsThere(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("one"))
	c := newConsole(t, w, w.mia, 80, 24)
	w.submit(bash("two"))
	c.changed()
	c.shows("[inbox 2]", "two")
	c.press("j")
	w.submit(bash("three"))
	c.changed()
	c.shows("[inbox 3 +1]", "New: 1 ask came in and nothing moved under your hand; g shows it.")
	c.hides("three")
	c.press("g")
	c.shows("[inbox 3]", "three")
	c.hides("New:")
}

func TestEveryHelpHasAWayBack(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("ls"))
	for _, back := range []string{"q", "esc", "?"} {
		c := newConsole(t, w, w.mia, 80, 24)
		c.press("?")
		c.shows("help for the inbox", "q back")
		c.hides("(q back)")
		c.press(back)
		c.shows("[inbox 1]")
	}
}
