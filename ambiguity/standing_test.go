package ambiguity

import (
	"fmt"
	"testing"
)

// TestStandings writes out DESIGN §5's table over every list of up to three
// attempts: the first word that holds counts.
func TestStandings(t *testing.T) {
	states := []State{Executing, Unknown, Committed, NotExecuted}
	has := func(list []State, s State) bool {
		for _, o := range list {
			if o == s {
				return true
			}
		}
		return false
	}
	lists := [][]State{nil}
	for from, i := 0, 0; i < 3; i++ {
		for end := len(lists); from < end; from++ {
			for _, s := range states {
				lists = append(lists, append(append([]State{}, lists[from]...), s))
			}
		}
	}
	for _, list := range lists {
		var want Standing
		code := ""
		switch {
		case has(list, Executing):
			want, code = "executing", "in_progress"
		case has(list, Unknown):
			want, code = "unknown", "ambiguous_effect"
		case has(list, Committed):
			want, code = "committed", "duplicate_effect"
		default:
			want = "free"
		}
		got := Stand(list)
		if got != want || got.Refuses(false) != code {
			t.Errorf("%v stands %s and refuses %q", list, got, got.Refuses(false))
		}
		if over := got.Refuses(true); code == "in_progress" && over != "ambiguous_effect" || code != "in_progress" && over != code {
			t.Errorf("%v refuses %q when the lease is over", list, over)
		}
		for i := range list {
			for _, answer := range []State{Committed, NotExecuted, Unknown} {
				after := append([]State{}, list...)
				after[i] = answer
				if u := Unlocks(list, i, answer); u.Standing != Stand(after) || u.Repeats != Stand(after).Refuses(false) {
					t.Errorf("%v, %s at %d opens %+v", list, answer, i, u)
				}
				if got, want := Doubles(list, i, answer), answer == Committed && i+1 < len(list); got != want {
					t.Errorf("%v, %s at %d may be a double: %v", list, answer, i, got)
				}
			}
		}
	}
	if len(lists) != 1+4+16+64 {
		t.Errorf("%d lists", len(lists))
	}
}

// TestSettledAt: a report that the call returned ends the lease, a timeout does
// not.
func TestSettledAt(t *testing.T) {
	for _, c := range []struct {
		ended, lease, settle, want int64
		exit                       Exit
	}{
		{100, 500, 0, 100, Success}, {100, 500, 30, 130, Failure}, {100, 500, 30, 130, Blocked},
		{100, 500, 30, 530, Timeout}, {500, 500, 30, 530, ""}, {0, 500, 30, 530, ""}, {600, 500, 30, 530, Success}, {600, 500, 30, 530, Timeout}, {9000, 500, 30, 530, ""},
	} {
		if got := SettledAt(c.ended, c.lease, c.settle, c.exit); got != c.want {
			t.Errorf("%s: %d", fmt.Sprint(c), got)
		}
	}
}
