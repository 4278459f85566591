package alert

import (
	"slices"
	"strconv"
)

// Times in milliseconds.
const (
	// FoldMS is the least time between two bells or notifications.
	FoldMS int64 = 30_000
	// AwayMS is after how long without a key nobody counts as watching.
	AwayMS int64 = 600_000
)

// Facts are what waits, as counts.
type Facts struct {
	Pending  int64 // asks that wait for an answer
	Mandated int64 // of those: only a person may answer
	Unknown  int64 // outcomes nobody can prove
	Notices  int64 // not acknowledged
	Away     bool  // Unattended
}

// Out is what to hand to the terminal after a step. Title is the window's
// title, "" for none; it goes into the view. Raw is written as it is, once.
type Out struct {
	Title string
	Raw   string
}

// State is an alert between two steps. It starts with New.
type State struct {
	kinds   []Kind
	seen    bool // last is filled
	last    Facts
	blurred bool
	owed    sentence // what came since the last call, the most urgent
	rang    bool
	rangAt  int64 // Unix ms
}

// New is the state at the start: in front, nothing owed.
func New(kinds []Kind) State { return State{kinds: slices.Clone(kinds)} }

// Focus takes a report of the terminal: its window came to the front or left
// it. In front, nothing is owed: the operator sees it.
func (s State) Focus(front bool) State {
	s.blurred = !front
	if front {
		s.owed = nothing
	}
	return s
}

// InFront reports whether the window counts as in front.
func (s State) InFront() bool { return !s.blurred }

// Step takes what waits now (Unix ms, any clock that does not go back by
// itself) and says what the terminal is told. Call it when a count or the focus
// changes, and each second while Owed: a folded call has to go out some time.
func (s State) Step(now int64, f Facts) (State, Out) {
	if s.blurred && s.seen {
		s.owed = max(s.owed, rise(&s.last, &f))
	}
	if s.owed != nothing && !s.owed.holds(&f) {
		s.owed = weaker(&f, s.owed) // answered before it was said
	}
	s.last, s.seen = f, true
	var out Out
	if slices.Contains(s.kinds, Title) {
		out.Title = title(&f)
	}
	since := now - s.rangAt
	if s.owed == nothing || s.rang && 0 <= since && since < FoldMS {
		return s, out
	}
	out.Raw = s.call(s.owed)
	s.owed, s.rang, s.rangAt = nothing, true, now
	return s, out
}

// Owed reports whether a call waits for its time.
func (s State) Owed() bool { return s.owed != nothing }

func (s State) call(what sentence) string {
	raw := ""
	for _, k := range s.kinds {
		switch k {
		case Bell:
			raw += bell
		case OSC9:
			raw += "\x1b]9;nod: " + what.words() + st
		case OSC777:
			raw += "\x1b]777;notify;nod;" + what.words() + st
		case OSC99:
			// One identifier, so that a newer notification takes the older one's place.
			raw += "\x1b]99;i=nod;nod: " + what.words() + st
		}
	}
	return raw
}

const (
	bell = "\a"
	st   = "\x1b\\" // ends an OSC; a BEL would ring where the OSC is not known
)

// sentence is what a call says; a greater one is more urgent.
type sentence int

const (
	nothing sentence = iota
	aNotice
	anUnknown
	aCall
	aMandate
)

func (w sentence) words() string {
	switch w {
	case aNotice:
		return "a notice waits to be read"
	case anUnknown:
		return "an outcome is unknown"
	case aMandate:
		return "a mandated call waits"
	default:
		return "a call waits for you"
	}
}

// holds reports whether w still says what is so.
func (w sentence) holds(f *Facts) bool {
	switch w {
	case aNotice:
		return f.Notices > 0
	case anUnknown:
		return f.Unknown > 0
	case aCall:
		return f.Pending > 0
	case aMandate:
		return f.Mandated > 0
	default:
		return false
	}
}

// weaker is the most urgent sentence below w that holds.
func weaker(f *Facts, w sentence) sentence {
	for w--; w > nothing && !w.holds(f); w-- {
	}
	return w
}

// rise is the most urgent count that grew.
func rise(was, is *Facts) sentence {
	switch {
	case is.Mandated > was.Mandated:
		return aMandate
	case is.Pending > was.Pending:
		return aCall
	case is.Unknown > was.Unknown:
		return anUnknown
	case is.Notices > was.Notices:
		return aNotice
	default:
		return nothing
	}
}

// title is the window's title.
func title(f *Facts) string {
	switch {
	case f.Pending > 0 && f.Away:
		return "nod: nobody watches, " + count(f.Pending) + " wait"
	case f.Mandated > 0:
		return "nod: " + count(f.Pending) + " wait, " + count(f.Mandated) + " mandated"
	case f.Pending > 0:
		return "nod: " + count(f.Pending) + " wait"
	case f.Unknown > 0:
		return "nod: " + count(f.Unknown) + " unknown"
	case f.Notices > 0:
		return "nod: " + count(f.Notices) + " to read"
	default:
		return "nod"
	}
}

func count(n int64) string { return strconv.FormatInt(max(n, 0), 10) }

// Unattended reports whether asks wait and nobody is at this console: its
// window is not in front, and no key came for ten minutes.
func Unattended(now, lastKey int64, front bool, waiting int64) bool {
	return waiting > 0 && !front && now-lastKey >= AwayMS
}

// Push asks the terminal to remember its title, Pop to take it back; "" where
// no title is sent. Push goes out before the first view, Pop after the last:
// a terminal that keeps no titles ignores both, and then has none.
func Push(kinds []Kind) string { return titled(kinds, "\x1b[22;2t") }

// Pop is Push's counterpart.
func Pop(kinds []Kind) string { return titled(kinds, "\x1b[23;2t") }

func titled(kinds []Kind, sequence string) string {
	if slices.Contains(kinds, Title) {
		return sequence
	}
	return ""
}
