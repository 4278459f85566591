package cli

import (
	"bufio"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"nod/digest/visible"
	"nod/gateway/install"
)

// installing are the flags of nod install claude-code.
type installing struct {
	settings  string
	timeout   int
	managed   bool
	dryRun    bool
	yes       bool
	uninstall bool
}

func (a *app) installCmd() *cobra.Command {
	var f installing
	claude := &cobra.Command{
		Use: "claude-code", Short: "Put the gate into Claude Code's settings; shows the change first", Args: cobra.NoArgs,
		Long: `Shows the change to the settings as a diff, asks, and makes it: a hook before
every tool call with absolute paths, a timeout and a guard that denies when the
gate fails, and the host's own default made a refusal. Running it again changes
nothing; --uninstall puts back what was there.`,
		RunE: func(*cobra.Command, []string) error { return a.install(&f) },
	}
	claude.Flags().StringVar(&f.settings, "settings", "", "settings file; ~/.claude/settings.json when it is not said")
	claude.Flags().IntVar(&f.timeout, "timeout", 0, "seconds the host waits for an answer; 86400 when it is not said")
	takes(claude, "settings", "FILE")
	takes(claude, "timeout", "N")
	claude.Flags().BoolVar(&f.managed, "managed", false, "the settings are the host's managed ones")
	claude.Flags().BoolVar(&f.dryRun, "dry-run", false, "show the change and stop")
	claude.Flags().BoolVar(&f.yes, "yes", false, "make the change without asking")
	claude.Flags().BoolVar(&f.uninstall, "uninstall", false, "take the gate out again")
	return group("install", "Put the gate in front of an agent host", claude)
}

// claude says what is installed, and where, by the same paths that a hook
// without flags would find.
func (a *app) claude(f *installing) (install.Claude, error) {
	_, paths, err := a.load(false)
	if err != nil {
		return install.Claude{}, err
	}
	settings := f.settings
	if settings == "" {
		settings = filepath.Join(a.claudeDir(), "settings.json")
	}
	if settings, err = filepath.Abs(settings); err != nil {
		return install.Claude{}, err
	}
	if !f.uninstall && strings.Contains(filepath.ToSlash(a.Self), "/go-build") {
		return install.Claude{}, &fault{Code: "temporary_binary", Sentence: "this nod is the temporary binary of go run, which will be gone",
			Hint: "build it first: go install . and run nod install claude-code"}
	}
	return install.Claude{
		Settings: settings, Record: filepath.Join(paths.StateDir, "install-claude-code.json"), Binary: a.Self,
		Config: paths.Config, Store: paths.Store, Timeout: f.timeout, Managed: f.managed,
	}, nil
}

// claudeDir is where Claude Code keeps its user settings.
func (a *app) claudeDir() string {
	home := a.Person.Home
	if h := a.env("HOME"); filepath.IsAbs(h) {
		home = h
	}
	return install.ConfigDir(home, a.env("CLAUDE_CONFIG_DIR"))
}

func (a *app) install(f *installing) error {
	c, err := a.claude(f)
	if err != nil {
		return err
	}
	plan := c.Install
	if f.uninstall {
		plan = c.Uninstall
	}
	p, err := plan()
	if err != nil {
		return err
	}
	if !p.Changed() {
		// The record of it may still be out of date.
		if !f.dryRun {
			if err := p.Apply(); err != nil {
				return err
			}
		}
		return a.say(map[string]any{"settings": p.Target, "changed": false}, "Nothing to change: %s is as it should be.", oneLine(p.Path))
	}
	if !a.json {
		if err := a.printf("%s\n", drawnLines(p.Diff())); err != nil {
			return err
		}
	}
	if f.dryRun {
		return a.say(map[string]any{"settings": p.Target, "changed": false, "diff": p.Diff()}, "Nothing was changed (--dry-run).")
	}
	if !f.yes {
		if err := a.confirm("Make this change to " + oneLine(p.Path) + "? Type yes: "); err != nil {
			return err
		}
	}
	if err := p.Apply(); err != nil {
		return err
	}
	if f.uninstall {
		if len(p.Left) > 0 {
			return a.say(map[string]any{"settings": p.Target, "changed": true, "left": p.Left},
				"Removed. These settings stay, because nothing remembers what was there before: %s.\nWhile they do, the host may refuse every call.", strings.Join(p.Left, ", "))
		}
		return a.say(map[string]any{"settings": p.Target, "changed": true}, "Removed. Calls are no longer held.")
	}
	return a.say(map[string]any{"settings": p.Target, "changed": true},
		"Installed. New sessions hold every call until you answer in nod.\nnod doctor names what goes around the gate.")
}

// confirm asks for a typed yes; without a terminal it is a no.
func (a *app) confirm(question string) error {
	in, ok := a.terminal()
	if !ok {
		return &fault{Code: "needs_terminal", Sentence: "nothing was changed: the change must be confirmed", Hint: "run it in a terminal, or give --yes"}
	}
	flushInput(in)
	if err := a.printf("%s", question); err != nil {
		return err
	}
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "yes" {
		return &fault{Code: "not_confirmed", Sentence: "nothing was changed", Hint: "type yes to make the change"}
	}
	return nil
}

// drawnLines draws a text of several lines for the terminal, line by line.
func drawnLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = visible.Row(l).String()
	}
	return strings.Join(lines, "\n")
}
