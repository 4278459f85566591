package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"nod/digest"
	"nod/queue"
)

// batch gives one answer to several like asks: each card is shown, then one code
// is asked for, that of the digest over all of them.
func (d *deciding) batch(cmd *cobra.Command, ids []string) error {
	if d.hold != 0 {
		return &fault{Code: "usage", Sentence: "a batch has no hold", Hint: "approve the asks one by one with --hold"}
	}
	b, err := d.open(cmd, ids[0])
	if err != nil {
		return err
	}
	defer b.close()
	views := []queue.AskView{b.view}
	for _, id := range ids[1:] {
		v, err := askView(cmd.Context(), b.port, id)
		if err != nil {
			return err
		}
		views = append(views, v)
	}
	if err := together(views); err != nil {
		return err
	}
	act := queue.DecideBatch{Verdict: d.verdict, Words: d.words}
	shown := make([]digest.Digest, len(views))
	for i := range views {
		row := &views[i].Row
		shown[i] = row.ShownDigest
		act.Items = append(act.Items, queue.BatchItem{Ask: row.ID, ActionDigest: row.ActionDigest, ShownDigest: row.ShownDigest})
	}
	act.Digest = queue.BatchDigest(shown)
	if b.in == nil {
		p, err := d.script()
		if err != nil {
			return err
		}
		act.Digest = p.shown
	} else if err := d.readAll(cmd, b, views, &act); err != nil {
		return err
	}
	got, err := queue.As[queue.BatchDecided](cmd.Context(), b.port, act)
	if err != nil {
		return err
	}
	return d.each(&got)
}

// together refuses before anything is read what the queue would refuse after it.
func together(views []queue.AskView) error {
	named := map[string]bool{}
	for i := range views {
		row := &views[i].Row
		switch {
		case named[row.ID]:
			return &fault{Code: queue.CodeBadInput, Sentence: "the batch names the ask " + shortID(row.ID) + " twice", Hint: "name each once"}
		case row.Kind != digest.KindCall || row.Mandated || row.Irreversible || slices.Contains(row.Reasons, queue.ReasonRealApproval):
			return &fault{Code: queue.CodeNeedsPerson, Sentence: "the ask " + shortID(row.ID) + " is one that a person decides by itself",
				Hint: "leave it out, and decide it alone"}
		case row.Tool != views[0].Row.Tool:
			return &fault{Code: queue.CodeUnlike, Sentence: "the ask " + shortID(row.ID) + " is of another tool than the first",
				Hint: "a batch is of one tool in one environment"}
		case views[i].Card == "":
			return &fault{Code: queue.CodeContentMissing, Sentence: "the contents of the ask " + shortID(row.ID) + " were pruned, so there is no card to read",
				Hint: "leave it out"}
		}
		named[row.ID] = true
	}
	return nil
}

// readAll shows every card page by page, then takes the code of the batch.
func (d *deciding) readAll(cmd *cobra.Command, b *bound, views []queue.AskView, act *queue.DecideBatch) error {
	r := &reading{app: d.app, ctx: cmd.Context(), in: b.in, lines: bufio.NewReader(b.in)}
	for i := range views {
		if err := d.app.printf("card %d of %d\n", i+1, len(views)); err != nil {
			return err
		}
		began := d.app.Edge.WallMS()
		s, err := d.app.sheet(views[i].Card)
		if err != nil {
			return err
		}
		for {
			if err := s.next(); err != nil {
				return err
			}
			if s.done() {
				break
			}
			if err := r.more(s.where()); err != nil {
				return err
			}
		}
		if i < len(views)-1 {
			if err := r.more(fmt.Sprintf("card %d of %d ends here", i+1, len(views))); err != nil {
				return err
			}
		}
		item := &act.Items[i]
		item.LinesSeen, item.LinesAll = int64(s.read.Seen()), int64(s.read.All())
		item.DwellMS = max(d.app.Edge.WallMS()-began, 0)
	}
	hex := act.Digest.Hex()
	if err := d.app.printf("\nbatch sha256:[%s]%s\n", hex[:codeLen], hex[codeLen:]); err != nil {
		return err
	}
	code := d.code
	if code == "" {
		var err error
		if code, err = r.prompt(fmt.Sprintf("To %s all %d, type the four characters in brackets: ", d.verdict, len(views))); err != nil {
			return err
		}
	}
	if code != hex[:codeLen] {
		return &fault{Code: "wrong_code", Sentence: "that is not the code of this batch, so nothing was decided", Hint: "read the cards and run the command again"}
	}
	return nil
}

// each says of every ask what became of it. A skipped one is an error of the
// command, after the others were decided.
func (d *deciding) each(got *queue.BatchDecided) error {
	skipped := 0
	for _, r := range got.Results {
		if r.Decided == nil {
			skipped++
		}
	}
	if d.app.json {
		if err := d.app.printJSON(got); err != nil {
			return err
		}
	} else {
		for _, r := range got.Results {
			line := "skipped: " + r.Sentence + " (" + r.Code + ")"
			if r.Decided != nil {
				line = strings.ToLower(d.done(r.Decided, nil))
			}
			if err := d.app.row("%s  %s", r.Ask, line); err != nil {
				return err
			}
		}
	}
	if skipped > 0 {
		return &exit{code: ExitError}
	}
	return nil
}
