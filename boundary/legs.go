package boundary

import (
	"strconv"

	"nod/digest"
)

// Legs is the set of ways in which a call crosses.
type Legs struct {
	Env          bool // it runs in the call's environment
	OutsideRead  bool // it reads outside
	OutsideWrite bool // it writes outside
}

// EveryLeg is what a call is taken for whose legs cannot be known.
func EveryLeg() Legs { return Legs{Env: true, OutsideRead: true, OutsideWrite: true} }

// Words lists the legs in order.
func (l Legs) Words() []string {
	out := []string{}
	for _, w := range []string{LegEnv, LegOutsideRead, LegOutsideWrite} {
		if *l.place(w) {
			out = append(out, w)
		}
	}
	return out
}

// place is where l keeps a leg; nil for a word that is none.
func (l *Legs) place(word string) *bool {
	switch word {
	case LegEnv:
		return &l.Env
	case LegOutsideRead:
		return &l.OutsideRead
	case LegOutsideWrite:
		return &l.OutsideWrite
	}
	return nil
}

// ParseLegs reads words; repeats and order do not matter. On an error, a
// *digest.Error, the legs are every leg.
func ParseLegs(words []string) (Legs, error) {
	var l Legs
	for i, w := range words {
		at := l.place(w)
		if at == nil {
			return EveryLeg(), unknownLeg(i)
		}
		*at = true
	}
	return l, nil
}

// readLegs reads the elements of a canonical list.
func readLegs(list digest.JSON) (Legs, error) {
	var words []string
	for _, v := range list.Elements() {
		word, _ := v.Text() // what is no text is no leg either
		words = append(words, word)
	}
	return ParseLegs(words)
}

// PerCall checks what an expression over the arguments gave: a list of legs. On
// an error, a *digest.Error, the legs are every leg: an expression that cannot
// say how a call crosses loosens nothing.
func PerCall(value any) (Legs, error) {
	switch list := value.(type) {
	case []string:
		return ParseLegs(list)
	case []any:
		words := make([]string, len(list))
		for i, v := range list {
			words[i], _ = v.(string)
		}
		return ParseLegs(words)
	}
	return EveryLeg(), fail(CodeLegsNotList, "", "the expression gave no list of legs", "let it give a list of env, outside_read, outside_write")
}

func unknownLeg(i int) *digest.Error {
	return fail(CodeUnknownLeg, "/"+strconv.Itoa(i), "the leg is none of env, outside_read, outside_write", "use the three words")
}
