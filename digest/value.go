package digest

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Write gives the canonical bytes of a Go value with JSON names on its members.
func Write(v any) (JSON, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, refusedValue(err)
	}
	return Canonical(raw, NoLimits())
}

// Read reads one strict JSON document into v, and takes it only if Write gives
// the same document back. So a member that v does not have is refused, and so is
// null in a text's place, or a member that is stated where v would leave it out.
// An error is an *Error.
func Read(raw []byte, v any, lim Limits) error {
	doc, err := Canonical(raw, lim)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(doc, v, json.RejectUnknownMembers(true)); err != nil {
		return refusedValue(err)
	}
	back, err := Write(v)
	if err != nil {
		return err
	}
	if !bytes.Equal(back, doc) {
		return fault(CodeBadValue)
	}
	return nil
}

func refusedValue(err error) *Error {
	code := CodeWrongType
	if errors.Is(err, json.ErrUnknownName) {
		code = CodeUnknownMember
	}
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		return faultAt(code, string(semantic.JSONPointer))
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		return faultAt(CodeBadUTF8, string(syntactic.JSONPointer))
	}
	return fault(code)
}
