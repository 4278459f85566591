package tui

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"nod/themes"
	"nod/tui/alert"
	"nod/tui/frame"
	"nod/tui/history"
	"nod/tui/keys"
	"nod/tui/lens"
	"nod/tui/pace"
)

// Options are what the console needs of its surroundings. The zero Options
// run on the process's own terminal.
type Options struct {
	Role    string                                               // "" for local; else the role the socket gave
	Theme   string                                               // a theme's name; "" for Choice
	Choice  themes.Choice                                        // the theme, or one for a light background and one for a dark one
	Themes  *themes.Set                                          // nil for the built-in ones
	ASCII   bool                                                 // --ascii: no character outside ASCII but the card's
	Env     []string                                             // KEY=value; nil for the process's own
	Now     func() time.Time                                     // wall clock with a monotonic reading
	Loc     *time.Location                                       // for clock times on the screen
	In      *os.File                                             // nil for standard input
	Out     io.Writer                                            // nil for standard output
	Keys    []keys.Binding                                       // nil for the table
	Ask     tea.Cmd                                              // asks the terminal where its cursor is; nil for Bubble Tea's
	Tick    func(time.Duration, func(time.Time) tea.Msg) tea.Cmd // nil for tea.Tick
	Name    string                                               // the operator's, as the queue records it
	Filters []Saved                                              // the operator's own, after the console's
	Pace    pace.Limits                                          // the zero Limits are the defaults
	Alert   []alert.Kind                                         // how the terminal calls for attention
	// Attended gets told whether somebody is at this console, when that changes;
	// nil for nobody.
	Attended func(bool)
	Verify   func(context.Context) (history.Chain, error) // checks the events whole; nil where that cannot be
	// Observe asks the observers of an effect's tool and files what they saw; nil
	// where none can be asked.
	Observe func(ctx context.Context, effect string) ([]Observation, error)
	File    func(path, cwd string) *lens.File // reads what a call would change, bounded; nil for never

	// stamp is when the newest bytes were read from the terminal; nil where
	// nobody takes note of it.
	stamp    func() time.Time
	noColour bool
}

func (o Options) filled() Options {
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Loc == nil {
		o.Loc = time.Local
	}
	if o.Role == "" {
		o.Role = "local"
	}
	if o.Keys == nil {
		o.Keys = keys.Table()
	}
	if o.Ask == nil {
		o.Ask = tea.RequestCursorPosition
	}
	if o.Tick == nil {
		o.Tick = tea.Tick
	}
	dumb := o.env("TERM") == "dumb"
	o.ASCII = o.ASCII || dumb
	// https://no-color.org: present and not empty, whatever it says.
	o.noColour = dumb || o.env("NO_COLOR") != ""
	if o.Themes == nil {
		o.Themes = themes.NewSet(nil)
	}
	if o.Theme != "" {
		o.Choice = themes.Choice{Name: o.Theme}
	}
	return o
}

func (o Options) env(name string) string {
	for i := len(o.Env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(o.Env[i], name+"="); ok {
			return v
		}
	}
	return ""
}

func (o Options) glyphs() frame.Glyphs {
	if o.ASCII {
		return frame.ASCII()
	}
	return frame.Unicode()
}
