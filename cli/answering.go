package cli

import (
	"github.com/spf13/cobra"

	"nod/digest"
	"nod/queue"
)

// answering is what a person says of an effect from the command line, bound to
// the digest of the page that was read.
type answering struct {
	app    *app
	reason string
	page   string
}

// answeringHelp is what the commands that say something of an effect have in
// common.
const answeringHelp = `

At a terminal it prints the effect's page, page by page, says what the act unlocks,
and asks once. q, the end of input or another word say nothing. Without a terminal
it needs --page, and commands.decide_without_terminal in the configuration.`

func (w *answering) flags(cmd *cobra.Command, reason string) {
	cmd.Flags().StringVar(&w.reason, "reason", "", reason)
	cmd.Flags().StringVar(&w.page, "page", "", "the whole page digest, without a terminal; only where the configuration allows scripts to decide")
	takes(cmd, "reason", "TEXT")
	takes(cmd, "page", "DIGEST")
}

// desked is an effect and who says something of it.
type desked struct {
	decider
	desk queue.Desk
}

func (w *answering) open(cmd *cobra.Command, id string) (*desked, error) {
	d, err := w.app.decider(cmd)
	if err != nil {
		return nil, err
	}
	desk, err := deskOf(cmd.Context(), d.port, id)
	if err != nil {
		d.close()
		return nil, err
	}
	return &desked{decider: *d, desk: desk}, nil
}

// once lets the person read the page and say yes, or takes the script's digest.
// note says what the act unlocks.
func (w *answering) once(cmd *cobra.Command, d *desked, to, note string) (proof, error) {
	if d.in == nil {
		page := digest.Digest(w.page)
		if !page.Valid() {
			return proof{}, &fault{Code: queue.CodeStalePage, Sentence: "without a terminal an answer names the page digest",
				Hint: "give --page sha256:… as nod effects show prints it"}
		}
		return proof{shown: page}, nil
	}
	r := w.reading(cmd, d, to, note)
	r.early, r.plain = true, true
	return r.read()
}

// read is the digest of the page that an act on the whole effect is bound to:
// one that may not be done now is for the queue to refuse, before anybody reads.
func (w *answering) read(cmd *cobra.Command, d *desked, act, to string) (digest.Digest, error) {
	v := d.desk.Answer(act, "")
	if v == nil || !v.Open {
		return d.desk.Digest, nil
	}
	p, err := w.once(cmd, d, to, v.Unlocks)
	return p.shown, err
}

func (w *answering) reading(cmd *cobra.Command, d *desked, to, note string) *reading {
	return &reading{app: w.app, ctx: cmd.Context(), in: d.in, what: "page", text: d.desk.Page, shown: d.desk.Digest, to: to, note: note}
}
