package history

import (
	"strings"

	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// Replay is the rows above a card that is shown again: where it comes
// from, and that its digest was computed anew and is equal, which the queue
// does whenever it hands a card out. Of pruned contents only the digest is
// there, and nothing was computed.
func Replay(look frame.Look, v *queue.AskView, w int) []frame.Line {
	short := v.Row.ShownDigest.Hex()
	short = short[:min(8, len(short))]
	digest := visible.Concat(visible.Of(visible.Strict, short), visible.Drawn(look.Glyphs.Cut))
	head, what := "replay of the card as it was answered, read from the store", "shown digest recomputed, equal: "
	switch {
	case v.Card == "":
		head, what = "pruned; digest kept", "shown digest as it was filed: "
	case v.Row.Verdict == "":
		head = "replay of the card as it was filed; no person answered it"
	}
	second := frame.Line{frame.Gap(1), frame.S(themes.Faint, what), frame.T(themes.Text, digest)}
	if d := v.Decision; d != nil && d.LinesAll > 0 && v.Card != "" {
		seen := " " + look.Glyphs.Dot + " " + say.Number(d.LinesSeen) + " of " + say.Number(d.LinesAll) + " shown"
		if d.LinesSeen == d.LinesAll {
			seen = " " + look.Glyphs.Dot + " all " + say.Number(d.LinesAll) + " shown"
		}
		if span := frame.S(themes.Faint, seen); second.Width()+frame.Width(span.Text) < w {
			second = append(second, span)
		}
	}
	rows := []frame.Line{frame.Line{frame.Gap(1), frame.S(themes.Faint, head)}.Fit(w), second.Fit(w)}
	if d := v.Delivery; d != nil {
		way := say.Way(d, func(ms int64) string { return say.ClockSec(ms, look.Now, look.Loc) })
		text := visible.Drawn(strings.Join(way, " "+look.Glyphs.Dot+" "))
		rows = append(rows, frame.Line{frame.Gap(1), frame.T(themes.Muted, frame.Cut(text, w-2, 0, look.Glyphs.Cut))}.Fit(w))
	}
	return rows
}
