//go:build unix

package claudetest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// broken are the ways a gate can be broken, by the name hook.sh knows, after
// the two ways it can be whole: without those the rest would prove nothing.
var broken = []string{
	"allow", "deny", "silent", "empty-object", "null", "array", "plain-text", "log-line-first", "log-line-after",
	"two-objects", "garbage", "truncated", "truncated-by-one", "truncated-allow", "wrong-event",
	"unknown-word", "wrong-case", "deny-no-reason", "ask", "async", "closed-streams", "stderr-only",
	"allow-log-line-after", "allow-twice", "allow-bom",
	"allow-exit-1", "allow-exit-2", "allow-exit-3", "sigkill", "sigsegv", "missing", "not-executable",
	"exit-1", "exit-2", "exit-3", "exit-4", "exit-5", "exit-126", "exit-127", "exit-130", "exit-137", "exit-255",
	"exit-silent-1", "exit-silent-2", "sigstop", "hang", "hang-deaf", "guard-killed", "guard-stopped",
}

// slow are the ways that end by the host's timeout, one second a call.
var slow = []string{"sigstop", "hang", "hang-deaf", "guard-killed", "guard-stopped"}

// compared are the ways that are tried under the weaker configurations too:
// what exits 0 and is no answer.
var compared = []string{"allow", "deny", "silent", "plain-text", "garbage", "truncated", "async", "allow-log-line-after", "allow-bom"}

// quick are the kinds that are tried without NOD_TEST_FULL, as recommended only:
// one of each sort. The whole table takes minutes.
var quick = []string{
	"allow", "deny", "silent", "garbage", "truncated", "async", "allow-log-line-after", "sigkill", "missing",
	"exit-1", "exit-2", "exit-255", "hang", "guard-killed",
}

// full reports whether everything is to be measured: NOD_TEST_FULL=1.
func full() bool { return os.Getenv("NOD_TEST_FULL") != "" || updating() }

// TestBrokenGate holds the rule of the recommended configuration: however the
// gate is broken, no call runs. It also measures the same without Guard's look
// at the answer, which is why Guard has it.
func TestBrokenGate(t *testing.T) {
	c := Find(t)
	table := newTable("both gating hooks", "ran under dontAsk, plain wrapper", "ran under dontAsk", "ran as recommended")
	t.Run("sessions", func(t *testing.T) {
		for _, kind := range broken {
			// Some sessions take a second a call; they go with the others.
			tried, timeout := probes, 10
			if slices.Contains(slow, kind) {
				tried, timeout = []string{"bash-write", "read", "mcp"}, 1
			}
			for column, settings := range []func(w world) string{
				func(w world) string { return plainSettings(w.hook.Command(kind), timeout) },
				func(w world) string { return DontAsk(w.hook.Command(kind), w.hook.Command("record"), timeout) },
				func(w world) string { return Settings(w.hook.Command(kind), w.hook.Command("record"), timeout) },
			} {
				if column < 2 && !slices.Contains(compared, kind) || !full() && (column < 2 || !slices.Contains(quick, kind)) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%d", kind, column), func(t *testing.T) {
					t.Parallel()
					w := newWorld(t)
					ran, m, _ := w.try(t, c, tried, Options{Settings: settings(w)})
					table.set(kind, column, cell(ran))
					switch {
					case column == 0:
					case kind == "allow" && len(ran) < len(tried):
						t.Errorf("claude code %s: the gate allows and of %v only these ran: %v\n%v", c.Version, tried, ran, m.Results())
					case kind != "allow" && len(ran) > 0:
						t.Errorf("claude code %s: with a gate that is %s these ran: %v\n%v", c.Version, kind, ran, m.Results())
					}
				})
			}
		}
	})
	publishedTable(t, c, "broken-gate", table, broken)
}

// plainSettings is DontAsk with a wrapper that looks at
// nothing but the exit code.
func plainSettings(gate string, timeout int) string {
	return pretty(object{
		"permissions": object{"defaultMode": "dontAsk"},
		"hooks": object{"PreToolUse": []any{object{"matcher": "*", "hooks": []any{object{
			"type": "command", "timeout": timeout, "onFailure": "block",
			"command": gate + " || { echo 'nod: gate failed, denying' >&2; exit 2; }",
		}}}}},
	})
}

func cell(ran []string) string {
	if len(ran) == 0 {
		return "nothing"
	}
	return strings.Join(ran, ", ")
}

// unmeasured is a cell that no session filled.
const unmeasured = "not measured"

// table collects measured cells from parallel sessions.
type table struct {
	mu    sync.Mutex
	heads []string
	cells map[string][]string
}

func newTable(heads ...string) *table { return &table{heads: heads, cells: map[string][]string{}} }

func (t *table) set(row string, column int, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cells[row] == nil {
		t.cells[row] = slices.Repeat([]string{unmeasured}, len(t.heads)-1)
	}
	t.cells[row][column] = text
}

// render is the Markdown table of the rows.
func (t *table) render(rows []string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	b.WriteString("| " + strings.Join(t.heads, " | ") + " |\n|" + strings.Repeat(" --- |", len(t.heads)) + "\n")
	for _, row := range rows {
		if t.cells[row] != nil {
			b.WriteString("| " + row + " | " + strings.Join(t.cells[row], " | ") + " |\n")
		}
	}
	return b.String()
}
