package cli

import (
	"context"
	"fmt"
	"os"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"golang.org/x/term"

	"nod/config"
	"nod/digest"
	"nod/queue"
)

// app is one run of the command line: the world and the flags every command
// has.
type app struct {
	World
	configFlag string
	storeFlag  string
	json       bool
	screen     screen
	plain      bool // ASCII only, by the configuration or a dumb terminal
}

// load reads the configuration. gate ignores XDG_*, HOME and PATH: what an
// agent's environment says must not move Nod's own files (DESIGN §10).
func (a *app) load(gate bool) (*config.Config, config.Paths, error) {
	given := config.Given{Config: a.configFlag, Store: a.storeFlag}
	paths, err := config.ConsolePaths(given, a.env, a.Person.Home)
	if gate {
		paths, err = config.GatePaths(given, a.Person.Home)
	}
	if err != nil {
		return nil, paths, err
	}
	c, err := config.Load(paths.Config, a.Person.UID)
	if err != nil {
		return nil, paths, err
	}
	a.plain = c.UI.ASCII || a.env("TERM") == "dumb"
	return c, paths.With(c), nil
}

// open opens the store the configuration names.
func (a *app) open(ctx context.Context, c *config.Config, paths config.Paths) (Store, error) {
	return a.Open(ctx, Opening{Path: paths.Store, Create: true, Settings: c.Settings()})
}

// operator opens the store for the person at the keyboard; the caller closes.
func (a *app) operator(ctx context.Context, way string) (queue.Port, func(), error) {
	port, _, done, err := a.configured(ctx, way)
	return port, done, err
}

// configured is operator with the configuration that it was opened by.
func (a *app) configured(ctx context.Context, way string) (queue.Port, *config.Config, func(), error) {
	c, paths, err := a.load(false)
	if err != nil {
		return nil, nil, nil, err
	}
	st, err := a.open(ctx, c, paths)
	if err != nil {
		return nil, nil, nil, err
	}
	return st.Port(a.person(way)), c, func() { _ = st.Close() }, nil
}

// person is the connection of the person who runs the command.
func (a *app) person(way string) queue.Conn {
	return queue.Conn{Principal: digest.Principal{Agent: "operator", User: a.Person.Name}, Role: queue.RoleOperator, Way: way}
}

// requester is the connection of a gateway's caller.
func (a *app) requester(c *config.Config, gateway, way string) queue.Conn {
	g := c.Principal(gateway)
	return queue.Conn{
		Principal:   digest.Principal{Agent: g.Agent, User: a.Person.Name, Host: g.Host},
		Environment: c.Environment.Name, Machine: c.Environment.Machine,
		Role: queue.RoleRequester, Way: way,
	}
}

// env looks a variable up in the passed environment.
func (a *app) env(name string) string {
	for i := len(a.Environ) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(a.Environ[i], "="); ok && k == name {
			return v
		}
	}
	return ""
}

// terminal reports whether a person's terminal is on both ends.
func (a *app) terminal() (*os.File, bool) {
	in, ok := a.Stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return nil, false
	}
	out, ok := a.Stdout.(*os.File)
	return in, ok && term.IsTerminal(int(out.Fd()))
}

// printf writes to standard output.
func (a *app) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(a.Stdout, format, args...)
	return err
}

// printJSON writes one JSON value on one line.
func (a *app) printJSON(v any) error {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return a.printf("%s\n", asciiJSON(b))
}

// asciiJSON writes the same JSON in ASCII, so that no character of an ask
// reaches a terminal as itself. Outside ASCII JSON has only strings.
func asciiJSON(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for _, r := range string(b) {
		switch {
		case r < utf8.RuneSelf && r != 0x7f:
			out = append(out, byte(r))
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, "\\u%04x\\u%04x", hi, lo)
		default:
			out = fmt.Appendf(out, "\\u%04x", r)
		}
	}
	return out
}

// say prints v as JSON when asked for, else the sentence.
func (a *app) say(v any, format string, args ...any) error {
	if a.json {
		return a.printJSON(v)
	}
	return a.printf(format+"\n", args...)
}
