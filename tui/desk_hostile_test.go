package tui_test

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/queue"
	"nod/tui"
	"nod/tui/frame/frametest"
)

// hostileEffect makes an effect of which every text that somebody else writes
// is text: tool, arguments, agent, session, what came back, reference, and the
// words of another operator.
func (w *world) hostileEffect(i int, text string) bool {
	w.t.Helper()
	args, err := json.Marshal(map[string]string{"command": text, text: text})
	if err != nil {
		w.t.Fatal(err)
	}
	agent := w.as("a" + text)
	s := queue.Submit{Kind: "call", Session: text, Call: &queue.Call{Tool: "T" + text, Arguments: jsontext.Value(args), Effect: &queue.Effect{Class: "compensatable"}}}
	ask, err := queue.As[queue.Submitted](w.t.Context(), agent, s)
	if err != nil {
		return false
	}
	w.decide(ask.Ask, queue.VerdictAllow)
	b, err := queue.As[queue.Begun](w.t.Context(), agent, queue.Begin{Ask: ask.Ask, Token: ask.Token, Action: ask.Action, Executor: "e" + text, HostRuns: true})
	if err != nil {
		w.t.Fatal(err)
	}
	said := queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitTimeout, CameBack: text[:min(len(text), 900)], Ref: text[:min(len(text), 400)]}
	if _, err := agent.Do(w.t.Context(), said); err != nil { // cut in a character: it is no text
		said.CameBack, said.Ref = "", ""
		if _, err := agent.Do(w.t.Context(), said); err != nil {
			w.t.Fatal(err)
		}
	}
	if i%4 > 0 {
		return true
	}
	if _, err := w.night.Do(w.t.Context(), queue.Reconcile{Attempt: b.Attempt, Outcome: []queue.AttemptState{"unknown", "committed"}[i/4%2], Page: w.effect().Digest,
		Reason: "r" + text, Evidence: "e" + text, Durable: true}); err != nil {
		w.t.Fatal(err)
	}
	return true
}

func TestTheHostileCorporaOnTheDesk(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the corpora through, in one goroutine")
	}
	w := newWorld(t)
	made := 0
	for i, text := range frametest.Hostile(t, "testdata") {
		if i%2 == 0 && w.hostileEffect(made, text) {
			made++
		}
	}
	if made < 60 {
		t.Fatalf("only %d effects", made)
	}
	for n, size := range [][2]int{{60, 16}, {79, 19}, {80, 24}, {109, 30}, {110, 29}, {120, 40}, {171, 50}} {
		c := newConsole(t, w, w.mia, size[0], size[1], func(o *tui.Options) { o.ASCII = n%2 == 1 })
		look := func(keys ...string) {
			for _, k := range keys {
				c.press(k)
				c.sound()
			}
			c.rest()
			c.sound()
		}
		look("1", "j", "j", "2", "j", "G", "y", "g")
		for range 5 {
			look("enter", "pgdown", "tab", "pgdown", "tab", "shift+down", "tab", "pgdown", "tab", "enter", "end")
			look("1", "2", "enter", "m", "\\", "tab", "x", "ctrl+s", "n", "w", "esc", "x", "u", "u", "esc")
			look("i", "esc", "r", "esc", "q", "2")
			for range 4 {
				c.key("j")
			}
		}
		c.send(tea61())
		c.sound()
	}
}

func tea61() tea.WindowSizeMsg { return tea.WindowSizeMsg{Width: 61, Height: 17} }
