package digest

import (
	"strings"
	"time"
	"unicode"
)

// Words of the two effect axes (DESIGN §1).
const (
	ClassReversible    = "reversible"
	ClassCompensatable = "compensatable"
	ClassIrreversible  = "irreversible"

	AccessRead       = "read"
	AccessWrite      = "write"
	AccessIdempotent = "idempotent"
)

// MaxUseWithin is the largest number of seconds that a double keeps exactly.
const MaxUseWithin = 1<<53 - 1

// check holds the rules that types alone do not: the same for a document that
// was read and for one that was built.
func (a *Action) check() error {
	if len(a.Arguments) == 0 {
		return fault(CodeMissingMember, "arguments")
	}
	if a.Effect != nil {
		if err := a.Effect.check(); err != nil {
			return within(err, "effect")
		}
	}
	if err := a.Environment.check(); err != nil {
		return within(err, "environment")
	}
	if err := a.checkLifted(); err != nil {
		return within(err, "lifted")
	}
	for i, o := range a.Operands {
		err := o.check()
		if err == nil && i > 0 && Compare(a.Operands[i-1].Name, o.Name) >= 0 {
			err = fault(CodeNotSorted)
		}
		if err != nil {
			return within(withinIndex(err, i), "operands")
		}
	}
	if err := a.Principal.check(); err != nil {
		return within(err, "principal")
	}
	if blank(a.Tool) {
		return fault(CodeBlankTool, "tool")
	}
	return nil
}

// blank reports whether s is empty or white space only (Unicode White_Space).
func blank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) }) < 0
}

// IsLifted reports whether a canonical value may stand where a number was
// lifted: a string that holds a number which strict reading refuses, and nothing
// beside it.
func IsLifted(v JSON) bool {
	if len(v) < 2 || v[0] != '"' {
		return false
	}
	lit := v[1 : len(v)-1]
	return numberLiteral(lit) && !lossless(lit)
}

// checkLifted: each pointer names a string that holds a number the guard
// refuses, because no other value is ever lifted.
func (a *Action) checkLifted() error {
	if len(a.Lifted) == 0 {
		return nil
	}
	for i, v := range lookupAll(a.Arguments, a.Lifted) {
		if i > 0 && Compare(a.Lifted[i-1], a.Lifted[i]) >= 0 {
			return withinIndex(fault(CodeNotSorted), i)
		}
		if !IsLifted(v) {
			return withinIndex(fault(CodeBadLift), i)
		}
	}
	return nil
}

func (p *Principal) check() error {
	if p.Agent == "" {
		return fault(CodeMissingMember, "agent")
	}
	return nil
}

func (e *Environment) check() error {
	if e.Name == "" {
		return fault(CodeMissingMember, "name")
	}
	for i, v := range e.Vars {
		if v.Name == "" {
			return fault(CodeEmptyMember, "vars", "")
		}
		if i > 0 && Compare(e.Vars[i-1].Name, v.Name) >= 0 {
			return fault(CodeNotSorted, "vars", v.Name)
		}
	}
	return nil
}

func (e *Effect) check() error {
	switch e.Class {
	case "", ClassReversible, ClassCompensatable, ClassIrreversible:
	default:
		return fault(CodeBadValue, "class")
	}
	switch e.Access {
	case "", AccessRead, AccessWrite, AccessIdempotent:
	default:
		return fault(CodeBadValue, "access")
	}
	if len(e.Key) > 0 {
		return within(checkKey(e.Key), "key")
	}
	if e.Class == "" && e.Access == "" && e.CommitBoundary == "" {
		return fault(CodeEmptyMember)
	}
	return nil
}

// checkKey holds the shape of DESIGN §5: environment and family, then parts,
// each a non-empty string or (parts only) a whole number.
func checkKey(key JSON) error {
	if key[0] != '[' {
		return fault(CodeWrongType)
	}
	n := 0
	for c := begin(key); c.next(); n++ {
		text := len(c.value) > 2 && c.value[0] == '"'
		if !text && (n < 2 || !whole(c.value)) {
			return withinIndex(fault(CodeBadValue), n)
		}
	}
	if n < 2 {
		return fault(CodeBadValue)
	}
	return nil
}

func whole(v []byte) bool {
	if v[0] == '-' {
		v = v[1:]
	}
	return len(v) > 0 && digitsAt(v, 0) == len(v)
}

func (o *Operand) check() error {
	if o.Name == "" {
		return fault(CodeMissingMember, "name")
	}
	return checkDigest(o.Digest, "digest")
}

func checkDigest(d Digest, member string) error {
	switch {
	case d == "":
		return fault(CodeMissingMember, member)
	case !d.Valid():
		return fault(CodeBadValue, member)
	}
	return nil
}

// checkID holds the form of a UUIDv7: lowercase, version 7, RFC 9562 variant.
func checkID(id, member string) error {
	if id == "" {
		return fault(CodeMissingMember, member)
	}
	if !ValidID(id) {
		return fault(CodeBadValue, member)
	}
	return nil
}

// ValidID reports whether id is a UUIDv7 in its lowercase form (RFC 9562).
func ValidID(id string) bool {
	if len(id) != 36 {
		return false
	}
	for i, c := range []byte(id) {
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		case 14:
			if c != '7' {
				return false
			}
		case 19:
			if !strings.ContainsRune("89ab", rune(c)) {
				return false
			}
		default:
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				return false
			}
		}
	}
	return true
}

// ValidTime reports whether s is RFC 3339 in UTC with whole seconds and "Z".
func ValidTime(s string) bool {
	const layout = "2006-01-02T15:04:05Z"
	t, err := time.Parse(layout, s)
	return err == nil && t.Format(layout) == s
}
