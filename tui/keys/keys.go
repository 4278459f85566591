// Package keys is the console's bindings: one table that the dispatcher, the
// keys row, the help screen and the README read.
//
// The rule it keeps: a key means what this table says, in the place where the
// table says it, and nothing else does. Keys that must never decide (Enter,
// Space, Esc, Tab, the arrows and their like) are refused for an intent that
// decides, by Check.
package keys

import "slices"

// Place is where a binding holds. A binding may hold in several.
type Place uint16

// Places.
const (
	Inbox Place = 1 << iota
	Detail
	History
	Help
	Replay  // a card of the history, opened
	Confirm // a yes-or-no question of the console
	Line    // a field for one line: words, an answer, a code
	Sessions
	Stats
	Batch   // the marked asks, card by card
	Editor  // the arguments of a call, as text
	Form    // a question's answer, field by field
	Choose  // the palette
	Effects // the list of effects
	Desk    // one effect, with its page

	// Everywhere is every place where keys are not text.
	Everywhere = Inbox | Detail | History | Help | Replay | Sessions | Stats | Batch | Effects | Desk
	// Lists are the places with rows to choose from, Cards those with a card.
	Lists = Inbox | History | Sessions | Stats | Effects
	Cards = Detail | Replay | Batch | Desk
)

// Intent is what a key asks for. The model carries it out or says why not.
type Intent uint8

// Intents.
const (
	None Intent = iota
	Open
	Back
	Quit
	Up
	Down
	PageUp
	PageDown
	Top
	End
	NextUnseen
	SkipUnseen
	NextAsk
	PrevAsk
	Approve
	Deny
	Words
	Answer
	Revoke
	Freeze
	Acknowledge
	ShowInbox
	ShowHistory
	ShowHelp
	ShowNotices
	Theme
	Suspend
	Yes
	No
	Search
	Filters
	Unfold
	Mark
	OpenBatch
	Snooze
	Claim
	Edit
	Hold
	Grant
	CopyID
	CopyDigest
	NextLens
	PrevLens
	LensUp
	LensDown
	ShowSessions
	ShowStats
	Palette
	Verify
	NextSpan
	NextOrder
	FreezeSession
	Keep
	Leave
	NextField
	PrevField
	Choice
	NextOrKeep
	ShowEffects
	ToEffect
	Happened
	NotHappened
	StillUnknown
	Distinct
	SeenOpen
	Rewrite
	DropWritten
	Observe
	NextAttempt
	Resend
	DropWords
)

// Decides reports whether an intent leads to a decision or takes one back, so
// that no key which is pressed without thought may carry it (DESIGN §9).
func (i Intent) Decides() bool {
	switch i {
	case Approve, Deny, Revoke, SkipUnseen, Freeze, FreezeSession, Yes:
		return true
	}
	return i.Settles()
}

// Settles reports whether an intent is an answer on the desk: its key writes the
// answer, and gives it once it is written.
func (i Intent) Settles() bool {
	switch i {
	case Happened, NotHappened, StillUnknown, Distinct, SeenOpen:
		return true
	}
	return false
}

// Scrolls reports whether an intent only moves what is on the screen.
func (i Intent) Scrolls() bool {
	switch i {
	case Up, Down, PageUp, PageDown, LensUp, LensDown:
		return true
	}
	return false
}

// Delayed reports whether an intent acts at once or opens something in which
// the rest of a paste would land: its key counts when no burst follows it.
func (i Intent) Delayed() bool {
	switch i {
	case Words, Answer, Edit, Hold, Grant, OpenBatch, Mark, Revoke, Freeze, FreezeSession, Acknowledge, Snooze, Claim, Quit, Suspend,
		Rewrite, DropWritten, Observe, Resend, DropWords:
		return true
	}
	return i.Settles()
}

// Acts reports whether an intent changes something in the queue with nothing
// asked before it: a held key carries it out once.
func (i Intent) Acts() bool { return i == Acknowledge || i == Claim || i == Observe }

// Group is the heading a binding stands under in the help.
type Group string

// Groups, in the order of the help screen.
const (
	Move   Group = "Move"
	Read   Group = "Read"
	Reply  Group = "Answer"
	Aside  Group = "Beside"
	Always Group = "Everywhere"
	Write  Group = "While you write"
)

// Binding is one row of the table.
type Binding struct {
	In     Place
	Keys   []string // as tea.Key.String writes them
	Shown  string   // as the screen and the README write them
	Verb   string   // on the keys row
	Foot   string   // on the keys row instead of key and verb, where one pair stands for two
	Does   string   // in the help and the README, a phrase
	Group  Group
	Intent Intent
	More   bool // something more is asked before it counts: the verb gets "…"
	Quiet  bool // not on the keys row
}

// Table is every binding, in order of use: the keys row drops from the middle.
func Table() []Binding {
	return slices.Concat(moving(), reading(), answering(), aside(), always(), writing())
}
