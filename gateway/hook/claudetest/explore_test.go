//go:build unix

package claudetest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestExplore(t *testing.T) {
	c := Find(t)
	home := t.TempDir()
	h := NewHook(t, home)
	marker := filepath.Join(home, "project", "marker")
	for _, kind := range []string{"allow", "deny"} {
		m := NewModel(t, Script{Turns: []Turn{Say(Bash("echo x > " + marker))}})
		set := fmt.Sprintf(`{"permissions":{"defaultMode":"dontAsk"},"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":%q,"timeout":10,"onFailure":"block"}]}]}}`, h.Command(kind))
		out, err := c.Run(t.Context(), Options{Model: m, Home: home, Settings: set})
		_, serr := os.Stat(marker)
		t.Logf("%s: ran=%v err=%v exit=%d dur=%v left=%d result=%+v", kind, serr == nil, err, out.ExitCode, out.Duration, out.LeftBehind, out.Result)
		for _, r := range m.Requests() {
			t.Logf("%s %d tools=%v results=%v", r.Kind, r.Turn, r.Tools(), r.Results)
		}
		t.Logf("dials %v stderr %s", m.Dials(), out.Stderr)
		os.Remove(marker)
	}
	for _, e := range h.Events(t) {
		t.Logf("%s", e)
	}
}
