package descriptor

import (
	"strconv"

	"nod/digest"
)

// Read gives the readings of the arguments (canonical JSON), in the order of
// the descriptor. A place where nothing is has none.
func (d *Descriptor) Read(arguments digest.JSON) []digest.Reading {
	var out []digest.Reading
	for i := range d.tool.Reading {
		r := &d.tool.Reading[i]
		for _, p := range find(arguments, r.At) {
			out = append(out, digest.Reading{Pointer: p.pointer, Text: r.text(&p, arguments)})
		}
	}
	return out
}

func (r *Reading) text(p *place, arguments digest.JSON) string {
	if p.many {
		return "not read: more than " + strconv.Itoa(maxPlaces) + " values"
	}
	switch r.As {
	case AsMoney:
		return r.money(p, arguments)
	case AsTime:
		return moment(p.value, r.Unit)
	default:
		return r.name(p.value)
	}
}

// name looks a string up, or a whole number by its digits.
func (r *Reading) name(v digest.JSON) string {
	key, ok := v.Text()
	if !ok {
		if !whole(v) {
			return "no name: neither a text nor a whole number"
		}
		key = string(v)
	}
	if name, known := r.Names[key]; known {
		return name
	}
	return "no name: the descriptor has none for this value"
}

// whole reports whether v is written as a whole number: digits and at most a
// minus, without point or exponent, not -0.
func whole(v digest.JSON) bool {
	digits := v
	if len(v) > 0 && v[0] == '-' {
		digits = v[1:]
	}
	if len(digits) == 0 || digits[0] == '0' && len(v) > 1 {
		return false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
