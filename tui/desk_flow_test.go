package tui_test

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"nod/ambiguity"
	"nod/queue"
	"nod/tui"
)

// stands is how the newest effect stands in the queue.
func (w *world) stands(want ambiguity.Standing) queue.Desk {
	w.t.Helper()
	d := w.effect()
	if d.Effect.Standing != want {
		w.t.Fatalf("the effect stands %s, not %s: %+v", d.Effect.Standing, want, d.Facts)
	}
	return d
}

// fill writes reason and evidence into the form that a key opens, and keeps it.
func (c *console) fill(key, reason, evidence string) {
	c.t.Helper()
	c.press(key)
	c.pass(100)
	c.shows("reason", "keeps it, not sent yet")
	c.write(reason)
	if evidence != "" {
		c.press("tab")
		c.write(evidence)
	}
	c.press("ctrl+s")
	c.rest()
}

func TestAnUnknownOutcomeIsOnTopOfTheInbox(t *testing.T) {
	w := newWorld(t, refunds(t))
	w.submit(bash("ls"))
	w.lost("pay_8842")
	c := newConsole(t, w, w.mia, 80, 24)
	c.shows("effects 1", "Agents blocked by an unknown outcome", "▌◇ unknown", "billing.refund  pay_8842  by shop-fixer")
	c.press("enter")
	c.shows("effects / not confirmed 1 of 1", "unknown", "1 refused", "page "+w.pageCode(),
		"exit status timeout, outcome not stated: it tells of", `["local","refund","pay_8842"]`, "48.00 EUR", "Not yet: lease and lag end at 14:45:12")
	c.press("q")
	c.shows("[inbox 1]", "▌◇ unknown")
}

func TestItHappened(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}} {
		w := newWorld(t, refunds(t))
		w.lost("pay_8842")
		c := w.atDesk(size[0], size[1])
		c.press("m")
		c.pass(100)
		c.shows("It happened: repeats are refused duplicate_effect")
		c.press("ctrl+s")
		c.shows("Not kept: an answer wants a reason")
		c.write("mia sees it in the dashboard")
		c.press("enter", "enter", "space", "enter") // Enter at the last field keeps, and sends nothing
		c.shows("Not kept: an answer that leaves unknown wants evidence")
		c.write("case 55120")
		c.press("ctrl+s")
		c.rest()
		w.stands(ambiguity.StandsUnknown)
		c.shows("Armed: m gives it", "durable")
		c.press("enter", "space", "tab", "shift+tab")
		c.rest()
		w.stands(ambiguity.StandsUnknown)
		c.press("m")
		c.shows("Giving: m counts in 400 ms")
		w.stands(ambiguity.StandsUnknown)
		c.rest()
		d := w.stands(ambiguity.StandsCommitted)
		f := d.Facts[len(d.Facts)-1]
		if f.Reason != "mia sees it in the dashboard" || f.Seen != "case 55120" || !f.Durable || f.By != "mia" || d.Effect.Open {
			t.Fatalf("%+v", f)
		}
		c.shows("Settled: at 14:30:", "committed")
		c.press("q")
		c.shows("Settled lately", "✓ committed")
	}
}

func TestItDidNotHappenWantsTheFullGate(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}} {
		w := newWorld(t, refunds(t))
		w.lost("pay_8842")
		c := w.atDesk(size[0], size[1])
		c.press("v")
		c.shows("Not now: lease and settle time are not over")
		w.now += 20 * minute
		c.changed()
		c.rest()
		c.hides("Not yet")
		c.fill("v", "support finds no refund", "case 55120")
		c.press("v")
		c.shows("Not armed:", "not")
		c.readToEnd()
		c.rest()
		c.press("v")
		c.pass(100)
		c.shows("It did not happen: opens one new attempt", "the last part of the effect key", "["+w.pageCode()+"]")
		c.write("pay_8843")
		c.shows("Wrong value: it is another one")
		c.rest()
		c.rest()
		c.press("v")
		c.pass(100)
		c.write("pay_8842")
		wrong := []byte(w.pageCode())
		wrong[0] = "0123456789abcdef0"[strings.IndexByte("0123456789abcdef", wrong[0])+1]
		c.write(string(wrong))
		c.shows("Wrong code: " + string(wrong) + " is not it")
		c.rest()
		w.stands(ambiguity.StandsUnknown)
		c.press("v")
		c.pass(100)
		c.write("pay_8842" + w.pageCode()) // the code of the page, not of the card
		c.pass(60)
		d := w.stands(ambiguity.StandsFree)
		c.shows("Settled:", "one new attempt may begin")
		if d.Effect.Open || d.Facts[len(d.Facts)-1].Page == d.Digest {
			t.Errorf("%+v", d.Facts)
		}
		if _, err := w.as("support-bot").Do(t.Context(), refund("pay_8842")); err != nil {
			t.Errorf("the retry is refused: %v", err)
		}
	}
}

func TestStillUnknownAndDrop(t *testing.T) {
	w := newWorld(t, refunds(t))
	w.lost("pay_8842")
	c := w.atDesk(80, 24)
	c.fill("u", "the provider's desk is closed until nine", "")
	c.shows("Still unknown: repeats stay blocked")
	c.press("x")
	c.pass(80)
	c.shows("Dropped:")
	c.rest()
	c.press("u") // writes again, gives nothing
	c.rest()
	c.press("ctrl+s")
	c.shows("Not kept: an answer wants a reason")
	c.write("closed until nine")
	c.press("ctrl+s")
	c.rest()
	c.press("u")
	c.rest()
	d := w.stands(ambiguity.StandsUnknown)
	if f := d.Facts[len(d.Facts)-1]; f.Kind != ambiguity.Reconciliation || f.Reason != "closed until nine" {
		t.Fatalf("%+v", f)
	}
	c.shows("Kept: at 14:30", "stays unknown")
}

// What was written stands when another key or another page comes; an answer is
// of the page that was read.
func TestEvidenceThatComesInDisarmsAndKeepsWhatWasWritten(t *testing.T) {
	seen := queue.Observe{Outcome: queue.AttemptCommitted, Seen: `GET gave "re_19c", "pending"`}
	t.Run("in the form", func(t *testing.T) {
		w := newWorld(t, refunds(t))
		b := w.lost("pay_8842")
		c := w.atDesk(80, 24)
		c.press("m")
		c.pass(100)
		c.write("I saw it")
		w.saw(b, seen)
		c.changed()
		c.shows("Changed: evidence came in", "reason    I saw it", "observer")
		c.press("tab")
		c.write("case 1")
		c.press("ctrl+s")
		c.rest()
		c.press("m")
		c.rest()
		w.stands(ambiguity.StandsCommitted)
	})
	t.Run("while it is given", func(t *testing.T) {
		w := newWorld(t, refunds(t))
		b := w.lost("pay_8842")
		c := w.atDesk(80, 24)
		c.fill("m", "I saw it", "case 1")
		c.press("m")
		c.shows("Giving:")
		w.saw(b, seen)
		c.changed()
		c.rest()
		c.shows("Changed: evidence came in, so nothing was answered", "reason    I saw it")
		w.stands(ambiguity.StandsUnknown)
	})
	t.Run("in the open line", func(t *testing.T) {
		w := newWorld(t, refunds(t))
		b := w.lost("pay_8842")
		w.now += 20 * minute
		c := w.atDesk(80, 24)
		c.fill("v", "no refund there", "case 1")
		c.readToEnd()
		c.rest()
		c.press("v")
		c.pass(100)
		c.write("pay_8842")
		w.saw(b, queue.Observe{Outcome: queue.AttemptUnknown, Why: "timeout"})
		c.changed()
		c.shows("Changed: evidence came in", "lines", "not shown yet")
		c.write(w.pageCode()) // meant for the line that closed
		c.pass(1200)
		w.stands(ambiguity.StandsUnknown)
		c.press("v")
		c.shows("Not armed:")
		c.press("g")
		c.readToEnd()
		c.rest()
		c.press("v")
		c.pass(100)
		c.write("pay_8842" + w.pageCode())
		c.pass(60)
		w.stands(ambiguity.StandsFree)
	})
	t.Run("before the console heard of it", func(t *testing.T) {
		w := newWorld(t, refunds(t))
		b := w.lost("pay_8842")
		c := w.atDesk(80, 24)
		c.fill("m", "I saw it", "case 1")
		w.saw(b, queue.Observe{Outcome: queue.AttemptUnknown, Why: "timeout"})
		c.press("m")
		c.pass(420)
		w.stands(ambiguity.StandsUnknown)
		c.pass(300)
		c.shows("Not taken: evidence came in since this page was read; read it again.", "reason    I saw it")
		c.rest()
		c.press("m")
		c.rest()
		w.stands(ambiguity.StandsCommitted)
	})
}

func TestAnotherOperatorWasFirst(t *testing.T) {
	w := newWorld(t, refunds(t))
	b := w.lost("pay_8842")
	c := w.atDesk(80, 24)
	c.fill("m", "I saw it", "case 1")
	d := w.effect()
	if _, err := w.night.Do(t.Context(), queue.Reconcile{Attempt: b.Attempt, Outcome: queue.AttemptCommitted, Page: d.Digest, Reason: "seen", Evidence: "case 9"}); err != nil {
		t.Fatal(err)
	}
	c.press("m")
	c.pass(420)
	c.shows("night-desk settled it at 14:30")
	c.rest()
	d = w.effect()
	if n := len(d.Facts); d.Facts[n-1].By != "night-desk" {
		t.Fatalf("%+v", d.Facts[n-1])
	}
}

// An answer that was settled is corrected by the same forms; a correction that
// makes two of them opens an item that a person acknowledges.
func TestACorrectionOfAnOlderAttemptIsAPossibleDouble(t *testing.T) {
	w := newWorld(t, refunds(t))
	w.lost("pay_8842")
	w.now += 20 * minute
	c := w.atDesk(80, 24)
	c.fill("v", "no refund there", "case 1")
	c.readToEnd()
	c.rest()
	c.press("v")
	c.pass(100)
	c.write("pay_8842" + w.pageCode())
	c.rest()
	w.stands(ambiguity.StandsFree)
	w.now += 1000
	b := w.begin(refund("pay_8842"))
	if _, err := w.agent.Do(t.Context(), queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitFailure}); err != nil {
		t.Fatal(err)
	}
	c.changed()
	c.rest()
	c.shows("attempt 2 of 2")
	c.press("N")
	c.rest()
	c.shows("attempt 1 of 2")
	c.fill("m", "it is there after all", "statement of december")
	c.shows("Correction, it happened:")
	c.press("m")
	c.rest()
	d := w.effect()
	if !d.Effect.Double || d.Facts[len(d.Facts)-1].Kind != ambiguity.Correction {
		t.Fatalf("%+v", d.Effect)
	}
	c.fill("r", "told the customer", "")
	c.shows("Read: it only says that you read")
	c.press("r")
	c.rest()
	if d := w.effect(); d.Effect.Double {
		t.Fatalf("%+v", d.Effect)
	}
	c.shows("Read: at 14:5", "stays on the desk")
}

func TestDivergentContentIsADiffAndIsAcknowledged(t *testing.T) {
	w := newWorld(t, refunds(t))
	b := w.lost("pay_8842")
	w.saw(b, queue.Observe{Outcome: queue.AttemptCommitted, Durable: true, Divergent: true, Seen: "amount differs",
		Allowed: "{\n  \"amount\": 4800\n}\n", Content: "{\n  \"amount\": 9900\n}\n"})
	c := w.atDesk(120, 40)
	c.shows("divergent: it happened, with other content than allowed", "diff", "Open: r says that you read it")
	c.press("tab")
	c.rest()
	c.shows("[diff]", "allowed against observed", "-    \"amount\": 4800", "+    \"amount\": 9900")
	c.fill("r", "the customer got too much; finance knows", "")
	c.press("r")
	c.rest()
	if d := w.effect(); d.Effect.Open || d.Effect.Standing != ambiguity.StandsCommitted {
		t.Fatalf("%+v", d.Effect)
	}
	c.press("q")
	c.shows("Settled lately", "committed")
}

func TestADistinctEffectIsOpenedOnPurpose(t *testing.T) {
	w := newWorld(t, refunds(t))
	w.lost("pay_8842")
	c := w.atDesk(80, 24)
	c.press("i")
	c.shows("Not now: only beside an effect that happened another one opens.")
	c.fill("m", "I saw it", "case 1")
	c.press("m")
	c.rest()
	c.fill("i", "the customer paid twice", "")
	c.shows("One more, on purpose: lets a second one be asked for")
	c.press("i")
	c.rest()
	c.shows("Opened: at 14:30")
	d := w.stands(ambiguity.StandsFree)
	if d.Effect.Ordinal != 2 || d.Facts[0].Reason != "the customer paid twice" {
		t.Fatalf("%+v", d)
	}
	c.press("q", "g")
	c.shows("○ opened")
	c.press("enter")
	c.rest()
	c.shows("opened: nothing of it began yet", "effect 2 of its key")
	for _, k := range []string{"m", "v", "u", "i", "r"} {
		c.press(k)
		c.shows("Not now:")
	}
}

func TestNothingButTheKeyGivesAnAnswer(t *testing.T) {
	w := newWorld(t, refunds(t))
	w.lost("pay_8842")
	c := w.atDesk(80, 24)
	c.fill("m", "I saw it", "case 1")
	for _, k := range []string{"enter", "space", "tab", "shift+tab", "up", "down", "pgdown", "home", "end", "y", "Y", "a", "M", "ｍ", "м", "alt+m", "ctrl+a", "f3", "j", "k", "n", "J", "K", "N"} {
		c.press(k)
		c.rest()
		w.stands(ambiguity.StandsUnknown)
	}
	c.shows("It happened", "reason")
	c.send(tea.PasteMsg{Content: "m"})
	c.rest()
	c.send(tea.MouseClickMsg{X: 3, Y: 3})
	c.rest()
	w.stands(ambiguity.StandsUnknown)
	for range 20 { // held down, or typed by a cat
		c.key("m")
		c.pass(30)
	}
	c.rest()
	w.stands(ambiguity.StandsUnknown)
	for _, r := range "my mum" { // a paste without its brackets
		c.key(string(r))
	}
	c.rest()
	w.stands(ambiguity.StandsUnknown)
	c.press("j")
	c.press("m")
	c.shows("Too soon: m came")
	c.rest()
	w.stands(ambiguity.StandsUnknown)
	c.send(tea.BlurMsg{})
	c.press("m")
	c.rest()
	c.send(tea.FocusMsg{})
	c.press("m")
	c.rest()
	w.stands(ambiguity.StandsUnknown)
	c.press("m", "j")
	c.rest()
	w.stands(ambiguity.StandsUnknown)
	c.press("m")
	c.rest()
	w.stands(ambiguity.StandsCommitted)
}

func TestAPasteInTheFormIsText(t *testing.T) {
	w := newWorld(t, refunds(t))
	w.lost("pay_8842")
	c := w.atDesk(80, 24)
	c.press("m")
	c.pass(100)
	c.send(tea.PasteMsg{Content: "seen\x1b[2J by\nme"})
	c.shows(`seen\u{1B}[2J by⏎me`)
	for _, r := range "and\rthat\r" {
		c.key(map[rune]string{'\r': "enter"}[r] + strings.Trim(string(r), "\r"))
	}
	c.rest()
	c.shows("keeps it, not sent yet", "and⏎that⏎")
	w.stands(ambiguity.StandsUnknown)
	c.press("esc")
	c.shows("Left:")
	c.rest()
	c.press("m")
	c.rest()
	c.hides("u{1B}")
}

func TestWhatWasWrittenIsThereAgain(t *testing.T) {
	w := newWorld(t, refunds(t))
	w.lost("pay_8842")
	c := w.atDesk(80, 24)
	c.fill("m", "I saw it", "case 1")
	c.press("q")
	c.shows("Kept: what you wrote for that effect")
	c.press("enter")
	c.rest()
	c.shows("It happened:", "I saw it")
	c.press("u") // another answer, with the same words
	c.pass(100)
	c.shows("Still unknown:", "I saw it", "case 1")
	c.press("esc")
	c.rest()
	c.shows("It happened:")
}

// Somebody else said the same while it was written: the words are there for
// another answer, also after the effect was left.
func TestWordsForAnAnswerThatStandsAlreadyAreKept(t *testing.T) {
	w := newWorld(t, refunds(t))
	b := w.lost("pay_8842")
	c := w.atDesk(80, 24)
	c.press("m")
	c.pass(100)
	c.write("I saw it")
	c.press("tab")
	c.write("case 1")
	if _, err := w.night.Do(t.Context(), queue.Reconcile{Attempt: b.Attempt, Outcome: queue.AttemptCommitted, Page: w.effect().Digest, Reason: "seen", Evidence: "case 9"}); err != nil {
		t.Fatal(err)
	}
	c.changed()
	c.press("ctrl+s")
	c.shows("Not now: that is how it stands already; what you wrote stays for another")
	c.press("q")
	c.shows("Kept: what you wrote for that effect")
	c.press("enter")
	c.rest()
	c.press("enter")
	c.shows("Not now: no open ask has its key.")
	c.press("u")
	c.pass(100)
	c.shows("Correction, still unknown:", "I saw it", "case 1")
}

// An answer that was written does not become a correction under the hand.
func TestAnAnswerDoesNotBecomeACorrection(t *testing.T) {
	w := newWorld(t, refunds(t))
	b := w.lost("pay_8842")
	w.now += 20 * minute
	c := w.atDesk(80, 24)
	c.fill("m", "I saw it", "case 1")
	if _, err := w.night.Do(t.Context(), queue.Reconcile{Attempt: b.Attempt, Outcome: queue.AttemptNotExecuted, Page: w.effect().Digest, Reason: "support says so",
		Evidence: "case 9", Confirm: "pay_8842"}); err != nil {
		t.Fatal(err)
	}
	c.changed()
	c.rest()
	c.press("m")
	c.rest()
	w.stands(ambiguity.StandsFree)
	c.shows("Correction, it happened:", "reason    I saw it", "evidence  case 1")
}

// What an answer opened is used: the sentence that said so goes.
func TestWhatAnAnswerOpenedIsNoMoreSaidOnceItBegan(t *testing.T) {
	w := newWorld(t, refunds(t))
	w.lost("pay_8842")
	w.now += 20 * minute
	c := w.atDesk(80, 24)
	c.fill("v", "no refund there", "case 1")
	c.readToEnd()
	c.rest()
	c.press("v")
	c.pass(100)
	c.write("pay_8842" + w.pageCode())
	c.pass(60)
	c.shows("Settled: at 14:50", "so one new attempt may begin")
	w.now += 1000
	w.lost("pay_8842")
	c.changed()
	c.hides("so one new attempt may begin")
	c.press("N") // the first attempt, which is settled
	c.rest()
	c.hides("says that you read it")
	c.shows("Settled: the answers correct it now")
}

// At the end no page follows, so PgDn is not named for what was passed over.
func TestAtTheEndTheKeyThatShowsTheRestIsNamed(t *testing.T) {
	for size, says := range map[[2]int]string{{80, 24}: "; n shows them.", {60, 16}: "Not armed: n shows what is left"} {
		w := newWorld(t, refunds(t))
		w.lost("pay_8842")
		w.now += 20 * minute
		c := w.atDesk(size[0], size[1])
		c.fill("v", "no refund there", "case 1")
		c.shows("PgDn or n shows")
		c.press("G")
		c.rest()
		c.shows("Not armed:", says)
		c.press("v")
		c.shows("Not armed:", says)
	}
}

// What is said of an allow goes when it is begun: no key takes it back then.
func TestAnAllowThatBeganIsNoMoreSaidToBeOpen(t *testing.T) {
	w, c, ask := opened(t, 80, 24)
	c.readToEnd()
	c.rest()
	c.press("a")
	c.pass(100)
	c.write(w.code(ask.Ask))
	c.pass(60)
	c.shows("Allowed: at 14:30")
	if _, err := w.as("shop-fixer").Do(t.Context(), queue.Begin{Ask: ask.Ask, Token: ask.Token, Action: ask.Action, Executor: "nod hook"}); err != nil {
		t.Fatal(err)
	}
	c.changed()
	c.shows("Begun: at 14:30")
	c.hides("the gate is open once")
}

func TestTheObserversAreAskedOffTheLoop(t *testing.T) {
	w := newWorld(t, refunds(t))
	b := w.lost("pay_8842")
	c := w.atDesk(80, 24)
	c.press("o")
	c.shows("Not now: this console cannot ask observers.")
	asked := 0
	c = w.atDesk(80, 24, func(o *tui.Options) {
		o.Observe = func(_ context.Context, effect string) ([]tui.Observation, error) {
			if asked++; effect != w.effect().Effect.ID {
				t.Errorf("asked about %q", effect)
			}
			w.saw(b, queue.Observe{Outcome: queue.AttemptCommitted, Durable: true, Ref: "re_19c"})
			return []tui.Observation{{Observer: "refunds", Outcome: queue.AttemptCommitted, Durable: true}}, nil
		}
	})
	c.pass(100)
	c.key("o")
	c.hold = true
	c.pass(80)
	c.shows("Asking: 1 observer is being asked")
	c.hold = false
	c.press("o")
	c.shows("Not now: observers are being asked already.")
	held := c.held
	c.held = nil
	for _, msg := range held {
		c.send(msg)
	}
	c.rest()
	c.shows("committed", `reference "re_19c"`)
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	w.stands(ambiguity.StandsCommitted)
}
