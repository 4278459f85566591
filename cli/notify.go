package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"nod/config"
	"nod/gateway/install"
	"nod/notify"
	"nod/notify/ladder"
	"nod/queue"
)

func (a *app) notifyCmd() *cobra.Command {
	var once, test bool
	cmd := &cobra.Command{
		Use: "notify", Short: "Tell others that something waits, until it is ended",
		Long: `Tells the webhooks and the command of [notify] in the configuration that asks
wait, and again after each time of notify.after, until they are answered. An
open console does the same. What is sent holds ids, counts and times, and no
word of an agent. docs/notifications.md says how a receiver verifies it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if once && test {
				return &fault{Code: "usage", Sentence: "--once and --test do not go together", Hint: "nod notify --help"}
			}
			return a.notify(cmd.Context(), once, test)
		},
	}
	cmd.Flags().BoolVar(&once, "once", false, "look once, tell what is due, and end: for cron")
	cmd.Flags().BoolVar(&test, "test", false, "send a test to every receiver, and end")
	cmd.AddCommand(&cobra.Command{
		Use: "key", Short: "Name the file with the key that receivers verify with; it is made when it is not there", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, paths, err := a.load(false)
			if err != nil {
				return err
			}
			if _, err := a.notifyKey(paths); err != nil {
				return err
			}
			return a.say(map[string]string{"file": notify.KeyFile(paths.StateDir)}, "%s", oneLine(notify.KeyFile(paths.StateDir)))
		},
	})
	return cmd
}

func (a *app) notifyKey(paths config.Paths) (notify.Key, error) {
	if err := config.PrivateDir(paths.StateDir, a.Person.UID); err != nil {
		return notify.Key{}, err
	}
	return notify.OpenKey(paths.StateDir, a.Person.UID, rand.Reader)
}

// notifying is what the configuration says of whom to tell.
func (a *app) notifying(c *config.Config, paths config.Paths) (notify.Options, error) {
	o := notify.Options{
		Store: paths.Store, UID: a.Person.UID,
		Plan:     ladder.Plan{Always: c.Notify.When == config.NotifyAlways},
		Webhooks: c.Notify.Webhooks, Command: c.Notify.Command,
		Watched: func() (is, known bool) { return watched(paths.Store) },
		WallMS:  a.Edge.WallMS, NewID: a.Edge.NewID,
	}
	for _, d := range c.Notify.After {
		o.Plan.AfterMS = append(o.Plan.AfterMS, int64(d))
	}
	for _, kv := range a.Environ {
		if name, _, _ := strings.Cut(kv, "="); slices.Contains(c.Notify.Env, name) {
			o.Env = append(o.Env, kv)
		}
	}
	if !c.Notify.On() {
		return o, notify.Nobody()
	}
	var err error
	o.Key, err = a.notifyKey(paths)
	return o, err
}

func (a *app) notify(ctx context.Context, once, test bool) error {
	c, paths, err := a.load(false)
	if err != nil {
		return err
	}
	o, err := a.notifying(c, paths)
	if err != nil {
		return err
	}
	st, err := a.open(ctx, c, paths)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	port := st.Port(a.person("command"))
	failed := false
	o.Told = func(r notify.Report) {
		failed = failed || !r.Done
		_ = a.reported(&r) // there is nowhere else to say it
	}
	switch {
	case test:
		err = notify.Try(ctx, port, o)
	case once:
		err = notify.Once(ctx, port, o)
	default:
		return notify.Run(ctx, port, o)
	}
	if err == nil && failed {
		return a.ended(ExitError)
	}
	return err
}

// reported prints how one attempt ended.
func (a *app) reported(r *notify.Report) error {
	if a.json {
		return a.printJSON(r)
	}
	now := a.Edge.WallMS()
	if r.Done {
		return a.printf("%s  %-16s  %s: told %q\n", clock(now, now), r.Event, r.Target, r.Text)
	}
	again := "given up"
	if r.Again {
		again = "tried again"
	}
	return a.printf("%s  %-16s  %s: not told, it %s; %s\n", clock(now, now), r.Event, r.Target, r.Why, again)
}

// tellMeanwhile tells others while a console is open, where that is configured
// and no other process does; nod doctor says how it went. The function ends it.
func (a *app) tellMeanwhile(ctx context.Context, c *config.Config, paths config.Paths, port queue.Port, away *atomic.Bool) func() {
	if !c.Notify.On() {
		return func() {}
	}
	o, err := a.notifying(c, paths)
	if err != nil {
		return func() {} // deciding does not wait for it
	}
	o.Patient = true
	watched := o.Watched
	o.Watched = func() (is, known bool) {
		if away.Load() {
			return false, true // this console is open, and nobody is at it
		}
		return watched()
	}
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = notify.Run(ctx, port, o)
	}()
	return func() { stop(); <-done }
}

// notifyFindings says how the telling of others stands.
func (a *app) notifyFindings(c *config.Config, paths config.Paths, status *queue.Status) []finding {
	if !c.Notify.On() {
		return nil
	}
	stand, err := notify.Stand(paths.Store, status.StoreID, a.Person.UID)
	if err == nil {
		_, err = a.notifyKey(paths)
	}
	if err != nil {
		return []finding{failing(err)}
	}
	var list []finding
	if n := len(stand.Lost); n > 0 {
		last := stand.Lost[n-1]
		list = append(list, finding{Code: "notify_lost", Level: install.Warn,
			Sentence: fmt.Sprintf("%d notifications were given up; the last, %s at %s: %s %s", n, last.Event, clock(last.At, status.Now), last.Target, last.Why),
			Hint:     "nod notify --test tries every receiver"})
	}
	if stand.Waiting > 0 {
		list = append(list, finding{Code: "notify_owed", Level: install.Warn, Sentence: fmt.Sprintf("%d notifications are not delivered yet", stand.Waiting),
			Hint: "a running nod notify tries them again"})
	}
	if !stand.Running {
		return append(list, finding{Code: "notify_off", Level: install.Note, Sentence: "no process tells others now; the last time was " + clock(stand.SentAt, status.Now),
			Hint: "keep nod notify running, or run nod notify --once from cron"})
	}
	return append(list, finding{Code: "notify", Level: install.Good, Sentence: "others are told when asks wait; the last time was " + clock(stand.SentAt, status.Now)})
}
