package gate_test

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"nod/digest"
	"nod/tui/gate"
)

// moment is an event with its time.
type moment struct {
	at int64
	ev gate.Event
}

// quiet reports whether an event leaves the operator's rest alone.
func quiet(ev gate.Event) bool {
	switch ev.(type) {
	case gate.Tick, gate.Read, gate.UseBy, gate.Confirmed, gate.Painted:
		return true
	}
	return false
}

// armedAt judges from the history alone, by the words of DESIGN §9, whether a
// key that was the event at i could count.
func armedAt(h []moment, i int) string {
	at := h[i].at
	if k := h[i].ev.(gate.Key); k.Repeat || k.Pasted {
		return "the key was repeated or pasted"
	}
	focused, frame, painted, confirmed := true, uint64(0), int64(-1), false
	for _, m := range h[:i] {
		switch ev := m.ev.(type) {
		case gate.Blur:
			focused = false
		case gate.Focus:
			focused = true
		case gate.Resize:
			painted = -1
		case gate.Painted:
			frame, painted, confirmed = ev.Frame, m.at, false
		case gate.Confirmed:
			confirmed = confirmed || ev.Frame == frame
		}
		if !quiet(m.ev) && at-m.at < gate.RestMS {
			return "something came less than 400 ms before the key"
		}
	}
	switch {
	case !focused:
		return "another window had the keys"
	case painted < 0:
		return "nothing was painted"
	case !confirmed && at-painted < gate.NoEchoMS:
		return "the frame was not confirmed"
	}
	return ""
}

// judgeAllow returns what is wrong with an allow at the end of the history.
func judgeAllow(h []moment, at int64, value, code string) string {
	open := -1
	var typed []int // events that typed what still stands
	for i, m := range h {
		k, ok := m.ev.(gate.Key)
		switch {
		case !ok:
		case k.Name == "a" && armedAt(h, i) == "":
			open, typed = i, nil
		case k.Name == "backspace" && len(typed) > 0:
			typed = typed[:len(typed)-1]
		case len(k.Text) == 1:
			typed = append(typed, i)
		}
	}
	// An a among the typed characters may look like an opener: judge each.
	for ; open >= 0; open-- {
		k, ok := h[open].ev.(gate.Key)
		if !ok || k.Name != "a" || armedAt(h, open) != "" {
			continue
		}
		if judgeLine(h, open, at, value+code) == "" {
			return ""
		}
	}
	return "no armed a, with the value and the four typed one by one after it"
}

func judgeLine(h []moment, open int, at int64, want string) string {
	var typed []int
	for i := open + 1; i < len(h); i++ {
		switch ev := h[i].ev.(type) {
		case gate.Focus, gate.Blur, gate.Resize, gate.Changed, gate.Expired, gate.DecidedElsewhere:
			return "the line was closed in between"
		case gate.Read:
			if ev.Seen+ev.Skipped < ev.All {
				return "a line was not read"
			}
		case gate.Key:
			if ev.Name == "esc" {
				return "it was taken back"
			}
			if ev.Name == "backspace" && len(typed) > 0 {
				typed = typed[:len(typed)-1]
			} else if len(ev.Text) == 1 {
				typed = append(typed, i)
			}
		}
	}
	if len(typed) < len(want) {
		return "too little was typed"
	}
	typed = typed[len(typed)-len(want):]
	for n, i := range typed {
		k := h[i].ev.(gate.Key)
		if k.Text != want[n:n+1] || k.Repeat || k.Pasted {
			return "another character, or not typed"
		}
		for j := range h {
			if _, ok := h[j].ev.(gate.Key); ok && j != i && h[i].at-h[j].at < gate.BurstMS && h[j].at-h[i].at < gate.BurstMS {
				return "it came in a burst"
			}
		}
		if p, ok := lastBefore[gate.Paste](h, i); ok && h[i].at-p < gate.RestMS {
			return "it came right after a paste"
		}
	}
	if at-h[typed[len(typed)-1]].at < gate.BurstMS {
		return "nothing shows that the last one was no burst"
	}
	return ""
}

func lastBefore[E gate.Event](h []moment, i int) (int64, bool) {
	for i--; i >= 0; i-- {
		if _, ok := h[i].ev.(E); ok {
			return h[i].at, true
		}
	}
	return 0, false
}

// judgeDeny returns what is wrong with a deny.
func judgeDeny(h []moment, at int64) string {
	i := len(h) - 1
	for i >= 0 && quiet(h[i].ev) {
		i--
	}
	if k, ok := h[i].ev.(gate.Key); !ok || k.Name != "x" {
		return "the last thing that happened was not x"
	}
	if at-h[i].at < gate.RestMS {
		return "no rest followed x"
	}
	return armedAt(h, i)
}

// steps draws what happens next: single events, and what a person, a paste or
// a held key would send as a whole.
func steps(t *rapid.T, f gate.Facts, frame *uint64) []moment {
	typed := func(s string, gap int64, repeat bool) []moment {
		var out []moment
		for _, c := range s {
			k := key(string(c))
			k.Repeat = repeat
			out = append(out, moment{gap, k})
		}
		return out
	}
	gap := rapid.SampledFrom([]int64{0, 1, 14, 15, 40, 120, 399, 400, 401, 1500, 5000}).Draw(t, "gap")
	*frame++
	other := digest.Of([]byte("other")).Hex()[:4]
	return rapid.SampledFrom([][]moment{
		{{gap, gate.Tick{}}}, {{gap, gate.Paste{}}}, {{gap, gate.Mouse{}}}, {{gap, gate.Focus{}}}, {{gap, gate.Blur{}}},
		{{gap, gate.Resize{}}}, {{gap, gate.Changed{Shown: f.Shown}}}, {{gap, gate.Read{Seen: 9, All: 9}}},
		{{gap, gate.Read{Seen: 8, All: 9}}}, {{gap, gate.Words{Text: "words " + strconv.FormatUint(*frame, 10)}}},
		{{gap, gate.Painted{Frame: *frame}}}, {{gap, gate.Painted{Frame: *frame}}, {9, gate.Confirmed{Frame: *frame}}},
		{{gap, gate.Focus{}}, {0, gate.Painted{Frame: *frame}}, {9, gate.Confirmed{Frame: *frame}}, {0, gate.Read{Seen: 9, All: 9}}, {400, gate.Tick{}}},
		{{gap, gate.Confirmed{Frame: *frame - 1}}},
		{{gap, key("enter")}}, {{gap, key("space")}}, {{gap, key("esc")}}, {{gap, key("tab")}}, {{gap, key("backspace")}},
		{{gap, key("j")}}, {{gap, key("pgdown")}}, {{gap, key("a")}}, {{gap, key("x")}}, {{gap, key("7")}}, {{gap, key("A")}},
		{{gap, key("ctrl+c")}}, {{gap, key("alt+a")}}, {{gap, gate.Key{Name: "a", Text: "a", Pasted: true}}},
		typed(f.Confirm+"7f3a", 120, false), typed(f.Confirm+"7f3a", 3, false), typed("7f3a", 33, true),
		append([]moment{{gap, key("a")}}, typed(f.Confirm+"7f3a", 120, false)...),
		append([]moment{{400, key("a")}}, typed(f.Confirm+"7f3a", max(gap, 15)%400, false)...),
		append([]moment{{gap, key("a")}}, typed(f.Confirm+other, 120, false)...),
		typed("a"+f.Confirm+"7f3a", 5, false), typed("yes please approve\r", 2, false), typed("xxxx", 33, true),
		{{400, key("x")}, {400, gate.Tick{}}},
	}).Draw(t, "step")
}

func TestNothingElseDecides(t *testing.T) {
	allowed, denied := 0, 0
	checks := flag.Lookup("rapid.checks")
	if checks.Value.String() == checks.DefValue {
		defer func() { _ = flag.Set("rapid.checks", checks.DefValue) }()
		if err := flag.Set("rapid.checks", "2000"); err != nil {
			t.Fatal(err)
		}
	}
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]gate.Facts{"call": call(), "mandated": mandated()} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			g, now, frame := gate.New(f, 0), int64(0), uint64(0)
			h := []moment{{0, gate.Changed{Shown: f.Shown}}}
			if rapid.Bool().Draw(t, "opened") {
				frame, now = 1, 1000
				for _, ev := range []gate.Event{gate.Painted{Frame: 1}, gate.Confirmed{Frame: 1}, gate.Read{Seen: 9, All: 9}} {
					g.Handle(ev, 0)
					h = append(h, moment{0, ev})
				}
			}
			decided := false
			for range rapid.IntRange(1, 25).Draw(t, "steps") {
				for _, m := range steps(t, f, &frame) {
					now += m.at
					out := g.Handle(m.ev, now)
					// What is decided before the event was taken rests on
					// the events before it.
					if d := out.Decision; d != nil {
						wrong := ""
						switch d.Verdict {
						case gate.VerdictAllow:
							allowed++
							wrong = judgeAllow(h, now, d.Confirm, "7f3a")
							if d.Confirm != f.Confirm {
								wrong = "another value"
							}
						default:
							denied++
							wrong = judgeDeny(h, now)
						}
						if wrong != "" || decided {
							t.Fatalf("%s at %d (decided before: %v): %s\n%v", d.Verdict, now, decided, wrong, h)
						}
						decided = true
					}
					h = append(h, moment{now, m.ev})
				}
			}
		}))
	}
	if allowed < 5 || denied < 5 {
		t.Errorf("the property saw %d allows and %d denies: it says nothing", allowed, denied)
	}
	t.Logf("%d allows, %d denies", allowed, denied)
}
