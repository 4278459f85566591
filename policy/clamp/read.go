package clamp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// CodeInvalid is the code of a declaration or record that does not read.
const CodeInvalid = "config.invalid_argument"

// Declaration is what one level states, or what several come to. The zero
// Declaration states nothing.
type Declaration struct{ doc digest.JSON }

// Rule is one rule of denyRules: the name of a rule of the operator's
// configuration, or a whole rule with its name. The name is its identity.
type Rule struct {
	Name     string
	Document digest.JSON // a string, or an object with "name"
}

// Read reads what a level declares: an object of known seats. The rows that Nod
// enforces have closed values, so that none is misspelled and means nothing; what
// is carried for a host is the host's to read. null is not stated. An error is a
// *digest.Error with CodeInvalid.
func Read(raw []byte) (Declaration, error) {
	doc, err := digest.Canonical(raw, digest.Limits{})
	if err != nil || !doc.IsObject() {
		return Declaration{}, invalid("", "clamps are a JSON object")
	}
	for seat, v := range doc.Members() {
		at := "/" + digest.EscapePointer(seat)
		if seat == seatDenyRules {
			if _, err := readRules(v); err != nil {
				return Declaration{}, err
			}
			continue
		}
		i := slices.IndexFunc(rows(), func(r row) bool { return r.seat == seat })
		if i < 0 {
			return Declaration{}, invalid(at, "there is no such clamp")
		}
		if words := rows()[i].words; words != nil && stated(v) && !slices.Contains(words, string(v)) {
			return Declaration{}, invalid(at, "the clamp is one of "+strings.Join(words, ", "))
		}
	}
	return Declaration{doc}, nil
}

// ReadRecord reads what travelled to a child: restricting values, each alone in
// its seat, and rules. Anything else is malformed: an open value, null, another
// member, an empty list.
func ReadRecord(raw []byte) (Declaration, error) {
	d, err := Read(raw)
	if err != nil {
		return Declaration{}, err
	}
	if back := d.Project(); string(back.JSON()) != string(d.doc) {
		for seat, v := range d.doc.Members() {
			if kept, there := back.doc.Member(seat); !there || string(kept) != string(v) {
				return Declaration{}, invalid("/"+digest.EscapePointer(seat), "a clamp record holds restricting values and nothing beside them")
			}
		}
	}
	return d, nil
}

// JSON is the declaration's canonical object.
func (d Declaration) JSON() digest.JSON {
	if d.doc == nil {
		return digest.JSON("{}")
	}
	return d.doc
}

// DenyRules are the rules of the add-only list, in order.
func (d Declaration) DenyRules() []Rule {
	v, _ := d.doc.Member(seatDenyRules)
	rules, _ := readRules(v) // it was read before
	return rules
}

func readRules(v digest.JSON) (rules []Rule, err error) {
	if !stated(v) {
		return nil, nil
	}
	if !v.IsArray() {
		return nil, invalid("/"+seatDenyRules, "denyRules is a list")
	}
	for i, e := range v.Elements() {
		name, ok := e.Text()
		if e.IsObject() {
			named, _ := e.Member("name")
			name, ok = named.Text()
		}
		at := "/" + seatDenyRules + "/" + strconv.Itoa(i)
		if !ok || strings.TrimSpace(name) == "" {
			return nil, invalid(at, "a rule is its name, or an object with one")
		}
		if slices.ContainsFunc(rules, func(r Rule) bool { return r.Name == name }) {
			return nil, invalid(at, "two rules of the list have one name")
		}
		rules = append(rules, Rule{name, e})
	}
	return rules, nil
}

// write makes a declaration of seats; what is not stated is left out.
func write(seats map[string]digest.JSON) Declaration {
	out := map[string]jsontext.Value{}
	for seat, v := range seats {
		if len(v) > 0 {
			out[seat] = jsontext.Value(v)
		}
	}
	doc, err := digest.Write(out)
	if err != nil { // every part was canonical
		return Declaration{}
	}
	return Declaration{doc}
}

func invalid(pointer, sentence string) *digest.Error {
	return &digest.Error{Code: CodeInvalid, Pointer: pointer, Sentence: sentence, Hint: "see docs/spec/policy.md for the clamps and their values"}
}
