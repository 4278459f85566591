package clamp

import (
	"bytes"

	"nod/digest"
)

// row is one clamp: a seat, or one member of a seat's object, and the value that
// restricts.
type row struct {
	seat, member string
	restricts    string   // canonical JSON
	words        []string // closed values of a row that Nod enforces; nil: the host's to read
}

// seatDenyRules is the one add-only list: rules are added to it by name.
const seatDenyRules = "denyRules"

// rows in the order in which loosenings are named: first those carried for hosts,
// then those that Nod enforces.
func rows() []row {
	return []row{
		{seat: "memoryPersistenceCapable", restricts: `false`},
		{seat: "fileHistory", restricts: `"disabled"`},
		{seat: "promptForm", restricts: `"minimal"`},
		{seat: "memory", member: "enabled", restricts: `false`},
		{seat: "autoAllow", restricts: `false`, words: []string{`true`, `false`}},
		{seat: "grants", restricts: `"disabled"`, words: []string{`"enabled"`, `"disabled"`}},
		{seat: "edits", restricts: `"disabled"`, words: []string{`"enabled"`, `"disabled"`}},
	}
}

// cell names the row: its seat, or seat.member.
func (r row) cell() string {
	if r.member == "" {
		return r.seat
	}
	return r.seat + "." + r.member
}

// value is what a declaration states in the row; nil for nothing. A seat that is
// no object has no members.
func (r row) value(doc digest.JSON) digest.JSON {
	v, _ := doc.Member(r.seat)
	if r.member != "" {
		v, _ = v.Member(r.member)
	}
	return v
}

// held reports whether v is the value that restricts.
func (r row) held(v digest.JSON) bool { return bytes.Equal(v, []byte(r.restricts)) }

func stated(v digest.JSON) bool { return len(v) > 0 && string(v) != "null" }
