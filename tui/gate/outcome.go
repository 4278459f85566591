package gate

import (
	"nod/digest"
	"nod/digest/visible"
	"nod/themes"
)

// Verdict is what a decision says, in the queue's words.
type Verdict string

// Verdicts.
const (
	VerdictAllow  Verdict = "allow"
	VerdictDeny   Verdict = "deny"
	VerdictAnswer Verdict = "answer"
)

// Decision is what the operator decided, bound to the card that was displayed.
type Decision struct {
	Ask       string
	Shown     digest.Digest
	Verdict   Verdict
	Confirm   string // the value that was typed
	Words     string
	Answer    string // JSON
	LinesSeen int    // displayed; skipped ones are not in it
	LinesAll  int
	DwellMS   int64 // since the card was first on the screen
}

// Mode says what the gate listens to.
type Mode uint8

// Modes.
const (
	ModeRest    Mode = iota // the keys that open
	ModeValue               // the line is open and wants the value
	ModeCode                // the line is open and wants the code
	ModeSkip                // the line is open and wants the count of skipped lines
	ModeDenying             // the deny key came and rest has to follow
	ModeSent                // a decision was given out; Failed opens again
	ModeOver                // nothing can be decided here any more
)

// Message is one sentence of the gate row: its head can be heard alone.
type Message struct {
	Head visible.Text // one to three words, with the colon
	Rest visible.Text
	Role themes.Role // of the head
}

// String returns the sentence.
func (m Message) String() string { return m.Head.String() + m.Rest.String() }

// Field is a field of the open line. Its text is what was typed, printable
// ASCII; nothing is ever filled in.
type Field struct {
	Label  visible.Text
	Typed  visible.Text
	Blanks int  // cells still to type
	Focus  bool // the cursor is here
}

// Line is what the gate row shows.
type Line struct {
	Message
	Fields []Field // none unless the line is open
}

// Outcome is what an event led to.
type Outcome struct {
	Decision *Decision // the operator decided; send it, and Failed if it was refused
	Skip     int       // the operator confirmed to skip so many lines; tell Reading
	Frame    uint64    // this frame counts as shown from now on; tell Reading. 0 for none
	Redraw   bool      // draw the card anew and send Painted: nobody looked for long
	Consumed bool      // the key was for the gate; do nothing else with it

	Mode     Mode
	Armed    bool // the deny key counts now
	MayAllow bool // the allow key counts now
	Line     Line
	WakeAt   int64 // when to send Tick, in the clock of the events; 0 for never
}
