package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"
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
	default:
		f.bad(steps, "a known kind of value")
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
