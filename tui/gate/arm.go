package gate

// disturb breaks the rest and closes an open line: what is on the screen, or
// who looks at it, is not what it was.
func (g *Gate) disturb(why cause) {
	open := g.mode == ModeValue || g.mode == ModeCode || g.mode == ModeSkip
	switch {
	case g.mode == ModeDenying:
		g.takeBack()
	case open && why != byClick:
		g.shutUnder()
		g.say(closed(why))
	case open:
		g.firesAt = 0
		g.clear()
	default:
		g.said = nil
	}
	g.restFrom, g.restWhy = g.now, why
}

// takeBack undoes a deny key that rest did not follow.
func (g *Gate) takeBack() {
	g.shut()
	if g.f.Kind == Desk {
		g.say(takenBack(g.draft.Key))
		return
	}
	g.say(takenBack(g.f.Keys.Deny))
}

// paste throws text from the clipboard away.
func (g *Gate) paste() {
	switch g.mode {
	case ModeDenying:
		g.takeBack()
	case ModeValue, ModeCode, ModeSkip:
		g.clear()
		g.lockedUntil = g.now + RestMS
		g.say(pasted(g.keyNamed(), g.mode))
	case ModeRest:
		g.say(pasted(g.keyNamed(), g.mode))
	}
	g.restFrom, g.restWhy = g.now, byPaste
}

// display lets the newest frame count as painted.
func (g *Gate) display() {
	g.shown = true
	if !g.everSeen {
		g.everSeen, g.firstMS = true, g.now
	}
	if g.mode == ModeRest {
		// The operator sees this frame only from now on.
		if g.restFrom < g.now {
			g.restFrom, g.restWhy = g.now, byChange
		}
	}
}

// echo lets a frame count whose question the terminal never answered.
func (g *Gate) echo(out *Outcome) {
	if g.painted && !g.shown && g.now >= g.paintAt+NoEchoMS {
		out.Frame = g.frame
		g.shown = true
		if !g.everSeen {
			g.everSeen, g.firstMS = true, g.paintAt
		}
	}
}

// restMS is how long no key and no disturbance may come before a key counts.
func (g *Gate) restMS() int64 {
	if g.slow {
		return SlowMS
	}
	return RestMS
}

// live reports whether the operator has the keys and sees the newest frame.
func (g *Gate) live() bool { return g.focused && g.painted && g.shown }

// armed reports whether a key that decides may count now.
func (g *Gate) armed() bool {
	return g.over == nil && g.mode == ModeRest && g.live() && g.now >= g.restFrom+g.restMS()
}

// wake returns when time alone changes something; 0 for never.
func (g *Gate) wake() int64 {
	var at int64
	next := func(t int64) {
		if t > g.now && (at == 0 || t < at) {
			at = t
		}
	}
	if g.over != nil || g.mode == ModeSent {
		return 0
	}
	next(g.firesAt)
	next(g.f.ExpiresMS)
	next(g.lockedUntil)
	if g.painted && !g.shown {
		next(g.paintAt + NoEchoMS)
	}
	if g.mode == ModeRest && g.live() {
		next(g.restFrom + g.restMS())
	}
	return at
}
