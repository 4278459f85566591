package digest

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Default limits of a document that a caller sends (DESIGN §3). An ask holds an
// action one level down, beside text of Nod's own, so it gets more room; every
// action that passes fits into an ask that passes.
const (
	DefaultMaxDepth    = 128
	DefaultMaxBytes    = 1 << 20
	DefaultAskMaxDepth = DefaultMaxDepth + 1
	DefaultAskMaxBytes = 4 << 20
)

// Limits bound a document before it is understood. A zero member means the
// default of the document that is read; a negative one means no limit.
type Limits struct {
	MaxDepth int // nesting of objects and arrays; a scalar has depth 0
	MaxBytes int // length of the raw text
}

// NoLimits is for reading back what Nod itself wrote after checking it.
// (jsontext still refuses nesting beyond 10,000.)
func NoLimits() Limits { return Limits{MaxDepth: -1, MaxBytes: -1} }

func (l Limits) or(depth, size int) Limits {
	if l.MaxDepth == 0 {
		l.MaxDepth = depth
	}
	if l.MaxBytes == 0 {
		l.MaxBytes = size
	}
	return l
}

// Canonical reads one strict JSON document and returns its RFC 8785 bytes. raw
// is neither kept nor changed. An error is an *Error.
func Canonical(raw []byte, lim Limits) (JSON, error) {
	lim = lim.or(DefaultMaxDepth, DefaultMaxBytes)
	if lim.MaxBytes >= 0 && len(raw) > lim.MaxBytes {
		return nil, fault(CodeTooLarge)
	}
	if !guard(raw, lim.MaxDepth) {
		return nil, diagnose(raw, lim, false)
	}
	out, err := jsontext.AppendFormat(make([]byte, 0, len(raw)), raw,
		jsontext.CanonicalizeRawInts(true),
		jsontext.CanonicalizeRawFloats(true),
		jsontext.ReorderRawObjects(true))
	if err != nil {
		return nil, diagnose(raw, lim, false)
	}
	return out, nil
}

// guard looks at what canonicalising does not refuse: nesting and numbers. It
// needs no grammar: on bad JSON its answer does not matter, because the text is
// refused anyway.
func guard(raw []byte, maxDepth int) bool {
	depth := 0
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '"':
			i = afterString(raw, i)
			continue
		case c == '{' || c == '[':
			depth++
			if maxDepth >= 0 && depth > maxDepth {
				return false
			}
		case c == '}' || c == ']':
			depth--
		case c == '-' || '0' <= c && c <= '9':
			end := afterNumber(raw, i)
			if !lossless(raw[i:end]) {
				return false
			}
			i = end
			continue
		}
		i++
	}
	return true
}

// afterString returns the index behind the string that starts at i, in time
// linear in its length; behind the text if the string does not end.
func afterString(b []byte, i int) int {
	i++
	// Most names and values are short: a plain loop beats two searches.
	for stop := min(len(b), i+16); i < stop; i++ {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			return afterEscapes(b, i)
		}
	}
	return afterEscapes(b, i)
}

func afterEscapes(b []byte, i int) int {
	for i < len(b) {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		quote := i + n
		for i < quote {
			n := bytes.IndexByte(b[i:quote], '\\')
			if n < 0 {
				i = quote
				break
			}
			i += n + 2
		}
		if i == quote {
			return quote + 1
		}
	}
	return len(b)
}

func afterNumber(b []byte, i int) int {
	for i < len(b) {
		switch c := b[i]; {
		case '0' <= c && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
			i++
		default:
			return i
		}
	}
	return i
}
