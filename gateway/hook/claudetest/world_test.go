//go:build unix

package claudetest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// probes are calls whose running leaves a mark that the host cannot make up.
// Every probe is tried in every session, one a turn.
var probes = []string{
	"bash-write", "bash-read", "write", "edit", "read", "read-outside",
	"mcp", "webfetch", "monitor", "agent-spawn", "agent-write", "skill", "skill-grant",
}

// world is a project directory with something to read and a place for marks.
type world struct {
	home, project, marks string
	hook                 Hook
}

func newWorld(t *testing.T) world {
	t.Helper()
	home := t.TempDir()
	w := world{home: home, project: filepath.Join(home, "project"), marks: filepath.Join(home, "marks"), hook: NewHook(t, home)}
	w.file(t, "canary.txt", "CANARY-INSIDE\n")
	w.file(t, "edit.txt", "before\n")
	w.file(t, "../outside.txt", "CANARY-OUTSIDE\n")
	w.file(t, ".claude/skills/plain/SKILL.md", "---\nname: plain\ndescription: d\n---\nCANARY-SKILL\n")
	w.file(t, ".claude/skills/grant/SKILL.md", "---\nname: grant\ndescription: d\nallowed-tools: Bash(touch *)\n---\ngo\n")
	if err := os.MkdirAll(w.marks, 0o700); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w world) file(t *testing.T, name, content string) {
	t.Helper()
	path := filepath.Join(w.project, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (w world) mark(name string) string { return filepath.Join(w.marks, name) }

// calls are the turns that try a probe; the last call is the one that counts.
func (w world) calls(probe string) []Call {
	tool := func(name string, input object) Call { return Call{Tool: name, Input: input} }
	agent := func(prompt string) Call {
		return tool("Agent", object{"description": "d", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false})
	}
	edited := filepath.Join(w.project, "edit.txt")
	switch probe {
	case "bash-write":
		return []Call{Bash("echo ran > " + w.mark(probe))}
	case "bash-read":
		return []Call{Bash("cat canary.txt")}
	case "write":
		return []Call{Write(w.mark(probe), "ran")}
	case "edit":
		// The host edits only what was read; the hook lets a prime through.
		return []Call{
			tool("Read", object{"file_path": edited, "limit": 4242}),
			tool("Edit", object{"file_path": edited, "old_string": "before", "new_string": "after"}),
		}
	case "read":
		return []Call{Read(filepath.Join(w.project, "canary.txt"))}
	case "read-outside":
		return []Call{Read(filepath.Join(w.home, "outside.txt"))}
	case "mcp":
		return []Call{tool("mcp__records__delete_record", object{"id": "r1"})}
	case "webfetch":
		return []Call{tool("WebFetch", object{"url": "https://fetched.example/", "prompt": "p"})}
	case "monitor":
		return []Call{tool("Monitor", object{"command": "touch " + w.mark(probe), "description": "d", "timeout_ms": 1000})}
	case "agent-spawn":
		return []Call{agent("SPAWNED stop at once")}
	case "agent-write":
		return []Call{agent("WRITER nod-prime")}
	case "skill":
		return []Call{tool("Skill", object{"skill": "plain"})}
	case "skill-grant":
		return []Call{tool("Skill", object{"skill": "grant"}), Bash("touch " + w.mark(probe))}
	}
	panic("unknown probe " + probe)
}

// script tries the probes one after another and says which call counts for
// which probe.
func (w world) script(tried []string) (Script, map[string]string) {
	s := Script{Agents: map[string][]Turn{
		"SPAWNED": {{Text: "stopped"}},
		"WRITER":  {Say(Bash("touch " + w.mark("agent-write")))},
	}}
	ids := map[string]string{}
	for _, p := range tried {
		calls := w.calls(p)
		for _, c := range calls {
			s.Turns = append(s.Turns, Say(c))
		}
		calls[len(calls)-1].ID = "toolu_probe_" + slug(p)
		s.Turns[len(s.Turns)-1] = Say(calls[len(calls)-1])
		ids[p] = calls[len(calls)-1].ID
	}
	return s, ids
}

// ran says which of the tried probes left their mark.
func (w world) ran(t *testing.T, tried []string, ids map[string]string, m *Model) []string {
	t.Helper()
	results := map[string]string{}
	for _, r := range m.Results() {
		results[r.ToolUseID] = r.Text
	}
	out := []string{}
	for _, p := range tried {
		result, answered := results[ids[p]]
		if !answered {
			t.Errorf("%s: the model got no result, so nothing is known", p)
		}
		var did bool
		switch p {
		case "bash-read", "read":
			did = strings.Contains(result, "CANARY-INSIDE")
		case "read-outside":
			did = strings.Contains(result, "CANARY-OUTSIDE")
		case "edit":
			b, err := os.ReadFile(filepath.Join(w.project, "edit.txt"))
			did = err == nil && string(b) == "after\n"
		case "webfetch":
			did = len(m.Dials()) > 0
		case "agent-spawn":
			did = slices.ContainsFunc(m.Requests(), func(r Request) bool {
				return r.Kind == Agent && strings.Contains(r.Text, "SPAWNED")
			})
		case "skill":
			did = m.Heard("CANARY-SKILL")
		default:
			_, err := os.Stat(w.mark(p))
			did = err == nil
		}
		if did {
			out = append(out, p)
		}
	}
	return out
}

// try runs one session that tries the probes.
func (w world) try(t *testing.T, c Claude, tried []string, o Options) (ran []string, m *Model, out Outcome) {
	t.Helper()
	script, ids := w.script(tried)
	m = NewModel(t, script)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Model, o.Home, o.Dir, o.Trusted = m, w.home, w.project, true
	o.MCP = pretty(object{"mcpServers": object{"records": object{"command": self, "env": object{recordsMark: w.mark("mcp")}}}})
	out, err = c.Run(t.Context(), o)
	if err != nil {
		t.Fatalf("run claude: %v\n%s", err, out.Stderr)
	}
	return w.ran(t, tried, ids, m), m, out
}
