package install

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Limits of the host's timeout for the gate, in seconds. Above the largest the
// host counts in 32 bits of milliseconds, and an older one then skips the hook
// (HOSTS §0.2).
const (
	DefaultTimeout = 86400
	minTimeout     = 60
	maxTimeout     = 2147483
)

// reportTimeout is the host's timeout for the hooks that only report, seconds.
const reportTimeout = 10

// Claude says what is installed into Claude Code, and where. All paths are
// absolute.
type Claude struct {
	Settings string // the host's settings file
	Record   string // where what was there before is remembered, in Nod's own directory: a digest of the settings' path is put before its suffix
	Binary   string // nod
	Config   string
	Store    string
	Timeout  int  // seconds the host gives the gate; 0: DefaultTimeout
	Managed  bool // Settings is the host's managed file: hooks and rules of users do not count then
}

func (c Claude) timeout() int {
	if c.Timeout == 0 {
		return DefaultTimeout
	}
	return c.Timeout
}

func (c Claude) check() error {
	for _, p := range []string{c.Settings, c.Record, c.Binary, c.Config, c.Store} {
		if !filepath.IsAbs(p) {
			return &Error{
				Code: CodeNotAbsolute, Sentence: "a path of the installation is not absolute: " + strconv.Quote(p),
				Hint: "name the file from the root: the host runs the hook in any directory",
			}
		}
		if strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }) {
			return &Error{Code: CodeBadPath, Sentence: "a path of the installation has a control character: " + strconv.Quote(p)}
		}
	}
	if t := c.timeout(); t < minTimeout || t > maxTimeout {
		return &Error{
			Code: CodeBadTimeout, Sentence: "the host's timeout must be 60 to 2147483 seconds, not " + strconv.Itoa(t),
			Hint: "leave it out for a day",
		}
	}
	return nil
}

// group is one entry of an event's list in the host's settings.
type group struct {
	Matcher string    `json:"matcher,omitzero"`
	Hooks   []handler `json:"hooks"`
}

type handler struct {
	Type      string `json:"type"`
	Command   string `json:"command"`
	Timeout   int    `json:"timeout"`
	OnFailure string `json:"onFailure,omitzero"`
}

// gate is the handler that decides.
func (c Claude) gate() handler {
	return handler{Type: "command", Command: Guard(c.command()), Timeout: c.timeout(), OnFailure: "block"}
}

// report is the handler that tells nod of what happened.
func (c Claude) report() handler {
	return handler{Type: "command", Command: c.command(), Timeout: reportTimeout}
}

// want is one event with the group that it gets.
type want struct {
	event string
	group jsontext.Value
}

// wants are the hooks of an installation. Only the gate blocks: a report that
// fails must not stop the host.
func (c Claude) wants() []want {
	gate := group{Matcher: "*", Hooks: []handler{c.gate()}}
	report := group{Hooks: []handler{c.report()}}
	onTool := report
	onTool.Matcher = "*"
	var out []want
	for _, w := range []struct {
		event string
		group group
	}{
		{"PreToolUse", gate}, {"PermissionRequest", gate}, {"PostToolUse", onTool}, {"PostToolUseFailure", onTool},
		{"SessionStart", report}, {"SessionEnd", report},
	} {
		out = append(out, want{w.event, encode(w.group)})
	}
	return out
}

// setting is a member that makes a refusal the host's own default.
type setting struct {
	path  []string
	value jsontext.Value
	among bool // the value is one element of the list at path
}

// settings are those members. The host asks before every tool, which no allow
// rule and no permission mode takes back, and refuses at once what it would ask
// about: only a PermissionRequest hook can grant, and the gate is that hook. So
// whatever the gate cannot say ends as a refusal, also when hooks are switched
// off (docs/hosts/claude-code.md). The others keep a session out of the modes
// that ask nothing.
func (c Claude) settings() []setting {
	out := []setting{
		{path: []string{"permissions", "ask"}, value: quoted("*"), among: true},
		{path: []string{"permissions", "denyInsteadOfPrompting"}, value: jsontext.Value("true")},
		{path: []string{"permissions", "disableBypassPermissionsMode"}, value: quoted("disable")},
		{path: []string{"permissions", "disableAutoMode"}, value: quoted("disable")},
	}
	if c.Managed {
		out = append(out,
			setting{path: []string{"allowManagedHooksOnly"}, value: jsontext.Value("true")},
			setting{path: []string{"allowManagedPermissionRulesOnly"}, value: jsontext.Value("true")},
		)
	}
	return out
}

func encode(v any) jsontext.Value {
	b, err := json.Marshal(v)
	if err != nil {
		panic("install: " + err.Error()) // paths are checked before: only strings and numbers here
	}
	return b
}
