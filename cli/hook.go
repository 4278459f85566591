package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"nod/config"
	"nod/gateway/hook"
	"nod/queue"
)

// hookCmd is what a host starts at every call. Whatever goes wrong before the
// gate itself runs ends in the host's blocking answer too: exit status 2 with a
// sentence on stderr, which is what an error of any command gives.
func (a *app) hookCmd() *cobra.Command {
	var timeout time.Duration
	claude := &cobra.Command{
		Use: "claude-code", Short: "Answer one hook event of Claude Code on standard input", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, paths, err := a.load(true)
			if err != nil {
				return err
			}
			d := hook.Deps{
				StateDir: paths.StateDir, HostTimeout: timeout, Limits: c.Settings().Limits, Tools: c.Descriptors(),
				Open: func(ctx context.Context) (queue.Port, func() error, error) {
					st, err := a.open(ctx, c, paths)
					if err != nil {
						return nil, nil, err
					}
					conn := a.requester(c, config.GatewayClaudeCode, "hook")
					conn.Role |= queue.RoleObserver
					return st.Port(conn), st.Close, nil
				},
			}
			// The hook handles its signals itself: the context must not end
			// before it has said no.
			code := hook.ClaudeCode(context.WithoutCancel(cmd.Context()), d, a.Stdin, a.Stdout, a.Stderr)
			return a.ended(code)
		},
	}
	length(claude, &timeout, "host-timeout", "the timeout that the host was given for this hook; 24h when it is not said")
	return group("hook", "Answer an agent host's hook", claude)
}

// ended makes an exit code of what has said everything itself.
func (a *app) ended(code int) error {
	if code == ExitOK {
		return nil
	}
	return &exit{code: code}
}
