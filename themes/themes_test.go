package themes_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"nod/themes"
)

func builtin(t *testing.T, name string) *themes.Theme {
	t.Helper()
	th, err := themes.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func TestBuiltins(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".toml") {
			files++
		}
	}
	if files != len(themes.Names()) {
		t.Errorf("%d files, %d names", files, len(themes.Names()))
	}
	for _, name := range themes.Names() {
		if th := builtin(t, name); th.Name != name {
			t.Errorf("%s.toml says it is %q", name, th.Name)
		}
	}
	if _, err := themes.Builtin("../terminal"); err == nil {
		t.Error("a path is a theme")
	}
}

// TestContrast holds 4.5:1 (WCAG 2.2, 1.4.3) on the theme's own background and
// on the selected row, for every theme that has colours of its own. terminal
// and mono have none: what they look like is the terminal's.
func TestContrast(t *testing.T) {
	for _, name := range themes.Names() {
		th := builtin(t, name)
		least := themes.LeastContrast
		if name == "contrast" {
			least = 7 // 1.4.6
		}
		ratios := th.Ratios()
		if len(ratios) != len(themes.Roles())-1 {
			t.Errorf("%s: %d ratios", name, len(ratios))
		}
		for _, r := range ratios {
			if name == "terminal" || name == "mono" {
				if r.Known() {
					t.Errorf("%s: %s has a colour of its own", name, r.Role)
				}
				continue
			}
			if r.OnBackground < least || r.OnSelection < least || r.Weak() {
				t.Errorf("%s: %s has %.2f:1 on its background and %.2f:1 on the selection", name, r.Role, r.OnBackground, r.OnSelection)
			}
		}
		if name == "terminal" || name == "mono" {
			continue
		}
		if c, ok := themes.Contrast(th.Background, th.Style(themes.Selection).BG); !ok || c < 1.1 {
			t.Errorf("%s: nobody sees the selection at %.2f:1", name, c)
		}
	}
}

func TestRatiosFindWhatCannotBeRead(t *testing.T) {
	th, err := themes.Parse("t", []byte("background = \"#ffffff\"\n"+full(map[string]string{
		"text": `fg = "#000000"`, "muted": `fg = "#777777"`, "ok": `fg = "#000000"
bg = "#222222"`, "warn": `fg = "#cccccc"`, "selection": `bg = "#333333"`,
	})))
	if err != nil {
		t.Fatal(err)
	}
	weak := map[themes.Role]bool{}
	for _, r := range th.Ratios() {
		weak[r.Role] = r.Weak()
	}
	for r, want := range map[themes.Role]bool{themes.Text: true, themes.Muted: true, themes.OK: true, themes.Warn: true, themes.Danger: false} {
		if weak[r] != want {
			t.Errorf("%s is weak: %v", r, weak[r])
		}
	}
}

func TestContrastOfKnownColours(t *testing.T) {
	th, err := themes.Parse("t", []byte(full(map[string]string{"text": `fg = "#000000"`, "muted": `fg = "#ffffff"`, "faint": `fg = "#777777"`})))
	if err != nil {
		t.Fatal(err)
	}
	fg := func(r themes.Role) themes.Color { return th.Style(r).FG }
	if c, _ := themes.Contrast(fg(themes.Text), fg(themes.Muted)); c < 20.99 || c > 21.01 {
		t.Errorf("black on white is %.3f", c)
	}
	if c, _ := themes.Contrast(fg(themes.Faint), fg(themes.Muted)); c < 4.47 || c > 4.49 {
		t.Errorf("#777777 on white is %.3f, not 4.48", c)
	}
	if _, ok := themes.Contrast(fg(themes.OK), fg(themes.Text)); ok {
		t.Error("the terminal's own colour has a contrast")
	}
}

// TestTerminalUsesItsOwnColours: no fixed colour may fight a terminal's palette.
func TestTerminalUsesItsOwnColours(t *testing.T) {
	th := builtin(t, "terminal")
	want := map[themes.Role]int{themes.Accent: 6, themes.OK: 2, themes.Warn: 3, themes.Danger: 1, themes.Unknown: 5}
	for _, r := range themes.Roles() {
		s := th.Style(r)
		if _, _, _, rgb := s.FG.RGB(); rgb || !s.BG.Default() {
			t.Errorf("%s has a colour of its own", r)
		}
		if i, ok := s.FG.ANSI(); ok != (want[r] != 0) || ok && i != want[r] {
			t.Errorf("%s has colour %d", r, i)
		}
	}
}

// TestNoColor: without colours, what a colour said is still told by shape
// where SCREENS §A gives one.
func TestNoColor(t *testing.T) {
	mono := builtin(t, "mono")
	for _, name := range themes.Names() {
		th := builtin(t, name).NoColor(mono)
		for _, r := range themes.Roles() {
			s := th.Style(r)
			if !s.FG.Default() || !s.BG.Default() {
				t.Errorf("%s: %s keeps a colour", name, r)
			}
			if s.Faint {
				t.Errorf("%s: %s stays faint", name, r)
			}
		}
		d, u, w, a := th.Style(themes.Danger), th.Style(themes.Unknown), th.Style(themes.Warn), th.Style(themes.Accent)
		if !d.Bold || !d.Underline || !u.Underline || u.Bold || !w.Bold || !a.Bold || !th.Style(themes.Selection).Reverse {
			t.Errorf("%s: shapes are gone: %+v", name, th)
		}
	}
}

func full(with map[string]string) string {
	var b strings.Builder
	b.WriteString("name = \"mine\"\n")
	for _, r := range themes.Roles() {
		b.WriteString("[" + r.String() + "]\n")
		if s := with[r.String()]; s != "" {
			b.WriteString(s + "\n")
		}
	}
	return b.String()
}

func TestParse(t *testing.T) {
	th, err := themes.Parse("mine.toml", []byte(full(map[string]string{"warn": "fg = \"bright-yellow\"\nbg = \"default\"\nbold = true\nunderline = true"})))
	if err != nil {
		t.Fatal(err)
	}
	s := th.Style(themes.Warn)
	if i, ok := s.FG.ANSI(); !ok || i != 11 || !s.Bold || !s.Underline || !s.BG.Default() || s.Faint || s.Reverse {
		t.Errorf("warn is %+v", s)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		data string
		line int
		says string
	}{
		"unknown role":  {full(nil) + "[error]\n", 12, `"error"`},
		"unknown key":   {full(map[string]string{"warn": "bold = true\nitalic = true"}), 9, `"warn.italic"`},
		"unknown top":   {"nam = \"x\"\n" + full(nil), 1, `"nam"`},
		"colour":        {full(map[string]string{"ok": "bold = true\nfg = \"grren\""}), 8, `"grren"`},
		"short colour":  {full(map[string]string{"ok": `fg = "#fff"`}), 7, `"#fff"`},
		"signed colour": {full(map[string]string{"ok": `fg = "#+fffff"`}), 7, `"#+fffff"`},
		"background":    {"background = \"mud\"\n" + full(nil), 1, `"mud"`},
		"wrong type":    {full(map[string]string{"ok": `bold = "yes"`}), 6, "bold"},
		"role is word":  {"text = \"red\"\n" + strings.Replace(full(nil), "[text]\n", "", 1), 1, ""},
		"twice":         {full(nil) + "[warn]\n", 12, "warn"},
		"no toml":       {"name = \"x\"\n[text]\nfg = red\n", 3, "TOML"},
		"missing role":  {strings.Replace(full(nil), "[unknown]\n", "", 1), 0, `"unknown"`},
		"no name":       {strings.Replace(full(nil), "name = \"mine\"\n", "", 1), 0, "name"},
		"empty":         {"", 0, "name"},
		"deep":          {full(map[string]string{"ok": "[ok.fg]\nr = 1"}), 6, ""},
	} {
		_, err := themes.Parse("mine.toml", []byte(c.data))
		var e *themes.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if e.Line != c.line || !strings.Contains(e.Error(), c.says) || e.Hint == "" || e.Code() != "theme_error" || !strings.HasPrefix(e.Error(), "mine.toml:") {
			t.Errorf("%s: line %d (want %d): %v", name, e.Line, c.line, e)
		}
	}
}
