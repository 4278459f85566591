//go:build unix

package claudetest

import (
	"path/filepath"
	"slices"
	"testing"
)

// The gate is told the place that the host will write, whatever the model
// wrote: what the gate digests there is what the call changes.
func TestTheGateIsToldThePlace(t *testing.T) {
	c := Find(t)
	w := newWorld(t)
	var turns []Turn
	var want, told []string
	for name, place := range map[string]string{
		"~/tilde.txt":   filepath.Join(w.home, "tilde.txt"),
		"plain.txt":     filepath.Join(w.project, "plain.txt"),
		"../up.txt":     filepath.Join(w.home, "up.txt"),
		" blank.txt ":   filepath.Join(w.project, "blank.txt"),
		"~nobody/x.txt": filepath.Join(w.project, "~nobody", "x.txt"),
	} {
		turns = append(turns, Say(Write(name, "ran")))
		want = append(want, place)
	}
	w.run(t, c, "allow", turns...)
	for _, e := range w.events(t) {
		if path, ok := e.Input["file_path"].(string); ok && e.Name == "PreToolUse" {
			told = append(told, path)
		}
	}
	if !slices.Equal(told, want) {
		t.Errorf("told\n%q, want\n%q", told, want)
	}
	for _, place := range want {
		if !exists(place) {
			t.Errorf("%s was not written", place)
		}
	}
}
