package tui_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/go-json-experiment/json"

	"nod/queue"
)

// TestAHeavyLensIsWrappedBesideTheLoop: a window that changes waits for no lens
// of much text, and a lens that nobody looks at is not kept.
func TestAHeavyLensIsWrappedBesideTheLoop(t *testing.T) {
	w := newWorld(t)
	for _, heavy := range []bool{true, false} {
		text := "echo one"
		if heavy {
			text = "a" + strings.Repeat("\u0301", 100_000)
		}
		args, err := json.Marshal(map[string]string{"command": text})
		if err != nil {
			t.Fatal(err)
		}
		s := queue.Submit{Kind: "call", Session: "s", Raise: []string{"cross_boundary"}, Call: &queue.Call{Tool: "T", Arguments: args}}
		if _, err := queue.As[queue.Submitted](t.Context(), w.as("a"), s); err != nil {
			t.Fatal(err)
		}
		c := newConsole(t, w, w.mia, 120, 40)
		if !heavy {
			c.press("j")
		}
		c.press("enter")
		c.press("tab")
		c.shows("shell · not part of what you approve")
		_, cmd := c.m.Update(tea.WindowSizeMsg{Width: 118, Height: 40})
		if made := !strings.Contains(c.text(), "shell · being made"); made == heavy {
			t.Fatalf("a lens of %d bytes is wrapped in the loop: %v\n%s", len(text), made, c.text())
		}
		for range 3 { // they come in a row while the first is worked on
			_, more := c.m.Update(tea.WindowSizeMsg{Width: 116, Height: 40})
			defer c.run(more)
		}
		c.run(cmd)
		c.shows("shell · not part of what you approve")
		c.sound()
	}
}
