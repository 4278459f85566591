package gate

// key takes a key press.
func (g *Gate) key(k Key, out *Outcome) {
	if k.Pasted {
		out.Consumed = g.mode != ModeRest && g.mode != ModeOver
		g.paste()
		return
	}
	gap := g.now - g.keyAt
	idle := g.now-max(g.keyAt, g.restFrom) >= IdleMS
	held := k.Repeat || (k.Name == g.keyName && gap < HeldMS)
	if gap < BurstMS || len([]rune(k.Text)) > 1 {
		g.burst++
	} else {
		g.burst = 1
	}
	if n := len([]rune(k.Text)); n > 1 {
		g.burst += n - 1 // several characters in one press were not typed
	}
	afterOpening := g.openedByKey
	before, why := g.restFrom, g.restWhy
	g.keyAt, g.keyName, g.openedByKey = g.now, k.Name, false
	g.restFrom, g.restWhy = g.now, byKey
	if g.burst > 1 {
		g.restWhy = byBurst
	}

	switch g.mode {
	case ModeOver:
		g.overKey(k, out)
	case ModeSent:
		out.Consumed = true
		g.say(sent())
	case ModeDenying:
		out.Consumed = true
		g.takeBack()
	case ModeValue, ModeCode, ModeSkip:
		out.Consumed = true
		if g.burst > 1 && afterOpening || g.burst > 2 && g.opener() {
			n := g.burst
			g.shut()
			g.say(tooFast(n, g.f.Keys.Allow))
			return
		}
		g.lineKey(k, held, out)
	default:
		g.said = nil
		g.restKey(k, held, idle, before, why, out)
	}
}

// opener reports whether nothing was typed into the line yet.
func (g *Gate) opener() bool { return len(g.value)+len(g.typed) == 0 }

// overKey answers a key that comes when nothing can be decided any more.
func (g *Gate) overKey(k Key, out *Outcome) {
	switch k.Name {
	case g.f.Keys.Allow, g.f.Keys.Deny, g.f.Keys.Skip:
		out.Consumed = true
	}
}

// restKey takes a key while no line is open.
func (g *Gate) restKey(k Key, held, idle bool, before int64, why cause, out *Outcome) {
	if idle {
		out.Redraw, out.Consumed = true, true
		g.painted, g.shown = false, false
		g.restWhy = byChange
		g.say(idleFor(g.now-before, g.f.Keys.Allow))
		return
	}
	if g.burst > 1 {
		g.say(tooFast(g.burst, g.f.Keys.Allow))
	}
	keys := g.f.Keys
	if k.Name != keys.Allow && k.Name != keys.Deny && k.Name != keys.Skip {
		return
	}
	out.Consumed = true
	if g.burst > 1 {
		return
	}
	if k.Name == keys.Allow && g.refuse != nil {
		g.say(*g.refuse)
		return
	}
	if k.Name == keys.Allow && g.unread() > 0 {
		g.say(notRead(g.unread()))
		return
	}
	if m, early := g.early(k.Name, held, before, why); early {
		g.say(m)
		return
	}
	switch k.Name {
	case keys.Deny:
		g.mode, g.firesAt = ModeDenying, g.now+RestMS
	case keys.Skip:
		if g.all == 0 || g.unread() == 0 {
			g.say(nothingToSkip())
			return
		}
		g.open(ModeSkip)
	case keys.Allow:
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
func (g *Gate) early(key string, held bool, before int64, why cause) (Message, bool) {
	switch rest := g.now - before; {
	case held:
		return repeated(key), true
	case !g.focused, rest < RestMS && why == byFocus:
		return newFocus(g.f.Keys.Allow), true
	case !g.painted || !g.shown:
		return noEcho(g.f.Keys.Allow), true
	case rest < RestMS:
		return tooSoon(key, rest, why), true
	}
	return Message{}, false
}

// open opens the line with nothing filled in.
func (g *Gate) open(m Mode) {
	g.shut()
	g.mode, g.openedByKey = m, true
}
