package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"nod/digest"
	"nod/queue"
)

// codeLen is how many hex digits of the shown digest are typed.
const codeLen = 4

// deciding is one decision from the command line.
type deciding struct {
	app     *app
	verdict queue.Verdict
	words   string
	value   string // of an answer, JSON
	code    string
	shown   string
	hold    time.Duration
}

func (a *app) approveCmd() *cobra.Command {
	d := &deciding{app: a, verdict: queue.VerdictAllow}
	cmd := &cobra.Command{Use: "approve ID", Short: "Allow one ask, once: prints its card and asks for the code", Args: cobra.ExactArgs(1), RunE: d.run}
	d.flags(cmd)
	cmd.Flags().DurationVar(&d.hold, "hold", 0, "not before this long from now")
	return cmd
}

func (a *app) denyCmd() *cobra.Command {
	d := &deciding{app: a, verdict: queue.VerdictDeny}
	cmd := &cobra.Command{Use: "deny ID", Short: "Deny one ask, with words for the agent or without", Args: cobra.ExactArgs(1), RunE: d.run}
	d.flags(cmd)
	return cmd
}

func (a *app) answerCmd() *cobra.Command {
	d := &deciding{app: a, verdict: queue.VerdictAnswer}
	cmd := &cobra.Command{Use: "answer ID --value JSON", Short: "Answer one question", Args: cobra.ExactArgs(1), RunE: d.run}
	d.flags(cmd)
	cmd.Flags().StringVar(&d.value, "value", "", "the answer, as JSON that meets the question's schema")
	return cmd
}

func (d *deciding) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&d.words, "words", "", "words for the agent")
	cmd.Flags().StringVar(&d.code, "code", "", "the first four characters of the shown digest, instead of the prompt")
	cmd.Flags().StringVar(&d.shown, "shown", "", "the whole shown digest; for scripts, where the configuration allows them")
}

func (d *deciding) run(cmd *cobra.Command, args []string) error {
	a := d.app
	if d.verdict == queue.VerdictAnswer && d.value == "" {
		return &fault{Code: "usage", Sentence: "an answer wants --value", Hint: "give JSON that meets the question's schema, as --value '\"eu\"'"}
	}
	c, paths, err := a.load(false)
	if err != nil {
		return err
	}
	in, interactive := a.terminal()
	way := "command"
	if !interactive {
		way = queue.WayScript
		if !c.Commands.DecideWithoutTerminal {
			return &fault{Code: "needs_terminal", Sentence: "a decision from a command needs a terminal",
				Hint: "open nod, or set commands.decide_without_terminal for what no rule protects"}
		}
	}
	st, err := a.open(cmd.Context(), c, paths)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	port := st.Port(a.person(way))
	v, err := queue.Get[queue.AskView](cmd.Context(), port, queue.QAsk{ID: args[0]})
	if err != nil {
		return err
	}
	act := queue.Decide{Ask: v.Row.ID, Verdict: d.verdict, ActionDigest: v.Row.ActionDigest, Words: d.words, HoldMS: d.hold.Milliseconds()}
	if d.verdict == queue.VerdictAnswer {
		act.Answer = []byte(d.value)
	}
	if interactive {
		err = d.ask(in, &v, &act)
	} else {
		err = d.script(&act)
	}
	if err != nil {
		return err
	}
	got, err := queue.As[queue.Decided](cmd.Context(), port, act)
	if err != nil {
		return err
	}
	return a.say(got, "%s", d.done(&got))
}

// script takes the binding from the flags: the whole shown digest.
func (d *deciding) script(act *queue.Decide) error {
	act.ShownDigest = digest.Digest(d.shown)
	if !act.ShownDigest.Valid() {
		return &fault{Code: queue.CodeWrongDigest, Sentence: "without a terminal a decision names the shown digest",
			Hint: "give --shown sha256:… as nod show prints it"}
	}
	return nil
}

// ask shows the card to the person at the terminal and takes the value and the
// code. Lines that were typed before a prompt are thrown away.
func (d *deciding) ask(in *os.File, v *queue.AskView, act *queue.Decide) error {
	a := d.app
	if v.Row.State != queue.StatePending {
		act.ShownDigest = v.Row.ShownDigest // the queue says who was first
		return nil
	}
	began := a.Edge.WallMS()
	if err := a.card(v); err != nil {
		return err
	}
	hex := v.Row.ShownDigest.Hex()
	if err := a.printf("\nshown sha256:[%s]%s\n", hex[:codeLen], hex[codeLen:]); err != nil {
		return err
	}
	lines := bufio.NewReader(in)
	if v.Confirm != "" && d.verdict == queue.VerdictAllow {
		typed, err := d.prompt(in, lines, "Only a person may allow this: type "+confirmName(v)+" as it stands on the card: ")
		if err != nil {
			return err
		}
		act.Confirm = typed
	}
	code := d.code
	if code == "" {
		typed, err := d.prompt(in, lines, fmt.Sprintf("To %s it, type the four characters in brackets: ", d.verdict))
		if err != nil {
			return err
		}
		code = typed
	}
	if code != hex[:codeLen] {
		return &fault{Code: "wrong_code", Sentence: "that is not the code of this card, so nothing was decided", Hint: "read the card and run the command again"}
	}
	act.ShownDigest = v.Row.ShownDigest
	act.LinesAll = int64(strings.Count(v.Card, "\n") + 1)
	act.LinesSeen = act.LinesAll
	act.DwellMS = max(a.Edge.WallMS()-began, 0)
	return nil
}

func confirmName(v *queue.AskView) string {
	if v.Row.Kind == digest.KindCommit {
		return "the commit boundary"
	}
	return "the tool's name"
}

func (d *deciding) prompt(in *os.File, lines *bufio.Reader, text string) (string, error) {
	lines.Discard(lines.Buffered()) //nolint:errcheck // what is buffered can be discarded
	if flushInput(in) {
		if err := d.app.printf("(what was typed before this question was thrown away)\n"); err != nil {
			return "", err
		}
	}
	if err := d.app.printf("%s", text); err != nil {
		return "", err
	}
	line, err := lines.ReadString('\n')
	if err == io.EOF && line == "" {
		return "", &fault{Code: "no_answer", Sentence: "the terminal closed, so nothing was decided", Hint: "run the command again"}
	}
	if err != nil && err != io.EOF {
		return "", fmt.Errorf("read the terminal: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

func (d *deciding) done(got *queue.Decided) string {
	now := got.Decision.At
	switch got.State {
	case queue.StateAllowed:
		if got.Decision.NotBefore > 0 {
			return fmt.Sprintf("Allowed: it may begin once, from %s to %s.", clock(got.Decision.NotBefore, now), clock(got.Decision.UseBy, now))
		}
		return fmt.Sprintf("Allowed: it may begin once, until %s.", clock(got.Decision.UseBy, now))
	case queue.StateAnswered:
		return "Answered: the agent gets the answer."
	default:
		return "Denied: it does not run, and the agent is told so."
	}
}
