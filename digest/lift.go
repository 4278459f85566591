package digest

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Lift is Canonical for a gateway whose client cannot send a string (DESIGN §3):
// each number that the guard refuses becomes a string of its exact literal, and
// its RFC 6901 pointer is listed, sorted by Compare. The size limit counts raw.
// Without such a number the result is that of Canonical and the list is nil.
func Lift(raw []byte, lim Limits) (doc JSON, lifted []string, err error) {
	doc, err = Canonical(raw, lim)
	if e, ok := err.(*Error); !ok || e.Code != CodeLossyNumber { //nolint:errorlint // an *Error by contract
		return doc, nil, err
	}
	lim = lim.or(DefaultMaxDepth, DefaultMaxBytes)
	text, lifted, err := quoteLossy(raw, lim)
	if err != nil {
		return nil, nil, err
	}
	doc, err = Canonical(text, Limits{MaxDepth: lim.MaxDepth, MaxBytes: -1})
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(lifted, Compare)
	return doc, lifted, nil
}

// quoteLossy puts quotes around the lossy numbers of raw. All pointers together
// are bounded by the size limit: names repeat in them, so that a small document
// could ask for a huge list.
func quoteLossy(raw []byte, lim Limits) (text []byte, lifted []string, err error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw))
	copied, listed := 0, 0
	for {
		if dec.PeekKind() != '0' {
			if _, err := dec.ReadToken(); err != nil {
				return nil, nil, diagnose(raw, lim, true)
			}
		} else {
			lit, err := dec.ReadValue()
			if err != nil {
				return nil, nil, diagnose(raw, lim, true)
			}
			if !lossless(lit) {
				end := int(dec.InputOffset())
				text = append(text, raw[copied:end-len(lit)]...)
				text = append(text, '"')
				text = append(text, lit...)
				text = append(text, '"')
				copied = end
				pointer := string(dec.StackPointer())
				listed += len(pointer)
				if lim.MaxBytes >= 0 && listed > lim.MaxBytes {
					return nil, nil, fault(CodeTooLarge)
				}
				lifted = append(lifted, pointer)
			}
		}
		if depth := dec.StackDepth(); depth == 0 {
			break
		} else if lim.MaxDepth >= 0 && depth > lim.MaxDepth {
			return nil, nil, faultAt(CodeTooDeep, string(dec.StackPointer()))
		}
	}
	return append(text, raw[copied:]...), lifted, nil
}
