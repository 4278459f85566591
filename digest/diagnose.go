package digest

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// diagnose reads a document that is refused once more, slowly, to name the first
// place and cause. Where lossy numbers are lifted they are no cause.
func diagnose(raw []byte, lim Limits, lifting bool) *Error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw))
	for {
		kind := dec.PeekKind()
		if kind == '0' {
			lit, err := dec.ReadValue()
			if err != nil {
				return syntactic(raw, dec, err)
			}
			if !lifting && !lossless(lit) {
				return faultAt(CodeLossyNumber, string(dec.StackPointer()))
			}
		} else if _, err := dec.ReadToken(); err != nil {
			return syntactic(raw, dec, err)
		}
		depth := dec.StackDepth()
		if lim.MaxDepth >= 0 && depth > lim.MaxDepth {
			return faultAt(CodeTooDeep, string(dec.StackPointer()))
		}
		if depth == 0 {
			break
		}
	}
	if len(bytes.TrimLeft(raw[dec.InputOffset():], " \t\r\n")) > 0 {
		return fault(CodeTrailingBytes)
	}
	return fault(CodeBadJSON)
}

// syntactic translates a decoder's error by looking at the text it stopped at.
func syntactic(raw []byte, dec *jsontext.Decoder, err error) *Error {
	var at *jsontext.SyntacticError
	if !errors.As(err, &at) {
		return faultAt(CodeBadJSON, string(dec.StackPointer())) // the text ended
	}
	pointer := string(at.JSONPointer)
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return faultAt(CodeDuplicateMember, pointer)
	}
	rest := raw[min(int(at.ByteOffset), len(raw)):]
	if r, n := utf8.DecodeRune(rest); r == utf8.RuneError && n == 1 {
		return faultAt(CodeBadUTF8, pointer)
	}
	if surrogateEscape(rest) {
		return faultAt(CodeLoneSurrogate, pointer)
	}
	if dec.StackDepth() >= 10_000 {
		return faultAt(CodeTooDeep, pointer)
	}
	return faultAt(CodeBadJSON, pointer)
}

// surrogateEscape reports whether b starts with \ud8.. to \udf...
func surrogateEscape(b []byte) bool {
	return len(b) >= 6 && b[0] == '\\' && b[1] == 'u' && b[2]|0x20 == 'd' &&
		(b[3] == '8' || b[3] == '9' || 'a' <= b[3]|0x20 && b[3]|0x20 <= 'f')
}
