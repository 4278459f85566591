package themes

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// File is a theme file of the operator's, as it was read.
type File struct {
	Name string // of the theme: the file's name without .toml
	Path string // for errors
	Text []byte
	Err  error // why there is no text; nil
}

// Set is the built-in themes and the operator's own. It is immutable.
type Set struct {
	own    map[string]*Theme
	broken map[string]error
}

// NewSet reads the operator's files. A file that does not read is no theme of
// the set, and whoever asks for it is told why: a slip in a theme that nobody
// uses must not keep an operator from the console. A file cannot take the
// place of a built-in theme: then "dark" would mean another thing on another
// machine, in a bug report and in the tests of contrast.
func NewSet(files []File) *Set {
	s := &Set{own: map[string]*Theme{}, broken: map[string]error{}}
	for _, f := range files {
		if slices.Contains(Names(), f.Name) {
			s.broken[f.Name+" "+f.Path] = &Error{File: f.Path, Problem: fmt.Sprintf("%q is a built-in theme", f.Name), Hint: "give the file and its name another name"}
			continue
		}
		t, err := (*Theme)(nil), f.Err
		if err == nil {
			t, err = Parse(f.Path, f.Text)
		}
		if err == nil && t.Name != f.Name {
			err = &Error{File: f.Path, Line: lineOf(f.Text, []string{"name"}), Problem: fmt.Sprintf("the theme calls itself %q", t.Name), Hint: fmt.Sprintf("write name = %q, or rename the file", f.Name)}
		}
		if err != nil {
			s.broken[f.Name] = err
			continue
		}
		s.own[f.Name] = t
	}
	return s
}

// Names returns the themes that can be drawn: the built-in ones, the default
// first, then the operator's own by name.
func (s *Set) Names() []string {
	return append(Names(), slices.Sorted(maps.Keys(s.own))...)
}

// Faults returns what is wrong with files that are no theme, by file.
func (s *Set) Faults() []error {
	var out []error
	for _, name := range slices.Sorted(maps.Keys(s.broken)) {
		out = append(out, s.broken[name])
	}
	return out
}

// Theme returns a theme by name; an error is an *Error.
func (s *Set) Theme(name string) (*Theme, error) {
	if t, ok := s.own[name]; ok {
		return t, nil
	}
	if err, ok := s.broken[name]; ok {
		return nil, err
	}
	if slices.Contains(Names(), name) {
		return Builtin(name)
	}
	return nil, &Error{File: name, Problem: fmt.Sprintf("there is no theme %q", name), Hint: "the themes are " + strings.Join(s.Names(), ", ")}
}

// Choice is what an operator wants: one theme by its name, or one for a light
// and one for a dark background. The zero Choice is the default theme.
type Choice struct{ Name, Light, Dark string }

// Pick finds the themes of a choice; an error is an *Error.
func (s *Set) Pick(c Choice) (Pair, error) {
	light, dark := c.Light, c.Dark
	if light == "" || dark == "" {
		light = c.Name
		if light == "" {
			light = Names()[0]
		}
		dark = light
	}
	var p Pair
	var err error
	if p.Light, err = s.Theme(light); err != nil {
		return Pair{}, err
	}
	if p.Dark = p.Light; dark == light {
		return p, nil
	}
	if p.Dark, err = s.Theme(dark); err != nil {
		return Pair{}, err
	}
	return p, nil
}
