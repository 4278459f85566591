package cli

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"nod/config"
	"nod/themes"
	"nod/tui"
	"nod/tui/alert"
	"nod/tui/keys"
	"nod/tui/pace"
	"nod/tui/query"
)

// screen are the flags of the console.
type screen struct {
	theme string
	ascii bool
}

func (s *screen) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.theme, "theme", "", "colours: a theme that nod themes lists")
	takes(cmd, "theme", "NAME")
	cmd.Flags().BoolVar(&s.ascii, "ascii", false, "draw with ASCII only")
}

// options joins flags, configuration and surroundings.
func (s *screen) options(a *app, c *config.Config) (tui.Options, error) {
	o := tui.Options{Theme: s.theme, Choice: themes.Choice(c.UI.Theme), ASCII: s.ascii || c.UI.ASCII, Env: a.Environ,
		Name: a.Person.Name, Alert: alert.Choose(c.UI.Alert, a.env("TERM")), Pace: pace.Limits{SlowBelowMS: int64(c.UI.SlowBelow)}}
	var err error
	if o.Themes, err = a.themeSet(c); err != nil {
		return o, err
	}
	if s.theme != "" {
		if _, err := o.Themes.Theme(s.theme); err != nil {
			return o, err
		}
	} else if _, err := o.Themes.Pick(o.Choice); err != nil {
		f := explain(err)
		return o, c.ThemeFault(f.Code, f.Sentence, f.Hint)
	}
	o.Keys, err = keys.Rebind(keys.Table(), c.Keys)
	if e, ok := errors.AsType[*keys.Error](err); ok {
		code, sentence, hint := e.Told()
		return o, c.KeyFault(e.Name, code, sentence, hint)
	}
	for i, f := range c.Filter {
		if _, problem := query.Parse(f.Query, 0, time.UTC); problem != "" {
			return o, c.FilterFault(i, problem)
		}
		o.Filters = append(o.Filters, tui.Saved{Name: f.Name, Query: f.Query})
	}
	return o, err
}

func (a *app) consoleFlags(root *cobra.Command) { a.screen.flags(root) }

// console opens the console on the person's own store.
func (a *app) console(cmd *cobra.Command, _ []string) error {
	if _, ok := a.terminal(); !ok {
		return &fault{Code: "needs_terminal", Sentence: "the console needs a terminal", Hint: "nod list and nod show print without one"}
	}
	c, paths, err := a.load(false)
	if err != nil {
		return err
	}
	o, err := a.screen.options(a, c)
	if err != nil {
		return err
	}
	st, err := a.open(cmd.Context(), c, paths)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	defer announce(paths.Store)()
	port := st.Port(a.person("console"))
	o.Verify, o.File = a.verifier(port, &paths), a.changed
	defer a.tellMeanwhile(cmd.Context(), c, paths, port)()
	return tui.Run(cmd.Context(), port, o)
}
