package themes

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

//go:embed *.toml
var files embed.FS

// Names returns the names of the built-in themes, the default one first.
func Names() []string {
	return []string{"terminal", "dark", "light", "mono", "contrast", "catppuccin-latte", "catppuccin-mocha"}
}

// Builtin returns a built-in theme.
func Builtin(name string) (*Theme, error) {
	if !slices.Contains(Names(), name) {
		return nil, &Error{File: name, Problem: fmt.Sprintf("there is no theme %q", name), Hint: "the themes are " + strings.Join(Names(), ", ")}
	}
	data, err := fs.ReadFile(files, name+".toml")
	if err != nil {
		return nil, fmt.Errorf("read the theme %s: %w", name, err)
	}
	return Parse(name+".toml", data)
}

// Error is a fault in a theme file. It has a stable code, one sentence and a
// hint.
type Error struct {
	File    string
	Line    int // 0 when the whole file is meant
	Problem string
	Hint    string
}

// Code is the stable code of every fault of a theme.
func (e *Error) Code() string { return "theme_error" }

// Told gives the operator's words.
func (e *Error) Told() (code, sentence, hint string) { return e.Code(), e.Error(), e.Hint }

// Error returns the sentence, with file and line.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Problem
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem)
}

// styleFile is a role in a theme file.
type styleFile struct {
	FG        *string `toml:"fg"`
	BG        *string `toml:"bg"`
	Bold      bool    `toml:"bold"`
	Underline bool    `toml:"underline"`
	Faint     bool    `toml:"faint"`
	Reverse   bool    `toml:"reverse"`
}

const keysHint = "a role has fg, bg, bold, underline, faint and reverse; a theme has name, background and the roles text, muted, faint, accent, ok, warn, danger, unknown, selection and border"

// Parse reads a theme file; file is its name for errors. Every role has to be
// there, and nothing else may be.
func Parse(file string, data []byte) (*Theme, error) {
	var doc map[string]toml.Primitive
	meta, err := toml.Decode(string(data), &doc)
	if err != nil {
		return nil, asError(file, err)
	}
	fault := func(key toml.Key, problem, hint string) error {
		return &Error{File: file, Line: lineOf(data, key), Problem: problem, Hint: hint}
	}
	t := &Theme{}
	seen := [roles]bool{}
	for _, key := range meta.Keys() {
		if len(key) > 1 {
			continue // with its role
		}
		name := key[0]
		switch name {
		case "name":
			err = meta.PrimitiveDecode(doc[name], &t.Name)
		case "background":
			t.Background, err = decodeColor(meta, doc[name])
		default:
			r, ok := roleOf(name)
			if !ok {
				return nil, fault(key, fmt.Sprintf("%q is no role and no key of a theme", name), keysHint)
			}
			seen[r] = true
			t.styles[r], err = decodeStyle(meta, doc[name])
		}
		var bad *badKey
		switch {
		case errors.As(err, &bad):
			return nil, fault(toml.Key{name, bad.key}, bad.problem, keysHint)
		case err != nil:
			return nil, fault(key, err.Error(), keysHint)
		}
	}
	if un := meta.Undecoded(); len(un) > 0 {
		return nil, fault(un[0], fmt.Sprintf("%q is no key of a role", un[0].String()), keysHint)
	}
	if t.Name == "" {
		return nil, &Error{File: file, Problem: "the theme has no name", Hint: `begin with name = "…"`}
	}
	for r, ok := range seen {
		if !ok {
			return nil, &Error{File: file, Problem: fmt.Sprintf("the role %q is missing", Role(r)), Hint: "an empty table [" + Role(r).String() + "] is the terminal's own text"}
		}
	}
	return t, nil
}

// badKey is a fault of one key of a role.
type badKey struct{ key, problem string }

func (b *badKey) Error() string { return b.problem }

func decodeStyle(meta toml.MetaData, p toml.Primitive) (Style, error) {
	var f styleFile
	if err := meta.PrimitiveDecode(p, &f); err != nil {
		return Style{}, err
	}
	s := Style{Bold: f.Bold, Underline: f.Underline, Faint: f.Faint, Reverse: f.Reverse}
	for _, c := range []struct {
		key  string
		from *string
		to   *Color
	}{{"fg", f.FG, &s.FG}, {"bg", f.BG, &s.BG}} {
		if c.from == nil {
			continue
		}
		v, err := parseColor(*c.from)
		if err != nil {
			return Style{}, &badKey{c.key, err.Error()}
		}
		*c.to = v
	}
	return s, nil
}

func decodeColor(meta toml.MetaData, p toml.Primitive) (Color, error) {
	var s string
	if err := meta.PrimitiveDecode(p, &s); err != nil {
		return Color{}, err
	}
	return parseColor(s)
}

// asError turns a fault of TOML itself into one with its line.
func asError(file string, err error) error {
	e := &Error{File: file, Problem: "it is not TOML: " + err.Error(), Hint: "see the built-in themes for the form"}
	var p toml.ParseError
	if errors.As(err, &p) {
		e.Line, e.Problem = p.Position.Line, "it is not TOML: "+p.Message
	}
	return e
}

// lineOf finds the line of a key: the one that assigns it, in its table. The
// TOML package keeps no places of keys that it could decode.
func lineOf(data []byte, key toml.Key) int {
	table := ""
	found := 0
	for i, raw := range strings.Split(string(data), "\n") {
		line, _, _ := strings.Cut(strings.TrimSpace(raw), "#")
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table = strings.Trim(line, "[] \t\"'")
			if table == key[0] && found == 0 {
				found = i + 1
			}
			if len(key) == 1 && table == key[0] || strings.HasPrefix(table, key[0]+".") && len(key) > 1 {
				return i + 1
			}
			continue
		}
		name, _, ok := strings.Cut(line, "=")
		name = strings.Trim(name, " \t\"'")
		if !ok {
			continue
		}
		if table == "" && (name == key.String() || name == key[0]) || len(key) > 1 && table == key[0] && name == key[1] {
			return i + 1
		}
	}
	return found
}
