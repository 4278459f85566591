package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"nod/boundary"
	"nod/config/rules"
	"nod/digest"
)

// Bounds of values. maxBytes leaves the rest of an ask (at most 4 MiB) to what
// Nod itself writes into it.
const (
	maxTime    = 365 * 24 * hour
	maxPending = 1_000_000
	minBytes   = 1 << 10
	maxBytes   = 3 << 20
	maxDepth   = digest.DefaultMaxDepth
	maxName    = 128
	maxHold    = 24 * hour // a decision's own hold is no longer either
	maxRules   = 1000
	maxTargets = 1000
	maxFilters = 50
)

// check holds the bounds that types alone do not.
func (f *filler) check(c *File) {
	if c.Store != "" && !filepath.IsAbs(c.Store) {
		f.bad([]string{"store"}, "an absolute path")
	}
	f.targets(c)
	f.label(c.Environment.Name, true, "environment", "name")
	f.label(c.Environment.Machine, false, "environment", "machine")
	for g, v := range c.Gateway {
		f.label(v.Agent, true, "gateway", g, "agent")
		f.label(v.Host, false, "gateway", g, "host")
	}
	f.time(c.Defaults.AnswerWithin, second, true, "defaults", "answer_within")
	f.time(c.Defaults.UseWithin, second, true, "defaults", "use_within")
	f.time(c.Defaults.Lease, 10*second, false, "defaults", "lease")
	f.time(c.Defaults.HostLease, 10*second, false, "defaults", "host_lease")
	f.time(c.Defaults.Waiter, 15*second, false, "defaults", "waiter") // renewed every 10 s
	f.time(c.Defaults.Session, minute, false, "defaults", "session")
	if c.Defaults.HoldIrreversible > maxHold {
		f.bad([]string{"defaults", "hold_irreversible"}, `between "0s" and "24h"`)
	}
	f.number(c.Limits.MaxPending, 1, maxPending, "limits", "max_pending")
	f.number(c.Limits.MaxBytes, minBytes, maxBytes, "limits", "max_bytes")
	f.number(c.Limits.MaxDepth, 1, maxDepth, "limits", "max_depth")
	for i, v := range c.Run.Env {
		if !variable(v) || slices.Index(c.Run.Env, v) != i {
			f.bad([]string{"run", "env", strconv.Itoa(i)}, "a list of environment variables' names, each once")
		}
	}
	for _, v := range []string{c.UI.Theme.Name, c.UI.Theme.Light, c.UI.Theme.Dark} {
		if v != "" && !ThemeName(v) {
			f.bad([]string{"ui", "theme"}, "the name of a theme, a to z, 0 to 9 and - only")
		}
	}
	f.calls(&c.UI)
	f.notify(&c.Notify)
	f.policies(c)
	if len(c.Filter) > maxFilters {
		f.bad([]string{"filter"}, fmt.Sprintf("a list of at most %d filters", maxFilters))
	}
	for i, v := range c.Filter {
		f.label(v.Name, true, "filter", strconv.Itoa(i), "name")
		f.label(v.Query, true, "filter", strconv.Itoa(i), "query")
	}
	if len(c.Rule) > maxRules {
		f.bad([]string{"rule"}, fmt.Sprintf("a list of at most %d rules", maxRules))
	}
	for i := range c.Rule {
		f.shorter(i, "answer_within", c.Rule[i].AnswerWithin, c.Defaults.AnswerWithin)
		f.shorter(i, "use_within", c.Rule[i].UseWithin, c.Defaults.UseWithin)
	}
}

// targets holds what says whose calls cross a boundary.
func (f *filler) targets(c *File) {
	if len(c.Targets) > maxTargets {
		f.bad([]string{"targets"}, fmt.Sprintf("a list of at most %d environments", maxTargets))
	}
	for i, v := range c.Targets {
		f.label(v, true, "targets", strconv.Itoa(i))
		if slices.Index(c.Targets, v) != i {
			f.bad([]string{"targets", strconv.Itoa(i)}, "a list of environments' names, each once")
		}
	}
	if _, err := boundary.ParsePosture(c.Posture); err != nil && c.Posture != "" {
		f.bad([]string{"posture"}, `"single_user" or "multi_tenant"`)
	}
}

func (f *filler) label(s string, required bool, steps ...string) {
	if s == "" && !required {
		return
	}
	printable := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
	if s == "" || len(s) > maxName || !printable || strings.TrimSpace(s) != s {
		f.bad(steps, fmt.Sprintf("a name of 1 to %d printable bytes", maxName))
	}
}

// time holds a duration between least and a year. What goes into an ask is
// written there in seconds.
func (f *filler) time(d Duration, least int64, seconds bool, steps ...string) {
	switch {
	case int64(d) < least || int64(d) > maxTime:
		f.bad(steps, fmt.Sprintf(`between "%ds" and "8760h"`, least/second))
	case seconds && d%second != 0:
		f.bad(steps, "a whole number of seconds")
	}
}

func (f *filler) shorter(rule int, key string, d, standard Duration) {
	steps := []string{"rule", strconv.Itoa(rule), key}
	switch {
	case d == 0:
	case d%second != 0:
		f.bad(steps, "a whole number of seconds")
	case d > standard:
		f.fault(CodeBadValue, steps, name(steps)+" is longer than defaults."+key, "a rule may only shorten a time")
	}
}

func (f *filler) number(n, least, most int64, steps ...string) {
	if n < least || n > most {
		f.bad(steps, fmt.Sprintf("between %d and %d", least, most))
	}
}

func variable(s string) bool {
	for i, c := range []byte(s) {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// compile turns the written rules into a set.
func (f *filler) compile(written []Rule) *rules.Set {
	list := make([]rules.Rule, len(written))
	for i, r := range written {
		list[i] = rules.Rule{
			Name: r.Name, Tools: r.Tools, Operation: r.Operation, When: r.When, Verdict: r.Verdict, Why: r.Why,
			AnswerWithinMS: int64(r.AnswerWithin), UseWithinMS: int64(r.UseWithin),
			Line: f.lines[path("rule", strconv.Itoa(i))],
		}
	}
	set, err := rules.Compile(list)
	if err == nil {
		return set
	}
	f.err = &Error{Code: CodeBadRule, Sentence: err.Error(), Hint: "docs/configuration.md describes rules"}
	if e, ok := err.(*rules.Error); ok { //nolint:errorlint // Compile's own type
		f.err.Hint, f.err.Line = e.Hint, e.Line
		i := slices.IndexFunc(list, func(r rules.Rule) bool { return r.Line == e.Line })
		if at := f.lines[path("rule", strconv.Itoa(i), e.Member)]; at > 0 {
			f.err.Line = at
		}
	}
	return nil
}
