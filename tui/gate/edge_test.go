package gate_test

import (
	"testing"

	"nod/tui/gate"
)

func TestArmedExactlyAfterTheRest(t *testing.T) {
	d := opened(t, call()).at(0, key("j"))
	if d.at(gate.RestMS-1, gate.Tick{}); d.out.Armed {
		t.Error("armed 1 ms early")
	}
	if d.at(1, gate.Tick{}); !d.out.Armed {
		t.Error("not armed after 400 ms")
	}
	if d.at(0, gate.Blur{}).rest(9000); d.out.Armed {
		t.Error("armed while another window has the keys")
	}
	if d.at(-9000, gate.Focus{}).at(9400, gate.Tick{}); !d.out.Armed {
		t.Error("not armed after the focus and its rest")
	}
	if d.at(-9300, gate.Tick{}); !d.out.Armed {
		t.Error("time that goes back disarms")
	}
}

func TestHeldWithoutWord(t *testing.T) {
	f := call()
	f.Shown = "sha256:aaaa" + shownDigest[11:]
	for gap, want := range map[int64]int{gate.HeldMS - 1: 0, gate.HeldMS: 1} {
		d := opened(t, f).press(0, "a").rest(500)
		for range 4 {
			d.press(gap, "a")
		}
		if d.rest(gate.BurstMS); len(d.made) != want {
			t.Errorf("one key every %d ms: %d decisions", gap, len(d.made))
		}
	}
}

func TestBurstClearsTheField(t *testing.T) {
	for gap, want := range map[int64]string{gate.BurstMS - 1: "", gate.BurstMS: "7f"} {
		d := opened(t, call()).press(0, "a").press(500, "7").press(gap, "f")
		if got := d.out.Line.Fields[0].Typed.String(); got != want {
			t.Errorf("two keys %d ms apart: the field holds %q", gap, got)
		}
	}
	d := opened(t, mandated()).press(0, "a").rest(500)
	for _, c := range "C-20417" {
		d.press(3, string(c))
	}
	d.says("Too fast: 7 keys came in one burst, so the field is empty; type the value.")
	if d.out.Mode != gate.ModeValue || d.out.Line.Fields[0].Typed.Len() != 0 {
		t.Errorf("a pasted value stays: %+v", d.out.Line.Fields)
	}
}

func TestAfterAPasteCharactersWaitForRest(t *testing.T) {
	d := opened(t, call()).press(0, "a").at(500, gate.Paste{}).types("7f3a").rest(100)
	d.decided()
	d.says("Too soon: no rest before it, so the key did not count; then type the four.")
	d.rest(gate.RestMS).types("7f3a").rest(100)
	d.decided(gate.VerdictAllow)
}

func TestUnreadNeverOpensNorKeepsTheLine(t *testing.T) {
	d := opened(t, call()).at(0, gate.Read{Seen: 34, All: 35}).press(0, "a")
	d.says("Not armed: 1 line has not been on the screen; PgDn or n shows it.")
	if d.out.Mode != gate.ModeRest {
		t.Error("the line opens on an unread card")
	}
	d = opened(t, call()).press(0, "a").types("7f").at(0, gate.Read{Seen: 0, All: 35})
	if d.out.Mode != gate.ModeRest {
		t.Error("the line stays open on a card that is to be read anew")
	}
}

func TestWhatComesLateStillTakesBack(t *testing.T) {
	for name, ev := range map[string]gate.Event{
		"changed": gate.Changed{Shown: shownDigest}, "expired": gate.Expired{}, "paste": gate.Paste{},
		"elsewhere": gate.DecidedElsewhere{Verb: "denied"}, "blur": gate.Blur{}, "resize": gate.Resize{},
	} {
		// No tick came in between: the console was busy.
		for _, d := range []*desk{
			opened(t, call()).press(0, "a").types("7f3a").at(gate.BurstMS+50, ev),
			opened(t, call()).press(0, "x").at(gate.RestMS+50, ev),
		} {
			if d.rest(5000); len(d.made) > 0 {
				t.Errorf("%s: %+v", name, d.made)
			}
		}
	}
}

func TestKeyAfterADecisionIsNotForTheNextAsk(t *testing.T) {
	d := opened(t, call()).press(0, "x").press(gate.RestMS, "j")
	d.decided(gate.VerdictDeny)
	if !d.out.Consumed {
		t.Error("the key that came after the decision goes on")
	}
}

func TestAnyKeyRightAfterTheFourth(t *testing.T) {
	for _, name := range []string{"enter", "pgdown", "backspace", "esc", "tab", "j", "ctrl+c"} {
		d := opened(t, call()).press(0, "a").types("7f3a").press(gate.BurstMS-1, name).rest(1000)
		if len(d.made) > 0 {
			t.Errorf("%s right after the fourth: %+v", name, d.made)
		}
		if d.out.Mode == gate.ModeCode {
			d.types("7f3a").rest(100)
			d.decided(gate.VerdictAllow) // nobody is stuck in a full field
		}
	}
}

func TestKeyAfterASkipIsNotForTheCard(t *testing.T) {
	d := opened(t, call()).at(0, gate.Read{Seen: 30, All: 35}).press(0, "S").press(500, "5").press(gate.BurstMS, "j")
	if len(d.skip) != 1 || !d.out.Consumed || d.out.Mode != gate.ModeRest {
		t.Errorf("skipped %v, consumed %v, mode %d", d.skip, d.out.Consumed, d.out.Mode)
	}
}

func TestFrameTakesTheDenyBack(t *testing.T) {
	d := opened(t, call()).press(0, "x").at(10, gate.Painted{Frame: 2})
	if d.out.Mode != gate.ModeRest {
		t.Error("x goes on counting while the card moves")
	}
}

func TestGoneWithoutATime(t *testing.T) {
	d := opened(t, call()).at(0, gate.DecidedElsewhere{Verb: "withdrew"})
	d.says("Gone: it was withdrawn, so your key did nothing; Esc back.")
}

func TestAnotherDescriptorTakesNoAllowAndStillADeny(t *testing.T) {
	g := gate.New(gate.Facts{Ask: "x", Shown: shownDigest, Redescribed: true}, 0)
	g.Handle(gate.Painted{Frame: 1}, 0)
	g.Handle(gate.Read{Seen: 3, All: 3}, 0)
	g.Handle(gate.Confirmed{Frame: 1}, 10)
	out := g.Handle(gate.Key{Name: "a", Text: "a"}, 1000)
	if out.Mode != gate.ModeRest || out.MayAllow {
		t.Errorf("a opens %v", out.Mode)
	}
	if got := out.Line.String(); got != "Redescribed: the descriptor changed since, so no allow is taken; x denies." {
		t.Errorf("%q", got)
	}
	g.Handle(gate.Key{Name: "x", Text: "x"}, 2000)
	if out = g.Handle(gate.Tick{}, 2500); out.Decision == nil || out.Decision.Verdict != gate.VerdictDeny {
		t.Errorf("x gives %+v", out.Decision)
	}
}

// Somebody else answers while the code is typed: what is typed on was meant for
// the line, and is no key of the console. After a rest keys are keys again.
func TestWhatIsTypedOnAfterAnothersAnswer(t *testing.T) {
	d := opened(t, call()).press(0, "a").types("7f3").at(20, gate.DecidedElsewhere{Verb: "denied", At: "14:33:01"})
	for _, name := range []string{"5", "tab", "enter", "1"} {
		if d.press(90, name); !d.out.Consumed {
			t.Errorf("%s goes on to the bindings", name)
		}
	}
	d.says("Gone: it was denied at 14:33:01, so your key did nothing; Esc back.")
	if d.press(gate.SpillMS, "5"); d.out.Consumed {
		t.Error("a key after a rest is thrown away")
	}
	if d.press(90, "esc"); d.out.Consumed {
		t.Error("there is no way out")
	}
}
