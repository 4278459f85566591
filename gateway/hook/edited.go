package hook

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

const sayNoObject = "A person changed the arguments of this call to something that is not a JSON object, which this host cannot run. It did not run; ask again."

// changedInput is the tool's input that an edited action stands for, as the host
// runs it: its arguments, with the numbers that were lifted as they were sent.
// no is a reason why the host cannot run it.
func changedInput(action jsontext.Value) (input jsontext.Value, no string, err error) {
	a, err := digest.ParseAction(action, digest.NoLimits())
	if err != nil {
		return nil, "", fmt.Errorf("read the changed action: %w", err)
	}
	if a.Arguments[0] != '{' {
		return nil, sayNoObject, nil
	}
	input, err = lower(a.Arguments, a.Lifted)
	return input, "", err
}

// lower is the inverse of digest.Lift: the strings at the pointers become the
// numbers that they hold.
func lower(doc digest.JSON, lifted []string) (jsontext.Value, error) {
	if len(lifted) == 0 {
		return jsontext.Value(doc), nil
	}
	var out []byte
	copied := 0
	dec := jsontext.NewDecoder(bytes.NewReader(doc))
	for {
		if dec.PeekKind() == '"' {
			text, err := dec.ReadValue()
			if err != nil {
				return nil, fmt.Errorf("read the changed arguments: %w", err)
			}
			// A member's name has its value's pointer, and stays a string.
			kind, length := dec.StackIndex(dec.StackDepth())
			if name := kind == '{' && length%2 == 1; !name && slices.Contains(lifted, string(dec.StackPointer())) {
				end := int(dec.InputOffset())
				out = append(out, doc[copied:end-len(text)]...)
				if out, err = jsontext.AppendUnquote(out, text); err != nil {
					return nil, fmt.Errorf("read a lifted number: %w", err)
				}
				copied = end
			}
		} else if _, err := dec.ReadToken(); err != nil {
			return nil, fmt.Errorf("read the changed arguments: %w", err)
		}
		if dec.StackDepth() == 0 {
			return append(out, doc[copied:]...), nil
		}
	}
}
