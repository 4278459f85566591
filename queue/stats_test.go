package queue

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// naiveStats counts in another way: cell by cell and tool by tool, each time
// over all asks.
func naiveStats(q QStats, now int64, asks []Brief) Stats {
	s := Stats{CellMS: q.SpanMS / q.Cells, Now: now}
	s.From = now - s.CellMS*q.Cells
	half := func(list []int64, part float64) int64 {
		slices.Sort(list)
		if len(list) == 0 {
			return 0
		}
		return list[int(math.Ceil(part*float64(len(list))))-1]
	}
	var all []int64
	for i := range q.Cells {
		from, to := s.From+i*s.CellMS, s.From+(i+1)*s.CellMS
		in := func(at int64) bool { return at >= from && (at < to || at == now && i == q.Cells-1) }
		var cell StatCell
		var took []int64
		for _, b := range asks {
			if in(b.CreatedAt) {
				cell.Asks++
			}
			if b.By == ByPerson && in(b.DecidedAt) {
				cell.Answers++
				took = append(took, b.DecidedAt-b.CreatedAt)
			}
		}
		all = append(all, took...)
		cell.HalfMS = half(took, 0.5)
		s.Cells = append(s.Cells, cell)
	}
	s.HalfMS, s.MostMS = half(all, 0.5), half(all, 0.95)
	names := map[string]bool{}
	for _, b := range asks {
		names[b.Tool] = true
		if b.State == StatePending {
			s.OldestMS = max(s.OldestMS, now-b.CreatedAt)
		}
		if b.CreatedAt < s.From || b.CreatedAt > now {
			continue
		}
		person := b.By == ByPerson
		switch b.State {
		case StatePending:
			s.Outcomes.Pending++
		case StateDenied:
			s.Outcomes.Denied++
		case StateExpired:
			s.Outcomes.Expired++
		case StateWithdrawn, StateRevoked, StateLapsed:
			s.Outcomes.Withdrawn++
		case StateAllowed, StateSpent, StateAnswered:
			if person {
				s.Outcomes.AllowedByPerson++
			} else {
				s.Outcomes.AllowedByRule++
			}
		}
	}
	for name := range names {
		tool := ToolStat{Tool: name}
		var took []int64
		for _, b := range asks {
			if b.Tool != name {
				continue
			}
			if b.CreatedAt >= s.From && b.CreatedAt <= now {
				tool.Asks++
				if b.State == StateDenied {
					tool.Denied++
				}
			}
			if b.By == ByPerson && b.DecidedAt >= s.From && b.DecidedAt <= now {
				took = append(took, b.DecidedAt-b.CreatedAt)
			}
		}
		tool.HalfMS = half(took, 0.5)
		if tool.Asks > 0 {
			s.Tools = append(s.Tools, tool)
		}
	}
	slices.SortFunc(s.Tools, func(a, b ToolStat) int {
		if a.Asks != b.Asks {
			return int(b.Asks - a.Asks)
		}
		if a.Tool < b.Tool {
			return -1
		}
		return 1
	})
	return s
}

func TestStatsAreThePlainCount(t *testing.T) {
	states := []State{StatePending, StateAllowed, StateDenied, StateAnswered, StateExpired, StateWithdrawn, StateRevoked, StateLapsed, StateSpent}
	rapid.Check(t, func(t *rapid.T) {
		const now, hour = int64(1_000_000_000), int64(3_600_000)
		q := QStats{SpanMS: rapid.Int64Range(hour, 3*hour).Draw(t, "span"), Cells: rapid.Int64Range(1, 7).Draw(t, "cells")}
		cell := q.SpanMS / q.Cells
		at := rapid.OneOf(rapid.Int64Range(now-4*hour, now), // anywhere, and on the borders
			rapid.Map(rapid.Int64Range(0, q.Cells+1), func(i int64) int64 { return now - i*cell }),
			rapid.Map(rapid.Int64Range(0, q.Cells+1), func(i int64) int64 { return now - i*cell - 1 }))
		var asks []Brief
		for range rapid.IntRange(0, 40).Draw(t, "asks") {
			b := Brief{CreatedAt: at.Draw(t, "made"), State: rapid.SampledFrom(states).Draw(t, "state"),
				Tool: rapid.SampledFrom([]string{"", "Bash", "Edit"}).Draw(t, "tool")}
			if b.State != StatePending && b.State != StateExpired {
				b.By = rapid.SampledFrom([]DecidedBy{"", ByPerson, ByRule, ByGrant}).Draw(t, "by")
			}
			if b.By != "" {
				b.DecidedAt = max(b.CreatedAt, at.Draw(t, "answered"))
			}
			asks = append(asks, b)
		}
		tally := newTally(q, now)
		for i := range asks {
			b := asks[i]
			tally.take(&b)
			b = Brief{} // what is shown is not to be kept
		}
		if got, want := tally.result(), naiveStats(q, now, asks); !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %+v\nwant %+v", got, want)
		}
	})
}

func TestManyTools(t *testing.T) {
	tally := newTally(QStats{SpanMS: 3_600_000, Cells: 3}, 5_000_000)
	for i := range 60 {
		for range i + 1 {
			tally.take(&Brief{CreatedAt: 4_999_999, State: StatePending, Tool: string(rune('A' + i))})
		}
	}
	s := tally.result()
	if len(s.Tools) != maxStatTools || s.Tools[0].Asks != 60 || s.Tools[49].Asks != 11 {
		t.Errorf("%d tools, from %+v to %+v", len(s.Tools), s.Tools[0], s.Tools[len(s.Tools)-1])
	}
}
