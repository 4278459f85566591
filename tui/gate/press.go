package gate

import "unicode/utf8"

// key takes a key press.
func (g *Gate) key(k Key, out *Outcome) {
	if k.Pasted {
		out.Consumed = g.mode != ModeRest && g.mode != ModeOver
		g.paste()
		return
	}
	gap := g.now - g.keyAt
	press := press{
		Key:    k,
		held:   k.Repeat || k.Name == g.keyName && gap < HeldMS,
		opened: g.openedByKey,
		before: g.restFrom,
		why:    g.restWhy,
		idle:   g.now - g.actAt,
	}
	g.count(k, gap)
	g.keyAt, g.actAt, g.keyName, g.openedByKey = g.now, g.now, k.Name, false
	g.restFrom, g.restWhy = g.now, byKey
	if g.burst > 1 {
		g.restWhy = byBurst
	}
	switch {
	case g.mode == ModeOver:
		out.Consumed = g.spilt(k) || g.listens(k.Name)
	case g.mode == ModeSent:
		out.Consumed = true
	case g.mode == ModeDenying:
		out.Consumed = true
		g.takeBack()
	case g.spilt(k):
		out.Consumed = true
	case press.idle >= IdleMS:
		g.redraw(press, out)
	case g.mode == ModeRest:
		g.said = nil
		g.restKey(press, out)
	case press.opened && g.burst > 1:
		out.Consumed = true
		g.shut()
		g.say(tooFast(g.burst, g.keyNamed()))
	default:
		out.Consumed = true
		g.lineKey(press, out)
	}
}

// spilt reports whether a key was meant for a line that closed by itself while
// it was typed in: it is thrown away, and the sentence that says so stays.
func (g *Gate) spilt(k Key) bool {
	if g.spillAt == 0 {
		return false
	}
	if !writes(k) || g.now-g.spillAt >= SpillMS || g.mode != ModeRest && g.mode != ModeOver {
		g.spillAt = 0
		return false
	}
	g.spillAt = g.now
	return true
}

// writes reports whether a key types in a line or goes on in it.
func writes(k Key) bool {
	switch k.Name {
	case "tab", "shift+tab", "enter", "backspace", "delete":
		return true
	}
	_, typed := character(k)
	return typed
}

// press is a key with what was so before it came.
type press struct {
	Key
	held   bool
	opened bool  // the key before it opened the line
	before int64 // what broke the rest last, and when
	why    cause
	idle   int64 // ms without any act of the operator
}

// count counts the keys of a burst. Several characters in one press were not
// typed either.
func (g *Gate) count(k Key, gap int64) {
	n := max(utf8.RuneCountInString(k.Text), 1)
	if gap < BurstMS {
		g.burst += n
	} else {
		g.burst, g.bound = n, false
	}
	g.bound = g.bound || g.listens(k.Name)
}

// listens reports whether a key is one of the gate's.
func (g *Gate) listens(name string) bool {
	if g.f.Kind == Desk {
		return name != "" && name == g.draft.Key
	}
	return name != "" && (name == g.f.Keys.Allow || name == g.f.Keys.Deny || name == g.f.Keys.Skip)
}

// redraw takes the first key after a long rest: the card is drawn anew.
func (g *Gate) redraw(p press, out *Outcome) {
	out.Redraw, out.Consumed = true, true
	g.shut()
	g.painted, g.shown = false, false
	g.restWhy = byChange
	g.say(idleFor(p.idle, g.keyNamed()))
}

// restKey takes a key while no line is open.
func (g *Gate) restKey(p press, out *Outcome) {
	if g.burst > 1 && g.bound {
		g.say(tooFast(g.burst, g.keyNamed()))
	}
	if !g.listens(p.Name) {
		return
	}
	out.Consumed = true
	if g.burst > 1 {
		return
	}
	if g.f.Kind == Desk {
		g.deskKey(p)
		return
	}
	if p.Name == g.f.Keys.Allow && g.refuse != nil {
		g.say(*g.refuse)
		return
	}
	if p.Name == g.f.Keys.Allow && g.unread() > 0 {
		g.say(NotRead(g.unread(), g.f.Keys.Reading()))
		return
	}
	if p.Name == g.f.Keys.Skip && g.f.Batch > 0 {
		g.say(noSkip(g.f.Keys.Unseen))
		return
	}
	if m, early := g.early(p); early {
		g.say(m)
		return
	}
	switch p.Name {
	case g.f.Keys.Deny:
		g.mode, g.firesAt = ModeDenying, g.now+RestMS
	case g.f.Keys.Skip:
		if g.all == 0 || g.unread() == 0 {
			g.say(nothingToSkip())
			return
		}
		g.open(ModeSkip)
	case g.f.Keys.Allow:
		if g.f.Kind == Question && g.answer == "" {
			g.say(noAnswer())
			return
		}
		if g.f.wantsValue() {
			g.open(ModeValue)
		} else {
			g.open(ModeCode)
		}
	}
}

// early says why a key does not count yet.
func (g *Gate) early(p press) (Message, bool) {
	switch rest := g.now - p.before; {
	case p.held:
		return repeated(p.Name), true
	case !g.focused, rest < g.restMS() && p.why == byFocus:
		return newFocus(g.keyNamed()), true
	case !g.painted || !g.shown:
		return noEcho(g.keyNamed()), true
	case rest < g.restMS():
		return tooSoon(p.Name, rest, p.why), true
	}
	return Message{}, false
}

// open opens the line with nothing filled in.
func (g *Gate) open(m Mode) {
	g.shut()
	g.mode, g.openedByKey = m, true
}
