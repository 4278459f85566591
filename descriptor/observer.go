package descriptor

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Observer is a way to see whether the effect of a call happened. Which members
// a kind has, docs/spec/descriptor.md §6 says.
type Observer struct {
	Name   string `toml:"name"`
	Kind   string `toml:"kind"`   // file http command
	Auto   bool   `toml:"auto"`   // runs by itself after a report
	Within string `toml:"within"` // bound in time; "" is 10s

	// Of http: a GET, and which answers mean what.
	URL        string            `toml:"url"`
	Headers    map[string]string `toml:"headers"`
	HeaderFile string            `toml:"header_file"` // more of them, that nobody else can read
	Status     int64             `toml:"status"`      // the one that is read; 0 is 200
	Absent     []int64           `toml:"absent"`      // those that say not_executed

	// Of command.
	Argv []string          `toml:"argv"`
	Env  map[string]string `toml:"env"` // the whole environment

	// Of http and command: how the document is compared.
	Candidates string            `toml:"candidates"` // pointer of a list; "": the document is the candidate
	Same       map[string]string `toml:"same"`       // pointer in the candidate to pointer in the arguments
	DurableAt  string            `toml:"durable_at"`
	DurableIs  any               `toml:"durable_is"`
	Ref        string            `toml:"ref"` // pointer of the provider's reference

	// Of file.
	Path    string `toml:"path"`
	Content string `toml:"content"` // pointer of the text that the file must hold
}

// The kinds of observers.
const (
	KindFile    = "file"
	KindHTTP    = "http"
	KindCommand = "command"
)

// Bounds of an observer.
const (
	maxObservers    = 4
	maxObserverName = 64
	maxURL          = 2048
	maxHeaders      = 16
	maxArgv         = 32
	maxEnv          = 32
	maxAbsent       = 8
	maxSame         = 16
	maxLiteral      = 1024 // of a header, an argument, a variable, a path

	defaultWithin = 10 * time.Second
	minWithin     = 100 * time.Millisecond
	maxWithin     = 60 * time.Second
	defaultStatus = 200
)

func checkObservers(list []Observer, at []string) *Error {
	if len(list) > maxObservers {
		return faultsAt(at)("observer", fmt.Sprintf("a descriptor has at most %d observers", maxObservers), "keep those that see most")
	}
	for i := range list {
		steps := append(slices.Clone(at), "observer", strconv.Itoa(i))
		if err := list[i].check(steps); err != nil {
			return err
		}
		if slices.ContainsFunc(list[:i], func(o Observer) bool { return o.Name == list[i].Name }) {
			return faultsAt(steps)("name", "two observers have one name", "give each its own")
		}
	}
	return nil
}

func (o *Observer) check(at []string) *Error {
	bad := faultsAt(at)
	if len(o.Name) > maxObserverName || !isVisible(o.Name) {
		return bad("name", fmt.Sprintf("an observer wants a name of 1 to %d visible bytes", maxObserverName), `write it like name = "refunds"`)
	}
	if o.Kind != KindFile && o.Kind != KindHTTP && o.Kind != KindCommand {
		return bad("kind", `"kind" is none of file, http, command`, "use one of the three words")
	}
	if _, ok := span(o.Within, minWithin, maxWithin); o.Within != "" && !ok {
		return bad("within", `"within" is no duration between "100ms" and "60s"`, `write it like "10s"`)
	}
	if err := o.checkKind(bad); err != nil {
		return err
	}
	switch o.Kind {
	case KindFile:
		return o.checkFile(bad)
	case KindHTTP:
		if err := o.checkHTTP(bad); err != nil {
			return err
		}
	default:
		if err := o.checkCommand(bad); err != nil {
			return err
		}
	}
	return o.checkDocument(bad)
}

// checkKind refuses members of another kind: nobody would read them.
func (o *Observer) checkKind(bad faults) *Error {
	for _, m := range []struct {
		name, kinds string
		stated      bool
	}{
		{"url", KindHTTP, o.URL != ""}, {"headers", KindHTTP, o.Headers != nil}, {"header_file", KindHTTP, o.HeaderFile != ""},
		{"status", KindHTTP, o.Status != 0}, {"absent", KindHTTP, o.Absent != nil},
		{"argv", KindCommand, o.Argv != nil}, {"env", KindCommand, o.Env != nil},
		{"candidates", "http or command", o.Candidates != ""}, {"same", "http or command", o.Same != nil},
		{"durable_at", "http or command", o.DurableAt != ""}, {"durable_is", "http or command", o.DurableIs != nil},
		{"ref", "http or command", o.Ref != ""},
		{"path", KindFile, o.Path != ""}, {"content", KindFile, o.Content != ""},
	} {
		if m.stated && !strings.Contains(m.kinds, o.Kind) {
			return bad(m.name, fmt.Sprintf("%q belongs to an observer of kind %s", m.name, m.kinds), "remove it, or change kind")
		}
	}
	return nil
}

func (o *Observer) checkFile(bad faults) *Error {
	if at, whole := placeholder(o.Path); whole && !isPlace(at) || !whole && (!isLiteral(o.Path) || !filepath.IsAbs(o.Path)) {
		return bad("path", `"path" is neither an absolute path nor the pointer of one in braces`, `write it like "{/file_path}"`)
	}
	if !isPlace(o.Content) {
		return bad("content", `"content" is not the pointer of the text that the file must hold`, `write it like "/content"`)
	}
	return nil
}

func (o *Observer) checkHTTP(bad faults) *Error {
	if _, why := parseURL(o.URL); why != "" {
		return bad("url", `"url" `+why, `write it like "https://api.example.org/v1/refunds?payment={/payment_id}"`)
	}
	if len(o.Headers) > maxHeaders {
		return bad("headers", fmt.Sprintf("an observer sends at most %d headers", maxHeaders), "leave out what the provider does not need")
	}
	for _, name := range slices.Sorted(maps.Keys(o.Headers)) {
		if !IsHeader(name, o.Headers[name]) {
			return bad("headers", "a header is no name and printable ASCII, or is one that Nod sets itself", `write it like headers = { Accept = "application/json" }`)
		}
	}
	if o.HeaderFile != "" && (!isLiteral(o.HeaderFile) || !filepath.IsAbs(o.HeaderFile)) {
		return bad("header_file", `"header_file" is not an absolute path`, "write the whole path of a file that only you can read")
	}
	if o.Status != 0 && (o.Status < 200 || o.Status > 299) {
		return bad("status", `"status" is not between 200 and 299`, "leave it out where the provider answers 200")
	}
	if len(o.Absent) > maxAbsent {
		return bad("absent", fmt.Sprintf(`"absent" has more than %d numbers`, maxAbsent), "keep those that say it is not there")
	}
	for _, n := range o.Absent {
		if n == int64(o.expected()) || !mayBeAbsent(n) {
			return bad("absent", `"absent" names an answer that does not say that nothing is there`, `write it like absent = [404]`)
		}
	}
	return nil
}

// mayBeAbsent reports whether a status can say that nothing is there. One that
// speaks of the server, the caller's rights or its haste never does.
func mayBeAbsent(status int64) bool {
	switch status {
	case 401, 407, 408, 425, 429:
		return false
	}
	return status >= 200 && status <= 299 || status >= 400 && status <= 499
}

// setHere are the headers that the asking itself sets, or that would change
// whom the question goes to or how much of the answer comes.
var setHere = [...]string{
	"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "te", "trailer", "upgrade", "expect", "range", "keep-alive",
}

// IsHeader reports whether a header may be sent: a name, and printable ASCII.
func IsHeader(name, value string) bool {
	lower := strings.ToLower(name)
	if name == "" || len(name) > maxObserverName || slices.Contains(setHere[:], lower) || strings.HasPrefix(lower, "proxy-") {
		return false
	}
	if strings.Trim(lower, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		return false
	}
	return value != "" && len(value) <= maxLiteral && strings.TrimSpace(value) == value &&
		!strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c > '~' })
}

func (o *Observer) checkCommand(bad faults) *Error {
	if len(o.Argv) == 0 || len(o.Argv) > maxArgv || !isLiteral(o.Argv[0]) || !filepath.IsAbs(o.Argv[0]) {
		return bad("argv", fmt.Sprintf(`"argv" wants a program's absolute path and at most %d arguments`, maxArgv-1), `write it like ["/usr/local/bin/refund-status", "{/payment_id}"]`)
	}
	for _, a := range o.Argv[1:] {
		if at, whole := placeholder(a); whole && !isPlace(at) || !whole && a != "" && !isLiteral(a) {
			return bad("argv", "an argument is neither a text nor one pointer in braces", `write a value of the arguments as an argument of its own, like "{/payment_id}"`)
		}
	}
	if len(o.Env) > maxEnv {
		return bad("env", fmt.Sprintf("a command gets at most %d variables", maxEnv), "leave out what it does not need")
	}
	for _, name := range slices.Sorted(maps.Keys(o.Env)) {
		value := o.Env[name]
		word := strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
		if name == "" || !word || name[0] >= '0' && name[0] <= '9' || value != "" && !isLiteral(value) {
			return bad("env", "a variable is no name and a text", `write it like env = { LANG = "C" }`)
		}
	}
	return nil
}

func (o *Observer) checkDocument(bad faults) *Error {
	switch {
	case o.Candidates != "" && !isPlace(o.Candidates):
		return bad("candidates", `"candidates" is not the pointer of a list`, `write it like "/data"`)
	case len(o.Same) == 0 || len(o.Same) > maxSame:
		return bad("same", fmt.Sprintf(`"same" wants 1 to %d values that are compared`, maxSame), `write it like same = { "/amount" = "/amount" }`)
	case o.DurableAt != "" && !isPlace(o.DurableAt):
		return bad("durable_at", `"durable_at" is not the pointer of one value`, `write it like "/status"`)
	case (o.DurableAt == "") != (o.DurableIs == nil):
		return bad("durable_at", `"durable_at" and "durable_is" do not stand together`, "state both, or none")
	case o.DurableIs != nil && scalar(o.DurableIs) == nil:
		return bad("durable_is", `"durable_is" is no text, number or boolean that can be compared`, `write it like "succeeded"`)
	case o.Ref != "" && !isPlace(o.Ref):
		return bad("ref", `"ref" is not the pointer of one value`, `write it like "/id"`)
	}
	for _, seen := range slices.Sorted(maps.Keys(o.Same)) {
		if !isPlace(seen) || !isPlace(o.Same[seen]) {
			return bad("same", "what is compared is not the pointers of two values", `write it like same = { "/amount" = "/amount" }`)
		}
	}
	return nil
}

func (o *Observer) clone() Observer {
	c := *o
	c.Headers, c.Env, c.Same = maps.Clone(o.Headers), maps.Clone(o.Env), maps.Clone(o.Same)
	c.Absent, c.Argv = slices.Clone(o.Absent), slices.Clone(o.Argv)
	return c
}

// Observers gives the observers in the order of the descriptor.
func (d *Descriptor) Observers() []Observer {
	var out []Observer
	for i := range d.tool.Observer {
		out = append(out, d.tool.Observer[i].clone())
	}
	return out
}

// Observer gives the observer of this name; nil for none.
func (d *Descriptor) Observer(name string) *Observer {
	for i := range d.tool.Observer {
		if d.tool.Observer[i].Name == name {
			o := d.tool.Observer[i].clone()
			return &o
		}
	}
	return nil
}

// Limit bounds the observer in time.
func (o *Observer) Limit() time.Duration {
	if ms, ok := span(o.Within, minWithin, maxWithin); ok {
		return time.Duration(ms) * time.Millisecond
	}
	return defaultWithin
}

func (o *Observer) expected() int {
	if o.Status == 0 {
		return defaultStatus
	}
	return int(o.Status)
}
