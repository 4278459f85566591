package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod/queue"
)

// begun allows one call and gives its ask's id.
func begun(t *testing.T, g *gate, tool, id, input string) string {
	t.Helper()
	p := g.start(t, pre(tool, id, input), "100")
	row := g.Allow(t, "")
	if r := p.wait(t); r.decision != "allow" {
		t.Fatalf("got %+v, want an allow", r)
	}
	return row.ID
}

func TestReport(t *testing.T) {
	for name, c := range map[string]struct {
		event, more string
		exit        queue.ExitStatus
	}{
		"success":     {"PostToolUse", `,"tool_response":{"stdout":"hello"},"duration_ms":21`, queue.ExitSuccess},
		"failure":     {"PostToolUseFailure", `,"error":"Exit code 3","is_interrupt":false`, queue.ExitFailure},
		"interrupted": {"PostToolUseFailure", `,"error":"stopped","is_interrupt":true`, queue.ExitTimeout},
		// The host moved the command to the background, or stopped it.
		"background": {"PostToolUse", `,"tool_response":{"stdout":"a","interrupted":false,"backgroundTaskId":"bko2","timedOutAfterMs":1500}`, queue.ExitTimeout},
		"stopped":    {"PostToolUse", `,"tool_response":{"stdout":"a","interrupted":true}`, queue.ExitTimeout},
		// A result that a strict reader refuses hides nothing.
		"odd result":  {"PostToolUse", `,"tool_response":{"a":1,"a":"\ud800","n":1e999}`, queue.ExitSuccess},
		"deep result": {"PostToolUse", `,"tool_response":` + strings.Repeat("[", 300) + strings.Repeat("]", 300), queue.ExitSuccess},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t)
			id := begun(t, g, "Bash", "toolu_1", bash)
			if r := g.run(t, post(c.event, "Bash", "toolu_1", bash, c.more)); r.exit != 0 || r.stdout != "{}" {
				t.Errorf("got %+v, want no opinion", r)
			}
			a := g.Ask(t, id).Attempts[0]
			if a.Exit != c.exit || a.Mismatch || a.State == queue.AttemptExecuting {
				t.Errorf("attempt %+v, want %s and no mismatch", a, c.exit)
			}
			if len(g.Notices(t)) != 0 {
				t.Errorf("notices: %+v", g.Notices(t))
			}
		})
	}
}

// TestMismatch: the host says that it ran something else.
func TestMismatch(t *testing.T) {
	for name, c := range map[string]struct{ tool, input string }{
		"other command":     {"Bash", `{"command":"rm -rf ~","description":"Write a file"}`},
		"one more member":   {"Bash", `{"command":"echo hello > f","description":"Write a file","run_in_background":true}`},
		"other tool":        {"Write", bash},
		"not readable":      {"Bash", `{"command":"\ud800"}`},
		"duplicate members": {"Bash", `{"command":"echo hello > f","command":"x","description":"Write a file"}`},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t)
			id := begun(t, g, "Bash", "toolu_1", bash)
			r := g.run(t, post("PostToolUse", c.tool, "toolu_1", c.input, ""))
			if r.exit != 0 || !strings.Contains(r.message, "MISMATCH") {
				t.Errorf("got %+v, want a remark on the mismatch", r)
			}
			if a := g.Ask(t, id).Attempts[0]; !a.Mismatch {
				t.Errorf("attempt %+v has no mismatch", a)
			}
			if n := g.Notices(t); len(n) != 1 || n[0].Code != queue.NoticeMismatch || n[0].Ask != id {
				t.Errorf("notices %+v, want one mismatch", n)
			}
		})
	}
	// The layout of the input, and what the call itself changes, are no mismatch.
	for name, c := range map[string]struct{ tool, input, more string }{
		"layout": {"Bash", "{ \"description\" : \"Write a file\",\n\"command\":\"echo \\u0068ello > f\" }", `,"x":1`},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t)
			id := begun(t, g, "Bash", "toolu_1", bash)
			event := strings.Replace(post("PostToolUse", c.tool, "toolu_1", c.input, c.more), "/home/dev/project", "/elsewhere", 1)
			if r := g.run(t, event); r.stdout != "{}" || g.Ask(t, id).Attempts[0].Mismatch {
				t.Errorf("got %+v and %+v", r, g.Ask(t, id).Attempts[0])
			}
		})
	}
}

// TestEditedFile: the call changed the file whose digest it was approved with.
func TestEditedFile(t *testing.T) {
	g := newGate(t)
	path := filepath.Join(t.TempDir(), "n.txt")
	if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	in := `{"file_path":"` + path + `","content":"after"}`
	id := begun(t, g, "Write", "toolu_1", in)
	if err := os.WriteFile(path, []byte("after"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := g.run(t, post("PostToolUse", "Write", "toolu_1", in, "")); r.stdout != "{}" || g.Ask(t, id).Attempts[0].Mismatch {
		t.Errorf("got %+v, attempts %+v", r, g.Ask(t, id).Attempts)
	}
}

func TestReportTwice(t *testing.T) {
	g := newGate(t)
	begun(t, g, "Bash", "toolu_1", bash)
	event := post("PostToolUse", "Bash", "toolu_1", bash, "")
	g.run(t, event)
	if r := g.run(t, event); r.exit != 0 || !strings.Contains(r.message, "never let begin") {
		t.Errorf("the second report: %+v", r)
	}
}

// TestUnasked: something ran that no hook let through.
func TestUnasked(t *testing.T) {
	g := newGate(t)
	r := g.run(t, post("PostToolUse", "Bash", "toolu_9", bash, ""))
	if r.exit != 0 || !strings.Contains(r.message, "never let begin") || r.stderr == "" {
		t.Errorf("got %+v, want a remark", r)
	}
}

// TestReportCannotBeMade: the host goes on, and the person there is told.
func TestReportCannotBeMade(t *testing.T) {
	g := newGate(t)
	id := begun(t, g, "Bash", "toolu_1", bash)
	g.mode(t, "error")
	r := g.run(t, post("PostToolUse", "Bash", "toolu_1", bash, ""))
	if r.exit != 0 || !strings.Contains(r.message, "stays unknown") {
		t.Errorf("got %+v, want a remark and exit 0", r)
	}
	g.mode(t, "")
	if r := g.run(t, post("PostToolUse", "Bash", "toolu_1", bash, "")); r.stdout != "{}" {
		t.Errorf("the report made later: %+v", r)
	}
	if a := g.Ask(t, id).Attempts[0]; a.Exit != queue.ExitSuccess {
		t.Errorf("attempt %+v", a)
	}
}

func TestSessions(t *testing.T) {
	g := newGate(t)
	start := `{"session_id":"94085b22","cwd":"/","hook_event_name":"SessionStart","source":"startup"}`
	end := `{"session_id":"94085b22","cwd":"/","hook_event_name":"SessionEnd","reason":"other"}`
	if r := g.run(t, start); r.exit != 0 || r.stdout != "{}" {
		t.Errorf("SessionStart: %+v", r)
	}
	if r := g.run(t, end); r.exit != 0 || r.stdout != "{}" || r.stderr != "" {
		t.Errorf("the end of a session that never asked: %+v", r)
	}
	id := begun(t, g, "Bash", "toolu_1", bash)
	if r := g.run(t, end); r.exit != 0 || r.stdout != "{}" {
		t.Errorf("SessionEnd: %+v", r)
	}
	if a := g.Ask(t, id).Attempts[0]; a.State != queue.AttemptUnknown {
		t.Errorf("attempt %+v; the end of the session makes it unknown", a)
	}
	if n := len(sessions(t, g)); n != 0 {
		t.Errorf("%d sessions' files are left", n)
	}
	// A session that never ended is forgotten after a while, a young one is not.
	begun(t, g, "Bash", "toolu_2", bash)
	if r := g.run(t, start); r.stdout != "{}" || len(sessions(t, g)) != 1 {
		t.Errorf("SessionStart: %+v, %d sessions", r, len(sessions(t, g)))
	}
	old := time.Now().Add(-8 * 24 * time.Hour)
	if err := os.Chtimes(filepath.Join(g.attempts(), sessions(t, g)[0].Name()), old, old); err != nil {
		t.Fatal(err)
	}
	if r := g.run(t, start); r.stdout != "{}" || len(sessions(t, g)) != 0 {
		t.Errorf("SessionStart: %+v, %d sessions", r, len(sessions(t, g)))
	}
	g.mode(t, "error")
	if r := g.run(t, start); r.exit != 0 || !strings.Contains(r.message, "will be refused") {
		t.Errorf("SessionStart without a queue: %+v", r)
	}
	if r := g.run(t, end); r.exit != 0 || r.stdout != "{}" {
		t.Errorf("SessionEnd without a queue: %+v", r)
	}
}

// sessions lists the directories of the sessions with attempts.
func sessions(t *testing.T, g *gate) []os.DirEntry {
	t.Helper()
	entries, err := os.ReadDir(g.attempts())
	if err != nil {
		t.Fatal(err)
	}
	return entries
}
