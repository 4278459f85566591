package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"nod/config"
	"nod/queue"
	"nod/run"
)

// asking are the flags of the commands that ask.
type asking struct {
	session string
	words   string
	within  time.Duration
}

func (f *asking) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.session, "session", "", "session id of the caller; a later identical call of it adopts an ask nobody waits for")
	cmd.Flags().StringVar(&f.words, "words", "", "why you want it; shown as the caller's words")
	length(cmd, &f.within, "within", "give up after this long; only shortens the operator's time")
	takes(cmd, "session", "ID")
	takes(cmd, "words", "TEXT")
}

// deps opens the store and gives what run needs; the caller closes.
func (f *asking) deps(cmd *cobra.Command, a *app, gateway, way string) (run.Deps, *config.Config, func(), error) {
	c, paths, err := a.load(true)
	if err != nil {
		return run.Deps{}, nil, nil, err
	}
	st, err := a.open(cmd.Context(), c, paths)
	if err != nil {
		return run.Deps{}, nil, nil, err
	}
	dir, err := os.Getwd()
	if err == nil { // $PWD may be a link that leads elsewhere by the time it runs
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		_ = st.Close()
		return run.Deps{}, nil, nil, err
	}
	d := run.Deps{
		Port: st.Port(a.requester(c, gateway, way)), Session: f.session, NewID: a.Edge.NewID, Dir: dir,
		Environ: a.Environ, Vars: c.Run.Env, Words: f.words, Within: f.within,
		Stdin: a.Stdin, Stdout: a.Stdout, Stderr: a.Stderr,
	}
	if a.json {
		d.JSON = a.printJSON
		d.Fail = func(err error) { complain(a.Stderr, err, true) }
	}
	return d, c, func() { _ = st.Close() }, nil
}

func (a *app) runCmd() *cobra.Command {
	var f asking
	cmd := &cobra.Command{
		Use: "run [flags] -- COMMAND [ARG...]", Short: "Ask for one command, then run exactly that",
		Long: `Asks for the command with its resolved executable, arguments, directory, the
environment variables of the configuration's list, and digests of executable
and script files. When it is allowed, exactly that runs, once: nobody can change
it, because another command would have other files.

Exits with the command's own status once it began; before that 1 denied,
2 error, 3 nobody answered.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, _, done, err := f.deps(cmd, a, config.GatewayRun, "run")
			if err != nil {
				return err
			}
			defer done()
			// run and ask handle signals themselves: they take the ask back first.
			return a.ended(run.Run(context.WithoutCancel(cmd.Context()), d, args))
		},
	}
	cmd.Flags().SetInterspersed(false)
	f.flags(cmd)
	return cmd
}

func (a *app) askCmd() *cobra.Command {
	var f asking
	var r run.Request
	var question, schema string
	cmd := &cobra.Command{
		Use: "ask [FILE]", Short: "File one call or question and wait for the answer",
		Long: `Reads one call as JSON (tool, arguments, …) from FILE or standard input, or
takes a question, files it and waits. It runs nothing itself. Nobody can change its
arguments, unless --edits says that you run the action as it is printed.

Exits 0 allowed or answered, 1 denied, 2 error, 3 nobody answered.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, c, done, err := f.deps(cmd, a, config.GatewayAsk, "command")
			if err != nil {
				return err
			}
			defer done()
			r.JSON = a.json
			if r.Edits && (!r.Begin || !r.JSON) {
				return &fault{Code: "usage", Sentence: "--edits wants --begin and --json", Hint: "without them you would not be told what to run"}
			}
			if question != "" {
				r.Question = &queue.Question{Text: question, Schema: []byte(schema)}
				return a.ended(run.Ask(cmd.Context(), d, r))
			}
			raw, err := a.input(args)
			if err != nil {
				return err
			}
			if r.Call, err = run.ParseCall(raw, c.Settings().Limits); err != nil {
				return err
			}
			return a.ended(run.Ask(cmd.Context(), d, r))
		},
	}
	f.flags(cmd)
	cmd.Flags().StringVar(&question, "question", "", "ask this question instead of a call")
	cmd.Flags().StringVar(&schema, "schema", `{"type":"string"}`, "what the answer has to be, as a JSON schema")
	cmd.Flags().StringVar(&r.CallID, "call-id", "", "your id of this call; a repeat with it finds the first")
	cmd.Flags().StringArrayVar(&r.Raise, "raise", nil, "make it stricter; may be given again: cross_boundary, irreversible, requires_real_approval")
	takes(cmd, "question", "TEXT")
	takes(cmd, "schema", "JSON")
	takes(cmd, "call-id", "ID")
	takes(cmd, "raise", "REASON")
	cmd.Flags().BoolVar(&r.Edits, "edits", false, "you run the action that is printed, also when a person changed its arguments; wants --begin and --json")
	cmd.Flags().BoolVar(&r.Begin, "begin", false, "spend the approval before answering, and print the attempt for your report")
	return cmd
}

// maxInput bounds what a command reads.
const maxInput = 16 << 20

func (a *app) input(args []string) ([]byte, error) {
	in := a.Stdin
	if len(args) == 1 && args[0] != "-" {
		f, err := os.Open(args[0])
		if err != nil {
			return nil, &fault{Code: "unreadable", Sentence: err.Error(), Hint: "give a file, or - for standard input"}
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	return io.ReadAll(io.LimitReader(in, maxInput))
}
