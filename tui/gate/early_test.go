package gate_test

import (
	"testing"

	"nod/tui/gate"
)

func TestEarlyKeys(t *testing.T) {
	settle := func(ev gate.Event) func(*desk) {
		return func(d *desk) { d.rest(1000).at(0, ev) }
	}
	for name, c := range map[string]struct {
		before func(*desk)
		after  int64
		want   string
	}{
		"change": {settle(gate.Changed{Shown: shownDigest}), 180, "Too soon: a came 180 ms after a change, so nothing was decided; rest, then a."},
		"resize": {func(d *desk) {
			d.rest(1000).at(0, gate.Resize{}).at(0, gate.Painted{Frame: 2}).at(0, gate.Confirmed{Frame: 2})
		}, 399, "Too soon: a came 399 ms after a resize, so nothing was decided; rest, then a."},
		"paste": {settle(gate.Paste{}), 200, "Too soon: a came 200 ms after a paste, so nothing was decided; rest, then a."},
		"click": {settle(gate.Mouse{}), 200, "Too soon: a came 200 ms after a click, so nothing was decided; rest, then a."},
		"key":   {settle(key("j")), 399, "Too soon: a came 399 ms after a key, so nothing was decided; rest, then a."},
		"focus": {settle(gate.Focus{}), 300, "New focus: this window just got the keys, so none counts yet; read, then a."},
		"blur":  {settle(gate.Blur{}), 5000, "New focus: this window just got the keys, so none counts yet; read, then a."},
		"no frame": {func(d *desk) { d.rest(1000).at(0, gate.Painted{Frame: 2}) }, 1499,
			"No echo: the terminal confirms no frame, so arming takes 1.5 s; wait, then a."},
		"another frame": {func(d *desk) { d.rest(1000).at(0, gate.Painted{Frame: 2}).at(0, gate.Confirmed{Frame: 1}) }, 1499,
			"No echo: the terminal confirms no frame, so arming takes 1.5 s; wait, then a."},
		"resized, not drawn": {settle(gate.Resize{}), 9000,
			"No echo: the terminal confirms no frame, so arming takes 1.5 s; wait, then a."},
	} {
		t.Run(name, func(t *testing.T) {
			d := opened(t, call())
			c.before(d)
			d.press(c.after, "a")
			d.says(c.want)
			if !d.out.Consumed {
				t.Error("the early key goes on to the console")
			}
			d.types("7f3a").rest(100)
			d.decided() // never queued
		})
	}
}

func TestRestIsEnough(t *testing.T) {
	for name, ev := range map[string]gate.Event{
		"change": gate.Changed{Shown: shownDigest}, "paste": gate.Paste{}, "key": key("j"), "focus": gate.Focus{}, "mouse": gate.Mouse{},
	} {
		d := opened(t, call()).at(0, ev).press(gate.RestMS, "a").types("7f3a").rest(100)
		if len(d.made) != 1 {
			t.Errorf("%s: no decision after the rest: %s", name, d.out.Line)
		}
	}
}

func TestTerminalThatNeverAnswers(t *testing.T) {
	d := newDesk(t, call())
	d.at(0, gate.Painted{Frame: 7}).at(0, gate.Read{Seen: 35, All: 35})
	d.at(gate.NoEchoMS-1, gate.Tick{})
	if d.out.Armed || d.out.Frame != 0 {
		t.Fatal("counts before the wait is over")
	}
	d.at(1, gate.Tick{})
	if !d.out.Armed || d.out.Frame != 7 {
		t.Fatalf("armed %v, frame %d", d.out.Armed, d.out.Frame)
	}
	d.press(0, "a").types("7f3a").rest(100)
	d.decided(gate.VerdictAllow)
}

func TestBurst(t *testing.T) {
	d := opened(t, call())
	for _, c := range "a7f3a" {
		d.press(3, string(c))
	}
	d.says("Too fast: 5 keys came in one burst, so nothing was decided; rest, then a.")
	d.rest(1000)
	d.decided()

	d = opened(t, call()).press(0, "a").rest(1000)
	for _, c := range "7f3a" {
		d.press(3, string(c))
	}
	d.says("Too fast: 4 keys came in one burst, so the field is empty; type the four.")
	d.rest(1000)
	d.decided()
	d.types("7f3a").rest(100)
	d.decided(gate.VerdictAllow)
}

func TestBurstEndsWithTheFourth(t *testing.T) {
	d := opened(t, call()).press(0, "a").types("7f3").press(120, "a").press(gate.BurstMS-1, "b").rest(1000)
	d.decided() // the fourth was the first of a burst
	d = opened(t, call()).press(0, "a").types("7f3").press(120, "a").press(gate.BurstMS, "b").rest(1000)
	d.decided(gate.VerdictAllow)
}

func TestFourTooFastToBeTyped(t *testing.T) {
	d := opened(t, call()).press(0, "a").rest(500)
	for _, c := range "7f3a" {
		d.press(gate.BurstMS+5, string(c))
	}
	d.rest(1000)
	d.decided()
}

func TestPasteIntoTheLine(t *testing.T) {
	d := opened(t, call()).press(0, "a").types("7f3").at(120, gate.Paste{})
	d.says("Pasted: text came from the clipboard, so it was thrown away; type the four.")
	d.types("a").rest(1000)
	d.decided()
	d = opened(t, call()).press(0, "a")
	for _, c := range "7f3a" {
		k := key(string(c))
		k.Pasted = true
		d.at(120, k)
	}
	d.rest(1000)
	d.decided()
}

func TestRepeats(t *testing.T) {
	held := func(name string) gate.Key { k := key(name); k.Repeat = true; return k }
	d := opened(t, call()).at(0, held("a")).types("7f3a").rest(100)
	d.decided()
	d = opened(t, call()).at(0, held("x")).rest(1000)
	d.decided()
	d = opened(t, call()).press(0, "a").types("7f3").at(120, held("a")).rest(1000)
	d.decided()

	// A terminal that does not say so: every 33 ms after half a second.
	f := call()
	f.Shown = "sha256:aaaa" + shownDigest[11:]
	d = opened(t, f).press(0, "a").press(500, "a")
	for range 200 {
		d.press(33, "a")
	}
	d.rest(1000)
	d.decided()
}

func TestFocusAndResizeCloseTheLine(t *testing.T) {
	for name, ev := range map[string]gate.Event{
		"focus": gate.Focus{}, "blur": gate.Blur{}, "resize": gate.Resize{}, "change": gate.Changed{Shown: shownDigest},
		"words": gate.Words{Text: "other words"},
	} {
		d := opened(t, call()).press(0, "a").types("7f3").at(50, ev)
		if d.out.Mode != gate.ModeRest {
			t.Errorf("%s leaves the line open", name)
		}
		d.types("a").types("7f3a").rest(1000)
		d.decided()
	}
}

func TestScrollInTheLineNeedsTheFrame(t *testing.T) {
	d := opened(t, call()).press(0, "a").types("7f").press(120, "pgdown")
	if d.out.Consumed {
		t.Error("the line swallows a key that scrolls")
	}
	d.at(0, gate.Painted{Frame: 2}).types("3a").rest(100)
	d.decided()
	d.at(0, gate.Confirmed{Frame: 2}).types("3a").rest(100)
	d.decided(gate.VerdictAllow)
}

func TestLongRest(t *testing.T) {
	d := opened(t, call()).rest(gate.IdleMS).press(60000, "x")
	if !d.out.Redraw || d.out.Armed {
		t.Fatalf("the first key after half an hour: redraw %v", d.out.Redraw)
	}
	d.rest(1000)
	d.decided()
	d.at(0, gate.Painted{Frame: 2}).at(0, gate.Confirmed{Frame: 2}).rest(400).press(0, "a").types("7f3a").rest(50)
	d.decided(gate.VerdictAllow)
}

func TestTimeGoesBack(t *testing.T) {
	d := opened(t, call()).press(0, "a").types("7f3")
	d.now -= 10000
	d.press(0, "a").rest(9000)
	d.decided() // no time passed between the two keys
}

func TestWakesWhenTimeAloneArms(t *testing.T) {
	d := newDesk(t, call())
	d.at(0, gate.Painted{Frame: 1}).at(10, gate.Confirmed{Frame: 1}).at(0, gate.Read{Seen: 1, All: 1})
	if d.out.WakeAt != 410 {
		t.Errorf("wakes at %d, want 410", d.out.WakeAt)
	}
	d.at(d.out.WakeAt-d.now, gate.Tick{})
	if !d.out.Armed || d.out.WakeAt != 0 {
		t.Errorf("armed %v, wakes at %d", d.out.Armed, d.out.WakeAt)
	}
}
