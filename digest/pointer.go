package digest

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// EscapePointer writes one member name as a step of an RFC 6901 pointer.
func EscapePointer(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// unescapePointer undoes EscapePointer; ok is false on a "~" that escapes
// nothing.
func unescapePointer(step string) (name string, ok bool) {
	for i := 0; i < len(step); i++ {
		if step[i] == '~' && (i+1 == len(step) || step[i+1] != '0' && step[i+1] != '1') {
			return "", false
		}
	}
	if !strings.Contains(step, "~") {
		return step, true
	}
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(step), true
}

// Lookup returns the value that an RFC 6901 pointer names inside v ("" is v
// itself); ok is false when it names nothing or is malformed. The result shares
// v's bytes.
func Lookup(v JSON, pointer string) (at JSON, ok bool) {
	at = lookupAll(v, []string{pointer})[0]
	return at, at != nil
}

// lookupAll resolves many pointers in one walk, in time linear in the value and
// the pointers together; nil stands for nothing there.
func lookupAll(v JSON, pointers []string) []JSON {
	out := make([]JSON, len(pointers))
	rest := make([]pending, len(pointers))
	for i, p := range pointers {
		rest[i] = pending{i, p}
	}
	if len(v) > 0 {
		resolve(v, rest, out)
	}
	return out
}

// pending is what is left of pointer number i at some value.
type pending struct {
	i    int
	rest string
}

func resolve(v JSON, todo []pending, out []JSON) {
	deeper := map[string][]pending{}
	for _, p := range todo {
		if p.rest == "" {
			out[p.i] = v
			continue
		}
		if p.rest[0] != '/' {
			continue
		}
		end := strings.IndexByte(p.rest[1:], '/') + 1
		if end == 0 {
			end = len(p.rest)
		}
		if step, ok := unescapePointer(p.rest[1:end]); ok {
			deeper[step] = append(deeper[step], pending{p.i, p.rest[end:]})
		}
	}
	if len(deeper) == 0 || v[0] != '{' && v[0] != '[' {
		return
	}
	n := 0
	for c := begin(v); c.next(); n++ {
		step := strconv.Itoa(n)
		if c.object {
			step = c.name()
		}
		if inside := deeper[step]; inside != nil {
			resolve(c.value, inside, out)
		}
	}
}

// Compare orders two strings by their UTF-16 code units, as RFC 8785 orders
// members; every sorted list of the documents is in this order.
func Compare(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	if i == n {
		return len(a) - len(b)
	}
	for i > 0 && !utf8.RuneStart(a[i]) { // both share the bytes before i
		i--
	}
	x, _ := utf8.DecodeRuneInString(a[i:])
	y, _ := utf8.DecodeRuneInString(b[i:])
	if (x > 0xFFFF) == (y > 0xFFFF) {
		return int(x) - int(y)
	}
	return int(firstUnit(x)) - int(firstUnit(y))
}

// firstUnit is the first UTF-16 code unit of r.
func firstUnit(r rune) rune {
	if r > 0xFFFF {
		high, _ := utf16.EncodeRune(r)
		return high
	}
	return r
}
