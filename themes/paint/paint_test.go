package paint_test

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"nod/themes"
	"nod/themes/paint"
)

func painter(t *testing.T, name string, noColor bool) *paint.Painter {
	t.Helper()
	th, err := themes.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	if noColor {
		mono, err := themes.Builtin("mono")
		if err != nil {
			t.Fatal(err)
		}
		th = th.NoColor(mono)
	}
	return paint.New(th)
}

func TestPaint(t *testing.T) {
	for _, c := range []struct {
		theme    string
		noColor  bool
		role     themes.Role
		selected bool
		want     string
	}{
		{"terminal", false, themes.Text, false, "a  b"},
		{"terminal", false, themes.Danger, false, "\x1b[31ma  b\x1b[m"},
		{"terminal", false, themes.Faint, false, "\x1b[2ma  b\x1b[m"},
		{"terminal", false, themes.Warn, true, "\x1b[7;33ma  b\x1b[m"},
		{"terminal", false, themes.Faint, true, "\x1b[7ma  b\x1b[m"},
		{"terminal", true, themes.Danger, false, "\x1b[1;4ma  b\x1b[m"},
		{"terminal", true, themes.OK, false, "a  b"},
		{"dark", false, themes.Unknown, false, "\x1b[38;2;215;155;240ma  b\x1b[m"},
		{"dark", false, themes.OK, true, "\x1b[38;2;127;201;138;48;2;43;48;59ma  b\x1b[m"},
		{"dark", true, themes.OK, true, "\x1b[7ma  b\x1b[m"},
		{"mono", false, themes.Unknown, false, "\x1b[4ma  b\x1b[m"},
	} {
		if got := painter(t, c.theme, c.noColor).Paint(c.role, c.selected, "a  b"); got != c.want {
			t.Errorf("%s, no colour %v, %s, selected %v: %q, want %q", c.theme, c.noColor, c.role, c.selected, got, c.want)
		}
	}
}

// TestUnderlinedInEveryTheme: a changed word is underlined without a colour too.
func TestUnderlinedInEveryTheme(t *testing.T) {
	for _, c := range []struct {
		theme, want string
		noColor     bool
	}{
		{"terminal", "\x1b[4;32mword\x1b[m", false},
		{"terminal", "\x1b[4mword\x1b[m", true},
		{"mono", "\x1b[4mword\x1b[m", false},
	} {
		if got := painter(t, c.theme, c.noColor).Underlined(themes.OK, false, "word"); got != c.want {
			t.Errorf("%s, no colour %v: %q", c.theme, c.noColor, got)
		}
	}
}

// TestPaintKeepsTheText: painting adds sequences and nothing else.
func TestPaintKeepsTheText(t *testing.T) {
	for _, name := range themes.Names() {
		p := painter(t, name, false)
		for _, r := range append(themes.Roles(), themes.Role(200)) {
			for _, sel := range []bool{false, true} {
				for _, s := range []string{"", " ", "  lead and trail  ", `⇥   "界\u{1B}"`, "e\u0301"} {
					if got := ansi.Strip(p.Paint(r, sel, s)); got != s {
						t.Errorf("%s, %s: %q became %q", name, r, s, got)
					}
				}
			}
		}
	}
}
