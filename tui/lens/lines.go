package lens

import (
	"strings"

	"znkr.io/diff"
)

// MaxFile and MaxLines bound what is compared: a file of 4 MiB, 100,000 lines
// a side.
const (
	MaxFile  = 4 << 20
	MaxLines = 100_000
)

// pair is a line of a comparison.
type pair struct {
	old, new int32 // index of the line on either side, or none
	changed  bool  // both sides stand, and differ: two rows
}

const none = -1

// splitLines parts a text after each line feed.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	out := make([]string, 0, strings.Count(s, "\n")+1)
	for s != "" {
		n := strings.IndexByte(s, '\n') + 1
		if n == 0 {
			n = len(s)
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// maxExact is how many lines, both sides together, are compared for the fewest
// changes. Beyond it the comparison is coarse: as true, but lines that moved
// may all be told as removed and added. It keeps hostile pairs under a second.
const maxExact = 40_000

func coarse(before, after []string) bool { return len(before)+len(after) > maxExact }

// compareLines aligns two lists of lines. In order, the pairs hold every line
// of both sides once.
func compareLines(before, after []string) []pair {
	ids := make(map[string]int32, len(before))
	number := func(lines []string) []int32 {
		out := make([]int32, len(lines))
		for i, l := range lines {
			id, ok := ids[l]
			if !ok {
				id = int32(len(ids))
				ids[l] = id
			}
			out[i] = id
		}
		return out
	}
	x, y := number(before), number(after)
	out := make([]pair, 0, max(len(x), len(y)))
	var dels, ins []int32 // of the run of changes that is being read
	budget := maxWeighed
	flush := func() {
		cost := len(dels) * len(ins)
		if cost <= maxAlign && cost <= budget {
			budget -= cost
			out = appendAligned(out, dels, ins, before, after)
		} else {
			out = appendRun(out, dels, ins)
		}
		dels, ins = dels[:0], ins[:0]
	}
	var how []diff.Option
	if coarse(before, after) {
		how = append(how, diff.Fast())
	}
	for _, e := range diff.Edits(x, y, how...) {
		switch e.Op {
		case diff.Delete:
			dels = append(dels, int32(e.PosX))
		case diff.Insert:
			ins = append(ins, int32(e.PosY))
		case diff.Match:
			flush()
			out = append(out, pair{old: int32(e.PosX), new: int32(e.PosY)})
		}
	}
	flush()
	return out
}

// maxAlign is how many line pairs of one run of changes are weighed, maxWeighed
// how many of all.
const (
	maxAlign   = 40_000
	maxWeighed = 400_000
)

// appendRun appends a run of removed and added lines without weighing them: as
// many on both sides are changed one by one, else each stands alone.
func appendRun(out []pair, dels, ins []int32) []pair {
	if len(dels) == len(ins) {
		for i := range dels {
			out = append(out, pair{old: dels[i], new: ins[i], changed: true})
		}
		return out
	}
	for _, d := range dels {
		out = append(out, pair{old: d, new: none})
	}
	for _, i := range ins {
		out = append(out, pair{old: none, new: i})
	}
	return out
}

// appendAligned appends a run with like lines paired so that what the pairs
// share is most, the others alone, every side in its order.
func appendAligned(out []pair, dels, ins []int32, before, after []string) []pair {
	n, m := len(dels), len(ins)
	olds, news := bags(dels, before), bags(ins, after)
	// best[i][j] is the most that dels[i:] and ins[j:] can share.
	best := make([][]float64, n+1)
	alike := make([][]float64, n)
	for i := range best {
		best[i] = make([]float64, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		alike[i] = make([]float64, m)
		for j := m - 1; j >= 0; j-- {
			alike[i][j] = olds[i].alike(news[j])
			best[i][j] = max(best[i+1][j], best[i][j+1], best[i+1][j+1]+alike[i][j])
		}
	}
	for i, j := 0, 0; i < n || j < m; {
		switch {
		case i < n && j < m && alike[i][j] > 0 && best[i][j] == best[i+1][j+1]+alike[i][j]:
			out = append(out, pair{old: dels[i], new: ins[j], changed: true})
			i, j = i+1, j+1
		case i < n && (j == m || best[i][j] == best[i+1][j]):
			out = append(out, pair{old: dels[i], new: none})
			i++
		default:
			out = append(out, pair{old: none, new: ins[j]})
			j++
		}
	}
	return out
}

// bag counts the words of a line, white space left out.
type bag struct {
	words map[string]int
	n     int
}

// maxBag is how much of a line is weighed for pairing it.
const maxBag = 2048

func bags(which []int32, lines []string) []bag {
	out := make([]bag, len(which))
	for k, i := range which {
		s := lines[i]
		b := bag{words: map[string]int{}}
		for _, w := range words(s[:min(len(s), maxBag)]) {
			if strings.TrimSpace(w) != "" {
				b.words[w]++
				b.n++
			}
		}
		out[k] = b
	}
	return out
}

// leastAlike is the share of words below which two lines are two lines.
const leastAlike = 0.3

// alike is twice the shared words over all, 0 where that is too few.
func (a bag) alike(b bag) float64 {
	if a.n == 0 && b.n == 0 {
		return 1 // white space both
	}
	shared := 0
	for w, n := range a.words {
		shared += min(n, b.words[w])
	}
	if s := 2 * float64(shared) / float64(a.n+b.n); s >= leastAlike {
		return s
	}
	return 0
}
