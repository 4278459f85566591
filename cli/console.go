package cli

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"nod/config"
	"nod/descriptor"
	"nod/observe"
	"nod/queue"
	"nod/themes"
	"nod/tui"
	"nod/tui/alert"
	"nod/tui/keys"
	"nod/tui/pace"
	"nod/tui/plain"
	"nod/tui/query"
)

// screen are the flags of the console.
type screen struct {
	theme string
	ascii bool
	plain bool
}

func (s *screen) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.theme, "theme", "", "colours: a theme that nod themes lists")
	takes(cmd, "theme", "NAME")
	cmd.Flags().BoolVar(&s.ascii, "ascii", false, "draw with ASCII only")
	cmd.Flags().BoolVar(&s.plain, "plain", false, "talk line by line, for screen readers and simple terminals")
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

// show opens the console in the form that was asked for. A dumb terminal
// cannot place a cursor, so it gets lines.
func (s *screen) show(ctx context.Context, a *app, in *os.File, port queue.Port, o tui.Options) error {
	dumb := a.env("TERM") == "dumb"
	if s.plain || dumb {
		p := plain.Options{ASCII: o.ASCII || dumb, Name: o.Name, Pace: o.Pace}
		if ask := o.Observe; ask != nil {
			p.Observe = func(ctx context.Context, effect string) (int, error) {
				seen, err := ask(ctx, effect)
				return len(seen), err
			}
		}
		return plain.Run(ctx, port, p, in, a.Stdout)
	}
	return tui.Run(ctx, port, o)
}

// way is how the console's acts are recorded.
func (s *screen) way(a *app) string {
	if s.plain || a.env("TERM") == "dumb" {
		return "plain"
	}
	return "console"
}

func (a *app) consoleFlags(root *cobra.Command) { a.screen.flags(root) }

// heapGrowth is how far, in percent, memory may grow before it is looked through
// for what is not used any more. A console lives for days beside other work,
// and a card may be megabytes.
const heapGrowth = 50

// console opens the console on the person's own store.
func (a *app) console(cmd *cobra.Command, _ []string) error {
	in, ok := a.terminal()
	if !ok {
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
	if a.env("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(heapGrowth))
	}
	port := st.Port(a.person(a.screen.way(a)))
	o.Verify, o.File, o.Observe = a.verifier(port, &paths), a.changed, observer(port, c.Descriptors())
	var away atomic.Bool
	o.Attended = func(is bool) { away.Store(!is) }
	defer a.tellMeanwhile(cmd.Context(), c, paths, port, &away)()
	return a.screen.show(cmd.Context(), a, in, port, o)
}

// observer asks the observers of an effect's tool for the console.
func observer(port queue.Port, tools *descriptor.Set) func(context.Context, string) ([]tui.Observation, error) {
	return func(ctx context.Context, effect string) ([]tui.Observation, error) {
		seen, err := observe.Effect(ctx, port, tools, effect, nil, false)
		out := make([]tui.Observation, 0, len(seen))
		for i := range seen {
			s := &seen[i]
			out = append(out, tui.Observation{Observer: s.Observer, Outcome: queue.AttemptState(s.Observation.Says), Durable: s.Observation.Durable,
				Divergent: s.Observation.Divergent, Judged: s.Judged})
		}
		return out, err
	}
}
