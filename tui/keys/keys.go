// Package keys is the console's bindings: one table that the dispatcher, the
// keys row, the help screen and the README read.
//
// The rule it keeps: a key means what this table says, in the place where the
// table says it, and nothing else does. Keys that must never decide (Enter,
// Space, Esc, Tab, the arrows and their like) are refused for an intent that
// decides, by Check.
package keys

// Place is where a binding holds. A binding may hold in several.
type Place uint8

// Places.
const (
	Inbox Place = 1 << iota
	Detail
	History
	Help
	Replay  // a card of the history, opened
	Confirm // a yes-or-no question of the console
	Line    // a field for one line: words, an answer, a code

	// Everywhere is every place where keys are not text.
	Everywhere = Inbox | Detail | History | Help | Replay
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
)

// Decides reports whether an intent leads to a decision or takes one back, so
// that no key which is pressed without thought may carry it (DESIGN §9).
func (i Intent) Decides() bool {
	switch i {
	case Approve, Deny, Revoke, SkipUnseen, Freeze, Yes:
		return true
	}
	return false
}

// Scrolls reports whether an intent only moves what is on the screen.
func (i Intent) Scrolls() bool {
	switch i {
	case Up, Down, PageUp, PageDown:
		return true
	}
	return false
}

// Group is the heading a binding stands under in the help.
type Group string

// Groups, in the order of the help screen.
const (
	Move   Group = "Move"
	Read   Group = "Read"
	Reply  Group = "Answer"
	Always Group = "Everywhere"
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
	return []Binding{
		{In: Inbox, Keys: []string{"enter"}, Shown: "Enter", Verb: "open", Does: "open the selected row", Group: Move, Intent: Open},
		{In: History, Keys: []string{"enter"}, Shown: "Enter", Verb: "replay", Does: "the card as answered", Group: Move, Intent: Open},
		{In: Inbox | History | Help, Keys: []string{"j", "down"}, Shown: "j ↓", Verb: "down", Foot: "j k move", Does: "the next row", Group: Move, Intent: Down},
		{In: Inbox | History | Help, Keys: []string{"k", "up"}, Shown: "k ↑", Verb: "up", Does: "the row before", Group: Move, Intent: Up, Quiet: true},
		{In: Inbox | History | Help, Keys: []string{"pgdown", "ctrl+f"}, Shown: "PgDn", Verb: "next", Does: "a page on", Group: Move, Intent: PageDown, Quiet: true},
		{In: Inbox | History | Help, Keys: []string{"pgup", "ctrl+b"}, Shown: "PgUp", Verb: "back", Does: "a page back", Group: Move, Intent: PageUp, Quiet: true},
		{In: Inbox | History, Keys: []string{"g", "home"}, Shown: "g Home", Verb: "newest", Does: "the top, and what came in", Group: Move, Intent: Top},
		{In: Inbox | History, Keys: []string{"G", "end"}, Shown: "G End", Verb: "end", Does: "to the last row", Group: Move, Intent: End, Quiet: true},

		{In: Detail | Replay, Keys: []string{"pgdown", "ctrl+f"}, Shown: "PgDn", Verb: "next", Does: "a page on", Group: Read, Intent: PageDown},
		{In: Detail | Replay, Keys: []string{"pgup", "ctrl+b"}, Shown: "PgUp", Verb: "back", Does: "a page back", Group: Read, Intent: PageUp, Quiet: true},
		{In: Detail | Replay, Keys: []string{"j", "down"}, Shown: "j ↓", Verb: "line", Does: "a line on", Group: Read, Intent: Down, Quiet: true},
		{In: Detail | Replay, Keys: []string{"k", "up"}, Shown: "k ↑", Verb: "line", Does: "a line back", Group: Read, Intent: Up, Quiet: true},
		{In: Detail, Keys: []string{"n"}, Shown: "n", Verb: "unseen", Does: "to the next unseen line", Group: Read, Intent: NextUnseen},
		{In: Detail, Keys: []string{"S"}, Shown: "S", Verb: "skip", Does: "skip unseen; it is recorded", Group: Read, Intent: SkipUnseen, More: true, Quiet: true},
		{In: Detail | Replay, Keys: []string{"g", "home"}, Shown: "g Home", Verb: "top", Does: "to the first line", Group: Read, Intent: Top, Quiet: true},
		{In: Detail | Replay, Keys: []string{"G", "end"}, Shown: "G End", Verb: "end", Does: "to the last line", Group: Read, Intent: End, Quiet: true},
		{In: Detail, Keys: []string{"J"}, Shown: "J", Verb: "next ask", Does: "open the next ask", Group: Read, Intent: NextAsk, Quiet: true},
		{In: Detail, Keys: []string{"K"}, Shown: "K", Verb: "ask before", Does: "open the ask before", Group: Read, Intent: PrevAsk, Quiet: true},

		{In: Detail, Keys: []string{"a"}, Shown: "a", Verb: "approve", Does: "approve…, then the code", Group: Reply, Intent: Approve, More: true},
		{In: Detail, Keys: []string{"x"}, Shown: "x", Verb: "deny", Does: "deny, after 400 ms of rest", Group: Reply, Intent: Deny, More: true},
		{In: Detail, Keys: []string{"w"}, Shown: "w", Verb: "words", Does: "words to the agent", Group: Reply, Intent: Words},
		{In: Detail, Keys: []string{"r"}, Shown: "r", Verb: "write", Does: "write a question's answer", Group: Reply, Intent: Answer, More: true},
		{In: Detail | History | Replay, Keys: []string{"b"}, Shown: "b", Verb: "revoke", Does: "take an unspent allow back", Group: Reply, Intent: Revoke, More: true},
		{In: Inbox, Keys: []string{"r"}, Shown: "r", Verb: "acknowledge", Does: "acknowledge the notice", Group: Reply, Intent: Acknowledge},

		{In: Confirm, Keys: []string{"y"}, Shown: "y", Verb: "yes", Does: "do what was asked", Group: Reply, Intent: Yes},
		{In: Confirm, Keys: []string{"n", "esc"}, Shown: "n Esc", Verb: "no", Does: "leave everything as it is", Group: Reply, Intent: No},

		{In: Everywhere, Keys: []string{"1"}, Shown: "1", Verb: "inbox", Does: "the inbox", Group: Always, Intent: ShowInbox},
		{In: Inbox, Keys: []string{"3"}, Shown: "3", Verb: "notices", Does: "to what is to be read", Group: Always, Intent: ShowNotices, Quiet: true},
		{In: Everywhere, Keys: []string{"4"}, Shown: "4", Verb: "history", Does: "the history", Group: Always, Intent: ShowHistory},
		{In: Everywhere, Keys: []string{"F"}, Shown: "F", Verb: "freeze", Does: "freeze begins, or unfreeze", Group: Always, Intent: Freeze, More: true},
		{In: Everywhere, Keys: []string{"T"}, Shown: "T", Verb: "theme", Does: "the next theme", Group: Always, Intent: Theme, Quiet: true},
		{In: Everywhere, Keys: []string{"?"}, Shown: "?", Verb: "help", Does: "the keys of this place", Group: Always, Intent: ShowHelp},
		{In: Detail | History | Help | Replay, Keys: []string{"q", "esc"}, Shown: "q Esc", Verb: "back", Does: "back", Group: Always, Intent: Back},
		{In: Inbox, Keys: []string{"q"}, Shown: "q", Verb: "quit", Does: "quit; all goes on waiting", Group: Always, Intent: Quit},
		{In: Everywhere, Keys: []string{"ctrl+z"}, Shown: "Ctrl+Z", Verb: "suspend", Does: "to the shell, and back", Group: Always, Intent: Suspend, Quiet: true},
		{In: Everywhere | Confirm | Line, Keys: []string{"ctrl+c"}, Shown: "Ctrl+C", Verb: "quit", Does: "quit from anywhere", Group: Always, Intent: Quit, Quiet: true},
	}
}
