package lens

import (
	"nod/themes"
	"nod/tui/frame"
)

// Observed is the diff of what an effect was allowed to contain against what an
// observer saw. It is bounded as the diff of a file is.
func Observed(allowed, seen string) *Lens {
	s := &diffSheet{what: "all that was kept of both", about: "allowed against observed", against: func(pen, frame.Look) frame.Line {
		return frame.Line{frame.S(themes.Faint, "- was allowed, + is what the observer saw")}
	}}
	s.compare(allowed, seen)
	return &Lens{kind: Diff, sheet: s}
}
