package tui_test

import (
	"strings"
	"testing"

	"nod/queue"
)

// posted is a call of a gateway that says when it handed an answer over.
func posted(command string) queue.Submit {
	s := bash(command)
	s.Receipts = queue.StageHandedOver
	return s
}

// say answers with words, as another operator.
func (w *world) say(id string, verdict queue.Verdict, words string) {
	w.t.Helper()
	row := w.row(id)
	d := queue.Decide{Ask: id, Verdict: verdict, ActionDigest: row.ActionDigest, ShownDigest: row.ShownDigest, Words: words}
	if _, err := w.night.Do(w.t.Context(), d); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) do(p queue.Port, a queue.Act) {
	w.t.Helper()
	if _, err := p.Do(w.t.Context(), a); err != nil {
		w.t.Fatal(err)
	}
}

func TestAnAnswerThatNobodyCollectedIsInTheInbox(t *testing.T) {
	w := newWorld(t)
	s := w.submit(posted("make clean"))
	w.say(s.Ask, queue.VerdictDeny, "not on a \x1b[2JFriday")
	w.now += 31_000
	c := newConsole(t, w, w.mia, 120, 40)
	c.shows("notices 1", "To deliver and to read", "undelivered", "Bash  make clean", "Denied with words, and nobody collected it.",
		"an answer that did not arrive", "decided 14:30:12", "words owed", "nobody collected it", "the words", `Friday`)
	c.hides("\x1b[2J")
	c.press("enter")
	c.shows("inbox / call", "nobody collected it")
	c.press("q", "3", "r")
	c.pass(60)
	c.shows("Acknowledged: it is out of the inbox", "notices 0")
	c.hides("undelivered")
	w.do(w.agent, queue.EndSession{Session: "s1"}) // to have read it is not to have sent it
	c.press("g")
	c.shows("! notice")
	c.press("3")
	c.shows("the words of 1 answer not delivered", "The agent never read them", "family steer")
}

func TestWordsAreSentAgainFromTheConsole(t *testing.T) {
	w := newWorld(t)
	s := w.submit(posted("make clean"))
	w.say(s.Ask, queue.VerdictDeny, "use the other host")
	w.do(w.agent, queue.EndSession{Session: "s1"})
	w.submit(bash("pwd"))
	c := newConsole(t, w, w.mia, 120, 40)
	c.press("R")
	c.pass(60)
	c.shows("Not now: the selected row is about no words.")
	c.press("3", "R")
	c.pass(60)
	c.shows("Send again: they go with the session's next answer, as yours.")
	c.pass(700)
	c.press("y")
	c.shows("Owed again: they go with the next answer that the session collects.")
	c.press("g", "3")
	c.shows("undelivered", "Words to be sent again, with the session's next answer.")
	c.press("X")
	c.pass(60)
	c.shows("Drop: the words are given up, as not needed.")
	c.pass(700)
	c.press("y")
	c.shows("Dropped: nothing of it is owed.")
	c.press("g")
	c.hides("undelivered", "! notice")
	events, err := queue.Get[queue.Events](t.Context(), w.mia, queue.QEvents{Ask: s.Ask, Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	var acts []string
	for i := range events.Events {
		for _, act := range []string{"decide", "notice", "resend", "drop_words"} {
			if strings.Contains(string(events.Events[i].Body), `"act":"`+act+`"`) {
				acts = append(acts, act)
			}
		}
	}
	if got := strings.Join(acts, " "); got != "decide notice resend drop_words" {
		t.Errorf("the events are %s", got)
	}
}

// How far an answer came is said with its card, and in the history.
func TestTheWayOfAnAnswerIsShown(t *testing.T) {
	w := newWorld(t)
	s := w.submit(posted("make clean"))
	w.say(s.Ask, queue.VerdictAllow, "gently")
	w.do(w.agent, queue.Receipt{Ask: s.Ask, Token: s.Token, Got: queue.StageHandedOver})
	c := newConsole(t, w, w.mia, 120, 40)
	c.press("4")
	c.shows("decided 14:30:12 · handed over 14:30:12 · words arrived", "receipt")
	c.press("enter")
	c.shows("handed over")
}

// What becomes of words is said before they are typed, and more than the
// connection carries is not kept.
func TestWordsOverWhatTheConnectionCarries(t *testing.T) {
	w := newWorld(t)
	s := posted("make clean")
	s.WordsMax = 12
	w.submit(s)
	c := newConsole(t, w, w.mia, 120, 40)
	c.press("enter")
	c.rest()
	c.press("w")
	c.pass(60)
	c.shows("nothing says that they were read; 12 bytes at the most")
	c.write("a long sentence")
	c.press("enter")
	c.shows("Not kept", "12")
	c.hides("words (")
}

// On the smallest screen a row says what did not arrive, an acknowledgement wants
// the sentence read first, and a decided ask says that its words are owed.
func TestWordsThatDidNotArriveOnASmallScreen(t *testing.T) {
	w := newWorld(t)
	s := w.submit(posted("make clean"))
	w.say(s.Ask, queue.VerdictDeny, "one")
	s2 := w.submit(posted("make more"))
	w.say(s2.Ask, queue.VerdictDeny, "two")
	w.do(w.agent, queue.EndSession{Session: "s1"})
	c := newConsole(t, w, w.mia, 60, 16)
	c.shows("the words of 2 answers not delivered")
	c.press("3", "r")
	c.pass(60)
	c.shows("Read first: Its run ended (leg_end)")
	c.press("r")
	c.pass(60)
	c.shows("Acknowledged")
	w.do(w.mia, queue.Resend{Ask: s.Ask})
	c.press("g")
	c.press("3", "enter")
	c.shows("denied", "words to be sent again")
}

// Two consoles on one notice: the second is told who was first.
func TestTheSecondIsToldWhoWasFirst(t *testing.T) {
	w := newWorld(t)
	s := w.submit(posted("make clean"))
	w.say(s.Ask, queue.VerdictDeny, "one")
	w.now += 31_000
	c := newConsole(t, w, w.mia, 120, 40)
	c.press("3")
	w.do(w.night, queue.AckDelivery{Ask: s.Ask})
	c.press("r")
	c.pass(60)
	c.shows("Not done: this delivery was acknowledged already; first: night-desk.")
}

// An answer that nobody collected and that holds no more is not called allowed.
func TestWhatWasRevokedBeforeAnybodyCollectedIt(t *testing.T) {
	w := newWorld(t)
	s := w.submit(posted("make clean"))
	w.say(s.Ask, queue.VerdictAllow, "one")
	w.now += 31_000
	c := newConsole(t, w, w.mia, 120, 40)
	c.shows("Allowed with words, and nobody collected it.")
	w.do(w.night, queue.Revoke{Ask: s.Ask})
	c.press("g", "3")
	c.shows("Allowed with words, then revoked, and nobody collected it.")
}
