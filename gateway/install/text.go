package install

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// node is a JSON value and where it stands in its text.
type node struct {
	start, end int // of the value's text
	kind       jsontext.Kind
	members    []member // of an object
	elements   []*node  // of an array
}

type member struct {
	name     string
	keyStart int
	value    *node
}

// parse reads strict JSON: no comments, no duplicate members, UTF-8. Numbers of
// any size pass; they are not touched.
func parse(text []byte) (*node, error) {
	if _, _, err := digest.Lift(text, digest.NoLimits()); err != nil {
		return nil, &Error{
			Code: CodeNotJSON, Sentence: "the settings are not plain JSON", Err: err,
			Hint: "the host's settings must be one JSON object without comments; mend the file and try again",
		}
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(text))
	return parseValue(dec, text)
}

func parseValue(dec *jsontext.Decoder, text []byte) (*node, error) {
	kind := dec.PeekKind()
	n := &node{kind: kind, start: skipTo(text, int(dec.InputOffset()))}
	switch kind {
	case '{':
		if _, err := dec.ReadToken(); err != nil {
			return nil, err
		}
		for dec.PeekKind() == '"' {
			m := member{keyStart: skipTo(text, int(dec.InputOffset()))}
			name, err := dec.ReadToken()
			if err != nil {
				return nil, err
			}
			m.name = name.String()
			if m.value, err = parseValue(dec, text); err != nil {
				return nil, err
			}
			n.members = append(n.members, m)
		}
		_, err := dec.ReadToken()
		n.end = int(dec.InputOffset())
		return n, err
	case '[':
		if _, err := dec.ReadToken(); err != nil {
			return nil, err
		}
		for dec.PeekKind() != ']' {
			e, err := parseValue(dec, text)
			if err != nil {
				return nil, err
			}
			n.elements = append(n.elements, e)
		}
		_, err := dec.ReadToken()
		n.end = int(dec.InputOffset())
		return n, err
	}
	_, err := dec.ReadValue()
	n.end = int(dec.InputOffset())
	return n, err
}

// skipTo is the index of the next value behind i: over blanks, commas, colons.
func skipTo(text []byte, i int) int {
	for i < len(text) && strings.IndexByte(" \t\r\n,:", text[i]) >= 0 {
		i++
	}
	return i
}

// get returns the member called name; nil without one.
func (n *node) get(name string) *node {
	for _, m := range n.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// at follows names down through objects; nil where one is not there.
func (n *node) at(names ...string) *node {
	for _, name := range names {
		if n = n.get(name); n == nil {
			return nil
		}
	}
	return n
}

// raw is the value's own text.
func (n *node) raw(text []byte) jsontext.Value { return jsontext.Value(text[n.start:n.end]) }

// string is a JSON string's text; "" for anything else.
func (n *node) string(text []byte) string {
	if n == nil || n.kind != '"' {
		return ""
	}
	s, err := jsontext.AppendUnquote(nil, n.raw(text))
	if err != nil {
		return ""
	}
	return string(s)
}
