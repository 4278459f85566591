package tui_test

import (
	"image/color"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/themes"
	"nod/tui"
	"nod/tui/keys"
)

func pair(o *tui.Options) { o.Choice = themes.Choice{Light: "light", Dark: "dark"} }

// onLight and onDark are sequences of the accent in the light and dark theme.
const (
	onLight = "38;2;11;100;120"
	onDark  = "38;2;108;199;217"
)

func TestThePairFollowsTheBackground(t *testing.T) {
	for name, c := range map[string]struct {
		answer tea.Msg
		after  int64
		want   string
	}{
		"light":  {tea.BackgroundColorMsg{Color: color.White}, 40, onLight},
		"dark":   {tea.BackgroundColorMsg{Color: color.Black}, 40, onDark},
		"silent": {nil, 2000, onDark},
		"late":   {tea.BackgroundColorMsg{Color: color.White}, 2000, onDark},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.submit(bash("ls"))
			con := newConsole(t, w, w.mia, 80, 24, pair)
			con.pass(c.after)
			con.send(c.answer)
			if styled := con.m.View().Content; !strings.Contains(styled, c.want) {
				t.Errorf("the accent is not %s: %q", c.want, styled[:200])
			}
		})
	}
}

// T goes on to the operator's own themes, and an answer that comes after it
// changes nothing.
func TestTGoesThroughTheOperatorsThemes(t *testing.T) {
	text := "name = \"mine\"\n"
	for _, r := range themes.Roles() {
		text += "[" + r.String() + "]\n"
	}
	set := themes.NewSet([]themes.File{{Name: "mine", Path: "mine.toml", Text: []byte(text)}})
	w := newWorld(t)
	w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 80, 24, pair, func(o *tui.Options) { o.Themes = set })
	seen := ""
	for range set.Names() {
		c.press("T")
		c.pass(100)
		seen += c.text()
	}
	for _, name := range set.Names() {
		if !strings.Contains(seen, "Theme: "+name+";") {
			t.Errorf("T does not come to %s", name)
		}
	}
	c.press("T", "T")
	c.send(tea.BackgroundColorMsg{Color: color.White})
	if strings.Contains(c.m.View().Content, onLight) {
		t.Error("the answer takes T back")
	}
}

// The gate, the keys row and the help follow keys that were bound anew.
func TestBoundKeysAreTheGates(t *testing.T) {
	table, err := keys.Rebind(keys.Table(), map[string]string{"approve": "A", "inbox.open": "O"})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	c := newConsole(t, w, w.mia, 120, 44, func(o *tui.Options) { o.Keys = table })
	c.press("O")
	c.rest()
	if !strings.Contains(c.text(), "A approve…") {
		t.Errorf("the keys row does not follow:\n%s", c.text())
	}
	c.press("a")
	c.rest()
	if strings.Contains(c.text(), "type the four in brackets") {
		t.Fatal("a still approves")
	}
	c.press("A")
	c.rest()
	c.write(w.code(ask.Ask))
	c.rest()
	w.mustBe(ask.Ask, queue.StateAllowed)
}
