package digest

import "github.com/go-json-experiment/json/jsontext"

// cursor steps through one object or array of canonical bytes. It relies on
// them being canonical: no white space, valid, members unique.
type cursor struct {
	b      []byte
	i      int
	object bool
	key    []byte // quoted name, objects only
	value  []byte
}

func begin(container []byte) cursor {
	return cursor{b: container, i: 1, object: container[0] == '{'}
}

// next moves to the next member or element.
func (c *cursor) next() bool {
	if c.i >= len(c.b)-1 {
		return false
	}
	if c.b[c.i] == ',' {
		c.i++
	}
	if c.object {
		end := afterString(c.b, c.i)
		c.key = c.b[c.i:end]
		c.i = end + 1 // the colon
	}
	end := afterValue(c.b, c.i)
	c.value = c.b[c.i:end:end]
	c.i = end
	return true
}

func (c *cursor) name() string { return unquote(c.key) }

// unquote reads one canonical string token.
func unquote(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	for _, ch := range inner {
		if ch == '\\' {
			// Only bytes that passed Canonical come here, so it cannot fail.
			out, _ := jsontext.AppendUnquote(nil, quoted)
			return string(out)
		}
	}
	return string(inner)
}

// afterValue returns the index behind the canonical value that starts at i.
func afterValue(b []byte, i int) int {
	switch b[i] {
	case '"':
		return afterString(b, i)
	case '{', '[':
		depth := 0
		for i < len(b) {
			switch b[i] {
			case '"':
				i = afterString(b, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
		return i
	}
	for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' {
		i++
	}
	return i
}
