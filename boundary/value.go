package boundary

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

var errTrailing = errors.New("something follows the document")

// members reads one JSON object: its members by name, and the names in order of
// the text. is is false for another JSON value. It is as strict as digest is,
// but for numbers: what a conversation holds need not fit a double.
func members(raw []byte) (at map[string][]byte, names []string, is bool, err error) {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	if d.PeekKind() != '{' {
		if _, err = d.ReadValue(); err == nil {
			err = end(d)
		}
		return nil, nil, false, err
	}
	if _, err = d.ReadToken(); err != nil {
		return nil, nil, false, err
	}
	at = map[string][]byte{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, nil, false, err
		}
		key := name.String()
		v, err := d.ReadValue()
		if err != nil {
			return nil, nil, false, err
		}
		at[key] = bytes.Clone(v)
		names = append(names, key)
	}
	if _, err = d.ReadToken(); err == nil {
		err = end(d)
	}
	return at, names, err == nil, err
}

func end(d *jsontext.Decoder) error {
	_, err := d.ReadToken()
	switch {
	case err == nil:
		return errTrailing
	case errors.Is(err, io.EOF):
		return nil
	}
	return err
}

// elements gives the values of a list of canonical bytes; is is false for
// another value.
func elements(list []byte) (out [][]byte, is bool) {
	d := jsontext.NewDecoder(bytes.NewReader(list))
	if d.PeekKind() != '[' {
		return nil, false
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, false
	}
	for d.PeekKind() != ']' {
		v, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		out = append(out, bytes.Clone(v))
	}
	return out, true
}

// text gives a JSON string's content; is is false for another value.
func text(v []byte) (s string, is bool) {
	if len(v) == 0 || v[0] != '"' {
		return "", false
	}
	out, err := jsontext.AppendUnquote(nil, v)
	return string(out), err == nil
}
