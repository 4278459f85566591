package ladder

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const s = int64(1000)

func plan() *Plan { return &Plan{AfterMS: []int64{0, 2 * minute, 10 * minute, 30 * minute}} }

func ask(id string, at int64) Ask { return Ask{ID: id, CreatedAt: at, AnswerBy: at + 24*60*minute} }

// told writes events the way the tests compare them: kind ask#rung ….
func told(events []Event) string {
	var out []string
	for _, e := range events {
		text := string(e.Kind)
		for _, d := range e.Asks {
			text += fmt.Sprintf(" %s#%d", d.Ask.ID, d.Rung)
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// facts with all asks pending and nobody watching, where that can be told.
func facts(now int64, asks ...Ask) *Facts {
	return &Facts{Now: now, Asks: asks, All: true, Pending: int64(len(asks)), Known: true}
}

func TestTheLadderOfOneAsk(t *testing.T) {
	p, a, st := plan(), ask("a", 0), State{AloneTold: true}
	for _, c := range []struct {
		at   int64
		want string
		next int64
	}{
		{0, "waiting a#1", 2 * minute},
		{0, "", 2 * minute},
		{2*minute - 1, "", 2 * minute},
		{2 * minute, "waiting a#2", 10 * minute},
		{2*minute + 1, "", 10 * minute},
		{10 * minute, "waiting a#3", 30 * minute},
		{30 * minute, "waiting a#4", 24*60*minute - 10*minute},
		{24*60*minute - 10*minute - 1, "", 24*60*minute - 10*minute},
		{24*60*minute - 10*minute, "expiring a#0", 0},
		{24*60*minute - 1, "", 0},
	} {
		var events []Event
		var next int64
		st, events, next = p.Step(st, facts(c.at, a))
		if got := told(events); got != c.want || next != c.next {
			t.Errorf("at %d: %q, next %d; want %q, %d", c.at, got, next, c.want, c.next)
		}
	}
	if st, _, _ = p.Step(st, facts(24*60*minute)); len(st.Told) != 0 {
		t.Errorf("an ask that is gone is remembered: %+v", st.Told)
	}
}

func TestFoldedIntoOne(t *testing.T) {
	p := plan()
	a, b, m := ask("a", 0), ask("b", 9*minute), ask("m", 9*minute+s)
	m.Mandated = true
	// A notifier that starts late tells of all that came due, once, with the highest rung of each.
	st, events, _ := p.Step(State{AloneTold: true}, facts(10*minute, a, b))
	if got := told(events); got != "waiting a#3 b#1" {
		t.Errorf("%q", got)
	}
	_, events, _ = p.Step(st, facts(11*minute, m, a, b))
	if got := told(events); got != "mandated_waiting m#1 b#2" {
		t.Errorf("%q", got)
	}
}

func TestExpiring(t *testing.T) {
	p := plan()
	for _, c := range []struct {
		long, left int64 // its whole time, and what is left when it is told
	}{{24 * 60 * minute, 10 * minute}, {100 * minute, 10 * minute}, {99 * minute, 99 * minute / 10}, {10 * s, s}} {
		a := Ask{ID: "a", AnswerBy: c.long}
		st, events, _ := p.Step(State{AloneTold: true}, facts(c.long-c.left-1, a))
		if got := told(events); strings.Contains(got, "expiring") {
			t.Errorf("%d: too early: %s", c.long, got)
		}
		st, events, _ = p.Step(st, facts(c.long-c.left, a))
		if got := told(events); got != "expiring a#0" {
			t.Errorf("%d: %q", c.long, got)
		}
		if _, events, _ = p.Step(st, facts(c.long-1, a)); len(events) != 0 {
			t.Errorf("%d: twice: %s", c.long, told(events))
		}
	}
	// Where a rung comes at the same time, it is one telling.
	a := Ask{ID: "a", AnswerBy: 20 * s}
	if _, events, _ := p.Step(State{AloneTold: true}, facts(19*s, a)); told(events) != "expiring a#0" {
		t.Errorf("%s", told(events))
	}
}

func TestUnknownOutcomes(t *testing.T) {
	p, st := plan(), State{}
	for i, c := range []struct {
		unknown int64
		want    string
	}{{0, ""}, {1, "unknown_outcome"}, {1, ""}, {3, "unknown_outcome"}, {2, ""}, {3, "unknown_outcome"}} {
		var events []Event
		f := facts(int64(i))
		f.Unknown = c.unknown
		if st, events, _ = p.Step(st, f); told(events) != c.want {
			t.Errorf("step %d: %q, want %q", i, told(events), c.want)
		}
	}
}

func TestNobodyWatches(t *testing.T) {
	p := &Plan{AfterMS: []int64{100 * minute}}
	a := ask("a", 0)
	step := func(st State, at int64, watched bool, asks ...Ask) (State, string) {
		f := facts(at, asks...)
		f.Watched = watched
		st, events, _ := p.Step(st, f)
		return st, told(events)
	}
	for _, c := range []struct {
		name  string
		steps []any // at, watched, waits, want
	}{
		{"a minute", []any{0 * s, false, true, "", 59 * s, false, true, "", 60 * s, false, true, "unwatched", 600 * s, false, true, ""}},
		{"watched", []any{0 * s, true, true, "", 90 * s, true, true, ""}},
		{"nothing waits", []any{0 * s, false, false, "", 90 * s, false, false, "", 91 * s, false, true, "", 150 * s, false, true, "", 151 * s, false, true, "unwatched"}},
		{"again after somebody watched", []any{0 * s, false, true, "", 60 * s, false, true, "unwatched", 61 * s, true, true, "", 62 * s, false, true, "", 122 * s, false, true, "unwatched"}},
		{"once an absence", []any{0 * s, false, true, "", 60 * s, false, true, "unwatched", 61 * s, false, false, "", 62 * s, false, true, "", 200 * s, false, true, ""}},
		{"clock behind", []any{100 * s, false, true, "", 50 * s, false, true, "", 109 * s, false, true, "", 110 * s, false, true, "unwatched"}},
	} {
		st := State{}
		for i := 0; i < len(c.steps); i += 4 {
			var asks []Ask
			if c.steps[i+2].(bool) {
				asks = append(asks, a)
			}
			var got string
			if st, got = step(st, 1000*s+c.steps[i].(int64), c.steps[i+1].(bool), asks...); got != c.steps[i+3].(string) {
				t.Errorf("%s, step %d: %q, want %q", c.name, i/4, got, c.steps[i+3])
			}
		}
	}
	// Where it cannot be told whether somebody watches, nobody is said not to.
	f := facts(s, a)
	f.Known = false
	st, _, _ := p.Step(State{}, f)
	f.Now = 91 * s
	if _, events, _ := p.Step(st, f); len(events) != 0 {
		t.Errorf("%s", told(events))
	}
}

// Every pattern of somebody watching over eight looks, with the ask answered
// before any of them, for both plans: what is told is written out by a rule
// that looks at the times alone.
func TestEveryPatternOfWatching(t *testing.T) {
	looks := []int64{0, s, 2 * minute, 5 * minute, 10*minute - 1, 10 * minute, 31 * minute, 32 * minute}
	reached := []int{1, 0, 2, 0, 0, 3, 4, 0} // the rung that each look reaches first
	cases := 0
	for pattern := range 1 << len(looks) {
		for answered := range len(looks) + 1 {
			for _, always := range []bool{false, true} {
				cases++
				p, st := plan(), State{}
				p.Always = always
				for i, at := range looks {
					f := facts(at)
					if i < answered {
						f = facts(at, ask("a", 0))
					}
					f.Watched = pattern>>i&1 == 1
					want := ""
					if reached[i] > 0 && i < answered && (always || !f.Watched) {
						want = fmt.Sprintf("waiting a#%d", reached[i])
					}
					var events []Event
					st, events, _ = p.Step(st, f)
					events = slices.DeleteFunc(events, func(e Event) bool { return e.Kind == Unwatched })
					if got := told(events); got != want {
						t.Fatalf("watched %08b, answered before look %d, always %v: look %d tells %q, want %q", pattern, answered, always, i, got, want)
					}
				}
			}
		}
	}
	t.Logf("%d cases", cases)
}

// An ask that is out of sight for a while (snoozed) is not told again of rungs
// it was told of, and goes on where it was.
func TestOutOfSight(t *testing.T) {
	p, a := plan(), ask("a", 0)
	st, _, _ := p.Step(State{AloneTold: true}, facts(2*minute, a))
	hidden := facts(3 * minute)
	hidden.All = false
	st, events, _ := p.Step(st, hidden)
	if len(events) != 0 {
		t.Errorf("told of what is not there: %s", told(events))
	}
	st, events, _ = p.Step(st, facts(4*minute, a))
	if len(events) != 0 {
		t.Errorf("told again: %s", told(events))
	}
	if _, events, _ = p.Step(st, facts(10*minute, a)); told(events) != "waiting a#3" {
		t.Errorf("%s", told(events))
	}
	// Out of sight until it cannot come back, it is forgotten.
	hidden.Now = a.AnswerBy + forgetMS
	if st, _, _ = p.Step(st, hidden); len(st.Told) != 0 {
		t.Errorf("%+v", st.Told)
	}
}

// Whatever the clock does, an ask is told of each rung once at the most, and
// the rung grows.
func TestNeverTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := plan()
		p.Always = rapid.Bool().Draw(t, "always")
		var st State
		rung, ended := map[string]int{}, map[string]bool{}
		asks := []Ask{ask("a", 0), ask("b", 5*minute), {ID: "c", CreatedAt: minute, AnswerBy: 40 * minute, Mandated: true}}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			f := facts(rapid.Int64Range(0, 50*minute).Draw(t, "now")) // back and forth
			for _, a := range asks {
				if a.CreatedAt <= f.Now && rapid.Bool().Draw(t, a.ID) {
					f.Asks = append(f.Asks, a)
				}
			}
			f.All = false
			f.Watched = rapid.Bool().Draw(t, "watched")
			var events []Event
			st, events, _ = p.Step(st, f)
			for _, e := range events {
				for _, d := range e.Asks {
					if e.Kind == Expiring {
						if ended[d.Ask.ID] {
							t.Fatalf("%s is expiring twice", d.Ask.ID)
						}
						ended[d.Ask.ID] = true
						continue
					}
					if d.Rung <= rung[d.Ask.ID] {
						t.Fatalf("%s: rung %d after %d", d.Ask.ID, d.Rung, rung[d.Ask.ID])
					}
					rung[d.Ask.ID] = d.Rung
				}
			}
		}
	})
}
