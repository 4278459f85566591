package descriptor

import (
	"strings"

	"nod/digest"
)

// maxTyped is how long a value may be that a person types.
const maxTyped = 64

// Confirm gives the value of the arguments that an approver types, as it is
// typed: a text of printable ASCII without blanks around it, or a number. ok is
// false where the descriptor names none, it is not there, or nobody can type it.
func (d *Descriptor) Confirm(arguments digest.JSON) (value string, ok bool) {
	if d.tool.Confirm == "" {
		return "", false
	}
	v, there := digest.Lookup(arguments, d.tool.Confirm)
	if !there {
		return "", false
	}
	switch v[0] {
	case '"':
		if value, ok = v.Text(); !ok {
			return "", false
		}
	case '{', '[', 't', 'f', 'n':
		return "", false
	default:
		value = string(v)
	}
	for i := range len(value) {
		if value[i] < ' ' || value[i] > '~' {
			return "", false
		}
	}
	if value == "" || len(value) > maxTyped || strings.TrimSpace(value) != value {
		return "", false
	}
	return value, true
}
