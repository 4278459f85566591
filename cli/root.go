package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
)

// Run is the whole program: it parses the arguments, does the command and
// returns the exit code.
func Run(ctx context.Context, w World) int {
	a := &app{World: w}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	root := a.root()
	root.SetArgs(w.Args)
	root.SetIn(w.Stdin)
	root.SetOut(w.Stdout)
	root.SetErr(w.Stderr)
	var failed error
	keep(root, &failed, func() { a.json = a.json || wantsJSON(w.Args) })
	err := fang.Execute(ctx, root, fang.WithVersion(w.Version), withValues(root), fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}))
	if err == nil {
		err = failed
	}
	if err == nil {
		return ExitOK
	}
	if e, ok := errors.AsType[*exit](err); ok {
		if e.err != nil {
			complain(w.Stderr, e.err, a.json)
		}
		return e.code
	}
	complain(w.Stderr, err, a.json)
	return ExitError
}

// wantsJSON reports whether --json stands among the arguments, before what is
// not Nod's.
func wantsJSON(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--":
			return false
		case "--json", "--json=true":
			return true
		}
	}
	return false
}

// keep makes every error of a command land in failed. Fang must not see one:
// before it calls the error handler it asks the terminal for its background,
// which swallows what was typed and takes four seconds where nothing answers.
// stray is called when a flag does not parse: those after it were not read.
func keep(cmd *cobra.Command, failed *error, stray func()) {
	misused := func(cmd *cobra.Command, err error) error {
		if err == nil {
			return nil
		}
		return &fault{Code: "usage", Sentence: err.Error(), Hint: cmd.CommandPath() + " --help"}
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		stray()
		*failed = misused(cmd, err)
		return nil
	})
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			*failed = misused(cmd, check(cmd, args))
			return nil
		}
	}
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if *failed == nil {
				*failed = run(cmd, args)
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		keep(sub, failed, stray)
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "nod",
		Short: "An approval console for AI agents, in a terminal",
		Long: `Agents' calls wait in a queue on disk. You read exactly what will run and
answer; the answer opens the gate for that call and no other.

Without a command, nod opens the console. Try "nod demo" first.

Exit codes: 0 allowed or done, 1 denied, 2 error, 3 nobody answered.`,
		Args: cobra.NoArgs,
		RunE: a.console,
	}
	flags := root.PersistentFlags()
	flags.StringVar(&a.configFlag, "config", "", "configuration file (absolute path)")
	flags.StringVar(&a.storeFlag, "store", "", "store file (absolute path)")
	flags.BoolVar(&a.json, "json", false, "print JSON; errors too")
	takesIn(flags, "config", "FILE")
	takesIn(flags, "store", "FILE")
	a.consoleFlags(root)
	root.AddCommand(
		a.demoCmd(), a.askCmd(), a.runCmd(), a.hookCmd(), a.installCmd(),
		a.listCmd(), a.showCmd(), a.approveCmd(), a.denyCmd(), a.answerCmd(), a.editCmd(), a.withdrawCmd(), a.revokeCmd(),
		a.grantCmd(), a.freezeCmd(), a.unfreezeCmd(), a.historyCmd(),
		a.effectsCmd(), a.observeCmd(), a.reconcileCmd(), a.noticesCmd(), a.deliveriesCmd(),
		a.policyCmd(), a.cleanupsCmd(), a.transactionsCmd(),
		a.snoozeCmd(), a.claimCmd(), a.statsCmd(), a.sessionCmd(),
		a.auditCmd(), a.rulesCmd(), a.descriptorsCmd(), a.themesCmd(), a.notifyCmd(), a.doctorCmd(), a.backupCmd(), a.restoreCmd(), a.versionCmd(),
	)
	return root
}

func (a *app) versionCmd() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.say(map[string]string{"version": a.Version}, "nod %s", a.Version)
		},
	}
}

// group is a command that only holds others: called by itself or with a word
// it does not know, it is an error, because a caller such as a host takes
// exit status 0 for an answer.
func group(use, short string, sub ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			names := make([]string, 0, len(sub))
			for _, s := range sub {
				names = append(names, s.Name())
			}
			return &fault{Code: "usage", Sentence: "nod " + use + " wants one of: " + strings.Join(names, ", "), Hint: "nod help " + use}
		},
	}
	cmd.AddCommand(sub...)
	return cmd
}
