package gate

import (
	"fmt"
	"slices"
	"strings"

	"nod/digest"
)

// Kind says what an ask wants.
type Kind uint8

// Kinds of asks.
const (
	Call     Kind = iota
	Question      // allowing is answering
	Commit        // a commit boundary
	Desk          // an effect on the desk: a Draft says what is answered
)

// Facts are what the gate has to know of the ask that is displayed.
type Facts struct {
	Ask          string        // its id
	Shown        digest.Digest // of the card that is displayed
	Kind         Kind
	Mandated     bool // only a person may answer
	Irreversible bool
	// Confirm is the value that an allow has to type besides the code: the
	// descriptor's, the tool's name, or the boundary id; "" for an ordinary
	// call. Mandated, irreversible and commit asks without one, or with one
	// that a keyboard cannot type, cannot be allowed here.
	Confirm string
	// ConfirmIs names that value in our own words; "" for the value of the marked
	// line.
	ConfirmIs string
	// UseBy is until when an allow given now could be used, as a clock time.
	UseBy string
	// ExpiresMS is when the time to answer ends, in the clock of the events;
	// 0 for not known. AnswerBy is the same as a clock time.
	ExpiresMS int64
	AnswerBy  string
	// Redescribed says that the operator's own text about the tool is another one
	// than when the ask was made: no allow is taken then.
	Redescribed bool
	// Batch is how many asks one decision answers; 0 for one. Shown is then the
	// digest over all their shown digests.
	Batch int
	Keys  Keys // the zero Keys are DefaultKeys
}

// wantsValue reports whether an allow has to type a value besides the code.
func (f *Facts) wantsValue() bool {
	return f.Confirm != "" || f.needsValue()
}

func (f *Facts) needsValue() bool { return f.Mandated || f.Irreversible || f.Kind == Commit }

// Typeable reports whether every keyboard can type s: printable ASCII that
// neither begins nor ends with a space nobody sees.
func Typeable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return s != "" && strings.TrimSpace(s) == s
}

// Keys are the names of the keys that the gate listens to, and of those that
// its sentences name.
type Keys struct {
	Allow, Deny string
	Skip        string // "" where nothing can be skipped

	// As the screen writes them, "" for none: what writes words and a question's
	// answer, goes to the next unseen line and a page on.
	Words, Write, Unseen, Page string
}

// DefaultKeys are the keys of SCREENS §A.
func DefaultKeys() Keys {
	return Keys{Allow: "a", Deny: "x", Skip: "S", Words: "w", Write: "r", Unseen: "n", Page: "PgDn"}
}

// Reading names the keys that show what was not shown: "PgDn or n"; "" for none.
func (k Keys) Reading() string {
	switch {
	case k.Page == "":
		return k.Unseen
	case k.Unseen == "":
		return k.Page
	}
	return k.Page + " or " + k.Unseen
}

// letter refuses what is no single letter.
func letter(key string) error {
	if len(key) != 1 || (key[0]|0x20) < 'a' || (key[0]|0x20) > 'z' {
		return fmt.Errorf("the key %q cannot decide: only a single letter can", key)
	}
	return nil
}

// Check refuses keys that never decide (DESIGN §9): only a letter may, and no
// two acts may share one. Letters of two cases are two keys.
func (k Keys) Check() error {
	const skip = 2
	names := []string{k.Allow, k.Deny, k.Skip}
	for i, n := range names {
		if i == skip && n == "" {
			continue
		}
		if err := letter(n); err != nil {
			return err
		}
		if slices.Contains(names[:i], n) {
			return fmt.Errorf("the key %q is bound to two acts of the gate", n)
		}
	}
	return nil
}
