package keys

func moving() []Binding {
	return []Binding{
		{In: Inbox | Effects, Keys: []string{"enter"}, Shown: "Enter", Verb: "open", Does: "open the selected row", Group: Move, Intent: Open},
		{In: Sessions, Keys: []string{"enter"}, Shown: "Enter", Verb: "its asks", Does: "the session's asks", Group: Move, Intent: Open},
		{In: History, Keys: []string{"enter"}, Shown: "Enter", Verb: "replay", Does: "the card as answered", Group: Move, Intent: Open},
		{In: Stats, Keys: []string{"enter"}, Shown: "Enter", Verb: "history", Does: "the row's asks", Group: Move, Intent: Open},
		{In: Lists | Help, Keys: []string{"j", "down"}, Shown: "j ↓", Verb: "down", Foot: "j k move", Does: "the next row", Group: Move, Intent: Down},
		{In: Lists | Help, Keys: []string{"k", "up"}, Shown: "k ↑", Verb: "up", Does: "the row before", Group: Move, Intent: Up, Quiet: true},
		{In: Lists | Help, Keys: []string{"pgdown", "ctrl+f"}, Shown: "PgDn", Verb: "next", Does: "a page on", Group: Move, Intent: PageDown, Quiet: true},
		{In: Lists | Help, Keys: []string{"pgup", "ctrl+b"}, Shown: "PgUp", Verb: "back", Does: "a page back", Group: Move, Intent: PageUp, Quiet: true},
		{In: Inbox | History | Effects, Keys: []string{"g", "home"}, Shown: "g Home", Verb: "newest", Does: "the top, and what came in", Group: Move, Intent: Top},
		{In: Sessions | Stats, Keys: []string{"g", "home"}, Shown: "g Home", Verb: "top", Does: "the first row", Group: Move, Intent: Top, Quiet: true},
		{In: Lists, Keys: []string{"G", "end"}, Shown: "G End", Verb: "end", Does: "to the last row", Group: Move, Intent: End, Quiet: true},
		{In: Inbox | History, Keys: []string{"/"}, Shown: "/", Verb: "search", Does: "search as you type", Group: Move, Intent: Search},
		{In: Inbox | History, Keys: []string{"f"}, Shown: "f", Verb: "filters", Does: "choose a filter", Group: Move, Intent: Filters},
		{In: Inbox | Sessions, Keys: []string{"o"}, Shown: "o", Verb: "fold", Does: "fold or unfold the row", Group: Move, Intent: Unfold, Quiet: true},
		{In: Inbox, Keys: []string{"space"}, Shown: "Space", Verb: "mark", Does: "mark for a batch, or unmark", Group: Reply, Intent: Mark},
		{In: Inbox, Keys: []string{"B"}, Shown: "B", Verb: "batch", Does: "read and answer the marked", Group: Reply, Intent: OpenBatch, More: true},
		{In: Stats, Keys: []string{"d"}, Shown: "d", Verb: "span", Does: "day, week or month", Group: Move, Intent: NextSpan},
		{In: Stats, Keys: []string{"t"}, Shown: "t", Verb: "order", Does: "by tool or by verdict", Group: Move, Intent: NextOrder},
	}
}

func reading() []Binding {
	return []Binding{
		{In: Cards, Keys: []string{"pgdown", "ctrl+f"}, Shown: "PgDn", Verb: "next", Does: "a page on", Group: Read, Intent: PageDown},
		{In: Cards, Keys: []string{"pgup", "ctrl+b"}, Shown: "PgUp", Verb: "back", Does: "a page back", Group: Read, Intent: PageUp, Quiet: true},
		{In: Cards, Keys: []string{"j", "down"}, Shown: "j ↓", Verb: "line", Does: "a line on", Group: Read, Intent: Down, Quiet: true},
		{In: Cards, Keys: []string{"k", "up"}, Shown: "k ↑", Verb: "line", Does: "a line back", Group: Read, Intent: Up, Quiet: true},
		{In: Detail | Batch | Desk, Keys: []string{"n"}, Shown: "n", Verb: "unseen", Does: "to the next unseen line", Group: Read, Intent: NextUnseen},
		{In: Detail, Keys: []string{"S"}, Shown: "S", Verb: "skip", Does: "skip unseen; it is recorded", Group: Read, Intent: SkipUnseen, More: true, Quiet: true},
		{In: Cards, Keys: []string{"g", "home"}, Shown: "g Home", Verb: "top", Does: "to the first line", Group: Read, Intent: Top, Quiet: true},
		{In: Cards, Keys: []string{"G", "end"}, Shown: "G End", Verb: "end", Does: "to the last line", Group: Read, Intent: End, Quiet: true},
		{In: Detail, Keys: []string{"J"}, Shown: "J", Verb: "next ask", Does: "open the next ask", Group: Read, Intent: NextAsk, Quiet: true},
		{In: Detail, Keys: []string{"K"}, Shown: "K", Verb: "ask before", Does: "open the ask before", Group: Read, Intent: PrevAsk, Quiet: true},
		{In: Desk, Keys: []string{"J"}, Shown: "J", Verb: "next effect", Does: "open the next effect", Group: Read, Intent: NextAsk, Quiet: true},
		{In: Desk, Keys: []string{"K"}, Shown: "K", Verb: "effect before", Does: "open the effect before", Group: Read, Intent: PrevAsk, Quiet: true},
		{In: Batch, Keys: []string{"J"}, Shown: "J", Verb: "next card", Does: "the next card of the batch", Group: Read, Intent: NextAsk},
		{In: Batch, Keys: []string{"K"}, Shown: "K", Verb: "card before", Does: "the card before", Group: Read, Intent: PrevAsk, Quiet: true},
		{In: Desk, Keys: []string{"enter"}, Shown: "Enter", Verb: "its ask", Does: "open the ask that waits", Group: Read, Intent: Open},
		{In: Desk, Keys: []string{"N"}, Shown: "N", Verb: "attempt", Does: "answer for another attempt", Group: Read, Intent: NextAttempt},
		{In: Detail | Replay | History, Keys: []string{"E"}, Shown: "E", Verb: "effect", Does: "its effect, on the desk", Group: Read, Intent: ToEffect},
		{In: Desk, Keys: []string{"tab"}, Shown: "Tab", Verb: "lens", Does: "the next lens, or the page", Group: Read, Intent: NextLens},
		{In: Desk, Keys: []string{"shift+tab"}, Shown: "Shift+Tab", Verb: "lens before", Does: "the lens before", Group: Read, Intent: PrevLens, Quiet: true},
		{In: Detail | Replay, Keys: []string{"tab"}, Shown: "Tab", Verb: "lens", Does: "the next lens, or the card", Group: Read, Intent: NextLens},
		{In: Detail | Replay, Keys: []string{"shift+tab"}, Shown: "Shift+Tab", Verb: "lens before", Does: "the lens before", Group: Read, Intent: PrevLens, Quiet: true},
		{In: Detail | Replay | Desk, Keys: []string{"shift+down"}, Shown: "Shift+↓", Verb: "lens down", Does: "the lens, a line on", Group: Read, Intent: LensDown, Quiet: true},
		{In: Detail | Replay | Desk, Keys: []string{"shift+up"}, Shown: "Shift+↑", Verb: "lens up", Does: "the lens, a line back", Group: Read, Intent: LensUp, Quiet: true},
	}
}

func answering() []Binding {
	return []Binding{
		{In: Detail | Batch, Keys: []string{"a"}, Shown: "a", Verb: "approve", Does: "approve…, then the code", Group: Reply, Intent: Approve, More: true},
		{In: Detail | Batch, Keys: []string{"x"}, Shown: "x", Verb: "deny", Does: "deny, after 400 ms of rest", Group: Reply, Intent: Deny},
		{In: Detail | Batch, Keys: []string{"w"}, Shown: "w", Verb: "words", Does: "words to the agent", Group: Reply, Intent: Words},
		{In: Detail, Keys: []string{"r"}, Shown: "r", Verb: "write", Does: "write a question's answer", Group: Reply, Intent: Answer, More: true},
		{In: Detail, Keys: []string{"e"}, Shown: "e", Verb: "edit", Does: "edit…: denies this, asks anew", Group: Reply, Intent: Edit, More: true},
		{In: Detail, Keys: []string{"h"}, Shown: "h", Verb: "hold", Does: "hold before it begins", Group: Reply, Intent: Hold, More: true, Quiet: true},
		{In: Detail, Keys: []string{"p"}, Shown: "p", Verb: "grant", Does: "allow the same again, n times", Group: Reply, Intent: Grant, More: true, Quiet: true},
		{In: Detail | History | Replay, Keys: []string{"b"}, Shown: "b", Verb: "revoke", Does: "take an unspent allow back", Group: Reply, Intent: Revoke, More: true},
		{In: Desk, Keys: []string{"m"}, Shown: "m", Verb: "happened", Does: "it happened; asks for evidence", Group: Reply, Intent: Happened, More: true},
		{In: Desk, Keys: []string{"v"}, Shown: "v", Verb: "did not happen", Does: "it did not; wants the full gate", Group: Reply, Intent: NotHappened, More: true},
		{In: Desk, Keys: []string{"u"}, Shown: "u", Verb: "still unknown", Does: "nobody knows yet, and why", Group: Reply, Intent: StillUnknown, More: true},
		{In: Desk, Keys: []string{"o"}, Shown: "o", Verb: "observe", Does: "ask the tool's observers", Group: Reply, Intent: Observe},
		{In: Desk, Keys: []string{"i"}, Shown: "i", Verb: "distinct", Does: "let one more be asked for", Group: Reply, Intent: Distinct, More: true},
		{In: Desk, Keys: []string{"r"}, Shown: "r", Verb: "acknowledge", Does: "say that you read what is open", Group: Reply, Intent: SeenOpen, More: true},
		{In: Desk, Keys: []string{"w"}, Shown: "w", Verb: "change", Does: "change what you wrote", Group: Reply, Intent: Rewrite},
		{In: Desk, Keys: []string{"x"}, Shown: "x", Verb: "drop", Does: "drop what you wrote", Group: Reply, Intent: DropWritten},
		{In: Inbox, Keys: []string{"r"}, Shown: "r", Verb: "acknowledge", Does: "acknowledge what is to be read", Group: Reply, Intent: Acknowledge},
		{In: Inbox, Keys: []string{"R"}, Shown: "R", Verb: "send again", Does: "send words again", Group: Reply, Intent: Resend, More: true},
		{In: Inbox, Keys: []string{"X"}, Shown: "X", Verb: "drop", Does: "give words up", Group: Reply, Intent: DropWords, More: true},

		{In: Confirm, Keys: []string{"y"}, Shown: "y", Verb: "yes", Does: "do what was asked", Group: Reply, Intent: Yes},
		{In: Confirm, Keys: []string{"n", "esc"}, Shown: "n Esc", Verb: "no", Does: "leave everything as it is", Group: Reply, Intent: No},
	}
}

func aside() []Binding {
	return []Binding{
		{In: Inbox | Detail, Keys: []string{"z"}, Shown: "z", Verb: "snooze", Does: "out of the list for a while", Group: Aside, Intent: Snooze, More: true},
		{In: Inbox | Detail, Keys: []string{"c"}, Shown: "c", Verb: "claim", Does: "say that you look at it, 5 min", Group: Aside, Intent: Claim},
		{In: Inbox | History | Cards&^Desk, Keys: []string{"y"}, Shown: "y", Verb: "id", Does: "the id, to the terminal", Group: Aside, Intent: CopyID, Quiet: true},
		{In: Effects | Desk, Keys: []string{"y"}, Shown: "y", Verb: "copy key", Does: "the effect's key or id, likewise", Group: Aside, Intent: CopyID},
		{In: Inbox | History | Cards, Keys: []string{"Y"}, Shown: "Y", Verb: "digest", Does: "the shown digest, likewise", Group: Aside, Intent: CopyDigest, Quiet: true},
		{In: History, Keys: []string{"V"}, Shown: "V", Verb: "verify", Does: "verify the chain of events", Group: Aside, Intent: Verify},
		{In: Sessions, Keys: []string{"F"}, Shown: "F", Verb: "freeze", Does: "freeze the session, or lift it", Group: Aside, Intent: FreezeSession, More: true},
	}
}

func always() []Binding {
	return []Binding{
		{In: Everywhere, Keys: []string{"1"}, Shown: "1", Verb: "inbox", Foot: "1-6 views", Does: "the inbox", Group: Always, Intent: ShowInbox},
		{In: Everywhere, Keys: []string{"2"}, Shown: "2", Verb: "effects", Does: "the effects", Group: Always, Intent: ShowEffects, Quiet: true},
		{In: Inbox, Keys: []string{"3"}, Shown: "3", Verb: "notices", Does: "to what is to be read", Group: Always, Intent: ShowNotices, Quiet: true},
		{In: Everywhere, Keys: []string{"4"}, Shown: "4", Verb: "history", Does: "the history", Group: Always, Intent: ShowHistory, Quiet: true},
		{In: Everywhere, Keys: []string{"5"}, Shown: "5", Verb: "sessions", Does: "the sessions", Group: Always, Intent: ShowSessions, Quiet: true},
		{In: Everywhere, Keys: []string{"6"}, Shown: "6", Verb: "stats", Does: "the statistics", Group: Always, Intent: ShowStats, Quiet: true},
		{In: Everywhere, Keys: []string{":"}, Shown: ":", Verb: "palette", Does: "every act by its name", Group: Always, Intent: Palette},
		{In: Everywhere &^ Sessions, Keys: []string{"F"}, Shown: "F", Verb: "freeze", Does: "freeze begins, or unfreeze", Group: Always, Intent: Freeze, More: true, Quiet: true},
		{In: Everywhere, Keys: []string{"T"}, Shown: "T", Verb: "theme", Does: "the next theme", Group: Always, Intent: Theme, Quiet: true},
		{In: Everywhere, Keys: []string{"?"}, Shown: "?", Verb: "help", Does: "the keys of this place", Group: Always, Intent: ShowHelp},
		{In: Everywhere &^ Inbox, Keys: []string{"q", "esc"}, Shown: "q Esc", Verb: "back", Does: "back", Group: Always, Intent: Back},
		{In: Inbox, Keys: []string{"q"}, Shown: "q", Verb: "quit", Does: "quit; all goes on waiting", Group: Always, Intent: Quit},
		{In: Inbox, Keys: []string{"esc"}, Shown: "Esc", Verb: "all", Does: "drop filter and marks", Group: Always, Intent: Back},
		{In: Everywhere, Keys: []string{"ctrl+z"}, Shown: "Ctrl+Z", Verb: "suspend", Does: "to the shell, and back", Group: Always, Intent: Suspend, Quiet: true},
		{In: Everywhere | Confirm | Line | Editor | Form | Choose, Keys: []string{"ctrl+c"}, Shown: "Ctrl+C", Verb: "quit", Does: "quit from anywhere", Group: Always, Intent: Quit, Quiet: true},
	}
}

// writing are the keys where all others are text.
func writing() []Binding {
	return []Binding{
		{In: Line, Keys: []string{"enter"}, Shown: "Enter", Verb: "keeps", Does: "keep what is written", Group: Write, Intent: Keep},
		{In: Editor, Keys: []string{"ctrl+s"}, Shown: "Ctrl+S", Verb: "compare", Does: "check it, show what changes", Group: Write, Intent: Keep},
		{In: Form, Keys: []string{"enter"}, Shown: "Enter", Verb: "next", Does: "the next field; after the last keep", Group: Write, Intent: NextOrKeep, Quiet: true},
		{In: Form, Keys: []string{"tab"}, Shown: "Tab", Verb: "next field", Does: "to the next field", Group: Write, Intent: NextField},
		{In: Form, Keys: []string{"shift+tab"}, Shown: "Shift+Tab", Verb: "field before", Does: "to the field before", Group: Write, Intent: PrevField},
		{In: Form, Keys: []string{"space"}, Shown: "Space", Verb: "choose", Does: "choose, or take it back", Group: Write, Intent: Choice},
		{In: Form, Keys: []string{"ctrl+s"}, Shown: "Ctrl+S", Verb: "keeps", Does: "keep the answer; not sent yet", Group: Write, Intent: Keep},
		{In: Choose, Keys: []string{"enter"}, Shown: "Enter", Verb: "choose", Does: "do the act", Group: Write, Intent: Keep},
		{In: Line | Editor | Form | Choose, Keys: []string{"esc"}, Shown: "Esc", Verb: "leave", Does: "leave without the change", Group: Write, Intent: Leave},
	}
}
