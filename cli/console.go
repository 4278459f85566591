package cli

import (
	"github.com/spf13/cobra"

	"nod/config"
	"nod/tui"
)

// screen are the flags of the console.
type screen struct {
	theme string
	ascii bool
}

func (s *screen) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.theme, "theme", "", "colours: terminal, dark, light or mono")
	takes(cmd, "theme", "NAME")
	cmd.Flags().BoolVar(&s.ascii, "ascii", false, "draw with ASCII only")
}

// options joins flags, configuration and surroundings.
func (s *screen) options(a *app, c *config.Config) tui.Options {
	o := tui.Options{Theme: s.theme, ASCII: s.ascii || c.UI.ASCII, Env: a.Environ}
	if o.Theme == "" {
		o.Theme = c.UI.Theme
	}
	return o
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
	st, err := a.open(cmd.Context(), c, paths)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	defer announce(paths.Store)()
	return tui.Run(cmd.Context(), st.Port(a.person("console")), a.screen.options(a, c))
}
