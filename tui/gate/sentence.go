package gate

import (
	"fmt"
	"strconv"

	"nod/digest/visible"
	"nod/themes"
)

// The sentences of the gate (SCREENS §6). One is at most 78 cells: head, what
// happened, so what it means; what to do.

func sentence(role themes.Role, head, format string, args ...any) Message {
	return Message{Head: visible.Drawn(head + ":"), Rest: visible.Drawn(" " + fmt.Sprintf(format, args...)), Role: role}
}

func warn(head, format string, args ...any) Message {
	return sentence(themes.Warn, head, format, args...)
}

// Gone says that somebody else answered, at a clock time where one is known.
func Gone(who visible.Text, verb, at string) Message {
	if at != "" {
		at = " at " + at
	}
	const end = ", so your key did nothing; Esc back."
	m := warn("Gone", "it was %s%s%s", passive(verb), at, end)
	if who.Len() > 0 {
		m.Rest = visible.Concat(visible.Own(" "), who, visible.Drawn(" "+verb+" it"+at+end))
	}
	return m
}

func passive(verb string) string {
	if verb == "withdrew" {
		return "withdrawn"
	}
	return verb
}

// ExpiredSentence says that the time to answer is over.
func ExpiredSentence(by string) Message {
	return warn("Expired", "no person answered by %s, so it never ran; Esc back.", by)
}

// Held says that an allow waits before it can begin; revoke is the key that takes
// it back, as the screen writes it, "" for none.
func Held(until, revoke string) Message {
	return warn("Held", "it is irreversible, so nothing runs before %s%s.", until, then(revoke, "takes it back"))
}

// Allowed says that an allow was recorded.
func Allowed(at, until string) Message {
	s := "at %s, so the gate is open once until %s; nothing to do."
	if len(until) > len("14:43") {
		s = "at %s, so the gate is open once until %s."
	}
	return sentence(themes.OK, "Allowed", s, at, until)
}

// Begun says that what was allowed began, so that no key takes the allow back.
func Begun(at string) Message {
	return sentence(themes.Text, "Begun", "at %s, so the allow is used; what came of it stands above.", at)
}

// Denied says that a deny was recorded.
func Denied(at string) Message {
	return sentence(themes.Text, "Denied", "at %s, so it never runs; nothing to do.", at)
}

// Answered says that an answer was recorded.
func Answered(at string) Message {
	return sentence(themes.OK, "Answered", "at %s, so the agent gets it when it asks; nothing to do.", at)
}

// SlowDown says that the pace makes this card be read anew.
func SlowDown(rest string) Message { return warn("Slow down", "%s", rest) }

func tooSoon(key string, ms int64, why cause) Message {
	return warn("Too soon", "%s came %d ms after %s, so nothing was decided; rest, then %s.", key, ms, why, key)
}

// String names the cause in a sentence.
func (c cause) String() string {
	switch c {
	case byKey:
		return "a key"
	case byResize:
		return "a resize"
	case byPaste:
		return "a paste"
	case byFocus:
		return "new focus"
	case byBurst:
		return "a burst"
	case byClick:
		return "a click"
	case byEvidence:
		return "evidence"
	default:
		return "a change"
	}
}

func tooFast(n int, key string) Message {
	return warn("Too fast", "%d keys came in one burst, so nothing was decided; rest, then %s.", n, key)
}

func pasted(key string, m Mode) Message {
	return warn("Pasted", "text came from the clipboard, so it was thrown away; %s.", again(m, key))
}

// again says how to go on.
func again(m Mode, key string) string {
	switch m {
	case ModeCode:
		return "type the four"
	case ModeValue:
		return "type the value"
	case ModeSkip:
		return "type the count"
	case ModeRest:
		if key == "" {
			return "nothing is changed"
		}
	}
	return "rest, then " + key
}

func newFocus(key string) Message {
	return warn("New focus", "this window just got the keys, so none counts yet; read, then %s.", key)
}

func noEcho(key string) Message {
	return warn("No echo", "the terminal confirms no frame, so arming takes 1.5 s; wait, then %s.", key)
}

func repeated(key string) Message {
	return warn("Held down", "%s repeats by itself, so nothing was decided; let go, then %s.", key, key)
}

func denying(key string) Message {
	return warn("Denying", "%s counts in 400 ms, so rest to let it; any key takes it back.", key)
}

func takenBack(key string) Message {
	return warn("Taken back", "something came before %s counted, so nothing was decided.", key)
}

func cancelled() Message {
	return sentence(themes.Text, "Taken back", "the line is closed, so nothing was decided.")
}

func closed(why cause) Message {
	return warn("Line closed", "%s came in between, so nothing was decided; rest, then on.", why)
}

func wrongCode(code, key string) Message {
	return warn("Wrong code", "%s is not it, so nothing was decided; %s opens the line again.", code, key)
}

func wrongValue(key string) Message {
	return warn("Wrong value", "it is not that line's, so nothing was decided; %s opens it again.", key)
}

func wrongCount(unseen string) Message {
	return warn("Wrong count", "it is not how many are left, so nothing was skipped%s.", then(unseen, "shows one"))
}

func notTyped(m Mode) Message {
	if m == ModeCode {
		return warn("Not a code", "only 0-9 and a-f are in it, so the field is empty; type the four.")
	}
	return warn("Not typed", "only plain characters count, so the field is empty; %s.", again(m, ""))
}

func heldInLine(m Mode) Message {
	return warn("Held down", "the key repeats, so the field is empty; let go, %s.", again(m, ""))
}

func burstInLine(n int, m Mode) Message {
	return warn("Too fast", "%d keys came in one burst, so the field is empty; %s.", n, again(m, ""))
}

func tooSoonInLine(m Mode) Message {
	return warn("Too soon", "no rest before it, so the key did not count; then %s.", again(m, ""))
}

func noEchoInLine(m Mode) Message {
	return warn("No echo", "this frame is not confirmed, so no key counts; then %s.", again(m, ""))
}

// NotRead says how many lines were not displayed; reading are the keys that show
// them, "" for none.
func NotRead(n int, reading string) Message {
	if n == 1 {
		return warn("Not armed", "1 line has not been on the screen%s.", then(reading, "shows it"))
	}
	return warn("Not armed", "%s lines have not been on the screen%s.", count(n), then(reading, "shows them"))
}

// then ends a sentence with what a key does; "" where no key does it.
func then(key, does string) string {
	if key == "" {
		return ""
	}
	return "; " + key + " " + does
}

// restSpan is how long rest is, in a sentence.
func restSpan(slow bool) string {
	if slow {
		return "2 s"
	}
	return "400 ms"
}

// count writes a number in a sentence: 1,204.
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func nothingToSkip() Message {
	return sentence(themes.Text, "All shown", "no line is left, so there is nothing to skip.")
}

func redescribed(deny string) Message {
	return warn("Redescribed", "the descriptor changed since, so no allow is taken; %s denies.", deny)
}

func noSkip(unseen string) Message {
	return warn("No skip", "in a batch every line of every card is shown%s.", then(unseen, "goes to the next"))
}

func noAnswer() Message {
	return warn("No answer", "nothing is filled in, so there is nothing to send; write it first.")
}

func idleFor(ms int64, key string) Message {
	if key == "" {
		return warn("Long rest", "no key came for %d min, so the page is drawn anew; read it again.", ms/60000)
	}
	return warn("Long rest", "no key came for %d min, so the card is drawn anew; read, then %s.", ms/60000, key)
}

func noDigest() Message {
	return warn("No digest", "the card has no valid digest, so nothing can be decided; Esc back.")
}

func noValue() Message {
	return warn("No value", "this kind wants a typed value and has none, so only a deny counts.")
}

func notTypeable() Message {
	return warn("No value", "no keyboard types the value it wants, so only a deny counts.")
}

func noDeskValue() Message {
	return warn("No value", "no keyboard types the value it wants, so this is not answered here.")
}

func otherCard() Message {
	return warn("Changed", "another card stands here now, so this gate is closed; open it anew.")
}

func sent() Message {
	return sentence(themes.Text, "Sent", "your answer is being recorded, so keys do nothing; wait.")
}

// NotTaken says that what was given out was not taken, and why.
func NotTaken(s visible.Text) Message { return failed(s) }

func failed(s visible.Text) Message {
	m := warn("Not taken", "")
	m.Rest = visible.Concat(visible.Own(" "), s)
	return m
}
