package card_test

import (
	"testing"

	"nod/digest/card"
)

// TestLines holds what the console colours by.
func TestLines(t *testing.T) {
	lines := card.Lines(render(t, fullAsk(t)))
	find := func(stem, pointer string) int {
		for i, l := range lines {
			if l.Stem == stem && l.Pointer == pointer {
				return i
			}
		}
		t.Fatalf("no line %s%s", stem, pointer)
		return 0
	}
	if l := lines[0]; l.Form != card.FormHead || l.Text.String() != card.Head || l.Label.Len() != 0 || l.Value != -1 {
		t.Errorf("head: %+v", l)
	}
	i := find("arguments", "/note")
	first, next := lines[i], lines[i+1]
	if first.Label.String() != "arguments/note" || first.Text.String() != `"two⏎` || first.Continued || first.Last || first.Form != card.FormString || first.Group != card.GroupArguments {
		t.Errorf("first line: %+v", first)
	}
	if !next.Continued || !next.Last || next.Text.String() != `lines"` || next.Pointer != "/note" || next.Value != first.Value || next.Label.Len() != 0 {
		t.Errorf("continuation: %+v", next)
	}
	if a, b := first.Quotes(); !a || b {
		t.Errorf("quotes of the first line: %v %v", a, b)
	}
	if a, b := next.Quotes(); a || !b {
		t.Errorf("quotes of the continuation: %v %v", a, b)
	}
	forms := []struct {
		stem, pointer string
		form          card.Form
		group         card.Group
	}{
		{"kind", "", card.FormBare, card.GroupWhat}, {"vars", "/A~1B ~0", card.FormString, card.GroupWhat},
		{"effect key", "/3", card.FormBare, card.GroupEffect}, {"reasons", "", card.FormOwn, card.GroupReasons},
		{"arguments", "/refund/to", card.FormOwn, card.GroupArguments}, {"arguments", "/refund/to/1", card.FormBare, card.GroupArguments},
		{"use within (s)", "", card.FormBare, card.GroupDeadlines}, {"reading", "/refund/to/5/x~1y~0 z", card.FormString, card.GroupReadings},
		{"edited by", "", card.FormString, card.GroupOrigin}, {"action digest", "", card.FormBare, card.GroupIDs},
		{"agent words", "", card.FormString, card.GroupWords}, {"parents", "/1", card.FormString, card.GroupWho},
	}
	for _, f := range forms {
		if l := lines[find(f.stem, f.pointer)]; l.Form != f.form || l.Group != f.group {
			t.Errorf("%s%s: form %d group %d, want %d %d", f.stem, f.pointer, l.Form, l.Group, f.form, f.group)
		}
	}
	for i := 1; i < len(lines); i++ {
		if lines[i].Group < lines[i-1].Group {
			t.Errorf("line %d: group %d after %d", i, lines[i].Group, lines[i-1].Group)
		}
	}
	// A text that is no card is still safe to show.
	for _, l := range card.Lines([]byte("x\x1b[2J\n\n │ \n· │ y\xff")) {
		if bad := forbidden([]byte(l.Text.String() + l.Label.String())); bad != "" {
			t.Errorf("a raw %q in %+v", bad, l)
		}
	}
}
