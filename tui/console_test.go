package tui_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/tui"
)

// console drives a model as a terminal and a person would, on a clock that
// only the test moves. Commands run at once; timers and the terminal's answers
// wait for their time.
type console struct {
	t      *testing.T
	w      *world
	m      *tui.Model
	timers []timer
	silent bool // the terminal answers no question
	asked  int
	quit   bool
	hold   bool // keep what commands bring
	held   []tea.Msg
}

type timer struct {
	at  int64
	msg func() tea.Msg
}

type askMsg struct{}

type tickMsg struct {
	d time.Duration
	f func(time.Time) tea.Msg
}

// echoAfter is how long the terminal takes to answer, in ms.
const echoAfter = 8

func newConsole(t *testing.T, w *world, port queue.Port, width, height int, change ...func(*tui.Options)) *console {
	t.Helper()
	c := &console{t: t, w: w}
	opts := tui.Options{
		Name: "mia", Env: []string{"TERM=xterm-256color"}, Loc: time.UTC,
		Now: func() time.Time { return time.UnixMilli(w.now) },
		Ask: func() tea.Msg { return askMsg{} },
		Tick: func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
			return func() tea.Msg { return tickMsg{d, f} }
		},
	}
	for _, f := range change {
		f(&opts)
	}
	var err error
	if c.m, err = tui.NewModel(t.Context(), port, opts); err != nil {
		t.Fatal(err)
	}
	c.m.Unfollowed()
	c.send(tea.WindowSizeMsg{Width: width, Height: height})
	c.run(c.m.Init())
	return c
}

func (c *console) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if _, batch := msg.(tea.BatchMsg); c.hold && !batch && msg != nil {
		c.held = append(c.held, msg)
		return
	}
	c.send(msg)
}

func (c *console) send(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			c.run(cmd)
		}
	case tea.QuitMsg:
		c.quit = true
	case askMsg:
		c.asked++
		if !c.silent {
			c.timers = append(c.timers, timer{c.w.now + echoAfter, func() tea.Msg { return tea.CursorPositionMsg{X: 3, Y: 9} }})
		}
	case tickMsg:
		at := c.w.now + max(msg.d.Milliseconds(), 1)
		c.timers = append(c.timers, timer{at, func() tea.Msg { return msg.f(time.UnixMilli(at)) }})
	default:
		if all := reflect.ValueOf(msg); all.CanConvert(reflect.TypeFor[tea.BatchMsg]()) { // a sequence, whose type has no name here
			c.send(all.Convert(reflect.TypeFor[tea.BatchMsg]()).Interface())
			return
		}
		_, cmd := c.m.Update(msg)
		c.run(cmd)
	}
}

// pass lets ms go by, with everything that falls due on the way.
func (c *console) pass(ms int64) {
	end := c.w.now + ms
	for {
		slices.SortStableFunc(c.timers, func(a, b timer) int { return int(a.at - b.at) })
		if len(c.timers) == 0 || c.timers[0].at > end {
			break
		}
		t := c.timers[0]
		c.timers = c.timers[1:]
		c.w.now = max(c.w.now, t.at)
		c.send(t.msg())
	}
	c.w.now = end
}

// rest is long enough for anything to arm.
func (c *console) rest() { c.pass(600) }

// press presses keys one after another, as fast as a person does.
func (c *console) press(names ...string) {
	for _, n := range names {
		c.pass(103)
		c.key(n)
		c.pass(17) // no burst followed it
	}
}

// type_ presses the keys of a word.
func (c *console) write(text string) {
	for _, r := range text {
		c.press(string(r))
	}
}

func (c *console) key(name string) {
	k := tea.KeyPressMsg{}
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "left": tea.KeyLeft, "up": tea.KeyUp, "down": tea.KeyDown,
		"pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "home": tea.KeyHome, "end": tea.KeyEnd,
		"backspace": tea.KeyBackspace, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "space": tea.KeySpace,
	}
	base, mod := name, tea.KeyMod(0)
	for prefix, m := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "alt+": tea.ModAlt, "shift+": tea.ModShift} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			base, mod = rest, m
		}
	}
	if code, ok := codes[base]; ok {
		k.Code, k.Mod = code, mod
		if base == "space" {
			k.Text = " "
		}
	} else {
		r, _ := utf8.DecodeRuneInString(base)
		k.Code, k.Mod = r, mod
		if mod == 0 {
			k.Text = base
		}
	}
	c.send(k)
}

// changed tells the console that the queue changed, and lets it read.
func (c *console) changed() {
	c.send(tui.Changed())
	c.pass(200)
}

func (c *console) text() string { return c.m.Screen().Plain() }

func (c *console) shows(wants ...string) {
	c.t.Helper()
	for _, w := range wants {
		if !strings.Contains(c.text(), w) {
			c.t.Fatalf("the screen does not show %q:\n%s", w, c.text())
		}
	}
}

func (c *console) hides(words ...string) {
	c.t.Helper()
	for _, w := range words {
		if strings.Contains(c.text(), w) {
			c.t.Fatalf("the screen shows %q:\n%s", w, c.text())
		}
	}
}

// readToEnd pages through the card until nothing is unread.
func (c *console) readToEnd() {
	c.t.Helper()
	for range 40 {
		c.rest()
		if strings.Contains(c.text(), "all shown") {
			return
		}
		c.press("pgdown")
	}
	c.t.Fatalf("the card does not end:\n%s", c.text())
}
