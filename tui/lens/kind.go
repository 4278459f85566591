package lens

import (
	"nod/digest"
	"nod/digest/card"
)

// Kind names a lens. The zero Kind is none: the card itself.
type Kind uint8

// The lenses, in the order of the strip.
const (
	Card Kind = iota
	Diff
	Edited
	Shell
	JSON
	Precedent
	Escapes
	Raw
	kinds
)

// String is the word of the strip.
func (k Kind) String() string {
	switch k {
	case Card:
		return "card"
	case Diff:
		return "diff"
	case Edited:
		return "edited"
	case Shell:
		return "shell"
	case JSON:
		return "json"
	case Precedent:
		return "precedent"
	case Escapes:
		return "escapes"
	case Raw:
		return "raw"
	}
	return "none"
}

// In is what a lens may look at. A part that is nil was not there or was not
// read, and the lens that wants it says so.
type In struct {
	Ask      *digest.Ask // required
	Raw      []byte      // the ask's canonical bytes
	Card     []card.Line // the card, as card.Lines splits it
	File     *File       // what Wants asked for
	Original *digest.Ask // the ask that this one is an edit of
	Before   []Case      // what you answered of the same tool, newest first
}

// File is what a console found at the path that Wants gave.
type File struct {
	Bytes   []byte
	Digest  digest.Digest // of Bytes, as an operand is digested
	At      int64         // when it was read, effective Unix ms
	Missing bool          // nothing is at the path
	Size    int64         // where it is larger than MaxFile and was not read
	Err     string        // why it was not read, in our own words without a full stop; "" when it was
}

// Kinds gives the lenses that say something about in, in the order of the
// strip; the card, which is always the first, is not among them.
func Kinds(in In) []Kind {
	var out []Kind
	for k := Card + 1; k < kinds; k++ {
		if applies(k, in) {
			out = append(out, k)
		}
	}
	return out
}

func applies(k Kind, in In) bool {
	args, ok := arguments(in.Ask)
	switch k {
	case Diff:
		_, ok = changeOf(in.Ask)
		return ok
	case Edited:
		return in.Original != nil && in.Ask != nil
	case Shell:
		_, ok = commandOf(args)
		return ok
	case JSON:
		return in.Ask != nil && (ok || in.Ask.Question != nil)
	case Precedent:
		return ok
	}
	return in.Ask != nil
}

// arguments gives the arguments of a call; false for a question.
func arguments(ask *digest.Ask) (digest.JSON, bool) {
	if ask == nil || ask.Action == nil || len(ask.Action.Arguments) == 0 {
		return nil, false
	}
	return ask.Action.Arguments, true
}
