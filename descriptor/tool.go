package descriptor

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"nod/digest"
)

// Tool is one descriptor as the operator writes it. A zero member is not
// stated.
type Tool struct {
	Name    string    `toml:"name"`    // exactly the tool's
	Class   string    `toml:"class"`   // reversible compensatable irreversible
	Access  string    `toml:"access"`  // read idempotent write
	Confirm string    `toml:"confirm"` // pointer of the value that an approver types
	Reading []Reading `toml:"reading"`

	Capability string `toml:"capability"` // that compliance may deny; which words there are package policy says

	Legs         Legs   `toml:"legs"`          // how its calls cross (package boundary)
	LegsExpr     string `toml:"legs_expr"`     // of per_call: an expression over the call that gives them
	BoundaryFlow string `toml:"boundary_flow"` // engine: the engine walks it itself, and it has no legs

	Declaration string `toml:"declaration"` // of its effect, where a policy is attached: JSON, docs/spec/policy.md §2

	Effect   Effect     `toml:"effect"`
	Observer []Observer `toml:"observer"`
}

// Reading says how to read one place of the arguments.
type Reading struct {
	At       string            `toml:"at"`       // pointer; a step * is every element of a list
	As       string            `toml:"as"`       // money name time
	Currency string            `toml:"currency"` // money: a code, or the pointer of one
	Names    map[string]string `toml:"names"`    // name: value to what it is called
	Unit     string            `toml:"unit"`     // time: s or ms since 1970
}

// The words of as and unit.
const (
	AsMoney = "money"
	AsName  = "name"
	AsTime  = "time"

	UnitSeconds      = "s"
	UnitMilliseconds = "ms"
)

// Bounds of a descriptor.
const (
	maxToolName = 256
	maxReadings = 32
	maxNames    = 10_000
	maxKey      = 256
	maxText     = 240

	maxDeclaration = 16 << 10
)

// Error is a descriptor that is not used. Steps lead to the member at fault
// below the list of tools ("0", "reading", "1", "at").
type Error struct {
	Steps    []string
	Sentence string
	Hint     string
}

func (e *Error) Error() string { return e.Sentence }

// faults makes errors of the members of one table.
type faults func(member, sentence, hint string) *Error

func faultsAt(at []string) faults {
	return func(member, sentence, hint string) *Error {
		return &Error{Steps: append(slices.Clone(at), member), Sentence: sentence, Hint: hint}
	}
}

// check holds one tool against the rules of docs/spec/descriptor.md.
func (t *Tool) check(at []string) *Error {
	bad := faultsAt(at)
	switch {
	case !strings.ContainsFunc(t.Name, func(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) }),
		!utf8.ValidString(t.Name), len(t.Name) > maxToolName:
		return bad("name", fmt.Sprintf("a descriptor wants the tool's name, 1 to %d bytes", maxToolName), `write name = "…", exactly as the card shows the tool`)
	case t.Class != "" && rank(classes[:], t.Class) < 0:
		return bad("class", `"class" is none of reversible, compensatable, irreversible`, "use one of the three words, or leave it out")
	case t.Access != "" && rank(accesses[:], t.Access) < 0:
		return bad("access", `"access" is none of read, idempotent, write`, "use one of the three words, or leave it out")
	case t.Confirm != "" && !isPlace(t.Confirm):
		return bad("confirm", `"confirm" is not the pointer of one value`, `write it like "/payment_id"`)
	case len(t.Reading) > maxReadings:
		return bad("reading", fmt.Sprintf("a descriptor has at most %d readings", maxReadings), "leave out what nobody reads")
	case t.Class == "" && t.Access == "" && t.Confirm == "" && t.Capability == "" && len(t.Reading) == 0 && !t.crosses() && t.Declaration == "" && !t.Effect.stated() && len(t.Observer) == 0:
		return bad("name", "a descriptor says nothing about its tool", "state class, access, confirm, capability, legs, a reading, an effect or an observer")
	}
	if err := t.checkLegs(bad); err != nil {
		return err
	}
	if t.Declaration != "" {
		if _, err := digest.Canonical([]byte(t.Declaration), digest.Limits{MaxBytes: maxDeclaration}); err != nil || len(t.Declaration) > maxDeclaration {
			return bad("declaration", `"declaration" is no JSON document of at most 16 KiB`, "write it as docs/policy.md shows")
		}
	}
	for i := range t.Reading {
		r := &t.Reading[i]
		steps := append(slices.Clone(at), "reading", strconv.Itoa(i))
		if err := r.check(steps); err != nil {
			return err
		}
		if slices.ContainsFunc(t.Reading[:i], func(o Reading) bool { return o.At == r.At }) {
			return &Error{Steps: append(steps, "at"), Sentence: "two readings are of one place", Hint: "keep one of them"}
		}
	}
	if err := t.Effect.check(append(slices.Clone(at), "effect")); err != nil {
		return err
	}
	return checkObservers(t.Observer, at)
}

func (r *Reading) check(at []string) *Error {
	bad := faultsAt(at)
	if !isPointer(r.At) {
		return bad("at", `"at" is not a pointer into the arguments`, `write it like "/amount" or "/items/*/price"`)
	}
	if r.As != AsMoney && r.As != AsName && r.As != AsTime {
		return bad("as", `"as" is none of money, name, time`, "use one of the three words")
	}
	for _, m := range []struct {
		name, as string
		stated   bool
	}{
		{"currency", AsMoney, r.Currency != ""}, {"names", AsName, r.Names != nil}, {"unit", AsTime, r.Unit != ""},
	} {
		if m.stated && r.As != m.as {
			return bad(m.name, strconv.Quote(m.name)+" belongs to a reading as "+m.as, "remove it, or change as")
		}
	}
	switch r.As {
	case AsMoney:
		if pointer := strings.HasPrefix(r.Currency, "/"); pointer && !below(r.Currency, r.At) || !pointer && minorDigits(r.Currency) < 0 {
			return bad("currency", `"currency" is neither a code of ISO 4217 nor the pointer of one`,
				`write it like "EUR" or "/currency"; a * must stand where "at" has it`)
		}
	case AsName:
		return r.checkNames(bad)
	case AsTime:
		if r.Unit != UnitSeconds && r.Unit != UnitMilliseconds {
			return bad("unit", `"unit" is neither s nor ms`, "say in what the time is counted")
		}
	}
	return nil
}

func (r *Reading) checkNames(bad faults) *Error {
	if len(r.Names) == 0 || len(r.Names) > maxNames {
		return bad("names", fmt.Sprintf(`"names" wants 1 to %d names`, maxNames), `write it like names = { "C-20417" = "Example Ltd" }`)
	}
	for _, key := range slices.Sorted(maps.Keys(r.Names)) {
		text := r.Names[key]
		if key == "" || len(key) > maxKey || !utf8.ValidString(key) || !isText(text) {
			return bad("names", fmt.Sprintf("a name is 1 to %d printable bytes, for a value of 1 to %d bytes", maxText, maxKey), "shorten it, and write no controls")
		}
	}
	return nil
}

// isText reports whether s is 1 to maxText printable bytes without a blank at
// either end.
func isText(s string) bool {
	return s != "" && len(s) <= maxText && utf8.ValidString(s) && strings.TrimSpace(s) == s &&
		!strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsPrint(c) })
}

// The words of the two axes, the loosest first (DESIGN §1; SEED-TABLES §3 reads
// idempotent like write, so that it is the stricter of the two against read).
var (
	classes  = [...]string{digest.ClassReversible, digest.ClassCompensatable, digest.ClassIrreversible}
	accesses = [...]string{digest.AccessRead, digest.AccessIdempotent, digest.AccessWrite}
)

func rank(words []string, word string) int { return slices.Index(words, word) }

// Stricter gives class and access of an effect that two describe: of each the
// stricter word, "" being no statement. It is how a caller's statement can
// raise a descriptor's and never lower it.
func Stricter(class, access, otherClass, otherAccess string) (string, string) {
	if rank(classes[:], otherClass) > rank(classes[:], class) {
		class = otherClass
	}
	if rank(accesses[:], otherAccess) > rank(accesses[:], access) {
		access = otherAccess
	}
	return class, access
}
