package install

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// layout is how a text is laid out, so that what is added looks like the rest.
type layout struct {
	unit    string // one level of indentation
	newline string
	compact bool // the whole text is on one line
}

func layoutOf(text []byte) layout {
	l := layout{unit: "  ", newline: "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		l.newline = "\r\n"
	}
	body := bytes.TrimSpace(text)
	l.compact = !bytes.Contains(body, []byte("\n")) && len(body) > len("{}")
	for line := range bytes.Lines(text) {
		rest := bytes.TrimLeft(line, " \t")
		if indent := line[:len(line)-len(rest)]; len(indent) > 0 && len(bytes.TrimSpace(rest)) > 0 {
			l.unit = string(indent)
			break
		}
	}
	return l
}

// lineIndent is the white space that starts the line in which i stands.
func lineIndent(text []byte, i int) string {
	line := text[bytes.LastIndexByte(text[:i], '\n')+1 : i]
	rest := bytes.TrimLeft(line, " \t")
	return string(line[:len(line)-len(rest)])
}

// insert adds one entry (a member's `"name": value`, or an element) at the end
// of a container and returns the new text.
func insert(text []byte, c *node, name string, value jsontext.Value) []byte {
	l := layoutOf(text)
	last, first := -1, -1
	if n := len(c.members); n > 0 {
		first, last = c.members[0].keyStart, c.members[n-1].value.end
	} else if n := len(c.elements); n > 0 {
		first, last = c.elements[0].start, c.elements[n-1].end
	}
	oneLine := l.compact || last >= 0 && !bytes.Contains(text[c.start:c.end], []byte("\n"))
	base := lineIndent(text, c.start)
	inner := base + l.unit
	if last >= 0 && !oneLine {
		inner = lineIndent(text, first)
	}
	var b strings.Builder
	if last >= 0 {
		b.WriteString(",")
	}
	switch {
	case !oneLine:
		b.WriteString(l.newline + inner)
	case last >= 0:
		b.WriteString(" ")
	}
	if c.kind == '{' {
		b.Write(quoted(name))
		b.WriteString(": ")
	}
	b.WriteString(l.render(value, inner, oneLine))
	if last < 0 {
		if !oneLine {
			b.WriteString(l.newline + base)
		}
		return splice(text, c.start+1, c.end-1, b.String())
	}
	return splice(text, last, last, b.String())
}

// replace puts a value in another's place.
func replaceValue(text []byte, n *node, value jsontext.Value) []byte {
	l := layoutOf(text)
	oneLine := l.compact || !bytes.Contains(text[n.start:n.end], []byte("\n"))
	return splice(text, n.start, n.end, l.render(value, lineIndent(text, n.start), oneLine))
}

// render lays a value out whose first line begins behind indent.
func (l layout) render(value jsontext.Value, indent string, oneLine bool) string {
	v := value.Clone()
	if oneLine {
		if err := v.Compact(); err != nil {
			return string(value) // not reached: the value is the installer's own
		}
		return string(v)
	}
	if err := v.Indent(jsontext.WithIndentPrefix(indent), jsontext.WithIndent(l.unit)); err != nil {
		return string(value) // as above
	}
	return strings.ReplaceAll(string(v), "\n", l.newline)
}

// removeMember takes a member out of an object, and its comma.
func removeMember(text []byte, c *node, i int) []byte {
	switch {
	case len(c.members) == 1:
		return splice(text, c.start+1, c.end-1, "")
	case i == len(c.members)-1:
		return splice(text, c.members[i-1].value.end, c.members[i].value.end, "")
	default:
		return splice(text, c.members[i].keyStart, c.members[i+1].keyStart, "")
	}
}

// removeElement takes an element out of an array, and its comma.
func removeElement(text []byte, c *node, i int) []byte {
	switch {
	case len(c.elements) == 1:
		return splice(text, c.start+1, c.end-1, "")
	case i == len(c.elements)-1:
		return splice(text, c.elements[i-1].end, c.elements[i].end, "")
	default:
		return splice(text, c.elements[i].start, c.elements[i+1].start, "")
	}
}

func splice(text []byte, from, to int, with string) []byte {
	return slices.Concat(text[:from], []byte(with), text[to:])
}

func quoted(s string) jsontext.Value {
	b, _ := jsontext.AppendQuote(nil, s) //nolint:errcheck // reports only replaced bytes
	return b
}
