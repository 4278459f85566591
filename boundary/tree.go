package boundary

import "nod/digest"

// Tree is the three bits that the sessions of one family share. They only grow.
type Tree struct {
	Armed    bool // an execution ran in a target
	Observed bool // then something outside the targets was read
	Governed bool // an act found the tree armed under multi_tenant
}

// Strictest is the tree of whoever cannot be read.
func Strictest() Tree { return Tree{Armed: true, Observed: true, Governed: true} }

// Join is the bits of either.
func (t Tree) Join(o Tree) Tree {
	return Tree{t.Armed || o.Armed, t.Observed || o.Observed, t.Governed || o.Governed}
}

// Covers reports whether t has every bit of o.
func (t Tree) Covers(o Tree) bool { return t.Join(o) == t }

// Bits lists the bits that are present, in order.
func (t Tree) Bits() []string {
	out := []string{}
	for _, b := range t.bits() {
		if *b.at {
			out = append(out, b.name)
		}
	}
	return out
}

type bit struct {
	name string
	at   *bool
}

// bits names the places of t's own copy, in order.
func (t *Tree) bits() [3]bit {
	return [3]bit{{BitArmed, &t.Armed}, {BitObserved, &t.Observed}, {BitGoverned, &t.Governed}}
}

// ReadTree reads a live tree: an object whose bits are true or absent. Members
// that are no bit are ignored. On an error, a *digest.Error, the tree is the
// strictest.
func ReadTree(raw []byte) (Tree, error) {
	v, err := digest.Canonical(raw, digest.Limits{})
	if err != nil || v[0] != '{' {
		return Strictest(), fail(CodeTreeMalformed, "", "the tree is not an object", "send an object that holds the bits which are set")
	}
	var t Tree
	for _, b := range t.bits() {
		at, there := digest.Lookup(v, "/"+b.name)
		if there && string(at) != "true" {
			return Strictest(), fail(CodeTreeMalformed, "/"+b.name, "a bit of the tree is neither true nor absent", "leave a bit out that is not set")
		}
		*b.at = there
	}
	return t, nil
}
