package tui_test

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"nod/themes"
	"nod/tui"
)

// scenes are the views, each with the keys that lead there.
func scenes() map[string][]string {
	return map[string][]string{
		"inbox": nil, "detail": {"j", "j", "j", "enter"}, "history": {"4"}, "replay": {"4", "j", "enter"},
		"help": {"?"}, "help-detail": {"enter", "?"}, "mandated": {"enter"},
		"sessions": {"5"}, "sessions-child": {"5", "j", "j"}, "stats": {"6"}, "stats-tools": {"6", "t", "j"},
		"palette": {":"}, "palette-typed": {"j", "j", "j", "enter", ":", "a", "p", "p"}, "filters": {"f"}, "search": {"/", "g", "o"},
		"lens-shell": {"j", "j", "j", "enter", "tab"}, "lens-raw": {"j", "j", "j", "enter", "shift+tab"},
		"lens-diff": {"j", "j", "j", "j", "enter", "tab"},
		"editor":    {"j", "j", "enter", "e"}, "compare": {"j", "j", "enter", "e", "down", "end", "backspace", "x", "\"", "ctrl+s"},
		"form":  {"j", "j", "j", "j", "j", "enter", "r"},
		"batch": {"j", "j", "space", "j", "space", "B"}, "hold": {"j", "j", "enter", "h"}, "marked": {"j", "j", "space"},
		"freeze": {"F"}, "words": {"j", "j", "enter", "w", "n", "o"},
	}
}

func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {52, 14}} {
		for name, keys := range scenes() {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				w, port := busy(t)
				c := newConsole(t, w, port, size[0], size[1])
				c.press(keys...)
				c.rest()
				c.sound()
				golden.RequireEqual(t, c.text()+"\n")
			})
		}
		t.Run(fmt.Sprintf("empty/%dx%d", size[0], size[1]), func(t *testing.T) {
			w := &world{t: t, now: began}
			c := newConsole(t, w, &still{now: &w.now}, size[0], size[1])
			c.sound()
			golden.RequireEqual(t, c.text()+"\n")
		})
	}
}

func TestDeskScreens(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {52, 14}} {
		for name, keys := range deskScenes() {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				w, port := desks(t)
				c := newConsole(t, w, port, size[0], size[1])
				c.press(keys...)
				c.rest()
				if name == "desk-giving" {
					c.press("u")
					c.pass(100)
				}
				c.sound()
				golden.RequireEqual(t, c.text()+"\n")
			})
		}
		t.Run(fmt.Sprintf("did-not-happen/%dx%d", size[0], size[1]), func(t *testing.T) {
			w, port := desks(t)
			c := newConsole(t, w, port, size[0], size[1])
			c.press("j", "enter", "v", "I", "tab", "c", "ctrl+s")
			if size[0] >= 60 {
				c.readToEnd()
			}
			c.rest()
			c.press("v")
			c.pass(100)
			c.press("p", "a")
			c.sound()
			golden.RequireEqual(t, c.text()+"\n")
		})
	}
}

func TestApprovingScreens(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}} {
		for name, row := range map[string]int{"call": 3, "mandated": 0, "question": 5} {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				w, port := busy(t)
				c := newConsole(t, w, port, size[0], size[1])
				for range row {
					c.press("j")
				}
				c.press("enter")
				c.readToEnd()
				c.rest()
				if name == "question" {
					c.press("r")
					c.write("eu-1")
					c.press("enter")
					c.rest()
				}
				c.press("a")
				c.pass(100)
				c.press("c")
				c.sound()
				golden.RequireEqual(t, c.text()+"\n")
			})
		}
	}
}

func TestStyledScreens(t *testing.T) {
	for _, theme := range []string{"terminal", "mono"} {
		for name, keys := range scenes() {
			t.Run(theme+"/"+name, func(t *testing.T) {
				w, port := busy(t)
				c := newConsole(t, w, port, 80, 24, func(o *tui.Options) { o.Theme = theme })
				c.press(keys...)
				c.rest()
				golden.RequireEqual(t, c.m.View().Content+"\n")
			})
		}
		for name, keys := range deskScenes() {
			t.Run(theme+"/"+name, func(t *testing.T) {
				w, port := desks(t)
				c := newConsole(t, w, port, 80, 24, func(o *tui.Options) { o.Theme = theme })
				c.press(keys...)
				c.rest()
				golden.RequireEqual(t, c.m.View().Content+"\n")
			})
		}
	}
}

// The text of every view is the same in every theme, and so is it in the two
// that have no colours of ours at every size.
func TestNothingIsSaidByColourAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("draws every view in every theme, in one goroutine")
	}
	for name, keys := range scenes() {
		for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {52, 14}} {
			var want string
			for _, theme := range themes.Names() {
				if size[0] != 80 && theme != "terminal" && theme != "mono" {
					continue
				}
				w, port := busy(t)
				c := newConsole(t, w, port, size[0], size[1], func(o *tui.Options) { o.Theme = theme })
				c.press(keys...)
				c.rest()
				got := sgr.ReplaceAllString(c.m.View().Content, "")
				if want != "" && got != want {
					t.Errorf("%s at %v: the text of %s differs", name, size, theme)
				}
				want = got
			}
		}
	}
}
