package tui

import (
	"nod/themes"
	"nod/tui/frame"
)

// nothingYet is the inbox while nothing waits (SCREENS §14): what this is, and
// what to run. Below 80 columns it says the same in shorter rows.
func (m *Model) nothingYet(w, h int) []frame.Line {
	t := func(role themes.Role, s string) frame.Line { return frame.Line{frame.Gap(3), frame.S(role, s)} }
	cmd := func(name, wide, does string) frame.Line {
		if w >= allViews {
			does = wide
		}
		return frame.Line{frame.Gap(3), frame.Col(themes.Accent, name, 26), frame.S(themes.Muted, does)}
	}
	dot := " " + m.look.Glyphs.Dot + " "
	flow := []frame.Line{t(themes.Muted, "An agent asks"+dot+"you read the whole call"+dot+"you answer"+dot+"it runs once, as read")}
	local := []frame.Line{
		t(themes.Warn, "local: this is your own store, so decisions are not protected from agents"),
		t(themes.Warn, "that run as you. nod doctor says how a separate user protects them."),
	}
	if w < allViews {
		flow = []frame.Line{
			t(themes.Muted, "An agent asks"+dot+"you read the whole call"+dot+"you answer"+dot),
			t(themes.Muted, "it runs once, as read"),
		}
		local = []frame.Line{
			t(themes.Warn, "local: this is your own store, so decisions are not"),
			t(themes.Warn, "protected from agents that run as you. See nod doctor."),
		}
	}
	asked := "No agent has asked yet."
	switch {
	case m.status.Event > 0:
		asked = "No agent asks now."
	case w < allViews:
		asked = "No agent asked yet."
	}
	rows := append([]frame.Line{nil, t(themes.Text, "Nothing waits."), nil}, flow...)
	rows = append(rows, nil, t(themes.Muted, asked+" Leave with q and run one of these:"), nil,
		cmd("nod demo", "a scripted agent asks you; nothing is real", "a scripted agent asks you"),
		cmd("nod install claude-code", "shows the change to its settings, then makes it", "shows the change first"),
		cmd("nod run -- npm publish", "holds one command of your own", "holds one command"),
		cmd("nod doctor", "names what on this machine goes around the gate", "names ways around the gate"), nil)
	rows = append(rows, local...)
	if h < len(rows) { // the blank rows go first
		var kept []frame.Line
		for _, r := range rows {
			if r != nil {
				kept = append(kept, r)
			}
		}
		rows = kept
	}
	for len(rows) < h {
		rows = append(rows, nil)
	}
	return rows[:h]
}
