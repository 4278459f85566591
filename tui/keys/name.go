package keys

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// named are the stable names of the intents, as the configuration's [keys]
// writes them. A name that was published stays.
func named() []struct {
	name   string
	intent Intent
} {
	return []struct {
		name   string
		intent Intent
	}{
		{"open", Open}, {"back", Back}, {"quit", Quit},
		{"up", Up}, {"down", Down}, {"page-up", PageUp}, {"page-down", PageDown}, {"top", Top}, {"end", End},
		{"next-unseen", NextUnseen}, {"skip-unseen", SkipUnseen}, {"next-ask", NextAsk}, {"previous-ask", PrevAsk},
		{"approve", Approve}, {"deny", Deny}, {"words", Words}, {"answer", Answer}, {"revoke", Revoke},
		{"freeze", Freeze}, {"acknowledge", Acknowledge},
		{"inbox", ShowInbox}, {"notices", ShowNotices}, {"history", ShowHistory}, {"help", ShowHelp},
		{"theme", Theme}, {"suspend", Suspend}, {"yes", Yes}, {"no", No},
		{"search", Search}, {"filters", Filters}, {"fold", Unfold}, {"mark", Mark}, {"batch", OpenBatch},
		{"snooze", Snooze}, {"claim", Claim}, {"edit", Edit}, {"hold", Hold}, {"grant", Grant},
		{"copy-id", CopyID}, {"copy-digest", CopyDigest}, {"verify", Verify},
		{"next-lens", NextLens}, {"previous-lens", PrevLens}, {"lens-up", LensUp}, {"lens-down", LensDown},
		{"sessions", ShowSessions}, {"stats", ShowStats}, {"palette", Palette},
		{"span", NextSpan}, {"order", NextOrder}, {"freeze-session", FreezeSession},
		{"keep", Keep}, {"leave", Leave}, {"next-field", NextField}, {"previous-field", PrevField}, {"choose", Choice}, {"next-or-keep", NextOrKeep},
		{"effects", ShowEffects}, {"to-effect", ToEffect}, {"happened", Happened}, {"not-happened", NotHappened}, {"still-unknown", StillUnknown},
		{"distinct", Distinct}, {"acknowledge-effect", SeenOpen}, {"rewrite", Rewrite}, {"drop", DropWritten}, {"observe", Observe}, {"next-attempt", NextAttempt},
		{"resend", Resend}, {"drop-words", DropWords},
	}
}

// Name is the stable name of an intent; "" for one that has none.
func (i Intent) Name() string {
	for _, n := range named() {
		if n.intent == i {
			return n.name
		}
	}
	return ""
}

// intentOf finds an intent by its name.
func intentOf(name string) (Intent, bool) {
	for _, n := range named() {
		if n.name == name {
			return n.intent, true
		}
	}
	return None, false
}

// placeNames are the stable names of the places.
func placeNames() []struct {
	name  string
	place Place
} {
	return []struct {
		name  string
		place Place
	}{
		{"inbox", Inbox}, {"detail", Detail}, {"history", History}, {"help", Help}, {"replay", Replay},
		{"confirm", Confirm}, {"line", Line}, {"sessions", Sessions}, {"stats", Stats}, {"batch", Batch},
		{"editor", Editor}, {"form", Form}, {"palette", Choose}, {"effects", Effects}, {"desk", Desk},
	}
}

// Name is the stable name of one place; "" for several or none.
func (p Place) Name() string {
	for _, n := range placeNames() {
		if n.place == p {
			return n.name
		}
	}
	return ""
}

// writes reports whether a place takes characters as text, so that only keys
// which type nothing can be bindings there.
func (p Place) writes() bool { return p&(Line|Editor|Form|Choose) != 0 }

// special are the keys that have a word for a name, as tea.Key.String writes
// them, and how the screen writes them.
func special() map[string]string {
	return map[string]string{
		"enter": "Enter", "space": "Space", "esc": "Esc", "tab": "Tab", "backspace": "Backspace", "delete": "Delete",
		"insert": "Insert", "up": "↑", "down": "↓", "left": "←", "right": "→", "home": "Home", "end": "End",
		"pgup": "PgUp", "pgdown": "PgDn",
		"f1": "F1", "f2": "F2", "f3": "F3", "f4": "F4", "f5": "F5", "f6": "F6",
		"f7": "F7", "f8": "F8", "f9": "F9", "f10": "F10", "f11": "F11", "f12": "F12",
	}
}

// Show writes a key as the screen writes it: PgDn, Ctrl+F, ↓, a.
func Show(key string) string {
	parts := []string{}
	rest := key
	for _, m := range modifiers() {
		if after, ok := strings.CutPrefix(rest, m.name+"+"); ok && after != "" {
			parts, rest = append(parts, m.shown), after
		}
	}
	if s, ok := special()[rest]; ok {
		rest = s
	} else if len(parts) > 0 {
		rest = strings.ToUpper(rest)
	}
	return strings.Join(append(parts, rest), "+")
}

// modifiers come in the order in which tea.Key.String writes them.
func modifiers() []struct{ name, shown string } {
	return []struct{ name, shown string }{{"ctrl", "Ctrl"}, {"alt", "Alt"}, {"shift", "Shift"}}
}

// twins are chords that a terminal sends as another key: nobody can tell them
// from it.
func twins() []string {
	return []string{"ctrl+m", "ctrl+i", "ctrl+j", "ctrl+h", "ctrl+[", "ctrl+@", "ctrl+space"}
}

// wellFormed says what is wrong with a key's name; "" for nothing.
func wellFormed(key string) string {
	rest := key
	n := 0
	for _, m := range modifiers() {
		if after, ok := strings.CutPrefix(rest, m.name+"+"); ok && after != "" {
			rest = after
			n++
			if m.name == "shift" && len([]rune(after)) == 1 {
				return "shift and a character is another character; write that one"
			}
		}
	}
	_, word := special()[rest]
	switch r := []rune(rest); {
	case slices.Contains(twins(), key):
		return "a terminal sends it as another key"
	case word:
		return ""
	case len(r) != 1 || !utf8.ValidString(rest):
		return "it is not one key"
	case !shows(r[0]):
		return "nobody sees it"
	case n > 0 && (r[0] < 'a' || r[0] > 'z'):
		return "with ctrl or alt only a to z can be told apart"
	}
	return ""
}
