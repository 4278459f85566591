package install

import (
	"slices"
	"strconv"
	"strings"
)

// others looks at what else in the settings bears on the gate.
func (d *doctor) others(read []settings) {
	for _, s := range read {
		if n := s.root.get("disableAllHooks"); n != nil && n.kind == 't' {
			d.say(Warn, "hooks_off", "remove disableAllHooks", "the %s settings %q switch hooks off: the host then refuses every call", s.Scope, s.Path)
		}
		switch mode := s.root.at("permissions", "defaultMode").string(s.Text); mode {
		case "dontAsk":
			d.say(Warn, "nothing_runs", "remove permissions.defaultMode", "the %s settings %q start in dontAsk mode, in which the gate cannot grant anything", s.Scope, s.Path)
		case "bypassPermissions", "auto", "acceptEdits":
			d.say(Note, "mode", "remove permissions.defaultMode; the gate asks all the same", "the %s settings %q start in %s mode", s.Scope, s.Path, mode)
		}
		if n := s.root.at("permissions", "allow"); n != nil && len(n.elements) > 0 {
			d.say(Note, "allow_rules", "they do not count while the host asks about every tool",
				"the %s settings %q allow %d kinds of call themselves", s.Scope, s.Path, len(n.elements))
		}
		if n := s.root.at("env", "CLAUDE_CODE_SIMPLE"); n != nil {
			d.say(Warn, "simple", "remove env.CLAUDE_CODE_SIMPLE", "the %s settings %q switch hooks off by CLAUDE_CODE_SIMPLE", s.Scope, s.Path)
		}
		d.stronger(s)
		d.otherHooks(s)
	}
}

// stronger looks at what a file can take back or load into the gate: settings
// of a project outrank the user's, and the host starts the gate's shell with
// the variables of env.
func (d *doctor) stronger(s settings) {
	counts := (s.Scope == User || s.Scope == Managed) && gated(s.Text) // looked at with the gate
	if n := s.root.at("permissions", "denyInsteadOfPrompting"); n != nil && n.kind == 'f' && !counts {
		d.say(Warn, "default_weaker", "remove permissions.denyInsteadOfPrompting",
			"the %s settings %q take denyInsteadOfPrompting back: where the gate gives no answer, the host may ask at its own terminal", s.Scope, s.Path)
	}
	if env := s.root.get("env"); env != nil {
		for _, m := range env.members {
			if loads(m.name) {
				d.say(Warn, "env", "remove it from env, or look at what it names",
					"the %s settings %q set %q, which can run code in the gate or its shell, or move the host's settings", s.Scope, s.Path, m.name)
			}
		}
	}
	on := 0
	if plugins := s.root.get("enabledPlugins"); plugins != nil {
		for _, m := range plugins.members {
			if m.value.kind != 'f' {
				on++
			}
		}
	}
	if on > 0 {
		d.say(Note, "plugins", "look at the hooks that they bring: these may change or grant calls, and are not looked at here",
			"the %s settings %q enable %d plugins", s.Scope, s.Path, on)
	}
}

// loads reports whether a variable of the host's env can make the gate another
// program: the loader and /bin/sh read code by these, and the host wraps or
// finds its shell and its settings by them.
func loads(name string) bool {
	for _, prefix := range []string{"LD_", "DYLD_", "BASH_FUNC_", "CLAUDE_CODE_SHELL"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains([]string{"BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "CLAUDE_CONFIG_DIR"}, name)
}

// otherHooks names hooks that are not the gate where they can change or grant a
// call.
func (d *doctor) otherHooks(s settings) {
	for _, event := range []string{"PreToolUse", "PermissionRequest"} {
		list := s.root.at("hooks", event)
		if list == nil {
			continue
		}
		var gate *node // a gate in a project's file is the project's
		if s.Scope == User || s.Scope == Managed {
			_, gate = handlerOf(s, event)
		}
		n := 0
		for _, g := range list.elements {
			if hooks := g.get("hooks"); hooks != nil {
				for _, h := range hooks.elements {
					if h != gate {
						n++
					}
				}
			}
		}
		switch {
		case n == 0:
		case event == "PreToolUse":
			d.say(Warn, "other_hooks", "look at them; a call that they change is refused at the last moment",
				"the %s settings %q have %d other hooks on PreToolUse, which may change calls after they were approved", s.Scope, s.Path, n)
		default:
			d.say(Fail, "other_grants", "remove them, or make them managed settings that you trust",
				"the %s settings %q have %d other hooks on PermissionRequest, which may grant what nod does not", s.Scope, s.Path, n)
		}
	}
}

func (d *doctor) version() {
	switch v := d.view.Version; {
	case v == "":
		d.say(Warn, "version_unknown", "put claude in PATH and run nod doctor again", "the version of Claude Code is not known: %v", d.view.VersionErr)
	case older(v, failsClosed):
		d.say(Fail, "version_old", "update Claude Code to "+failsClosed+" or newer",
			"Claude Code %s does not know onFailure: when the gate takes too long or cannot start, the call runs", v)
	case v != Measured:
		d.say(Note, "version_unmeasured", "run go test ./gateway/hook/claudetest with NOD_TEST_CLAUDE to measure it",
			"Claude Code %s is not the version the gate was measured on, %s", v, Measured)
	default:
		d.say(Good, "version", "", "Claude Code %s is the version the gate was measured on", v)
	}
}

// older compares two versions by their numbers; what is no number is old.
func older(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range y {
		if i >= len(x) {
			return true
		}
		n, err := strconv.Atoi(x[i])
		m, _ := strconv.Atoi(y[i]) //nolint:errcheck // ours
		if err != nil || n != m {
			return err != nil || n < m
		}
	}
	return false
}

// holes names what no setting of the user closes, as measured.
func (d *doctor) holes() {
	hint := "an administrator can put the gate into managed settings: nod install claude-code --managed"
	if d.managed {
		hint = "the gate is in managed settings, which these do not leave out"
	}
	for _, h := range []struct{ code, sentence string }{
		{"hole.sources", "started with --setting-sources without user, Claude Code does not read the gate"},
		{"hole.restricted", "started with --restricted, Claude Code does not read the gate"},
		{"hole.config_dir", "started with another CLAUDE_CONFIG_DIR, Claude Code does not read the gate"},
		{"hole.broken_file", "when one member of the settings has a wrong type, Claude Code leaves the whole file out without a word"},
	} {
		d.say(Note, h.code, hint, "%s (seen on %s)", h.sentence, Measured)
	}
}
