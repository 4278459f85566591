package visible_test

import (
	"runtime"
	"strings"
	"testing"

	"nod/digest/visible"
)

// TestMaxText: the longest text comes back, a longer one is refused, and a
// forged count allocates nothing.
func TestMaxText(t *testing.T) {
	d := visible.Draw(visible.Value, strings.Repeat(" ", visible.MaxText))
	if s, err := visible.Undraw(visible.Value, d); err != nil || len(s) != visible.MaxText {
		t.Errorf("%s: %d bytes, %v", d, len(s), err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, forged := range []string{"⟨16777217×space⟩", "⟨4000000000×space⟩", "x⟨16777216×space⟩"} {
		if _, err := visible.Undraw(visible.Value, forged); err == nil {
			t.Errorf("%s: undrawn", forged)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 {
		t.Errorf("allocated %d bytes", grown)
	}
}

// TestEveryPlace puts every ASCII character and some others at every place of a
// longer text: the fast path misses none.
func TestEveryPlace(t *testing.T) {
	others := []string{"é", "\u0085", "\u200b", "e\u0301", "\U0001f600", "  ", strings.Repeat(" ", 33), strings.Repeat("\n", 9)}
	for c := range 0x80 {
		others = append(others, string(rune(c)))
	}
	for _, mode := range modes {
		for _, c := range others {
			want := visible.Draw(mode, c) // short: drawn one by one
			for before := range 20 {
				s := strings.Repeat("x", before) + c + strings.Repeat("y", 19)
				if got := visible.Draw(mode, s); got != strings.Repeat("x", before)+want+strings.Repeat("y", 19) {
					t.Fatalf("mode %d: %q is drawn %q", mode, s, got)
				}
			}
		}
	}
}
