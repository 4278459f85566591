package themes_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"nod/themes"
)

func file(name, text string) themes.File {
	return themes.File{Name: name, Path: "/home/mia/.config/nod/themes/" + name + ".toml", Text: []byte(text)}
}

func TestASetHoldsTheOperatorsOwn(t *testing.T) {
	s := themes.NewSet([]themes.File{file("mine", full(nil)), file("dark", strings.Replace(full(nil), "mine", "dark", 1)), file("other", full(nil)), file("torn", "name = ")})
	if got, want := s.Names(), append(themes.Names(), "mine"); !slices.Equal(got, want) {
		t.Errorf("names %v", got)
	}
	if th, err := s.Theme("mine"); err != nil || th.Name != "mine" {
		t.Errorf("mine: %v", err)
	}
	if th, err := s.Theme("dark"); err != nil || th.Style(themes.Text).FG.Default() {
		t.Errorf("dark is not the built-in one: %v", err)
	}
	for name, says := range map[string]string{"other": `other.toml:1: the theme calls itself "mine"`, "torn": "torn.toml:1: it is not TOML", "gone": `no theme "gone"`} {
		_, err := s.Theme(name)
		var e *themes.Error
		if !errors.As(err, &e) || !strings.Contains(e.Error(), says) || e.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Theme("gone"); !strings.Contains(err.(*themes.Error).Hint, "mine") {
		t.Error("the hint does not name the operator's theme")
	}
	said := ""
	for _, err := range s.Faults() {
		said += err.Error() + "\n"
	}
	if strings.Count(said, "\n") != 3 || !strings.Contains(said, `dark.toml: "dark" is a built-in theme`) {
		t.Errorf("faults:\n%s", said)
	}
}

func TestPick(t *testing.T) {
	s := themes.NewSet(nil)
	for _, c := range []struct {
		choice      themes.Choice
		light, dark string
	}{
		{themes.Choice{}, "terminal", "terminal"},
		{themes.Choice{Name: "mono"}, "mono", "mono"},
		{themes.Choice{Light: "light", Dark: "catppuccin-mocha"}, "light", "catppuccin-mocha"},
	} {
		p, err := s.Pick(c.choice)
		if err != nil || p.Light.Name != c.light || p.Dark.Name != c.dark {
			t.Errorf("%+v: %v, %v", c.choice, p, err)
		}
	}
	for _, c := range []themes.Choice{{Name: "x"}, {Light: "x", Dark: "dark"}, {Light: "light", Dark: "x"}} {
		if _, err := s.Pick(c); err == nil {
			t.Errorf("%+v is picked", c)
		}
	}
}

func TestThePairFollowsTheTerminal(t *testing.T) {
	p, err := themes.NewSet(nil).Pick(themes.Choice{Light: "light", Dark: "dark"})
	if err != nil {
		t.Fatal(err)
	}
	if p.Start().Name != "dark" || !p.Asks() {
		t.Error("it does not begin dark")
	}
	if p.Answer(false, 200).Name != "light" || p.Answer(true, 200).Name != "dark" {
		t.Error("it does not follow the answer")
	}
	if p.Answer(false, themes.AnswerWithinMS+1).Name != "dark" {
		t.Error("a late answer changes the theme")
	}
	one, err := themes.NewSet(nil).Pick(themes.Choice{Name: "light"})
	if err != nil || one.Asks() || one.Start().Name != "light" || one.Answer(true, 0).Name != "light" {
		t.Errorf("one theme follows the terminal: %v", err)
	}
}
