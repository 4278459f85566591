package gate

import (
	"nod/digest"
	"nod/digest/visible"
	"nod/themes"
)

// Draft is the answer to a desk page that was written and is not given: Key
// gives it once armed, and 400 ms of rest follow it as a denial's. Full wants
// what an allow wants: the whole page displayed, the value and the code. The
// zero Draft takes it away, also after it was taken.
type Draft struct {
	Verdict Verdict // in the queue's words
	Key     string  // a single letter
	Full    bool
	Says    string // in our own words: "It did not happen"
	Opens   string // what it unlocks: our own sentence, without its first capital
}

func (Draft) event() {}

// draftTo sets what is about to be answered.
func (g *Gate) draftTo(d Draft) {
	if letter(d.Key) != nil {
		d = Draft{}
	}
	if g.mode == ModeSent {
		g.shut()
	}
	if d == g.draft {
		return
	}
	g.draft = d
	g.disturb(byChange)
	g.said = nil
}

// anew binds the gate to the page as it is now: evidence came in, so nothing of
// it counts as shown, and what was about to count does not (DESIGN §5).
func (g *Gate) anew(shown digest.Digest) {
	g.f.Shown = shown
	if shown.Valid() {
		g.code = shown.Hex()[:codeLen]
	}
	g.seen, g.all, g.skipped = 0, 0, 0
	g.painted, g.shown, g.everSeen = false, false, false
	if g.mode == ModeSent {
		return // the queue says what became of it
	}
	g.disturb(byEvidence)
	g.say(newEvidence())
}

// deskKey takes the key of the written answer while no line is open.
func (g *Gate) deskKey(p press) {
	d := &g.draft
	switch {
	case d.Full && g.refuse != nil:
		g.say(*g.refuse)
		return
	case d.Full && g.unread() > 0:
		g.say(NotRead(g.unread(), g.f.Keys.Reading()))
		return
	}
	if m, early := g.early(p); early {
		g.say(m)
		return
	}
	if d.Full {
		g.open(ModeValue)
		return
	}
	g.mode, g.firesAt = ModeDenying, g.now+RestMS
}

// keyNamed is the key that the sentences name: the allow key, on the desk that of the
// written answer, "" while none is written.
func (g *Gate) keyNamed() string {
	if g.f.Kind == Desk {
		return g.draft.Key
	}
	return g.f.Keys.Allow
}

// deskStanding says how a written answer stands while no line is open.
func (g *Gate) deskStanding() Message {
	d := &g.draft
	switch {
	case d.Key == "":
		return Message{}
	case d.Full && g.unread() > 0 && g.all > 0:
		return NotRead(g.unread(), g.f.Keys.Reading())
	case !g.focused, !g.live(), !g.armed():
		return g.notArmed()
	case d.Full && g.refuse != nil:
		return *g.refuse
	case d.Full:
		return sentence(themes.OK, "Armed", "%s opens the line for the value and the code%s.", d.Key, then(g.f.Keys.Words, "changes what you wrote"))
	}
	return sentence(themes.OK, "Armed", "%s gives it, when 400 ms of rest follow%s.", d.Key, then(g.f.Keys.Words, "changes what you wrote"))
}

// deskLine says what the open line does.
func (g *Gate) deskLine() Message {
	return Message{Head: visible.Drawn(g.draft.Says + ":"), Rest: visible.Drawn(" " + g.draft.Opens), Role: themes.Danger}
}

func wrongPart(key string) Message {
	return warn("Wrong value", "it is another one, so nothing was answered; %s opens it again.", key)
}

func newEvidence() Message {
	return warn("Changed", "evidence came in, so nothing was answered; read the page again.")
}

func giving(key string) Message {
	return warn("Giving", "%s counts in 400 ms, so rest to let it; any key takes it back.", key)
}
