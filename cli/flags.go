package cli

import (
	"time"

	"charm.land/fang/v2"
	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"nod/tui/query"
)

// valueName is the annotation that names a flag's value in the help.
const valueName = "nod_value"

// takes names the value of a flag for the help.
func takes(cmd *cobra.Command, flag, value string) { takesIn(cmd.Flags(), flag, value) }

func takesIn(set *pflag.FlagSet, flag, value string) {
	if err := set.SetAnnotation(flag, valueName, []string{value}); err != nil {
		panic(err) // the command has no such flag
	}
}

// lengthValue is a flag's length of time. None is shown as nothing, not as 0s.
type lengthValue struct{ d *time.Duration }

func (v lengthValue) Set(text string) error {
	d, err := query.Length(text)
	if err == nil {
		*v.d = d
	}
	return err
}

func (v lengthValue) String() string {
	if v.d == nil || *v.d == 0 {
		return ""
	}
	return plainly(*v.d)
}

func (lengthValue) Type() string { return "duration" }

// length adds a flag for a length of time; what d holds is the default.
func length(cmd *cobra.Command, d *time.Duration, name, usage string) {
	cmd.Flags().Var(lengthValue{d}, name, usage)
	takes(cmd, name, "LENGTH")
}

// withValues makes the help of every command show what its flags take. Fang
// prints a flag's name and nothing else, and asks for the colours right before.
func withValues(root *cobra.Command) fang.Option {
	return fang.WithColorSchemeFunc(func(pick lipgloss.LightDarkFunc) fang.ColorScheme {
		named := map[*pflag.Flag]bool{} // commands share the flags of the root
		var walk func(*cobra.Command)
		walk = func(cmd *cobra.Command) {
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				if v := f.Annotations[valueName]; len(v) == 1 && !named[f] {
					named[f] = true
					f.Name += " " + v[0]
				}
			})
			for _, sub := range cmd.Commands() {
				walk(sub)
			}
		}
		walk(root)
		return fang.DefaultColorScheme(pick)
	})
}
