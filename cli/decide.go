package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"nod/digest"
	"nod/queue"
)

// deciding is one decision from the command line.
type deciding struct {
	binding
	verdict queue.Verdict
	words   string
	value   string // of an answer, JSON
	hold    time.Duration
}

// readingHelp is what the commands that ask for a code have in common.
const readingHelp = `

At a terminal it prints the card at the terminal's width, page by page, and then
asks for the first four characters of the shown digest. q, the end of input or
another code decide nothing. Without a terminal it needs --shown, and
commands.decide_without_terminal in the configuration.`

// batchHelp is what approve and deny do with more than one ask.
const batchHelp = `

Several ids are a batch: calls of one tool in one environment, none of which only a
person by itself may answer. Each card is printed, then one code is asked for, that
of the digest over all of them (for --shown: that digest). An ask that changed or
ended meanwhile is skipped and named, and the exit code is 2.`

func (a *app) approveCmd() *cobra.Command {
	d := &deciding{binding: binding{app: a}, verdict: queue.VerdictAllow}
	cmd := &cobra.Command{
		Use: "approve ID...", Short: "Allow one ask, once: prints its card and asks for the code",
		Long: "Allows one ask, once." + batchHelp + readingHelp, Args: cobra.MinimumNArgs(1), RunE: d.run,
	}
	d.flags(cmd)
	length(cmd, &d.hold, "hold", "let it begin only after this long, 24h at the most")
	return cmd
}

func (a *app) denyCmd() *cobra.Command {
	d := &deciding{binding: binding{app: a}, verdict: queue.VerdictDeny}
	cmd := &cobra.Command{
		Use: "deny ID...", Short: "Deny one ask, with words for the agent or without",
		Long: "Denies one ask. The code may be typed before the last page." + batchHelp + readingHelp,
		Args: cobra.MinimumNArgs(1), RunE: d.run,
	}
	d.flags(cmd)
	return cmd
}

func (a *app) answerCmd() *cobra.Command {
	d := &deciding{binding: binding{app: a}, verdict: queue.VerdictAnswer}
	cmd := &cobra.Command{
		Use: "answer ID --value JSON", Short: "Answer one question",
		Long: "Answers one question." + readingHelp, Args: cobra.ExactArgs(1), RunE: d.run,
	}
	d.flags(cmd)
	cmd.Flags().StringVar(&d.value, "value", "", "the answer, as JSON that meets the question's schema")
	takes(cmd, "value", "JSON")
	return cmd
}

func (d *deciding) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&d.words, "words", "", "words for the agent")
	takes(cmd, "words", "TEXT")
	d.binding.flags(cmd)
}

func (d *deciding) run(cmd *cobra.Command, args []string) error {
	if d.verdict == queue.VerdictAnswer && d.value == "" {
		return &fault{Code: "usage", Sentence: "an answer wants --value", Hint: "give JSON that meets the question's schema, as --value '\"eu\"'"}
	}
	if err := queue.CheckWords(d.words); err != nil { // before anybody reads
		return err
	}
	if err := queue.CheckHold(d.hold.Milliseconds()); err != nil {
		return err
	}
	if len(args) > 1 {
		return d.batch(cmd, args)
	}
	b, err := d.open(cmd, args[0])
	if err != nil {
		return err
	}
	defer b.close()
	if err := b.view.CarryWords(d.words); err != nil { // before anybody reads
		return err
	}
	row := &b.view.Row
	act := queue.Decide{Ask: row.ID, Verdict: d.verdict, ActionDigest: row.ActionDigest, Words: d.words, HoldMS: d.hold.Milliseconds()}
	if d.verdict == queue.VerdictAnswer {
		act.Answer = []byte(d.value)
	}
	p, err := d.prove(cmd, b)
	if err != nil {
		return err
	}
	act.ShownDigest, act.Confirm = p.shown, p.confirm
	act.LinesSeen, act.LinesAll, act.DwellMS = p.seen, p.all, p.dwellMS
	got, err := queue.As[queue.Decided](cmd.Context(), b.port, act)
	if err != nil {
		return err
	}
	return d.app.say(got, "%s", d.done(&got, row))
}

// prove lets the person read the card and type its code, or takes the script's
// digest.
func (d *deciding) prove(cmd *cobra.Command, b *bound) (proof, error) {
	if b.in == nil {
		return d.script()
	}
	if b.view.Row.State != queue.StatePending {
		return proof{shown: b.view.Row.ShownDigest}, nil // the queue says who was first
	}
	r := &reading{app: d.app, ctx: cmd.Context(), in: b.in, what: "card", text: b.view.Card, shown: b.view.Row.ShownDigest, to: "To " + string(d.verdict) + " it",
		early: d.verdict == queue.VerdictDeny, code: d.code}
	if b.view.Changed && d.verdict == queue.VerdictAllow {
		return proof{}, &fault{Code: queue.CodeDescriptorChanged, Sentence: "the descriptor of this tool is not the one it was asked with",
			Hint: "deny it, and the agent asks anew"}
	}
	if b.view.Confirm != "" && d.verdict == queue.VerdictAllow {
		r.confirm = "Only a person may allow this: type " + confirmName(&b.view) + " as it stands on the card: "
	}
	return r.read()
}

func confirmName(v *queue.AskView) string {
	if v.Row.Kind == digest.KindCommit {
		return "the commit boundary"
	}
	if v.ConfirmAt != "" {
		return "the value of arguments" + oneLine(v.ConfirmAt)
	}
	return "the tool's name"
}

// done says what the decision means; row is the ask, where it is at hand.
func (d *deciding) done(got *queue.Decided, row *queue.Row) string {
	now := got.Decision.At
	switch got.State {
	case queue.StateAllowed:
		use := clock(got.Decision.UseBy, now)
		if before := got.Decision.NotBefore; before > 0 {
			why := ""
			if row != nil && row.Irreversible {
				why = "it is irreversible, so "
			}
			return fmt.Sprintf("Held: %snothing runs before %s; then it may begin once, until %s. nod revoke takes it back.",
				why, clock(before, now), use)
		}
		return fmt.Sprintf("Allowed: it may begin once, until %s.", use)
	case queue.StateAnswered:
		return "Answered: the agent gets the answer."
	default:
		return "Denied: it does not run, and the agent is told so."
	}
}
