//go:build unix

package claudetest

import (
	"flag"
	"os"
	"strings"
	"testing"
)

// document is where the measured tables are published.
const document = "../../../docs/hosts/claude-code.md"

var update = flag.Bool("update", false, "write the measured tables into "+document)

func updating() bool { return *update }

// published holds a table of the document to what was measured. A table stands
// between the lines `<!-- measured NAME -->` and `<!-- /measured -->`.
func published(t *testing.T, c Claude, name, measured string) {
	t.Helper()
	compare(t, c, name, measured, nil)
}

// publishedTable is published for a table of which, without NOD_TEST_FULL, only
// some cells were measured: those are compared.
func publishedTable(t *testing.T, c Claude, name string, tab *table, rows []string) {
	t.Helper()
	if full() {
		published(t, c, name, tab.render(rows))
		return
	}
	compare(t, c, name, "", tab)
}

func compare(t *testing.T, c Claude, name, measured string, some *table) {
	t.Helper()
	if t.Failed() {
		return // what was measured is not to be trusted
	}
	b, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(b), "<!-- measured "+name+" -->\n")
	said, tail, closed := strings.Cut(rest, "<!-- /measured -->")
	if !found || !closed {
		t.Fatalf("%s has no table %q", document, name)
	}
	if some != nil {
		some.agree(t, c, said)
		return
	}
	if updating() {
		text := head + "<!-- measured " + name + " -->\n" + measured + "<!-- /measured -->" + tail
		if err := os.WriteFile(document, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, got := strings.Split(said, "\n"), strings.Split(measured, "\n")
	for _, line := range difference(want, got) {
		t.Errorf("claude code %s: %s says what was not measured: %s", c.Version, document, line)
	}
	for _, line := range difference(got, want) {
		t.Errorf("claude code %s: measured, but %s does not say it: %s", c.Version, document, line)
	}
}

// agree holds each measured cell to the cell of the published table.
func (t *table) agree(tt *testing.T, c Claude, said string) {
	tt.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	rows := map[string][]string{}
	for line := range strings.Lines(said) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows[cells[0]] = cells[1:]
	}
	for row, cells := range t.cells {
		for column, got := range cells {
			if got == unmeasured {
				continue
			}
			if want := rows[row]; column >= len(want) || want[column] != got {
				tt.Errorf("claude code %s: %s, column %d: measured %q, %s says %q", c.Version, row, column, got, document, want)
			}
		}
	}
}

// difference lists the lines of a that b lacks.
func difference(a, b []string) []string {
	has := map[string]bool{}
	for _, line := range b {
		has[line] = true
	}
	var out []string
	for _, line := range a {
		if !has[line] {
			out = append(out, line)
		}
	}
	return out
}

func TestDifference(t *testing.T) {
	if got := difference([]string{"a", "b"}, []string{"b"}); len(got) != 1 || got[0] != "a" {
		t.Errorf("difference = %v, want [a]", got)
	}
	if got := difference([]string{"a"}, []string{"a", "b"}); got != nil {
		t.Errorf("difference = %v, want none", got)
	}
}

// The configuration to copy out of the document is the one that was measured.
func TestPublishedSettings(t *testing.T) {
	const nod = "/usr/local/bin/nod hook claude-code"
	published(t, Claude{Version: "of the document"}, "settings", "```json\n"+Settings(nod, nod, 86400)+"\n```\n")
}
