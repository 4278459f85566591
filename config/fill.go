package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"nod/descriptor"
)

// filler writes a parsed document into a File. Names match exactly; the
// parser's own filling takes STORE for store, and cannot tell the line.
type filler struct {
	of    string // what the document is, for a sentence
	lines map[string]int
	err   *Error
}

// fault keeps the first fault by line: a reader works from the top.
func (f *filler) fault(code string, steps []string, sentence, hint string) {
	line := f.lines[path(steps...)]
	if f.err == nil || line < f.err.Line {
		f.err = &Error{Code: code, Line: line, Sentence: sentence, Hint: hint}
	}
}

// name writes a key as the operator wrote it, without the numbers of elements.
func name(steps []string) string {
	out := ""
	for _, s := range steps {
		if _, err := strconv.Atoi(s); err == nil {
			continue
		}
		if out != "" {
			out += "."
		}
		out += s
	}
	return strconv.QuoteToGraphic(out)
}

func (f *filler) bad(steps []string, want string) {
	f.fault(CodeBadValue, steps, name(steps)+" is not "+want, "docs/configuration.md shows the form of each value")
}

func (f *filler) fill(into reflect.Value, from any, steps []string) {
	switch into := into.Addr().Interface().(type) {
	case *ThemeChoice:
		f.theme(into, from, steps)
		return
	case *Keys:
		f.keys(into, from, steps)
		return
	case *Denials:
		f.denials(into, from, steps)
		return
	case *descriptor.Legs:
		f.legs(into, from, steps)
		return
	}
	switch into.Kind() {
	case reflect.Struct:
		f.table(into, from, steps)
	case reflect.Map:
		if into.Type().Elem().Kind() == reflect.String {
			f.texts(into, from, steps)
			return
		}
		f.tables(into, from, steps)
	case reflect.Slice:
		f.list(into, from, steps)
	case reflect.String:
		s, ok := from.(string)
		if !ok {
			f.bad(steps, "a text")
			return
		}
		into.SetString(s)
	case reflect.Bool:
		b, ok := from.(bool)
		if !ok {
			f.bad(steps, "true or false")
			return
		}
		into.SetBool(b)
	case reflect.Int64:
		switch into.Type() {
		case reflect.TypeFor[Duration]():
			f.duration(into, from, 1, steps)
			return
		case reflect.TypeFor[Delay]():
			f.duration(into, from, 0, steps)
			return
		}
		n, ok := from.(int64)
		if !ok {
			f.bad(steps, "a whole number")
			return
		}
		into.SetInt(n)
	case reflect.Interface: // one of several types; whoever reads it says which numbers it takes
		switch from.(type) {
		case string, bool, int64, float64:
			into.Set(reflect.ValueOf(from))
		default:
			f.bad(steps, "a text, a number or true or false")
		}
	default:
		f.bad(steps, "a known kind of value")
	}
}

// theme reads a name, or a table of two.
func (f *filler) theme(into *ThemeChoice, from any, steps []string) {
	const want = `a theme's name, or { light = "…", dark = "…" }`
	switch v := from.(type) {
	case string:
		*into = ThemeChoice{Name: v}
		if v == "" {
			f.bad(steps, want)
		}
	case map[string]any:
		light, l := v["light"].(string)
		dark, d := v["dark"].(string)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key != "light" && key != "dark" {
				f.unknown(append(slices.Clone(steps), key), []string{"dark", "light"})
				return
			}
		}
		*into = ThemeChoice{Light: light, Dark: dark}
		if !l || !d || light == "" || dark == "" {
			f.bad(steps, want)
		}
	default:
		f.bad(steps, want)
	}
}

// legs reads a word or a list of words; which words there are package boundary
// says.
func (f *filler) legs(into *descriptor.Legs, from any, steps []string) {
	if word, ok := from.(string); ok {
		*into = descriptor.Legs{Word: word, List: nil}
		if word == "" {
			f.bad(steps, `"per_call" or a list of legs`)
		}
		return
	}
	if _, ok := from.([]any); !ok {
		f.bad(steps, `"per_call" or a list of legs`)
		return
	}
	f.list(reflect.ValueOf(&into.List).Elem(), from, steps)
}

// Bounds of the names and values of keys.
const (
	maxKeys    = 500
	maxKeyName = 64
)

// keys reads bindings; a table in it is a place. Only the form is checked.
func (f *filler) keys(into *Keys, from any, steps []string) {
	table, ok := from.(map[string]any)
	if !ok {
		f.bad(steps, "a table of bindings")
		return
	}
	*into = Keys{}
	put := func(name string, v any, steps []string) {
		key, ok := v.(string)
		switch {
		case !ok || len(key) > maxKeyName:
			f.bad(steps, `a key, as "A" or "ctrl+f"`)
		case name == "" || len(name) > maxKeyName || len(*into) >= maxKeys:
			f.bad(steps, "the name of a binding")
		default:
			if _, twice := (*into)[name]; twice {
				f.bad(steps, "bound once")
				return
			}
			(*into)[name] = key
		}
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		below := append(slices.Clone(steps), name)
		place, ok := table[name].(map[string]any)
		if !ok {
			put(name, table[name], below)
			continue
		}
		for _, intent := range slices.Sorted(maps.Keys(place)) {
			put(name+"."+intent, place[intent], append(slices.Clone(below), intent))
		}
	}
}

func (f *filler) duration(into reflect.Value, from any, least time.Duration, steps []string) {
	const want = `a duration like "90s" or "1h30m"`
	s, ok := from.(string)
	if !ok {
		f.bad(steps, want)
		return
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < least || d%time.Millisecond != 0 {
		f.bad(steps, want)
		return
	}
	into.SetInt(d.Milliseconds())
}

func (f *filler) table(into reflect.Value, from any, steps []string) {
	m, ok := from.(map[string]any)
	if !ok {
		f.bad(steps, "a table")
		return
	}
	fields := map[string]int{}
	for i := range into.NumField() {
		fields[into.Type().Field(i).Tag.Get("toml")] = i
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		below := append(slices.Clone(steps), key)
		if i, known := fields[key]; known {
			f.fill(into.Field(i), m[key], below)
			continue
		}
		f.unknown(below, slices.Sorted(maps.Keys(fields)))
	}
}

func (f *filler) unknown(steps, known []string) {
	hint := "remove it; known here are"
	for _, k := range known {
		hint += " " + k
	}
	f.fault(CodeUnknownKey, steps, name(steps)+" is not a key of "+f.of, hint)
}

// tables fills a table of tables whose names are those that into has already.
func (f *filler) tables(into reflect.Value, from any, steps []string) {
	m, ok := from.(map[string]any)
	if !ok {
		f.bad(steps, "a table")
		return
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		below := append(slices.Clone(steps), key)
		was := into.MapIndex(reflect.ValueOf(key))
		if !was.IsValid() {
			var known []string
			for _, k := range into.MapKeys() {
				known = append(known, k.String())
			}
			slices.Sort(known)
			f.unknown(below, known)
			continue
		}
		next := reflect.New(into.Type().Elem()).Elem()
		next.Set(was)
		f.fill(next, m[key], below)
		into.SetMapIndex(reflect.ValueOf(key), next)
	}
}

// texts fills a table of texts whose names are free.
func (f *filler) texts(into reflect.Value, from any, steps []string) {
	m, ok := from.(map[string]any)
	if !ok {
		f.bad(steps, "a table")
		return
	}
	out := reflect.MakeMapWithSize(into.Type(), len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		s, ok := m[key].(string)
		if !ok {
			f.bad(append(slices.Clone(steps), key), "a text")
			return
		}
		out.SetMapIndex(reflect.ValueOf(key), reflect.ValueOf(s))
	}
	into.Set(out)
}

func (f *filler) list(into reflect.Value, from any, steps []string) {
	var elements []any
	switch v := from.(type) {
	case []any:
		elements = v
	case []map[string]any:
		for _, m := range v {
			elements = append(elements, m)
		}
	default:
		f.bad(steps, "a list")
		return
	}
	out := reflect.MakeSlice(into.Type(), len(elements), len(elements))
	for i, e := range elements {
		f.fill(out.Index(i), e, append(slices.Clone(steps), fmt.Sprint(i)))
	}
	into.Set(out)
}
