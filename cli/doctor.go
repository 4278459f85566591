package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"nod/config"
	"nod/gateway/install"
	"nod/queue"
)

// finding is one thing that doctor looked at.
type finding = install.Finding

// localSentence is what local mode does not protect (DESIGN §10).
const localSentence = "decisions are not protected from your agents: an agent that runs as you can reach this store"

func (a *app) doctorCmd() *cobra.Command {
	var settings, project string
	cmd := &cobra.Command{
		Use: "doctor", Short: "Name what on this machine is wrong, or goes around the gate", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list := a.examine(cmd.Context(), settings, project)
			worst := ExitOK
			for _, f := range list {
				if f.Level == install.Fail {
					worst = ExitError
				}
			}
			if a.json {
				if err := a.printJSON(list); err != nil {
					return err
				}
				return a.ended(worst)
			}
			for _, f := range list {
				if err := a.printf("%-4s  %s (%s)\n", f.Level, oneLine(f.Sentence), f.Code); err != nil {
					return err
				}
				if f.Hint != "" {
					if err := a.printf("      %s\n", oneLine(f.Hint)); err != nil {
						return err
					}
				}
			}
			return a.ended(worst)
		},
	}
	cmd.Flags().StringVar(&settings, "settings", "", "settings file of Claude Code; ~/.claude/settings.json when it is not said")
	cmd.Flags().StringVar(&project, "project", ".", "project whose settings are looked at too")
	takes(cmd, "settings", "FILE")
	takes(cmd, "project", "DIR")
	return cmd
}

func (a *app) examine(ctx context.Context, settings, project string) []finding {
	list := []finding{{Code: "local", Level: install.Warn, Sentence: "local: " + localSentence,
		Hint: "docs/threat-model.md describes the separate user that protects them"}}
	c, paths, err := a.load(false)
	if err != nil {
		return append(list, failing(err))
	}
	list = append(list, finding{Code: "config", Level: install.Good, Sentence: "configuration " + where(paths.Config, c.Found)})
	list = append(list, policyFindings(c)...)
	list = append(list, a.moved(paths)...)
	list = append(list, a.storeFindings(ctx, c, paths)...)
	return append(list, a.hostFindings(ctx, paths, settings, project)...)
}

// policyFindings warns of a denied capability that no descriptor gives a tool:
// it denies nothing.
func policyFindings(c *config.Config) (list []finding) {
	has := map[string]bool{}
	for _, d := range c.Descriptors().All() {
		has[d.Capability()] = true
	}
	denied := c.Settings().Denied
	for _, word := range denied.All() {
		if !has[string(word)] {
			list = append(list, finding{Code: "compliance_idle", Level: install.Warn,
				Sentence: "compliance denies " + string(word) + ", and no tool has this capability by its descriptor, so it denies nothing",
				Hint:     "write capability = \"" + string(word) + "\" into the descriptors of the tools that have it"})
		}
	}
	return list
}

func where(path string, found bool) string {
	if found {
		return path + " reads"
	}
	return path + " is not there, so the defaults hold"
}

// moved warns when this shell's environment moves Nod's files away from where
// the gates look for them.
func (a *app) moved(paths config.Paths) []finding {
	gate, err := config.GatePaths(config.Given{Config: a.configFlag, Store: a.storeFlag}, a.Person.Home)
	if err != nil || gate.Store == paths.Store && gate.Config == paths.Config {
		return nil
	}
	return []finding{{Code: "paths_differ", Level: install.Warn,
		Sentence: "your XDG_* or HOME moves the console's files to " + paths.Store + ", while nod run and nod hook look in " + gate.Store,
		Hint:     "give both --store and --config, or unset the variables"}}
}

func (a *app) storeFindings(ctx context.Context, c *config.Config, paths config.Paths) []finding {
	if _, err := os.Lstat(paths.Store); errors.Is(err, fs.ErrNotExist) {
		return []finding{{Code: "store", Level: install.Good, Sentence: "the store " + paths.Store + " is not there yet; the first ask makes it"}}
	}
	st, err := a.Open(ctx, Opening{Path: paths.Store, Settings: c.Settings()})
	if err != nil {
		return []finding{failing(err)}
	}
	defer func() { _ = st.Close() }()
	port := st.Port(a.person("command"))
	status, err := queue.Get[queue.Status](ctx, port, queue.QStatus{})
	if err != nil {
		return []finding{failing(err)}
	}
	page, err := lookLong(ctx, port)
	if err != nil {
		return []finding{failing(err)}
	}
	list := []finding{{Code: "store", Level: install.Good, Sentence: "the store " + paths.Store + " opens; owner, permissions and form are right"}}
	switch behind := time.Duration(status.OffsetMS) * time.Millisecond; {
	case status.Held:
		list = append(list, finding{Code: "clock_held", Level: install.Fail, Sentence: "the clock ran ahead, so nothing expires until an operator confirms the time",
			Hint: "open nod and confirm the notice"})
	case behind > time.Second:
		list = append(list, finding{Code: "clock_behind", Level: install.Warn, Sentence: "the clock was set back by " + behind.Round(time.Second).String() + "; times on screen run on from before",
			Hint: "nothing is extended by it; set the clock right"})
	default:
		list = append(list, finding{Code: "clock", Level: install.Good, Sentence: "the clock goes on from the last event"})
	}
	for _, f := range status.Freezes {
		list = append(list, finding{Code: "frozen", Level: install.Warn, Sentence: "frozen since " + clock(f.Since, status.Now) + " by " + f.By + ": nothing begins",
			Hint: "nod unfreeze lifts it"})
	}
	banner := unwatched(paths.Store, &page)
	switch is, known := watched(paths.Store); {
	case banner != "":
		list = append(list, finding{Code: "nobody_watches", Level: install.Warn, Sentence: banner, Hint: "nod notify tells you when you are not there"})
	case known && !is:
		list = append(list, finding{Code: "nobody_watches", Level: install.Warn, Sentence: "nobody watches: no console is open on this store", Hint: "open nod before agents ask"})
	case known:
		list = append(list, finding{Code: "watched", Level: install.Good, Sentence: "a console is open on this store"})
	}
	return append(list, a.notifyFindings(c, paths, &status)...)
}

// failing is an error as a finding.
func failing(err error) finding {
	f := explain(err)
	return finding{Code: f.Code, Level: install.Fail, Sentence: f.Sentence, Hint: f.Hint}
}
