package config

import (
	"strconv"
	"strings"

	"nod/config/rules"
	"nod/descriptor"
	"nod/digest"
)

// File is the configuration file as it is written, one member a key; a member
// that is not written keeps its default. docs/configuration.md has a section
// for each.
type File struct {
	Store       string             `toml:"store"`
	Targets     []string           `toml:"targets"` // environments whose executions arm a session's tree
	Posture     string             `toml:"posture"` // "": not declared
	Environment Environment        `toml:"environment"`
	Gateway     map[string]Gateway `toml:"gateway"`
	Defaults    Defaults           `toml:"defaults"`
	Limits      Limits             `toml:"limits"`
	Run         Run                `toml:"run"`
	Commands    Commands           `toml:"commands"`
	UI          UI                 `toml:"ui"`
	Notify      Notify             `toml:"notify"`
	Clamps      Clamps             `toml:"clamps"`
	Compliance  Compliance         `toml:"compliance"`
	Screening   Screening          `toml:"screening"`
	Keys        Keys               `toml:"keys"`
	Filter      []Filter           `toml:"filter"`
	Rule        []Rule             `toml:"rule"`
}

// Environment is where the actions of this configuration run.
type Environment struct {
	Name    string `toml:"name"`
	Machine string `toml:"machine"` // "": not stated
}

// Gateway names who asks through one gateway.
type Gateway struct {
	Agent string `toml:"agent"`
	Host  string `toml:"host"` // "": not stated
}

// Gateways that the gateway table knows.
const (
	GatewayAsk        = "ask"
	GatewayRun        = "run"
	GatewayClaudeCode = "claude-code"
)

// Duration is a whole number of milliseconds, written as Go writes durations
// ("90s", "1h30m").
type Duration int64

// Delay is a Duration that may be nothing at all ("0s").
type Delay int64

// Defaults are the times of DESIGN §4.
type Defaults struct {
	AnswerWithin Duration `toml:"answer_within"`
	UseWithin    Duration `toml:"use_within"`
	Lease        Duration `toml:"lease"`
	HostLease    Duration `toml:"host_lease"`
	Waiter       Duration `toml:"waiter"`
	Session      Duration `toml:"session"`
	// HoldIrreversible is how long a person's allow of what cannot be taken
	// back waits before it may begin.
	HoldIrreversible Delay `toml:"hold_irreversible"`
}

// Limits bound what a caller may send.
type Limits struct {
	MaxPending int64 `toml:"max_pending"`
	MaxBytes   int64 `toml:"max_bytes"`
	MaxDepth   int64 `toml:"max_depth"`
}

// Run is for nod run.
type Run struct {
	Env []string `toml:"env"` // variables recorded and passed on
}

// Commands is for the plain commands.
type Commands struct {
	// DecideWithoutTerminal lets nod approve, deny and answer work in a script,
	// never for mandated, irreversible or commit asks.
	DecideWithoutTerminal bool `toml:"decide_without_terminal"`
}

// UI is for the console.
type UI struct {
	Theme ThemeChoice `toml:"theme"`
	ASCII bool        `toml:"ascii"`
	// Alert are the ways in which the console calls out of focus (package tui/alert).
	Alert []string `toml:"alert"`
	// SlowBelow is the median time of an answer that is too fast (package tui/pace).
	SlowBelow Duration `toml:"slow_below"`
}

// Notify is who is told that an ask waits (package notify). Without webhooks
// and a command nobody is.
type Notify struct {
	When     string   `toml:"when"` // unwatched or always
	After    []Delay  `toml:"after"`
	Webhooks []string `toml:"webhooks"`
	Command  []string `toml:"command"`
	Env      []string `toml:"env"` // variables passed on to the command
}

// On reports whether anybody is to be told.
func (n *Notify) On() bool { return len(n.Webhooks) > 0 || len(n.Command) > 0 }

// Words of Notify.When.
const (
	NotifyUnwatched = "unwatched"
	NotifyAlways    = "always"
)

// ThemeChoice is one theme by its name, or one for a light background of the
// terminal and one for a dark one. Whether there is such a theme the console
// says: a gate reads no theme.
type ThemeChoice struct{ Name, Light, Dark string }

// Keys gives bindings of the console other keys: a binding's name, or a place,
// a dot and the name, and the key. What the names and keys are package
// tui/keys says.
type Keys map[string]string

// Filter is one [[filter]] of the console's lists; package tui/query gives its
// meaning.
type Filter struct {
	Name  string `toml:"name"`
	Query string `toml:"query"`
}

// FilterFault is a fault of one of the Filters that the console found.
func (c *Config) FilterFault(i int, sentence string) *Error {
	return &Error{Code: CodeBadValue, File: c.Path, Line: c.lines[path("filter", strconv.Itoa(i), "query")],
		Sentence: sentence, Hint: "docs/configuration.md lists the words of a query"}
}

// Rule is one [[rule]]; package rules gives its meaning.
type Rule struct {
	Name         string   `toml:"name"`
	Tools        []string `toml:"tools"`
	Operation    string   `toml:"operation"`
	When         string   `toml:"when"`
	Verdict      string   `toml:"verdict"`
	Why          string   `toml:"why"`
	AnswerWithin Duration `toml:"answer_within"` // 0: not stated
	UseWithin    Duration `toml:"use_within"`
}

// Config is a configuration that was checked and compiled. It is not changed
// after Load.
type Config struct {
	File
	Path   string // of the file; it may not exist
	Found  bool   // whether it does
	rules  *rules.Set
	said   *descriptor.Set // by the operator about tools; nil: nothing
	legs   perCall         // of the tools whose legs depend on the call
	saidIn map[string]string
	lines  map[string]int
	digest digest.Digest
}

// KeyFault is a fault of one of the Keys that the console found, with its line.
func (c *Config) KeyFault(name, code, sentence, hint string) *Error {
	line := c.lines[path("keys", name)]
	if place, intent, ok := strings.Cut(name, "."); ok && line == 0 {
		line = c.lines[path("keys", place, intent)]
	}
	return &Error{Code: code, File: c.Path, Line: line, Sentence: sentence, Hint: hint}
}

// ThemeFault is a fault of the choice of themes that the console found.
func (c *Config) ThemeFault(code, sentence, hint string) *Error {
	return &Error{Code: code, File: c.Path, Line: c.lines[path("ui", "theme")], Sentence: sentence, Hint: hint}
}

const (
	second = 1000
	minute = 60 * second
	hour   = 60 * minute
)

// defaults gives a File with every default filled in.
func defaults() File {
	return File{
		Targets:     []string{},
		Environment: Environment{Name: "local"},
		Gateway: map[string]Gateway{
			GatewayAsk:        {Agent: "ask"},
			GatewayRun:        {Agent: "run"},
			GatewayClaudeCode: {Agent: "claude-code", Host: "claude-code"},
		},
		Defaults: Defaults{
			AnswerWithin: 24 * hour, UseWithin: 10 * minute,
			Lease: 5 * minute, HostLease: hour, Waiter: 30 * second, Session: 24 * hour,
			HoldIrreversible: 30 * second,
		},
		Limits: Limits{MaxPending: 1000, MaxBytes: 1 << 20, MaxDepth: 128},
		Run:    Run{Env: []string{"HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"}},
		UI:     UI{Theme: ThemeChoice{Name: "terminal"}, Alert: []string{"title"}, SlowBelow: 2 * second},
		Notify: Notify{
			When: NotifyUnwatched, After: []Delay{0, 2 * minute, 10 * minute, 30 * minute},
			Webhooks: []string{}, Command: []string{},
			Env: []string{"DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "HOME", "LANG", "PATH", "USER", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"},
		},
		Clamps: Clamps{AutoAllow: true, Grants: clampEnabled, Edits: clampEnabled, DenyRules: []string{},
			MemoryPersistenceCapable: true, Memory: ClampMemory{Enabled: true}},
		Compliance: Compliance{Deny: Denials{}},
		Keys:       Keys{},
	}
}

// Default is the configuration of somebody who wrote none.
func Default() *Config {
	c := &Config{File: defaults()}
	c.rules, _ = rules.Compile(nil) // no rule, no error
	c.digest = c.File.digest(nil)
	return c
}

// Rules are the compiled rules, for tests and replays.
func (c *Config) Rules() *rules.Set { return c.rules }

// Principal gives agent and host names of a gateway (one of the Gateway
// words); a word outside the list names itself.
func (c *Config) Principal(gateway string) Gateway {
	if g, ok := c.Gateway[gateway]; ok {
		return g
	}
	return Gateway{Agent: gateway}
}
