package cli

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"nod/cli/demo"
	"nod/config"
	"nod/digest"
	"nod/queue"
	"nod/tui/lens"
)

// between is how far the demo agent's asks lie apart, so that the newcomer
// sees the counter rise.
const between = 700 * time.Millisecond

// Times of the demo's refund: how long it can be taken back, how long it may
// run, and how long the provider's reads may lag. A newcomer waits for all three
// before the refund can be said not to have happened.
const (
	demoHold   = 10 * time.Second
	demoLease  = 10 * time.Second
	demoSettle = "10s"
)

func (a *app) demoCmd() *cobra.Command {
	var auto bool
	var s screen
	cmd := &cobra.Command{
		Use: "demo", Short: "A scripted agent asks you; nothing is real",
		Long: `Makes a throw-away store, starts a scripted agent that files realistic asks, and
opens the console on them. Nothing of it is run, and the store is removed at
the end. A provider of its own, on loopback, shows what became of the refund. With --auto it answers by itself and prints what happened.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context(), auto, &s) },
	}
	cmd.Flags().BoolVar(&auto, "auto", false, "answer by itself and print what happened")
	s.flags(cmd)
	return cmd
}

func (a *app) demo(ctx context.Context, auto bool, s *screen) error {
	in, ok := a.terminal()
	if !ok && !auto {
		return &fault{Code: "needs_terminal", Sentence: "the console needs a terminal", Hint: "nod demo --auto works without one"}
	}
	o, err := s.options(a, config.Default())
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "nod-demo-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	shop, err := demo.Open(demoSettle)
	if err != nil {
		return err
	}
	defer shop.Close()
	settings := queue.DefaultSettings()
	settings.Descriptors, settings.LeaseMS = shop.Tools, demoLease.Milliseconds()
	if !auto {
		settings.HoldIrreversibleMS = demoHold.Milliseconds()
	}
	st, err := a.Open(ctx, Opening{Path: filepath.Join(dir, "store", "nod.db"), Create: true, Settings: settings})
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	agentPort := st.Port(queue.Conn{
		Principal:   digest.Principal{Agent: "demo-agent", User: a.Person.Name, Host: "nod-demo"},
		Environment: "demo", Role: queue.RoleRequester | queue.RoleObserver, Way: "demo",
	})
	operator := st.Port(a.person(s.way(a)))
	if auto {
		agent := demo.NewAgent(agentPort, shop, nil)
		return agent.Auto(ctx, operator, func(line string) error { return a.printf("%s\n", line) })
	}
	o.Observe = observer(operator, shop.Tools)
	o.File = func(path, _ string) *lens.File {
		f := &lens.File{At: a.Edge.WallMS(), Missing: true}
		if text, ok := demo.File(path); ok {
			f.Missing, f.Bytes, f.Digest = false, text, digest.Of(text)
		}
		return f
	}
	agent := demo.NewAgent(agentPort, shop, func(ctx context.Context) {
		select {
		case <-ctx.Done():
		case <-time.After(between):
		}
	})
	asking, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- agent.Run(asking) }()
	err = s.show(ctx, a, in, operator, o)
	stop()
	if fault := <-ended; err == nil {
		err = fault
	}
	if err != nil {
		return err
	}
	if err := a.printf("What the demo's agent saw:\n"); err != nil {
		return err
	}
	for _, line := range agent.Transcript() {
		if err := a.printf("  %s\n", line); err != nil {
			return err
		}
	}
	return a.printf("The store was thrown away. Next: nod install claude-code, or nod run -- COMMAND.\n")
}
