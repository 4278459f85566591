package editor

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"nod/digest/visible"
)

// TestEveryPlainCharacterStandsAlone looks at all of Unicode: a character that
// may stand in the text is drawn as itself, takes the cells that the editor
// counts, and joins neither an ordinary neighbour nor its own like.
func TestEveryPlainCharacterStandsAlone(t *testing.T) {
	n := 0
	for r := rune(0); r <= 0x10FFFF; r++ {
		if 0xD800 <= r && r <= 0xDFFF || !plain(r, false) {
			continue
		}
		n++
		s := string(r)
		w := cells(r)
		if w < 1 || w > 2 || ansi.StringWidth(s) != w {
			t.Errorf("%U: %d cells, the terminal's %d", r, w, ansi.StringWidth(s))
		}
		for _, c := range []struct {
			text string
			want int
		}{{s + s, 2 * w}, {"a" + s + "a", w + 2}, {"界" + s + "界", w + 4}, {"각" + s + "각", w + 4}, {"😀" + s + "😀", w + 4}, {"ก" + s + "ก", w + 2}} {
			if got := ansi.StringWidth(c.text); got != c.want {
				t.Errorf("%U in %+q: %d cells, not %d", r, c.text, got, c.want)
			}
		}
		for _, before := range []string{"", "a", `\`} {
			text := before + s
			if r != 'u' && r != '\\' && visible.Draw(visible.Value, text) != text {
				t.Errorf("%U after %q is drawn %q", r, before, visible.Draw(visible.Value, text))
			}
		}
		if (r < 0x7F) != plain(r, true) {
			t.Errorf("%U in ASCII: %v", r, plain(r, true))
		}
	}
	if n < 100_000 {
		t.Errorf("%d plain characters", n)
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"a\r\nb\rc\td":          "a\nb\nc  d",
		"\x1b[2J\u202e\u200b":   `\u001b[2J\u202e\u200b`,
		"e\u0301 🇩🇪 \U000E0041": `e\u0301 \ud83c\udde9\ud83c\uddea \udb40\udc41`,
		"日本 é":                  "日本 é",
		"a\xffb":                "a\ufffdb",
		"⏎⇥│·":                  `\u23ce\u21e5\u2502\u00b7`,
	} {
		if got := clean(in, false); got != want {
			t.Errorf("%q gives %q, not %q", in, got, want)
		}
	}
	if got := clean("é日😀", true); got != `\u00e9\u65e5\ud83d\ude00` {
		t.Errorf("in ASCII %q", got)
	}
	if got := within("a\"\\\n\t\r\r\n\x1b\\u{41}é", true); got != `a\"\\\n\t\n\n\u001b\u005cu{41}\u00e9` {
		t.Errorf("in a string %q", got)
	}
	if got := within(strings.Repeat(" ", 70), false); got != strings.Repeat(strings.Repeat(" ", 32)+`\u0020`, 2)+"    " {
		t.Errorf("spaces %q", got)
	}
}
