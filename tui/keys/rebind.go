package keys

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Error is a change of the bindings that is refused. It has a stable code, one
// sentence and a hint.
type Error struct {
	code     string
	Name     string // what was to be bound, as it was written
	Sentence string
	Hint     string
}

// Codes of an Error.
const (
	CodeUnknownName = "keys_unknown_name" // no binding has this name
	CodeBadKey      = "keys_bad_key"      // no key, several, or one that cannot be told apart
	CodeNeverBound  = "keys_refused"      // a key that may not mean this
	CodeTaken       = "keys_taken"        // the key means something else in that place
)

// Code is the stable code.
func (e *Error) Code() string { return e.code }

// Told gives the operator's words.
func (e *Error) Told() (code, sentence, hint string) { return e.code, e.Sentence, e.Hint }

func (e *Error) Error() string { return e.Sentence }

// fixed is the key that always leaves: it is in no binding's power.
const fixed = "ctrl+c"

// Rebind gives the table with an operator's changes (DESIGN §9). A change
// names a binding ("approve"), or a binding in one place ("detail.down"), and
// the key that takes the place of its first one; its other keys, such as the
// arrows, stay. "" takes the binding away. Changes of one place come after
// those of all. The table that was given is not changed, and the one that
// comes back has passed Check.
func Rebind(table []Binding, changes map[string]string) ([]Binding, error) {
	out := slices.Clone(table)
	names := slices.Sorted(maps.Keys(changes))
	slices.SortStableFunc(names, func(a, b string) int { return strings.Count(a, ".") - strings.Count(b, ".") })
	for _, name := range names {
		var err error
		if out, err = rebindOne(out, name, changes[name]); err != nil {
			return nil, err
		}
	}
	out = slices.DeleteFunc(out, func(b Binding) bool { return len(b.Keys) == 0 })
	if err := clash(out, names); err != nil {
		return nil, err
	}
	if err := thoughtless(out); err != nil {
		return nil, err
	}
	if err := Check(out); err != nil {
		return nil, &Error{code: CodeNeverBound, Sentence: err.Error(), Hint: "docs/configuration.md lists the names and the keys that never decide"}
	}
	return out, nil
}

func rebindOne(table []Binding, name, key string) ([]Binding, error) {
	in, intent, err := target(table, name)
	if err != nil {
		return nil, err
	}
	if err := mayBind(in, intent, name, key); err != nil {
		return nil, err
	}
	out := split(table, in, intent)
	type change struct {
		in  Place
		was string
	}
	var feet []change
	for i := range out {
		b := &out[i]
		if b.Intent != intent || b.In&^in != 0 || slices.Contains(b.Keys, fixed) {
			continue
		}
		if key == "" {
			b.Keys = nil
			continue
		}
		was := b.Keys
		b.Keys = slices.Concat([]string{key}, slices.DeleteFunc(slices.Clone(was[1:]), func(k string) bool { return k == key }))
		b.Shown = again(b.Shown, Show(was[0]), was, b.Keys)
		feet = append(feet, change{b.In, Show(was[0])})
	}
	for _, f := range feet {
		out = refoot(out, f.in, f.was, Show(key))
	}
	return out, nil
}

// target finds what a name means.
func target(table []Binding, name string) (Place, Intent, error) {
	in, word := Place(0), name
	for _, p := range placeNames() {
		if after, ok := strings.CutPrefix(name, p.name+"."); ok {
			in, word = p.place, after
		}
	}
	intent, ok := intentOf(word)
	all := Place(0)
	for _, b := range table {
		if ok && b.Intent == intent && !slices.Contains(b.Keys, fixed) {
			all |= b.In
		}
	}
	if in == 0 {
		in = all
	}
	if all&in == 0 {
		return 0, None, &Error{CodeUnknownName, name, fmt.Sprintf("%q is no binding", name), "the names are " + strings.Join(Names(table), ", ") + ", each also after a place and a dot"}
	}
	return in, intent, nil
}

// Names lists the names of a table's bindings in its order.
func Names(table []Binding) []string {
	var out []string
	for _, b := range table {
		if n := b.Intent.Name(); n != "" && !slices.Contains(out, n) && !slices.Contains(b.Keys, fixed) {
			out = append(out, n)
		}
	}
	return out
}

// mayBind refuses a key that may not carry an intent.
func mayBind(in Place, intent Intent, name, key string) error {
	never := func(sentence, hint string) error { return &Error{CodeNeverBound, name, sentence, hint} }
	if key == "" {
		if kept(intent) {
			return never(fmt.Sprintf("%q cannot be left without a key", name), "bind it to another key")
		}
		return nil
	}
	if why := wellFormed(key); why != "" {
		return &Error{CodeBadKey, name, fmt.Sprintf("the key %q for %q is not used: %s", key, name, why), `write one key as "a", "A", "pgdown", "f5" or "ctrl+f"`}
	}
	switch {
	case key == fixed:
		return never(`"ctrl+c" always quits`, "take another key")
	case in.writes() && len([]rune(key)) == 1:
		return never(fmt.Sprintf("the key %q types text where %q is", key, name), "take a key that types nothing, as \"f2\"")
	case intent.Decides() && !mayDecide(key):
		return never(fmt.Sprintf("the key %q may not be bound to %q: it never decides", key, name),
			"Enter, Space, Esc, Tab, the arrows, keys that move, chords and what is not ASCII never decide; take a letter")
	case letterOnly(intent) && !letter(key):
		return never(fmt.Sprintf("the key %q may not be bound to %q: only a letter decides", key, name), "take a letter, a to z or A to Z")
	}
	return nil
}

// kept are the intents without which nobody finds the way, or nothing can be
// answered.
func kept(i Intent) bool {
	switch i {
	case Quit, Back, ShowHelp, Approve, Deny, SkipUnseen, Yes, No, Happened, NotHappened, StillUnknown:
		return true
	}
	return false
}

// letterOnly are the intents whose keys the gate listens to.
func letterOnly(i Intent) bool { return i == Approve || i == Deny || i == SkipUnseen || i.Settles() }

func letter(key string) bool { return len(key) == 1 && 'a' <= key[0]|0x20 && key[0]|0x20 <= 'z' }

func shows(r rune) bool { return r > ' ' && unicode.IsPrint(r) && !unicode.Is(unicode.Mn, r) }

// split parts every binding of an intent that holds inside and outside in.
func split(table []Binding, in Place, intent Intent) []Binding {
	out := make([]Binding, 0, len(table)+2)
	for _, b := range table {
		if b.Intent != intent || b.In&in == 0 || b.In&^in == 0 || slices.Contains(b.Keys, fixed) {
			out = append(out, b)
			continue
		}
		here, rest := b, b
		here.In, rest.In = b.In&in, b.In&^in
		out = append(out, rest, here)
	}
	return out
}

// again writes a binding's keys for the screen. The first word of Shown is
// the first key; what else was shown stays, and what was not does not appear.
func again(shown, first string, was, now []string) string {
	if rest, ok := strings.CutPrefix(shown, first); ok && (rest == "" || rest[0] == ' ') {
		return Show(now[0]) + rest
	}
	var words []string
	for _, k := range now {
		if k == now[0] || !slices.Contains(was, k) || strings.Contains(" "+shown+" ", " "+Show(k)+" ") {
			words = append(words, Show(k))
		}
	}
	return strings.Join(words, " ")
}

// refoot changes a key in the pairs of the keys row that name two keys, in the
// places where it changed.
func refoot(table []Binding, in Place, was, now string) []Binding {
	out := make([]Binding, 0, len(table))
	for _, b := range table {
		words := strings.Fields(b.Foot)
		at := slices.Index(words, was)
		if at < 0 || b.In&in == 0 {
			out = append(out, b)
			continue
		}
		here := b
		if b.In&^in != 0 {
			rest := b
			rest.In, here.In = b.In&^in, b.In&in
			out = append(out, rest)
		}
		words[at] = now
		here.Foot = strings.Join(words, " ")
		out = append(out, here)
	}
	return out
}

// clash finds a key with two meanings and names the change that brought it.
func clash(table []Binding, names []string) error {
	for i, b := range table {
		for _, c := range table[:i] {
			if b.In&c.In == 0 {
				continue
			}
			for _, k := range b.Keys {
				if !slices.Contains(c.Keys, k) {
					continue
				}
				x, y := c.Intent.Name(), b.Intent.Name()
				name := ""
				for _, n := range names {
					if word := n[strings.LastIndexByte(n, '.')+1:]; word == x || word == y {
						name = n
					}
				}
				return &Error{CodeTaken, name, fmt.Sprintf("the key %q would be both %q and %q in one place", k, x, y),
					"bind the other one to another key too, or take another key"}
			}
		}
	}
	return nil
}

// thoughtless refuses a key that moves in one place and decides in another: it
// is held down and pressed twice without thought.
func thoughtless(table []Binding) error {
	for _, b := range table {
		for _, c := range table {
			opens := b.Intent == Yes && questions(c.Intent)
			if !opens && (!b.Intent.Decides() || !moves(c.Intent)) {
				continue
			}
			for _, k := range b.Keys {
				if slices.Contains(c.Keys, k) && opens {
					return &Error{CodeNeverBound, b.Intent.Name(), fmt.Sprintf("the key %q may not be bound to both %q and %q: held down it would ask and answer", k, c.Intent.Name(), b.Intent.Name()),
						"take another letter for one of them"}
				}
				if slices.Contains(c.Keys, k) {
					return &Error{CodeNeverBound, b.Intent.Name(), fmt.Sprintf("the key %q may not be bound to %q: it is %q elsewhere", k, b.Intent.Name(), c.Intent.Name()),
						"a key that moves never decides; take another letter"}
				}
			}
		}
	}
	return nil
}

// questions reports whether an intent opens a question that Yes answers.
func questions(i Intent) bool {
	switch i {
	case Revoke, Freeze, FreezeSession, Acknowledge, Snooze, Resend, DropWords:
		return true
	}
	return false
}

// moves reports whether an intent is pressed to get about.
func moves(i Intent) bool {
	switch i {
	case Open, Back, Quit, Up, Down, PageUp, PageDown, Top, End, NextUnseen, NextAsk, PrevAsk, Suspend:
		return true
	}
	return false
}
