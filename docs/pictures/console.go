package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/tui"
)

// console is the program's own model, driven as a terminal and a person would,
// on the scene's clock.
type console struct {
	s      *scene
	m      *tui.Model
	port   *unwatched
	timers []timer
}

type timer struct {
	at  int64
	msg func() tea.Msg
}

// asked is the question for the cursor's place, ticked a timer.
type asked struct{}

type ticked struct {
	after time.Duration
	msg   func(time.Time) tea.Msg
}

// unwatched is a port on which nothing changes by itself.
type unwatched struct {
	queue.Port
	watching chan struct{}
}

// Watch tells that it was called and ends with ctx.
func (u *unwatched) Watch(ctx context.Context) (<-chan int64, error) {
	u.watching <- struct{}{}
	<-ctx.Done()
	return nil, ctx.Err()
}

func (s *scene) console(ctx context.Context, w, h int) (*console, error) {
	c := &console{s: s, port: &unwatched{s.mia, make(chan struct{})}}
	m, err := tui.NewModel(ctx, c.port, tui.Options{
		Theme: theme, Name: "mia", File: s.file, Env: []string{"TERM=xterm-256color", "COLORTERM=truecolor"}, Loc: time.UTC,
		Now: func() time.Time { return time.UnixMilli(s.now) },
		Ask: func() tea.Msg { return asked{} },
		// No picture asks: nothing of the scene is on a network.
		Observe: func(context.Context, string) ([]tui.Observation, error) {
			return nil, errors.New("the scene has no provider")
		},
		Tick: func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
			return func() tea.Msg { return ticked{d, f} }
		},
	})
	if err != nil {
		return nil, err
	}
	c.m = m
	c.send(tea.WindowSizeMsg{Width: w, Height: h})
	c.run(m.Init())
	c.pass(700)
	return c, nil
}

// run carries one command out; the one that watches is left to itself.
func (c *console) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	select {
	case msg := <-done:
		c.send(msg)
	case <-c.port.watching:
	}
}

func (c *console) send(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			c.run(cmd)
		}
	case asked: // a terminal answers after some milliseconds
		c.timers = append(c.timers, timer{c.s.now + 8, func() tea.Msg { return tea.CursorPositionMsg{X: 3, Y: 9} }})
	case ticked:
		at := c.s.now + max(msg.after.Milliseconds(), 1)
		c.timers = append(c.timers, timer{at, func() tea.Msg { return msg.msg(time.UnixMilli(at)) }})
	default:
		_, cmd := c.m.Update(msg)
		c.run(cmd)
	}
}

// pass lets ms go by, with everything that falls due on the way.
func (c *console) pass(ms int64) {
	end := c.s.now + ms
	for {
		slices.SortStableFunc(c.timers, func(a, b timer) int { return int(a.at - b.at) })
		if len(c.timers) == 0 || c.timers[0].at > end {
			break
		}
		t := c.timers[0]
		c.timers = c.timers[1:]
		c.s.now = max(c.s.now, t.at)
		c.send(t.msg())
	}
	c.s.now = end
}

// press presses keys one after another, slowly.
func (c *console) press(names ...string) error {
	for _, name := range names {
		c.pass(150)
		key := tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
		switch {
		case name == "enter":
			key = tea.KeyPressMsg{Code: tea.KeyEnter}
		case name == "tab":
			key = tea.KeyPressMsg{Code: tea.KeyTab}
		case name == "pgdown":
			key = tea.KeyPressMsg{Code: tea.KeyPgDown}
		case len(name) != 1:
			return fmt.Errorf("no key %q", name)
		}
		c.send(key)
	}
	return nil
}

// open opens the ask whose row holds text, and reads it to its end and back.
func (c *console) open(text string) error {
	for range 20 {
		if strings.Contains(selected(c.m.Screen().Plain()), text) {
			if err := c.press("enter"); err != nil {
				return err
			}
			c.pass(700)
			for range 10 {
				if strings.Contains(c.m.Screen().Plain(), "all shown") {
					break
				}
				if err := c.press("pgdown"); err != nil {
					return err
				}
				c.pass(200)
			}
			return c.press("g")
		}
		if err := c.press("j"); err != nil {
			return err
		}
	}
	return fmt.Errorf("no row holds %q:\n%s", text, c.m.Screen().Plain())
}

// selected is the marked row of a list.
func selected(screen string) string {
	for _, line := range strings.Split(screen, "\n") {
		if strings.HasPrefix(line, "▌") {
			return line
		}
	}
	return ""
}

// code is the four characters in brackets.
func (c *console) code() string {
	_, rest, _ := strings.Cut(c.m.Screen().Plain(), "shown ")
	return (rest + "    ")[:4]
}

func (c *console) screen() string { return c.m.View().Content }
