package queue

import (
	"cmp"
	"math"
	"slices"
)

// Bounds of QStats.
const (
	minSpanMS    = 3_600_000
	maxSpanMS    = 31 * 24 * 3_600_000
	maxCells     = 100
	maxStatTools = 50
	maxBriefs    = 200_000 // asks looked at
)

// Brief is what statistics read of an ask. Times are effective Unix ms.
type Brief struct {
	CreatedAt int64
	DecidedAt int64
	State     State
	By        DecidedBy
	Tool      string // "" for a question
}

// byPerson reports whether a person answered.
func (b *Brief) byPerson() bool { return b.By == ByPerson }

func (q *Queue) stats(tx ReadTx, a QStats) (Answer, error) {
	switch {
	case a.SpanMS < minSpanMS || a.SpanMS > maxSpanMS:
		return nil, refuse(CodeBadInput, "statistics are of at least an hour and at most 31 days").hint("ask for a span between the two")
	case a.Cells < 1 || a.Cells > maxCells:
		return nil, refuse(CodeBadInput, "a span has 1 to %d parts", maxCells).hint("24 parts of a day are hours")
	}
	p, err := q.present(tx)
	if err != nil {
		return nil, err
	}
	counters, err := tx.Counters()
	if err != nil {
		return nil, err
	}
	t := newTally(a, p.now)
	// An answer of the span may be to an ask of before it, by the longest time
	// that an ask waits; its deadline is rounded up to a second.
	more, err := tx.Briefs(t.out.From-q.settings.AnswerWithinMS-1000, maxBriefs, t.take)
	if err != nil {
		return nil, err
	}
	t.out.Waiting, t.out.Unread = counters.Pending, more
	return t.result(), nil
}

// tally gathers statistics from asks in any order.
type tally struct {
	out   Stats
	took  []int64   // times to a person's answer
	cells [][]int64 // the same, by the cell of the answer
	tools map[string]*toolTally
	first int64 // when the oldest pending ask was made
}

type toolTally struct {
	ToolStat
	took []int64
}

func newTally(a QStats, now int64) *tally {
	cell := a.SpanMS / a.Cells
	return &tally{
		out:   Stats{CellMS: cell, From: now - cell*a.Cells, Now: now, Cells: make([]StatCell, a.Cells)},
		cells: make([][]int64, a.Cells), tools: map[string]*toolTally{}, first: math.MaxInt64,
	}
}

// cell is where a time stands; now itself belongs to the last cell.
func (t *tally) cell(at int64) (int64, bool) {
	if at < t.out.From || at > t.out.Now {
		return 0, false
	}
	return min((at-t.out.From)/t.out.CellMS, int64(len(t.out.Cells)-1)), true
}

func (t *tally) take(b *Brief) {
	if b.State == StatePending {
		t.first = min(t.first, b.CreatedAt)
	}
	made, in := t.cell(b.CreatedAt)
	answered, given := t.cell(b.DecidedAt)
	given = given && b.byPerson()
	if !in && !given {
		return
	}
	tool := t.tools[b.Tool]
	if tool == nil {
		tool = &toolTally{ToolStat: ToolStat{Tool: b.Tool}}
		t.tools[b.Tool] = tool
	}
	if in {
		t.out.Cells[made].Asks++
		tool.Asks++
		if b.State == StateDenied {
			tool.Denied++
		}
		*t.out.Outcomes.of(b)++
	}
	if given {
		took := b.DecidedAt - b.CreatedAt
		t.out.Cells[answered].Answers++
		t.cells[answered] = append(t.cells[answered], took)
		t.took = append(t.took, took)
		tool.took = append(tool.took, took)
	}
}

// of is the outcome under which b counts.
func (o *Outcomes) of(b *Brief) *int64 {
	switch b.State {
	case StatePending:
		return &o.Pending
	case StateDenied:
		return &o.Denied
	case StateExpired:
		return &o.Expired
	case StateWithdrawn, StateRevoked, StateLapsed:
		return &o.Withdrawn
	default: // allowed, answered, spent
		if b.byPerson() {
			return &o.AllowedByPerson
		}
		return &o.AllowedByRule
	}
}

// share is the shortest time within which percent of took came; it sorts took.
func share(took []int64, percent int) int64 {
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[(len(took)*percent+99)/100-1]
}

func (t *tally) result() Stats {
	out := t.out
	out.HalfMS, out.MostMS = share(t.took, 50), share(t.took, 95)
	for i, took := range t.cells {
		out.Cells[i].HalfMS = share(took, 50)
	}
	for _, tool := range t.tools {
		if tool.Asks > 0 {
			tool.HalfMS = share(tool.took, 50)
			out.Tools = append(out.Tools, tool.ToolStat)
		}
	}
	slices.SortFunc(out.Tools, func(a, b ToolStat) int {
		return cmp.Or(cmp.Compare(b.Asks, a.Asks), cmp.Compare(a.Tool, b.Tool))
	})
	out.Tools = out.Tools[:min(len(out.Tools), maxStatTools)]
	if t.first != math.MaxInt64 {
		out.OldestMS = max(0, out.Now-t.first)
	}
	return out
}
