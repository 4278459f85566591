package model

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// rounds is as in queue/faults: name's value, the whole figure with
// NOD_FAULT_FULL, else few enough for every day, and fewer with -short, where the
// race detector makes each step ten times as dear.
func rounds(t testing.TB, name string, full, few int) int {
	t.Helper()
	if v := os.Getenv(name); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			t.Fatalf("%s=%q is not a number", name, v)
		}
		return n
	}
	if os.Getenv("NOD_FAULT_FULL") != "" {
		return full
	}
	if testing.Short() {
		return max(few-3, 3)
	}
	return few
}

// roomy lets the collector run seldom while a test searches: positions are many
// and short-lived.
func roomy(t testing.TB) {
	t.Helper()
	percent, limit := debug.SetGCPercent(1000), debug.SetMemoryLimit(4<<30)
	t.Cleanup(func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) })
}

// alone is roomy for a test whose searches have one searcher each: there is
// nothing to race.
func alone(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("one searcher alone has nothing to race")
	}
	roomy(t)
}

func (f *Found) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d states, %d transitions; new states by depth: %v", f.States, f.Steps, f.ByDepth)
	return b.String()
}

// told lists what became of the acts.
func (f *Found) told() string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(f.Done)) {
		fmt.Fprintf(&b, "  %-50s %d\n", k, f.Done[k])
	}
	return b.String()
}

// whole searches, prints the figures, and fails with the history where a rule is
// broken.
func whole(t *testing.T, name string, o Options) *Found {
	t.Helper()
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	began := time.Now()
	f := Search(t.Context(), o)
	t.Logf("%s, to depth %d in %s: %s", name, o.Depth, time.Since(began).Round(time.Millisecond), f)
	if f.Fault != nil {
		t.Fatalf("%v\n%s", f.Fault.Rule, f.Fault.Trace(t.Context(), o))
	}
	return f
}

// TestEveryHistoryKeepsTheRules goes through all histories from the beginning.
func TestEveryHistoryKeepsTheRules(t *testing.T) {
	roomy(t)
	depth := rounds(t, "NOD_MODEL_DEPTH", 12, 10)
	f := whole(t, "two operators, two executors, two asks, one effect, a clock", Options{Depth: depth})
	t.Logf("what became of the acts:\n%s", f.told())
	if depth < 10 {
		return
	}
	for _, k := range []string{"Begin", "Begin refused frozen", "Begin refused grant_used", "Begin refused held", "Begin refused stale_decision",
		"Begin refused in_progress", "Begin refused ambiguous_effect", "Begin refused duplicate_effect", "Submit refused ambiguous_effect",
		"Submit refused duplicate_effect", "Reconcile", "Reconcile refused stale_page", "Reconcile refused too_soon",
		"Reconcile refused already_reconciled", "OpenEffect", "AckEffect", "Observe", "Report", "Renew", "Renew refused too_late"} {
		if f.Done[k] == 0 {
			t.Errorf("nothing was ever %s: the world is too small", k)
		}
	}
}

// beginnings are where many histories lead, so that a search from there sees
// what comes late.
var beginnings = map[string][]string{
	"a second one may be asked for": {"left submits", "right submits", "ann allows ask 1", "left begins ask 1", "left reports attempt 1: success",
		"ann answers attempt 1: it is committed", "ann opens another one beside effect 1"},
	"nobody knows, and another approval waits": {"left submits", "right submits", "ann allows ask 1", "left begins ask 1", "the clock: just before",
		"ann allows ask 2", "left reports attempt 1: timeout"},
	"a second attempt runs": {"left submits", "ann allows ask 1", "left begins ask 1", "left reports attempt 1: failure",
		"the clock: at", "ann answers attempt 1: it is not executed", "right submits", "the clock: just before", "ann allows ask 2", "right begins ask 2"},
	"observers disagree": {"left submits", "ann allows ask 1", "left begins ask 1", "left reports attempt 1: failure", "ann looks at attempt 1: it matches",
		"ann looks at attempt 1: it differs"},
}

func TestLateHistoriesKeepTheRules(t *testing.T) {
	roomy(t)
	depth := rounds(t, "NOD_MODEL_LATE", 7, 5)
	for name, begin := range beginnings {
		o := Options{Depth: depth, Begin: begin}
		if name == "a second attempt runs" {
			o.Depth-- // four times as wide as the others
		}
		whole(t, name, o)
	}
}

// TestWithoutAnObserver: a tool's durable word counts.
func TestWithoutAnObserver(t *testing.T) {
	roomy(t)
	depth := rounds(t, "NOD_MODEL_UNWATCHED", 11, 7)
	f := whole(t, "nobody else can look", Options{Depth: depth, Unwatched: true})
	if f.Done["Observe"] > 0 || f.Done["OpenEffect"] == 0 && depth > 6 {
		t.Errorf("the world is another one: %s", f.told())
	}
}

// TestMandatedCalls: no grant allows what only a person may.
func TestMandatedCalls(t *testing.T) {
	roomy(t)
	f := whole(t, "only a person may allow", Options{Depth: rounds(t, "NOD_MODEL_MANDATED", 11, 7), Mandated: true})
	if f.Done["GrantDigest refused needs_person"] == 0 || f.Done["Begin"] == 0 || f.Done["GrantDigest"] > 0 {
		t.Errorf("the world is another one: %s", f.told())
	}
}

// TestFormsAreTrue: whichever of the positions with one form is met first, the
// search sees as many others from it. Were something left out of the form that
// matters, two searches that meet them in another order would differ.
func TestFormsAreTrue(t *testing.T) {
	alone(t)
	depth := rounds(t, "NOD_MODEL_FORMS", 8, 6)
	for name, o := range map[string]Options{"from the beginning": {}, "nobody else can look": {Unwatched: true}, "only a person may allow": {Mandated: true},
		"a second one may be asked for": {Begin: beginnings["a second one may be asked for"]}, "a second attempt runs": {Begin: beginnings["a second attempt runs"]}} {
		if o.Depth = depth; o.Begin != nil {
			o.Depth -= 3
		}
		o.Workers = 1
		one := Search(t.Context(), o)
		o.backwards = true
		other := Search(t.Context(), o)
		if !slices.Equal(one.ByDepth, other.ByDepth) || one.Steps != other.Steps {
			t.Errorf("%s: %s\nin another order: %s", name, one, other)
		}
	}
}
