package cardview_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/displaywidth"
	"github.com/mattn/go-runewidth"
	"pgregory.net/rapid"

	"nod/digest"
	"nod/digest/card"
	"nod/digest/visible"
	"nod/tui/cardview"
)

// marked writes the spans of a line with the first letter of their roles.
func marked(l *cardview.Layout, line int) string {
	names := map[cardview.Role]string{
		cardview.RoleText: "", cardview.RoleQuote: "q", cardview.RoleMark: "m", cardview.RoleEscape: "e", cardview.RoleCount: "c",
		cardview.RolePoint: "p", cardview.RoleOwn: "o", cardview.RoleAbsent: "a", cardview.RoleAgent: "g",
	}
	var b strings.Builder
	for _, row := range l.Window(l.FirstRow(line), l.LastRow(line)-l.FirstRow(line)+1) {
		for _, s := range row.Spans {
			if name, ok := names[s.Role]; ok {
				b.WriteString(name + "[" + s.Text.String() + "]")
			}
		}
	}
	return b.String()
}

func TestRoles(t *testing.T) {
	c := renderAsk(t, []byte(`{"n":12,"s":"a\tb\u001b[2J\u202e # \\u{41}"}`), func(a *digest.Ask) {
		a.Action.Tool, a.AgentWords = "Bаsh", "be quick\nplease"
		a.Action.Environment.Cwd = "/x" + strings.Repeat(" ", 45) + strings.Repeat("y", 200)
	})
	lines := card.Lines(c)
	for _, ascii := range []bool{false, true} {
		l := cardview.New(lines, 200, cardview.Options{ASCII: ascii})
		want := map[string]string{
			"tool":        `q["][Bа]p[⟨U+0430⟩][sh]q["]`,
			"arguments/n": `[12]`,
			"arguments/s": `q["][a]m[⇥   ][b]e[\u{1B}][[2J]e[\u{202E}][ # \\u{41}]q["]`,
			"reasons":     `o[· default]`,
			"agent words": `q["]g[be quick]m[⏎]`,
			"cwd":         `q["][/x]c[⟨45×space⟩][` + strings.Repeat("y", 169) + `][` + strings.Repeat("y", 31) + `]q["]`,
		}
		if ascii {
			want["tool"] = `q["][B]e[\u{430}]p[\<U+0430>][sh]q["]`
			want["arguments/s"] = `q["][a]m[\t][   b]e[\u{1B}][[2J]e[\u{202E}][ # \\u{41}]q["]`
			want["reasons"] = `o[. default]`
			want["agent words"] = `q["]g[be quick]m[\n]`
			want["cwd"] = `q["][/x]c[\<45xspace>][` + strings.Repeat("y", 168) + `][` + strings.Repeat("y", 32) + `]q["]`
		}
		for i := range lines {
			label := lines[i].Label.String()
			w, ok := want[label]
			if !ok {
				continue
			}
			delete(want, label)
			if got := marked(l, i); got != w {
				t.Errorf("%s is %s\nwant %s", label, got, w)
			}
		}
		if len(want) > 0 {
			t.Errorf("not on the card: %v", want)
		}
		if got := marked(l, l.Lines()-1); !strings.HasPrefix(got, "a[") {
			t.Errorf("what is not stated is %s", got)
		}
	}
}

// TestSpansAreTheText: spans of all rows of a line joined are its text.
func TestSpansAreTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"\\", "\\u{41}", "\u200b", "\n", "\t", "\r\n", " ", strings.Repeat(" ", 40), "界", "e\u0301", "a", "⟨", "·", "│", "↳", "u{1}", "n", "<3xspace>", "word ", "\U0001F469"})
		s := strings.Join(rapid.SliceOfN(piece, 0, 120).Draw(t, "pieces"), "")
		lines := card.Lines([]byte("nod card v1\na │ \"" + visible.Draw(visible.Value, s) + "\""))
		width := rapid.IntRange(20, 90).Draw(t, "width")
		l := cardview.New(lines, width, cardview.Options{})
		for i := range lines {
			var b strings.Builder
			rows := l.Window(l.FirstRow(i), l.LastRow(i)-l.FirstRow(i)+1)
			for _, row := range rows {
				cells := 0
				for _, sp := range row.Spans {
					cells += widest(sp.Text.String())
					if sp.Role > cardview.RoleLabel {
						b.WriteString(sp.Text.String())
					}
					if sp.Role == cardview.RoleEscape && !strings.HasPrefix(sp.Text.String(), `\u{`) {
						t.Fatalf("%q is coloured as an escape", sp.Text)
					}
				}
				if cells > width {
					t.Fatalf("%d cells in %d: %q", cells, width, row)
				}
			}
			if i > 0 && b.String() != lines[i].Text.String() {
				t.Fatalf("line %d: spans give %q\nwant %q", i, b.String(), lines[i].Text)
			}
		}
	})
}

func widest(s string) int {
	return max(ansi.StringWidth(s), displaywidth.String(s), runewidth.StringWidth(s))
}

// TestEveryCharacterFits: no terminal library gives a row of one character
// repeated more cells than the layout gave it.
func TestEveryCharacterFits(t *testing.T) {
	for r := rune(0xA0); r <= utf8.MaxRune; r++ {
		if r >= 0xE000 && r < 0xF900 || r >= 0xF0000 || r >= 0x20100 && r < 0xE0000 || r >= 0xD800 && r < 0xE000 {
			continue // escaped, or all alike
		}
		s := visible.Draw(visible.Value, "a"+strings.Repeat(string(r), 30))
		l := cardview.New(card.Lines([]byte("nod card v1\na │ \""+s+"\"")), 20, cardview.Options{})
		for _, row := range l.Window(l.FirstRow(1), l.LastRow(1)-l.FirstRow(1)+1) {
			if w := widest(row.String()); w > 20 {
				t.Fatalf("%U: a row of %d cells: %q", r, w, row)
			}
		}
	}
}
