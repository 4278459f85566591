package tui_test

import (
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui"
	"nod/tui/frame/frametest"
)

var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// sound holds what is true of every screen: exactly as many rows and cells as
// the terminal has, and nothing in it but drawn text and our own colours.
func (c *console) sound() {
	c.t.Helper()
	s := c.m.Screen()
	lines := strings.Split(s.Plain(), "\n")
	if len(lines) != s.H {
		c.t.Fatalf("%d rows of %d", len(lines), s.H)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n != s.W {
			c.t.Fatalf("row %d has %d cells of %d: %q", i, n, s.W, l)
		}
		if got := visible.Drawn(l).String(); got != l {
			c.t.Fatalf("row %d holds what no drawing holds: %q", i, l)
		}
	}
	if styled := sgr.ReplaceAllString(c.m.View().Content, ""); styled != s.Plain() {
		c.t.Fatalf("there is more in the styled screen than colours:\n%q\n%q", styled, s.Plain())
	}
	if s.Cursor.X < 0 || s.Cursor.X >= max(s.W, 1) || s.Cursor.Y < 0 || s.Cursor.Y >= max(s.H, 1) {
		c.t.Fatalf("the cursor stands at %+v", s.Cursor)
	}
}

func TestTheHostileCorporaCannotLeaveTheirRows(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the corpora through, in one goroutine")
	}
	w := newWorld(t)
	texts := frametest.Hostile(t, "testdata")
	for i, text := range texts {
		args, err := json.Marshal(map[string]string{"command": text, text: "as a name"})
		if err != nil {
			t.Fatal(err)
		}
		s := queue.Submit{Kind: "call", Session: text, AgentWords: text, Call: &queue.Call{Tool: "T" + text, Arguments: jsontext.Value(args), Cwd: "/" + text}}
		if i%3 == 1 {
			s.Raise = []string{"cross_boundary"}
		}
		if i%5 == 2 {
			s = queue.Submit{Kind: "question", Session: "s", Question: &queue.Question{Text: "Q" + text, Schema: jsontext.Value(`{}`)}}
		}
		if _, err := queue.As[queue.Submitted](t.Context(), w.as("a"+text), s); err != nil {
			t.Logf("refused %q: %v", text, err)
		}
	}
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {200, 60}, {59, 16}, {1, 1}, {61, 19}, {79, 20}, {110, 29}} {
		for _, ascii := range []bool{false, true} {
			c := newConsole(t, w, w.mia, size[0], size[1], func(o *tui.Options) { o.ASCII = ascii })
			c.sound()
			step := 1 + len(texts)/(6*max(40/size[1], 1))
			for n := 0; n < len(texts); n++ {
				if n%step != 0 {
					c.key("j")
					continue
				}
				c.sound()
				c.press("enter")
				c.rest()
				c.sound()
				c.press("pgdown", "n", "w")
				c.write(`x\`)
				c.sound()
				c.press("esc", "x")
				c.sound()
				c.press("j", "?")
				c.sound()
				c.press("q", "q")
			}
			c.press("4")
			c.sound()
		}
	}
}

// The views beside the inbox, every lens, the editor, forms and batches, over
// the corpora at sizes on both sides of each border of the layout.
func TestTheHostileCorporaInEveryView(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the corpora through, in one goroutine")
	}
	w := newWorld(t)
	texts := frametest.Hostile(t, "testdata")
	for i := 0; i < len(texts); i += 3 {
		text := texts[i]
		args, err := json.Marshal(map[string]any{"command": text, "file_path": "/" + text, "content": text + "\n" + text, text: 9})
		if err != nil {
			t.Fatal(err)
		}
		s := queue.Submit{Kind: "call", Session: text, AgentWords: text, Edits: true,
			Call: &queue.Call{Tool: []string{"Bash", "Write", "T" + text}[i/3%3], Arguments: jsontext.Value(args), Cwd: "/" + text}}
		if i%4 == 3 {
			schema, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{
				"a" + text: map[string]any{"enum": []string{text, "b"}, "title": text, "description": text}, "n": map[string]any{"type": "number"}}})
			if err != nil {
				t.Fatal(err)
			}
			s = queue.Submit{Kind: "question", Session: text, Question: &queue.Question{Text: text, Schema: schema}}
		}
		got, err := queue.As[queue.Submitted](t.Context(), w.as("a"+text), s)
		if err == nil && i%9 == 0 {
			w.decide(got.Ask, queue.VerdictDeny)
		}
	}
	for n, size := range [][2]int{{60, 16}, {79, 19}, {80, 24}, {109, 30}, {110, 29}, {120, 40}, {171, 50}} {
		c := newConsole(t, w, w.mia, size[0], size[1], func(o *tui.Options) { o.ASCII = n%2 == 1; o.Name = "mia" })
		look := func(keys ...string) {
			for _, k := range keys {
				c.press(k)
				c.sound()
			}
			c.rest()
			c.sound()
		}
		look("5", "j", "j", "o", "G", "enter", "esc", "6", "t", "j", "j", "d", "enter", "esc", "4", "j", "j", "j", "enter", "tab", "q", ":", "a", "\\", "esc", "1")
		for i := n; i < 60; i += 6 {
			look("enter", "pgdown")
			for range 8 {
				look("tab", "shift+down", "pgdown")
			}
			look("e", "down", "x", "ctrl+s", "y", "esc", "esc", "y", "r", "down", "space", "tab", "5", "ctrl+s", "esc")
			look("1", "space", "j", "space", "B", "n", "J", "q", "esc", "esc", "/", "x", "esc")
			for range 6 {
				c.key("j")
			}
		}
		c.send(tea.WindowSizeMsg{Width: 61, Height: 17})
		c.sound()
	}
}

func TestOpeningShowsTheCardVerbatim(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("echo 'a\u200Bb'\n\trm -rf ~ # " + strings.Repeat("long ", 60)))
	view, err := queue.Get[queue.AskView](t.Context(), w.mia, queue.QAsk{ID: ask.Ask})
	if err != nil {
		t.Fatal(err)
	}
	c := newConsole(t, w, w.mia, 120, 60)
	c.press("enter")
	c.rest()
	got := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" ↳│", r) {
			return -1
		}
		return r
	}, rightPane(c.text()))
	for _, line := range strings.Split(view.Card, "\n") {
		want := strings.NewReplacer(" ", "", "│", "").Replace(line)
		if want = strings.TrimPrefix(want, "·"); !strings.Contains(strings.ReplaceAll(got, "·", ""), strings.ReplaceAll(want, "·", "")) {
			t.Fatalf("the screen lacks %q:\n%s", line, c.text())
		}
	}
}

// rightPane joins what stands right of the divider.
func rightPane(screen string) string {
	var b strings.Builder
	for _, l := range strings.Split(screen, "\n") {
		if _, right, ok := strings.Cut(l, "┊"); ok {
			b.WriteString(right)
		}
	}
	return b.String()
}
