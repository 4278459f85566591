package lens

import (
	"bytes"
	"math/big"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// maxLeaves is how many members of one call are compared one by one, and
// maxPointers how many bytes of pointers they may have.
const (
	maxLeaves   = 2000
	maxPointers = 1 << 20
)

// leaf is a value of the arguments that holds no other: a scalar, or an empty
// container.
type leaf struct {
	pointer string
	value   string // canonical JSON
}

// leavesOf lists the leaves of a document in order; more is true when there are
// more than maxLeaves.
func leavesOf(doc digest.JSON) (out []leaf, more bool) {
	dec := jsontext.NewDecoder(bytes.NewReader(doc))
	size := 0
	var walk func(at string) bool
	walk = func(at string) bool {
		if size += len(at); size > maxPointers {
			more = true
			return false
		}
		k := dec.PeekKind()
		if k == '{' || k == '[' {
			begin, err := dec.ReadToken()
			if err != nil {
				return false
			}
			end := jsontext.Kind('}')
			if k == '[' {
				end = ']'
			}
			if dec.PeekKind() == end {
				out = append(out, leaf{at, begin.String() + string(rune(end))})
			}
			for i := 0; dec.PeekKind() != end; i++ {
				step := strconv.Itoa(i)
				if k == '{' {
					name, err := dec.ReadToken()
					if err != nil {
						return false
					}
					step = digest.EscapePointer(name.String())
				}
				if !walk(at + "/" + step) {
					return false
				}
			}
			_, err = dec.ReadToken()
			return err == nil
		}
		v, err := dec.ReadValue()
		if err != nil || len(out) == maxLeaves {
			more = true
			return false
		}
		out = append(out, leaf{at, string(v)})
		return true
	}
	walk("")
	return out, more
}

// Sorts of a JSON value.
const (
	sortText = iota
	sortNumber
	sortOther
)

func valueSort(v string) int {
	switch {
	case v == "":
		return sortOther
	case v[0] == '"':
		return sortText
	case v[0] == '-' || v[0] >= '0' && v[0] <= '9':
		return sortNumber
	}
	return sortOther
}

// number reads a canonical JSON number exactly.
func number(v string) *big.Rat {
	r, ok := new(big.Rat).SetString(v)
	if !ok {
		return new(big.Rat) // only numbers come here
	}
	return r
}

// times says how many times most goes into v, both above 0: floored, with one
// decimal below ten; "" below 1.1.
func times(v, most *big.Rat) string {
	if most.Sign() <= 0 || v.Sign() <= 0 {
		return ""
	}
	tenths := new(big.Rat).Quo(v, most)
	tenths.Mul(tenths, big.NewRat(10, 1))
	n := new(big.Int).Quo(tenths.Num(), tenths.Denom())
	switch {
	case n.Cmp(big.NewInt(11)) < 0:
		return ""
	case n.Cmp(big.NewInt(10_000_000)) > 0:
		return "more than a million times the most"
	}
	t := n.Int64()
	if t >= 100 || t%10 == 0 {
		return strconv.FormatInt(t/10, 10) + " times the most"
	}
	return strconv.FormatInt(t/10, 10) + "." + strconv.FormatInt(t%10, 10) + " times the most"
}
