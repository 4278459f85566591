package alert

import (
	"slices"
	"strings"
)

// Kind is one way to call for attention; the words are those of ui.alert.
type Kind string

// Kinds.
const (
	Title  Kind = "title"  // the window's title, also in front
	Bell   Kind = "bell"   // BEL
	OSC9   Kind = "osc9"   // iTerm2, WezTerm, Ghostty, Windows Terminal
	OSC777 Kind = "osc777" // rxvt-unicode, foot, Ghostty, WezTerm
	OSC99  Kind = "osc99"  // kitty, foot
)

// Kinds gives all words, as the configuration lists them.
func Kinds() []Kind { return []Kind{Title, Bell, OSC9, OSC777, OSC99} }

// Choose gives the kinds among words that a terminal of this TERM can be sent.
// One without windows gets at most the bell: what it does not know it may
// print.
func Choose(words []string, term string) []Kind {
	var out []Kind
	for _, k := range Kinds() {
		if slices.Contains(words, string(k)) && (k == Bell || windowed(term)) {
			out = append(out, k)
		}
	}
	return out
}

// windowed reports whether terminals of this name swallow an OSC or a CSI t
// that they do not act on.
func windowed(term string) bool {
	switch term {
	case "", "dumb", "linux", "cons25", "ansi", "emacs", "unknown":
		return false
	}
	return !strings.HasPrefix(term, "vt") && !strings.HasPrefix(term, "sun") && !strings.HasPrefix(term, "eterm")
}
