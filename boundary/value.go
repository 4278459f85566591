package boundary

import (
	"bytes"
	"errors"
	"io"
	"nod/digest"

	"github.com/go-json-experiment/json/jsontext"
)

var errTrailing = errors.New("something follows the document")

// members reads one JSON object: its members by name, and the names in order of
// the text. is is false for another JSON value. It is as strict as digest is,
// but for numbers: what a conversation holds need not fit a double.
func members(raw []byte) (at map[string]digest.JSON, names []string, is bool, err error) {
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
	at = map[string]digest.JSON{}
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
		at[key] = digest.JSON(bytes.Clone(v))
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
