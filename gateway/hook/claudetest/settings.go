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

// Settings is the recommended configuration of docs/hosts/claude-code.md, for a
// gate that answers PreToolUse and a command that takes the other events. The
// timeout is the gate's, in whole seconds.
func Settings(gate, record string, timeout int) string {
	hook := func(matched bool, h object) []any {
		h["type"] = "command"
		entry := object{"hooks": []any{h}}
		if matched {
			entry["matcher"] = "*"
		}
		return []any{entry}
	}
	return pretty(object{
		"permissions": object{
			"defaultMode":                  "dontAsk",
			"disableBypassPermissionsMode": "disable",
			"disableAutoMode":              "disable",
		},
		"hooks": object{
			"PreToolUse":         hook(true, object{"command": Guard(gate), "timeout": timeout, "onFailure": "block"}),
			"PostToolUse":        hook(true, object{"command": record, "timeout": 10}),
			"PostToolUseFailure": hook(true, object{"command": record, "timeout": 10}),
			"SessionStart":       hook(false, object{"command": record, "timeout": 10}),
			"SessionEnd":         hook(false, object{"command": record, "timeout": 10}),
		},
	})
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
