package gate_test

import (
	"strings"
	"testing"

	"nod/digest"
	"nod/digest/visible"
	"nod/tui/gate"
)

// shownDigest begins with 7f3a, as in SCREENS §5.
const shownDigest = digest.Digest("sha256:7f3a91c2" + "00000000000000000000000000000000000000000000000000000000")

func call() gate.Facts {
	return gate.Facts{Ask: "019", Shown: shownDigest, UseBy: "14:42", AnswerBy: "14:31"}
}

func mandated() gate.Facts {
	f := call()
	f.Mandated, f.Confirm = true, "C-20417"
	return f
}

// desk drives a gate and remembers what it gave out.
type desk struct {
	t    testing.TB
	g    *gate.Gate
	now  int64
	out  gate.Outcome
	made []gate.Decision
	skip []int
}

func newDesk(t testing.TB, f gate.Facts) *desk {
	return &desk{t: t, g: gate.New(f, 0)}
}

// opened is a desk on which the whole card was read and the gate is armed.
func opened(t testing.TB, f gate.Facts) *desk {
	d := newDesk(t, f)
	d.at(0, gate.Painted{Frame: 1})
	d.at(5, gate.Confirmed{Frame: 1})
	d.at(0, gate.Read{Seen: 35, All: 35})
	d.at(gate.RestMS, gate.Tick{})
	if !d.out.Armed || !d.out.MayAllow {
		t.Fatalf("not armed after the rest: %s", d.out.Line)
	}
	return d
}

// at sends an event after ms.
func (d *desk) at(ms int64, ev gate.Event) *desk {
	d.now += ms
	d.out = d.g.Handle(ev, d.now)
	if d.out.Decision != nil {
		d.made = append(d.made, *d.out.Decision)
	}
	if d.out.Skip > 0 {
		d.skip = append(d.skip, d.out.Skip)
	}
	return d
}

func key(name string) gate.Key {
	k := gate.Key{Name: name}
	if len([]rune(name)) == 1 {
		k.Text = name
	}
	return k
}

// press presses a key after ms.
func (d *desk) press(ms int64, name string) *desk { return d.at(ms, key(name)) }

// type_ types each character after 120 ms, as a person does.
func (d *desk) types(text string) *desk {
	for _, c := range text {
		d.press(120, string(c))
	}
	return d
}

// rest lets ms go by and stops where the gate wants to be woken.
func (d *desk) rest(ms int64) *desk {
	end := d.now + ms
	for d.out.WakeAt > 0 && d.out.WakeAt <= end {
		d.at(d.out.WakeAt-d.now, gate.Tick{})
	}
	return d.at(end-d.now, gate.Tick{})
}

func (d *desk) says(want string) {
	d.t.Helper()
	if got := d.out.Line.String(); got != want {
		d.t.Errorf("says %q\nwant %q", got, want)
	}
}

func (d *desk) decided(want ...gate.Verdict) {
	d.t.Helper()
	if len(d.made) != len(want) {
		d.t.Fatalf("%d decisions, want %d: %+v", len(d.made), len(want), d.made)
	}
	for i := range want {
		if d.made[i].Verdict != want[i] {
			d.t.Errorf("decided %s, want %s", d.made[i].Verdict, want[i])
		}
	}
}

func TestAllow(t *testing.T) {
	d := opened(t, call())
	d.says("Armed: a approves, x denies; w writes words to go with either.")
	d.at(0, gate.Words{Text: strings.Repeat("w", 42)}).rest(500)
	d.says("Armed: a approves, x denies; your 42 characters of words go with either.")
	d.press(0, "a")
	d.says("Approve once, to be used by 14:42: type the four in brackets")
	d.types("7f")
	if f := d.out.Line.Fields; len(f) != 1 || f[0].Typed.String() != "7f" || f[0].Blanks != 2 || !f[0].Focus {
		t.Errorf("fields are %+v", f)
	}
	d.types("3")
	d.decided()
	d.types("a").rest(gate.BurstMS)
	d.decided(gate.VerdictAllow)
	got := d.made[0]
	want := gate.Decision{
		Ask: "019", Shown: shownDigest, Verdict: gate.VerdictAllow, Words: strings.Repeat("w", 42),
		LinesSeen: 35, LinesAll: 35, DwellMS: got.DwellMS,
	}
	if got != want || got.DwellMS < 400 {
		t.Errorf("decision is %+v", got)
	}
	d.press(500, "a").types("7f3a").rest(1000)
	d.decided(gate.VerdictAllow) // a second press finds it decided
}

func TestMandatedWantsTheValue(t *testing.T) {
	d := opened(t, mandated()).press(0, "a")
	d.says("Mandated: approve once, to be used by 14:42; nothing is filled in for you.")
	if f := d.out.Line.Fields; len(f) != 2 || f[0].Typed.Len() != 0 || f[0].Blanks != 7 || f[1].Blanks != 4 {
		t.Fatalf("fields are %+v", f)
	}
	d.types("7f3a").press(100, "esc").rest(500) // the code alone is no value
	d.decided()
	d.press(0, "a").types("C-20417")
	if d.out.Mode != gate.ModeCode {
		t.Fatalf("the value leads to mode %d", d.out.Mode)
	}
	d.types("7f3a").rest(50)
	d.decided(gate.VerdictAllow)
	if d.made[0].Confirm != "C-20417" {
		t.Errorf("confirm is %q", d.made[0].Confirm)
	}
}

func TestWrongValueCloses(t *testing.T) {
	d := opened(t, mandated()).press(0, "a").types("C-20418")
	d.says("Wrong value: it is not that line's, so nothing was decided; a opens it again.")
	d.types("7f3a").rest(1000)
	d.decided()
}

func TestValueThatCannotBeTyped(t *testing.T) {
	for _, confirm := range []string{"", "Каса", "a\nb", " a", "a\x7f"} {
		f := mandated()
		f.Confirm = confirm
		d := newDesk(t, f)
		d.at(0, gate.Painted{Frame: 1}).at(0, gate.Confirmed{Frame: 1}).at(0, gate.Read{Seen: 3, All: 3}).rest(500)
		if d.out.MayAllow || !d.out.Armed {
			t.Errorf("%q: armed %v, may allow %v", confirm, d.out.Armed, d.out.MayAllow)
		}
		d.press(0, "a").types(confirm + "7f3a").rest(1000)
		d.decided()
		d.press(500, "x").rest(500)
		d.decided(gate.VerdictDeny)
	}
}

func TestWrongCode(t *testing.T) {
	d := opened(t, call()).press(0, "a").types("7f3b").rest(100)
	d.says("Wrong code: 7f3b is not it, so nothing was decided; a opens the line again.")
	d.decided()
	d.press(500, "a").types("7f3a").rest(100)
	d.decided(gate.VerdictAllow)
}

func TestBackspaceAndEscape(t *testing.T) {
	d := opened(t, call()).press(0, "a").types("7f4").press(100, "backspace").types("3a").rest(100)
	d.decided(gate.VerdictAllow)

	d = opened(t, call()).press(0, "a").types("7f3").press(100, "esc").types("a").rest(100)
	d.decided()
	d.types("7f3a").rest(1000)
	d.decided()

	d = opened(t, mandated()).press(0, "a").types("C-20417").press(100, "backspace")
	if d.out.Mode != gate.ModeValue || d.out.Line.Fields[0].Typed.String() != "C-2041" {
		t.Errorf("backspace over an empty code leads to %+v", d.out.Line.Fields)
	}
}

func TestDenyCountsAfterRest(t *testing.T) {
	d := opened(t, call()).press(0, "x")
	d.says("Denying: x counts in 400 ms, so rest to let it; any key takes it back.")
	d.at(gate.RestMS-1, gate.Tick{})
	d.decided()
	d.at(1, gate.Tick{})
	d.decided(gate.VerdictDeny)
	if d.made[0].Confirm != "" {
		t.Errorf("a deny carries the value %q", d.made[0].Confirm)
	}
}

func TestDenyIsTakenBack(t *testing.T) {
	for name, ev := range map[string]gate.Event{
		"key": key("j"), "x": key("x"), "esc": key("esc"), "enter": key("enter"), "paste": gate.Paste{},
		"mouse": gate.Mouse{}, "focus": gate.Focus{}, "blur": gate.Blur{}, "resize": gate.Resize{},
		"change": gate.Changed{Shown: shownDigest}, "expired": gate.Expired{},
		"elsewhere": gate.DecidedElsewhere{Verb: "denied", At: "14:33:01"},
		"frame":     gate.Painted{Frame: 9},
	} {
		d := opened(t, call()).press(0, "x").at(gate.RestMS-1, ev).rest(5000)
		if len(d.made) != 0 {
			t.Errorf("%s: %+v", name, d.made)
		}
		if name == "key" && !strings.HasPrefix(d.out.Line.String(), "Taken back: ") {
			t.Errorf("%s says %s", name, d.out.Line)
		}
	}
}

func TestDenyNeedsArmingNotTheWholeRead(t *testing.T) {
	d := newDesk(t, call())
	d.at(0, gate.Painted{Frame: 1}).at(0, gate.Confirmed{Frame: 1}).at(0, gate.Read{Seen: 29, All: 35})
	d.press(399, "x").rest(1000)
	d.decided()
	d.press(0, "x").rest(400)
	d.decided(gate.VerdictDeny)
	if d.made[0].LinesSeen != 29 || d.made[0].LinesAll != 35 {
		t.Errorf("lines are %d of %d", d.made[0].LinesSeen, d.made[0].LinesAll)
	}
}

func TestUnreadLines(t *testing.T) {
	d := newDesk(t, call())
	d.at(0, gate.Painted{Frame: 1}).at(0, gate.Confirmed{Frame: 1}).at(0, gate.Read{Seen: 29, All: 35}).rest(500)
	d.says("Not armed: 6 lines have not been on the screen; PgDn or n shows them.")
	d.press(0, "a").types("7f3a").rest(1000)
	d.decided()
	d.at(0, gate.Read{Seen: 35, All: 35}).press(0, "a").types("7f3a").rest(50)
	d.decided(gate.VerdictAllow)
}

func TestSkip(t *testing.T) {
	d := newDesk(t, call())
	d.at(0, gate.Painted{Frame: 1}).at(0, gate.Confirmed{Frame: 1}).at(0, gate.Read{Seen: 19, All: 35}).rest(500)
	d.press(0, "S")
	d.says("Skip: 16 lines were not shown; type 16 to skip them; it is recorded.")
	d.types("15").rest(100)
	if len(d.skip) != 0 {
		t.Fatalf("a wrong count skips %v", d.skip)
	}
	d.press(500, "S").types("16").rest(100)
	if len(d.skip) != 1 || d.skip[0] != 16 {
		t.Fatalf("skipped %v", d.skip)
	}
	d.at(0, gate.Read{Seen: 19, All: 35, Skipped: 16}).press(500, "a").types("7f3a").rest(50)
	d.decided(gate.VerdictAllow)
	if d.made[0].LinesSeen != 19 {
		t.Errorf("skipped lines count as seen: %d", d.made[0].LinesSeen)
	}
}

func TestQuestion(t *testing.T) {
	f := call()
	f.Kind = gate.Question
	d := newDesk(t, f)
	d.at(0, gate.Painted{Frame: 1}).at(0, gate.Confirmed{Frame: 1}).at(0, gate.Read{Seen: 9, All: 9}).rest(500)
	d.press(0, "a").types("7f3a").rest(100)
	d.decided()
	d.at(0, gate.Answer{JSON: `"eu"`}).press(500, "a").types("7f3a").rest(100)
	d.decided(gate.VerdictAnswer)
	if d.made[0].Answer != `"eu"` {
		t.Errorf("answer is %s", d.made[0].Answer)
	}
}

func TestEnds(t *testing.T) {
	other := digest.Of([]byte("another card"))
	for want, ev := range map[string]gate.Event{
		"Gone: night-desk denied it at 14:33:01, so your key did nothing; Esc back.": gate.DecidedElsewhere{Who: visible.Of(visible.Name, "night-desk"), Verb: "denied", At: "14:33:01"},
		"Gone: it was withdrawn at 14:33:01, so your key did nothing; Esc back.":     gate.DecidedElsewhere{Verb: "withdrew", At: "14:33:01"},
		"Expired: no person answered by 14:31, so it never ran; Esc back.":           gate.Expired{},
		"Changed: another card stands here now, so this gate is closed; open it anew.": gate.Changed{
			Shown: other},
	} {
		for name, keys := range map[string]string{"rest": "a7f3a", "other code": "a" + other.Hex()[:4], "deny": "x"} {
			d := opened(t, call()).at(0, ev).rest(5000).types(keys).rest(5000)
			d.says(want)
			d.decided()
			_ = name
		}
		d := opened(t, call()).press(0, "a").types("7f3").at(0, ev).types("a").rest(5000)
		d.says(want)
		d.decided()
		d = opened(t, call()).press(0, "a").types("7f3a").at(gate.BurstMS-1, ev).rest(5000)
		d.decided()
	}
}

func TestExpiresUnderTheFinger(t *testing.T) {
	for before, want := range map[int64]int{1000: 1, 1: 0} {
		f := call()
		f.ExpiresMS = 405 + 4*120 + gate.BurstMS + before - 1
		d := opened(t, f).press(0, "a").types("7f3a")
		if before == 1 {
			d.at(gate.BurstMS, gate.Tick{})
		} else {
			d.rest(gate.BurstMS)
		}
		if len(d.made) != want {
			t.Errorf("%d ms before the end: %d decisions, says %s", before, len(d.made), d.out.Line)
		}
	}
}

func TestFailedOpensAgain(t *testing.T) {
	d := opened(t, call()).press(0, "a").types("7f3a").rest(50)
	d.decided(gate.VerdictAllow)
	d.at(50, gate.Failed{Sentence: visible.Own("the store is locked.")})
	d.says("Not taken: the store is locked.")
	d.press(500, "a").types("7f3a").rest(50)
	d.decided(gate.VerdictAllow, gate.VerdictAllow)
}

func TestKeysCheck(t *testing.T) {
	if err := gate.DefaultKeys().Check(); err != nil {
		t.Errorf("default keys: %v", err)
	}
	for _, k := range []string{"enter", "space", " ", "esc", "tab", "up", "pgdown", "ctrl+a", "", "é", "1"} {
		if (gate.Keys{Allow: k, Deny: "x", Skip: "S"}).Check() == nil || (gate.Keys{Allow: "a", Deny: k, Skip: "S"}).Check() == nil {
			t.Errorf("%q may decide", k)
		}
	}
	if (gate.Keys{Allow: "a", Deny: "a", Skip: "S"}).Check() == nil {
		t.Error("one key may allow and deny")
	}
}
