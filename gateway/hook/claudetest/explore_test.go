//go:build unix

package claudetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExplore(t *testing.T) {
	c := Find(t)
	for _, kind := range []string{"allow", "silent", "deny"} {
		home := t.TempDir()
		h := NewHook(t, home)
		p := filepath.Join(home, "project")
		os.MkdirAll(p, 0o700)
		w := func(n, s string) { os.WriteFile(filepath.Join(p, n), []byte(s), 0o600) }
		w("canary", "CANARY-WORD\n")
		w("edit.txt", "before nod-prime\n")
		w("nb.ipynb", `{"cells":[{"cell_type":"code","id":"a","metadata":{},"source":["nod-prime"],"outputs":[],"execution_count":null}],"metadata":{},"nbformat":4,"nbformat_minor":5}`)
		call := func(tool string, kv ...any) Call {
			in := map[string]any{}
			for i := 0; i < len(kv); i += 2 {
				in[kv[i].(string)] = kv[i+1]
			}
			return Call{Tool: tool, Input: in}
		}
		calls := []Call{
			Bash("echo x > m1"), Bash("touch m2"), Bash("mkdir m3"), Bash("rm -f canary2; echo y"), Bash("ls"), Bash("cat canary"), Bash("grep CANARY canary"), Bash("find . -name canary"), Bash("git status"), Bash("git log"), Bash("pwd"), Bash("echo hi"), Bash("echo `touch m4`"), Bash("cat /etc/passwd"), Bash("env"), Bash("head -1 canary && wc canary"),Bash("sleep 0.01"), Bash("curl -m1 http://example.com"), Bash("find . -name canary -exec touch m5 ;"), Bash("sort canary -o m6"), Bash("ps aux"),
			Read(p + "/canary"), Read("/etc/passwd"), Write(p+"/m7", "x"), call("Edit", "file_path", p+"/edit.txt", "old_string", "before", "new_string", "after"),
			call("NotebookEdit", "notebook_path", p+"/nb.ipynb", "cell_id", "a", "new_source", "changed"),
			call("Glob", "pattern", "*can*"), call("Grep", "pattern", "CANARY"), call("LS", "path", p),
			call("WebFetch", "url", "https://example.com/", "prompt", "x"), call("WebSearch", "query", "nod"),
			call("Agent", "description", "d", "prompt", "SUBAGENT do it", "subagent_type", "general-purpose", "run_in_background", false),
			call("Task", "description", "d", "prompt", "SUBAGENT do it", "subagent_type", "general-purpose"),
			call("ToolSearch", "query", "select:WebFetch"), call("ListAgents"), call("ScheduleWakeup", "delaySeconds", 60, "reason", "r", "prompt", "p"), call("ReportFindings", "findings", []any{}), call("Skill", "skill", "init"),
			call("Workflow", "script", "touch m8"), call("Monitor", "command", "touch m9", "description", "d", "timeout_ms", 1000, "persistent", false), call("CronCreate", "cron", "* * * * *", "prompt", "p"), call("CronList"), call("TaskCreate", "subject", "s", "description", "d"), call("TodoWrite", "todos", []any{}), call("EnterWorktree", "name", "w"), call("EnterPlanMode"), call("ExitPlanMode"), call("AskUserQuestion", "questions", []any{}), call("ListMcpResourcesTool"), call("SendMessage", "to", "x", "message", "y"), call("PushNotification", "message", "m"), call("TaskStop", "task_id", "x"), call("Artifact"),
		}
		var turns []Turn
		for _, cl := range calls {
			turns = append(turns, Say(cl))
		}
		m := NewModel(t, Script{Turns: turns, Agents: map[string][]Turn{"SUBAGENT": {Say(Bash("touch m-agent")), Say(Bash("cat canary"))}}})
		set := fmt.Sprintf(`{"permissions":{"defaultMode":"dontAsk"},"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":%q,"timeout":10,"onFailure":"block"}]}]}}`, h.Command(kind))
		out, err := c.Run(t.Context(), Options{Model: m, Home: home, Settings: set})
		t.Logf("=== %s: err=%v exit=%d dur=%v left=%d", kind, err, out.ExitCode, out.Duration, out.LeftBehind)
		hooked := map[string]bool{}
		for _, e := range h.Events(t) {
			_, id, _ := strings.Cut(string(e), `"tool_use_id":"`)
			id, _, _ = strings.Cut(id, `"`)
			hooked[id] = true
		}
		res := map[string]ToolResult{}
		for _, r := range m.Results() {
			res[r.ToolUseID] = r
		}
		for i, cl := range calls {
			id := fmt.Sprintf("toolu_nod_%d_0", i)
			r := res[id]
			x := r.Text
			if len(x) > 110 {
				x = x[:110]
			}
			t.Logf("%-14s hook=%-5v err=%-5v %v => %q", cl.Tool, hooked[id], r.IsError, cl.Input, x)
		}
		es, _ := os.ReadDir(p)
		t.Logf("files %v dials %v reqs %d", es, m.Dials(), len(m.Requests()))
		if b, err := os.ReadFile(p + "/edit.txt"); err == nil {
			t.Logf("edit: %s", b)
		}
	}
}
