package card

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"nod/digest"
	"nod/digest/visible"
)

// field is a member of a desk page that has one line: writing and reading go by
// the same list of them, so that neither can know a member the other forgets.
type field struct {
	name  string // a stem, or the step of an element's label
	form  fieldForm
	words string // of a closed word
	text  *string
	num   *int64
	flag  *bool
	must  bool // absent is refused
	zero  bool // has a line although it is zero
}

type fieldForm uint8

const (
	asWord   fieldForm = iota // one of field.words
	asCode                    // [a-z_]+
	asID                      // UUIDv7
	asDigest                  // sha256:…
	asName                    // quoted, name mode
	asText                    // quoted, value mode
	asTime                    // Unix milliseconds
	asNumber                  // whole, not negative
	asFlag                    // true or false
)

// timeForm is the one form of a time: always with its milliseconds, so that
// times stand under one another.
const timeForm = "2006-01-02T15:04:05.000Z"

// maxTime is the last millisecond of the year 9999.
const maxTime = 253402300799999

func wordField(name, words string, v *string) field {
	return field{name: name, form: asWord, words: words, text: v}
}

func textField(name string, form fieldForm, v *string) field {
	return field{name: name, form: form, text: v}
}

func digestField(name string, v *digest.Digest) field {
	return field{name: name, form: asDigest, text: (*string)(v)}
}

func numberField(name string, form fieldForm, v *int64) field {
	return field{name: name, form: form, num: v}
}

func flagField(name string, v *bool) field { return field{name: name, form: asFlag, flag: v} }

// needed marks a field that must be stated when.
func (f field) needed(when bool) field {
	f.must = when
	return f
}

// shown marks a field that is also stated when it is zero, when.
func (f field) shown(when bool) field {
	f.zero = when
	return f
}

func (f *field) absent() bool {
	switch {
	case f.text != nil:
		return *f.text == ""
	case f.num != nil:
		return *f.num == 0
	}
	return !*f.flag
}

// valid says whether a value that is stated reads back.
func (f *field) valid() bool {
	switch f.form {
	case asWord:
		return !strings.Contains(*f.text, " ") && strings.Contains(f.words, " "+*f.text+" ")
	case asCode:
		return strings.Trim(*f.text, "abcdefghijklmnopqrstuvwxyz_") == ""
	case asID:
		return digest.ValidID(*f.text)
	case asDigest:
		return digest.Digest(*f.text).Valid()
	case asTime:
		return 0 < *f.num && *f.num <= maxTime
	case asNumber:
		return *f.num >= 0
	case asName, asText:
		return utf8.ValidString(*f.text)
	}
	return true
}

// stated says whether a field has a line; at is the label above it, for an
// error.
func (p *plan) stated(f *field, at ...string) bool {
	absent := f.absent()
	if absent && f.must || !absent && !f.valid() {
		p.refuse(append(at, f.name)...)
	}
	return p.err == nil && (!absent || f.zero)
}

// field ends a line with the value of a field.
func (p *plan) field(l label, f *field) {
	switch f.form {
	case asName:
		p.text(l, visible.Name, *f.text)
	case asText:
		p.text(l, visible.Value, *f.text)
	case asTime:
		p.bare(l, time.UnixMilli(*f.num).UTC().Format(timeForm))
	case asNumber:
		p.bare(l, strconv.FormatInt(*f.num, 10))
	case asFlag:
		p.bare(l, strconv.FormatBool(*f.flag))
	default:
		p.bare(l, *f.text)
	}
}

// set files the text of a line; what it wrongly lets pass is found when the
// page is rendered again.
func (f *field) set(r *reader, text string) bool {
	switch f.form {
	case asName:
		return r.set(f.text, visible.Name, text)
	case asText:
		return r.set(f.text, visible.Value, text)
	case asTime:
		t, err := time.Parse(timeForm, text)
		*f.num = t.UnixMilli()
		return err == nil
	case asNumber:
		n, err := strconv.ParseInt(text, 10, 64)
		*f.num = n
		return err == nil
	case asFlag:
		*f.flag = text == "true"
	default:
		*f.text = text
	}
	return true
}

// named returns the field that has a name, or nil.
func named(fields []field, name string) *field {
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}
