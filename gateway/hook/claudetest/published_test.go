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

func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

func init() { flag.Bool("update", false, "write the measured tables into "+document) }

// published holds a table of the document to what was measured. A table stands
// between the lines `<!-- measured NAME -->` and `<!-- /measured -->`.
func published(t *testing.T, c Claude, name, measured string) {
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
