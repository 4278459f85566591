package stats

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// shares gives each part's percent of the whole so that they sum to 100: every
// share is floored, and the points that are then missing go to the largest
// remainders, the earlier part first. All are 0 when the whole is.
func shares(parts []int64) []int64 {
	var total int64
	for _, p := range parts {
		total += p
	}
	out := make([]int64, len(parts))
	if total <= 0 {
		return out
	}
	left := int64(100)
	order := make([]int, len(parts))
	for i, p := range parts {
		out[i], order[i] = p*100/total, i
		left -= out[i]
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(parts[b]*100%total, parts[a]*100%total)
	})
	for _, i := range order[:left] {
		out[i]++
	}
	return out
}

// percent writes a share. Something is never "0 %", and what is not all of it
// never "100 %".
func percent(g frame.Glyphs, share, part, total int64) string {
	switch {
	case total == 0:
		return g.None
	case share == 0 && part > 0:
		return "<1 %"
	case share == 100 && part < total:
		return ">99 %"
	}
	return strconv.FormatInt(share, 10) + " %"
}

// barCells are the cells of a bar over everything.
const barCells = 40

// bar is a part's length of at most room cells.
func bar(g frame.Glyphs, part, total int64, room int) string {
	full := int64(min(barCells, max(room, 0)))
	if total <= 0 || part <= 0 || full == 0 {
		return ""
	}
	mark := "█"
	if g.ASCII {
		mark = "#"
	}
	return strings.Repeat(mark, int((part*full*2+total)/(2*total)))
}

// spark draws values as heights from 1 to 8, a dot for nothing; the cell that
// ends now has the accent.
func spark(g frame.Glyphs, values []int64) frame.Line {
	var most int64
	for _, v := range values {
		most = max(most, v)
	}
	var b strings.Builder
	var line frame.Line
	for i, v := range values {
		if i == len(values)-1 {
			line = append(line, frame.S(themes.Text, b.String()))
			b.Reset()
		}
		switch {
		case v <= 0:
			b.WriteString(g.Over)
		case g.ASCII:
			b.WriteByte('0' + byte(height(v, most)))
		default:
			b.WriteRune('▁' + rune(height(v, most)-1))
		}
	}
	return append(line, frame.S(themes.Accent, b.String()))
}

// height is v's part of most in eighths, rounded up. Both are counts or
// milliseconds, far from overflow; larger ones are halved first.
func height(v, most int64) int64 {
	for most > 1<<59 {
		v, most = v/2, most/2
	}
	return max((v*8+most-1)/most, 1)
}

// within is a time of which is said that something took no longer: rounded up
// to the units that are shown.
func within(ms int64) string {
	unit := say.Second
	switch {
	case ms <= 0:
		return "0 s"
	case ms >= 2*say.Day:
		unit = say.Hour
	case ms >= say.Hour:
		unit = say.Minute
	case ms < 10*say.Second && ms%say.Second != 0:
		tenths := (ms + 99) / 100
		if tenths%10 == 0 {
			return strconv.FormatInt(tenths/10, 10) + " s"
		}
		return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10) + " s"
	}
	return say.Span((ms + unit - 1) / unit * unit)
}
