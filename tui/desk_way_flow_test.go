package tui_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"nod/ambiguity"
	"nod/queue"
	"nod/tui"
	"nod/tui/keys"
)

func TestWhoWaitsAndTheWayThereAndBack(t *testing.T) {
	w := newWorld(t, refunds(t))
	waits := w.submit(refund("pay_8842"))
	w.lost("pay_8842")
	c := w.atDesk(80, 24)
	c.press("enter")
	c.shows("Not now: no waiting ask is selected")
	c.press("shift+tab")
	c.rest()
	c.shows("[who waits 2]", "Refused because of it", "support-bot  1 time", "ambiguous_effect", "Open asks of the same key", "▌● pending")
	c.press("enter")
	c.rest()
	c.shows("call", "pending", "only the card is approved")
	if c.text() == "" || w.row(waits.Ask).State != queue.StatePending {
		t.Fatal("the ask did not open")
	}
	c.press("q")
	c.rest()
	c.shows("effects / not confirmed", "[desk]")
	c.press("q")
	c.shows("[effects 1]")
	c.press("4", "enter")
	c.rest()
	c.shows("outcome unknown")
	c.press("E")
	c.rest()
	c.shows("not confirmed", "[desk]")
	c.press("q")
	c.rest()
	c.shows("history / call", "outcome unknown")
	c.press("q", "E")
	c.rest()
	c.shows("not confirmed", "[desk]")
	c.press("q")
	c.shows("[history]")
}

func TestNothingMovesUnderTheHandWhenAnOutcomeBecomesUnknown(t *testing.T) {
	w := newWorld(t, refunds(t))
	w.submit(bash("one"))
	w.submit(bash("two"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("j")
	at := func(row string) int { return strings.Index(c.text(), row) }
	before := at("Bash  two")
	w.lost("pay_8842")
	c.changed()
	c.shows("effects 1", "New: 1 unknown outcome came in and nothing moved under your hand; g shows it.", "[inbox 2 +1]")
	if at("Bash  two") != before {
		t.Fatalf("the row moved:\n%s", c.text())
	}
	c.press("g")
	c.shows("▌◇ unknown", "Agents blocked by an unknown outcome")
	w.lost("pay_8843")
	c.changed()
	c.shows("effects 2", "+1")
	c.press("enter")
	c.rest()
	c.fill("m", "I saw it", "case 1")
	c.press("m")
	c.rest()
	c.press("q")
	c.shows("◇ unknown", "pay_8843", "▌○ call")
}

// The desk's keys are bound as any others; its sentences and its gate follow.
func TestTheDesksKeysAreBound(t *testing.T) {
	if _, err := keys.Rebind(keys.Table(), map[string]string{"happened": "enter"}); err == nil {
		t.Fatal("Enter answers")
	}
	table, err := keys.Rebind(keys.Table(), map[string]string{"happened": "v", "not-happened": "m", "rewrite": "R", "still-unknown": "s"})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, refunds(t))
	w.lost("pay_8842")
	c := w.atDesk(80, 24, func(o *tui.Options) { o.Keys = table })
	c.shows("so m waits; v and s are open now.", "v happened…", "(m did not happen…)")
	c.fill("v", "I saw it", "case 1")
	c.shows("Armed: v gives it, when 400 ms of rest follow; R changes what you wrote.")
	c.press("m")
	c.rest()
	w.stands(ambiguity.StandsUnknown)
	c.press("v")
	c.rest()
	w.stands(ambiguity.StandsCommitted)
}

// The form hides rows of the page: what it hides does not count as shown.
func TestWhatTheFormHidesIsNotRead(t *testing.T) {
	w := newWorld(t, refunds(t))
	w.lost("pay_8842")
	w.now += 20 * minute
	c := w.atDesk(80, 24)
	c.press("tab") // the page
	c.rest()
	before := unread(c)
	c.press("m")
	c.rest()
	for range 3 {
		c.press("esc")
		c.rest()
		c.press("m")
		c.rest()
	}
	c.press("esc")
	c.rest()
	if got := unread(c); got != before {
		t.Errorf("%s lines were not shown, then %s", before, got)
	}
	c.press("?") // the help covers all of it
	c.rest()
	c.press("q")
	c.rest()
	if got := unread(c); got != before {
		t.Errorf("after the help %s", got)
	}
}

func unread(c *console) string {
	_, rest, _ := strings.Cut(c.text(), "lines 1-")
	line, _, _ := strings.Cut(rest, "\n")
	_, n, _ := strings.Cut(line, "  ")
	return n
}

// A long list of effects comes by pages, the open ones first.
func TestEffectsComeByPages(t *testing.T) {
	w := newWorld(t, refunds(t))
	for i := range 130 {
		w.lost(fmt.Sprint("pay_", i))
	}
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("2")
	c.shows("[effects 130]", "pay_129")
	c.press("end")
	c.rest()
	c.press("end")
	c.shows("▌◇ not confirmed", "pay_0 ")
	c.press("g")
	c.shows("pay_129")
	c.press("j", "j")
	at := strings.Index(c.text(), "▌")
	w.lost("pay_new")
	c.changed()
	c.shows("[effects 131 +1]")
	c.hides("pay_new")
	if strings.Index(c.text(), "▌") < at-2 || strings.Index(c.text(), "▌") > at+2 {
		t.Errorf("the row moved:\n%s", c.text())
	}
}

// A frame that is drawn while the form is open shows less of the page.
func TestAResizeUnderTheFormReadsNoHiddenRow(t *testing.T) {
	w := newWorld(t, refunds(t))
	w.lost("pay_8842")
	c := w.atDesk(120, 34)
	c.press("m")
	c.pass(100)
	c.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	c.rest()
	c.rest()
	text := c.text()
	last, _, _ := strings.Cut(text[:strings.Index(text, "It happened:")], "\x00")
	rows := strings.Split(strings.TrimRight(last, " \n"), "\n")
	_, bottom, _ := strings.Cut(rows[len(rows)-1], "┊")
	c.silent = true // what is drawn from here on counts for nothing
	c.press("esc")
	c.shows("not shown yet")
	unseen := 0
	after := strings.Split(c.text(), "\n")
	for i, r := range after {
		if strings.Contains(r, strings.TrimSpace(bottom)) && len(strings.TrimSpace(bottom)) > 4 {
			for _, below := range after[i+1 : i+4] {
				if _, right, ok := strings.Cut(below, "┊"); ok && strings.HasPrefix(right, "░") {
					unseen++
				}
			}
			break
		}
	}
	if unseen == 0 {
		t.Errorf("rows under the form count as shown:\n%s\n%s", text, c.text())
	}
}
