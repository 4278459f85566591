package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"nod/config"
	"nod/digest"
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

// deps opens the store and gives what run needs, on a connection of this role;
// the caller closes.
func (f *asking) deps(cmd *cobra.Command, a *app, gateway, way string, role queue.Role) (run.Deps, *config.Config, func(), error) {
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
	conn := a.requester(c, gateway, way)
	conn.Role = role
	d := run.Deps{
		Port: st.Port(conn), Tools: c.Descriptors(), Session: f.session, NewID: a.Edge.NewID, Dir: dir,
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
	var e effecting
	var p declaring
	cmd := &cobra.Command{
		Use: "run [flags] -- COMMAND [ARG...]", Short: "Ask for one command, then run exactly that",
		Long: `Asks for the command with its resolved executable, arguments, directory, the
environment variables of the configuration's list, and digests of executable
and script files. When it is allowed, exactly that runs, once: nobody can change
it, because another command would have other files.

With --effect-key, commands of the same effect begin once: while nobody knows
whether the first one happened, and after it did, repeats are refused. A command
can say what became of its effect in the file that NOD_OUTCOME_FILE names.

Exits with the command's own status once it began; before that 1 denied,
2 error, 3 nobody answered.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, _, done, err := f.deps(cmd, a, config.GatewayRun, queue.WayRun, queue.RoleRequester|queue.RoleObserver)
			if err != nil {
				return err
			}
			defer done()
			d.Observers, d.Stated = e.observers, p.stated()
			if d.Effect, err = e.effect(cmd.Flags().Changed("effect-key")); err != nil {
				return err
			}
			// run and ask handle signals themselves: they take the ask back first.
			return a.ended(run.Run(context.WithoutCancel(cmd.Context()), d, args))
		},
	}
	cmd.Flags().SetInterspersed(false)
	f.flags(cmd)
	e.flags(cmd)
	p.flags(cmd)
	return cmd
}

// effecting are the flags that speak of a command's effect.
type effecting struct {
	key, class, access string
	observers          []string
}

func (e *effecting) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&e.key, "effect-key", "", "what commands of the same effect share, like the payment's id; where the descriptor names effects, that beats it")
	cmd.Flags().StringVar(&e.class, "class", "", "make it stricter: compensatable or irreversible")
	cmd.Flags().StringVar(&e.access, "access", "", "say what it does to data: read, idempotent or write; makes nothing looser")
	cmd.Flags().StringArrayVar(&e.observers, "observe", nil, "when the command ended, ask this observer of the descriptor what became of the effect; may be given again")
	takes(cmd, "effect-key", "ID")
	takes(cmd, "class", "CLASS")
	takes(cmd, "access", "ACCESS")
	takes(cmd, "observe", "NAME")
}

// effect is what the flags state; nil for nothing. A key that is given and empty
// is no key, which the queue refuses: the caller believes that it has one.
func (e *effecting) effect(keyed bool) (*queue.Effect, error) {
	if !keyed && e.class == "" && e.access == "" {
		return nil, nil
	}
	out := &queue.Effect{Class: e.class, Access: e.access}
	if keyed {
		id, err := json.Marshal(e.key) // what is typed is a text, digits too
		if err != nil {
			return nil, &fault{Code: digest.CodeBadUTF8, Sentence: "the effect key is not UTF-8"}
		}
		out.ID = id
	}
	return out, nil
}

func (a *app) askCmd() *cobra.Command {
	var f asking
	var r run.Request
	var p declaring
	var question, schema string
	cmd := &cobra.Command{
		Use: "ask [FILE]", Short: "File one call or question and wait for the answer",
		Long: `Reads one call as JSON (tool, arguments, …) from FILE or standard input, or
takes a question, files it and waits. It runs nothing itself. Nobody can change its
arguments, unless --edits says that you run the action as it is printed.

Exits 0 allowed or answered, 1 denied, 2 error, 3 nobody answered.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, c, done, err := f.deps(cmd, a, config.GatewayAsk, "command", queue.RoleRequester)
			if err != nil {
				return err
			}
			defer done()
			r.JSON, d.Stated = a.json, p.stated()
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
	p.flags(cmd)
	cmd.Flags().BoolVar(&r.Commit, "commit", false, "the call commits a boundary: it has the operation, the transaction in its arguments, and effect.commit_boundary")
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
