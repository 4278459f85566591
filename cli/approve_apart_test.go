package cli

import (
	"strings"
	"testing"
	"time"

	"nod/queue"
)

// TestIDsAreNamedSoFarThatTheyDiffer holds: the length tells the rows apart, and
// a character less does not.
func TestIDsAreNamedSoFarThatTheyDiffer(t *testing.T) {
	t.Parallel()
	const id = "01a22ca7-0609-7210-9598-6c030ac2e7a7"
	for at := range len(id) {
		other := []byte(id)
		other[at] ^= 1
		got := apart([]*queue.Row{{ID: id}, {ID: string(other)}})
		if want := max(at+1, len(shortID(id))); got != want {
			t.Errorf("they differ at %d: %d characters, want %d", at, got, want)
		}
	}
}

func TestLengthsAreWrittenPlainly(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"10m", "1h", "24h", "1m30s", "1h0m5s", "1h30m", "90ms", "20s", "30m"} {
		var v lengthValue
		v.d = new(time.Duration)
		if err := v.Set(text); err != nil {
			t.Fatal(err)
		}
		if got := v.String(); got != text {
			t.Errorf("%s is written %s", text, got)
		}
	}
	if got := (lengthValue{new(time.Duration)}).String(); got != "" {
		t.Errorf("none is written %q", got)
	}
}

// TestAWrappedLineIsMarked holds at every width: no row but the first begins
// without the mark, and without the marks the rows are the line.
func TestAWrappedLineIsMarked(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("tool 界 │ x", 9)
	for width := 13; width < 130; width++ {
		rows := strings.Split(hang(line, width, "  ↳ "), "\n  ↳ ")
		if got := strings.Join(rows, ""); got != line || strings.Contains(got, "\n") {
			t.Fatalf("%d columns: %q", width, got)
		}
	}
}
