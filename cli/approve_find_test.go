//go:build unix

package cli_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// quoted is a text as JSON.
func quoted(t *testing.T, text string) string {
	t.Helper()
	b, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestAnAmbiguousIDNamesTheAsks holds: each name in the hint finds one ask.
func TestAnAmbiguousIDNamesTheAsks(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	waits, over := s.submit(bash("ls")), s.submit(bash("ls -a"))
	if err := s.deny(over, ""); err != nil {
		t.Fatal(err)
	}
	show := func(id string) string {
		out, _ := exec.Command("nod", s.flags("show", id)...).CombinedOutput() // the status is not the matter
		return string(out)
	}
	out := show(waits[:4])
	_, hint, ok := strings.Cut(out, "\nhint: give more of it: ")
	if !ok || !strings.Contains(out, "(ambiguous_id)") {
		t.Fatalf("%s", out)
	}
	names := strings.Split(strings.TrimSpace(hint), ", ")
	if len(names) != 2 {
		t.Fatalf("named: %q", names)
	}
	for i, want := range []string{waits, over} {
		id, state, _ := strings.Cut(names[i], " ")
		if !strings.HasPrefix(want, id) || state != []string{"(pending)", "(denied)"}[i] {
			t.Errorf("%q names %s", names[i], want)
		}
		if text := show(id); !strings.Contains(text, want) {
			t.Errorf("%s does not find it:\n%s", id, text)
		}
	}
}
