package install

import (
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Level says how bad a finding is.
type Level string

// Levels.
const (
	Good Level = "ok"
	Note Level = "note" // a hole that stays, or something to know
	Warn Level = "warn" // the gate works less well than it could
	Fail Level = "fail" // calls can run without an answer, or none can run
)

// Finding is one thing that was looked at.
type Finding struct {
	Code     string `json:"code"`
	Level    Level  `json:"level"`
	Sentence string `json:"sentence"`
	Hint     string `json:"hint,omitzero"`
}

// Versions of the host.
const (
	// Measured is the version that docs/hosts/claude-code.md was measured on.
	Measured = "2.1.332"
	// failsClosed is the first that knows onFailure.
	failsClosed = "2.1.295"
)

// doctor collects findings.
type doctor struct {
	view     View
	findings []Finding
}

func (d *doctor) say(level Level, code, hint, format string, args ...any) {
	d.findings = append(d.findings, Finding{"claude." + code, level, fmt.Sprintf(format, args...), hint})
}

// Doctor says what on this machine goes around the gate in Claude Code, or
// could. It is pure but for View.Stat.
func Doctor(v View) []Finding {
	d := &doctor{view: v}
	var read []settings
	for _, f := range v.Files {
		if s, ok := d.read(f); ok {
			read = append(read, s)
		}
	}
	if errors.Is(v.VersionErr, exec.ErrNotFound) && len(read) == 0 {
		d.say(Note, "absent", "", "Claude Code is not on this machine: no claude in PATH, and no settings of it")
		return d.findings
	}
	d.gate(read)
	d.others(read)
	d.version()
	d.holes()
	return d.findings
}

// settings is one file that reads.
type settings struct {
	File
	root *node
}

const reinstall = "run nod install claude-code"

// read parses a file and looks for what makes the host leave all of it out.
func (d *doctor) read(f File) (settings, bool) {
	if f.Text == nil && f.Err == nil {
		return settings{}, false
	}
	if f.Err != nil {
		d.say(Fail, "settings_unreadable", "look at its permissions", "the %s settings %q cannot be read: %v", f.Scope, f.Path, f.Err)
		return settings{}, false
	}
	root, err := object(f.Text)
	if err != nil {
		d.say(Fail, "settings_ignored", "mend the file; until then the host leaves all of it out without a word",
			"the %s settings %q are not one JSON object", f.Scope, f.Path)
		return settings{}, false
	}
	if pointer := oddType(root); pointer != "" {
		d.say(Fail, "settings_ignored", "mend that member; until then the host leaves the whole file out without a word",
			"in the %s settings %q the member %s has a wrong type", f.Scope, f.Path, pointer)
		return settings{}, false
	}
	return settings{f, root}, true
}

// oddType gives the first member whose type the host does not read; "" for none.
func oddType(root *node) string {
	for _, m := range []struct {
		path []string
		kind string
	}{
		{[]string{"permissions"}, "{"}, {[]string{"hooks"}, "{"}, {[]string{"env"}, "{"},
		{[]string{"permissions", "allow"}, "["}, {[]string{"permissions", "deny"}, "["}, {[]string{"permissions", "ask"}, "["},
		{[]string{"permissions", "additionalDirectories"}, "["}, {[]string{"permissions", "defaultMode"}, `"`},
		{[]string{"permissions", "denyInsteadOfPrompting"}, "tf"}, {[]string{"disableAllHooks"}, "tf"},
	} {
		n := root.at(m.path...)
		if n == nil {
			continue
		}
		if !strings.ContainsRune(m.kind, rune(n.kind)) {
			return pointerTo(m.path)
		}
		if m.kind == "[" {
			for i, e := range n.elements {
				if e.kind != '"' {
					return pointerTo(m.path) + "/" + strconv.Itoa(i)
				}
			}
		}
	}
	return ""
}

// gate looks for the gate where it counts: in the user's or the managed file.
func (d *doctor) gate(read []settings) {
	for _, s := range read {
		if (s.Scope == User || s.Scope == Managed) && gated(s.Text) {
			before := len(d.findings)
			d.gateIn(s)
			if len(d.findings) == before {
				d.say(Good, "installed", "", "the gate is installed in the %s settings %q", s.Scope, s.Path)
			}
			return
		}
	}
	d.say(Fail, "not_installed", reinstall, "the gate is not installed: Claude Code runs calls without asking nod")
}

func (d *doctor) gateIn(s settings) {
	for _, event := range []string{"PreToolUse", "PermissionRequest"} {
		g, h := handlerOf(s, event)
		if h == nil {
			d.say(Fail, "gate_missing", reinstall, "the gate does not answer %s", event)
			continue
		}
		d.handler(s, event, g, h)
	}
	for _, event := range []string{"PostToolUse", "PostToolUseFailure", "SessionStart", "SessionEnd"} {
		if _, h := handlerOf(s, event); h == nil {
			d.say(Warn, "report_missing", reinstall, "nod is not told of %s, so outcomes stay unknown", event)
		}
	}
	for _, want := range (Claude{Managed: s.Scope == Managed}).settings() {
		n := s.root.at(want.path...)
		if n == nil || want.among && find(s.Text, n, want.value) < 0 || !want.among && !same(n.raw(s.Text), want.value) {
			d.say(Fail, "default_open", reinstall, "%s is not %s: the host's own answer is then not always no", pointerTo(want.path), want.value)
		}
	}
}

// handlerOf finds nod's handler of an event with the group it stands in.
func handlerOf(s settings, event string) (group, handler *node) {
	list := s.root.at("hooks", event)
	if list == nil {
		return nil, nil
	}
	for _, g := range list.elements {
		if hooks := g.get("hooks"); hooks != nil {
			for _, h := range hooks.elements {
				if ours(s.Text, h) {
					return g, h
				}
			}
		}
	}
	return nil, nil
}

// handler looks at one gating handler.
func (d *doctor) handler(s settings, event string, g, h *node) {
	if m := g.get("matcher"); m != nil && m.string(s.Text) != "*" && m.string(s.Text) != "" {
		d.say(Fail, "matcher", reinstall, "the gate answers %s only for some tools", event)
	}
	for _, name := range []string{"if", "async", "asyncRewake", "once"} {
		if h.get(name) != nil {
			d.say(Fail, "conditional", reinstall, "the gate of %s has %q, so that it does not answer every call", event, name)
		}
	}
	if h.get("onFailure").string(s.Text) != "block" {
		d.say(Fail, "on_failure", reinstall, "onFailure of %s is not \"block\": a gate that fails lets the call run", event)
	}
	command := h.get("command").string(s.Text)
	inner, guarded := unguard(command)
	if !guarded {
		d.say(Fail, "guard_broken", reinstall, "the command of %s is not guarded: a broken answer lets the call run", event)
	}
	d.timeout(s, event, h, inner)
	if event == "PreToolUse" {
		d.binary(inner)
	}
}

// unguard takes the guard off a command.
func unguard(command string) (inner string, guarded bool) {
	head, tail, _ := strings.Cut(Guard("\x00"), "\x00")
	inner, hasHead := strings.CutPrefix(command, head)
	inner, hasTail := strings.CutSuffix(inner, tail)
	if !hasHead || !hasTail {
		return command, false
	}
	return inner, true
}

// timeout looks at the host's timeout and at what the gate thinks it is.
func (d *doctor) timeout(s settings, event string, h *node, command string) {
	n := h.get("timeout")
	if n == nil {
		d.say(Fail, "timeout_missing", reinstall, "%s has no timeout: the host stops the gate after its own, ten minutes or less", event)
		return
	}
	seconds, err := strconv.Atoi(string(n.raw(s.Text)))
	switch {
	case err != nil || seconds < minTimeout:
		d.say(Fail, "timeout_short", reinstall, "the timeout of %s is %s seconds: nobody answers that fast", event, n.raw(s.Text))
		return
	case seconds > maxTimeout:
		d.say(Fail, "timeout_long", reinstall, "the timeout of %s is over 2147483 seconds: some versions then leave the gate out", event)
		return
	}
	_, after, stated := strings.Cut(command, "--host-timeout ")
	word, _, _ := strings.Cut(after, " ")
	own, err := time.ParseDuration(word)
	if !stated || err != nil || own > time.Duration(seconds)*time.Second {
		d.say(Fail, "timeout_differs", reinstall, "the gate of %s does not know that the host stops it after %d seconds", event, seconds)
	}
}
