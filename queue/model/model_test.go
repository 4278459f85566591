package model

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// rounds is as in queue/faults: name's value, the whole figure with
// NOD_FAULT_FULL, else few enough for every day.
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
	return few
}

func (f *Found) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d states, %d transitions; new states by depth: %v\n", f.States, f.Steps, f.ByDepth)
	for _, k := range slices.Sorted(maps.Keys(f.Done)) {
		fmt.Fprintf(&b, "  %-50s %d\n", k, f.Done[k])
	}
	return b.String()
}

func TestEveryHistoryKeepsTheRules(t *testing.T) {
	o := Options{Depth: rounds(t, "NOD_MODEL_DEPTH", 12, 10), Workers: runtime.GOMAXPROCS(0)}
	begin := time.Now()
	f := Search(t.Context(), o)
	t.Logf("to depth %d in %s: %s", o.Depth, time.Since(begin).Round(time.Millisecond), f)
	if f.Fault != nil {
		t.Fatalf("%v\n%s", f.Fault.Rule, f.Fault.Trace(t.Context(), o))
	}
}
