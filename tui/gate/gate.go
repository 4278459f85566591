package gate

import (
	"nod/digest"
	"nod/digest/visible"
)

// Times of the gate in ms.
const (
	RestMS   = 400  // without a key or a disturbance, before a key counts
	SlowMS   = 2000 // the same, while the operator answers too fast to have read
	NoEchoMS = 1500 // a frame counts as painted when the terminal never answers
	BurstMS  = 15   // keys closer than this were not typed
	HeldMS   = 60   // one key twice within this is held down
	SpillMS  = 1000 // keys closer than this to a line that closed by itself were meant for it
	CodeMS   = 100  // four characters within this were not typed
	IdleMS   = 30 * 60 * 1000
)

// codeLen is how many characters of the shown digest are typed.
const codeLen = 4

// Gate is the gate of one displayed ask. It belongs to one goroutine.
type Gate struct {
	f    Facts
	code string
	now  int64
	mode Mode

	// What stands between the operator and a key that counts.
	restFrom int64  // the last key or disturbance
	restWhy  cause  // which
	focused  bool   // false after Blur
	frame    uint64 // the newest
	painted  bool
	paintAt  int64
	shown    bool // the newest frame counts as painted
	firstMS  int64
	everSeen bool

	seen, all, skipped int
	words, answer      string
	terms              string // what else goes with an allow
	slow               bool   // the pace was too fast: rest is longer
	draft              Draft  // on the desk

	// The open line.
	value, typed []byte
	times        []int64 // of the characters in typed
	lockedUntil  int64   // after a burst or paste, characters wait for rest
	firesAt      int64   // when what was typed, or the deny key, counts; 0 for not
	openedByKey  bool    // the key before this one opened the line

	spillAt int64 // the line was closed under the operator's hand, or the key after that

	keyAt   int64 // the last key
	keyName string
	burst   int   // keys in the burst that the last key belongs to
	bound   bool  // one of them is a key of the gate
	actAt   int64 // the operator's last act of any kind

	said   *Message // stays until the next act
	over   *Message // why nothing can be decided any more
	refuse *Message // why this ask can never be allowed here
}

// cause is what broke the rest.
type cause uint8

const (
	byKey cause = iota
	byChange
	byResize
	byPaste
	byFocus
	byBurst
	byClick
	byEvidence
)

// New opens the gate on an ask that is displayed now. Keys that Check refuses
// are replaced by the default ones.
func New(f Facts, nowMS int64) *Gate {
	if f.Keys.Check() != nil {
		f.Keys = DefaultKeys()
	}
	g := &Gate{f: f, now: nowMS, restFrom: nowMS, restWhy: byChange, focused: true, keyAt: nowMS - IdleMS, actAt: nowMS}
	switch {
	case !f.Shown.Valid():
		g.end(noDigest())
	case f.Redescribed:
		m := redescribed(f.Keys.Deny)
		g.refuse = &m
	case f.needsValue() && f.Confirm == "":
		m := noValue()
		g.refuse = &m
	case f.Kind == Desk && !Typeable(f.Confirm):
		m := noDeskValue()
		g.refuse = &m
	case f.Confirm != "" && !Typeable(f.Confirm):
		m := notTypeable()
		g.refuse = &m
	}
	if f.Shown.Valid() {
		g.code = f.Shown.Hex()[:codeLen]
	}
	return g
}

// Code returns the characters that decide, to be set in brackets on the
// position row: the first four after "sha256:" of the shown digest.
func (g *Gate) Code() string { return g.code }

// Slow reports whether rest is longer for this ask.
func (g *Gate) Slow() bool { return g.slow }

// Shown returns the digest that the gate is bound to.
func (g *Gate) Shown() digest.Digest { return g.f.Shown }

// Handle takes an event that came in at nowMS. Events come in the order in
// which they happened; time that goes back counts as standing still.
func (g *Gate) Handle(ev Event, nowMS int64) Outcome {
	g.now = max(g.now, nowMS)
	var out Outcome
	g.expire()
	if g.firesAt > 0 && g.now >= g.firesAt && !takesBack(ev) {
		g.fire(&out)
		if _, ok := ev.(Key); ok {
			// The key came after the decision and is not for the next ask.
			out.Consumed = true
			ev = Tick{}
		}
	}
	g.echo(&out)
	g.take(ev, &out)
	g.expire()
	g.report(&out)
	return out
}

// takesBack reports whether ev undoes what was about to count, even if it is
// handled late.
func takesBack(ev Event) bool {
	switch ev.(type) {
	case Changed, Expired, DecidedElsewhere, Blur, Focus, Resize, Paste, Draft:
		return true
	}
	return false
}

func (g *Gate) take(ev Event, out *Outcome) {
	switch ev := ev.(type) {
	case Key:
		g.key(ev, out)
	case Paste:
		g.paste()
	case Mouse:
		g.actAt = g.now
		g.disturb(byClick)
	case Focus:
		g.focused, g.actAt = true, g.now
		g.disturb(byFocus)
	case Blur:
		g.focused = false
		g.disturb(byFocus)
	case Resize:
		g.painted, g.shown = false, false
		g.disturb(byResize)
	case Painted:
		g.frame, g.painted, g.shown, g.paintAt = ev.Frame, true, false, g.now
		if g.mode == ModeDenying {
			g.takeBack()
		}
	case Confirmed:
		out.Frame = ev.Frame
		if g.painted && ev.Frame == g.frame && !g.shown {
			g.display()
		}
	case Read:
		g.seen, g.all, g.skipped = ev.Seen, ev.All, ev.Skipped
		if g.unread() > 0 && (g.mode == ModeValue || g.mode == ModeCode) {
			g.shut()
		}
	case Words:
		if ev.Text != g.words {
			g.words = ev.Text
			g.disturb(byChange)
		}
	case Answer:
		if ev.JSON != g.answer {
			g.answer = ev.JSON
			g.disturb(byChange)
		}
	case Terms:
		if ev.Text != g.terms {
			g.terms = ev.Text
			g.disturb(byChange)
		}
	case Slow:
		g.slow = true
		g.disturb(byChange)
		g.say(SlowDown(ev.Rest))
	case UseBy:
		g.f.UseBy = ev.Clock
	case Draft:
		g.draftTo(ev)
	case Changed:
		if ev.Shown != g.f.Shown && g.f.Kind == Desk {
			g.anew(ev.Shown)
			return
		}
		if ev.Shown != g.f.Shown {
			g.end(otherCard())
			return
		}
		g.disturb(byChange)
	case Expired:
		g.end(ExpiredSentence(g.f.AnswerBy))
	case DecidedElsewhere:
		g.end(Gone(ev.Who, ev.Verb, ev.At))
	case Failed:
		if g.mode == ModeSent {
			g.shut()
			g.say(failed(ev.Sentence))
			g.restFrom, g.restWhy = g.now, byChange
		}
	}
}

// expire closes the gate at the end of the time to answer.
func (g *Gate) expire() {
	if g.f.ExpiresMS > 0 && g.now >= g.f.ExpiresMS && g.mode != ModeOver && g.mode != ModeSent {
		g.end(ExpiredSentence(g.f.AnswerBy))
	}
}

// end closes the gate for good. Who was typing a value or a code types on.
func (g *Gate) end(m Message) {
	if g.mode == ModeValue || g.mode == ModeCode || g.mode == ModeSkip {
		g.shutUnder()
	}
	g.shut()
	g.mode, g.over, g.said = ModeOver, &m, nil
}

// shut closes the line and forgets what was typed.
func (g *Gate) shut() {
	g.value, g.typed, g.times = nil, nil, nil
	g.firesAt, g.lockedUntil, g.openedByKey = 0, 0, false
	if g.mode != ModeOver {
		g.mode = ModeRest
	}
}

// shutUnder closes the line while it is typed in: what is typed on was meant for
// it.
func (g *Gate) shutUnder() {
	g.shut()
	g.spillAt = g.now
}

func (g *Gate) say(m Message) { g.said = &m }

// fire lets count what was typed, or the deny key, now that rest followed it.
func (g *Gate) fire(out *Outcome) {
	mode := g.mode
	g.firesAt = 0
	if g.over != nil || !g.live() {
		g.shut()
		g.say(closed(byChange))
		return
	}
	switch {
	case mode == ModeSkip:
		out.Skip = g.all - g.seen
		g.shut()
	case mode == ModeDenying && g.f.Kind == Desk && !g.draft.Full:
		g.decide(g.draft.Verdict, out)
	case mode == ModeDenying && g.f.Kind != Desk:
		g.decide(VerdictDeny, out)
	case mode == ModeCode && g.unread() == 0 && string(g.typed) == g.code:
		v := VerdictAllow
		if g.f.Kind == Desk {
			v = g.draft.Verdict
		}
		if g.f.Kind == Question {
			v = VerdictAnswer
		}
		g.decide(v, out)
	default:
		g.shut()
	}
}

// decide gives the decision out; nothing more is decided after it.
func (g *Gate) decide(v Verdict, out *Outcome) {
	d := &Decision{
		Ask: g.f.Ask, Shown: g.f.Shown, Verdict: v, Words: g.words,
		LinesSeen: g.seen, LinesAll: g.all, DwellMS: g.now - g.firstMS,
	}
	if v != VerdictDeny {
		d.Confirm = string(g.value)
	}
	if v == VerdictAnswer {
		d.Answer = g.answer
	}
	out.Decision = d
	g.shut()
	g.mode = ModeSent
	g.say(sent())
}

// unread is how many lines were neither displayed nor skipped. Before Read
// has come nothing was.
func (g *Gate) unread() int {
	if g.all == 0 {
		return 1
	}
	return g.all - g.seen - g.skipped
}

// typedText returns what was typed; only printable ASCII is ever taken.
func typedText(b []byte) visible.Text { return visible.Drawn(string(b)) }
