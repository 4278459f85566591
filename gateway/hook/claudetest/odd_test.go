//go:build unix

package claudetest

import (
	"slices"
	"strings"
	"testing"

	"nod/gateway/install"
)

// odd is a change of the user's settings to something the host's manual does
// not describe.
type odd struct {
	name    string
	change  func(settings object)
	ignored bool // the host leaves the whole file out, without a word
	quick   bool // also tried without NOD_TEST_FULL
}

func top(name string, value any) func(object) {
	return func(s object) { s[name] = value }
}

func permission(name string, value any) func(object) {
	return func(s object) { s["permissions"].(object)[name] = value }
}

func onEvent(name string, value any) func(object) {
	return func(s object) { s["hooks"].(object)[name] = value }
}

// gateAnd adds one more group to the gate's event.
func gateAnd(group any) func(object) {
	return func(s object) {
		hooks := s["hooks"].(object)
		hooks["PreToolUse"] = append(hooks["PreToolUse"].([]any), group)
	}
}

func odds() []odd {
	handler := object{"type": "command", "command": "true", "timeout": "x"}
	list := []odd{
		{name: "env list", change: top("env", []any{}), ignored: true},
		{name: "env text", change: top("env", "x"), ignored: true},
		{name: "env number inside", change: top("env", object{"A": 1})},
		{name: "env object inside", change: top("env", object{"A": object{}})},
		{name: "env null inside", change: top("env", object{"A": nil})},
		{name: "disableAllHooks", change: top("disableAllHooks", "yes"), ignored: true},
		{name: "model", change: top("model", 5), ignored: true, quick: true},
		{name: "model null", change: top("model", nil), ignored: true},
		{name: "apiKeyHelper", change: top("apiKeyHelper", 5), ignored: true},
		{name: "statusLine", change: top("statusLine", "x"), ignored: true},
		{name: "enabledPlugins", change: top("enabledPlugins", "x"), ignored: true},
		{name: "schema", change: top("$schema", 5), ignored: true},
		{name: "language", change: top("language", 5), ignored: true},
		{name: "outputStyle", change: top("outputStyle", 5), ignored: true},
		{name: "cleanupPeriodDays", change: top("cleanupPeriodDays", "x"), ignored: true},
		{name: "includeCoAuthoredBy", change: top("includeCoAuthoredBy", "x"), ignored: true},
		{name: "allowManagedHooksOnly", change: top("allowManagedHooksOnly", "x"), ignored: true},
		{name: "enableAllProjectMcpServers", change: top("enableAllProjectMcpServers", "x"), ignored: true},
		{name: "enabledMcpjsonServers", change: top("enabledMcpjsonServers", "x")},
		{name: "defaultMode", change: permission("defaultMode", 5), ignored: true},
		{name: "defaultMode null", change: permission("defaultMode", nil), ignored: true},
		{name: "defaultMode word", change: permission("defaultMode", "delegate"), ignored: true},
		{name: "disableAutoMode", change: permission("disableAutoMode", "never"), ignored: true},
		{name: "disableBypass", change: permission("disableBypassPermissionsMode", "never"), ignored: true},
		{name: "allow null", change: permission("allow", nil), ignored: true},
		{name: "allow element", change: permission("allow", []any{1})},
		{name: "ask element", change: permission("ask", []any{1, "*"})},
		{name: "deny element", change: permission("deny", []any{object{}})},
		{name: "additionalDirectories", change: permission("additionalDirectories", "x"), ignored: true},
		{name: "additionalDirectories element", change: permission("additionalDirectories", []any{1}), ignored: true},
		{name: "permissions unknown", change: permission("noSuchMember", []any{1})},
		{name: "group", change: gateAnd("x"), ignored: true, quick: true},
		{name: "group matcher", change: gateAnd(object{"matcher": 5, "hooks": []any{}}), ignored: true},
		{name: "group hooks", change: gateAnd(object{"hooks": "x"}), ignored: true},
		{name: "handler", change: gateAnd(object{"hooks": []any{"x"}}), ignored: true},
		{name: "handler timeout", change: gateAnd(object{"hooks": []any{handler}}), ignored: true},
		{name: "PermissionRequest", change: onEvent("PermissionRequest", []any{"x"}), ignored: true},
		{name: "PreSkillShellCommand", change: onEvent("PreSkillShellCommand", []any{"x"}), ignored: true},
		{name: "Stop text", change: onEvent("Stop", "x"), quick: true},
		{name: "Stop handler", change: onEvent("Stop", []any{object{"matcher": 5, "hooks": []any{handler}}})},
	}
	for _, mode := range []string{"manual", "default", "plan", "auto", "acceptEdits"} {
		list = append(list, odd{name: "mode " + mode, change: permission("defaultMode", mode)})
	}
	for _, name := range []string{
		"Stop", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart", "SessionEnd", "SubagentStart", "SubagentStop",
		"PreCompact", "PermissionDenied", "Setup", "ConfigChange", "Elicitation", "TaskCreated", "WorktreeCreate", "PreModelSwitch", "NoSuchEvent",
	} {
		list = append(list, odd{name: name + " group", change: onEvent(name, []any{"x"})})
	}
	return list
}

// TestOddSettings measures for which odd members the host leaves the whole
// file out, and that doctor says so of these and of no others. A file that is
// left out lets calls run although its gate denies everything.
func TestOddSettings(t *testing.T) {
	for _, o := range odds() {
		text := way{settings: o.change}.apply(t, Settings("nod", "nod", 10))
		found := install.Doctor(install.View{Files: []install.File{{Scope: install.User, Path: "s", Text: []byte(text)}}})
		said := slices.ContainsFunc(found, func(f install.Finding) bool { return f.Code == "claude.settings_ignored" })
		if said != o.ignored {
			t.Errorf("%s: doctor says that the file is left out: %v, measured %v", o.name, said, o.ignored)
		}
	}
	c := Find(t)
	for _, o := range odds() {
		if !full() && !o.quick {
			continue
		}
		t.Run(slug(o.name), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			ran, _ := way{settings: o.change}.measure(t, w, c, Settings(w.hook.Command("deny"), w.hook.Command("record"), 10))
			if (len(ran) > 0) != o.ignored {
				t.Errorf("ran %s; the file was left out: want %v", strings.Join(ran, ", "), o.ignored)
			}
		})
	}
}
