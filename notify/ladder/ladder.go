// Package ladder says when somebody is told that asks wait.
//
// The rule it keeps: each rung of each ask is told at most once, whatever the
// clock does and however often the notifier is started anew; what comes due
// together is one telling; an answered ask is told no more. While somebody
// watches, unless the plan says always, what comes due is passed over and not
// made up for. Pure: times are effective Unix ms and passed in.
package ladder

import "slices"

// Kind is why somebody is told.
type Kind string

// Kinds of an event, in the order in which one step gives them.
const (
	Mandated  Kind = "mandated_waiting" // as Waiting, and one of them only a person may answer
	Waiting   Kind = "waiting"          // asks reached a rung
	Expiring  Kind = "expiring"         // asks are about to expire, which is a no
	Unknown   Kind = "unknown_outcome"  // there are more outcomes that nobody can prove
	Unwatched Kind = "unwatched"        // asks wait and nobody watches
	Test      Kind = "test"             // somebody tries it out
)

// Times in milliseconds.
const (
	minute int64 = 60_000
	// UnwatchedMS is how long asks wait unwatched before that is told.
	UnwatchedMS = minute
	// expireMS is at most how long before its deadline an ask is expiring.
	expireMS = 10 * minute
	// forgetMS is how long after its deadline an ask out of sight is
	// remembered: a clock that ran ahead may be set back.
	forgetMS = 24 * 60 * minute
)

// Plan is what the operator configured.
type Plan struct {
	AfterMS []int64 // the rungs: since the ask was made; growing
	Always  bool    // also while somebody watches
}

// Ask is what the ladder looks at of a pending ask.
type Ask struct {
	ID        string
	Mandated  bool
	CreatedAt int64
	AnswerBy  int64
}

// expiresAt is when an ask counts as expiring: in the last tenth of its time,
// and never longer than ten minutes.
func (a *Ask) expiresAt() int64 { return a.AnswerBy - min(expireMS, (a.AnswerBy-a.CreatedAt)/10) }

// Facts are what is so at one step.
type Facts struct {
	Now     int64
	Asks    []Ask // pending, most urgent first
	All     bool  // Asks are all asks there are: what is not among them was answered
	Pending int64
	Unknown int64 // attempts with an unknown outcome
	Watched bool  // somebody watches
	Known   bool  // whether that can be told
}

// Told is what an ask was told of.
type Told struct {
	Ask      string `json:"ask"`
	Rungs    int    `json:"rungs"` // so many, from the first
	Expiring bool   `json:"expiring,omitzero"`
	AnswerBy int64  `json:"answer_by"`
}

// State is what a notifier remembers between steps. The zero State has told
// nothing.
type State struct {
	Told       []Told `json:"told"` // by ask
	Unknown    int64  `json:"unknown"`
	AloneSince int64  `json:"alone_since,omitzero"` // asks wait unwatched since; 0 for not
	AloneTold  bool   `json:"alone_told,omitzero"`  // in this absence
}

// Due is an ask that an event is about.
type Due struct {
	Ask  Ask
	Rung int // 1 for the first; 0 in an event that is about no rung
}

// Event is one telling. Asks is empty where it is about none in particular.
type Event struct {
	Kind Kind
	Asks []Due
}

// Step gives what is to be told at f.Now, the state to remember before it is
// told, and when the next step has something to do by itself (0 for never).
func (p *Plan) Step(s State, f *Facts) (next State, events []Event, at int64) {
	quiet := f.Watched && f.Known && !p.Always
	told := make(map[string]Told, len(s.Told))
	for _, t := range s.Told {
		told[t.Ask] = t
	}
	waiting, expiring := Event{Kind: Waiting}, Event{Kind: Expiring}
	soonest := func(t int64) {
		if t > f.Now && (at == 0 || t < at) {
			at = t
		}
	}
	here := make(map[string]bool, len(f.Asks))
	for _, a := range f.Asks {
		here[a.ID] = true
		t := told[a.ID]
		t.Ask, t.AnswerBy = a.ID, a.AnswerBy
		rungs := p.rungs(f.Now - a.CreatedAt)
		climbed, ends := rungs > t.Rungs, !t.Expiring && f.Now >= a.expiresAt()
		switch {
		case ends:
			expiring.Asks = append(expiring.Asks, Due{Ask: a})
		case climbed:
			waiting.Asks = append(waiting.Asks, Due{Ask: a, Rung: rungs})
			if a.Mandated {
				waiting.Kind = Mandated
			}
		}
		t.Rungs, t.Expiring = max(t.Rungs, rungs), t.Expiring || ends
		told[a.ID] = t
		if t.Rungs < len(p.AfterMS) {
			soonest(a.CreatedAt + p.AfterMS[t.Rungs])
		}
		if !t.Expiring {
			soonest(a.expiresAt())
		}
	}
	for _, e := range []Event{waiting, expiring} {
		if len(e.Asks) > 0 {
			events = append(events, e)
		}
	}
	if f.Unknown > s.Unknown {
		events = append(events, Event{Kind: Unknown})
	}
	if quiet {
		events = nil
	}
	next = State{Told: kept(told, here, f), Unknown: f.Unknown, AloneSince: s.AloneSince, AloneTold: s.AloneTold}
	if next.alone(f) {
		events = append(events, Event{Kind: Unwatched})
	}
	if next.AloneSince != 0 && !next.AloneTold {
		soonest(next.AloneSince + UnwatchedMS)
	}
	return next, events, at
}

// rungs is how many rungs an age has reached.
func (p *Plan) rungs(age int64) int {
	n := 0
	for n < len(p.AfterMS) && age >= p.AfterMS[n] {
		n++
	}
	return n
}

// alone follows whether asks wait unwatched, and reports once in each absence
// that they did so for long enough.
func (s *State) alone(f *Facts) bool {
	switch {
	case !f.Known:
		s.AloneSince = 0
	case f.Watched:
		s.AloneSince, s.AloneTold = 0, false
	case f.Pending == 0:
		s.AloneSince = 0
	case s.AloneSince == 0 || s.AloneSince > f.Now: // the clock went back
		s.AloneSince = f.Now
	}
	if s.AloneSince == 0 || s.AloneTold || f.Now-s.AloneSince < UnwatchedMS {
		return false
	}
	s.AloneTold = true
	return true
}

// kept is what must be remembered: asks that wait, and those that may come
// back because they are only out of sight (snoozed, or too many to look at).
func kept(told map[string]Told, here map[string]bool, f *Facts) []Told {
	out := make([]Told, 0, len(told))
	for id, t := range told {
		if here[id] || !f.All && f.Now < t.AnswerBy+forgetMS {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b Told) int {
		if a.Ask < b.Ask {
			return -1
		}
		return 1
	})
	return out
}
