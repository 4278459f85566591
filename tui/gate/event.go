package gate

import (
	"nod/digest"
	"nod/digest/visible"
)

// Event is something that happened to the console while an ask is open.
type Event interface{ event() }

// Key is a key press. Give the gate every one, also those that scroll.
type Key struct {
	// Name is the key's name with its modifiers: "a", "S", "enter", "alt+a".
	Name string
	// Text is what the key types, "" for a key that types nothing.
	Text   string
	Repeat bool // the terminal says that the key is held
	Pasted bool // it came from the clipboard
}

// Paste is text from the clipboard, thrown away.
type Paste struct{}

// Mouse is a click or a turn of the wheel.
type Mouse struct{}

// Focus says that the window got the keys, Blur that it lost them.
type Focus struct{}

// Blur says that the window lost the keys.
type Blur struct{}

// Resize says that the window has another size; frames painted before it are
// no longer what is on the screen.
type Resize struct{}

// Painted says that a frame which draws other rows of the card than the one
// before was handed to the terminal, with a cursor question behind it. Do not
// send it for a frame in which only a clock or a message changed.
type Painted struct{ Frame uint64 }

// Confirmed says that the terminal answered the question behind a frame.
type Confirmed struct{ Frame uint64 }

// Read says how much of the card was displayed (cardview.Reading).
type Read struct {
	Seen, All int
	Skipped   int // lines the operator confirmed to skip
}

// Words are the operator's words to the agent, as they stand now.
type Words struct{ Text string }

// Answer is what the operator wants to answer to a question: JSON, valid
// against the question's schema; "" for no answer yet.
type Answer struct{ JSON string }

// Terms is what else goes with an allow, in our own words for the sentence of
// the open line: "held 30 s", "and 3 more within 1 h"; "" for nothing.
type Terms struct{ Text string }

// Slow says that the operator answered too fast to have read: for this ask rest
// is longer. Rest is the sentence after "Slow down:", our own words.
type Slow struct{ Rest string }

// UseBy says until when an allow given now could be used, as a clock time.
type UseBy struct{ Clock string }

// Changed says that something about the ask changed on the screen: its state
// row, its waiters. Shown is the digest that is displayed now; another one
// than the gate was opened on closes the gate for good.
type Changed struct{ Shown digest.Digest }

// Expired says that the time to answer is over.
type Expired struct{}

// DecidedElsewhere says that the ask was answered, withdrawn or revoked by
// somebody else.
type DecidedElsewhere struct {
	Who  visible.Text // drawn; empty when nobody in particular
	Verb string       // our own word: "allowed", "denied", "answered", "withdrew"
	At   string       // clock time
}

// Failed says that the decision was not taken: the store refused it. The
// sentence is for the operator; the gate stays open for another try.
type Failed struct{ Sentence visible.Text }

// Tick says only what time it is; send one at Outcome.WakeAt.
type Tick struct{}

func (Key) event()              {}
func (Paste) event()            {}
func (Mouse) event()            {}
func (Focus) event()            {}
func (Blur) event()             {}
func (Resize) event()           {}
func (Painted) event()          {}
func (Confirmed) event()        {}
func (Read) event()             {}
func (Words) event()            {}
func (Answer) event()           {}
func (UseBy) event()            {}
func (Terms) event()            {}
func (Slow) event()             {}
func (Changed) event()          {}
func (Expired) event()          {}
func (DecidedElsewhere) event() {}
func (Failed) event()           {}
func (Tick) event()             {}
