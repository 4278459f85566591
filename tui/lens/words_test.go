package lens

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"nod/tui/frame"
)

// TestWordsStandWhereTheyAreDrawn: a line's drawing is that of its words in a
// row, on every screen; else a changed word could not be underlined alone.
func TestWordsStandWhereTheyAreDrawn(t *testing.T) {
	bits := rapid.OneOf(
		rapid.SampledFrom([]string{"\\", "u{41}", "u{", "<9>", "<U+41>", "n", "t", "r", " ", strings.Repeat(" ", 33), "\t", "\u0301", "\u0301\u0302\u0303\u0304\u0305", "e", "²", "\u200B", "⏎", "⟨", "界", "\r", "x_1", "+", "}"}),
		rapid.StringN(1, 3, -1),
	)
	pens := []pen{{glyphs: frame.Unicode()}, {split: true, glyphs: frame.Unicode()}, {glyphs: frame.ASCII()}, {split: true, glyphs: frame.ASCII()}}
	rapid.Check(t, func(t *rapid.T) {
		line := strings.ReplaceAll(strings.Join(rapid.SliceOfN(bits, 0, 12).Draw(t, "bits"), ""), "\n", "")
		list := words(line)
		if strings.Join(list, "") != line {
			t.Fatalf("%q is not its words %q", line, list)
		}
		for i, p := range pens {
			if _, ok := placed(p.line(line, ""), list, nil, p); !ok {
				t.Fatalf("pen %d: %q is drawn %q, its words %q otherwise", i, line, p.line(line, ""), list)
			}
		}
	})
}
