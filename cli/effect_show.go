package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"znkr.io/diff"

	"nod/digest/visible"
	"nod/queue"
)

func (a *app) effectsShowCmd() *cobra.Command {
	return &cobra.Command{
		Use: "show EFFECT", Short: "Print one effect whole: its page, what was said of it, who waits, and what may be answered",
		Long: `Prints one effect whole. First its desk page, every byte of which an answer is
bound to: on a terminal it is laid out at the terminal's width, a pipe, a file and
--json get its bytes, whose SHA-256 is the page digest. Then, not part of it, what
was said of the effect, who waits for it, and what may be answered now.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			port, done, err := a.operator(cmd.Context(), "command")
			if err != nil {
				return err
			}
			defer done()
			d, err := deskOf(cmd.Context(), port, args[0])
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(d)
			}
			return a.desk(&d)
		},
	}
}

func (a *app) desk(d *queue.Desk) error {
	for _, part := range []func(*queue.Desk) error{a.deskPage, a.deskStands, a.deskFacts, a.divergence, a.deskWaits, a.deskAnswers} {
		if err := part(d); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) deskPage(d *queue.Desk) error {
	return a.paper(d.Page, "what was sent was pruned, so there is no page; its digests are kept")
}

func (a *app) deskStands(d *queue.Desk) error {
	e := &d.Effect
	if err := a.printf("\n"); err != nil {
		return err
	}
	if err := a.row("%s since %s · page %s", standsWhole(e), clock(e.MovedAt, d.Now), d.Digest); err != nil {
		return err
	}
	if err := a.row("effect %s%s", keyWord(e), triedWord(e)); err != nil {
		return err
	}
	if e.Ref != "" {
		if err := a.row("reference %s", oneLine(e.Ref)); err != nil {
			return err
		}
	}
	p := d.Provider
	if p == nil {
		return nil
	}
	var says []string
	for _, s := range [][2]string{{"it keeps an idempotency key for ", p.KeyLifetime}, {"a key with other parameters is ", p.Changed}, {"a repeat gets ", p.Cached}} {
		if s[1] != "" {
			says = append(says, s[0]+oneLine(s[1]))
		}
	}
	return a.row("the provider: %s", strings.Join(says, "; "))
}

func (a *app) deskFacts(d *queue.Desk) error {
	if err := a.printf("\n"); err != nil {
		return err
	}
	for i := range d.Facts {
		f := &d.Facts[i]
		if err := a.row("%s  %-8s  %-12s  %-11s  %s", clock(f.At, d.Now), f.Source, saysWord(f), durableWord(f), seenWord(f)); err != nil {
			return err
		}
	}
	return nil
}

// saysWord is what a fact says, in a word.
func saysWord(f *queue.FactView) string {
	switch {
	case f.Divergent:
		return "divergent"
	case f.Says != "":
		return string(f.Says)
	case f.Kind == "report":
		return "nothing"
	default:
		return string(f.Kind)
	}
}

func durableWord(f *queue.FactView) string {
	switch {
	case f.Durable:
		return "durable"
	case f.Says == "":
		return "none"
	default:
		return "not durable"
	}
}

// seenWord is all that stands behind a fact, for one line.
func seenWord(f *queue.FactView) string {
	var parts []string
	add := func(format, text string) {
		if text != "" {
			parts = append(parts, fmt.Sprintf(format, oneLine(text)))
		}
	}
	add("by %s", f.By)
	if f.Kind != "report" && f.Kind != "begun" && f.Says != "" {
		add("%s", strings.ReplaceAll(string(f.Kind), "_", " "))
	}
	add("exit status %s", string(f.Exit))
	add("%s", f.Why)
	add("\"%s\"", f.Seen)
	add("reference %s", f.Ref)
	add("because \"%s\"", f.Reason)
	if f.Late {
		parts = append(parts, "late")
	}
	if f.Early {
		parts = append(parts, "before its reads count")
	}
	return strings.Join(parts, ", ")
}

// maxDiverging is how many bytes of the two contents are compared line by line.
const maxDiverging = 64 << 10

// divergence prints what was allowed against what was seen.
func (a *app) divergence(d *queue.Desk) error {
	switch {
	case d.Allowed == "" && d.Content == "":
		return nil
	case len(d.Allowed)+len(d.Content) > maxDiverging:
		return a.row("what was seen differs from what was allowed; --json has both (%d and %d bytes)", len(d.Allowed), len(d.Content))
	}
	if err := a.printf("\nallowed (-) against seen (+):\n"); err != nil {
		return err
	}
	for _, e := range diff.Edits(strings.Split(d.Allowed, "\n"), strings.Split(d.Content, "\n")) {
		mark, line := " ", e.X
		switch e.Op {
		case diff.Delete:
			mark = "-"
		case diff.Insert:
			mark, line = "+", e.Y
		}
		if err := a.row("%s %s", mark, oneLine(line)); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) deskWaits(d *queue.Desk) error {
	if len(d.Repeats)+len(d.Waiting) == 0 {
		return nil
	}
	if err := a.printf("\nwho waits:\n"); err != nil {
		return err
	}
	for i := range d.Repeats {
		r := &d.Repeats[i]
		if err := a.row("session %s  refused %s %s, the last %s ago  by %s", r.Session, r.Code, count(r.Count, "time", "times"), span(d.Now-r.Last),
			visible.Of(visible.Name, r.Agent)); err != nil {
			return err
		}
	}
	for i := range d.Waiting {
		r := &d.Waiting[i]
		if err := a.row("ask %s  %s  %s", shortID(r.ID), stateWord(r), what(r)); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) deskAnswers(d *queue.Desk) error {
	if err := a.printf("\nwhat may be answered:\n"); err != nil {
		return err
	}
	for i := range d.Answers {
		v := &d.Answers[i]
		if !v.Open && v.At == 0 && v.Attempt == "" {
			continue // it is of another standing than this one
		}
		if err := a.row("nod %-45s  %s%s", answerCommand(d, v), v.Unlocks, notYet(v, d.Now)); err != nil {
			return err
		}
	}
	if len(d.Attempts) == 0 {
		return nil // observers have nothing to look for
	}
	for i := range d.Observers {
		o := &d.Observers[i]
		auto := ""
		if o.Auto {
			auto = ", which also runs by itself"
		}
		if err := a.row("nod %-45s  Asks the %s observer%s. Alone it may close to committed, never to not executed.",
			"observe "+shortID(d.Effect.ID)+" --observer "+oneLine(o.Name), o.Kind, auto); err != nil {
			return err
		}
	}
	return nil
}

// answerCommand is the command that gives an answer.
func answerCommand(d *queue.Desk, v *queue.AnswerView) string {
	id := shortID(d.Effect.ID)
	switch v.Act {
	case "acknowledge":
		return "effects ack " + id
	case "open":
		return "effects open " + id
	}
	out := "reconcile " + id + " --" + strings.ReplaceAll(v.Act, "_", "-")
	if v.Correct {
		out += " --correct"
	}
	if n := len(d.Attempts); n > 1 {
		for i := range d.Attempts {
			if d.Attempts[i].ID == v.Attempt {
				out += fmt.Sprintf(" --attempt %d", d.Attempts[i].Number)
			}
		}
	}
	return out
}

// notYet says why something cannot be answered now.
func notYet(v *queue.AnswerView, now int64) string {
	switch {
	case v.Open:
		return ""
	case v.At > now:
		return " Not before " + clock(v.At, now) + ": " + v.Why + "."
	default:
		return " Not now: " + v.Why + "."
	}
}
