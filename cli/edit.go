package cli

import (
	"bytes"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"nod/digest"
	"nod/queue"
)

// editing is one edit from the command line.
type editing struct {
	binding
	arguments string // a file's name, or -
	words     string
}

func (a *app) editCmd() *cobra.Command {
	e := &editing{binding: binding{app: a}}
	cmd := &cobra.Command{
		Use: "edit ID --arguments FILE", Short: "Deny one call and ask anew with other arguments, for the same waiter",
		Long: `Changes the arguments of one call. FILE, or - for standard input, holds the whole
arguments as they shall run, as strict JSON. The call as it was asked is denied, and
an ask with the new arguments takes its place and its waiter: it is judged by
everything again, and it runs only when a person reads and allows it.

Only a requester that can run changed arguments takes an edit: Claude Code's gate
does, nod run does not, nod ask does with --edits.

It prints the card of the call as it was asked and wants its code, at a terminal.`,
		Args: cobra.ExactArgs(1), RunE: e.run,
	}
	cmd.Flags().StringVar(&e.arguments, "arguments", "", "file with the whole new arguments, JSON; - for standard input")
	cmd.Flags().StringVar(&e.words, "words", "", "words for the agent")
	cmd.Flags().StringVar(&e.code, "code", "", "the first four characters of the shown digest, instead of the prompt")
	takes(cmd, "arguments", "FILE")
	takes(cmd, "words", "TEXT")
	takes(cmd, "code", "CODE")
	return cmd
}

func (e *editing) run(cmd *cobra.Command, args []string) error {
	a := e.app
	if e.arguments == "" {
		return &fault{Code: "usage", Sentence: "an edit wants --arguments", Hint: "give a file with the whole new arguments, or - for standard input"}
	}
	text, err := a.input([]string{e.arguments})
	if err != nil {
		return err
	}
	if e.arguments == "-" { // it is at its end; the person answers at the terminal
		keyboard, err := os.OpenFile(keyboardName, os.O_RDWR, 0)
		if err != nil {
			return noKeyboard()
		}
		defer func() { _ = keyboard.Close() }()
		a.Stdin = keyboard
	}
	if _, ok := a.terminal(); !ok {
		return noKeyboard()
	}
	b, err := e.open(cmd, args[0])
	if err != nil {
		return err
	}
	defer b.close()
	row := &b.view.Row
	act := queue.Edit{Ask: row.ID, ActionDigest: row.ActionDigest, ShownDigest: row.ShownDigest, Arguments: bytes.TrimSpace(text), Words: e.words}
	if err := e.check(&b.view, act.Arguments); err != nil {
		return err
	}
	if row.State == queue.StatePending && row.Edits { // else the queue says what is wrong, before anybody reads
		r := &reading{app: a, ctx: cmd.Context(), in: b.in, what: "card", text: b.view.Card, shown: b.view.Row.ShownDigest, to: "To change it", code: e.code,
			note: fmt.Sprintf("It is denied as it is, and asked anew with the %d bytes of the new arguments.", len(act.Arguments))}
		if _, err := r.read(); err != nil {
			return err
		}
	}
	got, err := queue.As[queue.Edited](cmd.Context(), b.port, act)
	if err != nil {
		return err
	}
	if got.State != queue.StatePending {
		return a.say(got, "Changed: a rule denies the new arguments, so neither call runs.\nnod show %s", got.Ask)
	}
	return a.say(got, "Changed: it is denied as it was, and the new call waits for your answer.\nnod approve %s", got.Ask)
}

// check refuses before anybody reads what the queue would refuse after it.
func (e *editing) check(v *queue.AskView, arguments []byte) error {
	if err := queue.CheckWords(e.words); err != nil {
		return err
	}
	args, err := digest.Canonical(arguments, digest.Limits{})
	if err != nil {
		return err
	}
	if v.Row.State != queue.StatePending || !v.Row.Edits || len(v.Ask) == 0 {
		return nil // the queue says it better
	}
	ask, err := digest.ParseAsk(v.Ask, digest.NoLimits())
	switch {
	case err != nil:
		return err
	case ask.Action == nil:
		return nil
	case string(args) == string(ask.Action.Arguments):
		return &fault{Code: queue.CodeUnchanged, Sentence: "the arguments are those of the ask", Hint: "change them, or allow the ask as it is"}
	case ask.Action.Arguments[0] == '{' && args[0] != '{':
		return &fault{Code: queue.CodeBadInput, Sentence: "the arguments of this call are a JSON object, and the new ones are not",
			Hint: "write the whole arguments, with their members"}
	}
	return nil
}

func noKeyboard() *fault {
	return &fault{Code: "needs_terminal", Sentence: "an edit needs a terminal", Hint: "open nod, or run it where a person types"}
}
