package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"nod/config"
	"nod/themes"
	"nod/themes/paint"
)

// themeSet is the built-in themes and those beside the configuration file.
func (a *app) themeSet(c *config.Config) (*themes.Set, error) {
	read, err := config.ThemeFiles(c.Path, a.Person.UID)
	if err != nil {
		return nil, err
	}
	files := make([]themes.File, len(read))
	for i, f := range read {
		files[i] = themes.File{Name: f.Name, Path: f.Path, Text: f.Text, Err: f.Err}
	}
	return themes.NewSet(files), nil
}

func (a *app) themesCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use: "themes", Short: "List the console's themes, each role painted with its name",
		Long: `Lists the built-in themes and your own, which are the files themes/NAME.toml
beside the configuration file, and paints each role with its name. What is wrong
with a file is said at the end.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, _, err := a.load(false)
			if err != nil {
				return err
			}
			set, err := a.themeSet(c)
			if err != nil {
				return err
			}
			return a.listThemes(set)
		},
	}
	cmd.AddCommand(a.themesCheckCmd())
	return cmd
}

// themeWords is a theme in JSON.
type themeWords struct {
	Name   string `json:"name"`
	Own    bool   `json:"own"`            // the operator's
	Weak   int    `json:"weak"`           // roles below 4.5:1
	Colour bool   `json:"colours"`        // it fixes colours; else they are the terminal's
	Fault  string `json:"fault,omitzero"` // why a file is no theme
	Hint   string `json:"hint,omitzero"`  // and what to do
}

func (a *app) listThemes(set *themes.Set) error {
	var words []themeWords
	own := len(themes.Names())
	out := colorprofile.NewWriter(a.Stdout, a.Environ)
	if _, _, ok := a.size(); !ok || a.env("NO_COLOR") != "" || a.env("TERM") == "dumb" {
		out.Profile = colorprofile.NoTTY
	}
	for i, name := range set.Names() {
		t, err := set.Theme(name)
		if err != nil {
			return err
		}
		w := themeWords{Name: name, Own: i >= own}
		for _, r := range t.Ratios() {
			w.Colour = w.Colour || r.Known()
			if r.Weak() {
				w.Weak++
			}
		}
		words = append(words, w)
		if a.json {
			continue
		}
		if _, err := fmt.Fprintf(out, "%-18s%s\n", name, painted(t)); err != nil {
			return err
		}
	}
	for _, err := range set.Faults() {
		f := explain(err)
		words = append(words, themeWords{Own: true, Fault: f.Sentence, Hint: f.Hint})
		if a.json {
			continue
		}
		if err := a.row("left out: %s; %s", oneLine(f.Sentence), oneLine(f.Hint)); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(map[string][]themeWords{"themes": words})
	}
	return nil
}

// painted is the names of the roles, each as it is drawn.
func painted(t *themes.Theme) string {
	p := paint.New(t)
	var b strings.Builder
	for _, r := range themes.Roles() {
		if r == themes.Selection {
			b.WriteString(" " + p.Paint(themes.Text, true, r.String()))
			continue
		}
		b.WriteString(" " + p.Paint(r, false, r.String()))
	}
	return b.String()
}

// maxTheme bounds a theme file that is checked.
const maxTheme = config.MaxBytes

func (a *app) themesCheckCmd() *cobra.Command {
	return &cobra.Command{
		Use: "check FILE", Short: "Report the contrast of a theme file",
		Long: `Reads a theme file and reports the contrast of each role on the background that
the theme was made for and on the selected row. Text needs 4.5:1 (WCAG 2.2,
1.4.3); less is an error. A colour that is the terminal's has no number.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			t, err := readTheme(args[0])
			if err != nil {
				return err
			}
			return a.reportTheme(t)
		},
	}
}

// readTheme reads a theme file anywhere: it is looked at, not used.
func readTheme(path string) (*themes.Theme, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &fault{Code: "theme_error", Sentence: "the theme file cannot be read: " + err.Error(), Hint: "give the path of a theme file"}
	}
	if !info.Mode().IsRegular() || info.Size() > maxTheme {
		return nil, &fault{Code: "theme_error", Sentence: "that is no theme file", Hint: "give the path of a theme file of at most 1 MiB"}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, &fault{Code: "theme_error", Sentence: "the theme file cannot be read: " + err.Error(), Hint: "make it readable for you"}
	}
	return themes.Parse(filepath.Base(path), text)
}

// ratioWords is the contrast of a role in JSON; null is not known.
type ratioWords struct {
	Role       string   `json:"role"`
	Background *float64 `json:"on_background"`
	Selection  *float64 `json:"on_selection"`
	Weak       bool     `json:"weak"`
}

func (a *app) reportTheme(t *themes.Theme) error {
	known := func(v float64) *float64 {
		if v == 0 {
			return nil
		}
		return &v
	}
	number := func(v float64) string {
		if v == 0 {
			return "the terminal's"
		}
		return fmt.Sprintf("%.2f:1", v)
	}
	var words []ratioWords
	var weak []string
	for _, r := range t.Ratios() {
		words = append(words, ratioWords{r.Role.String(), known(r.OnBackground), known(r.OnSelection), r.Weak()})
		mark := ""
		if r.Weak() {
			mark = "  below 4.5:1"
			weak = append(weak, r.Role.String())
		}
		if a.json {
			continue
		}
		if err := a.printf("%-10s background %-15s selection %s%s\n", r.Role, number(r.OnBackground), number(r.OnSelection), mark); err != nil {
			return err
		}
	}
	if a.json {
		if err := a.printJSON(map[string]any{"name": t.Name, "roles": words}); err != nil {
			return err
		}
	}
	if len(weak) > 0 {
		return &fault{Code: "theme_contrast", Sentence: "too little contrast to be read: " + strings.Join(weak, ", "), Hint: "4.5:1 is the least; change fg, or the background behind it"}
	}
	return nil
}
