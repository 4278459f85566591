//go:build unix

package claudetest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// grants are permission rules for every tool the probes use.
const grants = `["Bash","Write","Edit","Read","WebFetch","Monitor","Agent","Skill","mcp__records"]`

// allTools is grants as the value of --allowedTools.
const allTools = "Bash,Write,Edit,Read,WebFetch,Monitor,Agent,Skill,mcp__records"

// Bypass rows set IS_SANDBOX because the host refuses that mode to root
// without it, and a measurement must not depend on who runs it.

// way is something a user, a project or a launcher can do about a gate that is
// installed as recommended and denies everything.
type way struct {
	name     string
	args     []string
	env      []string
	settings func(settings object) // changes the user's settings
	files    map[string]string     // in the project
	raw      func(settings string) string
	quick    bool // also tried without NOD_TEST_FULL
}

func project(settings string) map[string]string {
	return map[string]string{".claude/settings.json": settings}
}

func args(a ...string) []string { return a }

var ways = []way{
	{quick: true, name: "nothing: the gate denies"},
	{name: "user `permissions.allow`", settings: func(s object) { s["permissions"].(object)["allow"] = strings.Split(allTools, ",") }},
	{name: "project `permissions.allow`", files: project(`{"permissions":{"allow":` + grants + `}}`)},
	{env: args("IS_SANDBOX=1"), name: "project `defaultMode: bypassPermissions`", files: project(`{"permissions":{"defaultMode":"bypassPermissions"}}`)},
	{name: "project hook that allows", files: project(`{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"allow\"}}'"}]}]}}`)},
	{name: "`--allowedTools`", args: args("--allowedTools", allTools)},
	{name: "`--permission-mode acceptEdits`", args: args("--permission-mode", "acceptEdits")},
	{name: "`--permission-mode auto`", args: args("--permission-mode", "auto")},
	{env: args("IS_SANDBOX=1"), name: "`--permission-mode bypassPermissions`", args: args("--permission-mode", "bypassPermissions")},
	{quick: true, env: args("IS_SANDBOX=1"), name: "`--dangerously-skip-permissions`", args: args("--dangerously-skip-permissions")},
	{name: "`--permission-mode manual`", args: args("--permission-mode", "manual")},
	{name: "`--permission-mode plan`", args: args("--permission-mode", "plan")},
	{env: args("IS_SANDBOX=1"), name: "`--agents` with `permissionMode: bypassPermissions`", args: args("--agents", `{"general-purpose":{"description":"d","prompt":"p","permissionMode":"bypassPermissions"}}`)},
	{name: "`--settings` with `permissions.allow`", args: args("--settings", `{"permissions":{"allow":`+grants+`}}`)},
	{name: "`--restricted`", args: args("--restricted")},
	{name: "`--restricted --allowedTools`", args: args("--restricted", "--allowedTools", allTools)},
	{name: "user `disableAllHooks`", settings: func(s object) { s["disableAllHooks"] = true }},
	{name: "project `disableAllHooks`", files: project(`{"disableAllHooks":true}`)},
	{quick: true, name: "project `disableAllHooks` and `permissions.allow`", files: project(`{"disableAllHooks":true,"permissions":{"allow":` + grants + `}}`)},
	{name: "project local `disableAllHooks` and `permissions.allow`", files: map[string]string{".claude/settings.local.json": `{"disableAllHooks":true,"permissions":{"allow":` + grants + `}}`}},
	{name: "project `disableAllHooks` and `defaultMode: acceptEdits`", files: project(`{"disableAllHooks":true,"permissions":{"defaultMode":"acceptEdits"}}`)},
	{env: args("IS_SANDBOX=1"), name: "project `disableAllHooks` and `defaultMode: bypassPermissions`", files: project(`{"disableAllHooks":true,"permissions":{"defaultMode":"bypassPermissions"}}`)},
	{name: "`--settings` with `disableAllHooks`", args: args("--settings", `{"disableAllHooks":true}`)},
	{name: "`--settings` with `disableAllHooks`, `--allowedTools`", args: args("--settings", `{"disableAllHooks":true}`, "--allowedTools", allTools)},
	{name: "`--settings` with `disableAllHooks`, `--permission-mode acceptEdits`", args: args("--settings", `{"disableAllHooks":true}`, "--permission-mode", "acceptEdits")},
	{env: args("IS_SANDBOX=1"), name: "`--settings` with `disableAllHooks`, `--permission-mode bypassPermissions`", args: args("--settings", `{"disableAllHooks":true}`, "--permission-mode", "bypassPermissions")},
	{quick: true, name: "`--setting-sources project`", args: args("--setting-sources", "project")},
	{name: "`--setting-sources project --allowedTools`", args: args("--setting-sources", "project", "--allowedTools", allTools)},
	{env: args("IS_SANDBOX=1"), name: "`--setting-sources project --permission-mode bypassPermissions`", args: args("--setting-sources", "project", "--permission-mode", "bypassPermissions")},
	{name: "`--bare`", args: args("--bare")},
	{quick: true, name: "`--bare --allowedTools`", args: args("--bare", "--allowedTools", allTools)},
	{name: "`--safe-mode`", args: args("--safe-mode")},
	{name: "`--safe-mode --allowedTools`", args: args("--safe-mode", "--allowedTools", allTools)},
	{name: "`CLAUDE_CODE_SIMPLE=1`", env: args("CLAUDE_CODE_SIMPLE=1")},
	{quick: true, name: "another `CLAUDE_CONFIG_DIR`", env: args("CLAUDE_CONFIG_DIR=/nonexistent/nod")},
	{name: "another `CLAUDE_CONFIG_DIR`, `--allowedTools`", env: args("CLAUDE_CONFIG_DIR=/nonexistent/nod"), args: args("--allowedTools", allTools)},
	{name: "user settings are not JSON", raw: func(s string) string { return s + "," }},
	{name: "user settings are not JSON, `--allowedTools`", raw: func(s string) string { return s + "," }, args: args("--allowedTools", allTools)},
	{quick: true, name: "user settings with one member of a wrong type", settings: func(s object) { s["permissions"].(object)["allow"] = "Bash" }},
	{name: "user settings with an unknown hook event", settings: func(s object) { s["hooks"].(object)["NoSuchEvent"] = []any{object{"hooks": 1}} }},
	{name: "user settings with an unknown member", settings: func(s object) { s["noSuchMember"] = true }},
}

// TestWaysAround measures, with a gate that answers and denies everything,
// which calls run when somebody arranges it. The published table must say the
// same: a way that opens and is not listed fails, and so does one that closed.
func TestWaysAround(t *testing.T) {
	c := Find(t)
	measured := newTable("what somebody does", "ran under dontAsk", "ran as recommended")
	t.Run("sessions", func(t *testing.T) {
		for _, way := range ways {
			for column, configuration := range []func(gate, record string, timeout int) string{DontAsk, Settings} {
				if !full() && (column == 0 || !way.quick) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%d", slug(way.name), column), func(t *testing.T) {
					t.Parallel()
					w := newWorld(t)
					ran, m := way.measure(t, w, c, configuration(w.hook.Command("deny"), w.hook.Command("record"), 10))
					measured.set(way.name, column, cell(ran))
					for _, r := range m.Results() {
						t.Logf("%s %v %.120q", r.ToolUseID, r.IsError, r.Text)
					}
				})
			}
		}
	})
	names := make([]string, len(ways))
	for i, way := range ways {
		names[i] = way.name
	}
	publishedTable(t, c, "ways-around", measured, names)
}

// measure runs the probes this way.
func (way way) measure(t *testing.T, w world, c Claude, settings string) ([]string, *Model) {
	t.Helper()
	for name, content := range way.files {
		w.file(t, name, content)
	}
	env := slices.Clone(way.env)
	for i, e := range env {
		env[i] = strings.Replace(e, "/nonexistent/nod", filepath.Join(w.home, "elsewhere"), 1)
	}
	ran, m, _ := w.try(t, c, probes, Options{Args: way.args, Env: env, Settings: way.apply(t, settings)})
	return ran, m
}

func (way way) apply(t *testing.T, settings string) string {
	t.Helper()
	if way.raw != nil {
		return way.raw(settings)
	}
	if way.settings == nil {
		return settings
	}
	var s object
	if err := json.Unmarshal([]byte(settings), &s); err != nil {
		t.Fatal(err)
	}
	way.settings(s)
	return pretty(s)
}
