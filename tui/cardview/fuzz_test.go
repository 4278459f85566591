package cardview_test

import (
	"strings"
	"testing"

	"nod/digest/card"
	"nod/tui/cardview"
)

// FuzzLayout lays out any bytes at any width: no row is too wide or holds
// anything undrawn, every byte of every line is on a row, and a confirmed
// frame of everything reads everything.
func FuzzLayout(f *testing.F) {
	for _, c := range hostile(f) {
		if len(c) < 8000 {
			f.Add(c, 40, false, false)
			f.Add(c, 80, true, true)
		}
	}
	for _, r := range corpus(f, "terminal-escapes.jsonl") {
		f.Add([]byte("nod card v1\n"+r.Input+" │ \""+r.Input), 33, false, true)
	}
	f.Fuzz(func(t *testing.T, data []byte, width int, ascii, groups bool) {
		width = max(0, min(width, 300))
		lines := card.Lines(data)
		l := cardview.New(lines, width, cardview.Options{ASCII: ascii, Groups: groups, Indent: width % 2})
		r := cardview.NewReading(l)
		rows := screen(l, r)
		checkRows(t, "fuzz", rows, max(width, 20), ascii)
		if !ascii {
			var got, want strings.Builder
			for _, row := range l.Window(0, l.Rows()) {
				for _, s := range row.Spans {
					if s.Role > cardview.RoleLabel {
						got.WriteString(s.Text.String())
					}
				}
			}
			for _, ln := range lines {
				want.WriteString(ln.Text.String())
			}
			if got.String() != want.String() {
				t.Fatalf("rows hold %q\nlines are %q", got.String(), want.String())
			}
		}
		r.Painted(1, l, 0, l.Rows())
		if r.Confirm(1); r.Unread() != 0 {
			t.Fatalf("%d lines unread after all was shown", r.Unread())
		}
	})
}
