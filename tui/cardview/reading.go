package cardview

import (
	"math/bits"
	"slices"
)

// Reading keeps account of which lines of one shown digest have been
// displayed. A line is read when every byte of it was on a confirmed frame.
// A resize keeps what was read. It belongs to one goroutine.
type Reading struct {
	lines   int
	seen    int
	skipped int
	read    []uint64          // a bit a line
	partial map[int][]stretch // what was shown of lines that are not read
	frames  []frame           // painted, not confirmed
	ascii   bool
}

// stretch is what was shown of a line, in the measure of Layout.extent.
type stretch struct{ from, to int }

// frame is what a painted frame shows.
type frame struct {
	id          uint64
	first, last int // lines of which everything is shown; none when last < first
	parts       []part
}

// part is a stretch of a line of which the frame does not show everything.
type part struct {
	line int
	stretch
	size int
}

// keptFrames is how many frames may wait for their confirmation.
const keptFrames = 64

// NewReading starts an account of the card of l with nothing read.
func NewReading(l *Layout) *Reading {
	r := &Reading{lines: l.Lines(), ascii: l.opts.ASCII}
	r.Reset()
	return r
}

// Reset forgets everything: the card is to be read anew.
func (r *Reading) Reset() {
	r.read = make([]uint64, (r.lines+63)/64)
	r.partial = map[int][]stretch{}
	r.frames, r.seen, r.skipped = nil, 0, 0
}

// Painted says that a frame which shows height rows of l from top on was
// handed to the terminal. Nothing counts before Confirm.
func (r *Reading) Painted(id uint64, l *Layout, top, height int) {
	if l.Lines() != r.lines {
		return // another card
	}
	if l.opts.ASCII != r.ascii {
		r.partial, r.frames, r.ascii = map[int][]stretch{}, nil, l.opts.ASCII
	}
	f := frame{id: id, first: 0, last: -1}
	top, end := max(top, 0), min(top+height, l.Rows())
	if top >= end {
		return
	}
	if first, last, ok := l.Whole(top, height); ok {
		f.first, f.last = first, last
	}
	for _, n := range []int{l.LineAt(top), l.LineAt(end - 1)} {
		if n >= f.first && n <= f.last || len(f.parts) > 0 && f.parts[0].line == n {
			continue
		}
		from, _ := l.extent(n, max(top, l.FirstRow(n)))
		_, to := l.extent(n, min(end, l.endRow(n))-1)
		f.parts = append(f.parts, part{n, stretch{from, to}, l.size(n)})
	}
	r.frames = append(r.frames, f)
	if len(r.frames) > keptFrames {
		r.frames = slices.Delete(r.frames, 0, len(r.frames)-keptFrames)
	}
}

// Confirm says that the terminal has shown the frame with this id; frames
// before it that were not confirmed no longer can be. It returns how many
// lines are newly read.
func (r *Reading) Confirm(id uint64) int {
	at := slices.IndexFunc(r.frames, func(f frame) bool { return f.id == id })
	if at < 0 {
		return 0
	}
	f := r.frames[at]
	r.frames = slices.Delete(r.frames, 0, at+1)
	before := r.seen
	for n := f.first; n <= f.last; n++ {
		r.setRead(n)
	}
	for _, p := range f.parts {
		if r.Read(p.line) {
			continue
		}
		have := merge(r.partial[p.line], p.stretch)
		r.partial[p.line] = have
		if have[0].from <= 0 && have[0].to >= p.size {
			r.setRead(p.line)
		}
	}
	return r.seen - before
}

// Drop forgets the frames that wait for their confirmation: after a resize
// nobody knows what of them was seen.
func (r *Reading) Drop() { r.frames = nil }

func (r *Reading) setRead(n int) {
	if bit := uint64(1) << (n % 64); r.read[n/64]&bit == 0 {
		r.read[n/64] |= bit
		r.seen++
		delete(r.partial, n)
	}
	r.skipped = min(r.skipped, r.lines-r.seen)
}

// merge adds s to stretches that are sorted and apart.
func merge(have []stretch, s stretch) []stretch {
	i := 0
	for i < len(have) && have[i].to < s.from {
		i++
	}
	j := i
	for j < len(have) && have[j].from <= s.to {
		s.from, s.to = min(s.from, have[j].from), max(s.to, have[j].to)
		j++
	}
	return slices.Replace(have, i, j, s)
}

// Skip records that the operator goes on without the lines that were not
// shown. n is the count the operator confirmed; it must be the count there is.
func (r *Reading) Skip(n int) bool {
	if n <= 0 || n != r.lines-r.seen {
		return false
	}
	r.skipped = n
	return true
}

// Read reports whether a line was displayed.
func (r *Reading) Read(n int) bool {
	return n >= 0 && n < r.lines && r.read[n/64]>>(n%64)&1 == 1
}

// All returns how many lines the card has.
func (r *Reading) All() int { return r.lines }

// Seen returns how many lines were displayed.
func (r *Reading) Seen() int { return r.seen }

// Skipped returns how many lines the operator confirmed to skip.
func (r *Reading) Skipped() int { return r.skipped }

// Unread returns how many lines were neither displayed nor skipped.
func (r *Reading) Unread() int { return r.lines - r.seen - r.skipped }

// NextUnread returns the first line from from on that was not displayed,
// beginning again at the top; ok is false when all were.
func (r *Reading) NextUnread(from int) (n int, ok bool) {
	from = max(0, min(from, r.lines))
	if n = r.scan(from, r.lines); n < r.lines {
		return n, true
	}
	n = r.scan(0, from)
	return n, n < from
}

// Gap returns the first place of line n that was not displayed.
func (r *Reading) Gap(n int) Place {
	if have := r.partial[n]; len(have) > 0 && have[0].from <= 0 {
		return Place{n, have[0].to}
	}
	return Place{n, 0}
}

// scan returns the first unread line of [from, to), or to.
func (r *Reading) scan(from, to int) int {
	for n := from; n < to; {
		if w := ^r.read[n/64] >> (n % 64); w != 0 {
			return min(n+bits.TrailingZeros64(w), to)
		}
		n = (n/64 + 1) * 64
	}
	return to
}

// allRead reports whether the lines of [from, to) were all displayed.
func (r *Reading) allRead(from, to int) bool { return r.scan(from, to) == to }
