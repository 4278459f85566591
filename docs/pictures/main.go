// Pictures draws the README's pictures: the real console, with its own screens
// and theme, on a throw-away store with a scripted clock, as SVG.
//
//	go run ./docs/pictures         writes the pictures
//	go run ./docs/pictures -check  fails when a picture is not what is drawn
//
// The rule it keeps: nothing in a picture is made by hand, and the same source
// gives the same bytes.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	check := flag.Bool("check", false, "compare with the files instead of writing them")
	dir := flag.String("dir", filepath.Join("docs", "pictures"), "where the pictures are")
	flag.Parse()
	if err := draw(context.Background(), *dir, *check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// picture is one screen: its size and the keys that lead to it.
type picture struct {
	name, title string
	w, h        int
	keys        func(*console) error
}

func pictures() []picture {
	return []picture{
		{"inbox", "nod: what waits for an answer", 120, 34, func(c *console) error { return c.press("j", "j", "j") }},
		{"detail", "nod: a call that lies to the terminal, shown as it is", 100, 32, func(c *console) error {
			return c.open("Approved by policy")
		}},
		{"approving", "nod: read to the end, armed, the code half typed", 100, 32, func(c *console) error {
			if err := c.open("set -eu"); err != nil {
				return err
			}
			c.pass(700)
			if err := c.press("a"); err != nil {
				return err
			}
			c.pass(500)
			return c.press(c.code()[:1], c.code()[1:2])
		}},
		{"lens", "nod: the diff beside the card that is approved", 120, 34, func(c *console) error {
			if err := c.open("cart/total.go"); err != nil {
				return err
			}
			return c.press("tab")
		}},
		{"desk", "nod: a refund whose answer was lost", 120, 40, func(c *console) error { return c.press("2", "enter") }},
		{"stats", "nod: a day of asks and answers", 100, 24, func(c *console) error { return c.press("6") }},
		{"history", "nod: what was asked, allowed, and what came of it", 100, 24, func(c *console) error { return c.press("4") }},
	}
}

func draw(ctx context.Context, dir string, check bool) error {
	for _, p := range pictures() {
		svg, err := drawOne(ctx, p)
		if err != nil {
			return fmt.Errorf("draw %s: %w", p.name, err)
		}
		path := filepath.Join(dir, p.name+".svg")
		if !check {
			if err := os.WriteFile(path, svg, 0o644); err != nil { //nolint:gosec // a picture for everybody
				return err
			}
			continue
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Equal(old, svg) {
			return fmt.Errorf("%s is not what the console draws now; run go run ./docs/pictures and look at it", path)
		}
	}
	return nil
}

func drawOne(ctx context.Context, p picture) (svg []byte, err error) {
	scene, err := newScene(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := scene.close(); err == nil {
			err = e
		}
	}()
	if err := scene.play(ctx); err != nil {
		return nil, err
	}
	c, err := scene.console(ctx, p.w, p.h)
	if err != nil {
		return nil, err
	}
	if err := p.keys(c); err != nil {
		return nil, err
	}
	c.pass(700)
	return render(c.screen(), p.w, p.h, p.title)
}
