package claudetest

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Guard makes a PreToolUse command fail closed on its own: whatever does not
// exit 0 with a complete answer exits 2, which the host takes as a refusal. The
// host reads output that does not parse as no opinion, so the guard looks at
// the answer's two ends too (docs/hosts/claude-code.md).
func Guard(command string) string {
	return `a=$(` + command + `) && case $a in '{"hookSpecificOutput":{'*'}}') printf '%s\n' "$a" ;; *) false ;; esac || { echo 'nod: gate failed, denying' >&2; exit 2; }`
}

// Settings is the recommended configuration of docs/hosts/claude-code.md: the
// host asks before every call, only a PermissionRequest hook can answer, and
// the gate is that hook. PreToolUse comes first, knows the call's id and waits
// for the person; what it allows is granted at PermissionRequest, on the input
// that will run. The timeout is the gate's, in whole seconds; record takes the
// events that decide nothing.
func Settings(gate, record string, timeout int) string {
	hooks := recording(record)
	hooks["PreToolUse"] = guarded(gate, timeout)
	hooks["PermissionRequest"] = guarded(gate, timeout)
	return pretty(object{
		"permissions": object{
			"ask":                          []string{"*"},
			"denyInsteadOfPrompting":       true,
			"disableBypassPermissionsMode": "disable",
			"disableAutoMode":              "disable",
		},
		"hooks": hooks,
	})
}

// DontAsk is the weaker configuration with one gating hook: the host refuses
// what it would ask about, and PreToolUse's allow is the grant. What the host
// holds for harmless runs without a gate that answers.
func DontAsk(gate, record string, timeout int) string {
	hooks := recording(record)
	hooks["PreToolUse"] = guarded(gate, timeout)
	return pretty(object{
		"permissions": object{
			"defaultMode":                  "dontAsk",
			"disableBypassPermissionsMode": "disable",
			"disableAutoMode":              "disable",
		},
		"hooks": hooks,
	})
}

func guarded(gate string, timeout int) []any {
	return []any{object{"matcher": "*", "hooks": []any{object{
		"type": "command", "command": Guard(gate), "timeout": timeout, "onFailure": "block",
	}}}}
}

// recording are the hooks that decide nothing.
func recording(record string) object {
	hook := []any{object{"type": "command", "command": record, "timeout": 10}}
	return object{
		"PostToolUse":        []any{object{"matcher": "*", "hooks": hook}},
		"PostToolUseFailure": []any{object{"matcher": "*", "hooks": hook}},
		"SessionStart":       []any{object{"hooks": hook}},
		"SessionEnd":         []any{object{"hooks": hook}},
	}
}

// pretty marshals v with sorted members.
func pretty(v any) string {
	var b strings.Builder
	if err := json.MarshalWrite(&b, v, json.Deterministic(true), jsontext.WithIndent("  ")); err != nil {
		// v is built from strings and whole numbers here.
		panic(fmt.Sprintf("claudetest: marshal settings: %v", err))
	}
	return b.String()
}
