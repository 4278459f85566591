package audit

import (
	"slices"
	"strings"

	"nod/boundary"
	"nod/queue"
)

// grow plays what a session's tree held: bits in their order, of an armed tree,
// that only grow (DESIGN §6).
func (l *life) grow(e *event) string {
	bits, ok := readBits(e.Bits)
	switch {
	case e.Session == "" || !ok || !bits.Armed:
		return "it names no session, or no bits of an armed tree"
	case e.Phase != "" && !slices.Contains([]boundary.Phase{boundary.Prepare, boundary.Exit, boundary.Suspend, boundary.Settle}, boundary.Phase(e.Phase)):
		return "its phase is none"
	case e.Reason != "" && (e.Reason != queue.CodeUnrecorded || e.Phase == ""):
		return "its reason is not that a record could not be written"
	case e.Reason != "" && boundary.Unwritten(boundary.Phase(e.Phase), bits) == boundary.Unrecorded:
		return "it went on on a governed tree that could not be written down"
	case !bits.Covers(l.trees[e.Session]):
		return "the tree of this session lost a bit"
	}
	l.trees[e.Session] = bits
	return ""
}

func readBits(words string) (boundary.Tree, bool) {
	list := strings.Fields(words)
	t := boundary.Tree{Armed: slices.Contains(list, boundary.BitArmed), Observed: slices.Contains(list, boundary.BitObserved),
		Governed: slices.Contains(list, boundary.BitGoverned)}
	return t, strings.Join(t.Bits(), " ") == words
}

// checkTrees holds that no session is shown with fewer bits than its events say.
func (l *life) checkTrees(shown []queue.SessionView) *Fault {
	for i := range shown {
		s := &shown[i]
		if t := (boundary.Tree{Armed: s.Armed > 0, Observed: s.Observed > 0, Governed: s.Governed > 0}); !t.Covers(l.trees[s.ID]) {
			return fault(CodeRow, 0, "the tree of session %s lacks a bit that its events say", s.ID)
		}
	}
	return nil
}
