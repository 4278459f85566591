package form

import (
	"bytes"
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/digest/visible"
	"nod/tui/frame"
	"nod/tui/say"
)

// maxAnswer bounds an answer in bytes, as the queue does.
const maxAnswer = 64 << 10

// nameCells is how much of a field's name a sentence ends in.
const nameCells = 40

// state is how far a field is.
type state uint8

const (
	unstated state = iota // and it may be left so
	needed                // nothing entered, but it must be
	wrong                 // no value of the schema
	good
)

// given reports whether anything was entered.
func (e *entry) given() bool { return e.stated || e.empty || e.line.Len() > 0 }

// state of field i. A field that an optional group needs is needed once the
// group has anything.
func (f *Form) state(i int) state {
	e := f.entries[i]
	switch {
	case e.value != nil:
		return good
	case e.given():
		return wrong
	case e.required && (e.group < 0 || f.groups[e.group].required || f.begun(e.group)):
		return needed
	}
	return unstated
}

// begun reports whether a field of the group has anything.
func (f *Form) begun(group int) bool {
	for _, e := range f.entries {
		if e.group == group && e.given() {
			return true
		}
	}
	return false
}

// Value is the answer as JSON, numbers with the digits that were typed. When
// ok is false there is none yet, and problem says why in a sentence.
func (f *Form) Value() (value jsontext.Value, problem visible.Text, ok bool) {
	for i, e := range f.entries {
		switch f.state(i) {
		case needed:
			return nil, about(visible.Own("Not yet: an answer is needed"), e), false
		case wrong:
			return nil, about(e.problem, e), false
		}
	}
	if !f.object {
		value = f.entries[0].value
	} else {
		value = f.join()
	}
	if len(value) > maxAnswer {
		return nil, visible.Own("Too long: the answer is larger than 64 KiB; shorten a text."), false
	}
	if doc, err := digest.Canonical(value, digest.Limits{}); err != nil || !meets(f.whole, jsontext.Value(doc)) {
		return nil, visible.Own("Refused: as a whole the answer does not meet the question's schema."), false
	}
	return value, visible.Text{}, true
}

// about names the field at the end of a sentence.
func about(sentence visible.Text, e *entry) visible.Text {
	if e.name == "" {
		return sentence
	}
	name := frame.Cut(visible.Row(quote(e.name)), nameCells, 0, "…")
	return visible.Concat(sentence, visible.Own(" in "), name)
}

// join writes the object, members in canonical order as the fields are.
func (f *Form) join() jsontext.Value {
	var b bytes.Buffer
	b.WriteByte('{')
	member := func(name string) {
		if c := b.Bytes(); c[len(c)-1] != '{' {
			b.WriteByte(',')
		}
		b.WriteString(quote(name))
		b.WriteByte(':')
	}
	for i := 0; i < len(f.entries); {
		g := f.entries[i].group
		if g < 0 {
			if e := f.entries[i]; e.value != nil {
				member(e.name)
				b.Write(e.value)
			}
			i++
			continue
		}
		open := f.groups[g].required || f.begun(g)
		if open {
			member(f.groups[g].name)
			b.WriteByte('{')
		}
		for ; i < len(f.entries) && f.entries[i].group == g; i++ {
			if e := f.entries[i]; e.value != nil {
				member(e.name)
				b.Write(e.value)
			}
		}
		if open {
			b.WriteByte('}')
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}

// settle works out the value of what was entered, or the problem with it.
func (e *entry) settle() {
	e.value, e.problem = nil, visible.Text{}
	if !e.given() {
		return
	}
	value, problem := e.written()
	if problem == "" && !meets(e.check, value) {
		problem = e.why()
	}
	if problem != "" {
		e.problem = visible.Drawn(problem)
		return
	}
	e.value = value
}

// written is what was entered as JSON, before the schema is asked.
func (e *entry) written() (value jsontext.Value, problem string) {
	switch e.kind {
	case kindText:
		return jsontext.Value(quote(e.line.Text())), ""
	case kindNumber, kindWhole:
		value = bytes.TrimSpace([]byte(e.line.Text()))
		if value.Kind() != '0' || !value.IsValid() {
			return nil, "No number: write digits, such as 12, -3 or 0.5"
		}
		if _, err := digest.Canonical(value, digest.Limits{}); err != nil {
			var bad *digest.Error
			if errors.As(err, &bad) && bad.Code == digest.CodeLossyNumber {
				return nil, "Not exact: a reader would change this number; write fewer digits"
			}
			return nil, "No number: it is not written as JSON writes one"
		}
		return value, ""
	case kindSome:
		value = append(value, '[')
		for i, on := range e.marked {
			if on {
				if len(value) > 1 {
					value = append(value, ',')
				}
				value = append(value, e.options[i].value...)
			}
		}
		return append(value, ']'), ""
	}
	for i, on := range e.marked {
		if on {
			return e.options[i].value, ""
		}
	}
	return nil, "Not yet: nothing is chosen"
}

// why names the first rule of the schema that a refused value breaks.
func (e *entry) why() string {
	n := e.schema
	bound := func(name string) (float64, bool) { v, set := n[name]; return number(v), set }
	switch e.kind {
	case kindText:
		have := utf8.RuneCountInString(e.line.Text())
		if least, set := bound("minLength"); set && float64(have) < least {
			return "Too short: " + say.Count(int64(have), "character", "characters") + " of at least " + string(n["minLength"])
		}
		if most, set := bound("maxLength"); set && float64(have) > most {
			return "Too long: " + say.Count(int64(have), "character", "characters") + " of at most " + string(n["maxLength"])
		}
		if n["pattern"] != nil {
			return "Not its form: the text does not match the pattern"
		}
	case kindNumber, kindWhole:
		x := number(jsontext.Value(bytes.TrimSpace([]byte(e.line.Text()))))
		if e.kind == kindWhole && x != float64(int64(x)) && x > -1e18 && x < 1e18 {
			return "Not whole: write a number without a fraction"
		}
		for _, b := range []struct {
			name, says string
			broken     func(x, b float64) bool
		}{
			{"minimum", "Too small: it must be at least ", func(x, b float64) bool { return x < b }},
			{"maximum", "Too large: it must be at most ", func(x, b float64) bool { return x > b }},
			{"exclusiveMinimum", "Too small: it must be more than ", func(x, b float64) bool { return x <= b }},
			{"exclusiveMaximum", "Too large: it must be less than ", func(x, b float64) bool { return x >= b }},
		} {
			if limit, set := bound(b.name); set && b.broken(x, limit) {
				return b.says + string(n[b.name])
			}
		}
		if n["multipleOf"] != nil {
			return "No multiple: it must be a multiple of " + string(n["multipleOf"])
		}
	case kindSome:
		have := 0
		for _, on := range e.marked {
			if on {
				have++
			}
		}
		if least, set := bound("minItems"); set && float64(have) < least {
			return "Too few: " + strconv.Itoa(have) + " marked of at least " + string(n["minItems"])
		}
		if most, set := bound("maxItems"); set && float64(have) > most {
			return "Too many: " + strconv.Itoa(have) + " marked of at most " + string(n["maxItems"])
		}
	}
	return "Refused: the value does not meet the question's schema"
}

// number is the number of a value, 0 for anything else.
func number(v jsontext.Value) float64 {
	var x float64
	if v.Kind() != '0' || json.Unmarshal(v, &x) != nil {
		return 0
	}
	return x
}

// quote writes s as a JSON string.
func quote(s string) string {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		return `""`
	}
	return string(b)
}
