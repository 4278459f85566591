package ambiguity

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/digest/visible"
)

// CodeKey is the code of a call whose effect cannot be named.
const CodeKey = "effect_key_error"

// toolFamily begins the family of keys that a caller states; no template's
// family may begin so, and no other tool makes one for this tool.
const toolFamily = "tool:"

// maxPart bounds a text in a key, in bytes.
const maxPart = 256

// Template names an effect by values of the call's arguments.
type Template struct {
	Family string
	Parts  []Part
}

// Part is one value that the key is made of.
type Part struct {
	At    string // RFC 6901, into the arguments
	Whole bool   // a whole number; else a text
}

// Key is the key that the template makes of a call: the canonical JSON array
// [environment, family, parts…]. The error is a *digest.Error with CodeKey that
// names the pointer, never the value.
func (t *Template) Key(environment string, arguments digest.JSON) (digest.JSON, error) {
	key := begin(environment, t.Family)
	for _, p := range t.Parts {
		v, there := digest.Lookup(arguments, p.At)
		switch {
		case !there:
			return nil, keyError(p.At, "a value that names this effect is not there")
		case p.Whole && !whole(v):
			return nil, keyError(p.At, "a value that names this effect is not a whole number")
		case !p.Whole && !text(v):
			return nil, keyError(p.At, "a value that names this effect is no plain text")
		}
		key = append(append(key, ','), v...)
	}
	return append(key, ']'), nil
}

// CallerKey is the key of a call whose tool has no template, by the id that the
// caller gives its effect: [environment, "tool:"+tool, id].
func CallerKey(environment, tool string, id digest.JSON) (digest.JSON, error) {
	if !whole(id) && !text(id) {
		return nil, keyError("", "the effect id is neither a plain text nor a whole number")
	}
	return append(append(append(begin(environment, toolFamily+tool), ','), id...), ']'), nil
}

// CallerID gives the id that a caller stated, of a key that CallerKey made.
func CallerID(key digest.JSON) (id digest.JSON, ok bool) {
	family, there := digest.Lookup(key, "/1")
	if !there || !strings.HasPrefix(string(family), `"`+toolFamily) {
		return nil, false
	}
	return digest.Lookup(key, "/2")
}

func begin(environment, family string) digest.JSON {
	key := digest.JSON{'['}
	key = append(appendText(key, environment), ',')
	return appendText(key, family)
}

// appendText writes a string as the canonical form has it. What is not UTF-8
// becomes a text that the action's own check refuses.
func appendText(dst digest.JSON, s string) digest.JSON {
	quoted, err := jsontext.AppendQuote(nil, s)
	if err == nil {
		quoted, err = digest.Canonical(quoted, digest.NoLimits())
	}
	if err != nil {
		return append(dst, `""`...)
	}
	return append(dst, quoted...)
}

// text reports whether v is a text that names one thing to everybody: visible
// characters, no blanks at its ends. A blank or an invisible character more
// would be another key and, to many a provider, the same payment.
func text(v digest.JSON) bool {
	s, is := v.Text()
	if !is || s == "" || len(s) > maxPart || !utf8.ValidString(s) || strings.TrimSpace(s) != s {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return r != ' ' && !names(r) }) < 0
}

// names reports whether r is seen, and is the only way to write what is seen.
func names(r rune) bool {
	if ' ' < r && r <= '~' {
		return true
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !unicode.Is(otherForms, r) &&
		visible.Draw(visible.Label, string(r)) == string(r) // a letter may be invisible, too
}

// otherForms are characters that Unicode holds equal to others: each normal form
// writes those instead. What is written with combining marks is refused already.
// It is never written.
var otherForms = &unicode.RangeTable{R16: []unicode.Range16{
	{0x0374, 0x0374, 1}, {0x037e, 0x037e, 1},
	{0x1100, 0x11ff, 1}, // the parts of Korean syllables
	{0x1f71, 0x1f7d, 2}, {0x1fbb, 0x1fbb, 1}, {0x1fbe, 0x1fbe, 1}, {0x1fc9, 0x1fcb, 2}, {0x1fd3, 0x1fd3, 1}, {0x1fdb, 0x1fdb, 1},
	{0x1fe3, 0x1fe3, 1}, {0x1feb, 0x1feb, 1}, {0x1fee, 0x1fef, 1}, {0x1ff9, 0x1ffd, 2}, {0x2126, 0x2126, 1}, {0x212a, 0x212b, 1},
	{0x2329, 0x232a, 1}, {0xa960, 0xa97f, 1}, {0xd7b0, 0xd7ff, 1},
	{0xf900, 0xfaff, 1}, // compatibility ideographs
}, R32: []unicode.Range32{{0x2f800, 0x2fa1f, 1}}}

// whole reports whether v is written as a whole number that a double keeps.
func whole(v digest.JSON) bool {
	n, err := strconv.ParseInt(string(v), 10, 64)
	return err == nil && strconv.FormatInt(n, 10) == string(v) && -1<<53 < n && n < 1<<53
}

// LastValue is the last part of a key; nil where it has none.
func LastValue(key digest.JSON) (part digest.JSON) {
	for i, v := range key.Elements() {
		if i >= 2 { // environment and family come first
			part = v
		}
	}
	return part
}

// LastPart is the last part of a key as a person types it; "" where it has none.
func LastPart(key digest.JSON) string {
	part := LastValue(key)
	if s, is := part.Text(); is {
		return s
	}
	return string(part)
}

func keyError(pointer, sentence string) error {
	return &digest.Error{Code: CodeKey, Pointer: pointer, Sentence: sentence,
		Hint: "an effect is named by texts of 1 to 256 bytes of visible characters, or whole numbers"}
}
