package tui_test

import (
	"fmt"
	"strings"
	"testing"

	"nod/queue"
)

// TestTheHandStaysFarDown: what is answered or set aside far down a long list
// leaves the hand on its neighbour, not on the first row.
func TestTheHandStaysFarDown(t *testing.T) {
	for name, leave := range map[string]func(c *console){
		"snoozed":  func(c *console) { c.press("z", "enter") },
		"denied":   func(c *console) { c.press("enter"); c.rest(); c.press("x"); c.rest(); c.press("esc") },
		"the last": func(c *console) { c.press("G"); c.rest(); c.press("z", "enter") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			for i := range 330 {
				w.submit(queue.Submit{Kind: "call", Session: "s1", Call: &queue.Call{Tool: "Tool" + fmt.Sprint(i), Arguments: []byte(`{}`), Cwd: "/srv"}})
			}
			c := newConsole(t, w, w.mia, 80, 24)
			for range 15 {
				c.press("pgdown")
				c.pass(50)
			}
			if name == "the last" {
				c.press("G")
				c.rest()
			}
			leave(c)
			c.rest()
			want := 284 // of 15 pages of 19 rows
			if name == "the last" {
				want = 327
			}
			for _, row := range strings.Split(c.text(), "\n") {
				if strings.HasPrefix(row, "▌") {
					var at int
					if _, err := fmt.Sscanf(row[strings.Index(row, "Tool"):], "Tool%d", &at); err != nil {
						t.Fatal(err)
					}
					if at < want-20 || at == 329 {
						t.Fatalf("the hand went to %q:\n%s", row, c.text())
					}
					return
				}
			}
			t.Fatalf("no hand:\n%s", c.text())
		})
	}
}

// TestWhatHappensToTheOpenAskIsSaidOverAnOlderMessage: a message stays until
// the next act, but the ask's end is one.
func TestWhatHappensToTheOpenAskIsSaidOverAnOlderMessage(t *testing.T) {
	for name, end := range map[string]func(w *world, c *console, id string){
		"Expired: no person answered": func(_ *world, c *console, _ string) { c.pass(11 * 60_000) },
		"Gone: night-desk denied it":  func(w *world, c *console, id string) { w.decide(id, queue.VerdictDeny); c.changed() },
	} {
		w := newWorld(t)
		short := bash("ls")
		short.AnswerInMS = 10 * 60_000
		ask := w.submit(short)
		c := newConsole(t, w, w.mia, 80, 24)
		c.press("enter")
		c.rest()
		c.press("c")
		c.rest()
		c.shows("Claimed: ")
		end(w, c, ask.Ask)
		c.shows(name)
	}
}

func TestNothingUnderTheHandIsSaidAsSuch(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 80, 24)
	c.press("/")
	c.write("zzz")
	c.press("enter", "c")
	c.shows("Not now: no ask is selected.")
}
