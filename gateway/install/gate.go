package install

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// gate looks at the gate where it counts, in the user's and the managed files.
func (d *doctor) gate(read []settings) {
	found := false
	for _, s := range read {
		if s.Scope != User && s.Scope != Managed || !gated(s.Text) {
			continue
		}
		found = true
		before := len(d.findings)
		d.gateIn(s)
		if len(d.findings) == before {
			d.managed = d.managed || s.Scope == Managed
			d.say(Good, "installed", "", "the gate is installed in the %s settings %q", s.Scope, s.Path)
		}
	}
	if !found {
		d.say(Fail, "not_installed", reinstall, "the gate is not installed: Claude Code runs calls without asking nod")
	}
}

func (d *doctor) gateIn(s settings) {
	var one Claude // what the gate is, for its reports
	for _, event := range []string{"PermissionRequest", "PreToolUse"} {
		g, h := handlerOf(s, event)
		if h == nil {
			d.say(Fail, "gate_missing", reinstall, "the gate does not answer %s", event)
			continue
		}
		one = d.handler(s, event, g, h)
	}
	for _, event := range []string{"PostToolUse", "PostToolUseFailure", "SessionStart", "SessionEnd"} {
		g, h := handlerOf(s, event)
		if h == nil {
			d.say(Warn, "report_missing", reinstall, "nod is not told of %s, so outcomes stay unknown", event)
			continue
		}
		one.Timeout = 0
		c, exact := installed(s.Text, event, h)
		c.Timeout = 0
		if list := pointerTo([]string{"hooks", event}); oddGroups(list, s.root.at("hooks", event)) != "" {
			d.say(Warn, "report_missing", "mend "+list, "nod is not told of %s: the host leaves its hooks out, because one of them is odd", event)
		}
		if !exact || c != one || !everyTool(s, g) || len(oddMembers(g, "matcher", "hooks")) > 0 {
			d.say(Warn, "report_altered", reinstall, "the hook of %s is not the one that goes with the gate, so outcomes may stay unknown", event)
		}
	}
	for _, want := range (Claude{Managed: s.Scope == Managed}).settings() {
		n := s.root.at(want.path...)
		if n == nil || want.among && find(s.Text, n, want.value) < 0 || !want.among && !same(n.raw(s.Text), want.value) {
			d.say(Fail, "default_open", reinstall, "%s is not %s: the host's own answer is then not always no", pointerTo(want.path), want.value)
		}
	}
}

// handlerOf finds nod's handler of an event with the group it stands in: the
// one that is as installed, else the first that runs nod. Any other handler is
// somebody else's.
func handlerOf(s settings, event string) (group, handler *node) {
	list := s.root.at("hooks", event)
	if list == nil {
		return nil, nil
	}
	for _, g := range list.elements {
		hooks := g.get("hooks")
		if hooks == nil {
			continue
		}
		for _, h := range hooks.elements {
			if _, exact := installed(s.Text, event, h); exact {
				return g, h
			}
			if handler == nil && ours(s.Text, h) {
				group, handler = g, h
			}
		}
	}
	return group, handler
}

func everyTool(s settings, g *node) bool {
	m := g.get("matcher")
	return m == nil || m.string(s.Text) == "*" || m.string(s.Text) == ""
}

// oddMembers names the members of n that are not among known.
func oddMembers(n *node, known ...string) []string {
	var odd []string
	for _, m := range n.members {
		if !slices.Contains(known, m.name) {
			odd = append(odd, m.name)
		}
	}
	return odd
}

// handler looks at one gating handler: what it must be is made anew from what
// its command names, and whatever differs is said. It gives what was named.
func (d *doctor) handler(s settings, event string, g, h *node) Claude {
	before := len(d.findings)
	if !everyTool(s, g) {
		d.say(Fail, "matcher", reinstall, "the gate answers %s only for some tools", event)
	}
	for _, name := range append(oddMembers(g, "matcher", "hooks"), oddMembers(h, "type", "command", "timeout", "onFailure")...) {
		switch name {
		case "if", "async", "asyncRewake", "once":
			d.say(Fail, "conditional", reinstall, "the gate of %s has %q, so that it does not answer every call", event, name)
		default:
			d.say(Fail, "gate_altered", reinstall, "the gate of %s has the member %q, which nod does not write: the host may run something else", event, name)
		}
	}
	if kind := h.get("type").string(s.Text); kind != "command" {
		d.say(Fail, "gate_altered", reinstall, "the gate of %s is of the type %q, not a command", event, kind)
	}
	if h.get("onFailure").string(s.Text) != "block" {
		d.say(Fail, "on_failure", reinstall, "onFailure of %s is not \"block\": a gate that fails lets the call run", event)
	}
	inner, guarded := unguard(h.get("command").string(s.Text))
	if !guarded {
		inner = strings.TrimPrefix(inner, guardHead)
		d.say(Fail, "guard_broken", reinstall, "the command of %s is not guarded: a broken answer lets the call run", event)
	}
	d.timeout(s, event, h, inner)
	c, rest, ok := readCommand(inner)
	switch {
	case !ok:
		word, _, _ := firstWord(inner)
		d.say(Fail, "gate_altered", reinstall, "the command of %s is not the one that nod writes: it begins with the program %q", event, word)
	case guarded && rest != "":
		d.say(Fail, "gate_altered", reinstall, "in the command of %s something follows nod's own: %q", event, rest)
	default:
		d.paths(c)
	}
	if _, exact := installed(s.Text, event, h); !exact && len(d.findings) == before {
		d.say(Fail, "gate_altered", reinstall, "the gate of %s is not the one that nod writes", event)
	}
	return c
}

// paths looks at what the gate's command names: this nod, its configuration and
// its store. A gate of another store asks where nobody looks; another
// configuration has other rules.
func (d *doctor) paths(c Claude) {
	switch {
	case !filepath.IsAbs(c.Binary):
		d.say(Fail, "binary_relative", reinstall, "the gate's program is not named from the root: another one may be run in its place")
	case d.view.Stat == nil:
	default:
		if _, err := d.view.Stat(c.Binary); err != nil {
			d.say(Fail, "binary_missing", reinstall, "the gate's program %q is not there: every call is refused", c.Binary)
		} else if !d.sameFile(c.Binary, d.view.Self) {
			d.say(Fail, "binary_other", reinstall, "the gate runs %q, which is not this nod", c.Binary)
		}
	}
	const look = "run nod install claude-code, or nod doctor with the --config and --store of the gate"
	for _, p := range []struct{ code, what, gate, mine string }{
		{"config_other", "configuration", c.Config, d.view.Config}, {"store_other", "store", c.Store, d.view.Store},
	} {
		if p.mine != "" && !d.sameFile(p.gate, p.mine) {
			d.say(Fail, p.code, look, "the gate uses the %s %q, and this nod uses %q", p.what, p.gate, p.mine)
		}
	}
}

// sameFile reports whether two paths name one file; of files that are not there
// only the names tell.
func (d *doctor) sameFile(a, b string) bool {
	if a == b {
		return true
	}
	if d.view.Stat == nil || !filepath.IsAbs(a) {
		return false
	}
	x, errX := d.view.Stat(a)
	y, errY := d.view.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
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
	_, after, stated := strings.Cut(command, wordsTimeout)
	word, _, _ := strings.Cut(after, " ")
	own, err := time.ParseDuration(strings.TrimSuffix(word, ")"))
	if !stated || err != nil || own != time.Duration(seconds)*time.Second {
		d.say(Fail, "timeout_differs", reinstall, "the gate of %s does not know that the host stops it after %d seconds", event, seconds)
	}
}
