package card

import (
	"bytes"
	"strconv"
	"strings"

	"nod/digest"
	"nod/digest/visible"
)

// maxDepth is the nesting that jsontext reads at most.
const maxDepth = 10_000

// json plans a JSON value under a stem. Directly under it, short scalars and
// empty containers come before the other members.
func (p *plan) json(stem string, v digest.JSON) {
	l := p.stem(stem)
	if len(v) == 0 || v[0] != '{' || len(v) == len("{}") {
		p.whole(l, v)
		return
	}
	var later []member
	for i := 0; p.err == nil && i < len(v)-1; {
		name := stringEnd(v, i+1)
		end := valueEnd(v, name+1)
		if name+1 >= end {
			p.fail()
			return
		}
		m := member{p.unquote(v[i+1 : name]), v[name+1 : end]}
		if m.isShort(p) {
			p.whole(p.step(l, m.name), m.value)
		} else {
			later = append(later, m)
		}
		i = end // the comma, or the last brace
	}
	for _, m := range later {
		p.whole(p.step(l, m.name), m.value)
	}
}

// whole plans a JSON value that has the last label, and all of v.
func (p *plan) whole(l label, v []byte) {
	if p.value(l, v, 0, 0) != len(v) {
		p.fail()
	}
}

// value plans the JSON value at v[i:] and returns the index behind it. It goes
// over the bytes once, however deep they are; what is not canonical JSON fails.
func (p *plan) value(l label, v []byte, i, depth int) int {
	if i >= len(v) || depth > maxDepth {
		p.fail()
	}
	if p.err != nil {
		return len(v)
	}
	switch c := v[i]; {
	case c == '"':
		end := stringEnd(v, i)
		p.text(l, visible.Value, p.unquote(v[i:end]))
		return end
	case (c == '{' || c == '[') && i+1 < len(v) && v[i+1] == c+2: // { and }, [ and ]
		from := len(p.texts)
		p.texts = append(p.texts, v[i:i+2]...)
		p.end(l, from)
		return i + 2
	case c == '{':
		for i < len(v) && v[i] != '}' {
			end := stringEnd(v, i+1)
			name := p.unquote(v[min(i+1, end):end])
			if i = p.value(p.step(l, name), v, end+1, depth+1); p.err != nil {
				return len(v)
			}
		}
		return i + 1
	case c == '[':
		p.end(l, len(p.texts))
		head, n := len(p.rows)-1, 0
		for ; i < len(v) && v[i] != ']'; n++ {
			if i = p.value(p.index(l, n), v, i+1, depth+1); p.err != nil {
				return len(v)
			}
		}
		p.rows[head].count = int32(n)
		p.fixed += len(listOf) + len(strconv.Itoa(n))
		return i + 1
	}
	end := valueEnd(v, i)
	p.bare(l, string(v[i:end]))
	return end
}

func (p *plan) fail() {
	if p.err == nil {
		p.err = badAsk()
	}
}

// member is one member of an object directly under a stem.
type member struct {
	name  string
	value []byte
}

func (m member) isShort(p *plan) bool {
	switch m.value[0] {
	case '"':
		// Escapes only make a text longer, by six bytes for one at most.
		return len(m.value) <= 6*shortScalar+2 && isShort(p.unquote(m.value))
	case '{', '[':
		return len(m.value) == len("{}")
	}
	return len(m.value) <= shortScalar
}

// isShort says whether a string comes before the longer members.
func isShort(s string) bool {
	return len(s) <= shortScalar && strings.IndexByte(s, '\n') < 0
}

// unquote reads a string of canonical JSON.
func (p *plan) unquote(quoted []byte) string {
	if len(quoted) < 2 || quoted[0] != '"' {
		p.fail()
		return ""
	}
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner)
	}
	var out strings.Builder
	out.Grow(len(inner))
	for {
		i := bytes.IndexByte(inner, '\\')
		if i < 0 {
			out.Write(inner)
			return out.String()
		}
		out.Write(inner[:i])
		c, n := unescapeJSON(inner[i:])
		if n == 0 {
			p.fail()
			return ""
		}
		out.WriteByte(c)
		inner = inner[i+n:]
	}
}

// unescapeJSON reads the escape at the start of b, one of those that RFC 8785
// writes, and its length, or length zero.
func unescapeJSON(b []byte) (byte, int) {
	if len(b) < 2 {
		return 0, 0
	}
	switch b[1] {
	case '"', '\\':
		return b[1], 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		if len(b) < 6 {
			return 0, 0
		}
		if n, err := strconv.ParseUint(string(b[2:6]), 16, 16); err == nil && n < ' ' {
			return byte(n), 6
		}
	}
	return 0, 0
}

// valueEnd returns the index behind the value at b[i:], at most len(b).
func valueEnd(b []byte, i int) int {
	for depth := 0; i < len(b); {
		switch b[i] {
		case '"':
			i = stringEnd(b, i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // behind a number or word
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return min(i, len(b))
}

// stringEnd returns the index behind the string at b[i:], at most len(b).
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		i += n + 1
		k := 0
		for k < n && b[i-2-k] == '\\' {
			k++
		}
		if k%2 == 0 {
			return i
		}
	}
	return len(b)
}
