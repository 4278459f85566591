package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"nod/queue"
)

// granting is one grant from the command line. It allows calls that nobody
// will be shown, so it wants what an approval wants.
type granting struct {
	binding
	times int64
	span  time.Duration
}

func (a *app) grantCmd() *cobra.Command {
	g := &granting{binding: binding{app: a}, span: 10 * time.Minute}
	cmd := &cobra.Command{
		Use: "grant ID", Short: "Allow the same action digest again in the same session: prints its card and asks for the code",
		Long: `Allows calls that are equal to this one to the byte, in its session, without
asking again. What only a person may answer cannot be granted.` + readingHelp,
		Args: cobra.ExactArgs(1), RunE: g.run,
	}
	cmd.Flags().Int64Var(&g.times, "times", 1, "how many more times, 1000 at the most")
	length(cmd, &g.span, "for", "for how long, 24h at the most")
	takes(cmd, "times", "N")
	g.flags(cmd)
	return cmd
}

func (g *granting) run(cmd *cobra.Command, args []string) error {
	if err := queue.CheckGrant(g.times, g.span.Milliseconds()); err != nil { // before anybody reads
		return err
	}
	b, err := g.open(cmd, args[0])
	if err != nil {
		return err
	}
	defer b.close()
	p, err := g.prove(cmd, b)
	if err != nil {
		return err
	}
	got, err := queue.As[queue.Granted](cmd.Context(), b.port, queue.GrantDigest{
		Ask: b.view.Row.ID, ShownDigest: p.shown, Times: g.times, ForMS: g.span.Milliseconds(),
	})
	if err != nil {
		return err
	}
	return g.app.say(got, "Granted: this exact call, in its session, %s.", g.much())
}

func (g *granting) prove(cmd *cobra.Command, b *bound) (proof, error) {
	if b.in == nil {
		return g.script()
	}
	r := &reading{app: g.app, ctx: cmd.Context(), in: b.in, what: "card", text: b.view.Card, shown: b.view.Row.ShownDigest, to: "To grant it",
		note: "Calls equal to this one, in its session: " + g.much(), code: g.code}
	return r.read()
}

// much is what is granted, in words.
func (g *granting) much() string {
	times := "once more"
	if g.times != 1 {
		times = fmt.Sprintf("%d more times", g.times)
	}
	return times + " within " + plainly(g.span)
}

// plainly writes a length of time without the units that are nothing: 10m0s is
// 10m.
func plainly(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
