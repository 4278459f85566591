package gate

import (
	"strconv"
)

// lineKey takes a key while the line is open.
func (g *Gate) lineKey(p press, out *Outcome) {
	pending := g.firesAt > 0
	g.firesAt = 0
	switch {
	case p.Name == "esc":
		g.shut()
		g.say(cancelled())
		return
	case pending && !leaves(p.Name): // what completed the field was the first key of a burst
		g.clear()
		g.lockedUntil = g.now + RestMS
		g.say(burstInLine(g.burst, g.mode))
		return
	case navigates(p.Name):
		out.Consumed = false // scrolls; the new frame has to be confirmed
		g.said = nil
		return
	case p.Name == "backspace":
		g.said = nil
		g.erase()
		return
	}
	c, ok := character(p.Key)
	if !ok {
		if leaves(p.Name) {
			out.Consumed = false
			g.shut()
			g.say(cancelled())
		}
		return // Enter, Tab and all others do nothing here
	}
	g.said = nil
	switch {
	case p.held:
		g.clear()
		g.lockedUntil = g.now + RestMS
		g.say(heldInLine(g.mode))
	case g.burst > 1:
		g.clear()
		g.lockedUntil = g.now + RestMS
		g.say(burstInLine(g.burst, g.mode))
	case g.now < g.lockedUntil:
		g.lockedUntil = g.now + RestMS
		g.say(tooSoonInLine(g.mode))
	case !g.live():
		g.say(noEchoInLine(g.mode))
	default:
		g.typeChar(c)
	}
}

// character returns the printable ASCII character that a key types.
func character(k Key) (byte, bool) {
	s := k.Text
	if s == "" && (k.Name == "space" || len(k.Name) == 1) {
		s = k.Name
	}
	if s == "space" {
		s = " "
	}
	if k.Text != "" && len(k.Text) != 1 {
		// A character beyond ASCII, or several at once: typed, and wrong.
		return 0, true
	}
	if len(s) != 1 || s[0] < ' ' || s[0] > '~' || hasModifier(k.Name) {
		return 0, false
	}
	return s[0], true
}

// typeChar appends a character to the field that has the cursor.
func (g *Gate) typeChar(c byte) {
	switch g.mode {
	case ModeValue:
		if c == 0 {
			g.clear()
			g.say(notTyped(g.mode))
			return
		}
		g.value = append(g.value, c)
		switch {
		case string(g.value) == g.f.Confirm:
			g.mode = ModeCode
		case len(g.value) >= len(g.f.Confirm):
			g.shutUnder()
			if g.f.Kind == Desk {
				g.say(wrongPart(g.keyNamed()))
				return
			}
			g.say(wrongValue(g.keyNamed()))
		}
	case ModeCode:
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			g.clear()
			g.say(notTyped(g.mode))
			return
		}
		g.typed, g.times = append(g.typed, c), append(g.times, g.now)
		if len(g.typed) < codeLen {
			return
		}
		switch {
		case g.times[codeLen-1]-g.times[0] < CodeMS:
			g.clear()
			g.lockedUntil = g.now + RestMS
			g.say(burstInLine(codeLen, g.mode))
		case string(g.typed) != g.code:
			m := wrongCode(string(g.typed), g.keyNamed())
			g.shut()
			g.say(m)
		default:
			// A burst has to show itself before its first character counts.
			g.firesAt = g.now + BurstMS
		}
	case ModeSkip:
		if c < '0' || c > '9' {
			g.clear()
			g.say(notTyped(g.mode))
			return
		}
		want := g.skipCount()
		g.typed, g.times = append(g.typed, c), append(g.times, g.now)
		switch {
		case string(g.typed) == want:
			g.firesAt = g.now + BurstMS
		case len(g.typed) >= len(want):
			g.shut()
			g.say(wrongCount(g.f.Keys.Unseen))
		}
	}
}

// skipCount is what has to be typed to skip.
func (g *Gate) skipCount() string { return strconv.Itoa(g.all - g.seen) }

// clear empties the field that has the cursor; it never closes the line.
func (g *Gate) clear() {
	g.firesAt = 0
	if g.mode == ModeValue {
		g.value = nil
	} else {
		g.typed, g.times = nil, nil
	}
}

// erase takes the last character back.
func (g *Gate) erase() {
	switch {
	case g.mode == ModeValue && len(g.value) > 0:
		g.value = g.value[:len(g.value)-1]
	case g.mode == ModeCode && len(g.typed) == 0 && len(g.value) > 0:
		g.mode, g.value = ModeValue, g.value[:len(g.value)-1]
	case len(g.typed) > 0:
		g.typed, g.times = g.typed[:len(g.typed)-1], g.times[:len(g.times)-1]
	}
}

// navigates reports whether a key moves through the card in an open line.
func navigates(name string) bool {
	switch name {
	case "up", "down", "pgup", "pgdown", "home", "end":
		return true
	}
	return false
}

// leaves reports whether a key leaves the console or stops it.
func leaves(name string) bool {
	switch name {
	case "ctrl+c", "ctrl+z", "ctrl+d":
		return true
	}
	return false
}

// hasModifier reports whether a key was pressed with a modifier that makes it
// another key than its letter.
func hasModifier(name string) bool {
	for _, m := range []string{"alt+", "ctrl+", "meta+", "super+", "hyper+"} {
		if len(name) > len(m) && name[:len(m)] == m {
			return true
		}
	}
	return false
}
