package boundary

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// WriteRecord is the written form of a tree: an object of its bits in order,
// absent ones left out. Only an armed tree has one.
func WriteRecord(t Tree) (record []byte, ok bool) {
	if !t.Armed {
		return nil, false
	}
	b := []byte{'{'}
	for i, name := range t.Bits() {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), name...), `":true`...)
	}
	return append(b, '}'), true
}

// WriteEntry is a record as an entry of a branch. What is not UTF-8 in the id is
// replaced.
func WriteEntry(id string, t Tree) (entry []byte, ok bool) {
	record, ok := WriteRecord(t)
	if !ok {
		return nil, false
	}
	b := []byte(`{"type":"custom","customType":"` + RecordType + `","id":`)
	b, _ = jsontext.AppendQuote(b, id) //nolint:errcheck // reports only replaced bytes
	return append(append(append(b, `,"data":`...), record...), '}'), true
}

// ReadRecord reads a written tree. Whatever WriteRecord would not write is
// malformed; on an error, a *digest.Error, the tree is the strictest.
func ReadRecord(raw []byte) (Tree, error) {
	bad := func(pointer, sentence string) (Tree, error) {
		return Strictest(), fail(CodeRecordMalformed, pointer, sentence, "it stays the strictest tree; start another session to be rid of it")
	}
	v, err := digest.Canonical(raw, digest.Limits{})
	if err != nil {
		return bad("", "the record is not strict JSON")
	}
	at, names, is, err := members(v)
	if err != nil || !is {
		return bad("", "the record is not an object")
	}
	for _, name := range names {
		if !slices.Contains([]string{BitArmed, BitObserved, BitGoverned}, name) {
			return bad("/"+digest.EscapePointer(name), "the record has a member that is no bit")
		}
	}
	var t Tree
	for _, b := range t.bits() {
		v, there := at[b.name]
		if there && string(v) != "true" {
			return bad("/"+b.name, "a bit of the record is neither true nor absent")
		}
		*b.at = there
	}
	if !t.Armed {
		return bad("/"+BitArmed, "the record is of a tree that is not armed")
	}
	return t, nil
}
