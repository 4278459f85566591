package gate

import (
	"strings"
	"testing"
	"unicode/utf8"

	"nod/digest/visible"
)

// TestSentences holds the sentences of SCREENS §6 word for word.
func TestSentences(t *testing.T) {
	for want, m := range map[string]Message{
		"Too soon: a came 180 ms after a change, so nothing was decided; rest, then a.": tooSoon("a", 180, byChange),
		"Too fast: 5 keys came in one burst, so nothing was decided; rest, then a.":     tooFast(5, "a"),
		"Pasted: text came from the clipboard, so it was thrown away; type the four.":   pasted("a", ModeCode),
		"New focus: this window just got the keys, so none counts yet; read, then a.":   newFocus("a"),
		"No echo: the terminal confirms no frame, so arming takes 1.5 s; wait, then a.": noEcho("a"),
		"Denying: x counts in 400 ms, so rest to let it; any key takes it back.":        denying("x"),
		"Wrong code: 7f3b is not it, so nothing was decided; a opens the line again.":   wrongCode("7f3b", "a"),
		"Gone: night-desk denied it at 14:33:01, so your key did nothing; Esc back.":    Gone(visible.Own("night-desk"), "denied", "14:33:01"),
		"Expired: no person answered by 14:31, so it never ran; Esc back.":              ExpiredSentence("14:31"),
		"Held: it is irreversible, so nothing runs before 14:33:30; b takes it back.":   Held("14:33:30", "b"),
		"Allowed: at 14:33:02, so the gate is open once until 14:43; nothing to do.":    Allowed("14:33:02", "14:43"),
		"Slow down: 7 answers in a minute, so this card is read anew; g is its top.":    SlowDown("7 answers in a minute, so this card is read anew; g is its top."),
		"Not armed: 6 lines have not been on the screen; PgDn or n shows them.":         NotRead(6, "PgDn or n"),
	} {
		if m.String() != want {
			t.Errorf("says %q\nwant %q", m, want)
		}
	}
}

// TestSentenceLength holds SCREENS §A: at most 78 cells, a head of one to
// three words, ASCII only, and none of the words that messages do not use.
func TestSentenceLength(t *testing.T) {
	g := New(Facts{Shown: "sha256:" + "7f3a91c2" + "00000000000000000000000000000000000000000000000000000000"}, 0)
	all := []Message{
		tooFast(20, "a"), newFocus("a"), noEcho("a"), repeated("a"), denying("x"), takenBack("x"), cancelled(),
		wrongCode("7f3b", "a"), wrongValue("a"), wrongCount("n"), NotRead(1, "PgDn or n"), NotRead(99999, "PgDn or n"), nothingToSkip(), noAnswer(),
		idleFor(9_000_000, "a"), noDigest(), noValue(), notTypeable(), otherCard(), sent(),
		Gone(visible.Text{}, "withdrew", "14:33:01"), Denied("14:33:02"), Answered("14:33:02"), Allowed("14:33:02", "11-30 14:43"),
	}
	for c := byKey; c <= byClick; c++ {
		all = append(all, closed(c))
		if c != byFocus { // that one has a sentence of its own
			all = append(all, tooSoon("a", 399, c))
		}
	}
	all = append(all, pasted("a", ModeRest))
	for _, m := range []Mode{ModeValue, ModeCode, ModeSkip} {
		all = append(all, pasted("a", m), notTyped(m), heldInLine(m), burstInLine(20, m), tooSoonInLine(m), noEchoInLine(m))
	}
	g.seen, g.all = 5, 12345
	all = append(all, g.skipLine(), g.standing())
	g.f.UseBy = "11-29 14:32"
	for _, kind := range []Kind{Call, Question, Commit} {
		for _, danger := range []bool{false, true} {
			g.f.Kind, g.f.Mandated, g.f.Irreversible = kind, !danger, danger
			all = append(all, g.allowLine())
		}
	}
	for _, m := range all {
		s := m.String()
		if n := utf8.RuneCountInString(s); n > 78 {
			t.Errorf("%d cells: %s", n, s)
		}
		if words := len(strings.Fields(m.Head.String())); words < 1 || words > 3 || !strings.HasSuffix(m.Head.String(), ":") {
			t.Errorf("the head is %q", m.Head)
		}
		for _, no := range []string{"please", "sorry", "success", "!"} {
			if strings.Contains(strings.ToLower(s), no) {
				t.Errorf("%q says %q", s, no)
			}
		}
	}
}
