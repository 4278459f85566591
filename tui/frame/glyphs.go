package frame

// Glyphs are the marks of the console, each one cell wide (SCREENS, grammar).
type Glyphs struct {
	Mark, Unknown, Mandated, Commit, Call, Alone, Question, Divider string
	Good, Bad, Over, OnWay, Notice, Frozen, None, Cut, Times        string
	Unread, Now, Seen, Asked, Wrap, Dot, Feed                       string
	ASCII                                                           bool
}

// Unicode is the usual set.
func Unicode() Glyphs {
	return Glyphs{
		Mark: "▌", Unknown: "◇", Mandated: "◆", Commit: "▲", Call: "●", Alone: "○", Question: "?", Divider: "┊",
		Good: "✓", Bad: "✗", Over: "·", OnWay: "»", Notice: "!", Frozen: "‖", None: "–", Cut: "…", Times: "×",
		Unread: "░", Now: "━", Seen: "─", Asked: "▸", Wrap: "↳", Dot: "·", Feed: "⏎",
	}
}

// ASCII is the twin for terminals without the others.
func ASCII() Glyphs {
	return Glyphs{
		Mark: ">", Unknown: "~", Mandated: "#", Commit: "^", Call: "*", Alone: "o", Question: "?", Divider: ":",
		Good: "+", Bad: "x", Over: ".", OnWay: "=", Notice: "!", Frozen: "H", None: "-", Cut: "~", Times: "x",
		Unread: ".", Now: "=", Seen: "-", Asked: ">", Wrap: ">", Dot: "|", Feed: `\n`,
		ASCII: true,
	}
}
