package tui_test

import (
	"strings"
	"testing"

	"nod/queue"
)

// TestTheKeysOneNeedsNextStay: at the least size the keys row names what SCREENS
// §13 names there, and what ends the layer that is open.
func TestTheKeysOneNeedsNextStay(t *testing.T) {
	w := newWorld(t)
	w.submit(queue.Submit{Kind: "question", Session: "s1", Question: &queue.Question{Text: "Which?", Schema: []byte(`{"type":"string","enum":["a","b"]}`)}})
	c := newConsole(t, w, w.mia, 60, 16)
	last := func(wants ...string) {
		t.Helper()
		rows := strings.Split(strings.TrimRight(c.text(), "\n"), "\n")
		for _, want := range wants {
			if row := rows[len(rows)-1]; !strings.Contains(row, want) {
				t.Errorf("%q is not in %q", want, row)
			}
		}
	}
	last("Enter open", "/ search", ": palette", "? help", "q quit")
	c.press("enter")
	last("PgDn next", "x deny", "r write…", "? help")
	c.press("r")
	last("arrows choose", "Enter keeps", "Esc leave")
	c.press("esc", "esc")
	w.submit(bash("ls"))
	c.changed()
	c.press("g", "/")
	c.write("tool:Bash")
	c.press("enter", "enter")
	last("PgDn next", "(a approve…)", "x deny", "Tab lens", "? help")
	c.readToEnd()
	last("a approve…", "x deny", "w words", "Tab lens", "? help")
}
