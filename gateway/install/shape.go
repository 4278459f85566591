package install

import (
	"slices"
	"strconv"
	"strings"
)

// shaped is a member and what the host reads there: the kinds of JSON value,
// and of a text the words, of a list the elements. Anything else makes it leave
// the whole file out (measured on Measured); null counts as anything else.
type shaped struct {
	path  []string
	kinds string // jsontext kinds
	words []string
	texts bool // elements must be texts
}

// modes are the host's permission modes.
func modes() []string {
	return []string{"acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan", "manual"}
}

func shapes() []shaped {
	disable := []string{"disable"}
	return []shaped{
		{path: []string{"permissions"}, kinds: "{"}, {path: []string{"hooks"}, kinds: "{"}, {path: []string{"env"}, kinds: "{"},
		{path: []string{"permissions", "allow"}, kinds: "["}, {path: []string{"permissions", "deny"}, kinds: "["},
		{path: []string{"permissions", "ask"}, kinds: "["},
		{path: []string{"permissions", "additionalDirectories"}, kinds: "[", texts: true},
		{path: []string{"permissions", "defaultMode"}, kinds: `"`, words: modes()},
		{path: []string{"permissions", "disableBypassPermissionsMode"}, kinds: `"`, words: disable},
		{path: []string{"permissions", "disableAutoMode"}, kinds: `"`, words: disable},
		{path: []string{"permissions", "denyInsteadOfPrompting"}, kinds: "tf"}, {path: []string{"disableAllHooks"}, kinds: "tf"},
		{path: []string{"model"}, kinds: `"`}, {path: []string{"apiKeyHelper"}, kinds: `"`},
		{path: []string{"$schema"}, kinds: `"`}, {path: []string{"language"}, kinds: `"`},
		{path: []string{"allowManagedHooksOnly"}, kinds: "tf"}, {path: []string{"enableAllProjectMcpServers"}, kinds: "tf"},
		{path: []string{"includeCoAuthoredBy"}, kinds: "tf"}, {path: []string{"cleanupPeriodDays"}, kinds: "0"}, {path: []string{"outputStyle"}, kinds: `"`},
		{path: []string{"statusLine"}, kinds: "{"}, {path: []string{"enabledPlugins"}, kinds: "{"},
	}
}

// oddType gives the first member that makes the host leave the whole file out;
// "" for none.
func oddType(text []byte, root *node) string {
	for _, m := range shapes() {
		n := root.at(m.path...)
		if n == nil {
			continue
		}
		if !strings.ContainsRune(m.kinds, rune(n.kind)) || m.words != nil && !slices.Contains(m.words, n.string(text)) {
			return pointerTo(m.path)
		}
		for i, e := range n.elements {
			if m.texts && e.kind != '"' {
				return pointerTo(m.path) + "/" + strconv.Itoa(i)
			}
		}
	}
	hooks := root.get("hooks")
	if hooks == nil {
		return ""
	}
	for _, m := range hooks.members {
		if strictEvent(m.name) {
			if at := oddGroups(pointerTo([]string{"hooks", m.name}), m.value); at != "" {
				return at
			}
		}
	}
	return ""
}

// strictEvent reports whether the host leaves the whole file out for an odd
// hook of the event; of the others it leaves out the hook.
func strictEvent(name string) bool {
	return slices.Contains([]string{"PreToolUse", "PermissionRequest", "PreSkillShellCommand"}, name)
}

// oddGroups looks into an event's groups, which stand at a pointer.
func oddGroups(list string, n *node) string {
	if n.kind != '[' {
		return list
	}
	for i, g := range n.elements {
		at := list + "/" + strconv.Itoa(i)
		hooks := g.get("hooks")
		switch m := g.get("matcher"); {
		case g.kind != '{':
			return at
		case m != nil && m.kind != '"':
			return at + "/matcher"
		case hooks == nil || hooks.kind != '[':
			return at + "/hooks"
		}
		for j, h := range hooks.elements {
			if odd := oddHandler(at+"/hooks/"+strconv.Itoa(j), h); odd != "" {
				return odd
			}
		}
	}
	return ""
}

func oddHandler(at string, h *node) string {
	if h.kind != '{' {
		return at
	}
	for _, m := range []struct{ name, kinds string }{
		{"type", `"`}, {"command", `"`}, {"timeout", "0"}, {"matcher", `"`}, {"if", `"`}, {"onFailure", `"`},
		{"async", "tf"}, {"asyncRewake", "tf"}, {"once", "tf"}, {"shell", `"`}, {"args", "["}, {"statusMessage", `"`},
	} {
		if n := h.get(m.name); n != nil && !strings.ContainsRune(m.kinds, rune(n.kind)) {
			return at + "/" + m.name
		}
	}
	if h.get("type") == nil {
		return at + "/type"
	}
	return ""
}
