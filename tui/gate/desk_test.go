package gate

import (
	"testing"

	"nod/digest"
)

const pageA, pageB = digest.Digest("sha256:90be44170000000000000000000000000000000000000000000000000000aaaa"),
	digest.Digest("sha256:7f3a91c20000000000000000000000000000000000000000000000000000bbbb")

// atDesk is a gate of a desk page of which seen of 10 lines were displayed, on a
// frame that was painted at 0 and has rested.
func atDesk(seen int, d Draft) (*Gate, func(ev Event, at int64) Outcome) {
	g := New(Facts{Kind: Desk, Ask: "e1", Shown: pageA, Confirm: "pay_1", ConfirmIs: "the last part", Keys: Keys{Allow: "v", Deny: "m"}}, 0)
	do := g.Handle
	do(Painted{Frame: 1}, 1)
	do(Confirmed{Frame: 1}, 2)
	do(Read{Seen: seen, All: 10}, 3)
	do(d, 4)
	return g, do
}

var happened, never = Draft{Verdict: "committed", Key: "m", Says: "It happened"}, Draft{Verdict: "not_executed", Key: "v", Full: true, Says: "It did not happen"}

func TestOnTheDeskOnlyTheKeyOfWhatIsWrittenGives(t *testing.T) {
	_, do := atDesk(10, Draft{})
	for i, k := range []string{"m", "v", "a", "x", "S", "enter"} {
		if out := do(Key{Name: k, Text: k}, int64(1000*i+1000)); out.Consumed || out.Decision != nil || out.Mode != ModeRest {
			t.Errorf("%s with nothing written: %+v", k, out)
		}
	}
	_, do = atDesk(3, happened) // the whole page is not asked for
	for i, k := range []string{"v", "a", "x", "S", "u"} {
		if out := do(Key{Name: k, Text: k}, int64(1000*i+1000)); out.Consumed {
			t.Errorf("%s is taken", k)
		}
	}
	if out := do(Key{Name: "m", Text: "m"}, 9000); out.Decision != nil || out.Mode != ModeDenying {
		t.Fatalf("%+v", out)
	}
	out := do(Tick{}, 9000+RestMS)
	if out.Decision == nil || out.Decision.Verdict != "committed" || out.Decision.Shown != pageA || out.Decision.LinesSeen != 3 || out.Decision.Confirm != "" {
		t.Fatalf("%+v", out.Decision)
	}
	if out := do(Key{Name: "m", Text: "m"}, 12_000); out.Decision != nil || !out.Consumed {
		t.Errorf("a key while it is recorded: %+v", out)
	}
	if out := do(Draft{}, 12_100); out.Mode != ModeRest {
		t.Errorf("taken: mode %d", out.Mode)
	}
}

func TestDidNotHappenWantsLinesValueAndCode(t *testing.T) {
	g, do := atDesk(9, never)
	if out := do(Key{Name: "v", Text: "v"}, 2000); out.Mode != ModeRest || out.Line.Head.String() != "Not armed:" {
		t.Fatalf("one line short: %+v", out)
	}
	do(Read{Seen: 10, All: 10}, 2100)
	if out := do(Key{Name: "v", Text: "v"}, 2200); out.Mode != ModeRest || out.Line.Head.String() != "Too soon:" {
		t.Fatalf("early: %+v", out.Line)
	}
	if out := do(Key{Name: "v", Text: "v"}, 4000); out.Mode != ModeValue || out.Line.Head.String() != "It did not happen:" {
		t.Fatalf("%+v", out)
	}
	at := int64(5000)
	for _, c := range "pay_1" + g.Code() {
		at += 90
		do(Key{Name: string(c), Text: string(c)}, at)
	}
	out := do(Tick{}, at+BurstMS)
	if out.Decision == nil || out.Decision.Verdict != "not_executed" || out.Decision.Confirm != "pay_1" {
		t.Fatalf("%+v", out)
	}
}

// Evidence that comes in binds the gate to the new page: nothing of it is read,
// what was typed is gone, and what is typed on was meant for the line.
func TestEvidenceDisarms(t *testing.T) {
	g, do := atDesk(10, never)
	do(Key{Name: "v", Text: "v"}, 2000)
	at := int64(3000)
	for _, c := range "pay_1" + g.Code()[:3] {
		at += 90
		do(Key{Name: string(c), Text: string(c)}, at)
	}
	out := do(Changed{Shown: pageB}, at+50)
	if out.Mode != ModeRest || out.MayAllow || out.Line.Head.String() != "Changed:" || g.Shown() != pageB || g.Code() != "7f3a" {
		t.Fatalf("%+v", out)
	}
	if out := do(Key{Name: "b", Text: "b"}, at+140); !out.Consumed {
		t.Error("a character of the closed line goes on to the bindings")
	}
	if out := do(Key{Name: "v", Text: "v"}, at+5000); out.Mode != ModeRest || out.Line.Head.String() != "Not armed:" {
		t.Errorf("the new page counts as read: %+v", out.Line)
	}
	_, do = atDesk(10, happened)
	do(Key{Name: "m", Text: "m"}, 2000)
	do(Changed{Shown: pageB}, 2000+RestMS+50) // handled late: it came before the rest was known to be over
	if out := do(Tick{}, 9000); out.Decision != nil {
		t.Error("an answer to the page before counts")
	}
}

// A wrong value closes the line under the hand: what is typed on, the key that
// goes to the next field too, is no key of the console.
func TestAWrongValueTakesWhatIsTypedOn(t *testing.T) {
	_, do := atDesk(10, never)
	do(Key{Name: "v", Text: "v"}, 2000)
	at := int64(3000)
	for _, c := range "pay_2" {
		at += 90
		do(Key{Name: string(c), Text: string(c)}, at)
	}
	for _, k := range []Key{{Name: "tab"}, {Name: "1", Text: "1"}, {Name: "backspace"}, {Name: "enter"}, {Name: "f", Text: "f"}} {
		at += 90
		if out := do(k, at); !out.Consumed || out.Mode != ModeRest || out.Line.Head.String() != "Wrong value:" {
			t.Errorf("%s goes on to the bindings: %+v", k.Name, out.Line)
		}
	}
	if out := do(Key{Name: "tab"}, at+SpillMS); out.Consumed {
		t.Error("a key after a rest is thrown away")
	}
}

// What breaks rest on an ask breaks it here: paste, bursts, held keys, focus,
// resize, and a draft that changes.
func TestWhatNeverGives(t *testing.T) {
	for name, do := range map[string]func(do func(Event, int64) Outcome){
		"a paste": func(do func(Event, int64) Outcome) {
			do(Key{Name: "m", Text: "m", Pasted: true}, 2000)
			do(Paste{}, 2300)
		},
		"a burst": func(do func(Event, int64) Outcome) {
			do(Key{Name: "m", Text: "m"}, 2000)
			do(Key{Name: "m", Text: "m"}, 2005)
		},
		"held": func(do func(Event, int64) Outcome) { do(Key{Name: "m", Text: "m", Repeat: true}, 2000) },
		"another": func(do func(Event, int64) Outcome) {
			do(Key{Name: "m", Text: "m"}, 2000)
			do(Key{Name: "j", Text: "j"}, 2200)
		},
		"blur":     func(do func(Event, int64) Outcome) { do(Key{Name: "m", Text: "m"}, 2000); do(Blur{}, 2200) },
		"resize":   func(do func(Event, int64) Outcome) { do(Key{Name: "m", Text: "m"}, 2000); do(Resize{}, 2200) },
		"a scroll": func(do func(Event, int64) Outcome) { do(Key{Name: "m", Text: "m"}, 2000); do(Painted{Frame: 2}, 2200) },
		"a draft":  func(do func(Event, int64) Outcome) { do(Key{Name: "m", Text: "m"}, 2000); do(never, 2200) },
		"no frame": func(do func(Event, int64) Outcome) { do(Painted{Frame: 2}, 1900); do(Key{Name: "m", Text: "m"}, 2000) },
		"a bad key": func(do func(Event, int64) Outcome) {
			do(Draft{Verdict: "committed", Key: "enter"}, 1000)
			do(Key{Name: "enter"}, 2000)
		},
		"an expired": func(do func(Event, int64) Outcome) { do(Key{Name: "m", Text: "m"}, 2000); do(Expired{}, 2200) },
	} {
		_, handle := atDesk(10, happened)
		gave := false
		do(func(ev Event, at int64) Outcome {
			out := handle(ev, at)
			gave = gave || out.Decision != nil
			return out
		})
		if out := handle(Tick{}, 9000); gave || out.Decision != nil {
			t.Errorf("%s gives an answer", name)
		}
	}
}
